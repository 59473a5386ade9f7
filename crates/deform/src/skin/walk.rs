//! Block after block of a run: sum the matrices, move the vertices, write them.
//!
//! Three blocks are under way at a time: one is summed and moved, the normals of the one before
//! become unit vectors, and the tangents of the one before that. Unit vectors are long chains of
//! waiting for the number before; like this the core has something else to do meanwhile.

use sinew_lanes::Wide;

use super::EIGHT;
use super::blend::{Pulls, blend};
use super::shape::Row;
use super::surface::{Leaning, Turned, place, turn};
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

/// Skins one run.
#[inline(always)]
pub(super) fn walk<W: Wide, P: Pulls>(rest: Rest<'_>, pulls: P, table: &Table, out: Out<'_>) {
    if rest.tangents.is_empty() {
        blocks::<W, P, false>(rest, pulls, table, out);
    } else {
        blocks::<W, P, true>(rest, pulls, table, out);
    }
}

#[inline(always)]
fn blocks<W: Wide, P: Pulls, const TANGENTS: bool>(
    rest: Rest<'_>,
    pulls: P,
    table: &Table,
    mut out: Out<'_>,
) {
    let count = rest.positions.len();
    let (positions, normals) = (rest.positions, &rest.normals[..count]);
    // What the first blocks write of the ones before them is written over.
    let (mut turned, mut leaning) = (Turned::any(), Leaning::any());
    for block in 0..count {
        let columns = blend::<W, P>(pulls, block, table);
        W::store3(place(&columns, load(&positions[block])), &mut out.positions[block]);
        if TANGENTS {
            out.tangents(block.saturating_sub(2), leaning);
        }
        leaning = out.normals(block.saturating_sub(1), turned);
        let tangent = if TANGENTS { load(&rest.tangents[block]) } else { [W::splat(0.0); 4] };
        turned = turn(&columns, load(&normals[block]), tangent);
    }
    if TANGENTS {
        out.tangents(count.saturating_sub(2), leaning);
    }
    leaning = out.normals(count - 1, turned);
    if TANGENTS {
        out.tangents(count - 1, leaning);
    }
}

impl Out<'_> {
    #[inline(always)]
    fn normals<W: Wide>(&mut self, block: usize, turned: Turned<W>) -> Leaning<W> {
        let leaning = turned.unit();
        W::store3(leaning.normal, &mut self.normals[block]);
        leaning
    }

    #[inline(always)]
    fn tangents<W: Wide>(&mut self, block: usize, leaning: Leaning<W>) {
        W::store4(leaning.unit(), &mut self.tangents[block]);
    }
}

#[inline(always)]
fn load<W: Wide, const N: usize>(rows: &[Row; N]) -> [W; N] {
    let mut out = [W::splat(0.0); N];
    for axis in 0..N {
        out[axis] = W::load(&rows[axis].0);
    }
    out
}

impl<'a> Out<'a> {
    /// Takes the first blocks off the front, as far as there are any.
    pub(super) fn front(&mut self, blocks: usize) -> Out<'a> {
        Out {
            positions: front(&mut self.positions, blocks),
            normals: front(&mut self.normals, blocks),
            tangents: front(&mut self.tangents, blocks),
        }
    }
}

fn front<'a, T>(left: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let all = std::mem::take(left);
    let (mine, rest) = all.split_at_mut(count.min(all.len()));
    *left = rest;
    mine
}
