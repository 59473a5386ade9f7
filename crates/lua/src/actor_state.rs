//! What a script keeps about one actor on the stage: which modifiers it asked for, and the last frame's events.
//!
//! In:  an actor, calls of the script, and seconds as they pass.
//! Out: the actor's stack of modifiers, and markers that were passed.
//!
//! All modifiers of an actor are the script's, one per [`Slot`], and the stack is in the order of the slots. How the
//! actor moves is the business of its [`Animator`](sinew::Animator) alone.

use std::collections::BTreeMap;

use sinew::motion::RootMode;
use sinew::{Actor, JointId, JointOverride, Modifier, ModifierId, RootMotionPolicy};

/// Most events that are kept of one frame.
const MAX_EVENTS_PER_FRAME: usize = 4096;

/// What a modifier is for. Slots are in the order in which their modifiers are applied: limbs reach before what
/// they move looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Slot {
    /// Left for right.
    Mirror,
    /// A joint's own rotation, translation and scale.
    Override(JointId),
    /// A limb that reaches for a point.
    Reach(JointId),
    /// A joint that looks at a point.
    LookAt(JointId),
}

/// A marker that was passed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PassedMarker {
    pub(crate) name: String,
    pub(crate) clip: String,
    pub(crate) time: f32,
    pub(crate) weight: f32,
}

/// What the script keeps about one actor.
#[derive(Debug)]
pub(crate) struct ActorState {
    pub(crate) id: u64,
    /// Whether time passes for it by itself.
    pub(crate) runs: bool,
    pub(crate) hidden: bool,
    /// The markers that the last frame passed.
    pub(crate) events: Vec<PassedMarker>,
    modifiers: BTreeMap<Slot, ModifierId>,
    root_mode: RootMode,
    /// Something has changed since the pose was worked out.
    stale: bool,
}

impl ActorState {
    pub(crate) fn new(id: u64, runs: bool) -> Self {
        Self {
            id,
            runs,
            hidden: false,
            events: Vec::new(),
            modifiers: BTreeMap::new(),
            root_mode: RootMode::Floor,
            stale: false,
        }
    }

    /// The pose is worked out anew when it is next needed.
    pub(crate) fn touch(&mut self) {
        self.stale = true;
    }

    /// Lets time pass.
    pub(crate) fn advance(&mut self, actor: &mut Actor, seconds: f32) {
        if !self.runs {
            return self.settle(actor);
        }
        actor.advance(seconds);
        self.stale = false;
        self.events.clear();
        let scene = actor.scene();
        let passed = actor.events().take(MAX_EVENTS_PER_FRAME);
        self.events.extend(passed.map(|event| PassedMarker {
            name: event.name.to_owned(),
            clip: scene[event.clip].name.clone(),
            time: event.time,
            weight: event.weight,
        }));
    }

    /// Works out the pose anew, where something has changed.
    pub(crate) fn settle(&mut self, actor: &mut Actor) {
        if std::mem::take(&mut self.stale) {
            actor.update();
        }
    }

    /// Puts a modifier into its slot, in the place of the one before; `None` takes that out.
    pub(crate) fn set_modifier(
        &mut self,
        actor: &mut Actor,
        slot: Slot,
        modifier: Option<Modifier>,
    ) -> Option<ModifierId> {
        self.stale = true;
        let stack = actor.modifiers_mut();
        let Some(modifier) = modifier else {
            self.modifiers.remove(&slot).and_then(|id| stack.remove(id));
            return None;
        };
        if let Some(id) = self.modifiers.get(&slot)
            && let Some(old) = stack.get_mut(*id)
        {
            *old = modifier;
            return Some(*id);
        }
        let position = self.modifiers.range(..slot).count();
        let id = stack.insert(position, modifier);
        self.modifiers.insert(slot, id);
        Some(id)
    }

    /// Changes how a joint differs from the motion.
    pub(crate) fn override_joint(
        &mut self,
        actor: &mut Actor,
        joint: JointId,
        change: impl FnOnce(&mut JointOverride),
    ) {
        let slot = Slot::Override(joint);
        let held = self.modifiers.get(&slot).and_then(|id| actor.modifiers().get(*id));
        let mut wanted = match held {
            Some(Modifier::Joint(held)) => *held,
            _ => JointOverride::new(joint),
        };
        change(&mut wanted);
        let differs = wanted != JointOverride::new(joint);
        self.set_modifier(actor, slot, differs.then_some(Modifier::Joint(wanted)));
    }

    /// The joint is as the motion has it again.
    pub(crate) fn reset_joint(&mut self, actor: &mut Actor, joint: JointId) {
        for slot in [Slot::Override(joint), Slot::Reach(joint), Slot::LookAt(joint)] {
            self.set_modifier(actor, slot, None);
        }
    }

    /// All joints are as the motion has them again.
    pub(crate) fn reset_joints(&mut self, actor: &mut Actor) {
        let slots: Vec<Slot> = self.modifiers.keys().copied().collect();
        for slot in slots.into_iter().filter(|slot| *slot != Slot::Mirror) {
            self.set_modifier(actor, slot, None);
        }
    }

    /// Chooses the joint whose motion is the actor's root motion.
    pub(crate) fn set_root_joint(
        &mut self,
        actor: &mut Actor,
        joint: Option<JointId>,
        mode: RootMode,
    ) {
        self.root_mode = mode;
        let applied = actor.root_motion_policy().1 == RootMotionPolicy::Apply;
        actor.set_root_motion(joint, mode, policy(applied));
    }

    /// Chooses whether root motion moves the actor.
    pub(crate) fn apply_root_motion(&mut self, actor: &mut Actor, applied: bool) {
        let (joint, _) = actor.root_motion_policy();
        actor.set_root_motion(joint, self.root_mode, policy(applied));
    }
}

/// What is not applied is taken out of the pose all the same, and reported.
fn policy(applied: bool) -> RootMotionPolicy {
    if applied { RootMotionPolicy::Apply } else { RootMotionPolicy::Remove }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::Mirror;
    use sinew::glam::Quat;
    use sinew::motion::ik::Aim;

    #[test]
    fn modifiers_are_applied_in_the_order_of_their_slots_whatever_the_script_asked_for_first() {
        let mut actor = Actor::new(sinew::ossi());
        let mut state = ActorState::new(1, true);
        let [a, b] = [JointId::new(3), JointId::new(7)];
        let aim = Modifier::Aim(Aim::new(a, sinew::glam::Vec3::Z));
        state.set_modifier(&mut actor, Slot::LookAt(a), Some(aim));
        state.override_joint(&mut actor, b, |change| change.rotate = Quat::from_rotation_x(1.0));
        state.override_joint(&mut actor, a, |change| {
            change.scale = Some(2.0 * sinew::glam::Vec3::ONE);
        });
        let mirror = Mirror::of(actor.scene());
        state.set_modifier(&mut actor, Slot::Mirror, Some(Modifier::Mirror(mirror)));
        let kinds = |actor: &Actor| -> Vec<String> {
            let name = |(_, modifier): (ModifierId, &Modifier)| match modifier {
                Modifier::Joint(change) => format!("joint {}", change.joint.index()),
                Modifier::Mirror(_) => "mirror".into(),
                Modifier::Aim(_) => "aim".into(),
                _ => "another".into(),
            };
            actor.modifiers().iter().map(name).collect()
        };
        assert_eq!(kinds(&actor), ["mirror", "joint 3", "joint 7", "aim"]);
        // An override that changes nothing is none.
        state.override_joint(&mut actor, b, |change| change.rotate = Quat::IDENTITY);
        assert_eq!(kinds(&actor), ["mirror", "joint 3", "aim"]);
        state.reset_joints(&mut actor);
        assert_eq!(kinds(&actor), ["mirror"]);
    }
}
