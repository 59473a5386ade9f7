//! From matrices to translation, rotation and scale, in double precision.

use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use sinew_scene::Transform;

/// Scales nearer to one than this are rounding, not scale.
const SCALE_NOISE: f64 = 1e-6;

/// The transform nearest to a matrix, and how much of the matrix it leaves out: zero for none,
/// one for as much as the matrix itself.
pub(super) fn take_apart(matrix: DAffine3) -> (Transform, f64) {
    let linear = matrix.matrix3;
    let mut scale =
        DVec3::new(linear.x_axis.length(), linear.y_axis.length(), linear.z_axis.length());
    let size = scale.max_element();
    if linear.determinant() < 0.0 {
        scale.x = -scale.x;
    }
    let rotation = DQuat::from_mat3(&axes(linear, scale)).normalize();
    let rotation = if rotation.is_finite() { rotation } else { DQuat::IDENTITY };
    for axis in 0..3 {
        if (scale[axis] - 1.0).abs() < SCALE_NOISE {
            scale[axis] = 1.0;
        }
    }
    let back = DMat3::from_quat(rotation) * DMat3::from_diagonal(scale);
    let off = back - linear;
    let off = off.x_axis.length().max(off.y_axis.length()).max(off.z_axis.length());
    let transform = Transform {
        translation: matrix.translation.as_vec3(),
        rotation: rotation.as_quat().normalize(),
        scale: scale.as_vec3(),
    };
    let left_out = if size > 0.0 { off / size } else { 0.0 };
    (finite(transform), left_out)
}

/// Numbers beyond single precision become its largest.
fn finite(transform: Transform) -> Transform {
    let clamp = |v: Vec3| v.clamp(Vec3::splat(f32::MIN), Vec3::splat(f32::MAX));
    Transform {
        translation: clamp(transform.translation),
        rotation: transform.rotation,
        scale: clamp(transform.scale),
    }
}

/// The unit axes of a matrix; one that has no length is square to the others.
fn axes(linear: DMat3, scale: DVec3) -> DMat3 {
    let unit = |axis: DVec3, scale: f64| (scale.abs() > 1e-30).then(|| axis / scale);
    let x = unit(linear.x_axis, scale.x);
    let y = unit(linear.y_axis, scale.y);
    let z = unit(linear.z_axis, scale.z);
    match (x, y, z) {
        (Some(x), Some(y), Some(z)) => DMat3::from_cols(x, y, z),
        (None, Some(y), Some(z)) => DMat3::from_cols(y.cross(z), y, z),
        (Some(x), None, Some(z)) => DMat3::from_cols(x, z.cross(x), z),
        (Some(x), Some(y), None) => DMat3::from_cols(x, y, x.cross(y)),
        _ => DMat3::IDENTITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flat_matrix_keeps_its_turn() {
        let rotation = DQuat::from_rotation_z(0.5);
        let flat = DAffine3::from_scale_rotation_translation(
            DVec3::new(2.0, 3.0, 0.0),
            rotation,
            DVec3::ZERO,
        );
        let (found, left_out) = take_apart(flat);
        assert!(left_out < 1e-12, "{left_out}");
        assert!(found.rotation.dot(rotation.as_quat()).abs() > 1.0 - 1e-6, "{found:?}");
        assert_eq!(found.scale, Vec3::new(2.0, 3.0, 0.0));
    }

    #[test]
    fn shear_is_told_by_its_size() {
        let shear = DMat3::from_cols(DVec3::X, DVec3::new(0.5, 1.0, 0.0), DVec3::Z);
        assert!(take_apart(DAffine3::from_mat3(shear)).1 > 0.1);
    }
}
