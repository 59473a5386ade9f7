//! What matrices do to eight points, normals and tangents.
//!
//! The same formulas as [`deform`](crate::deform) has, in two steps: what needs the matrices, and
//! what makes unit vectors of it. The second is one long chain of waiting, so it is left until the
//! matrices of the next eight vertices are being summed.

use sinew_lanes::{Ints, Wide};
use sinew_scene::glam::Vec3;

use super::EIGHT;
use super::blend::Columns;

/// Normals and tangents that are transformed but not yet of unit length.
#[derive(Clone, Copy)]
pub(super) struct Directions<W> {
    normal: [W; 3],
    /// What the matrix does to volumes: below zero when it mirrors.
    determinant: W,
    tangent: [W; 3],
}

/// What makes unit vectors of normals.
#[derive(Clone, Copy)]
pub(super) struct Scale<W: Wide> {
    pub(super) by: W,
    /// Where the length is in range.
    pub(super) good: W::Ints,
    /// Where the matrix mirrors.
    mirrors: W::Ints,
}

/// Tangents that are perpendicular to their normals but not yet of unit length.
#[derive(Clone, Copy)]
pub(super) struct Square<W: Wide> {
    tangent: [W; 3],
    /// A square length below this is rounding: the tangent lies along the normal.
    least: W,
    mirrors: W::Ints,
}

/// What is left of a tangent across its normal, as a part of what lies along it, both squared: below this it is
/// rounding. Processors differ in the last bits of an inverse square root, so none of them may count on zero.
pub(crate) const LEAST_SQUARE: f32 = 1e-12;

/// Points by the matrix.
#[inline(always)]
pub(super) fn place<W: Wide>([a, b, c, d]: &Columns<W>, [x, y, z]: [W; 3]) -> [W; 3] {
    let mut out = *d;
    for axis in 0..3 {
        out[axis] = z.mul_add(c[axis], y.mul_add(b[axis], x.mul_add(a[axis], d[axis])));
    }
    out
}

/// Normals by the cofactors.
///
/// x (b × c) + y (c × a) + z (a × b) = x (b × c) + a × (z b - y c), with a fifth less to do.
#[inline(always)]
pub(super) fn transform_normals<W: Wide>(
    &[a, b, c, _]: &Columns<W>,
    [x, y, z]: [W; 3],
) -> Directions<W> {
    let bc = cross(b, c);
    let mut u = bc;
    for axis in 0..3 {
        u[axis] = y.mul_sub_from(c[axis], z * b[axis]);
    }
    let normal = [
        a[2].mul_sub_from(u[1], a[1].mul_add(u[2], x * bc[0])),
        a[0].mul_sub_from(u[2], a[2].mul_add(u[0], x * bc[1])),
        a[1].mul_sub_from(u[0], a[0].mul_add(u[1], x * bc[2])),
    ];
    Directions { normal, determinant: dot(a, bc), tangent: [W::splat(0.0); 3] }
}

impl<W: Wide> Directions<W> {
    /// Any that is good.
    #[inline(always)]
    pub(super) fn any() -> Self {
        let (zero, one) = (W::splat(0.0), W::splat(1.0));
        Self { normal: [zero, one, zero], determinant: one, tangent: [one; 3] }
    }

    /// Tangents too, by the matrix itself.
    #[inline(always)]
    pub(super) fn along(mut self, [a, b, c, _]: &Columns<W>, [x, y, z]: [W; 3]) -> Self {
        for axis in 0..3 {
            self.tangent[axis] = z.mul_add(c[axis], y.mul_add(b[axis], x * a[axis]));
        }
        self
    }

    /// What makes normals unit vectors, outward also where the matrix mirrors.
    #[inline(always)]
    pub(super) fn scale(&self) -> Scale<W> {
        let mirrors = W::splat(0.0).above(self.determinant);
        let square = dot(self.normal, self.normal);
        Scale { by: square.rsqrt().flip(mirrors.as_floats()), good: good(square), mirrors }
    }

    /// Unit normals.
    #[inline(always)]
    pub(super) fn unit(&self, scale: Scale<W>) -> [W; 3] {
        let [x, y, z] = self.normal;
        [x * scale.by, y * scale.by, z * scale.by]
    }

    /// Tangents perpendicular to unit normals.
    #[inline(always)]
    pub(super) fn square(&self, normal: [W; 3], scale: Scale<W>) -> Square<W> {
        let ([a, b, c], [x, y, z]) = (normal, self.tangent);
        let lean = dot(normal, self.tangent);
        let tangent = [a.mul_sub_from(lean, x), b.mul_sub_from(lean, y), c.mul_sub_from(lean, z)];
        let least = lean * lean * W::splat(LEAST_SQUARE);
        Square { tangent, least, mirrors: scale.mirrors }
    }
}

impl<W: Wide> Square<W> {
    /// Any that is good.
    #[inline(always)]
    pub(super) fn any() -> Self {
        let least = W::splat(0.0);
        Self { tangent: [W::splat(1.0); 3], least, mirrors: W::Ints::splat(0) }
    }

    /// What makes them unit vectors, and where the length is in range.
    #[inline(always)]
    pub(super) fn scale(&self) -> (W, W::Ints) {
        let square = dot(self.tangent, self.tangent);
        (square.rsqrt(), good(square) & square.above(self.least))
    }

    /// Unit tangents, with the side of the bitangent, which was `side`.
    #[inline(always)]
    pub(super) fn unit(self, by: W, side: W) -> [W; 4] {
        let [x, y, z] = self.tangent;
        [x * by, y * by, z * by, side.flip(self.mirrors.as_floats())]
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

/// Where a vector's square length is in the range in which its root is precise.
#[inline(always)]
fn good<W: Wide>(square: W) -> W::Ints {
    square.above(W::splat(1e-36)) & W::splat(1e36).above(square)
}

/// Normals become y where they cannot be normalized. Seldom needed, and the same on every `SimdLevel`.
#[cold]
#[inline(never)]
pub(super) fn mend_normals(good: &[i32; EIGHT], normals: &mut [[f32; 3]; EIGHT]) {
    for (normal, good) in normals.iter_mut().zip(good) {
        if *good == 0 {
            *normal = Vec3::Y.to_array();
        }
    }
}

/// Tangents become any that are perpendicular to their normals where they cannot be normalized.
#[cold]
#[inline(never)]
pub(super) fn mend_tangents(
    good: &[i32; EIGHT],
    normals: &[[f32; 3]; EIGHT],
    tangents: &mut [[f32; 4]; EIGHT],
) {
    for ((tangent, normal), good) in tangents.iter_mut().zip(normals).zip(good) {
        if *good == 0 {
            let mended = Vec3::from_array(*normal).any_orthonormal_vector();
            *tangent = mended.extend(tangent[3]).to_array();
        }
    }
}
