//! A clip at some times: what is packed.
//!
//! In:  a clip, and times.
//! Out: every local transform, where each node is in the model, and how it is rotated there.
//!
//! Everything is kept node by node, so that a search can go through all frames of one.

use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{Clip, JointId, Scene, Transform};

use crate::PackError;

/// Frames of nodes that fit in memory.
const MAX_NODE_FRAMES: usize = (1 << 24) - 1;

/// A clip at frames. Frame `f` of node `n` is at `n * frames + f`.
#[derive(Debug)]
pub(crate) struct Samples {
    /// Frames a second; 0 where they are not uniform.
    pub(crate) rate: f64,
    pub(crate) times: Vec<f32>,
    pub(crate) locals: Vec<Transform>,
    /// In the model: products of the rotations from the root down, and positions.
    pub(crate) rotations: Vec<Quat>,
    pub(crate) positions: Vec<Vec3>,
    /// Morph weights, then four numbers of each driven value, frame after frame.
    pub(crate) numbers: Vec<f32>,
}

impl Samples {
    pub(crate) fn new(
        scene: &Scene,
        clip: &Clip,
        rate: f64,
        times: Vec<f32>,
    ) -> Result<Self, PackError> {
        check_size(clip, scene, times.len())?;
        let size = scene.skeleton().len() * times.len();
        let mut samples = Self {
            rate,
            locals: vec![Transform::IDENTITY; size],
            rotations: vec![Quat::IDENTITY; size],
            positions: vec![Vec3::ZERO; size],
            numbers: Vec::new(),
            times,
        };
        let (mut pose, mut cursor) = (Pose::new(scene), Cursor::new());
        for frame in 0..samples.frames() {
            let time = samples.times[frame];
            sample(clip, time, &mut cursor, &mut pose);
            pose.to_model(scene.skeleton());
            check_pose(scene, time, &pose)?;
            samples.put(scene, frame, &pose);
        }
        Ok(samples)
    }

    pub(crate) fn frames(&self) -> usize {
        self.times.len()
    }

    /// Morph weights and driven values of a frame.
    pub(crate) fn numbers_at(&self, frame: usize) -> &[f32] {
        let count = self.numbers.len() / self.times.len();
        &self.numbers[frame * count..][..count]
    }

    /// A node at all frames.
    pub(crate) fn node(&self, node: usize) -> &[Transform] {
        &self.locals[node * self.frames()..][..self.frames()]
    }

    /// The samples before and after a time, and how far it is from the first to the second. For uniform samples.
    pub(crate) fn around(&self, time: f32) -> (usize, usize, f64) {
        let last = self.frames() - 1;
        let at = (f64::from(time) * self.rate).min(last as f64);
        let from = (at as usize).min(last.saturating_sub(1));
        if last > 0 { (from, from + 1, at - from as f64) } else { (0, 0, 0.0) }
    }

    /// How far from the origin the clip takes anything, in metres; `radii` is how far each node's shell is.
    pub(crate) fn extent(&self, radii: &[f32]) -> f32 {
        let places = self.positions.iter().enumerate();
        places.map(|(at, place)| place.length() + radii[at / self.frames()]).fold(0.0, f32::max)
    }

    fn put(&mut self, scene: &Scene, frame: usize, pose: &Pose) {
        let frames = self.times.len();
        for (node, parent) in scene.skeleton().parents().iter().enumerate() {
            let at = node * frames + frame;
            let mut local = pose.local(JointId::new(node));
            // A rotation and its negative are the same: of both, the one nearer to the frame before.
            if frame > 0 && local.rotation.dot(self.locals[at - 1].rotation) < 0.0 {
                local.rotation = -local.rotation;
            }
            self.locals[at] = local;
            self.positions[at] = pose.model_from_joint()[node].translation.into();
            self.rotations[at] = match parent {
                Some(parent) => {
                    let above = self.rotations[parent.index() * frames + frame];
                    (above * local.rotation).normalize()
                }
                None => local.rotation,
            };
        }
        self.numbers.extend(pose.all_weights());
        self.numbers.extend(pose.properties().as_flattened());
    }
}

pub(crate) fn check_size(clip: &Clip, scene: &Scene, frames: usize) -> Result<(), PackError> {
    let nodes = scene.skeleton().len();
    if nodes.saturating_mul(frames) > MAX_NODE_FRAMES {
        return Err(PackError::Unfit(format!(
            "{} s of {nodes} nodes are too long to pack at once: cut the clip into shorter ones",
            clip.duration
        )));
    }
    Ok(())
}

fn check_pose(scene: &Scene, time: f32, pose: &Pose) -> Result<(), PackError> {
    let unfinite = |numbers: &[f32]| numbers.iter().position(|number| !number.is_finite());
    let node = pose.model_from_joint().iter().position(|model| !model.is_finite());
    let node = node.map(|node| format!("node {:?}", scene.skeleton().nodes()[node].name));
    let weight = unfinite(pose.all_weights()).map(|weight| format!("morph weight {weight}"));
    let value = unfinite(pose.properties().as_flattened());
    let value = value.map(|number| format!("driven value {}", number / 4));
    match node.or(weight).or(value) {
        Some(what) => Err(not_finite(time, &what)),
        None => Ok(()),
    }
}

pub(crate) fn not_finite(time: f32, what: &str) -> PackError {
    PackError::Unfit(format!("not finite at {time} s: expected numbers for {what}"))
}
