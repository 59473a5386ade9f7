//! What a script knows of one member of the stage: changes to its joints, fades, and what the last frame did.
//!
//! In:  a member, and seconds as they pass.
//! Out: its pose: as the clip or graph has it, then mirrored, then edits, then goals.
//!
//! Before anything is laid over a pose, the bare one is kept; so laying anew never asks the motion again.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use sinew::glam::{Affine3A, Vec3};
use sinew::motion::{Mirror, Plane};
use sinew::stage::Member;
use sinew::{Actor, JointId, Pose, Transform};

use crate::edit::Edit;
use crate::fading::{Fading, pass};
use crate::goal::Goal;
use crate::graphs::Bound;

/// Most markers that are told of one frame.
const MOST_MARKS: usize = 4096;

/// A marker that was passed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Passed {
    pub(crate) name: String,
    pub(crate) clip: String,
    pub(crate) time: f32,
    pub(crate) weight: f32,
}

/// What the script knows of one member of the stage.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) id: u64,
    /// Changes to joints after the clip; they last.
    pub(crate) edits: BTreeMap<usize, Edit>,
    /// What joints look at or reach for; they last too.
    pub(crate) goals: BTreeMap<usize, Goal>,
    /// From a graph to a clip, or the other way.
    pub(crate) fading: Option<Fading>,
    /// The graph that it follows.
    pub(crate) graph: Option<Rc<Bound>>,
    /// Left for right.
    pub(crate) mirror: Option<Box<Mirror>>,
    /// Whether it goes where its root carries it.
    pub(crate) carries: bool,
    /// How far the last frame moved it.
    pub(crate) moved: Transform,
    /// What the last frame passed.
    pub(crate) passed: Vec<Passed>,
    /// The pose under what is laid over it.
    bare: Option<Pose>,
    laid: bool,
    /// Something has changed since the pose was worked out.
    pub(crate) stale: bool,
    /// Whether its time passes by itself.
    pub(crate) runs: bool,
    pub(crate) hidden: bool,
}

impl Part {
    pub(crate) fn new(id: u64, runs: bool) -> Self {
        Self {
            id,
            edits: BTreeMap::new(),
            goals: BTreeMap::new(),
            fading: None,
            graph: None,
            mirror: None,
            carries: false,
            moved: Transform::IDENTITY,
            passed: Vec::new(),
            bare: None,
            laid: false,
            stale: false,
            runs,
            hidden: false,
        }
    }

    /// The pose is worked out anew when it is next needed.
    pub(crate) fn touch(&mut self) {
        self.stale = true;
    }

    /// Takes off what was laid over the pose: the motion is about to be changed by hand.
    pub(crate) fn strip(&mut self, actor: &mut Actor) {
        if std::mem::take(&mut self.laid)
            && let Some(bare) = &self.bare
        {
            actor.adjust(|pose| pose.copy_from(bare));
        }
    }

    /// Lets time pass.
    pub(crate) fn advance(&mut self, member: &mut Member, seconds: f32) {
        if self.runs {
            let actor = &mut member.actor;
            pass(actor, seconds);
            self.laid = false;
            self.stale = self.is_changed();
            self.passed.clear();
            let share = self.fading.as_ref().map_or(1.0, |fading| fading.mean(seconds));
            tell(actor, share, &mut self.passed);
            self.moved = actor.root_motion();
            if let Some(fading) = &mut self.fading {
                let goes_on = fading.advance(seconds);
                self.moved = fading.way(self.moved, share);
                if let Some(old) = fading.old() {
                    tell(old, 1.0 - share, &mut self.passed);
                }
                self.fading.take_if(|_| !goes_on);
            }
            if let Some(mirror) = &self.mirror {
                self.moved = reflected(self.moved, mirror.plane());
            }
            if self.carries && self.moved != Transform::IDENTITY {
                actor.place(actor.world_from_model() * self.moved.to_affine());
            }
        }
        self.settle(member);
    }

    /// Works out the pose: the motion's, then what is laid over it.
    pub(crate) fn settle(&mut self, member: &mut Member) {
        if !std::mem::take(&mut self.stale) {
            return;
        }
        let actor = &mut member.actor;
        self.strip(actor);
        if !self.is_changed() {
            return;
        }
        match &mut self.bare {
            Some(bare) => bare.copy_from(actor.pose()),
            None => self.bare = Some(actor.pose().clone()),
        }
        self.laid = true;
        let scene = Arc::clone(actor.scene());
        let model_from_world = actor.model_from_world();
        actor.adjust(|pose| {
            if let Some(fading) = &mut self.fading {
                fading.mix(pose);
            }
            if let Some(mirror) = &self.mirror {
                mirror.apply(pose, scene.skeleton());
            }
            for (joint, edit) in &self.edits {
                let joint = JointId::new(*joint);
                pose.set_local(joint, edit.apply(pose.local(joint)));
            }
            pose.to_model(scene.skeleton());
            for goal in self.goals.values() {
                goal.reach(pose, scene.skeleton(), model_from_world);
            }
            for goal in self.goals.values() {
                goal.look(pose, scene.skeleton(), model_from_world);
            }
        });
    }

    /// Whether the pose is more than what the motion has.
    fn is_changed(&self) -> bool {
        let laid = !self.edits.is_empty() || !self.goals.is_empty();
        laid || self.fading.is_some() || self.mirror.is_some()
    }
}

fn tell(actor: &Actor, share: f32, out: &mut Vec<Passed>) {
    let room = MOST_MARKS.saturating_sub(out.len());
    let seen = actor.events().filter(|event| event.weight * share > 0.0).take(room);
    out.extend(seen.map(|event| Passed {
        name: event.name.to_owned(),
        clip: actor.scene().clips[event.clip].name.clone(),
        time: event.time,
        weight: event.weight * share,
    }));
}

/// A way as a mirror shows it: there, along, and back.
fn reflected(way: Transform, plane: Plane) -> Transform {
    let (normal, place) = (plane.normal(), plane.normal() * plane.offset());
    let across = |v: Vec3| v - normal * (2.0 * normal.dot(v));
    let mut mirror = Affine3A::from_translation(place - across(place));
    mirror.matrix3.x_axis = across(Vec3::X).into();
    mirror.matrix3.y_axis = across(Vec3::Y).into();
    mirror.matrix3.z_axis = across(Vec3::Z).into();
    let whole = mirror * way.to_affine() * mirror;
    let (_, rotation, translation) = whole.to_scale_rotation_translation();
    Transform { translation, rotation: rotation.normalize(), scale: way.scale }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{degrees, turn};

    #[test]
    fn a_way_to_the_left_is_one_to_the_right_in_the_mirror() {
        let way = Transform {
            translation: Vec3::new(0.25, 0.5, 1.0),
            rotation: turn(Vec3::new(0.0, 30.0, 0.0)),
            ..Transform::IDENTITY
        };
        let seen = reflected(way, Plane::X);
        assert!(seen.translation.abs_diff_eq(Vec3::new(-0.25, 0.5, 1.0), 1e-6), "{seen:?}");
        assert!((degrees(seen.rotation).y + 30.0).abs() < 1e-3, "{seen:?}");
    }
}
