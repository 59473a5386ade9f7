//! Jumping to a time, in clips and in graphs.
//!
//! A graph's pose depends on all that came before, so it is played again from its start, in whole
//! steps and one shorter one: the same time always gives the same pose, whatever was shown before.

use glam::Affine3A;
use sinew_motion::graph::GraphPlayer;
use sinew_motion::{LoopMode, then};
use sinew_scene::Transform;

use super::{Animator, Motion, RootMotionPolicy};
use crate::COMPLETE;

/// Graphs are played again in steps of this many seconds.
const STEP: f64 = 1.0 / 60.0;
/// Longer than anybody waits for, in seconds.
const MAX_SECONDS: f64 = 3600.0;

/// A graph as it was when it began, and how far it was played again.
#[derive(Clone, Debug)]
pub(super) struct GraphStart {
    start: GraphPlayer,
    /// After whole steps; made by the first seek.
    whole: Option<GraphPlayer>,
    steps: u64,
    /// How far those steps moved the character.
    moved: Transform,
    world_from_start: Affine3A,
    /// Seconds since the start.
    pub(super) time: f64,
}

impl GraphStart {
    pub(super) fn new(graph: &GraphPlayer, world_from_start: Affine3A) -> Self {
        Self {
            start: graph.clone(),
            whole: None,
            steps: 0,
            moved: Transform::IDENTITY,
            world_from_start,
            time: 0.0,
        }
    }

    /// The character is put elsewhere; at the graph's start, that is where it starts.
    pub(super) fn place(&mut self, world_from_model: Affine3A) {
        if self.time == 0.0 {
            self.world_from_start = world_from_model;
        }
    }

    /// Time has passed for the graph itself.
    pub(super) fn pass(&mut self, seconds: f32) {
        self.time += f64::from(seconds.max(0.0));
    }

    /// The graph at a time, with the parameters of `now`, and how far it has moved the character.
    fn at(&mut self, time: f64, now: &GraphPlayer) -> (GraphPlayer, Transform) {
        self.time = if time.is_finite() { time.clamp(0.0, MAX_SECONDS) } else { 0.0 };
        // A hair more, so that a time that is a whole step is not one step and nearly another.
        let steps = (self.time / STEP + 1e-6) as u64;
        if steps < self.steps || !self.start.has_parameters_of(now) {
            self.start.copy_parameters(now);
            self.whole = None;
            self.steps = 0;
            self.moved = Transform::IDENTITY;
        }
        let whole = self.whole.get_or_insert_with(|| {
            let mut first = self.start.clone();
            first.advance(0.0);
            first
        });
        while self.steps < steps {
            self.moved = then(self.moved, whole.advance(STEP as f32).root);
            self.steps += 1;
        }
        let mut shown = whole.clone();
        let rest = (self.time - steps as f64 * STEP).max(0.0) as f32;
        let moved = then(self.moved, shown.advance(rest).root);
        (shown, moved)
    }
}

impl Animator {
    /// Seconds from the start of what plays.
    #[must_use]
    pub fn time(&self) -> f32 {
        match &self.graph_start {
            Some(start) => start.time as f32,
            None => self.current().player.time(),
        }
    }

    /// Whether a clip that plays once has come to its end, or back to its start at negative speed.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        let player = &self.current().player;
        let at_end = if self.speed < 0.0 {
            player.time() <= 0.0
        } else {
            player.time() >= player.duration()
        };
        let is_clip = matches!(self.motion(), Motion::Clip(_) | Motion::Packed(_));
        is_clip && self.loop_mode == LoopMode::Once && at_end
    }

    /// Jumps to a time, held within a clip; a transition that is under way ends. A graph is played
    /// again from its start with its parameters as they are now, and with
    /// [`RootMotionPolicy::Apply`] the character is put where that leads.
    pub fn seek(&mut self, time: f32) {
        self.retire(self.sources.len() - 1);
        self.set_playhead(time);
        self.root_motion = Transform::IDENTITY;
        self.jump();
    }

    /// Puts what was asked for at a time; what it fades in over plays on.
    pub(super) fn set_playhead(&mut self, time: f32) {
        let last = self.sources.len() - 1;
        let source = &mut self.sources[last];
        let start = self.graph_start.as_mut().filter(|_| COMPLETE);
        if let (Some(start), Some(now)) = (start, source.graph_mut()) {
            let (graph, moved) = start.at(f64::from(time), now);
            *now = graph;
            if self.policy == RootMotionPolicy::Apply {
                let moved = self.modifiers.mirrored(moved);
                self.world_from_model = start.world_from_start * moved.to_affine();
            }
        }
        source.player.seek(time);
    }
}
