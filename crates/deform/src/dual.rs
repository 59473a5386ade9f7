//! Dual quaternion skinning: joints' rotations and translations are blended as screws, so a twisted limb keeps
//! its volume. Scale is mixed apart, as a plain weighted sum.
//!
//! After Kavan et al., "Geometric skinning with approximate dual quaternion blending" (2008), with
//! the scale handled before the rigid part, as Maya does.

use sinew_lanes::one;
use sinew_scene::glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};
use sinew_scene::{Influence, Transform};

/// The screw blend of the palette's matrices for one vertex.
pub(crate) fn blend(influences: &[Influence], model_from_mesh: &[Affine3A]) -> Affine3A {
    let mut real = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let mut dual = real;
    let mut scale = Vec3::ZERO;
    let mut first = None;
    for influence in influences {
        let part = rigid_part(model_from_mesh[influence.joint as usize]);
        let first = *first.get_or_insert(part.rotation);
        // A rotation and its negative are the same rotation; blended, they would cancel.
        let rotation =
            if one::dot(first, part.rotation) < 0.0 { -part.rotation } else { part.rotation };
        let half = part.translation * 0.5;
        real += rotation * influence.weight;
        dual +=
            one::product(Quat::from_xyzw(half.x, half.y, half.z, 0.0), rotation) * influence.weight;
        scale += part.scale * influence.weight;
    }
    let length = one::dot(real, real).sqrt();
    if length <= f32::MIN_POSITIVE {
        return crate::linear::blend(influences, model_from_mesh);
    }
    let rotation = real * (1.0 / length);
    let move_by = one::product(dual, rotation.conjugate()) * (2.0 / length);
    Affine3A::from_scale_rotation_translation(scale, rotation, move_by.xyz())
}

/// A matrix without its shear: the axes' lengths as scale, the rest as the nearest rotation. What dual
/// quaternion skinning mixes.
#[must_use]
pub fn rigid_part(matrix: Affine3A) -> Transform {
    if let Some(transform) = Transform::from_affine(matrix) {
        return transform;
    }
    let [x, y, z] = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis];
    let mut scale = Vec3::new(x.length(), y.length(), z.length());
    let x = x.normalize_or(Vec3A::X);
    let y = (y - x * x.dot(y)).normalize_or(x.any_orthonormal_vector());
    let across = one::cross(x, y);
    if across.dot(z) < 0.0 {
        scale.z = -scale.z;
    }
    Transform {
        translation: matrix.translation.into(),
        rotation: one::unit(Quat::from_mat3a(&Mat3A::from_cols(x, y, across))),
        scale,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn halves() -> [Influence; 2] {
        [Influence { joint: 0, weight: 0.5 }, Influence { joint: 1, weight: 0.5 }]
    }

    #[test]
    fn half_of_a_half_turn_keeps_the_limbs_volume() {
        let twist = Affine3A::from_rotation_y(std::f32::consts::PI);
        let found = blend(&halves(), &[Affine3A::IDENTITY, twist]).transform_point3(Vec3::X);
        assert!((found.length() - 1.0).abs() < 1e-6, "{found}");
        let linear = crate::linear::blend(&halves(), &[Affine3A::IDENTITY, twist]);
        assert!(linear.transform_point3(Vec3::X).length() < 1e-6, "the candy wrapper");
    }

    #[test]
    fn a_move_is_mixed_like_a_move() {
        let moved = Affine3A::from_translation(Vec3::new(2.0, 4.0, 6.0));
        let found = blend(&halves(), &[Affine3A::IDENTITY, moved]).transform_point3(Vec3::ZERO);
        assert!(found.abs_diff_eq(Vec3::new(1.0, 2.0, 3.0), 1e-6), "{found}");
    }

    #[test]
    fn a_turn_about_a_far_point_is_mixed_on_the_circle() {
        // A rotation by 90 degrees about (1, 0, 0): the origin goes to (1, -1, 0). Half of it lies on the circle.
        let there = Affine3A::from_translation(Vec3::X);
        let quarter = there * Affine3A::from_rotation_z(90_f32.to_radians()) * there.inverse();
        let found = blend(&halves(), &[Affine3A::IDENTITY, quarter]).transform_point3(Vec3::ZERO);
        let (sin, cos) = 45_f32.to_radians().sin_cos();
        assert!(found.abs_diff_eq(Vec3::new(1.0 - cos, -sin, 0.0), 1e-6), "{found}");
    }

    #[test]
    fn turns_on_both_sides_of_half_a_turn_do_not_cancel() {
        let rotation = |degrees: f32| Affine3A::from_rotation_y(degrees.to_radians());
        let found =
            blend(&halves(), &[rotation(170.0), rotation(-170.0)]).transform_point3(Vec3::X);
        assert!(found.abs_diff_eq(Vec3::NEG_X, 1e-6), "{found}");
    }

    #[test]
    fn scales_are_mixed_as_numbers() {
        let large = Affine3A::from_scale(Vec3::splat(3.0));
        let found = blend(&halves(), &[Affine3A::IDENTITY, large]).transform_point3(Vec3::X);
        assert!(found.abs_diff_eq(2.0 * Vec3::X, 1e-6), "{found}");
    }
}
