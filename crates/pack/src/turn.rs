//! Rotations, eight at a time: from what is stored of them to what goes into a pose.

use sinew_lanes::{Ints, Wide};

use crate::arc::{Bend, bent};
use crate::table::{Tracks, Turn};
use crate::target::put;

/// How near two rotations are: the cosine of half the angle between them, or less that.
#[inline(always)]
pub(crate) fn nearness<W: Wide>(a: [W; 4], b: [W; 4]) -> W {
    b[3].mul_add(a[3], b[2].mul_add(a[2], b[1].mul_add(a[1], b[0] * a[0])))
}

/// Between two rotations so near, the short way and at an even pace: the shares of both, and one over the
/// length of their sum if they are of unit length.
#[inline(always)]
pub(crate) fn shares<W: Wide>(tracks: &Tracks, near: W, bend: Bend) -> [W; 3] {
    let (mut share, mut most) = (W::splat(bend.share), W::splat(bend.most));
    if tracks.holds {
        let moves = W::load(&tracks.moves);
        (share, most) = (share * moves, most * moves);
    }
    // Rounded spins may be longer than one, and an altered file's of any length.
    let u = (W::splat(1.0) - near.abs()).max(W::splat(0.0));
    let share = bent(share, most, W::splat(bend.side), u);
    let rest = W::splat(1.0) - share;
    // Shares sum to 1: the square of the length is 1 - 2 rest share u, half at least.
    let square = share.mul_sub_from(share, share).mul_sub_from(u + u, W::splat(1.0));
    [rest, share.flip(near), square.rsqrt()]
}

#[inline(always)]
pub(crate) fn mix<W: Wide>(a: [W; 4], b: [W; 4], [rest, share]: [W; 2]) -> [W; 4] {
    [
        b[0].mul_add(share, a[0] * rest),
        b[1].mul_add(share, a[1] * rest),
        b[2].mul_add(share, a[2] * rest),
        b[3].mul_add(share, a[3] * rest),
    ]
}

/// Three numbers with the fourth that makes their length one, which is never negative. Three that are
/// longer by themselves are shortened.
#[inline(always)]
pub(crate) fn whole<W: Wide>(three: [W; 3]) -> [W; 4] {
    let left = left(three);
    if left.above(W::splat(0.0)).all() { with(three, left) } else { shortened(three, left) }
}

/// The same for two at once.
#[inline(always)]
pub(crate) fn whole_pair<W: Wide>(a: [W; 3], b: [W; 3]) -> [[W; 4]; 2] {
    let (left_a, left_b, none) = (left(a), left(b), W::splat(0.0));
    if (left_a.above(none) & left_b.above(none)).all() {
        [with(a, left_a), with(b, left_b)]
    } else {
        [shortened(a, left_a), shortened(b, left_b)]
    }
}

/// What is left of one, less the squares.
#[inline(always)]
fn left<W: Wide>([x, y, z]: [W; 3]) -> W {
    z.mul_sub_from(z, y.mul_sub_from(y, x.mul_sub_from(x, W::splat(1.0))))
}

#[inline(always)]
fn with<W: Wide>([x, y, z]: [W; 3], left: W) -> [W; 4] {
    [x, y, z, left.sqrt()]
}

#[inline(always)]
fn shortened<W: Wide>([x, y, z]: [W; 3], left: W) -> [W; 4] {
    let (none, one) = (W::splat(0.0), W::splat(1.0));
    let scale = none.above(left).pick((one - left).rsqrt(), one);
    [x * scale, y * scale, z * scale, left.max(none).sqrt()]
}

/// Writes stored rotations as they were meant, each times its scale.
#[inline(always)]
pub(crate) fn put_turn<W: Wide>(turn: &Turn, stored: [W; 4], scale: W, rows: &mut [[f32; 8]; 4]) {
    let [x, y, z, w] = stored;
    let (lines, _) = turn.meant_from_stored.as_chunks::<4>();
    for (row, [a, b, c, d]) in rows.iter_mut().zip(lines) {
        let [a, b, c, d] = [W::load(a), W::load(b), W::load(c), W::load(d)];
        put(&turn.tracks, d.mul_add(w, c.mul_add(z, b.mul_add(y, a * x))) * scale, row);
    }
}

/// Writes rotations at unit length; one that has no length is none.
#[inline(always)]
pub(crate) fn put_spin<W: Wide>(tracks: &Tracks, spin: [W; 4], rows: &mut [[f32; 8]; 4]) {
    let [x, y, z, w] = spin;
    let square = w.mul_add(w, z.mul_add(z, y.mul_add(y, x * x)));
    let (good, scale) = (square.above(W::splat(1e-12)), square.rsqrt());
    let [to_x, to_y, to_z, to_w] = rows;
    put(tracks, good.pick(x * scale, W::splat(0.0)), to_x);
    put(tracks, good.pick(y * scale, W::splat(0.0)), to_y);
    put(tracks, good.pick(z * scale, W::splat(0.0)), to_z);
    put(tracks, good.pick(w * scale, W::splat(1.0)), to_w);
}

#[cfg(test)]
mod tests {
    use sinew_lanes::{Kernel, SimdLevel, run};

    use super::*;
    use crate::group::{Group, Kind};
    use crate::table::Table;

    /// Three numbers of eight rotations, made whole: alone, and beside eight good ones.
    struct Whole([[f32; 8]; 3]);

    impl Kernel for Whole {
        type Output = [[[f32; 8]; 4]; 3];

        #[inline(always)]
        fn run<W: Wide>(self) -> Self::Output {
            let three = self.0.map(|row| W::load(&row));
            let [first, good] = whole_pair(three, [W::splat(0.0); 3]);
            let mut found = [[[0.0; 8]; 4]; 3];
            for (found, rows) in found.iter_mut().zip([whole(three), first, good]) {
                for (found, row) in found.iter_mut().zip(rows) {
                    row.store(found);
                }
            }
            found
        }
    }

    #[test]
    fn the_fourth_number_makes_unit_length_and_what_is_longer_is_shortened() {
        // 0.6 and 0.8; and in lane 2 a length of 5, which leaves nothing.
        let mut rows = [[0.6; 8], [0.0; 8], [0.0; 8]];
        (rows[0][2], rows[1][2]) = (3.0, -4.0);
        for path in SimdLevel::ALL {
            let [alone, first, good] = run(path, Whole(rows));
            assert_eq!(good, [[0.0; 8], [0.0; 8], [0.0; 8], [1.0; 8]]);
            for [x, y, z, w] in [alone, first] {
                for lane in 0..8 {
                    let expected =
                        if lane == 2 { [0.6, -0.8, 0.0, 0.0] } else { [0.6, 0.0, 0.0, 0.8] };
                    let found = [x[lane], y[lane], z[lane], w[lane]];
                    let near = |(a, b): (f32, f32)| (a - b).abs() < 3e-7;
                    assert!(found.into_iter().zip(expected).all(near), "{found:?} on {path:?}");
                }
            }
        }
    }

    /// Shares between rotations so near, of a group whose lane 7 holds.
    struct Shares([f32; 8]);

    impl Kernel for Shares {
        type Output = [[f32; 8]; 3];

        #[inline(always)]
        fn run<W: Wide>(self) -> Self::Output {
            let group = Group { block: 0, kind: Kind::Spin, mask: 255 };
            let fixed = [[0; 8], [0, 0, 0, 0, 0, 0, 0, 0x80]];
            let table = Table::new(&[group], fixed.as_flattened());
            let mut found = [[0.0; 8]; 3];
            let shares = shares(&table.spins[0], W::load(&self.0), Bend::new(0.5));
            for (found, row) in found.iter_mut().zip(shares) {
                row.store(found);
            }
            found
        }
    }

    #[test]
    fn half_way_is_half_of_both_the_short_way_at_unit_length() {
        for path in SimdLevel::ALL {
            // As near as can be, square to each other, the other way round, longer than one; the last holds.
            let near = [1.0, 0.0, -1.0, 2.0, 0.5, 1.0, 1.0, 0.5];
            let [rest, share, scale] = run(path, Shares(near));
            assert_eq!(rest, [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1.0]);
            assert_eq!(share, [0.5, 0.5, -0.5, 0.5, 0.5, 0.5, 0.5, 0.0]);
            let close = |at: usize, expected: f32| (scale[at] - expected).abs() < 1e-6;
            // (a + b)/2 is √½ long where they are square, √¾ at 60°.
            assert!(close(0, 1.0) && close(1, 2.0_f32.sqrt()) && close(2, 1.0) && close(3, 1.0));
            assert!(close(4, (4.0_f32 / 3.0).sqrt()) && close(7, 1.0), "{scale:?} on {path:?}");
        }
    }

    /// Spins of a group that has lanes 0 to 3, over rows of nines.
    struct Spin([[f32; 8]; 4]);

    impl Kernel for Spin {
        type Output = [[f32; 8]; 4];

        #[inline(always)]
        fn run<W: Wide>(self) -> Self::Output {
            let group = Group { block: 0, kind: Kind::Spin, mask: 15 };
            let table = Table::new(&[group], &[0; 8]);
            let mut rows = [[9.0; 8]; 4];
            put_spin(&table.spins[0], self.0.map(|row| W::load(&row)), &mut rows);
            rows
        }
    }

    #[test]
    fn a_spin_is_made_unit_length_and_one_without_any_is_none() {
        let mut spins = [[0.0; 8], [3.0; 8], [0.0; 8], [-4.0; 8]];
        (spins[1][1], spins[3][1]) = (0.0, 0.0);
        for path in SimdLevel::ALL {
            let [x, y, z, w] = run(path, Spin(spins));
            let lane = |at: usize| [x[at], y[at], z[at], w[at]];
            let near = |(a, b): (f32, f32)| (a - b).abs() < 3e-7;
            assert!(lane(0).into_iter().zip([0.0, 0.6, 0.0, -0.8]).all(near), "{:?}", lane(0));
            assert_eq!((lane(1), lane(4)), ([0.0, 0.0, 0.0, 1.0], [9.0; 4]));
        }
    }
}
