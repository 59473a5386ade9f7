//! Eight rotations at a time: from three numbers each to quaternions, x, y, z and w of all of them.
//!
//! The straight way between two unit quaternions, made unit length, lags and hurries by a little: at share
//! `t` it stands where `sin tΩ / (sin tΩ + sin (1 - t)Ω)` should. That is `t + t (t - ½)(t - 1) k`, where
//! `k` goes by `u = 1 - cos Ω` and `s = (t - ½)²`; the numbers below were fitted to it for up to 120° between
//! frames, where they are 5e-5 rad off, and 9e-7 rad for 30°.

use sinew_lanes::{Ints, Wide};

use super::field::word;

const LINE: f32 = 0.667_874;
const SQUARE: f32 = 0.107_297;
const CUBE: f32 = 0.093_328;
const SIDE: f32 = 0.697_431;

/// The share that is mixed of the second of two rotations, for an even pace; `near` is their quaternions' product,
/// without its sign.
#[inline(always)]
fn bent<W: Wide>(share: f32, near: W) -> W {
    let half = share - 0.5;
    let u = (W::splat(1.0) - near).max(W::splat(0.0));
    let side = W::splat(SQUARE + SIDE * half * half);
    let bend = u.mul_add(u.mul_add(W::splat(CUBE), side), W::splat(LINE));
    bend.mul_add(u * W::splat(share * half * (share - 1.0)), W::splat(share))
}

/// The same in double precision, for who measures.
pub(crate) fn exact_share(share: f64, near: f64) -> f64 {
    let (u, half) = ((1.0 - near).max(0.0), share - 0.5);
    let side = f64::from(SQUARE) + f64::from(SIDE) * half * half;
    let bend = f64::from(LINE) + u * (side + f64::from(CUBE) * u);
    share + share * half * (share - 1.0) * u * bend
}

/// The quaternion that three numbers stand for, and its length: all rotations are seen from the opposite of none, on a
/// plane (stereographic projection).
#[inline(always)]
pub(crate) fn whole<W: Wide>([x, y, z]: [W; 3]) -> ([W; 4], W) {
    let (square, one) = (z.mul_add(z, y.mul_add(y, x * x)), W::splat(1.0));
    let quarter = W::splat(0.25);
    ([x, y, z, square.mul_sub_from(quarter, one)], square.mul_add(quarter, one))
}

/// Between two rotations, the short way and at an even pace; not of unit length.
#[inline(always)]
pub(crate) fn mixed<W: Wide>(share: f32, from: [W; 3], to: [W; 3]) -> [W; 4] {
    let ((from, from_length), (to, to_length)) = (whole(from), whole(to));
    let scale = (from_length * to_length).recip();
    let near = dot(from, to) * scale;
    let share = bent(share, near.abs());
    let rest = (W::splat(1.0) - share) * (to_length * scale);
    let share = (share * (from_length * scale)).flip(near);
    let mut mixed = from;
    for (from, to) in mixed.iter_mut().zip(to) {
        *from = to.mul_add(share, *from * rest);
    }
    mixed
}

#[inline(always)]
fn dot<W: Wide>(a: [W; 4], b: [W; 4]) -> W {
    b[3].mul_add(a[3], b[2].mul_add(a[2], b[1].mul_add(a[1], b[0] * a[0])))
}

/// Of unit length: what has a length.
#[inline(always)]
pub(crate) fn unit<W: Wide>([x, y, z, w]: [W; 4]) -> [W; 4] {
    let scale = dot([x, y, z, w], [x, y, z, w]).rsqrt();
    [x * scale, y * scale, z * scale, w * scale]
}

/// `b` first, then `a`.
#[inline(always)]
pub(crate) fn product<W: Wide>(a: [W; 4], b: [W; 4]) -> [W; 4] {
    [
        a[2].mul_sub_from(b[1], a[1].mul_add(b[2], a[0].mul_add(b[3], a[3] * b[0]))),
        a[0].mul_sub_from(b[2], a[2].mul_add(b[0], a[1].mul_add(b[3], a[3] * b[1]))),
        a[1].mul_sub_from(b[0], a[0].mul_add(b[1], a[2].mul_add(b[3], a[3] * b[2]))),
        a[2].mul_sub_from(b[2], a[1].mul_sub_from(b[1], a[0].mul_sub_from(b[0], a[3] * b[3]))),
    ]
}

/// Four signed bytes of each lane, all x first.
#[inline(always)]
pub(crate) fn quaternion<W: Wide>(group: &[u8], at: usize, count: usize) -> [W; 4] {
    let mut numbers = [W::splat(0.0); 4];
    for (axis, number) in numbers.iter_mut().enumerate() {
        *number = W::Ints::from_signed_bytes(word(group, at + axis * count)).to_floats();
    }
    numbers
}
