//! Block after block of a run, where there are 32 registers: four are in flight at a time.
//!
//! In:  a run's rest shape, its influences, the table of matrices.
//! Out: vertices, eight at a time; what the first blocks write for the ones before them is written over. Or that the
//! run must be done again with care.
//!
//! Between every two pairs of sums, which keep a core's loads busy, comes a piece of the work on the block
//! before: its points and normals while the next is summed, its unit normals one later, its unit tangents two later.
//! What each piece needs was done long before, so nothing waits. A compiler reorders pieces as it likes, but not
//! past a branch: so the questions whether lengths are good are asked in the middle.

use sinew_lanes::{Ints, Wide};

use super::blend::{Influences, blend, half, whole};
use super::surface::{Directions, Square, place, transform_normals};
use super::table::Table;
use super::walk::{Out, Rest, load};

/// Skins one run; `false` when some vector is too short or too long to be normalized: the run must then be done again by
/// `walk.rs`, which replaces such vectors.
#[inline(always)]
pub(super) fn ahead<W: Wide, P: Influences, const TANGENTS: bool>(
    rest: Rest<'_>,
    influences: P,
    table: &Table,
    out: &mut Out<'_>,
) -> bool {
    let Some(last) = rest.positions.len().checked_sub(1) else { return true };
    let mut directions = Directions::<W>::any();
    let mut square = Square::<W>::any();
    let mut columns = blend::<W, P>(influences, 0, table);
    let mut doubt = false;
    for block in 1..=last {
        // Never past the last, but who compiles does not see that.
        let [one, two, three] =
            [block - 1, block.saturating_sub(2).min(last), block.saturating_sub(3).min(last)];
        let a = influences.pair::<W>(block, 0, table);
        let placed = place(&columns, load(&rest.positions[one]));
        let scale = directions.scale();
        if !scale.good.all() {
            note(&mut doubt);
        }
        let b = influences.pair::<W>(block, 2, table);
        let first = half(a, b);
        let (by, good) = if TANGENTS { square.scale() } else { (scale.by, scale.good) };
        if TANGENTS && !good.all() {
            note(&mut doubt);
        }
        let mut next = transform_normals(&columns, load(&rest.normals[one]));
        let c = influences.pair::<W>(block, 4, table);
        W::store3(placed, &mut out.positions[one]);
        if TANGENTS {
            let unit = square.unit(by, W::load(&rest.tangents[three][3].0));
            W::store4(unit, &mut out.tangents[three]);
        }
        let normal = directions.unit(scale);
        W::store3(normal, &mut out.normals[two]);
        if TANGENTS {
            square = directions.square(normal, scale);
            let [x, y, z, _] = load(&rest.tangents[one]);
            next = next.along(&columns, [x, y, z]);
        }
        let d = influences.pair::<W>(block, 6, table);
        columns = whole(first, half(c, d));
        directions = next;
    }
    W::store3(place(&columns, load(&rest.positions[last])), &mut out.positions[last]);
    let [before, long_before] = [last.saturating_sub(1), last.saturating_sub(2)];
    if TANGENTS {
        out.unit_tangents(long_before, square, rest);
    }
    square = out.unit_normals(before, directions);
    if TANGENTS {
        out.unit_tangents(before, square, rest);
    }
    square = out.unit_normals(last, rest.directions::<W, TANGENTS>(&columns, last));
    if TANGENTS {
        out.unit_tangents(last, square, rest);
    }
    !doubt
}

/// A call, so that the branch to it stays a branch.
#[cold]
#[inline(never)]
fn note(doubt: &mut bool) {
    *doubt = true;
}
