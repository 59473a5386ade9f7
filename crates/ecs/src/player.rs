//! A playhead and a pose over a shared scene: what the animation step moves on.
//!
//! In:  a clip's name or number, speed, mode, time.
//! Out: a pose that every [`Driven`] entity takes its part of.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use sinew::motion::{Cursor, Mode, Player, Pose, Progress, sample};
use sinew::scene::{CameraId, Clip, InstanceId, JointId, LightId};
use sinew::{NoSuchClip, Scene};

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
    /// Stopped since the last run: the rest pose is written once.
    returning: bool,
    writes: bool,
}

/// Takes its values from a player.
#[derive(Clone, Component, Copy, Debug, PartialEq, Eq)]
pub struct Driven {
    /// An entity with an [`AnimationPlayer`]. When it is gone, nothing is driven.
    pub player: Entity,
    /// Which part of the player's scene this entity is.
    pub part: Part,
}

/// A part of a scene that a clip may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
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
            player: Player::new(0.0, Mode::Loop),
            cursor: Cursor::with_capacity(tracks),
            pose: Pose::new(&scene),
            progress: Progress::default(),
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
    pub fn play(&mut self, name: &str) -> Result<(), NoSuchClip> {
        let found = self.scene.clips.iter().position(|clip| clip.name == name);
        found.map(|index| self.start(index)).ok_or_else(|| self.no_such(name))
    }

    /// Plays the clip with this number from its start.
    ///
    /// # Errors
    /// When the scene has none; the player goes on as it was.
    pub fn play_index(&mut self, index: usize) -> Result<(), NoSuchClip> {
        if index >= self.scene.clips.len() {
            return Err(self.no_such(&index.to_string()));
        }
        self.start(index);
        Ok(())
    }

    fn start(&mut self, index: usize) {
        let (mode, speed) = (self.player.mode(), self.player.speed());
        self.player = Player::new(self.scene.clips[index].duration, mode);
        self.player.set_speed(speed);
        self.clip = Some(index);
    }

    fn no_such(&self, name: &str) -> NoSuchClip {
        let available = self.scene.clips.iter().map(|clip| clip.name.clone()).collect();
        NoSuchClip { name: name.to_owned(), available }
    }

    /// Drops the clip; everyone driven goes back to rest with the next run, and is free from then on.
    pub fn stop(&mut self) {
        self.clip = None;
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

    pub(crate) fn advance(&mut self, seconds: f32) {
        self.progress = self.player.advance(seconds);
        self.writes = self.clip.is_some() || std::mem::take(&mut self.returning);
        match self.clip {
            Some(index) => {
                let clip = &self.scene.clips[index];
                sample(clip, self.player.time(), &mut self.cursor, &mut self.pose);
            }
            None if self.writes => self.pose.to_rest(),
            None => {}
        }
    }

    /// Whether the pose is to be taken over in this run.
    pub(crate) fn writes(&self) -> bool {
        self.writes
    }
}
