//! How far off a packed clip is: every node's shell, at many times, in double precision.
//!
//! In:  the packed clip itself, as anybody samples it, and what it should be.
//! Out: the farthest that any point of a shell is off, and whose.

use rayon::prelude::*;
use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::glam::{DAffine3, DMat3, DVec3, Quat};
use sinew_scene::{Clip, JointId, Scene, Transform};

use super::numbers::Morphs;
use super::samples::Samples;
use super::sphere::above;
use crate::Packed;
use crate::decode::arc::exact_share;

/// Times a second at which errors are measured at least.
const MEASURED_RATE: f64 = 240.0;
/// The most times of them: longer clips than two hours are measured less often.
const MAX_MEASURED: f64 = (1 << 21) as f64;
/// Parts of the clip's extent that single precision may put a sampled pose off, beside what is measured.
const ROUNDING: f64 = 3e-7;
/// Times that are measured at once.
const TOGETHER: usize = 64;

/// The largest error in metres, and the node that has it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Worst {
    pub(crate) error: f64,
    pub(crate) node: usize,
}

impl Worst {
    fn larger(self, other: Self) -> Self {
        if other.error > self.error { other } else { self }
    }
}

/// What a pose should be: matrices, at first of each node in its parent, and morph weights.
pub(crate) struct Exact {
    matrices: Vec<DAffine3>,
    weights: Vec<f32>,
}

/// Measures poses of one scene.
pub(crate) struct Measure<'a> {
    scene: &'a Scene,
    shells: &'a [f32],
    /// How far each morph weight moves its farthest vertex.
    morphs: &'a Morphs,
    /// What the rounding of numbers and times may add.
    rounding: f64,
}

impl<'a> Measure<'a> {
    /// `extent` is how far from the origin the clip takes anything, in metres; `speed` how fast, in metres a second;
    /// `mixing` how far the mixing of its rotations may put it off, in metres.
    pub(crate) fn new(
        scene: &'a Scene,
        shells: &'a [f32],
        morphs: &'a Morphs,
        [extent, speed, duration, mixing]: [f32; 4],
    ) -> Self {
        // A time in single precision is off by up to half of its last place.
        let late = 0.5 * f64::from(duration.next_up() - duration);
        let rounding = ROUNDING * f64::from(extent) + late * f64::from(speed) + f64::from(mixing);
        Self { scene, shells, morphs, rounding }
    }

    /// Against the samples themselves, mixed between as the document says.
    pub(crate) fn against_samples(
        &self,
        packed: &Packed<Vec<u8>>,
        samples: &Samples,
        times: &[f32],
    ) -> Worst {
        let (frames, rate) = (samples.frames(), samples.rate);
        self.worst(packed, times, || {
            |time: f32, found: &Pose, exact: &mut Exact| {
                let at = (f64::from(time) * rate).min((frames - 1) as f64);
                let frame = (at as usize).min(frames.saturating_sub(2));
                let share = if frames > 1 { at - frame as f64 } else { 0.0 };
                let next = (frame + 1).min(frames - 1);
                for (node, local) in exact.matrices.iter_mut().enumerate() {
                    let locals = &samples.locals[node * frames..];
                    let found = found.rotation(JointId::new(node));
                    *local = between(&locals[frame], &locals[next], share, found);
                }
                samples.weights_between(frame, next, share as f32, &mut exact.weights);
            }
        })
    }

    /// Against the clip itself.
    pub(crate) fn against_clip(
        &self,
        packed: &Packed<Vec<u8>>,
        clip: &Clip,
        times: &[f32],
    ) -> Worst {
        self.worst(packed, times, || {
            let (mut pose, mut cursor) = (Pose::new(self.scene), Cursor::new());
            move |time: f32, _: &Pose, exact: &mut Exact| {
                sample(clip, time, &mut cursor, &mut pose);
                exact.take(&pose);
            }
        })
    }

    /// What is added to what is measured.
    pub(crate) fn rounding(&self) -> f64 {
        self.rounding
    }

    fn worst<F: FnMut(f32, &Pose, &mut Exact)>(
        &self,
        packed: &Packed<Vec<u8>>,
        times: &[f32],
        exact: impl Fn() -> F + Sync,
    ) -> Worst {
        let chunks = times.par_chunks(TOGETHER).map(|times| {
            let mut exact = exact();
            let mut pose = Pose::new(self.scene);
            let [mut should, mut found] = [(); 2].map(|()| Exact::new(&pose));
            let mut worst = Worst::default();
            for &time in times {
                packed.sample(time, &mut pose);
                exact(time, &pose, &mut should);
                found.take(&pose);
                self.to_model(&mut should.matrices);
                self.to_model(&mut found.matrices);
                worst = self.compare(&should, &found, worst);
            }
            worst
        });
        let worst = chunks.reduce(Worst::default, Worst::larger);
        Worst { error: worst.error + self.rounding(), ..worst }
    }

    /// The worse of what is known and how far two are apart, both in the model.
    fn compare(&self, should: &Exact, found: &Exact, mut worst: Worst) -> Worst {
        let morphs = f64::from(self.morphs.apart(&should.weights, &found.weights));
        worst = worst.larger(Worst { error: morphs, node: 0 });
        for (node, (exact, matrix)) in should.matrices.iter().zip(&found.matrices).enumerate() {
            let shell = f64::from(self.shells[node]);
            if let Some(error) = above(exact, matrix, shell, (worst.error - morphs).max(0.0)) {
                worst = worst.larger(Worst { error: error + morphs, node });
            }
        }
        worst
    }

    /// How far a straight line between two poses is from a third, of which it is `share` of the way.
    pub(crate) fn straight(&self, [from, middle, to]: [&Pose; 3], share: f64) -> f64 {
        let [mut should, mut found] = [middle, from].map(|pose| {
            let mut exact = Exact::new(pose);
            exact.take(pose);
            exact
        });
        for (node, local) in found.matrices.iter_mut().enumerate() {
            let node = JointId::new(node);
            *local = between(&from.local(node), &to.local(node), share, middle.rotation(node));
        }
        for (weight, to) in found.weights.iter_mut().zip(to.all_weights()) {
            *weight += (to - *weight) * share as f32;
        }
        self.to_model(&mut should.matrices);
        self.to_model(&mut found.matrices);
        self.compare(&should, &found, Worst::default()).error
    }

    fn to_model(&self, matrices: &mut [DAffine3]) {
        for (node, shear) in self.scene.skeleton().sheared() {
            let shear = DAffine3 { matrix3: shear.as_dmat3(), translation: DVec3::ZERO };
            matrices[node.index()] *= shear;
        }
        for (node, parent) in self.scene.skeleton().parents().iter().enumerate() {
            if let Some(parent) = parent {
                matrices[node] = matrices[parent.index()] * matrices[node];
            }
        }
    }
}

impl Exact {
    fn new(pose: &Pose) -> Self {
        let matrices = vec![DAffine3::IDENTITY; pose.len()];
        Self { matrices, weights: pose.all_weights().to_vec() }
    }

    fn take(&mut self, pose: &Pose) {
        for (node, local) in self.matrices.iter_mut().enumerate() {
            *local = affine(&pose.local(JointId::new(node)));
        }
        self.weights.copy_from_slice(pose.all_weights());
    }
}

/// The times at which a packed clip is measured: these, and 240 Hz.
pub(crate) fn measured_times(duration: f32, known: impl Iterator<Item = f32>) -> Vec<f32> {
    let rate = MEASURED_RATE.min(MAX_MEASURED / f64::from(duration).max(1.0));
    let count = (f64::from(duration) * rate).floor() as usize;
    let even = (0..=count).map(|at| (at as f64 / rate) as f32);
    let mut times: Vec<f32> = known.chain(even).chain([duration]).collect();
    times.retain(|time| (0.0..=duration).contains(time));
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}

fn affine(local: &Transform) -> DAffine3 {
    let rotation = DMat3::from_quat(local.rotation.as_dquat().normalize());
    let scale = local.scale.as_dvec3();
    DAffine3 {
        matrix3: DMat3::from_cols(
            rotation.x_axis * scale.x,
            rotation.y_axis * scale.y,
            rotation.z_axis * scale.z,
        ),
        translation: local.translation.as_dvec3(),
    }
}

/// The cosine of half an angle near 180°, below which there is no short way between two rotations.
const NO_SHORT_WAY: f64 = 0.03;

/// Translation and scale straight, rotation as a packed clip mixes it. Between rotations that are as good as opposite
/// either way will do: that of `found` is taken.
fn between(from: &Transform, to: &Transform, share: f64, found: Quat) -> DAffine3 {
    if share == 0.0 {
        return affine(from);
    }
    let [a, b] = [from, to].map(|local| local.rotation.as_dquat().normalize());
    let near = a.dot(b);
    let bent = exact_share(share, near.abs());
    let mix = |sign: f64| (a * (1.0 - bent) + b * (sign * bent)).normalize();
    let mut rotation = mix(near.signum());
    if near.abs() < NO_SHORT_WAY {
        let other = mix(-near.signum());
        let found = found.as_dquat();
        if other.dot(found).abs() > rotation.dot(found).abs() {
            rotation = other;
        }
    }
    let lerp = |from: DVec3, to: DVec3| from + (to - from) * share;
    DAffine3::from_scale_rotation_translation(
        lerp(from.scale.as_dvec3(), to.scale.as_dvec3()),
        rotation,
        lerp(from.translation.as_dvec3(), to.translation.as_dvec3()),
    )
}
