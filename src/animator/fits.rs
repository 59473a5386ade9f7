//! Whether a modifier and a scene belong together.
//!
//! In:  a modifier, made by hand or for some skeleton.
//! Out: whether the scene has the joints and instances that it names, in the order that it needs.

use sinew_motion::ik::TwoBone;
use sinew_scene::{JointId, Scene, Skeleton};

use super::modifier::Modifier;

impl Modifier {
    /// Whether a scene has the joints and mesh instances that this names. One that does not fit is
    /// passed over. Chains, feet, springs and mirrors are made for a skeleton, and are trusted to be
    /// used with it.
    #[must_use]
    pub fn fits(&self, scene: &Scene) -> bool {
        let skeleton = scene.skeleton();
        let known = |joint: JointId| joint.index() < skeleton.len();
        match self {
            Self::Joint(change) => known(change.joint),
            Self::MorphWeight { instance, .. } => instance.index() < scene.instances.len(),
            Self::TwoBone(limb) => is_limb(limb, skeleton),
            Self::Ccd(chain) => {
                known(chain.end) && chain.joints.iter().all(|(joint, _)| known(*joint))
            }
            Self::Aim(aim) => known(aim.joint),
            Self::LookAt(look) => {
                known(look.eyes.joint) && look.helpers.iter().all(|(joint, ..)| known(*joint))
            }
            Self::Mirror(_) | Self::Fabrik(_) | Self::Feet(..) => true,
            Self::Spring(_, colliders) => colliders.iter().all(|collider| known(collider.joint)),
        }
    }
}

/// Each joint of the limb is below the one before it.
fn is_limb(limb: &TwoBone, skeleton: &Skeleton) -> bool {
    let below = |joint: JointId, above: JointId| {
        let mut up = skeleton.node(joint).parent;
        while let Some(here) = up.filter(|here| *here > above) {
            up = skeleton.node(here).parent;
        }
        up == Some(above)
    };
    let known = limb.end.index() < skeleton.len() && limb.middle.index() < skeleton.len();
    known && below(limb.end, limb.middle) && below(limb.middle, limb.upper)
}
