//! Block after block of a run, where there are 32 registers: four are under way at a time.
//!
//! In:  a run's rest shape, its pulls, the table of matrices.
//! Out: vertices, eight at a time; or that the run must be done again with care.
//!
//! Between every two pairs of sums, which keep a core's loads busy, stands a piece of what is done with the block
//! before: its points and normals while the next is summed, its unit normals one later, its unit tangents two later.
//! What each piece needs was done long before, so nothing waits. A compiler moves pieces about as it likes, but not
//! past a branch: so the questions whether lengths are good are asked in the middle.

use sinew_lanes::{Ints, Wide};

use super::blend::{Pulls, blend, half, whole};
use super::surface::{Square, Turned, place, turn};
use super::table::Table;
use super::walk::{Out, Rest, load};

/// Skins one run; `false` when some vector has no length to go by, and the run must be done again by who mends that.
#[inline(always)]
pub(super) fn ahead<W: Wide, P: Pulls, const TANGENTS: bool>(
    rest: Rest<'_>,
    pulls: P,
    table: &Table,
    out: &mut Out<'_>,
) -> bool {
    let Some(last) = rest.positions.len().checked_sub(1) else { return true };
    // What the first blocks write of the ones before them is written over.
    let (mut turned, mut square) = (Turned::<W>::any(), Square::<W>::any());
    let mut columns = blend::<W, P>(pulls, 0, table);
    let mut doubt = false;
    for block in 1..=last {
        // Never past the last, but who compiles does not see that.
        let [one, two, three] =
            [block - 1, block.saturating_sub(2).min(last), block.saturating_sub(3).min(last)];
        let a = pulls.pair::<W>(block, 0, table);
        let placed = place(&columns, load(&rest.positions[one]));
        let scale = turned.scale();
        if !scale.good.all() {
            note(&mut doubt);
        }
        let b = pulls.pair::<W>(block, 2, table);
        let first = half(a, b);
        let (by, good) = if TANGENTS { square.scale() } else { (scale.by, scale.good) };
        if TANGENTS && !good.all() {
            note(&mut doubt);
        }
        let mut next = turn(&columns, load(&rest.normals[one]));
        let c = pulls.pair::<W>(block, 4, table);
        W::store3(placed, &mut out.positions[one]);
        if TANGENTS {
            let unit = square.unit(by, W::load(&rest.tangents[three][3].0));
            W::store4(unit, &mut out.tangents[three]);
        }
        let normal = turned.unit(scale);
        W::store3(normal, &mut out.normals[two]);
        if TANGENTS {
            square = turned.square(normal, scale);
            let [x, y, z, _] = load(&rest.tangents[one]);
            next = next.along(&columns, [x, y, z]);
        }
        let d = pulls.pair::<W>(block, 6, table);
        columns = whole(first, half(c, d));
        turned = next;
    }
    W::store3(place(&columns, load(&rest.positions[last])), &mut out.positions[last]);
    if TANGENTS {
        out.tangents(last.saturating_sub(2), square, rest);
    }
    square = out.normals(last.saturating_sub(1), turned);
    if TANGENTS {
        out.tangents(last.saturating_sub(1), square, rest);
    }
    square = out.normals(last, rest.turn::<W, TANGENTS>(&columns, last));
    if TANGENTS {
        out.tangents(last, square, rest);
    }
    !doubt
}

/// A call, so that the branch to it stays a branch.
#[cold]
#[inline(never)]
fn note(doubt: &mut bool) {
    *doubt = true;
}
