//! One model on a stage: an actor, where it stands, and how its time runs.

use std::sync::Arc;

use glam::Vec3;
use sinew_deform::Bounds;
use sinew_motion::RootMode;
use sinew_render::{GpuScene, Light};
use sinew_scene::{JointId, Scene};

use super::{bones, dress};
use crate::{Actor, GraphPlayer, RootMotionPolicy, Transition};

/// Whether the lights in a model's own file shine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lights {
    /// They do not: files differ in what they mean by a light's strength.
    #[default]
    Off,
    /// They do.
    On,
}

/// One model on a stage.
#[derive(Debug)]
pub struct Member {
    /// What people call it.
    pub name: String,
    /// It, with its clip.
    pub actor: Actor,
    /// Where in its clip it is when the stage begins, in seconds.
    pub start: f64,
    /// How fast its time runs.
    pub speed: f64,
    /// Whether its clip starts over at the end; otherwise it holds its last pose.
    pub looped: bool,
    /// Ground and the like: not what a camera looks for.
    pub scenery: bool,
    /// Whether it is drawn.
    pub shown: bool,
    /// Whether the lights in its own file shine.
    pub lights: Lights,
    /// Shows how strongly this joint influences each vertex instead of the surface's own colours.
    pub heat: Option<JointId>,
    /// Which nodes are bones worth drawing.
    pub bones: Vec<bool>,
    pub(super) uploaded: Option<GpuScene>,
    /// How long the graph is shown that it plays.
    graph_seconds: Option<f64>,
}

impl Member {
    /// In its rest pose, at the origin.
    #[must_use]
    pub fn new(name: impl Into<String>, scene: impl Into<Arc<Scene>>) -> Self {
        let actor = Actor::new(scene);
        Self {
            name: name.into(),
            bones: bones(actor.scene()),
            actor,
            start: 0.0,
            speed: 1.0,
            looped: true,
            scenery: false,
            shown: true,
            lights: Lights::Off,
            heat: None,
            uploaded: None,
            graph_seconds: None,
        }
    }

    /// Takes a scene that differs from its own in clips alone; what is uploaded stays, and what plays goes on where it
    /// has the same number. Modifiers end.
    pub fn set_clips(&mut self, scene: impl Into<Arc<Scene>>) {
        let before = std::mem::replace(&mut self.actor, Actor::new(scene));
        let clips = self.actor.scene().clips.len();
        if let Some(clip) = before.clip_id().filter(|clip| clip.index() < clips) {
            self.actor.start(clip, Transition::Cut);
            self.actor.set_loop_mode(before.loop_mode());
            self.actor.set_speed(before.speed());
            self.actor.seek(before.time());
        }
        if !before.is_playing() {
            self.actor.pause();
        }
    }

    /// Follows a graph from where it stands, for so many seconds, instead of a clip. The graph's root
    /// carries it.
    ///
    /// # Panics
    /// When the graph is bound to a scene with other nodes.
    pub fn follow(&mut self, graph: GraphPlayer, seconds: f64) {
        self.actor.set_root_motion(None, RootMode::Floor, RootMotionPolicy::Apply);
        self.actor.start(graph, Transition::Cut);
        self.graph_seconds = Some(seconds);
        self.seek(0.0);
    }

    /// How long its clip takes at its speed; 0 when it does not move.
    #[must_use]
    pub fn duration(&self) -> f64 {
        let own = || f64::from(self.actor.duration());
        let clip = self.graph_seconds.filter(|_| self.actor.graph().is_some()).unwrap_or_else(own);
        if self.speed == 0.0 { 0.0 } else { clip / self.speed.abs() }
    }

    /// Stands as at this time of the stage.
    pub fn seek(&mut self, stage_time: f64) {
        let duration = f64::from(self.actor.duration());
        let time = self.start + self.speed * stage_time;
        let inside = (0.0..=duration).contains(&time);
        let time =
            if self.looped && duration > 0.0 && !inside { time.rem_euclid(duration) } else { time };
        self.actor.seek(time as f32);
    }

    /// A box around it as it is now: around its surfaces, or its nodes where it has none.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        let surfaces = self.actor.bounds();
        if !surfaces.is_empty() {
            return surfaces;
        }
        let mut nodes = Bounds::EMPTY;
        self.nodes().for_each(|node| nodes.add(node));
        nodes
    }

    /// Where its bones are now.
    pub(super) fn nodes(&self) -> impl Iterator<Item = Vec3> {
        let world = self.actor.world_from_model();
        let nodes = self.actor.pose().model_from_joint().iter().zip(&self.bones);
        let shown = nodes.filter(|(_, shown)| **shown);
        shown.map(move |(node, _)| Vec3::from((world * *node).translation))
    }

    /// Where bones without an end are drawn to: on where the bone before was going.
    pub(super) fn tips(&self) -> impl Iterator<Item = Vec3> {
        let parents = self.actor.scene().skeleton().parents();
        let mut ends = self.bones.clone();
        parents.iter().flatten().for_each(|parent| ends[parent.index()] = false);
        let world = self.actor.world_from_model();
        let joints = self.actor.pose().model_from_joint();
        let at = move |joint: usize| Vec3::from((world * joints[joint]).translation);
        let ended = parents.iter().zip(ends).enumerate().filter(|(_, (_, end))| *end);
        ended.filter_map(move |(joint, (parent, _))| {
            parent.map(|parent| at(joint) + (at(joint) - at(parent.index())) * 0.65)
        })
    }

    /// Whether there is nothing on it that a renderer draws.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        self.actor.scene().instances.is_empty()
    }

    pub(super) fn light(&self, lights: &mut Vec<Light>) {
        if self.lights == Lights::On {
            dress::lights(&self.actor, lights);
        }
    }
}
