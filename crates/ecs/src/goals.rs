//! What a character reaches for and looks at: entities, wherever they stand.
//!
//! Solved in the animation step, after the clip and before anybody takes the pose over. Where targets stand is known
//! from the frame before.

use bevy_ecs::prelude::*;
use sinew::JointId;
use sinew::glam::Vec3;
use sinew::motion::Pose;
use sinew::motion::ik::{Aim, Outcome, TwoBone};
use sinew::scene::Skeleton;

/// Goals of the [`AnimationPlayer`](crate::AnimationPlayer) on the same entity, met one after the other. While there
/// is any, the player owns its nodes as if a clip played.
#[derive(Clone, Component, Debug, Default, PartialEq)]
pub struct Goals(pub Vec<Goal>);

/// One thing to reach for or look at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// Who does it, and how.
    pub way: GoalKind,
    /// An entity with a [`WorldTransform`](crate::WorldTransform).
    pub target: Entity,
    /// How it fared in the last run; `None` before the first, or when the target is gone.
    pub outcome: Option<Outcome>,
}

/// How a goal is met.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum GoalKind {
    /// An arm or a leg whose end goes to the target.
    Limb(TwoBone),
    /// A joint that looks at the target.
    Aim(Aim),
}

impl Goal {
    /// A limb that reaches for an entity.
    #[must_use]
    pub fn reach(limb: TwoBone, target: Entity) -> Self {
        Self { way: GoalKind::Limb(limb), target, outcome: None }
    }

    /// A joint that looks at an entity.
    #[must_use]
    pub fn look(aim: Aim, target: Entity) -> Self {
        Self { way: GoalKind::Aim(aim), target, outcome: None }
    }

    /// `target` is in the model. `None` when the scene has no such joints.
    pub(crate) fn meet(
        &self,
        pose: &mut Pose,
        skeleton: &Skeleton,
        target: Vec3,
    ) -> Option<Outcome> {
        let below = |joint: JointId, above: JointId| {
            let mut up = Some(joint);
            while let Some(here) = up.filter(|here| *here > above) {
                up = skeleton.node(here).parent;
            }
            up == Some(above)
        };
        match self.way {
            GoalKind::Limb(limb) => {
                let known =
                    limb.end.index() < skeleton.len() && limb.middle.index() < skeleton.len();
                let chain = known && below(limb.end, limb.middle) && below(limb.middle, limb.upper);
                chain.then(|| limb.apply(pose, skeleton, target))
            }
            GoalKind::Aim(aim) => {
                (aim.joint.index() < skeleton.len()).then(|| aim.apply(pose, skeleton, target))
            }
        }
    }
}
