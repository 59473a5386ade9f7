//! Matrices that no translation, rotation and scale give, as two nodes that do.
//!
//! In:  any 3×3 matrix, and how the one before it was split.
//! Out: `outer · diag(scale) · inner`, two rotations with a scale between: a node with a rotation and a scale,
//! and one under it with a rotation alone. That is the singular value decomposition; of the many forms
//! to write it, the one nearest to the matrix before is taken, so that keys can be joined.

use glam::{DMat3, DQuat, DVec3};

/// Less shear than this, as a cosine, is the rounding of a file's six digits: the main axes of such a
/// matrix are noise.
const ROUNDING: f64 = 4e-6;

/// A matrix as `outer · diag(scale) · inner`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Split {
    pub(crate) outer: DQuat,
    pub(crate) scale: DVec3,
    pub(crate) inner: DQuat,
}

impl Split {
    /// Splits `matrix` with an inner rotation as near as may be to `near`.
    pub(crate) fn new(matrix: DMat3, near: DQuat) -> Self {
        let [split] = Self::several([&matrix], near);
        split
    }

    /// Splits several matrices, each on its own: together they take little longer than one, since none waits for
    /// another.
    pub(crate) fn several<const N: usize>(matrices: [&DMat3; N], near: DQuat) -> [Self; N] {
        // Where the rotation before does, it stays: a plain matrix has no inner rotation of its own.
        let kept = DMat3::from_quat(near).transpose();
        let mut seen = [DMat3::IDENTITY; N];
        let mut symmetric = Symmetric::<N>::default();
        let mut are_square = [false; N];
        for (at, matrix) in matrices.into_iter().enumerate() {
            seen[at] = *matrix * kept;
            let products = Products::of(seen[at]);
            are_square[at] = products.are_square();
            symmetric.set(at, products);
        }
        // Seen along the axes before, a matrix is nearly diagonal, and its own axes are near.
        if are_square != [true; N] {
            symmetric.make_diagonal();
        }
        let mut splits = [Self { outer: near, scale: DVec3::ONE, inner: near }; N];
        for (at, split) in splits.iter_mut().enumerate() {
            *split = if are_square[at] {
                Self::with_inner(seen[at], near)
            } else {
                let axes = symmetric.axes_of(at);
                let axes = kept * nearest_quarter_turn(axes).map_or(axes, |turn| axes * turn);
                let inner = DQuat::from_mat3(&axes.transpose()).normalize();
                Self::with_inner(*matrices[at] * axes, inner)
            };
        }
        splits
    }

    /// Of a matrix as it stretches the axes of `inner`.
    fn with_inner(stretched: DMat3, inner: DQuat) -> Self {
        // A mirrored matrix has all its columns reversed.
        let sign = if stretched.determinant() < 0.0 { -1.0 } else { 1.0 };
        let columns = stretched * sign;
        let lengths =
            DVec3::new(columns.x_axis.length(), columns.y_axis.length(), columns.z_axis.length());
        Self { outer: DQuat::from_mat3(&square(columns, lengths)), scale: lengths * sign, inner }
    }

    #[cfg(test)]
    fn matrix(self) -> DMat3 {
        DMat3::from_quat(self.outer)
            * DMat3::from_diagonal(self.scale)
            * DMat3::from_quat(self.inner)
    }
}

/// The products of a matrix's columns with each other: those with themselves, then xy, xz and yz.
struct Products {
    own: [f64; 3],
    others: [f64; 3],
}

impl Products {
    fn of(DMat3 { x_axis: x, y_axis: y, z_axis: z }: DMat3) -> Self {
        Self { own: [x.dot(x), y.dot(y), z.dot(z)], others: [x.dot(y), x.dot(z), y.dot(z)] }
    }

    /// Whether the columns stand square on each other, within rounding: by the squares of the cosines, so that no
    /// root is taken.
    fn are_square(&self) -> bool {
        let Self { own: [x, y, z], others: [xy, xz, yz] } = self;
        [(xy, x * y), (xz, x * z), (yz, y * z)]
            .into_iter()
            .all(|(product, lengths)| product * product <= ROUNDING * ROUNDING * lengths)
    }
}

/// The rotation whose axes point along the columns; columns without length are made up.
fn square(columns: DMat3, lengths: DVec3) -> DMat3 {
    let mut axes = [columns.x_axis, columns.y_axis, columns.z_axis];
    // Far longer ones are surer; of others the first are as good.
    let mut order = [0, 1, 2];
    for [one, other] in [[0, 1], [1, 2], [0, 1]] {
        if lengths[order[other]] > 2.0 * lengths[order[one]] {
            order.swap(one, other);
        }
    }
    let [first, second, third] = order;
    if lengths[first] <= f64::MIN_POSITIVE {
        return DMat3::IDENTITY;
    }
    let is_sound = lengths[first].is_finite();
    axes[first] = if is_sound { axes[first] * lengths[first].recip() } else { DVec3::X };
    axes[second] = if lengths[second] > lengths[first] * 1e-12 {
        beside(axes[first], axes[second] * lengths[second].recip())
    } else {
        axes[first].any_orthonormal_vector()
    };
    // x, y, z in this order are right-handed; any other order is the opposite.
    let in_turn = (first + 1) % 3 == second;
    let cross = axes[first].cross(axes[second]);
    axes[third] = if in_turn { cross } else { -cross };
    DMat3::from_cols(axes[0], axes[1], axes[2])
}

/// What of a unit vector stands square on another, of unit length.
fn beside(axis: DVec3, other: DVec3) -> DVec3 {
    let cosine = axis.dot(other);
    let aside = other - axis * cosine;
    // Most are square already: then the first term of a series is exact to the last bit, and no root is taken.
    let square = cosine * cosine;
    if square < 1e-8 {
        return aside * (1.0 + 0.5 * square);
    }
    aside.normalize_or(axis.any_orthonormal_vector())
}

/// Symmetric matrices side by side, and the axes that they are seen along.
struct Symmetric<const N: usize> {
    diagonal: [[f64; N]; 3],
    /// Each between the two axes that it is not numbered after.
    off: [[f64; N]; 3],
    axes: [[[f64; N]; 3]; 3],
}

impl<const N: usize> Default for Symmetric<N> {
    fn default() -> Self {
        let axis = |which: usize| [0, 1, 2].map(|at| [if at == which { 1.0 } else { 0.0 }; N]);
        Self { diagonal: [[1.0; N]; 3], off: [[0.0; N]; 3], axes: [0, 1, 2].map(axis) }
    }
}

impl<const N: usize> Symmetric<N> {
    /// In parts of the trace, so that no power of a number is too large or too small.
    fn set(&mut self, at: usize, Products { own, others: [xy, xz, yz] }: Products) {
        let part = 1.0 / (own[0] + own[1] + own[2]);
        let off = [yz, xz, xy];
        for axis in 0..3 {
            self.diagonal[axis][at] = own[axis] * part;
            self.off[axis][at] = off[axis] * part;
        }
    }

    /// Turns to the main axes (Jacobi's method).
    fn make_diagonal(&mut self) {
        for _ in 0..24 {
            if self.are_diagonal() {
                break;
            }
            let Self { diagonal: [xx, yy, zz], off: [yz, xz, xy], axes: [x, y, z] } = self;
            level([xx, yy], xy, [xz, yz], [x, y]);
            level([xx, zz], xz, [xy, yz], [x, z]);
            level([yy, zz], yz, [xy, xz], [y, z]);
        }
    }

    /// Also where one is no number: rotating would not help.
    fn are_diagonal(&self) -> bool {
        let [a, b, c] = &self.off;
        let left = |at: usize| a[at].abs() + b[at].abs() + c[at].abs();
        !(0..N).any(|at| left(at) > 1e-15)
    }

    fn axes_of(&self, at: usize) -> DMat3 {
        let [x, y, z] = [0, 1, 2].map(|axis: usize| {
            let [x, y, z] = &self.axes[axis];
            DVec3::new(x[at], y[at], z[at])
        });
        DMat3::from_cols(x, y, z)
    }
}

/// Rotates two axes in their plane so that the number off the diagonal between them all but vanishes; `others` are
/// those between each of them and the third axis. A function of its own, since inlined it runs out of registers.
#[inline(never)]
fn level<const N: usize>(
    [pp, qq]: [&mut [f64; N]; 2],
    off: &mut [f64; N],
    [pr, qr]: [&mut [f64; N]; 2],
    [p, q]: [&mut [[f64; N]; 3]; 2],
) {
    let (mut cosine, mut sine) = ([0.0; N], [0.0; N]);
    for at in 0..N {
        (cosine[at], sine[at]) = leveling(off[at], qq[at] - pp[at]);
    }
    for at in 0..N {
        let (c, s) = (cosine[at], sine[at]);
        let both = 2.0 * (c * s) * off[at];
        let (a, b) = (pp[at], qq[at]);
        pp[at] = c * c * a - both + s * s * b;
        qq[at] = s * s * a + both + c * c * b;
        off[at] = (c * c - s * s) * off[at] - c * s * (b - a);
    }
    rotate(pr, qr, &cosine, &sine);
    for row in 0..3 {
        rotate(&mut p[row], &mut q[row], &cosine, &sine);
    }
}

#[inline(always)]
fn rotate<const N: usize>(p: &mut [f64; N], q: &mut [f64; N], cosine: &[f64; N], sine: &[f64; N]) {
    for at in 0..N {
        let (a, b) = (p[at], q[at]);
        p[at] = a * cosine[at] - b * sine[at];
        q[at] = a * sine[at] + b * cosine[at];
    }
}

/// Cosine and sine of nearly the angle whose doubled tangent is twice `off` by `apart`: of small angles to the third
/// power, of others to a tenth, so that what is left goes away as fast as with the angle itself. Roots and branches
/// would take longer; it is the cosine and sine of one angle to the last bits, whichever that is.
#[inline(always)]
fn leveling(off: f64, apart: f64) -> (f64, f64) {
    // The tangent of half of it as a quotient: of a quarter of the arc tangent of n by d, which is n by 4 d in the
    // small and that of an eighth of a half circle in the large. Where both vanish, the last number makes it none.
    let d = apart.abs();
    let n = 2.0 * off * 1.0_f64.copysign(apart);
    let p = n * (d + 0.51775 * n.abs());
    let q = 4.0 * d * d + 2.071 * n.abs() * d + 1.25 * n * n + 1e-100;
    let part = 1.0 / (q * q + p * p);
    ((q * q - p * p) * part, 2.0 * p * q * part)
}

/// Of the 24 rotations that take axes to axes, the one after which `rotation` is nearest to none: its
/// trace is then largest. `None` where that is none.
fn nearest_quarter_turn(rotation: DMat3) -> Option<DMat3> {
    const ORDERS: [([usize; 3], f64); 6] = [
        ([0, 1, 2], 1.0),
        ([1, 2, 0], 1.0),
        ([2, 0, 1], 1.0),
        ([0, 2, 1], -1.0),
        ([2, 1, 0], -1.0),
        ([1, 0, 2], -1.0),
    ];
    let rows = rotation.to_cols_array_2d();
    // No other order can have a larger trace than this.
    if (0..3).all(|at| rows[at][at] > std::f64::consts::FRAC_1_SQRT_2) {
        return None;
    }
    let mut best = DMat3::IDENTITY;
    let mut largest = f64::NEG_INFINITY;
    for (order, parity) in ORDERS {
        let parts = [0, 1, 2].map(|row| rows[order[row]][row]);
        let mut signs = parts.map(f64::signum);
        // An axis must be turned over where the signs would make a mirror: the least costly.
        if signs.iter().product::<f64>() * parity < 0.0 {
            let least = (0..3).min_by(|&a, &b| parts[a].abs().total_cmp(&parts[b].abs()));
            let least = least.unwrap_or(0);
            signs[least] = -signs[least];
        }
        let trace = (0..3).map(|row| parts[row] * signs[row]).sum();
        if trace > largest {
            largest = trace;
            best = DMat3::from_cols(
                DVec3::AXES[order[0]] * signs[0],
                DVec3::AXES[order[1]] * signs[1],
                DVec3::AXES[order[2]] * signs[2],
            );
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rotation(x: f64, y: f64, z: f64) -> DMat3 {
        DMat3::from_rotation_z(z) * DMat3::from_rotation_y(y) * DMat3::from_rotation_x(x)
    }

    fn matrices() -> Vec<DMat3> {
        let scale = |x, y, z| DMat3::from_diagonal(DVec3::new(x, y, z));
        let shear =
            DMat3::from_cols(DVec3::X, DVec3::new(0.7, 1.0, 0.0), DVec3::new(0.0, 0.3, 1.0));
        vec![
            DMat3::IDENTITY,
            rotation(0.3, -1.0, 2.0),
            shear,
            DMat3::from_cols(DVec3::X, DVec3::new(1e-4, 1.2, 0.0), DVec3::new(0.0, 2e-4, 1.5)),
            shear * scale(1.0, -2.0, 0.5),
            rotation(1.0, 0.2, 0.3) * scale(3.0, 1.0, 0.2) * rotation(-0.5, 0.9, 2.2),
            rotation(1.0, 0.2, 0.3) * scale(1.0, 0.0, 2.0) * rotation(-0.5, 0.9, 2.2),
            scale(0.0, 0.0, 2.0) * rotation(-0.5, 0.9, 2.2),
            scale(-1.0, -1.0, -1.0),
            DMat3::ZERO,
        ]
    }

    #[test]
    fn any_matrix_is_two_turns_with_a_scale_between() {
        for matrix in matrices() {
            for near in [DQuat::IDENTITY, DQuat::from_rotation_x(1.0)] {
                let split = Split::new(matrix, near);
                let found = split.matrix();
                assert!(found.abs_diff_eq(matrix, 1e-9), "{matrix} came back as {found}");
                assert!(split.outer.is_normalized() && split.inner.is_normalized());
            }
        }
    }

    #[test]
    fn several_matrices_are_split_as_each_alone_is() {
        let matrices: [DMat3; 10] = matrices().try_into().expect("ten");
        let near = DQuat::from_rotation_x(0.4);
        let together = Split::several(matrices.each_ref(), near);
        for (matrix, split) in matrices.into_iter().zip(together) {
            assert!(split.matrix().abs_diff_eq(matrix, 1e-12), "{matrix}");
            let alone = Split::new(matrix, near);
            assert!(split.scale.abs_diff_eq(alone.scale, 1e-12), "{matrix}");
        }
    }

    #[test]
    fn a_matrix_of_any_size_is_split() {
        for size in [1e-60, 1e-20, 1e20, 1e60] {
            let matrix = matrices()[2] * size;
            let found = Split::new(matrix, DQuat::IDENTITY).matrix();
            assert!((found * size.recip()).abs_diff_eq(matrices()[2], 1e-9), "{size}");
        }
    }

    #[test]
    fn leveling_is_a_rotation_that_leaves_little() {
        for (off, apart) in [(1e-6, 1.0), (1e-3, -1.0), (0.4, 1.0), (-1.0, 1e-3), (1.0, 0.0)] {
            let (c, s) = leveling(off, apart);
            assert!((c * c + s * s - 1.0).abs() < 1e-15, "{off}, {apart}");
            let left = (c * c - s * s) * off - c * s * apart;
            let ratio = 2.0 * (off / apart).abs();
            assert!(left.abs() <= off.abs() * (ratio * ratio).min(0.25), "{off}, {apart}: {left}");
        }
        assert_eq!(leveling(0.0, 0.0), (1.0, 0.0));
    }

    #[test]
    fn a_plain_matrix_has_no_inner_turn() {
        let plain = rotation(0.3, -1.0, 2.0) * DMat3::from_diagonal(DVec3::new(1.0, -2.0, 3.0));
        assert!(Split::new(plain, DQuat::IDENTITY).inner.abs_diff_eq(DQuat::IDENTITY, 1e-9));
    }

    #[test]
    fn the_inner_turn_goes_on_from_the_one_before() {
        let mut near = DQuat::IDENTITY;
        let mut largest = 0.0_f64;
        for step in 1..200 {
            let angle = f64::from(step) * 0.05;
            let stretch = DMat3::from_diagonal(DVec3::new(2.0, 1.0, 0.5));
            let split = Split::new(stretch * rotation(angle, 0.5 * angle, 0.2), near);
            if step > 1 {
                largest = largest.max(near.angle_between(split.inner));
            }
            near = split.inner;
        }
        assert!(largest < 0.2, "a jump of {largest} radians");
    }
}
