//! Block after block of a run: sum the matrices, move the vertices, write them.
//!
//! With 16 registers three blocks are under way at a time (with 32, see `ahead.rs`): one is summed and moved, the normals of the one before
//! become unit vectors, and the tangents of the one before that. Unit vectors are long chains of
//! waiting for the number before; like this the core has something else to do meanwhile.

use sinew_lanes::{Ints, Wide};

use super::EIGHT;
use super::ahead::{Sink, ahead};
use super::batch::front;
use super::blend::{Columns, Influences, blend};
use super::kernel::Goal;
use super::shape::Row;
use super::surface::{Scale, Square, Turned, mend_normals, mend_tangents, place, turn};
use super::table::Table;

/// What a run is made of, as plain numbers; there may be no tangents.
#[derive(Clone, Copy)]
pub(super) struct Rest<'a> {
    pub(super) positions: &'a [[Row; 3]],
    pub(super) normals: &'a [[Row; 3]],
    pub(super) tangents: &'a [[Row; 4]],
}

/// Where vertices go: one block for each of the rest.
pub(super) struct Out<'a> {
    pub(super) positions: &'a mut [[[f32; 3]; EIGHT]],
    pub(super) normals: &'a mut [[[f32; 3]; EIGHT]],
    pub(super) tangents: &'a mut [[[f32; 4]; EIGHT]],
}

impl Goal for Out<'_> {
    /// Everything is mended at once, so it is always good.
    #[inline(always)]
    fn walk<W: Wide, P: Influences>(
        &mut self,
        rest: Rest<'_>,
        influences: P,
        table: &Table,
        unasked: &mut [[[f32; 3]; EIGHT]],
    ) -> bool {
        let count = rest.positions.len();
        let mut out = self.front(count);
        if out.normals.is_empty() {
            out.normals = &mut unasked[..count];
        }
        let (rest, influences, out) = (rest.cut(count), influences.cut(count), out.cut(count));
        if rest.tangents.is_empty() {
            ordered::<W, P, false>(rest, influences, table, out);
        } else {
            ordered::<W, P, true>(rest, influences, table, out);
        }
        true
    }
}

#[inline(always)]
fn ordered<W: Wide, P: Influences, const TANGENTS: bool>(
    rest: Rest<'_>,
    influences: P,
    table: &Table,
    mut out: Out<'_>,
) {
    if !W::MANY || !ahead::<W, P, _, TANGENTS>(rest, influences, table, &mut out) {
        blocks::<W, P, TANGENTS>(rest, influences, table, out);
    }
}

#[inline(always)]
fn blocks<W: Wide, P: Influences, const TANGENTS: bool>(
    rest: Rest<'_>,
    influences: P,
    table: &Table,
    mut out: Out<'_>,
) {
    let count = rest.positions.len();
    // What the first blocks write of the ones before them is written over.
    let (mut turned, mut square) = (Turned::<W>::any(), Square::<W>::any());
    for block in 0..count {
        let columns = blend::<W, P>(influences, block, table);
        W::store3(place(&columns, load(&rest.positions[block])), &mut out.positions[block]);
        if TANGENTS {
            out.unit_tangents(block.saturating_sub(2), square, rest);
        }
        square = out.unit_normals(block.saturating_sub(1), turned);
        turned = rest.turn::<W, TANGENTS>(&columns, block);
    }
    if TANGENTS {
        out.unit_tangents(count.saturating_sub(2), square, rest);
    }
    square = out.unit_normals(count - 1, turned);
    if TANGENTS {
        out.unit_tangents(count - 1, square, rest);
    }
}

impl Rest<'_> {
    #[inline(always)]
    pub(super) fn cut(self, count: usize) -> Self {
        let tangents = if self.tangents.is_empty() { &[] } else { &self.tangents[..count] };
        Self { positions: &self.positions[..count], normals: &self.normals[..count], tangents }
    }

    #[inline(always)]
    pub(super) fn turn<W: Wide, const TANGENTS: bool>(
        &self,
        columns: &Columns<W>,
        block: usize,
    ) -> Turned<W> {
        let turned = turn(columns, load(&self.normals[block]));
        if !TANGENTS {
            return turned;
        }
        let [x, y, z, _] = load(&self.tangents[block]);
        turned.along(columns, [x, y, z])
    }
}

impl Out<'_> {
    #[inline(always)]
    fn cut(self, count: usize) -> Self {
        let tangents = if self.tangents.is_empty() { &mut [] } else { &mut self.tangents[..count] };
        let (positions, normals) = (&mut self.positions[..count], &mut self.normals[..count]);
        Self { positions, normals, tangents }
    }

    #[inline(always)]
    fn unit_normals<W: Wide>(&mut self, block: usize, turned: Turned<W>) -> Square<W> {
        let scale = turned.scale();
        let normal = turned.unit(scale);
        W::store3(normal, &mut self.normals[block]);
        if scale.good.all() {
            return turned.square(normal, scale);
        }
        self.mend_normals(block, turned, scale)
    }

    #[inline(always)]
    fn unit_tangents<W: Wide>(&mut self, block: usize, square: Square<W>, rest: Rest<'_>) {
        let (by, good) = square.scale();
        let side = W::load(&rest.tangents[block][3].0);
        W::store4(square.unit(by, side), &mut self.tangents[block]);
        if !good.all() {
            self.mend_tangents::<W>(block, good);
        }
    }

    /// Where normals have no length to go by: mends what was written, and has tangents square to that.
    #[inline(always)]
    fn mend_normals<W: Wide>(
        &mut self,
        block: usize,
        turned: Turned<W>,
        scale: Scale<W>,
    ) -> Square<W> {
        let mut good = [0; EIGHT];
        scale.good.store(&mut good);
        mend_normals(&good, &mut self.normals[block]);
        turned.square(W::load3(&self.normals[block]), scale)
    }

    #[inline(always)]
    fn mend_tangents<W: Wide>(&mut self, block: usize, good: W::Ints) {
        let mut mask = [0; EIGHT];
        good.store(&mut mask);
        mend_tangents(&mask, &self.normals[block], &mut self.tangents[block]);
    }
}

/// Of what is not ready, nothing is left: the block's own is written over it.
impl Sink for Out<'_> {
    #[inline(always)]
    fn positions<W: Wide>(&mut self, block: usize, xyz: [W; 3]) {
        W::store3(xyz, &mut self.positions[block]);
    }
    #[inline(always)]
    fn normals<W: Wide>(&mut self, block: usize, _ready: bool, xyz: [W; 3]) {
        W::store3(xyz, &mut self.normals[block]);
    }
    #[inline(always)]
    fn tangents<W: Wide>(&mut self, block: usize, _ready: bool, xyzw: [W; 4]) {
        W::store4(xyzw, &mut self.tangents[block]);
    }
    #[inline(always)]
    fn last_normals<W: Wide>(
        &mut self,
        block: usize,
        _ready: bool,
        turned: Turned<W>,
    ) -> (Square<W>, bool) {
        (self.unit_normals(block, turned), true)
    }
    #[inline(always)]
    fn last_tangents<W: Wide>(
        &mut self,
        block: usize,
        _ready: bool,
        square: Square<W>,
        rest: Rest<'_>,
    ) -> bool {
        self.unit_tangents(block, square, rest);
        true
    }
}

#[inline(always)]
pub(super) fn load<W: Wide, const N: usize>(rows: &[Row; N]) -> [W; N] {
    let mut out = [W::splat(0.0); N];
    for axis in 0..N {
        out[axis] = W::load(&rows[axis].0);
    }
    out
}

impl<'a> Out<'a> {
    /// Whole blocks of vertices; there may be no normals, and no tangents.
    pub(super) fn new(
        positions: &'a mut [[f32; 3]],
        normals: &'a mut [[f32; 3]],
        tangents: &'a mut [[f32; 4]],
    ) -> Self {
        Self {
            positions: positions.as_chunks_mut().0,
            normals: normals.as_chunks_mut().0,
            tangents: tangents.as_chunks_mut().0,
        }
    }

    /// Takes the first blocks off the front, as far as there are any.
    pub(super) fn front(&mut self, blocks: usize) -> Out<'a> {
        Out {
            positions: front(&mut self.positions, blocks),
            normals: front(&mut self.normals, blocks),
            tangents: front(&mut self.tangents, blocks),
        }
    }
}
