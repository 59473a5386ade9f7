//! A clip worked out once: every palette of every frame, to be played back without sampling.
//!
//! In:  a scene, one of its clips, frames a second.
//! Out: a [`Baked`] that any number of [`Replay`](crate::Replay)s share.
//!
//! Frames lie evenly from the clip's first moment to its last, both included, so that a loop closes. A frame has one
//! matrix of 48 bytes for each joint of each skin and one for each mesh that is drawn, the morph weights, and a box.
//! Driven values of materials, lights and cameras are not kept.

use std::fmt;
use std::sync::Arc;

use glam::Affine3;
use sinew_deform::Bounds;
use sinew_scene::{InstanceId, Scene};

use crate::actor::find_clip;
use crate::{Actor, ClipNotFoundError, Transition};

/// Most bytes that one clip may take.
const MOST_BYTES: u64 = 1 << 30;

/// A clip as palettes, frame by frame.
///
/// ```
/// use std::sync::Arc;
/// use sinew::{Baked, Replay};
/// let baked = Baked::new(sinew::demo(), "wave", 30.0)?;
/// assert!(baked.bytes() < 100_000);
/// let mut replay = Replay::new(Arc::new(baked));
/// replay.advance(0.25);
/// assert_eq!(replay.palette(0).len(), 3);
/// # Ok::<(), sinew::BakeError>(())
/// ```
#[derive(Clone)]
pub struct Baked {
    scene: Arc<Scene>,
    duration: f32,
    frames: usize,
    /// Of each frame: the palettes of all skins, then the node of each instance; all in the model.
    matrices: Vec<Affine3>,
    weights: Vec<f32>,
    /// One for each instance.
    hidden: Vec<bool>,
    bounds: Vec<Bounds>,
}

impl fmt::Debug for Baked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (frames, bytes) = (self.frames, self.bytes());
        write!(f, "Baked({} s in {frames} frames, {bytes} bytes)", self.duration)
    }
}

/// Why a clip could not be baked.
#[derive(Clone, Debug, PartialEq)]
pub enum BakeError {
    /// The scene has no such clip.
    ClipNotFoundError(ClipNotFoundError),
    /// Frames a second must be a number above zero.
    Rate(f32),
    /// So many bytes would be needed.
    TooLarge {
        /// For the whole clip.
        bytes: u64,
    },
}

impl fmt::Display for BakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ClipNotFoundError(error) => error.fmt(f),
            Self::Rate(rate) => {
                write!(f, "cannot bake {rate} frames a second: expected a number above 0")
            }
            Self::TooLarge { bytes } => write!(
                f,
                "the baked clip would take {bytes} bytes: expected at most {MOST_BYTES}; fewer frames a second take less"
            ),
        }
    }
}

impl std::error::Error for BakeError {}

impl From<ClipNotFoundError> for BakeError {
    fn from(error: ClipNotFoundError) -> Self {
        Self::ClipNotFoundError(error)
    }
}

impl Baked {
    /// Works out the clip of this name.
    ///
    /// # Errors
    /// When there is no such clip, the rate is no number above zero, or the result would be larger than a gibibyte.
    pub fn new(scene: impl Into<Arc<Scene>>, clip: &str, fps: f32) -> Result<Self, BakeError> {
        let scene = scene.into();
        let clip = find_clip(&scene, clip)?;
        if !(fps.is_finite() && fps > 0.0) {
            return Err(BakeError::Rate(fps));
        }
        let mut actor = Actor::new(scene);
        actor.start(clip, Transition::Cut);
        let mut baked = Self::empty(&actor, fps)?;
        for frame in 0..baked.frames {
            actor.seek(baked.duration * frame as f32 / (baked.frames - 1).max(1) as f32);
            baked.push(&actor);
        }
        Ok(baked)
    }

    /// With room for all frames.
    fn empty(actor: &Actor, fps: f32) -> Result<Self, BakeError> {
        let scene = actor.scene();
        let duration = actor.duration();
        let frames = (f64::from(duration) * f64::from(fps)).ceil() + 1.0;
        let bytes = frames * bytes_per_frame(scene) as f64;
        if bytes > MOST_BYTES as f64 {
            return Err(BakeError::TooLarge { bytes: bytes as u64 });
        }
        let frames = frames as usize;
        Ok(Self {
            matrices: Vec::with_capacity(frames * matrices_per_frame(scene)),
            weights: Vec::with_capacity(frames * scene.weight_count()),
            hidden: Vec::with_capacity(frames * scene.instances.len()),
            bounds: Vec::with_capacity(frames),
            scene: Arc::clone(scene),
            duration,
            frames,
        })
    }

    fn push(&mut self, actor: &Actor) {
        for skin in 0..self.scene.skins.len() {
            self.matrices.extend(actor.palette(skin).iter().map(|matrix| Affine3::from(*matrix)));
        }
        let joints = actor.pose().model_from_joint();
        let nodes = self.scene.instances.iter().map(|drawn| joints[drawn.joint.index()]);
        self.matrices.extend(nodes.map(Affine3::from));
        self.weights.extend_from_slice(actor.pose().all_weights());
        let instances = (0..self.scene.instances.len()).map(InstanceId::new);
        self.hidden.extend(instances.map(|instance| actor.hides(instance)));
        self.bounds.push(actor.bounds());
    }

    /// The scene, shared by all who play it.
    #[must_use]
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// In seconds.
    #[must_use]
    pub fn duration(&self) -> f32 {
        self.duration
    }

    /// How many frames there are.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// What the frames take in memory: for each 48 bytes a matrix, 4 a morph weight, 1 a drawn mesh, 24 for its box.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.frames * bytes_per_frame(&self.scene)
    }

    /// The frame at or before a time, and how far it is to the next one, from 0 to 1.
    pub(crate) fn at(&self, time: f32) -> (usize, f32) {
        let last = self.frames - 1;
        if last == 0 || self.duration <= 0.0 {
            return (0, 0.0);
        }
        let place = (f64::from(time) / f64::from(self.duration)).clamp(0.0, 1.0) * last as f64;
        let frame = (place as usize).min(last - 1);
        (frame, (place - frame as f64) as f32)
    }

    pub(crate) fn matrices(&self, frame: usize) -> &[Affine3] {
        let count = matrices_per_frame(&self.scene);
        &self.matrices[frame * count..(frame + 1) * count]
    }

    pub(crate) fn weights(&self, frame: usize) -> &[f32] {
        let count = self.scene.weight_count();
        &self.weights[frame * count..(frame + 1) * count]
    }

    pub(crate) fn hidden(&self, frame: usize) -> &[bool] {
        let count = self.scene.instances.len();
        &self.hidden[frame * count..(frame + 1) * count]
    }

    pub(crate) fn bounds(&self, frame: usize) -> Bounds {
        self.bounds[frame]
    }
}

fn matrices_per_frame(scene: &Scene) -> usize {
    scene.instances.len() + scene.skins.iter().map(|skin| skin.joints.len()).sum::<usize>()
}

fn bytes_per_frame(scene: &Scene) -> usize {
    matrices_per_frame(scene) * size_of::<Affine3>()
        + scene.weight_count() * size_of::<f32>()
        + scene.instances.len()
        + size_of::<Bounds>()
}
