//! A clip at the times of its frames: what is packed.
//!
//! In:  a clip, and frame times.
//! Out: every local transform; and, of the frames that are packed, where each node is and how it is rotated in the model.
//!
//! Everything is kept node by node, so that a search can go through all frames of one.

use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{Clip, JointId, Scene, Transform};

use crate::PackError;

/// Frames of nodes that fit in memory.
const MAX_NODE_FRAMES: usize = 1 << 24;
/// A clip at frames. Frame `f` of node `n` is at `n * frames + f`.
#[derive(Debug)]
pub(crate) struct Samples {
    /// Frames a second; 0 where they are not uniform.
    pub(crate) rate: f64,
    pub(crate) times: Vec<f32>,
    pub(crate) locals: Vec<Transform>,
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
        let (nodes, frames) = (scene.skeleton().len(), times.len());
        check_size(clip, nodes, frames)?;
        let mut samples = Self {
            rate,
            locals: vec![Transform::IDENTITY; nodes * frames],
            numbers: Vec::new(),
            times,
        };
        let (mut pose, mut cursor) = (Pose::new(scene), Cursor::new());
        for frame in 0..frames {
            let time = samples.times[frame];
            sample(clip, time, &mut cursor, &mut pose);
            pose.to_model(scene.skeleton());
            check_pose(scene, clip, time, &pose)?;
            samples.put(frame, &pose);
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

    pub(crate) fn local(&self, node: usize, frame: usize) -> Transform {
        self.locals[node * self.times.len() + frame]
    }

    /// The samples before and after a time, and how far it is from the first to the second. For uniform samples.
    pub(crate) fn around(&self, time: f32) -> (usize, usize, f64) {
        let last = self.frames() - 1;
        let at = (f64::from(time) * self.rate).min(last as f64);
        let from = (at as usize).min(last.saturating_sub(1));
        if last > 0 { (from, from + 1, at - from as f64) } else { (0, 0, 0.0) }
    }

    /// These frames alone, with times of their own.
    pub(crate) fn select(&self, frames: &[usize]) -> Self {
        fn pick<T: Copy>(all: &[T], count: usize, frames: &[usize]) -> Vec<T> {
            all.chunks(count).flat_map(|node| frames.iter().map(|&frame| node[frame])).collect()
        }
        let count = self.frames();
        Self {
            rate: 0.0,
            times: pick(&self.times, count, frames),
            locals: pick(&self.locals, count, frames),
            numbers: frames.iter().flat_map(|&frame| self.numbers_at(frame)).copied().collect(),
        }
    }

    fn put(&mut self, frame: usize, pose: &Pose) {
        let frames = self.times.len();
        for node in 0..pose.len() {
            let at = node * frames + frame;
            let mut local = pose.local(JointId::new(node));
            // A rotation and its negative are the same: of both, the one nearer to the frame before.
            if frame > 0 && local.rotation.dot(self.locals[at - 1].rotation) < 0.0 {
                local.rotation = -local.rotation;
            }
            self.locals[at] = local;
        }
        self.numbers.extend(pose.all_weights());
        self.numbers.extend(pose.properties().as_flattened());
    }
}

/// Samples in the model, in the same order.
#[derive(Debug)]
pub(crate) struct ModelSpace {
    /// Products of the rotations from the root down.
    pub(crate) rotations: Vec<Quat>,
    pub(crate) positions: Vec<Vec3>,
}

impl ModelSpace {
    pub(crate) fn new(scene: &Scene, samples: &Samples) -> Self {
        let frames = samples.frames();
        let mut rotations: Vec<Quat> = samples.locals.iter().map(|local| local.rotation).collect();
        let mut positions = vec![Vec3::ZERO; rotations.len()];
        let mut pose = Pose::new(scene);
        for frame in 0..frames {
            for node in 0..pose.len() {
                pose.set_local(JointId::new(node), samples.local(node, frame));
            }
            pose.to_model(scene.skeleton());
            for (node, parent) in scene.skeleton().parents().iter().enumerate() {
                let at = node * frames + frame;
                positions[at] = pose.model_from_joint()[node].translation.into();
                if let Some(parent) = parent {
                    let above = rotations[parent.index() * frames + frame];
                    rotations[at] = (above * rotations[at]).normalize();
                }
            }
        }
        Self { rotations, positions }
    }

    /// How far from the origin the clip takes anything, in metres; `reach` is how far each node's shell is.
    pub(crate) fn extent(&self, reach: &[f32]) -> f32 {
        let frames = self.positions.len() / reach.len();
        let places = self.positions.iter().enumerate();
        places.map(|(at, place)| place.length() + reach[at / frames]).fold(0.0, f32::max)
    }
}

pub(crate) fn check_size(clip: &Clip, nodes: usize, frames: usize) -> Result<(), PackError> {
    if nodes.saturating_mul(frames) > MAX_NODE_FRAMES {
        return Err(PackError::TooLong { seconds: clip.duration, joints: nodes });
    }
    Ok(())
}

fn check_pose(scene: &Scene, clip: &Clip, time: f32, pose: &Pose) -> Result<(), PackError> {
    let error = |what| Err(PackError::NotFinite { clip: clip.name.clone(), time, what });
    if let Some(node) = pose.model_from_joint().iter().position(|model| !model.is_finite()) {
        return error(format!("node {:?}", scene.skeleton().nodes()[node].name));
    }
    if let Some(weight) = pose.all_weights().iter().position(|weight| !weight.is_finite()) {
        return error(format!("morph weight {weight}"));
    }
    let values = pose.properties().as_flattened();
    if let Some(number) = values.iter().position(|value| !value.is_finite()) {
        return error(format!("driven value {}", number / 4));
    }
    Ok(())
}
