//! Block after block of a run, where there are 32 registers: four are under way at a time.
//!
//! In:  a run's rest shape, its influences, the table of matrices.
//! Out: vertices, eight at a time; or that the run must be done again with care.
//!
//! Between every two pairs of sums, which keep a core's loads busy, stands a piece of what is done with the block
//! before: its points and normals while the next is summed, its unit normals one later, its unit tangents two later.
//! What each piece needs was done long before, so nothing waits. A compiler moves pieces about as it likes, but not
//! past a branch: so the questions whether lengths are good are asked in the middle.

use sinew_lanes::{Ints, Wide};

use super::blend::{Influences, blend, half, whole};
use super::surface::{Square, Turned, place, turn};
use super::table::Table;
use super::walk::{Rest, load};

/// Where a run's vertices go, block after block; `ready` is whether they are that block's. The first blocks give
/// something for the ones before them, which is not.
pub(super) trait Sink {
    fn positions<W: Wide>(&mut self, block: usize, xyz: [W; 3]);
    fn normals<W: Wide>(&mut self, block: usize, ready: bool, xyz: [W; 3]);
    fn tangents<W: Wide>(&mut self, block: usize, ready: bool, xyzw: [W; 4]);

    /// The end of a run, when no block follows: normals, and whether all have a length or were mended.
    #[inline(always)]
    fn last_normals<W: Wide>(
        &mut self,
        block: usize,
        ready: bool,
        turned: Turned<W>,
    ) -> (Square<W>, bool) {
        let scale = turned.scale();
        let normal = turned.unit(scale);
        self.normals(block, ready, normal);
        (turned.square(normal, scale), scale.good.all())
    }

    /// The same for tangents.
    #[inline(always)]
    fn last_tangents<W: Wide>(
        &mut self,
        block: usize,
        ready: bool,
        square: Square<W>,
        rest: Rest<'_>,
    ) -> bool {
        let (by, good) = square.scale();
        let side = W::load(&rest.tangents[block][3].0);
        self.tangents(block, ready, square.unit(by, side));
        good.all()
    }
}

/// Skins one run; `false` when some vector has no length to go by, and the run must be done again by who mends that.
#[inline(always)]
pub(super) fn ahead<W: Wide, P: Influences, S: Sink, const TANGENTS: bool>(
    rest: Rest<'_>,
    influences: P,
    table: &Table,
    out: &mut S,
) -> bool {
    let Some(last) = rest.positions.len().checked_sub(1) else { return true };
    let (mut turned, mut square) = (Turned::<W>::any(), Square::<W>::any());
    let mut columns = blend::<W, P>(influences, 0, table);
    let mut doubt = false;
    for block in 1..=last {
        // Never past the last, but who compiles does not see that.
        let [one, two, three] =
            [block - 1, block.saturating_sub(2).min(last), block.saturating_sub(3).min(last)];
        let a = influences.pair::<W>(block, 0, table);
        let placed = place(&columns, load(&rest.positions[one]));
        let scale = turned.scale();
        if !scale.good.all() {
            note(&mut doubt);
        }
        let b = influences.pair::<W>(block, 2, table);
        let first = half(a, b);
        let (by, good) = if TANGENTS { square.scale() } else { (scale.by, scale.good) };
        if TANGENTS && !good.all() {
            note(&mut doubt);
        }
        let mut next = turn(&columns, load(&rest.normals[one]));
        let c = influences.pair::<W>(block, 4, table);
        out.positions(one, placed);
        if TANGENTS {
            let unit = square.unit(by, W::load(&rest.tangents[three][3].0));
            out.tangents(three, block >= 3, unit);
        }
        let normal = turned.unit(scale);
        out.normals(two, block >= 2, normal);
        if TANGENTS {
            square = turned.square(normal, scale);
            let [x, y, z, _] = load(&rest.tangents[one]);
            next = next.along(&columns, [x, y, z]);
        }
        let d = influences.pair::<W>(block, 6, table);
        columns = whole(first, half(c, d));
        turned = next;
    }
    out.positions(last, place(&columns, load(&rest.positions[last])));
    let [before, long_before] = [last.saturating_sub(1), last.saturating_sub(2)];
    if TANGENTS {
        doubt |= !out.last_tangents(long_before, last >= 2, square, rest);
    }
    let good;
    (square, good) = out.last_normals(before, last >= 1, turned);
    doubt |= !good;
    if TANGENTS {
        doubt |= !out.last_tangents(before, last >= 1, square, rest);
    }
    let good;
    (square, good) = out.last_normals(last, true, rest.turn::<W, TANGENTS>(&columns, last));
    doubt |= !good;
    if TANGENTS {
        doubt |= !out.last_tangents(last, true, square, rest);
    }
    !doubt
}

/// A call, so that the branch to it stays a branch.
#[cold]
#[inline(never)]
fn note(doubt: &mut bool) {
    *doubt = true;
}
