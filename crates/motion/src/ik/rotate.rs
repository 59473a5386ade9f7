//! Turning a joint by what the model sees.
//!
//! In:  a rotation in model space.
//! Out: the same turn as the joint's parent sees it.
//!
//! A parent may be scaled unevenly, sheared or mirrored. The axis of a rotation is then the normal of
//! the plane it turns in, and normals go from model to parent by the transposed matrix; a mirror
//! turns in the other direction.

use sinew_scene::glam::{Affine3A, Mat3A, Quat, Vec3A};
use sinew_scene::{JointId, Skeleton};

use crate::Pose;
use crate::interpolate::slerp;

/// What is above a joint, as far as turns go.
#[derive(Clone, Copy)]
pub(crate) enum Above {
    /// Scaled evenly if at all: turns are turns. Leads an axis from the model into the parent.
    Even(Mat3A),
    /// Sheared or scaled unevenly, where only the parent knows what a rotation is. Leads from the model
    /// into the parent.
    Uneven(Mat3A),
    /// No way leads back; axes go by the transposed matrix so far as they do.
    Flat(Mat3A),
}

impl Above {
    #[inline]
    pub(crate) fn new(model_from_parent: Option<&Affine3A>) -> Self {
        let Some(Affine3A { matrix3, .. }) = model_from_parent else {
            return Self::Even(Mat3A::IDENTITY);
        };
        let Mat3A { x_axis, y_axis, z_axis } = *matrix3;
        let squared = x_axis.length_squared();
        let off = (squared - y_axis.length_squared()).abs();
        let off = off.max((squared - z_axis.length_squared()).abs());
        let off = off.max(x_axis.dot(y_axis).abs()).max(y_axis.dot(z_axis).abs());
        let off = off.max(z_axis.dot(x_axis).abs());
        if off <= 1e-4 * squared && squared > 1e-18 && squared < 1e18 {
            let factor = squared.sqrt().recip();
            let handed = x_axis.cross(y_axis).dot(z_axis);
            return Self::Even(matrix3.transpose() * factor.copysign(handed));
        }
        Self::odd(matrix3)
    }

    #[cold]
    fn odd(matrix: &Mat3A) -> Self {
        let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(Vec3A::length);
        let solid = matrix.determinant().abs() > 1e-4 * x * y * z && x.min(y).min(z) > 1e-9;
        match matrix.inverse() {
            inverse if solid && inverse.is_finite() => Self::Uneven(inverse),
            _ => Self::Flat(matrix.transpose()),
        }
    }

    /// The model's turn as the parent sees it; neither need have unit length.
    #[inline]
    pub(crate) fn seen(&self, model: Quat) -> Quat {
        let axis = Vec3A::new(model.x, model.y, model.z);
        let seen = match self {
            Self::Even(parent_from_model) => *parent_from_model * axis,
            Self::Uneven(inverse) => level(inverse.inverse().transpose(), axis),
            Self::Flat(transposed) => level(*transposed, axis),
        };
        Quat::from_xyzw(seen.x, seen.y, seen.z, model.w)
    }

    /// The rotation in the parent that brings `from` onto `to`, two directions of the model; unit, and
    /// exact under any parent that is not flat.
    #[inline]
    pub(crate) fn arc(&self, from: Vec3A, to: Vec3A) -> Quat {
        let spare = |from: Vec3A| from.normalize_or(Vec3A::X).any_orthonormal_vector();
        if let Self::Uneven(inverse) = self {
            let (from, to) = (*inverse * from, *inverse * to);
            return arc(from, to, spare(from));
        }
        let spare = if from.dot(to) < 0.0 { spare(from) } else { Vec3A::Y };
        unit_or(self.seen(arc(from, to, spare)), Quat::IDENTITY)
    }
}

/// An axis led elsewhere, as long as it was; a mirror turns it round.
#[cold]
fn level(matrix: Mat3A, axis: Vec3A) -> Vec3A {
    let seen = matrix * axis;
    let ratio = (axis.length_squared() / seen.length_squared()).sqrt();
    let ratio = if ratio.is_finite() { ratio } else { 0.0 };
    seen * if matrix.determinant() < 0.0 { -ratio } else { ratio }
}

/// Of unit length, or `fallback` where no length is right.
#[inline]
pub(crate) fn unit_or(rotation: Quat, fallback: Quat) -> Quat {
    let squared = rotation.length_squared();
    // Not `is_normal`: a square that under- or overflowed has lost its direction.
    if squared > 1e-30 && squared < 1e30 { rotation * squared.sqrt().recip() } else { fallback }
}

/// The shortest rotation that brings the direction `from` onto `to`, whatever their lengths; unit.
/// Opposite directions rotate about `spare`, which must be unit and upright on `from`.
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

/// A fraction of a rotation, along the shorter arc.
#[inline]
pub(crate) fn part_of(rotation: Quat, fraction: f32) -> Quat {
    slerp(Quat::IDENTITY, rotation, fraction)
}

/// The rotation in a matrix that may also scale, shear and mirror: its nearest by the order of
/// its axes. `None` when it is too flat to have one.
#[must_use]
pub(crate) fn rotation_of(matrix: &Mat3A) -> Option<Quat> {
    let sign = if matrix.determinant() < 0.0 { -1.0 } else { 1.0 };
    // Even out the scale first, so that no axis counts for more; then two steps of Newton's way to
    // the polar rotation (Higham 1986), which for a rotation and an even scale stands still.
    let unit = |axis: Vec3A| (axis * sign).try_normalize();
    let mut rotation =
        Mat3A::from_cols(unit(matrix.x_axis)?, unit(matrix.y_axis)?, unit(matrix.z_axis)?);
    for _ in 0..8 {
        if rotation.determinant().abs() < 1e-6 {
            return None;
        }
        let next = (rotation + rotation.inverse().transpose()) * 0.5;
        let still = next.abs_diff_eq(rotation, 1e-6);
        rotation = next;
        if still {
            break;
        }
    }
    let found = unit_or(Quat::from_mat3a(&rotation), Quat::IDENTITY);
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
    let model_rotation = unit_or(rotation, now) * now.conjugate();
    let parent = skeleton.parents()[joint.index()];
    let above = Above::new(parent.map(|parent| &pose.model_from_joint()[parent.index()]));
    let before = pose.rotation(joint);
    let after = unit_or(above.seen(model_rotation) * before, before);
    pose.set_rotation(joint, slerp(before, after, weight.min(1.0)));
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

    fn seen(parent: Affine3A, rotation: Quat) -> Quat {
        Above::new(Some(&parent)).seen(rotation)
    }

    #[test]
    fn a_mirrored_parent_sees_a_turn_the_other_way_round() {
        let mirror = Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0));
        let found = seen(mirror, Quat::from_rotation_z(0.5));
        assert!(found.abs_diff_eq(Quat::from_rotation_z(-0.5), 1e-6), "{found}");
        let found = seen(mirror, Quat::from_rotation_x(0.5));
        assert!(found.abs_diff_eq(Quat::from_rotation_x(0.5), 1e-6), "{found}");
        // Scaled unevenly as well: what turned in the mirrored plane still turns in the other direction.
        let uneven = Affine3A::from_scale(Vec3::new(-3.0, 1.0, 2.0));
        let found = seen(uneven, Quat::from_rotation_z(0.5));
        assert!(found.abs_diff_eq(Quat::from_rotation_z(-0.5), 1e-6), "{found}");
    }

    #[test]
    fn a_turned_and_scaled_parent_sees_the_turn_about_its_own_axis() {
        let rotation = Quat::from_rotation_y(90_f32.to_radians());
        for scale in [Vec3::splat(0.01), Vec3::new(3.0, 1.0, 2.0), Vec3::splat(-1.0)] {
            let parent = Affine3A::from_scale_rotation_translation(scale, rotation, Vec3::ONE);
            // The model's X is the parent's Z.
            let found = seen(parent, Quat::from_rotation_x(0.5));
            assert!(found.abs_diff_eq(Quat::from_rotation_z(0.5), 1e-6), "{scale}: {found}");
        }
        let found = seen(Affine3A::from_scale(Vec3::ZERO), Quat::from_rotation_x(0.5));
        assert_eq!(unit_or(found, Quat::NAN), Quat::IDENTITY);
    }

    #[test]
    fn under_uneven_scale_an_arc_still_meets_its_direction() {
        let parent = Affine3A::from_scale(Vec3::new(3.0, 1.0, 1.0));
        let (from, to) = (Vec3A::new(3.0, 0.0, 0.0), Vec3A::new(3.0, 1.0, 0.0));
        // In the parent that is 45°, whatever the model sees.
        let found = Above::new(Some(&parent)).arc(from, to);
        assert!(found.abs_diff_eq(Quat::from_rotation_z(45_f32.to_radians()), 1e-6), "{found}");
        let found = Above::new(Some(&parent)).arc(Vec3A::new(3.0, 1.0, 0.0), Vec3A::Y);
        assert!(found.abs_diff_eq(Quat::from_rotation_z(45_f32.to_radians()), 1e-6), "{found}");
    }

    #[test]
    fn a_rotation_is_found_under_scale_and_mirror() {
        let rotation = Quat::from_rotation_y(0.7) * Quat::from_rotation_x(-1.2);
        for scale in [Vec3::ONE, Vec3::new(3.0, 0.1, 1.0), Vec3::splat(-2.0)] {
            let matrix =
                Affine3A::from_scale_rotation_translation(scale, rotation, Vec3::ZERO).matrix3;
            let found = rotation_of(&matrix).expect("it has one");
            assert!(found.dot(rotation).abs() > 1.0 - 1e-6, "{scale}: {found} is not {rotation}");
        }
        assert_eq!(rotation_of(&Mat3A::ZERO), None);
        let flat = Mat3A::from_cols(Vec3A::X, Vec3A::X, Vec3A::Z);
        assert_eq!(rotation_of(&flat), None);
    }
}
