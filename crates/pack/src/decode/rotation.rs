//! Eight rotations at a time, as quaternions: x, y, z and w of all of them.

use sinew_lanes::{Ints, Wide};

use super::arc::Bend;

/// Between two rotations, the short way and at an even pace; not of unit length.
#[inline(always)]
pub(crate) fn mixed<W: Wide>(bend: &Bend, from: [W; 4], to: [W; 4]) -> [W; 4] {
    let near = dot(from, to);
    let share = bend.bent(near.abs());
    let (rest, share) = (W::splat(1.0) - share, share.flip(near));
    let mut mixed = from;
    for (from, to) in mixed.iter_mut().zip(to) {
        *from = to.mul_add(share, *from * rest);
    }
    mixed
}

/// Three numbers with the fourth that makes their length one; 0 where they are longer by themselves.
#[inline(always)]
pub(crate) fn whole<W: Wide>([x, y, z]: [W; 3]) -> [W; 4] {
    let left = z.mul_sub_from(z, y.mul_sub_from(y, x.mul_sub_from(x, W::splat(1.0))));
    [x, y, z, left.max(W::splat(0.0)).sqrt()]
}

#[inline(always)]
fn dot<W: Wide>(a: [W; 4], b: [W; 4]) -> W {
    b[3].mul_add(a[3], b[2].mul_add(a[2], b[1].mul_add(a[1], b[0] * a[0])))
}

/// Of unit length; what has none is no rotation.
#[inline(always)]
pub(crate) fn unit<W: Wide>(rotation: [W; 4]) -> [W; 4] {
    let square = dot(rotation, rotation);
    let (has_length, scale) = (square.above(W::splat(1e-12)), square.rsqrt());
    let [x, y, z, w] = rotation;
    let zero = W::splat(0.0);
    [
        has_length.pick(x * scale, zero),
        has_length.pick(y * scale, zero),
        has_length.pick(z * scale, zero),
        has_length.pick(w * scale, W::splat(1.0)),
    ]
}

/// Of unit length: what has a length.
#[inline(always)]
pub(crate) fn scaled<W: Wide>([x, y, z, w]: [W; 4]) -> [W; 4] {
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
