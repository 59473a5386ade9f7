//! A sheared matrix as rotation · scale · rotation, which three nodes can say.
//!
//! In:  any 3×3 matrix, flat ones too.
//! Out: `matrix = outer · scale · inner`, outer and inner proper rotations.
//!
//! The singular value decomposition by one-sided Jacobi rotations (Hestenes, 1958).

use glam::{DMat3, DQuat, DVec3};

pub(super) struct Unsheared {
    pub(super) outer: DQuat,
    pub(super) scale: DVec3,
    pub(super) inner: DQuat,
}

pub(super) fn unshear(matrix: DMat3) -> Unsheared {
    let mut columns = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let mut turned = [DVec3::X, DVec3::Y, DVec3::Z];
    for _ in 0..30 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let across = columns[p].dot(columns[q]);
            let sizes = columns[p].length() * columns[q].length();
            if across.abs() <= 1e-15 * sizes {
                continue;
            }
            let zeta = (columns[q].length_squared() - columns[p].length_squared()) / (2.0 * across);
            let tan = zeta.signum() / (zeta.abs() + zeta.hypot(1.0));
            let cos = 1.0 / tan.hypot(1.0);
            let sin = cos * tan;
            for list in [&mut columns, &mut turned] {
                let (a, b) = (list[p], list[q]);
                list[p] = a * cos - b * sin;
                list[q] = a * sin + b * cos;
            }
        }
    }
    let (axes, scale) = upright(columns);
    let [x, y, z] = turned;
    Unsheared {
        outer: DQuat::from_mat3(&axes).normalize(),
        scale,
        inner: DQuat::from_mat3(&DMat3::from_cols(x, y, z).transpose()).normalize(),
    }
}

/// Orthogonal columns as a proper rotation and lengths; columns of no length get the axes that are left.
fn upright(columns: [DVec3; 3]) -> (DMat3, DVec3) {
    let mut scale = DVec3::from(columns.map(DVec3::length));
    let least = scale.max_element() * 1e-14;
    let mut axes: [Option<DVec3>; 3] =
        std::array::from_fn(|at| (scale[at] > least).then(|| columns[at] / scale[at]));
    for at in 0..3 {
        if axes[at].is_none() {
            let taken: Vec<DVec3> = axes.iter().flatten().copied().collect();
            axes[at] = Some(another(&taken));
        }
    }
    let mut axes = axes.map(Option::unwrap_or_default);
    if axes[0].cross(axes[1]).dot(axes[2]) < 0.0 {
        axes[2] = -axes[2];
        scale.z = -scale.z;
    }
    (DMat3::from_cols(axes[0], axes[1], axes[2]), scale)
}

/// A unit vector at right angles to up to two others.
fn another(taken: &[DVec3]) -> DVec3 {
    match taken {
        [] => DVec3::X,
        [one] => one.any_orthonormal_vector(),
        [one, two, ..] => one.cross(*two).normalize_or(DVec3::X),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(matrix: DMat3) {
        let Unsheared { outer, scale, inner } = unshear(matrix);
        let back = DMat3::from_quat(outer) * DMat3::from_diagonal(scale) * DMat3::from_quat(inner);
        assert!(back.abs_diff_eq(matrix, 1e-12), "{back} is not {matrix}");
    }

    #[test]
    fn three_factors_give_the_matrix_back() {
        check(DMat3::IDENTITY);
        check(DMat3::from_cols(DVec3::X, DVec3::new(0.5, 1.0, 0.0), DVec3::new(0.1, -0.7, 3.0)));
        check(DMat3::from_cols(DVec3::X, DVec3::new(0.5, -1.0, 0.0), DVec3::Z));
    }

    #[test]
    fn a_flat_matrix_stays_flat() {
        check(DMat3::from_cols(DVec3::X, DVec3::X, DVec3::Z));
        check(DMat3::from_cols(DVec3::ZERO, DVec3::new(1.0, 2.0, 3.0), DVec3::ZERO));
        check(DMat3::ZERO);
    }
}
