//! How a joint reaches for a place: as a limb, as a chain, or by looking there.
//!
//! In:  a scene and one of its joints.
//! Out: the modifier that has it reach.

use glam::{Quat, Vec3};
use sinew_motion::Pose;
use sinew_motion::ik::{Fabrik, LookAt, TwoBone};
use sinew_retarget::{Body, BodyPart, Side, Slot};
use sinew_scene::{JointId, Scene, Skeleton};

use super::modifier::Modifier;

/// Joints of a chain that is no limb, at most.
const MAX_CHAIN_JOINTS: usize = 12;

impl Modifier {
    /// What has a joint of a scene reach for a target: a hand or a foot bends its limb, a head looks, any other joint
    /// ends a chain. `None` for one without a parent.
    ///
    /// ```
    /// use sinew::{Animator, Modifier, glam::Vec3};
    /// let mut animator = Animator::new(sinew::ossi());
    /// let scene = animator.scene().clone();
    /// let hand = Modifier::reach(&scene, scene.skeleton().find("hand.L").unwrap()).unwrap();
    /// let hand = animator.modifiers_mut().add(hand);
    /// animator.modifiers_mut().set_target(hand, Vec3::new(0.3, 1.2, 0.3));
    /// animator.update();
    /// assert!(animator.modifiers().outcome(hand).unwrap().reached());
    /// ```
    #[must_use]
    pub fn reach(scene: &Scene, joint: JointId) -> Option<Self> {
        modifier_for(scene, joint)
    }
}

fn modifier_for(scene: &Scene, joint: JointId) -> Option<Modifier> {
    let skeleton = scene.skeleton();
    if let Ok(body) = Body::find(scene) {
        if body.joint(Slot::middle(BodyPart::Head)) == Some(joint) {
            return look(scene, &body, joint).map(Modifier::LookAt);
        }
        if let Some([upper, middle]) = limb(&body, joint) {
            let plain = TwoBone::new(skeleton, joint).ok()?;
            return Some(Modifier::TwoBone(TwoBone { upper, middle, ..plain }));
        }
    }
    let first = chain(skeleton, joint)?;
    let parent = skeleton.parents()[joint.index()];
    let grandparent = parent.and_then(|parent| skeleton.parents()[parent.index()]);
    match TwoBone::new(skeleton, joint) {
        Ok(limb) if grandparent == Some(first) => Some(Modifier::TwoBone(limb)),
        _ => Fabrik::new(skeleton, first, joint).ok().map(Modifier::Fabrik),
    }
}

/// The two joints that bend for a hand or a foot.
fn limb(body: &Body, joint: JointId) -> Option<[JointId; 2]> {
    let arms = [BodyPart::UpperArm, BodyPart::Forearm, BodyPart::Hand];
    let legs = [BodyPart::Thigh, BodyPart::Shin, BodyPart::Foot];
    for parts in [arms, legs] {
        for side in [Side::Left, Side::Right] {
            let [upper, middle, end] = parts.map(|part| body.joint(Slot::of(side, part)));
            if end == Some(joint) {
                return Some([upper?, middle?]);
            }
        }
    }
    None
}

/// The top of the chain that a joint ends: below where the tree branches.
fn chain(skeleton: &Skeleton, end: JointId) -> Option<JointId> {
    let children = |of: JointId| skeleton.parents().iter().filter(|p| **p == Some(of)).count();
    let mut top = skeleton.parents()[end.index()]?;
    for _ in 1..MAX_CHAIN_JOINTS {
        match skeleton.parents()[top.index()] {
            Some(parent) if children(parent) == 1 => top = parent,
            _ => break,
        }
    }
    Some(top)
}

/// Neck and head share the rotation. At rest a head looks forward, along Z.
fn look(scene: &Scene, body: &Body, head: JointId) -> Option<LookAt> {
    let mut joints = body.joints(Slot::middle(BodyPart::Neck)).to_vec();
    joints.push(head);
    let rest = Pose::new(scene);
    let model_from_head = rest.model_from_joint()[head.index()];
    let (_, rotation, _) = model_from_head.to_scale_rotation_translation();
    let head_from_model = if rotation.is_finite() { rotation.inverse() } else { Quat::IDENTITY };
    let plain = LookAt::new(&joints, head_from_model * Vec3::Z, head_from_model * Vec3::Y).ok()?;
    // What is dragged is to be seen at once.
    Some(LookAt { half_life: 0.0, ..plain })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_and_feet_are_limbs_heads_look_and_fingers_are_chains() {
        let scene = sinew_ossi::ossi();
        let of = |name: &str| modifier_for(&scene, scene.skeleton().find(name).expect(name));
        let Some(Modifier::TwoBone(arm)) = of("hand.L") else { panic!("{:?}", of("hand.L")) };
        let name = |joint| scene.skeleton().node(joint).name.clone();
        assert_eq!([name(arm.upper), name(arm.middle)], ["upper_arm.L", "forearm.L"]);
        assert!(matches!(of("foot.R"), Some(Modifier::TwoBone(_))));
        assert!(matches!(of("head"), Some(Modifier::LookAt(_))));
        assert!(modifier_for(&scene, JointId::new(0)).is_none(), "the root has no parent");
        let spine = of("chest");
        assert!(matches!(spine, Some(Modifier::Fabrik(_) | Modifier::TwoBone(_))), "{spine:?}");
    }
}
