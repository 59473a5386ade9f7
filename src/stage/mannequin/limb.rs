//! One limb of a mannequin: from which joint to which, and how it lies between them.

use glam::{Affine3A, Quat, Vec3};

use super::shape::Girth;

/// A limb along its own Y, from 0 to its length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limb {
    /// The joint it begins at, and turns with.
    pub(super) from: usize,
    /// The joint it ends at; `None` for what nothing hangs on.
    pub(super) to: Option<usize>,
    /// In metres, as it was made.
    pub(super) length: f32,
    pub(super) joint_from_limb: Quat,
    pub(super) girth: Girth,
}

impl Limb {
    /// `world_from_limb` for joints that are here now.
    pub(super) fn placed(&self, world_from_joint: &[Affine3A]) -> Affine3A {
        let from = &world_from_joint[self.from];
        let start = Vec3::from(from.translation);
        let turned = rotation(from) * self.joint_from_limb;
        let Some(to) = self.to else {
            return Affine3A::from_rotation_translation(turned, start);
        };
        let along = Vec3::from(world_from_joint[to].translation) - start;
        let length = along.length();
        let aim = along
            .try_normalize()
            .map_or(Quat::IDENTITY, |along| Quat::from_rotation_arc(turned * Vec3::Y, along));
        let stretch = Vec3::new(1.0, (length / self.length).max(1e-3), 1.0);
        Affine3A::from_scale_rotation_translation(stretch, (aim * turned).normalize(), start)
    }

    /// The corners of a box around it, in its own space.
    pub(super) fn corners(&self) -> impl Iterator<Item = Vec3> {
        let wide = self.girth.widest();
        let over = self.girth.over();
        let length = self.length;
        (0..8).map(move |index| {
            Vec3::new(
                if index & 1 == 0 { -wide.x } else { wide.x },
                if index & 2 == 0 { -over } else { length + over },
                if index & 4 == 0 { -wide.y } else { wide.y },
            )
        })
    }
}

/// The rotation of a joint, whatever its scale.
pub(super) fn rotation(joint: &Affine3A) -> Quat {
    let rotation = joint.to_scale_rotation_translation().1;
    if rotation.is_finite() { rotation.normalize() } else { Quat::IDENTITY }
}
