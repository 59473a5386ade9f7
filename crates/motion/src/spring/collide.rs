//! What a spring does not go through: spheres and capsules on joints.

use sinew_scene::JointId;
use sinew_scene::glam::{Affine3A, Vec3, Vec3A};

/// A capsule that moves with a joint; a sphere when both ends are one place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collider {
    /// What it moves with.
    pub joint: JointId,
    /// One end, in the joint's own space.
    pub from: Vec3,
    /// The other end, in the joint's own space.
    pub to: Vec3,
    /// How far around, in the joint's own measure.
    pub radius: f32,
}

impl Collider {
    /// A ball around a place in a joint.
    #[must_use]
    pub fn sphere(joint: JointId, center: Vec3, radius: f32) -> Self {
        Self { joint, from: center, to: center, radius }
    }

    /// The direction out for something round at a place in the world, and how far: nothing when it is out.
    pub(super) fn push(
        &self,
        world_from_joint: &Affine3A,
        at: Vec3A,
        radius: f32,
    ) -> Option<(Vec3A, f32)> {
        let from = world_from_joint.transform_point3a(self.from.into());
        let along = world_from_joint.transform_vector3a((self.to - self.from).into());
        let scale = world_from_joint.matrix3.determinant().abs().cbrt();
        let squared = along.length_squared();
        let part = if squared > 1e-20 { (at - from).dot(along) / squared } else { 0.0 };
        let away = at - (from + along * part.clamp(0.0, 1.0));
        let inside = self.radius.max(0.0) * scale + radius.max(0.0) - away.length();
        // In the very middle every direction is as good.
        (inside > 0.0).then(|| (away.try_normalize().unwrap_or(Vec3A::Y), inside))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capsule_pushes_out_by_the_shortest_way() {
        let arm =
            Collider { to: 2.0 * Vec3::X, ..Collider::sphere(JointId::new(0), Vec3::ZERO, 0.5) };
        let push = |at: [f32; 3]| arm.push(&Affine3A::IDENTITY, Vec3A::from(at), 0.1);
        let (direction, far) = push([1.0, 0.2, 0.0]).expect("inside");
        assert!(
            direction.abs_diff_eq(Vec3A::Y, 1e-6) && (far - 0.4).abs() < 1e-6,
            "{direction} {far}"
        );
        let (direction, far) = push([2.3, 0.0, 0.0]).expect("inside the end");
        assert!(
            direction.abs_diff_eq(Vec3A::X, 1e-6) && (far - 0.3).abs() < 1e-6,
            "{direction} {far}"
        );
        assert_eq!(push([1.0, 0.7, 0.0]), None);
        assert!(push([1.0, 0.0, 0.0]).is_some_and(|(direction, _)| direction.is_normalized()));
    }
}
