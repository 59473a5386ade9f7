//! Morph weights and driven values: plain numbers, rounded so that the skin is off by little.

use std::ops::Range;

use sinew_motion::Pose;
use sinew_scene::glam::{Affine3A, Vec3};
use sinew_scene::{InstanceId, Scene};

use super::samples::Samples;
use super::sphere::stretch;
use super::write::{Extra, Moving};
use crate::format::code::{code, step};
use crate::format::kind::Kind;

/// The share of the bound that all morph weights of a mesh may take together.
const SHARE_OF_WEIGHTS: f32 = 0.2;
/// Steps of a driven value's range, and the most of a morph weight's.
const VALUE_STEPS: f32 = 4096.0;
const MAX_WEIGHT_STEPS: f32 = 65536.0;

/// What morph weights do to the skin.
#[derive(Clone, Debug)]
pub(crate) struct Morphs {
    /// How far each weight moves its farthest vertex, in metres.
    reaches: Vec<f32>,
    /// The weights of each mesh instance.
    instances: Vec<Range<usize>>,
}

impl Morphs {
    pub(crate) fn new(scene: &Scene) -> Self {
        let ids = (0..scene.instances.len()).map(InstanceId::new);
        Self { reaches: reaches(scene), instances: ids.map(|id| scene.weight_range(id)).collect() }
    }

    /// How far apart two sets of weights put any vertex, at most.
    pub(crate) fn apart(&self, a: &[f32], b: &[f32]) -> f32 {
        let of = |mesh: &Range<usize>| {
            mesh.clone().map(|index| (a[index] - b[index]).abs() * self.reaches[index]).sum()
        };
        self.instances.iter().map(of).fold(0.0, f32::max)
    }
}

/// Tracks of all numbers that change, and how many metres morph weights put a vertex off.
pub(crate) fn numbers(
    scene: &Scene,
    samples: &Samples,
    morphs: &Morphs,
    bound: f32,
) -> (Vec<Moving>, f32) {
    let mut share = 2.0 * SHARE_OF_WEIGHTS;
    loop {
        let tracks = rounded(scene, samples, &morphs.reaches, share * bound);
        let error = error(samples, morphs, &tracks);
        if error <= SHARE_OF_WEIGHTS * bound || share < 1e-4 {
            return (tracks, error);
        }
        share *= 0.7;
    }
}

/// Tracks whose steps each move a vertex by `far` at most.
fn rounded(scene: &Scene, samples: &Samples, reaches: &[f32], far: f32) -> Vec<Moving> {
    let rest = Pose::new(scene);
    let rests = rest.all_weights().iter().chain(rest.properties().as_flattened());
    let count = reaches.len() + 4 * scene.properties.len();
    let mut tracks = Vec::new();
    for (index, rest) in rests.enumerate() {
        let values = samples.numbers.iter().skip(index).step_by(count.max(1));
        let low = values.clone().copied().fold(f32::INFINITY, f32::min);
        let high = values.clone().copied().fold(f32::NEG_INFINITY, f32::max);
        if (high - rest).abs().max((low - rest).abs()) < 1e-7 {
            continue;
        }
        let range = (high - low).max(1e-6);
        let (kind, place, size) = match reaches.get(index) {
            Some(reach) => {
                let size = (far / reach.max(1e-6)).clamp(range / MAX_WEIGHT_STEPS, range / 16.0);
                (Kind::Weight, index, size)
            }
            None => (Kind::Property, index - reaches.len(), range / VALUE_STEPS),
        };
        let code = code(size);
        tracks.push(Moving {
            kind,
            index: place,
            code,
            extra: Extra::Origin([low, 0.0, 0.0]),
            steps: values
                .map(|value| [((value - low) / step(code)).round() as i32, 0, 0, 0])
                .collect(),
        });
    }
    tracks
}

/// Between frames numbers go straight, and so does what they are off: it is largest at a frame.
fn error(samples: &Samples, morphs: &Morphs, tracks: &[Moving]) -> f32 {
    let mut worst = 0.0_f32;
    for frame in 0..samples.frames() {
        let exact = &samples.numbers_at(frame)[..morphs.reaches.len()];
        let mut found = exact.to_vec();
        for track in tracks.iter().filter(|track| track.kind == Kind::Weight) {
            if let Extra::Origin([low, ..]) = track.extra {
                found[track.index] = low + step(track.code) * track.steps[frame][0] as f32;
            }
        }
        worst = worst.max(morphs.apart(exact, &found));
    }
    worst
}

/// How far each morph weight moves its farthest vertex, in metres, with the scene at rest.
fn reaches(scene: &Scene) -> Vec<f32> {
    let rest = Pose::new(scene);
    let model_from_joint = rest.model_from_joint();
    let mut reaches = vec![0.0; scene.weight_count()];
    for (at, instance) in scene.instances.iter().enumerate() {
        let range = scene.weight_range(InstanceId::new(at));
        let skin = instance.skin.map(|skin| &scene.skins[skin.index()]);
        for primitive in &scene.meshes[instance.mesh.index()].primitives {
            let size = match skin.filter(|_| !primitive.influences.is_empty()) {
                None => stretched(&model_from_joint[instance.joint.index()]),
                Some(skin) => {
                    let joints = skin.joints.iter().zip(&skin.joint_from_mesh);
                    let each = joints.map(|(joint, joint_from_mesh)| {
                        stretched(&(model_from_joint[joint.index()] * *joint_from_mesh))
                    });
                    each.fold(0.0, f32::max)
                }
            };
            for (reach, morph) in reaches[range.clone()].iter_mut().zip(&primitive.morphs) {
                let farthest = |most: f32, change: &Vec3| most.max(change.length() * size);
                *reach = morph.positions.iter().fold(*reach, farthest);
            }
        }
    }
    reaches
}

fn stretched(matrix: &Affine3A) -> f32 {
    stretch(matrix.matrix3.as_dmat3()) as f32
}
