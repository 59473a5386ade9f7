//! Matrices that no translation, rotation and scale give, as two nodes that do.
//!
//! In:  any 3×3 matrix, and how the one before it was split.
//! Out: `outer · diag(scale) · inner`, two rotations with a scale between: a node with a rotation and a scale,
//! and one under it with a rotation alone. That is the singular value decomposition; of the many forms
//! to write it, the one nearest to the matrix before is taken, so that keys can be joined.

use glam::{DMat3, DQuat, DVec3};

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
        if squareness(matrix * kept) < 1e-6 {
            return Self::with_inner(matrix, kept);
        }
        let axes = main_axes(matrix.transpose() * matrix);
        let best = quarter_rotations()
            .map(|rotation| axes * rotation)
            .max_by(|a, b| closeness(*a, near).total_cmp(&closeness(*b, near)));
        Self::with_inner(matrix, best.unwrap_or(axes))
    }

    /// With the columns of `axes`, a rotation, as the directions along which `matrix` scales.
    fn with_inner(matrix: DMat3, axes: DMat3) -> Self {
        let stretched = matrix * axes;
        // A mirrored matrix has all its columns reversed.
        let sign = if stretched.determinant() < 0.0 { -1.0 } else { 1.0 };
        let columns = stretched * sign;
        let lengths =
            DVec3::new(columns.x_axis.length(), columns.y_axis.length(), columns.z_axis.length());
        Self {
            outer: DQuat::from_mat3(&square(columns, lengths)).normalize(),
            scale: lengths * sign,
            inner: DQuat::from_mat3(&axes.transpose()).normalize(),
        }
    }

    #[cfg(test)]
    fn matrix(self) -> DMat3 {
        DMat3::from_quat(self.outer)
            * DMat3::from_diagonal(self.scale)
            * DMat3::from_quat(self.inner)
    }
}

/// How far the columns are from standing square on each other, as a cosine.
fn squareness(matrix: DMat3) -> f64 {
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(DVec3::normalize_or_zero);
    x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs())
}

fn closeness(axes: DMat3, near: DQuat) -> f64 {
    DQuat::from_mat3(&axes.transpose()).dot(near).abs()
}

/// The rotation whose axes point along the columns; columns without length are made up.
fn square(columns: DMat3, lengths: DVec3) -> DMat3 {
    let mut axes = [columns.x_axis, columns.y_axis, columns.z_axis];
    // The longest are the surest.
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| lengths[b].total_cmp(&lengths[a]));
    let [first, second, third] = order;
    if lengths[first] <= f64::MIN_POSITIVE {
        return DMat3::IDENTITY;
    }
    axes[first] = axes[first].normalize_or(DVec3::X);
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
fn main_axes(mut matrix: DMat3) -> DMat3 {
    let mut axes = DMat3::IDENTITY;
    for _ in 0..24 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off = matrix.col(q)[p];
            if off.abs() <= f64::MIN_POSITIVE {
                continue;
            }
            let theta = (matrix.col(q)[q] - matrix.col(p)[p]) / (2.0 * off);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let (c, s) = (1.0 / (t * t + 1.0).sqrt(), t / (t * t + 1.0).sqrt());
            let mut rotation = DMat3::IDENTITY;
            rotation.col_mut(p)[p] = c;
            rotation.col_mut(q)[q] = c;
            rotation.col_mut(q)[p] = s;
            rotation.col_mut(p)[q] = -s;
            matrix = rotation.transpose() * matrix * rotation;
            axes *= rotation;
        }
    }
    axes
}

/// The 24 rotations that take axes to axes.
fn quarter_rotations() -> impl Iterator<Item = DMat3> {
    let units = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z];
    units.into_iter().flat_map(move |x| {
        let across = units.into_iter().filter(move |y| x.dot(*y) == 0.0);
        across.map(move |y| DMat3::from_cols(x, y, x.cross(y)))
    })
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
