//! What a joint reaches for: a place in the world that a hand can drag.
//!
//! In:  a joint, and where its target is. Out: limbs that bend, chains that follow, a head that looks.
//!
//! It comes after the clip or the graph, in every frame anew, so that switched off, nothing of it is left.

use sinew::glam::{Affine3A, Quat, Vec3};
use sinew::ik::{Fabrik, LookAt, LookAtState, TwoBone};
use sinew::retarget::{Body, Part, Side, Slot};
use sinew::{JointId, Pose, Scene, Skeleton};

use crate::model::Model;
use crate::state::State;

/// Joints of a chain that is no limb, at most.
const LONGEST: usize = 12;

/// How a joint comes to its target.
#[derive(Clone, Debug)]
pub(crate) enum How {
    /// Two bones bend.
    Limb(TwoBone),
    /// All joints of a chain turn.
    Chain(Fabrik),
    /// Neck and head turn to look.
    Look(LookAt),
}

impl How {
    /// In words, for the inspector.
    pub(crate) fn words(&self) -> &'static str {
        match self {
            Self::Limb(_) => "two bones bend",
            Self::Chain(_) => "a chain of joints turns",
            Self::Look(_) => "the head looks there",
        }
    }
}

/// What a joint reaches for.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) joint: JointId,
    /// In the world.
    pub(crate) at: Vec3,
    pub(crate) how: How,
}

/// How a joint of a scene would reach; `None` for one that nothing carries.
pub(crate) fn how(scene: &Scene, joint: JointId) -> Option<How> {
    let skeleton = scene.skeleton();
    let body = Body::find(scene).ok();
    if let Some(body) = &body {
        if body.joint(Slot::middle(Part::Head)) == Some(joint) {
            return look(scene, body, joint).map(How::Look);
        }
        if let Some([upper, middle]) = limb(body, joint) {
            let plain = TwoBone::new(skeleton, joint).ok()?;
            return Some(How::Limb(TwoBone { upper, middle, ..plain }));
        }
    }
    let first = chain(skeleton, joint)?;
    let two = skeleton.parents()[joint.index()].and_then(|one| skeleton.parents()[one.index()]);
    match TwoBone::new(skeleton, joint) {
        Ok(limb) if two == Some(first) => Some(How::Limb(limb)),
        _ => Fabrik::new(skeleton, first, joint).ok().map(How::Chain),
    }
}

/// The two joints that bend for a hand or a foot.
fn limb(body: &Body, joint: JointId) -> Option<[JointId; 2]> {
    let arms = [Part::UpperArm, Part::Forearm, Part::Hand];
    let legs = [Part::Thigh, Part::Shin, Part::Foot];
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
    for _ in 1..LONGEST {
        match skeleton.parents()[top.index()] {
            Some(parent) if children(parent) == 1 => top = parent,
            _ => break,
        }
    }
    Some(top)
}

/// Neck and head share the turn. At rest a head looks forward, along Z.
fn look(scene: &Scene, body: &Body, head: JointId) -> Option<LookAt> {
    let mut joints = body.joints(Slot::middle(Part::Neck)).to_vec();
    joints.push(head);
    let rest = Pose::new(scene);
    let model_from_head = rest.model_from_joint()[head.index()];
    let (_, turn, _) = model_from_head.to_scale_rotation_translation();
    let back = if turn.is_finite() { turn.inverse() } else { Quat::IDENTITY };
    let plain = LookAt::new(&joints, back * Vec3::Z, back * Vec3::Y).ok()?;
    // A hand that drags wants to see it at once.
    Some(LookAt { half_life: 0.0, ..plain })
}

impl Target {
    /// Has a pose reach; `model_from_world` is where the model stands, the other way.
    fn apply(&mut self, pose: &mut Pose, skeleton: &Skeleton, model_from_world: Affine3A) {
        let at = model_from_world.transform_point3(self.at);
        match &mut self.how {
            How::Limb(limb) => limb.apply(pose, skeleton, at),
            How::Chain(chain) => chain.apply(pose, skeleton, at),
            How::Look(look) => look.apply(pose, skeleton, Some(at), &mut LookAtState::new(), 0.0),
        };
    }
}

impl Model {
    /// Has every joint with a target reach for it.
    pub(crate) fn reach(&mut self) {
        if self.targets.is_empty() {
            return;
        }
        let targets = &mut self.targets;
        let model_from_world = self.actor.model_from_world();
        self.actor.modify(|pose, skeleton| {
            targets.iter_mut().for_each(|target| target.apply(pose, skeleton, model_from_world));
        });
    }

    /// The place of a joint's target among all.
    pub(crate) fn target_of(&self, joint: JointId) -> Option<usize> {
        self.targets.iter().position(|target| target.joint == joint)
    }

    /// A target where the joint is now; before the face for a head.
    fn add_target(&mut self, joint: JointId) -> bool {
        let Some(how) = how(self.scene(), joint) else { return false };
        let world_from_joint = self.world_from_joint(joint);
        let at = match &how {
            How::Look(look) => {
                let ahead = world_from_joint.transform_vector3(look.eyes.forward);
                let size = self.bounds.size().y.clamp(1e-3, 1e6);
                Vec3::from(world_from_joint.translation) + ahead.normalize_or_zero() * size * 0.4
            }
            _ => world_from_joint.translation.into(),
        };
        if at.is_finite() {
            self.targets.push(Target { joint, at, how });
        }
        at.is_finite()
    }

    /// Targets with the names of their joints, for a model that takes this one's place.
    pub(crate) fn targets_by_name(&self) -> Vec<(String, Vec3)> {
        let name = |joint| self.scene().skeleton().node(joint).name.clone();
        self.targets.iter().map(|target| (name(target.joint), target.at)).collect()
    }

    /// Takes over targets of joints with the same names.
    pub(crate) fn take_targets(&mut self, targets: Vec<(String, Vec3)>) {
        for (name, at) in targets {
            let joint = self.scene().skeleton().find(&name);
            let made = joint.and_then(|joint| Some((joint, how(self.scene(), joint)?)));
            self.targets.extend(made.map(|(joint, how)| Target { joint, at, how }));
        }
        self.hold();
    }
}

impl State {
    /// Has the selected joint reach for a target, or no more.
    pub(crate) fn reach(&mut self) {
        let Some(joint) = self.joint() else {
            return self.say("select a joint to have it reach");
        };
        self.held_target = None;
        let Some(model) = self.model_mut() else { return };
        if let Some(place) = model.target_of(joint) {
            model.targets.remove(place);
            // The pose without it.
            model.advance(0.0);
        } else if model.add_target(joint) {
            self.say("drag the ring to where it shall reach");
        } else {
            self.say("nothing carries this joint: it cannot reach");
        }
    }

    /// Puts a target elsewhere.
    pub(crate) fn move_target(&mut self, place: usize, at: Vec3) {
        let Some(model) = self.model_mut() else { return };
        if let Some(target) = model.targets.get_mut(place).filter(|_| at.is_finite()) {
            target.at = at;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::Action;
    use crate::outline::Item;

    fn ossi() -> State {
        State { models: vec![Model::built_in("Ossi", sinew::ossi())], ..State::default() }
    }

    fn joint(state: &State, name: &str) -> JointId {
        state.models[0].scene().skeleton().find(name).expect(name)
    }

    fn place(state: &State, joint: JointId) -> Vec3 {
        state.models[0].world_from_joint(joint).translation.into()
    }

    #[test]
    fn hands_and_feet_are_limbs_heads_look_and_fingers_are_chains() {
        let scene = sinew::ossi();
        let of = |name: &str| how(&scene, scene.skeleton().find(name).expect(name));
        let Some(How::Limb(arm)) = of("hand.L") else { panic!("{:?}", of("hand.L")) };
        let name = |joint| scene.skeleton().node(joint).name.clone();
        assert_eq!([name(arm.upper), name(arm.middle)], ["upper_arm.L", "forearm.L"]);
        assert!(matches!(of("foot.R"), Some(How::Limb(_))));
        assert!(matches!(of("head"), Some(How::Look(_))));
        assert!(how(&scene, JointId::new(0)).is_none(), "nothing carries the root");
        let spine = of("chest");
        assert!(matches!(spine, Some(How::Chain(_) | How::Limb(_))), "{spine:?}");
    }

    #[test]
    fn a_hand_goes_with_its_target_in_every_frame_until_it_is_switched_off() {
        let mut state = ossi();
        let hand = joint(&state, "hand.L");
        state.select(0, Some(Item::Joint(hand)));
        state.act(Action::Reach);
        let cup = Vec3::new(0.3, 1.2, 0.35);
        state.move_target(0, cup);
        for _ in 0..3 {
            state.advance(0.1);
            assert!(place(&state, hand).distance(cup) < 1e-3, "{}", place(&state, hand));
        }
        state.models[0].seek(0.25);
        assert!(place(&state, hand).distance(cup) < 1e-3);
        state.act(Action::Reach);
        assert!(place(&state, hand).distance(cup) > 0.05 && state.models[0].targets.is_empty());
    }

    #[test]
    fn a_target_is_in_the_world_wherever_the_model_stands() {
        let mut state = ossi();
        state.models[0].place(Vec3::new(5.0, 0.0, 0.0));
        let foot = joint(&state, "foot.R");
        state.select(0, Some(Item::Joint(foot)));
        state.act(Action::Reach);
        let step = Vec3::new(4.9, 0.4, 0.2);
        state.move_target(0, step);
        state.advance(0.02);
        assert!(place(&state, foot).distance(step) < 1e-3, "{}", place(&state, foot));
        state.move_target(0, Vec3::NAN);
        state.move_target(7, Vec3::ZERO);
        assert_eq!(state.models[0].targets[0].at, step);
    }

    #[test]
    fn a_head_looks_at_its_target() {
        let mut state = ossi();
        let head = joint(&state, "head");
        state.select(0, Some(Item::Joint(head)));
        state.act(Action::Reach);
        let bird = place(&state, head) + Vec3::new(0.6, 0.1, 1.0);
        state.move_target(0, bird);
        state.advance(0.0);
        let How::Look(look) = &state.models[0].targets[0].how else { panic!("it looks") };
        let model = &state.models[0];
        let ahead = model.world_from_joint(head).transform_vector3(look.eyes.forward);
        let angle = ahead.angle_between(bird - place(&state, head));
        assert!(angle < 0.02, "{angle}");
    }
}
