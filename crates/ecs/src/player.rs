//! A playhead and a pose over a shared scene: what the animation step moves on.
//!
//! In:  a clip's name or number, speed, mode, time.
//! Out: a pose that every [`Driven`] entity takes its part of.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use sinew::motion::{Cursor, Ease, Fade, Layer, LoopMode, Player, Pose, Progress, blend, sample};
use sinew::scene::{CameraId, Clip, InstanceId, JointId, LightId};
use sinew::{ClipNotFoundError, Scene};

/// Plays clips of a scene. While one plays, it owns every entity that is [`Driven`] by it: what the clip does not
/// move is at rest. Take `Driven` off an entity to have it for yourself.
#[derive(Clone, Component, Debug)]
pub struct AnimationPlayer {
    scene: Arc<Scene>,
    clip: Option<usize>,
    player: Player,
    cursor: Cursor,
    pose: Pose,
    progress: Progress,
    leaving: Option<Box<Leaving>>,
    /// Stopped since the last run: the rest pose is written once.
    returning: bool,
    writes: bool,
}

/// What a cross-fade comes from, and where the new clip is sampled meanwhile.
#[derive(Clone, Debug)]
struct Leaving {
    fade: Fade,
    /// The old clip plays on; `None` holds the pose as it was.
    clip: Option<usize>,
    player: Player,
    cursor: Cursor,
    old: Pose,
    new: Pose,
}

/// Takes its values from a player.
#[derive(Clone, Component, Copy, Debug, PartialEq, Eq)]
pub struct Driven {
    /// An entity with an [`AnimationPlayer`]. When it is gone, nothing is driven.
    pub player: Entity,
    /// Which part of the player's scene this entity is.
    pub part: DrivenPart,
}

/// A part of a scene that a clip may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrivenPart {
    /// A node: its [`LocalTransform`](crate::LocalTransform).
    Node(JointId),
    /// A mesh: its [`MorphWeights`](crate::MorphWeights).
    Mesh(InstanceId),
    /// A [`Light`](crate::Light).
    Light(LightId),
    /// A [`Camera`](crate::Camera).
    Camera(CameraId),
}

impl AnimationPlayer {
    /// Plays nothing yet.
    #[must_use]
    pub fn new(scene: impl Into<Arc<Scene>>) -> Self {
        let scene = scene.into();
        let tracks = scene.clips.iter().map(Clip::track_count).max().unwrap_or(0);
        Self {
            clip: None,
            player: Player::new(0.0, LoopMode::Loop),
            cursor: Cursor::with_capacity(tracks),
            pose: Pose::new(&scene),
            progress: Progress::default(),
            leaving: None,
            returning: false,
            writes: false,
            scene,
        }
    }

    /// The scene whose clips it plays.
    #[must_use]
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// Plays the clip of this name from its start.
    ///
    /// # Errors
    /// When the scene has none; the player goes on as it was.
    pub fn play(&mut self, name: &str) -> Result<(), ClipNotFoundError> {
        let found = self.scene.clips.iter().position(|clip| clip.name == name);
        let index = found.ok_or_else(|| self.no_such(name))?;
        self.leaving = None;
        self.start(index);
        Ok(())
    }

    /// Goes over to the clip of this name within some seconds, smoothly; what played before plays on meanwhile. A fade
    /// that is not done yet is taken from where it is.
    ///
    /// # Errors
    /// When the scene has none; the player goes on as it was.
    pub fn fade_to(&mut self, name: &str, seconds: f32) -> Result<(), ClipNotFoundError> {
        let found = self.scene.clips.iter().position(|clip| clip.name == name);
        let index = found.ok_or_else(|| self.no_such(name))?;
        let fade = Fade::new(seconds, Ease::Smooth);
        let clip = if self.leaving.is_some() { None } else { self.clip };
        let leaving = Leaving {
            fade,
            clip,
            player: self.player,
            cursor: self.cursor.clone(),
            old: self.pose.clone(),
            new: self.pose.clone(),
        };
        self.leaving = (!fade.is_done()).then(|| Box::new(leaving));
        self.start(index);
        Ok(())
    }

    /// Plays the clip with this number from its start.
    ///
    /// # Errors
    /// When the scene has none; the player goes on as it was.
    pub fn play_index(&mut self, index: usize) -> Result<(), ClipNotFoundError> {
        if index >= self.scene.clips.len() {
            return Err(self.no_such(&index.to_string()));
        }
        self.leaving = None;
        self.start(index);
        Ok(())
    }

    fn start(&mut self, index: usize) {
        let (mode, speed) = (self.player.mode(), self.player.speed());
        self.player = Player::new(self.scene.clips[index].duration, mode);
        self.player.set_speed(speed);
        self.clip = Some(index);
    }

    fn no_such(&self, name: &str) -> ClipNotFoundError {
        let available = self.scene.clips.iter().map(|clip| clip.name.clone()).collect();
        ClipNotFoundError { name: name.to_owned(), available }
    }

    /// Drops the clip; everyone driven goes back to rest with the next run, and is free from then on.
    pub fn stop(&mut self) {
        self.clip = None;
        self.leaving = None;
        self.player.pause();
        self.returning = true;
    }

    /// The clip that plays, if any.
    #[must_use]
    pub fn clip(&self) -> Option<&Clip> {
        self.clip.map(|index| &self.scene.clips[index])
    }

    /// The playhead: time, speed, what happens at the end.
    #[must_use]
    pub fn player(&self) -> &Player {
        &self.player
    }

    /// The playhead, to seek, pause, resume, or change its speed or mode.
    pub fn player_mut(&mut self) -> &mut Player {
        &mut self.player
    }

    /// What the last run did: how often an end was passed, and whether the clip came to its end.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Local transforms, morph weights and driven values as the clip has them. Its model matrices are not kept up
    /// to date: the node step works them out for entities.
    #[must_use]
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Lets seconds pass and brings the pose up to date. [`Step::Animation`](crate::Step::Animation) does it; call it
    /// where other systems than these take the pose over.
    pub fn advance(&mut self, seconds: f32) {
        self.progress = self.player.advance(seconds);
        self.writes = self.clip.is_some() || std::mem::take(&mut self.returning);
        let Some(clip) = self.clip.map(|index| &self.scene.clips[index]) else {
            if self.writes {
                self.pose.to_rest();
            }
            return;
        };
        let Some(leaving) = &mut self.leaving else {
            sample(clip, self.player.time(), &mut self.cursor, &mut self.pose);
            return;
        };
        sample(clip, self.player.time(), &mut self.cursor, &mut leaving.new);
        leaving.player.advance(seconds);
        if let Some(old) = leaving.clip.map(|index| &self.scene.clips[index]) {
            sample(old, leaving.player.time(), &mut leaving.cursor, &mut leaving.old);
        }
        let share = leaving.fade.advance(seconds);
        let layers = [Layer::new(&leaving.old, 1.0 - share), Layer::new(&leaving.new, share)];
        blend(layers, &mut self.pose);
        if leaving.fade.is_done() {
            self.leaving = None;
        }
    }

    /// Takes over the pose of a graph, while the clip stands still. False when it is a pose of another scene: nothing
    /// changes then.
    pub(crate) fn follow(&mut self, pose: &Pose) -> bool {
        let fits = self.pose.len() == pose.len()
            && self.pose.all_weights().len() == pose.all_weights().len()
            && self.pose.properties().len() == pose.properties().len();
        if fits {
            self.progress = Progress::default();
            self.pose.copy_from(pose);
            self.writes = true;
            // Once the graph is gone, the nodes go back.
            self.returning = true;
        }
        fits
    }

    /// The pose for goals to change, model matrices up to date; at rest where no clip plays.
    pub(crate) fn pose_for_goals(&mut self) -> (&mut Pose, &Scene) {
        if !self.writes {
            self.pose.to_rest();
            self.writes = true;
        }
        // Once the last goal is gone, the nodes go back.
        self.returning = true;
        self.pose.to_model(self.scene.skeleton());
        (&mut self.pose, &self.scene)
    }

    /// Whether the pose is to be taken over after the last run: a clip or graph plays, or was just stopped.
    #[must_use]
    pub fn writes(&self) -> bool {
        self.writes
    }
}
