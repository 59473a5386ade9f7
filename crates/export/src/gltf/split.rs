//! A matrix that no translation, rotation and scale give, as two nodes that do.
//!
//! In:  any 3×3 matrix. Out: `outer · diag(scale) · inner`: a node with a rotation and a scale, and one under it with a
//! rotation alone (the singular value decomposition). glTF's own `matrix` may not be sheared.

use glam::{DMat3, DQuat, DVec3, Mat3A, Quat, Vec3};
use sinew_scene::Transform;

/// The outer and the inner node.
pub(super) fn split(matrix: Mat3A) -> (Transform, Transform) {
    let matrix = DMat3::from_cols(
        matrix.x_axis.as_dvec3(),
        matrix.y_axis.as_dvec3(),
        matrix.z_axis.as_dvec3(),
    );
    let axes = main_axes(matrix.transpose() * matrix);
    let sign = if matrix.determinant() < 0.0 { -1.0 } else { 1.0 };
    let columns = matrix * axes * sign;
    let lengths =
        DVec3::new(columns.x_axis.length(), columns.y_axis.length(), columns.z_axis.length());
    let outer = Transform {
        translation: Vec3::ZERO,
        rotation: rotation(square(columns, lengths)),
        scale: (lengths * sign).as_vec3(),
    };
    (outer, Transform::from_rotation(rotation(axes.transpose())))
}

fn rotation(axes: DMat3) -> Quat {
    DQuat::from_mat3(&axes).normalize().as_quat()
}

/// The directions along which a symmetric matrix scales, as a rotation (Jacobi's method).
fn main_axes(mut matrix: DMat3) -> DMat3 {
    let mut axes = DMat3::IDENTITY;
    for _ in 0..16 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off = matrix.col(q)[p];
            if off == 0.0 {
                continue;
            }
            let angle = 0.5 * (2.0 * off).atan2(matrix.col(q)[q] - matrix.col(p)[p]);
            let (sine, cosine) = angle.sin_cos();
            let mut turn = DMat3::IDENTITY;
            turn.col_mut(p)[p] = cosine;
            turn.col_mut(q)[q] = cosine;
            turn.col_mut(p)[q] = -sine;
            turn.col_mut(q)[p] = sine;
            matrix = turn.transpose() * matrix * turn;
            axes *= turn;
        }
    }
    axes
}

/// The rotation whose axes point along the columns; the direction of a column without length is made up.
fn square(columns: DMat3, lengths: DVec3) -> DMat3 {
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| lengths[b].total_cmp(&lengths[a]));
    let [first, second, third] = order;
    let mut axes = DMat3::IDENTITY;
    *axes.col_mut(first) = columns.col(first).normalize_or(DVec3::X);
    let main = axes.col(first);
    let aside = columns.col(second) - main * main.dot(columns.col(second));
    let solid = lengths[second] > lengths[first] * 1e-12;
    let made_up = main.any_orthonormal_vector();
    *axes.col_mut(second) = if solid { aside.normalize_or(made_up) } else { made_up };
    // x, y, z in this order are right-handed.
    let cross = main.cross(axes.col(second));
    *axes.col_mut(third) = if (first + 1) % 3 == second { cross } else { -cross };
    axes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheared_flat_and_mirrored_matrices_are_the_product_of_their_nodes() {
        let shear = Mat3A::from_cols_array(&[1.0, 0.0, 0.0, 0.7, 1.0, 0.0, 0.0, 0.3, 2.0]);
        let flat = Mat3A::from_cols_array(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 1.0]);
        let mirrored = Mat3A::from_cols_array(&[-1.0, 0.2, 0.0, 0.0, 1.0, 0.4, 0.1, 0.0, 3.0]);
        for matrix in [shear, flat, mirrored, Mat3A::ZERO, Mat3A::IDENTITY] {
            let (outer, inner) = split(matrix);
            let product = outer.to_affine().matrix3 * inner.to_affine().matrix3;
            assert!(product.abs_diff_eq(matrix, 1e-6), "{matrix} became {product}");
            assert!(outer.rotation.is_normalized() && inner.rotation.is_normalized());
        }
    }
}
