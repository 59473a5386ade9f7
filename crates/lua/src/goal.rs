//! What a script has a joint do in every frame: look at a place, reach for one.
//!
//! In:  a pose after the clip and the edits, and where the model stands. Out: the same pose, turned.

use sinew::Pose;
use sinew::glam::{Affine3A, Vec3};
use sinew::motion::ik::{Aim, Pole, TwoBone};
use sinew::scene::Skeleton;

/// What a joint is after; places are in the world. It lasts until changed or reset.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Goal {
    pub(crate) reach: Option<(TwoBone, Vec3, Option<Vec3>)>,
    pub(crate) look: Option<(Aim, Vec3)>,
}

impl Goal {
    /// Limbs reach first: what they carry may look.
    pub(crate) fn reach(&self, pose: &mut Pose, skeleton: &Skeleton, model_from_world: Affine3A) {
        if let Some((limb, place, pole)) = self.reach {
            let pole = pole.map(|pole| model_from_world.transform_point3(pole));
            let limb = TwoBone { pole: pole.map_or(limb.pole, Pole::At), ..limb };
            limb.apply(pose, skeleton, model_from_world.transform_point3(place));
        }
    }

    pub(crate) fn look(&self, pose: &mut Pose, skeleton: &Skeleton, model_from_world: Affine3A) {
        if let Some((aim, place)) = self.look {
            aim.apply(pose, skeleton, model_from_world.transform_point3(place));
        }
    }
}
