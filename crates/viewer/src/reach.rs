//! What a joint reaches for: a place in the world that can be dragged.
//!
//! In:  a joint, and where its target is.
//! Out: a modifier of the actor, so that it holds whatever plays, and nothing of it is left when removed.

mod solver;

use sinew::glam::Vec3;
use sinew::{JointId, Modifier, ModifierId};

use crate::model::Model;
use crate::state::State;

/// What a joint reaches for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReachTarget {
    pub(crate) joint: JointId,
    /// In the world.
    pub(crate) position: Vec3,
    /// What has it reach.
    pub(crate) modifier: ModifierId,
}

impl Model {
    /// The index of a joint's target among all.
    pub(crate) fn target_of(&self, joint: JointId) -> Option<usize> {
        self.targets.iter().position(|target| target.joint == joint)
    }

    /// How a target is reached, for the inspector.
    pub(crate) fn describe_target(&self, target: &ReachTarget) -> &'static str {
        self.actor.modifiers().get(target.modifier).map_or("", solver::describe)
    }

    /// A target where the joint is now; before the face for a head. False where it cannot reach.
    fn add_target(&mut self, joint: JointId) -> bool {
        let Some(modifier) = Modifier::reach(self.scene(), joint) else { return false };
        let world_from_joint = self.world_from_joint(joint);
        let at_joint = Vec3::from(world_from_joint.translation);
        let position = match &modifier {
            Modifier::LookAt(look) => {
                let ahead = world_from_joint.transform_vector3(look.eyes.forward);
                let size = self.bounds.size().y.clamp(1e-3, 1e6);
                at_joint + ahead.normalize_or_zero() * size * 0.4
            }
            _ => at_joint,
        };
        if position.is_finite() {
            self.push_target(joint, position, modifier);
        }
        position.is_finite()
    }

    fn push_target(&mut self, joint: JointId, position: Vec3, modifier: Modifier) {
        let modifiers = self.actor.modifiers_mut();
        let modifier = modifiers.add(modifier);
        modifiers.set_target(modifier, position);
        self.targets.push(ReachTarget { joint, position, modifier });
    }

    /// The pose without this target from now on.
    fn remove_target(&mut self, index: usize) {
        let target = self.targets.remove(index);
        self.actor.modifiers_mut().remove(target.modifier);
        self.actor.update();
    }

    /// Targets with the names of their joints, for a model that takes this one's place.
    pub(crate) fn targets_by_name(&self) -> Vec<(String, Vec3)> {
        let name = |joint| self.scene().skeleton().node(joint).name.clone();
        self.targets.iter().map(|target| (name(target.joint), target.position)).collect()
    }

    /// Takes over targets of joints with the same names.
    pub(crate) fn take_targets(&mut self, targets: Vec<(String, Vec3)>) {
        for (name, position) in targets {
            if let Some(joint) = self.scene().skeleton().find(&name)
                && let Some(modifier) = Modifier::reach(self.scene(), joint)
            {
                self.push_target(joint, position, modifier);
            }
        }
        self.actor.update();
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
        if let Some(index) = model.target_of(joint) {
            model.remove_target(index);
        } else if model.add_target(joint) {
            self.say("drag the ring to where it is to reach");
        } else {
            self.say("this joint has no parent: it cannot reach");
        }
    }

    /// Puts a target elsewhere, from the next frame on.
    pub(crate) fn move_target(&mut self, index: usize, position: Vec3) {
        let Some(model) = self.model_mut() else { return };
        if let Some(target) = model.targets.get_mut(index).filter(|_| position.is_finite()) {
            target.position = position;
            model.actor.modifiers_mut().set_target(target.modifier, position);
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
    fn a_target_is_in_the_world_wherever_the_model_is() {
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
        assert_eq!(state.models[0].targets[0].position, step);
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
        let model = &state.models[0];
        let modifier = model.actor.modifiers().get(model.targets[0].modifier);
        let Some(Modifier::LookAt(look)) = modifier else { panic!("it looks") };
        let ahead = model.world_from_joint(head).transform_vector3(look.eyes.forward);
        let angle = ahead.angle_between(bird - place(&state, head));
        assert!(angle < 0.02, "{angle}");
    }
}
