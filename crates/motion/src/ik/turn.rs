//! Turning a joint by what the model sees.
//!
//! In:  a turn in model space.
//! Out: the same turn as the joint's parent sees it.
//!
//! A parent may be scaled unevenly, sheared or mirrored. The axis of a turn is then the normal of
//! the plane it turns in, and normals go from model to parent by the transposed matrix; a mirror
//! turns the other way round.

use sinew_scene::glam::{Affine3A, Mat3A, Quat, Vec3A};
use sinew_scene::{JointId, Skeleton};

use crate::Pose;
use crate::interpolate::turn;

/// The model's turn, which need not have unit length, as the parent sees it; unit. The identity
/// when the parent is too flat to say.
#[inline]
pub(crate) fn in_parent(model_from_parent: Option<&Affine3A>, model: Quat) -> Quat {
    let axis = Vec3A::new(model.x, model.y, model.z);
    let mut seen = axis;
    if let Some(Affine3A { matrix3, .. }) = model_from_parent {
        let Mat3A { x_axis, y_axis, z_axis } = *matrix3;
        seen = Vec3A::new(x_axis.dot(axis), y_axis.dot(axis), z_axis.dot(axis));
        let handed = x_axis.cross(y_axis).dot(z_axis);
        let ratio = (axis.length_squared() / seen.length_squared()).sqrt();
        seen *= if handed < 0.0 { -ratio } else { ratio };
    }
    unit_or(Quat::from_xyzw(seen.x, seen.y, seen.z, model.w), Quat::IDENTITY)
}

/// The turn in the parent that brings `from` onto `to`, two directions of the model; exact under
/// any parent that is not flat.
#[inline]
pub(crate) fn arc_in_parent(model_from_parent: Option<&Affine3A>, from: Vec3A, to: Vec3A) -> Quat {
    let spare = |from: Vec3A| from.normalize_or(Vec3A::X).any_orthonormal_vector();
    if let Some(inverse) = uneven(model_from_parent) {
        let (from, to) = (inverse * from, inverse * to);
        return arc(from, to, spare(from));
    }
    let arc = match from.dot(to) < 0.0 {
        true => arc(from, to, spare(from)),
        false => arc(from, to, Vec3A::Y),
    };
    in_parent(model_from_parent, arc)
}

/// The way back into a parent that is sheared or scaled unevenly, where angles and lengths are not
/// the model's; nothing for any other, and for one that is flat.
#[inline]
pub(crate) fn uneven(model_from_parent: Option<&Affine3A>) -> Option<Mat3A> {
    let matrix = &model_from_parent?.matrix3;
    let Mat3A { x_axis, y_axis, z_axis } = *matrix;
    let squares = [x_axis, y_axis, z_axis].map(Vec3A::length_squared);
    let across = [x_axis.dot(y_axis), y_axis.dot(z_axis), z_axis.dot(x_axis)];
    let off = (squares[0] - squares[1]).abs().max((squares[0] - squares[2]).abs());
    let off = off.max(across[0].abs()).max(across[1].abs()).max(across[2].abs());
    if off <= 1e-4 * squares[0] { None } else { back(matrix) }
}

#[cold]
fn back(matrix: &Mat3A) -> Option<Mat3A> {
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(Vec3A::length);
    let solid = matrix.determinant().abs() > 1e-4 * x * y * z && x.min(y).min(z) > 1e-9;
    Some(matrix.inverse()).filter(|inverse| solid && inverse.is_finite())
}

/// Of unit length, or `fallback` where no length is right.
#[inline]
pub(crate) fn unit_or(rotation: Quat, fallback: Quat) -> Quat {
    let squared = rotation.length_squared();
    // Not `is_normal`: a square that under- or overflowed has lost its direction.
    if squared > 1e-30 && squared < 1e30 { rotation * squared.sqrt().recip() } else { fallback }
}

/// The shortest turn that brings the direction `from` onto `to`, whatever their lengths; unit.
/// Opposite directions turn about `spare`, which must be unit and upright on `from`.
#[inline]
pub(crate) fn arc(from: Vec3A, to: Vec3A, spare: Vec3A) -> Quat {
    let lengths = (from.length_squared() * to.length_squared()).sqrt();
    let cross = from.cross(to);
    let w = lengths + from.dot(to);
    // Below this the cross product is mostly rounding.
    if w <= 1e-7 * lengths {
        return Quat::from_xyzw(spare.x, spare.y, spare.z, 0.0);
    }
    unit_or(Quat::from_xyzw(cross.x, cross.y, cross.z, w), Quat::IDENTITY)
}

/// A fraction of a turn, the short way.
#[inline]
pub(crate) fn part_of(rotation: Quat, fraction: f32) -> Quat {
    turn(Quat::IDENTITY, rotation, fraction)
}

/// The rotation in a matrix that may also scale, shear and mirror: its nearest by the order of
/// its axes. `None` when it is too flat to have one.
#[must_use]
pub(crate) fn rotation_of(matrix: &Mat3A) -> Option<Quat> {
    let sign = if matrix.determinant() < 0.0 { -1.0 } else { 1.0 };
    // Even out the scale first, so that no axis counts for more; then two steps of Newton's way to
    // the polar rotation (Higham 1986), which for a rotation and an even scale stands still.
    let unit = |axis: Vec3A| (axis * sign).try_normalize();
    let mut turn =
        Mat3A::from_cols(unit(matrix.x_axis)?, unit(matrix.y_axis)?, unit(matrix.z_axis)?);
    for _ in 0..8 {
        if turn.determinant().abs() < 1e-6 {
            return None;
        }
        let next = (turn + turn.inverse().transpose()) * 0.5;
        let still = next.abs_diff_eq(turn, 1e-6);
        turn = next;
        if still {
            break;
        }
    }
    let found = unit_or(Quat::from_mat3a(&turn), Quat::IDENTITY);
    found.is_finite().then_some(found)
}

/// Turns a joint so that it stands in the model as `rotation` says, so far as `weight` (0 to 1)
/// wants, and brings all below it up to date.
///
/// A rotation or weight that is not finite, or a parent too flat to turn in, changes nothing.
pub fn orient(pose: &mut Pose, skeleton: &Skeleton, joint: JointId, rotation: Quat, weight: f32) {
    let matrix = &pose.model_from_joint()[joint.index()].matrix3;
    let (Some(now), true) = (rotation_of(matrix), rotation.is_finite() && weight > 0.0) else {
        return;
    };
    let model_turn = unit_or(rotation, now) * now.conjugate();
    let parent = skeleton.parents()[joint.index()];
    let parent = parent.map(|parent| &pose.model_from_joint()[parent.index()]);
    let before = pose.rotation(joint);
    let after = unit_or(in_parent(parent, model_turn) * before, before);
    pose.set_rotation(joint, turn(before, after, weight.min(1.0)));
    pose.to_model_from(skeleton, joint);
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::Vec3;

    use super::*;

    #[test]
    fn an_arc_brings_one_direction_onto_the_other() {
        let (from, to) = (Vec3A::new(2.0, 0.0, 0.0), Vec3A::new(0.0, 0.5, 0.0));
        let found = arc(from, to, Vec3A::Z);
        assert!(found.abs_diff_eq(Quat::from_rotation_z(90_f32.to_radians()), 1e-6), "{found}");
        assert_eq!(arc(from, -from, Vec3A::Z), Quat::from_xyzw(0.0, 0.0, 1.0, 0.0));
        assert_eq!(arc(Vec3A::ZERO, to, Vec3A::Z).w.abs(), 0.0);
    }

    #[test]
    fn a_mirrored_parent_sees_a_turn_the_other_way_round() {
        let mirror = Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0));
        let seen = in_parent(Some(&mirror), Quat::from_rotation_z(0.5));
        assert!(seen.abs_diff_eq(Quat::from_rotation_z(-0.5), 1e-6), "{seen}");
        let seen = in_parent(Some(&mirror), Quat::from_rotation_x(0.5));
        assert!(seen.abs_diff_eq(Quat::from_rotation_x(0.5), 1e-6), "{seen}");
    }

    #[test]
    fn a_turned_and_scaled_parent_sees_the_turn_about_its_own_axis() {
        let parent = Affine3A::from_scale_rotation_translation(
            Vec3::splat(0.01),
            Quat::from_rotation_y(90_f32.to_radians()),
            Vec3::ONE,
        );
        // The model's X is the parent's Z.
        let seen = in_parent(Some(&parent), Quat::from_rotation_x(0.5));
        assert!(seen.abs_diff_eq(Quat::from_rotation_z(0.5), 1e-6), "{seen}");
        let flat = Affine3A::from_scale(Vec3::ZERO);
        assert_eq!(in_parent(Some(&flat), Quat::from_rotation_x(0.5)), Quat::IDENTITY);
    }

    #[test]
    fn a_rotation_is_found_under_scale_and_mirror() {
        let turn = Quat::from_rotation_y(0.7) * Quat::from_rotation_x(-1.2);
        for scale in [Vec3::ONE, Vec3::new(3.0, 0.1, 1.0), Vec3::splat(-2.0)] {
            let matrix = Affine3A::from_scale_rotation_translation(scale, turn, Vec3::ZERO).matrix3;
            let found = rotation_of(&matrix).expect("it has one");
            assert!(found.dot(turn).abs() > 1.0 - 1e-6, "{scale}: {found} is not {turn}");
        }
        assert_eq!(rotation_of(&Mat3A::ZERO), None);
        let flat = Mat3A::from_cols(Vec3A::X, Vec3A::X, Vec3A::Z);
        assert_eq!(rotation_of(&flat), None);
    }
}
