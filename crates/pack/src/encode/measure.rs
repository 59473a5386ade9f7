//! How far off a packed clip is: every node's shell, at many times, in double precision.
//!
//! In:  the packed clip itself, as anybody samples it, and what it should be.
//! Out: the farthest that any point of a shell is off, and whose.

use rayon::prelude::*;
use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::glam::{DAffine3, DVec3, Quat};
use sinew_scene::{Clip, InstanceId, JointId, Scene, Transform};

use super::samples::Samples;
use super::sphere::above;
use crate::Packed;
use crate::decode::rotation::exact_share;

/// Times that are measured at once.
const TOGETHER: usize = 64;
/// The cosine of half an angle near 180°, below which there is no short way between two rotations.
const NO_SHORT_WAY: f64 = 0.03;

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

/// Measures poses of one scene.
pub(crate) struct Measure<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) shells: &'a [f32],
    /// How far each morph weight moves its farthest vertex, in metres.
    pub(crate) morphs: &'a [f32],
}

impl Measure<'_> {
    /// How far a packed clip is off at these times from samples, mixed between as the document says, and from the clip
    /// itself; without samples both are the clip.
    pub(crate) fn worst(
        &self,
        packed: &Packed<Vec<u8>>,
        samples: Option<&Samples>,
        clip: &Clip,
        times: &[f32],
    ) -> [Worst; 2] {
        let chunks = times.par_chunks(TOGETHER).map(|times| {
            let (mut pose, mut exact) = (Pose::new(self.scene), Pose::new(self.scene));
            let (mut found, mut should) = (self.pose(), self.pose());
            let mut cursor = Cursor::new();
            let [mut error, mut loss] = [Worst::default(); 2];
            for &time in times {
                packed.sample(time, &mut pose);
                self.set(&mut found, |node| affine(&pose.local(JointId::new(node))));
                found.weights.copy_from_slice(pose.all_weights());
                sample(clip, time, &mut cursor, &mut exact);
                self.set(&mut should, |node| affine(&exact.local(JointId::new(node))));
                should.weights.copy_from_slice(exact.all_weights());
                loss = self.compare(&should, &found, loss);
                let Some(samples) = samples else { continue };
                let (from, to, share) = samples.around(time);
                self.set_between(&mut should, samples, [from, to], share, |node| {
                    pose.rotation(JointId::new(node))
                });
                error = self.compare(&should, &found, error);
            }
            [if samples.is_some() { error } else { loss }, loss]
        });
        chunks.reduce(|| [Worst::default(); 2], |a, b| [a[0].larger(b[0]), a[1].larger(b[1])])
    }

    /// How far a sample is from the straight way between two others.
    pub(crate) fn off_between(
        &self,
        samples: &Samples,
        at: usize,
        ends: [usize; 2],
        [should, found]: &mut [Exact; 2],
    ) -> f64 {
        self.set_between(should, samples, [at; 2], 0.0, |_| Quat::IDENTITY);
        let [start, time, end] = [ends[0], at, ends[1]].map(|at| f64::from(samples.times[at]));
        let share = (time - start) / (end - start);
        self.set_between(found, samples, ends, share, |_| Quat::IDENTITY);
        self.compare(should, found, Worst::default()).error
    }

    pub(crate) fn pose(&self) -> Exact {
        Exact {
            matrices: vec![DAffine3::IDENTITY; self.scene.skeleton().len()],
            weights: vec![0.0; self.scene.weight_count()],
        }
    }

    /// Puts nodes where they are in the model, from where they are in their parents.
    fn set(&self, pose: &mut Exact, local: impl Fn(usize) -> DAffine3) {
        let matrices = &mut pose.matrices;
        for (node, matrix) in matrices.iter_mut().enumerate() {
            *matrix = local(node);
        }
        for (node, shear) in self.scene.skeleton().sheared() {
            matrices[node.index()].matrix3 *= shear.as_dmat3();
        }
        for (node, parent) in self.scene.skeleton().parents().iter().enumerate() {
            if let Some(parent) = parent {
                matrices[node] = matrices[parent.index()] * matrices[node];
            }
        }
    }

    /// Between two samples: translation and scale straight, rotation as a packed clip mixes it. Between rotations that
    /// are as good as opposite either way will do: that of `found` is taken.
    fn set_between(
        &self,
        pose: &mut Exact,
        samples: &Samples,
        [from, to]: [usize; 2],
        share: f64,
        found: impl Fn(usize) -> Quat,
    ) {
        self.set(pose, |node| {
            let [from, to] = [from, to].map(|sample| samples.node(node)[sample]);
            if share == 0.0 { affine(&from) } else { between(&from, &to, share, || found(node)) }
        });
        let numbers = samples.numbers_at(from).iter().zip(samples.numbers_at(to));
        for (weight, (from, to)) in pose.weights.iter_mut().zip(numbers) {
            *weight = from + (to - from) * share as f32;
        }
    }

    /// The worse of what is known and how far two are apart.
    fn compare(&self, should: &Exact, found: &Exact, mut worst: Worst) -> Worst {
        let moved = |weight: usize| {
            (should.weights[weight] - found.weights[weight]).abs() * self.morphs[weight]
        };
        let instances = (0..self.scene.instances.len()).map(InstanceId::new);
        let morphs = instances.map(|id| self.scene.weight_range(id).map(moved).sum());
        let morphs = f64::from(morphs.fold(0.0_f32, f32::max));
        worst = worst.larger(Worst { error: morphs, node: 0 });
        for (node, (exact, matrix)) in should.matrices.iter().zip(&found.matrices).enumerate() {
            let shell = f64::from(self.shells[node]);
            if let Some(error) = above(exact, matrix, shell, (worst.error - morphs).max(0.0)) {
                worst = worst.larger(Worst { error: error + morphs, node });
            }
        }
        worst
    }
}

/// A pose in double precision: where nodes are in the model, and morph weights.
pub(crate) struct Exact {
    matrices: Vec<DAffine3>,
    weights: Vec<f32>,
}

fn affine(local: &Transform) -> DAffine3 {
    DAffine3::from_scale_rotation_translation(
        local.scale.as_dvec3(),
        local.rotation.as_dquat().normalize(),
        local.translation.as_dvec3(),
    )
}

fn between(from: &Transform, to: &Transform, share: f64, found: impl Fn() -> Quat) -> DAffine3 {
    let [a, b] = [from, to].map(|local| local.rotation.as_dquat().normalize());
    let near = a.dot(b);
    let bent = exact_share(share, near.abs());
    let mix = |sign: f64| (a * (1.0 - bent) + b * (sign * bent)).normalize();
    let mut rotation = mix(near.signum());
    if near.abs() < NO_SHORT_WAY {
        let other = mix(-near.signum());
        let found = found().as_dquat();
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
