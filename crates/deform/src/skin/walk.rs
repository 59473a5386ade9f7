//! Block after block of a run: sum the matrices, transform the vertices, write them.
//!
//! In:  a run's rest shape, its influences, the table of matrices.
//! Out: vertices, eight at a time.
//!
//! With 16 registers three blocks are in flight at a time (with 32, see `ahead.rs`): one is summed and transformed, the normals of the one before
//! become unit vectors, and the tangents of the one before that. Unit vectors are long chains of
//! waiting for the number before; like this the core has something else to do meanwhile.

use sinew_lanes::{Ints, Wide};

use super::EIGHT;
use super::ahead::ahead;
use super::batch::front;
use super::blend::{Columns, Influences, blend};
use super::shape::Row;
use super::surface::{
    Directions, Scale, Square, mend_normals, mend_tangents, place, transform_normals,
};
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

impl Out<'_> {
    /// Skins one run: the next blocks, as many as there are in `rest`. Normals that nobody asks for go to `unasked`.
    #[inline(always)]
    pub(super) fn walk<W: Wide, P: Influences>(
        &mut self,
        rest: Rest<'_>,
        influences: P,
        table: &Table,
        unasked: &mut [[[f32; 3]; EIGHT]],
    ) {
        let count = rest.positions.len();
        let mut out = self.front(count);
        if out.normals.is_empty() {
            out.normals = &mut unasked[..count];
        }
        let rest = rest.cut(count);
        let influences = influences.cut(count);
        let out = out.cut(count);
        if rest.tangents.is_empty() {
            ordered::<W, P, false>(rest, influences, table, out);
        } else {
            ordered::<W, P, true>(rest, influences, table, out);
        }
    }
}

#[inline(always)]
fn ordered<W: Wide, P: Influences, const TANGENTS: bool>(
    rest: Rest<'_>,
    influences: P,
    table: &Table,
    mut out: Out<'_>,
) {
    if !W::MANY || !ahead::<W, P, TANGENTS>(rest, influences, table, &mut out) {
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
    let mut directions = Directions::<W>::any();
    let mut square = Square::<W>::any();
    for block in 0..count {
        let columns = blend::<W, P>(influences, block, table);
        W::store3(place(&columns, load(&rest.positions[block])), &mut out.positions[block]);
        if TANGENTS {
            out.unit_tangents(block.saturating_sub(2), square, rest);
        }
        square = out.unit_normals(block.saturating_sub(1), directions);
        directions = rest.directions::<W, TANGENTS>(&columns, block);
    }
    if TANGENTS {
        out.unit_tangents(count.saturating_sub(2), square, rest);
    }
    square = out.unit_normals(count - 1, directions);
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
    pub(super) fn directions<W: Wide, const TANGENTS: bool>(
        &self,
        columns: &Columns<W>,
        block: usize,
    ) -> Directions<W> {
        let directions = transform_normals(columns, load(&self.normals[block]));
        if !TANGENTS {
            return directions;
        }
        let [x, y, z, _] = load(&self.tangents[block]);
        directions.along(columns, [x, y, z])
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
    pub(super) fn unit_normals<W: Wide>(
        &mut self,
        block: usize,
        directions: Directions<W>,
    ) -> Square<W> {
        let scale = directions.scale();
        let normal = directions.unit(scale);
        W::store3(normal, &mut self.normals[block]);
        if scale.good.all() {
            return directions.square(normal, scale);
        }
        self.mend_normals(block, directions, scale)
    }

    #[inline(always)]
    pub(super) fn unit_tangents<W: Wide>(
        &mut self,
        block: usize,
        square: Square<W>,
        rest: Rest<'_>,
    ) {
        let (by, good) = square.scale();
        let side = W::load(&rest.tangents[block][3].0);
        W::store4(square.unit(by, side), &mut self.tangents[block]);
        if !good.all() {
            self.mend_tangents::<W>(block, good);
        }
    }

    /// Where normals cannot be normalized: replaces what was written, and makes tangents perpendicular to that.
    #[inline(always)]
    fn mend_normals<W: Wide>(
        &mut self,
        block: usize,
        directions: Directions<W>,
        scale: Scale<W>,
    ) -> Square<W> {
        let mut good = [0; EIGHT];
        scale.good.store(&mut good);
        mend_normals(&good, &mut self.normals[block]);
        directions.square(W::load3(&self.normals[block]), scale)
    }

    #[inline(always)]
    fn mend_tangents<W: Wide>(&mut self, block: usize, good: W::Ints) {
        let mut mask = [0; EIGHT];
        good.store(&mut mask);
        mend_tangents(&mask, &self.normals[block], &mut self.tangents[block]);
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
    fn front(&mut self, blocks: usize) -> Out<'a> {
        Out {
            positions: front(&mut self.positions, blocks),
            normals: front(&mut self.normals, blocks),
            tangents: front(&mut self.tangents, blocks),
        }
    }
}
