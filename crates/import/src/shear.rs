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
        // Where the rotation before does, it stays: a plain matrix has no inner rotation of its own.
        let kept = DMat3::from_quat(near).transpose();
        let seen = matrix * kept;
        let products = Products::of(seen);
        if products.are_square() {
            return Self::with_inner(seen, near);
        }
        // Seen along the axes before, the matrix is nearly diagonal, and its own axes are near.
        let axes = main_axes(products);
        let axes = kept * nearest_quarter_turn(axes).map_or(axes, |turn| axes * turn);
        Self::with_inner(matrix * axes, DQuat::from_mat3(&axes.transpose()).normalize())
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
    // The longest are the surest.
    let mut order = [0, 1, 2];
    for [one, other] in [[0, 1], [1, 2], [0, 1]] {
        if lengths[order[other]] > lengths[order[one]] {
            order.swap(one, other);
        }
    }
    let [first, second, third] = order;
    if lengths[first] <= f64::MIN_POSITIVE {
        return DMat3::IDENTITY;
    }
    let is_sound = lengths[first].is_finite();
    axes[first] = if is_sound { axes[first] * lengths[first].recip() } else { DVec3::X };
    let aside = axes[second] - axes[first] * axes[first].dot(axes[second]);
    axes[second] = match lengths[second] > lengths[first] * 1e-12 {
        true => aside.normalize_or(axes[first].any_orthonormal_vector()),
        false => axes[first].any_orthonormal_vector(),
    };
    // x, y, z in this order are right-handed; any other order is the opposite.
    let in_turn = (first + 1) % 3 == second;
    let cross = axes[first].cross(axes[second]);
    axes[third] = if in_turn { cross } else { -cross };
    DMat3::from_cols(axes[0], axes[1], axes[2])
}

/// The main axes of a symmetric matrix, as a rotation (Jacobi's method).
fn main_axes(products: Products) -> DMat3 {
    let Products { own: [mut xx, mut yy, mut zz], others: [mut xy, mut xz, mut yz] } = products;
    let DMat3 { x_axis: mut x, y_axis: mut y, z_axis: mut z } = DMat3::IDENTITY;
    for _ in 0..24 {
        if xy.abs() + xz.abs() + yz.abs() <= 1e-15 * (xx + yy + zz) {
            break;
        }
        level([&mut xx, &mut yy], &mut xy, [&mut xz, &mut yz], [&mut x, &mut y]);
        level([&mut xx, &mut zz], &mut xz, [&mut xy, &mut yz], [&mut x, &mut z]);
        level([&mut yy, &mut zz], &mut yz, [&mut xy, &mut xz], [&mut y, &mut z]);
    }
    DMat3::from_cols(x, y, z)
}

/// Rotates two axes in their plane so that the number off the diagonal between them vanishes; `others` are those
/// between each of them and the third axis.
#[inline]
fn level(diagonal: [&mut f64; 2], off: &mut f64, others: [&mut f64; 2], axes: [&mut DVec3; 2]) {
    if off.abs() <= f64::MIN_POSITIVE {
        return;
    }
    let (t, c) = tangent_and_cosine(*off, *diagonal[1] - *diagonal[0]);
    let s = t * c;
    *diagonal[0] -= t * *off;
    *diagonal[1] += t * *off;
    *off = 0.0;
    let (p, q) = (*others[0], *others[1]);
    (*others[0], *others[1]) = (c * p - s * q, s * p + c * q);
    let (p, q) = (*axes[0], *axes[1]);
    (*axes[0], *axes[1]) = (p * c - q * s, p * s + q * c);
}

/// The tangent and cosine of the angle whose doubled tangent is twice `off` by `apart`.
#[inline]
fn tangent_and_cosine(off: f64, apart: f64) -> (f64, f64) {
    let ratio = off / apart;
    let square = ratio * ratio;
    // Most are small, and of those a few terms of the series are exact to the last bit: roots take long.
    if square < 1e-6 {
        let t = ratio * (1.0 - square * (1.0 - 2.0 * square));
        // Of the same square, so that neither waits for the other.
        return (t, 1.0 - square * (0.5 - 1.375 * square));
    }
    let reach = (apart * apart + 4.0 * off * off).sqrt();
    let t = 2.0 * off / (apart + reach.copysign(apart));
    (t, 1.0 / (t * t + 1.0).sqrt())
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
