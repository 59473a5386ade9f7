//! One motion at play, with its playhead and the pose that it was last sampled to.
//!
//! Sources lie in a stack, oldest first. Each fades in over all below it, so a transition may begin
//! while another is under way and nothing jumps.

use sinew_motion::graph::{Event, GraphPlayer};
use sinew_motion::{Cursor, Fade, LoopMode, Player, Pose, Progress, Step, sample};
use sinew_scene::{ClipId, Scene, Transform};

use super::motion::Motion;
use super::root_motion::RootJoint;
use crate::COMPLETE;

/// One motion at play.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) motion: Motion,
    /// Where a clip or packed clip is; seconds that have passed are scaled before they get here.
    pub(super) player: Player,
    cursor: Cursor,
    pose: Pose,
    /// How far it has come in over those below it.
    pub(super) fade: Fade,
    /// What the last step did, with its mean weight over the step.
    step: Option<Step>,
    pub(super) weight: f32,
    /// How far the last step moved the character.
    pub(super) root_motion: Transform,
    /// Its pose does not change any more.
    frozen: bool,
}

impl Source {
    pub(super) fn new(pose: Pose, tracks: usize) -> Self {
        Self {
            motion: Motion::Rest,
            player: Player::new(0.0, LoopMode::Loop),
            cursor: Cursor::with_capacity(tracks),
            pose,
            fade: Fade::done(),
            step: None,
            weight: 1.0,
            root_motion: Transform::IDENTITY,
            frozen: false,
        }
    }

    /// Begins another motion.
    pub(super) fn begin(&mut self, motion: Motion, scene: &Scene, mode: LoopMode, fade: Fade) {
        let duration = match &motion {
            Motion::Clip(clip) => scene[*clip].duration,
            Motion::Packed(clip) => clip.duration(),
            Motion::Rest | Motion::Graph(_) => 0.0,
        };
        self.player = Player::new(duration, mode);
        self.motion = motion;
        self.fade = fade;
        self.step = None;
        self.weight = 1.0;
        self.root_motion = Transform::IDENTITY;
        self.frozen = false;
    }

    pub(super) fn graph(&self) -> Option<&GraphPlayer> {
        match &self.motion {
            Motion::Graph(graph) if COMPLETE => Some(graph),
            _ => None,
        }
    }

    pub(super) fn graph_mut(&mut self) -> Option<&mut GraphPlayer> {
        match &mut self.motion {
            Motion::Graph(graph) if COMPLETE => Some(graph),
            _ => None,
        }
    }

    /// Lets seconds of the motion pass.
    pub(super) fn advance(&mut self, seconds: f32, scene: &Scene, root: Option<&mut RootJoint>) {
        if let Some(graph) = self.graph_mut() {
            let root = graph.advance(seconds.max(0.0)).root;
            self.root_motion = root;
            return;
        }
        let step = self.player.step(seconds);
        self.step = Some(step);
        self.root_motion = match (root, self.frozen) {
            (Some(root), false) if COMPLETE => root.delta(&self.motion, &step, scene),
            _ => Transform::IDENTITY,
        };
    }

    /// How often the last step passed an end.
    pub(super) fn progress(&self) -> Progress {
        self.step.map_or_else(Progress::default, |step| step.progress())
    }

    /// Samples the motion at its playhead, into its own pose.
    pub(super) fn sample(&mut self, scene: &Scene, root: Option<&RootJoint>) {
        if !self.frozen {
            let time = self.player.time();
            write(&self.motion, time, &mut self.cursor, scene, root, &mut self.pose);
        }
    }

    /// The same, into a pose of the caller's.
    pub(super) fn sample_into(&mut self, scene: &Scene, root: Option<&RootJoint>, out: &mut Pose) {
        self.sample_at(self.player.time(), scene, root, out);
    }

    /// The motion at another time than its playhead's; a graph knows only its own.
    pub(super) fn sample_at(
        &mut self,
        time: f32,
        scene: &Scene,
        root: Option<&RootJoint>,
        out: &mut Pose,
    ) {
        match &self.motion {
            Motion::Graph(graph) if COMPLETE => out.copy_from(graph.pose()),
            _ if self.frozen => out.copy_from(&self.pose),
            motion => write(motion, time, &mut self.cursor, scene, root, out),
        }
    }

    /// The pose that it was last sampled to.
    pub(super) fn pose(&self) -> &Pose {
        self.graph().map_or(&self.pose, GraphPlayer::pose)
    }

    /// Holds a pose from now on, and gives its old one back for another use.
    pub(super) fn freeze(&mut self, pose: &mut Pose) {
        std::mem::swap(&mut self.pose, pose);
        self.motion = Motion::Rest;
        self.step = None;
        self.root_motion = Transform::IDENTITY;
        self.frozen = true;
    }

    /// The markers that the last step passed, each with how much of the source was seen.
    pub(super) fn events<'a>(&'a self, scene: &'a Scene) -> impl Iterator<Item = Event<'a>> {
        let clip = match (&self.motion, self.step) {
            (Motion::Clip(clip), Some(step)) => Some((*clip, step)),
            _ => None,
        };
        let of_clip = clip.into_iter().flat_map(move |(clip, step): (ClipId, Step)| {
            step.markers(&scene[clip].markers).map(move |marker| Event {
                name: &marker.name,
                clip,
                time: marker.time,
                weight: self.weight,
            })
        });
        let of_graph = self.graph().into_iter().flat_map(move |graph| {
            graph.events().map(move |event| Event { weight: event.weight * self.weight, ..event })
        });
        of_clip.chain(of_graph)
    }
}

fn write(
    motion: &Motion,
    time: f32,
    cursor: &mut Cursor,
    scene: &Scene,
    root: Option<&RootJoint>,
    out: &mut Pose,
) {
    match motion {
        Motion::Rest => out.to_rest(),
        Motion::Clip(clip) => sample(&scene[*clip], time, cursor, out),
        Motion::Packed(clip) if COMPLETE => clip.sample(time, out),
        // A graph writes its own pose, and holds its own root joint in place.
        Motion::Packed(_) | Motion::Graph(_) => return,
    }
    if let Some(root) = root.filter(|_| COMPLETE) {
        root.hold(out);
    }
}
