//! One model on a stage: an actor, where it stands, and how its time runs.

use std::sync::{Arc, OnceLock};

use glam::{Affine3A, Vec3};
use sinew_deform::Bounds;
use sinew_motion::RootMode;
use sinew_render::{ActorView, Frame, GpuScene, Light};
use sinew_scene::{JointId, Scene, VariantId};

use super::mannequin::{Mannequin, MannequinPose};
use super::{Landmarks, bones, dress};
use crate::{Actor, COMPLETE, GraphPlayer, RootMotionPolicy, Transition};

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
    /// Which of its file's looks it has.
    variant: Option<VariantId>,
    pub(super) uploaded: Option<GpuScene>,
    /// What is drawn of a skeleton that has no surface of its own.
    mannequin: Option<Mannequin>,
    landmarks: OnceLock<Landmarks>,
    /// How long the graph is shown that it plays.
    graph_seconds: Option<f64>,
}

impl Member {
    /// In its rest pose, at the origin.
    #[must_use]
    pub fn new(name: impl Into<String>, scene: impl Into<Arc<Scene>>) -> Self {
        let member = Self::without_mannequin(name, scene);
        Self { mannequin: Mannequin::of_bare(member.actor.scene()), ..member }
    }

    /// The same, with nothing to draw where it has no surface of its own.
    #[must_use]
    pub fn without_mannequin(name: impl Into<String>, scene: impl Into<Arc<Scene>>) -> Self {
        let actor = Actor::new(scene);
        let bones = bones(actor.scene());
        Self {
            name: name.into(),
            mannequin: None,
            landmarks: OnceLock::new(),
            bones,
            actor,
            start: 0.0,
            speed: 1.0,
            looped: true,
            scenery: false,
            shown: true,
            lights: Lights::Off,
            heat: None,
            variant: None,
            uploaded: None,
            graph_seconds: None,
        }
    }

    /// Which of its file's material variants it is shown in.
    #[must_use]
    pub fn variant(&self) -> Option<VariantId> {
        self.variant
    }

    /// Shows it in another of its file's material variants, or as filed.
    pub fn set_variant(&mut self, variant: Option<VariantId>) {
        self.variant = variant;
        self.uploaded = self.uploaded.as_ref().map(|uploaded| uploaded.in_variant(variant));
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
        let passed = if self.looped && duration > 0.0 && !inside {
            (time / duration).floor() * duration
        } else {
            0.0
        };
        self.actor.seek((time - passed) as f32);
    }

    /// A box around it as it is now: around its surfaces, or its nodes where it has none.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        let surfaces = self.actor.bounds();
        if !surfaces.is_empty() {
            return surfaces;
        }
        let mannequin = self.mannequin_pose();
        mannequin.map_or(Bounds::EMPTY, |(_, pose)| pose.bounds())
    }

    /// Where a joint is now, in the world.
    pub(super) fn world_from_joint(&self, joint: JointId) -> Affine3A {
        self.actor.world_from_model() * self.actor.pose().model_from_joint()[joint.index()]
    }

    fn world_from_joints(&self) -> Vec<Affine3A> {
        let world = self.actor.world_from_model();
        self.actor.pose().model_from_joint().iter().map(|joint| world * *joint).collect()
    }

    /// The joints that a camera looks for.
    pub fn landmarks(&self) -> &Landmarks {
        self.landmarks.get_or_init(|| Landmarks::find(self.actor.scene()))
    }

    /// Where it faces now; `None` where its joints do not tell.
    #[must_use]
    pub fn facing(&self) -> Option<Vec3> {
        self.landmarks().facing(&self.world_from_joints())
    }

    /// What is drawn of it where it has no surface of its own.
    #[must_use]
    pub fn mannequin(&self) -> Option<&Mannequin> {
        self.mannequin.as_ref()
    }

    /// Its mannequin as it is now.
    pub(super) fn mannequin_pose(&self) -> Option<(&Mannequin, MannequinPose)> {
        let mannequin = self.mannequin.as_ref().filter(|_| COMPLETE)?;
        Some((mannequin, mannequin.pose(&self.world_from_joints())))
    }

    /// Whether there is nothing on it that a renderer draws.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        self.actor.scene().instances.is_empty()
    }

    /// The scene that is uploaded for it.
    pub(super) fn drawn(&self) -> &Arc<Scene> {
        self.mannequin.as_ref().map_or(self.actor.scene(), Mannequin::scene)
    }

    /// Puts it into a frame as it is now.
    pub(super) fn draw(&self, uploaded: &GpuScene, frame: &mut Frame) {
        match self.mannequin_pose() {
            Some((_, pose)) => frame.add(uploaded, &pose.view()),
            None => frame.add(uploaded, &ActorView { heat: self.heat, ..self.actor.view() }),
        }
    }

    pub(super) fn light(&self, lights: &mut Vec<Light>) {
        if self.lights == Lights::On {
            dress::lights(&self.actor, lights);
        }
    }
}
