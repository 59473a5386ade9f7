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
use crate::decode::rotation::exact_share;

/// Times a second at which errors are measured at least.
const MEASURED_RATE: f64 = 240.0;
/// The most times of them: longer clips than two hours are measured less often.
const MAX_MEASURED: f64 = (1 << 21) as f64;
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

/// What a packed clip is compared with.
#[derive(Clone, Copy)]
pub(crate) enum Against<'a> {
    /// The clip itself.
    Clip(&'a Clip),
    /// Samples of it, mixed between as the document says.
    Samples(&'a Samples),
}

/// Measures poses of one scene.
pub(crate) struct Measure<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) shells: &'a [f32],
    pub(crate) morphs: &'a Morphs,
}

impl Measure<'_> {
    /// How far a packed clip is off at these times from each of what it is compared with.
    pub(crate) fn worst<const N: usize>(
        &self,
        packed: &Packed<Vec<u8>>,
        against: [Against<'_>; N],
        times: &[f32],
    ) -> [Worst; N] {
        let chunks = times.par_chunks(TOGETHER).map(|times| {
            let (mut pose, mut exact) = (Pose::new(self.scene), Pose::new(self.scene));
            let (mut found, mut should) = (self.pose(), self.pose());
            let mut cursor = Cursor::new();
            let mut worst = [Worst::default(); N];
            for &time in times {
                packed.sample(time, &mut pose);
                found.set(|node| pose.local(JointId::new(node)), pose.all_weights());
                self.to_model(&mut found);
                for (worst, against) in worst.iter_mut().zip(against) {
                    match against {
                        Against::Clip(clip) => {
                            sample(clip, time, &mut cursor, &mut exact);
                            should.set(|node| exact.local(JointId::new(node)), exact.all_weights());
                        }
                        Against::Samples(samples) => {
                            let (from, to, share) = samples.around(time);
                            let local =
                                |sample: usize| move |node: usize| samples.local(node, sample);
                            let weights = [from, to].map(|sample| samples.numbers_at(sample));
                            should.set_between([local(from), local(to)], weights, share, |node| {
                                pose.rotation(JointId::new(node))
                            });
                        }
                    }
                    self.to_model(&mut should);
                    *worst = self.compare(&should, &found, *worst);
                }
            }
            worst
        });
        let larger = |mut a: [Worst; N], b: [Worst; N]| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a = a.larger(b));
            a
        };
        chunks.reduce(|| [Worst::default(); N], larger)
    }

    /// How far two poses are apart, both still of nodes in their parents.
    pub(crate) fn apart(&self, should: &mut Exact, found: &mut Exact) -> f64 {
        self.to_model(should);
        self.to_model(found);
        self.compare(should, found, Worst::default()).error
    }

    pub(crate) fn pose(&self) -> Exact {
        Exact {
            matrices: vec![DAffine3::IDENTITY; self.scene.skeleton().len()],
            weights: vec![0.0; self.scene.weight_count()],
        }
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

    fn to_model(&self, Exact { matrices, .. }: &mut Exact) {
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

/// A pose in double precision: matrices, at first of each node in its parent, and morph weights.
pub(crate) struct Exact {
    matrices: Vec<DAffine3>,
    weights: Vec<f32>,
}

impl Exact {
    pub(crate) fn set(&mut self, local: impl Fn(usize) -> Transform, weights: &[f32]) {
        for (node, matrix) in self.matrices.iter_mut().enumerate() {
            *matrix = affine(&local(node));
        }
        for (to, weight) in self.weights.iter_mut().zip(weights) {
            *to = *weight;
        }
    }

    /// Translation and scale straight, rotation as a packed clip mixes it. Between rotations that are as good as
    /// opposite either way will do: that of `found` is taken.
    pub(crate) fn set_between<L: Fn(usize) -> Transform>(
        &mut self,
        [from, to]: [L; 2],
        weights: [&[f32]; 2],
        share: f64,
        found: impl Fn(usize) -> Quat,
    ) {
        for (node, matrix) in self.matrices.iter_mut().enumerate() {
            *matrix = if share == 0.0 {
                affine(&from(node))
            } else {
                between(&from(node), &to(node), share, || found(node))
            };
        }
        let pairs = weights[0].iter().zip(weights[1]);
        for (weight, (from, to)) in self.weights.iter_mut().zip(pairs) {
            *weight = from + (to - from) * share as f32;
        }
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
