//! A clip as frames that are even in time: the fastest form to play.
//!
//! In:  a [`Clip`] and how far, in metres, the sampled clip may stray from it.
//! Out: frames of eight joints side by side, turns in 16 bits a number, that are read where they
//! lie. Nothing is remembered between two times, so forward, backward and random cost the same,
//! and one sampled clip serves any number of characters on any number of threads.
//!
//! ```
//! use sinew_motion::{Pose, SampledClip};
//! # use sinew_scene::{Clip, Curve, Interpolation, JointId, Node, Scene, SceneParts, Track, Transform, glam::Quat};
//! # let turn = |step: u32| Quat::from_rotation_z(step as f32 * 0.1);
//! # let times: Vec<f32> = (0..30).map(|step| step as f32 / 30.0).collect();
//! # let curve = Curve::new(times, (0..30).map(turn).collect(), Interpolation::Linear).unwrap();
//! # let clip = Clip { duration: 29.0 / 30.0, rotations: vec![Track { joint: JointId::new(0), curve }], ..Clip::default() };
//! # let nodes = vec![Node::new("arm", None, Transform::IDENTITY)];
//! # let scene = Scene::new(SceneParts { nodes, clips: vec![clip], ..SceneParts::default() }).unwrap();
//! let sampled = SampledClip::new(&scene, &scene.clips[0], 0.000_1);
//! assert!(sampled.error() <= 0.000_1);
//! let mut pose = Pose::new(&scene);
//! sampled.sample(0.5, &mut pose);
//! # assert!((pose.local(JointId::new(0)).rotation.to_axis_angle().1 - 1.5).abs() < 1e-4);
//! ```

mod error;
mod frame;
mod joint;
mod make;
mod play;

#[cfg(test)]
mod tests;

pub use play::{Eight, Strip};

use crate::lanes::{LANES, Lanes};
use sinew_scene::Clip;

pub use joint::{RotationScale, SampledJoint};

/// A clip as frames that are even in time.
#[derive(Clone, Debug)]
#[doc(alias = "baked clip")]
#[doc(alias = "compressed clip")]
pub struct SampledClip {
    joints: usize,
    duration: f32,
    /// Frames a second.
    rate: f32,
    frames: usize,
    error: f32,
    blocks: Vec<Block>,
    /// Frame after frame, four rows for each block that turns.
    rotations: Vec<[[i16; LANES]; 4]>,
    /// Frame after frame, three rows for each block that moves, then for each that scales.
    vectors: Vec<[[f32; LANES]; 3]>,
    numbers: Numbers,
}

/// What is known of eight joints for the whole sampled clip.
#[derive(Clone, Debug)]
struct Block {
    /// Where the joints stand that do not move.
    still: Lanes,
    rotations: Option<Rotations>,
    /// Per lane one where translations go on between frames, zero where they hold.
    moves: Option<[f32; LANES]>,
    /// The same for scales.
    scales: Option<[f32; LANES]>,
}

/// How 16 bits become quaternions: `bits · step + middle`.
#[derive(Clone, Copy, Debug)]
struct Rotations {
    step: [[f32; LANES]; 4],
    middle: [[f32; LANES]; 4],
    /// One where turns go on between frames, zero where they hold.
    goes: [f32; LANES],
}

/// Morph weights and numbers of driven values, where the clip has any.
#[derive(Clone, Debug, Default)]
struct Numbers {
    weights: usize,
    properties: usize,
    /// Frame after frame: weights, then four numbers for each driven value.
    values: Vec<f32>,
    /// For each, whether it goes on between frames.
    goes: Vec<f32>,
}

impl SampledClip {
    /// How many joints the poses have that it is for.
    #[must_use]
    pub fn joints(&self) -> usize {
        self.joints
    }

    /// Seconds.
    #[must_use]
    pub fn duration(&self) -> f32 {
        self.duration
    }

    /// Frames a second.
    #[must_use]
    pub fn rate(&self) -> f32 {
        self.rate
    }

    /// How many frames there are, one at least.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// How far a point 10 cm from a joint was measured to stray from the clip, in metres.
    #[must_use]
    pub fn error(&self) -> f32 {
        self.error
    }

    /// Bytes in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(&self.blocks[..])
            + size_of_val(&self.rotations[..])
            + size_of_val(&self.vectors[..])
            + size_of_val(&self.numbers.values[..])
            + size_of_val(&self.numbers.goes[..])
    }
}

/// Whether a time makes sense as a clip's length.
fn length(clip: &Clip) -> f32 {
    if clip.duration.is_finite() { clip.duration.max(0.0) } else { 0.0 }
}
