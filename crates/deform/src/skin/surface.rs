//! What matrices do to eight points, normals and tangents.
//!
//! The same formulas as [`deform`](crate::deform) has, in two steps: what needs the matrices, and
//! what makes unit vectors of it. The second is one long chain of waiting, so it is left until the
//! matrices of the next eight vertices are being summed.

use sinew_lanes::{Ints, Wide};
use sinew_scene::glam::Vec3;

use super::EIGHT;
use super::blend::Columns;

/// Normals and tangents that are turned but not yet of unit length.
#[derive(Clone, Copy)]
pub(super) struct Turned<W> {
    normal: [W; 3],
    /// What the matrix does to volumes: below zero when it mirrors.
    determinant: W,
    tangent: [W; 4],
}

/// Unit normals, and tangents that lean towards them.
#[derive(Clone, Copy)]
pub(super) struct Leaning<W> {
    pub(super) normal: [W; 3],
    /// -1 where the matrix mirrors, else 1.
    side: W,
    tangent: [W; 4],
}

/// Points by the matrix.
#[inline(always)]
pub(super) fn place<W: Wide>([a, b, c, d]: &Columns<W>, [x, y, z]: [W; 3]) -> [W; 3] {
    let mut out = *d;
    for axis in 0..3 {
        out[axis] = z.mul_add(c[axis], y.mul_add(b[axis], x.mul_add(a[axis], d[axis])));
    }
    out
}

/// Normals by the cofactors, tangents by the matrix itself.
///
/// x (b × c) + y (c × a) + z (a × b) = x (b × c) + a × (z b - y c), with a fifth less to do.
#[inline(always)]
pub(super) fn turn<W: Wide>(
    &[a, b, c, _]: &Columns<W>,
    [x, y, z]: [W; 3],
    [i, j, k, w]: [W; 4],
) -> Turned<W> {
    let bc = cross(b, c);
    let (mut u, mut tangent) = (bc, [w; 4]);
    for axis in 0..3 {
        u[axis] = y.mul_sub_from(c[axis], z * b[axis]);
        tangent[axis] = k.mul_add(c[axis], j.mul_add(b[axis], i * a[axis]));
    }
    let normal = [
        a[2].mul_sub_from(u[1], a[1].mul_add(u[2], x * bc[0])),
        a[0].mul_sub_from(u[2], a[2].mul_add(u[0], x * bc[1])),
        a[1].mul_sub_from(u[0], a[0].mul_add(u[1], x * bc[2])),
    ];
    Turned { normal, determinant: dot(a, bc), tangent }
}

impl<W: Wide> Turned<W> {
    /// Any that is good.
    #[inline(always)]
    pub(super) fn any() -> Self {
        let one = W::splat(1.0);
        Self { normal: [one; 3], determinant: one, tangent: [one; 4] }
    }

    /// Normals outward, also where the matrix mirrors.
    #[inline(always)]
    pub(super) fn unit(self) -> Leaning<W> {
        let mirrors = W::splat(0.0).above(self.determinant);
        let side = mirrors.pick(W::splat(-1.0), W::splat(1.0));
        let [x, y, z] = self.normal;
        let square = dot(self.normal, self.normal);
        let (good, scale) = (good(square), square.rsqrt() * side);
        let mut normal = [x * scale, y * scale, z * scale];
        if !good.all() {
            normal = mended(good, normal, |_| Vec3::Y, normal);
        }
        Leaning { normal, side, tangent: self.tangent }
    }
}

impl<W: Wide> Leaning<W> {
    /// Any that is good.
    #[inline(always)]
    pub(super) fn any() -> Self {
        let (zero, one) = (W::splat(0.0), W::splat(1.0));
        Self { normal: [zero, one, zero], side: one, tangent: [one; 4] }
    }

    /// Tangents square to their normals.
    #[inline(always)]
    pub(super) fn unit(self) -> [W; 4] {
        let (normal, [x, y, z, w]) = (self.normal, self.tangent);
        let lean = dot(normal, [x, y, z]);
        let [x, y, z] = [
            normal[0].mul_sub_from(lean, x),
            normal[1].mul_sub_from(lean, y),
            normal[2].mul_sub_from(lean, z),
        ];
        let square = dot([x, y, z], [x, y, z]);
        let (good, scale) = (good(square), square.rsqrt());
        let mut unit = [x * scale, y * scale, z * scale];
        if !good.all() {
            unit = mended(good, unit, Vec3::any_orthonormal_vector, normal);
        }
        [unit[0], unit[1], unit[2], w * self.side]
    }
}

#[inline(always)]
fn dot<W: Wide>([a, b, c]: [W; 3], [x, y, z]: [W; 3]) -> W {
    c.mul_add(z, b.mul_add(y, a * x))
}

#[inline(always)]
fn cross<W: Wide>([a, b, c]: [W; 3], [x, y, z]: [W; 3]) -> [W; 3] {
    [c.mul_sub_from(y, b * z), a.mul_sub_from(z, c * x), b.mul_sub_from(x, a * y)]
}

/// Where a vector's square length can be worked with; the root of others is nothing to go by.
#[inline(always)]
fn good<W: Wide>(square: W) -> W::Ints {
    square.above(W::splat(1e-36)) & W::splat(1e36).above(square)
}

/// Vectors with others instead of those that are not good, worked out from the normals.
#[inline(always)]
fn mended<W: Wide>(
    good: W::Ints,
    vectors: [W; 3],
    instead: fn(Vec3) -> Vec3,
    normals: [W; 3],
) -> [W; 3] {
    let (mut to, mut from, mut mask) = ([[0.0; EIGHT]; 3], [[0.0; EIGHT]; 3], [0; EIGHT]);
    good.store(&mut mask);
    for axis in 0..3 {
        vectors[axis].store(&mut to[axis]);
        normals[axis].store(&mut from[axis]);
    }
    mend(&mask, &mut to, instead, &from);
    [W::load(&to[0]), W::load(&to[1]), W::load(&to[2])]
}

/// Seldom needed, and the same on all paths.
#[cold]
#[inline(never)]
fn mend(
    good: &[i32; EIGHT],
    [x, y, z]: &mut [[f32; EIGHT]; 3],
    instead: fn(Vec3) -> Vec3,
    [a, b, c]: &[[f32; EIGHT]; 3],
) {
    for lane in (0..EIGHT).filter(|&lane| good[lane] == 0) {
        let mended = instead(Vec3::new(a[lane], b[lane], c[lane]));
        [x[lane], y[lane], z[lane]] = mended.to_array();
    }
}
