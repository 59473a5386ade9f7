//! Morph weights and driven values: plain numbers, rounded so that the skin is off by little.

use sinew_motion::Pose;
use sinew_scene::glam::{Affine3A, Vec3};
use sinew_scene::{InstanceId, Scene};

use super::samples::Samples;
use super::search::Track;
use super::sphere::stretch;
use crate::format::code::{code, step};
use crate::format::kind::Kind;

/// The share of the bound that all morph weights may take together.
const SHARE_OF_WEIGHTS: f32 = 0.3;
/// Steps of a driven value's range, and the most of a morph weight's.
const VALUE_STEPS: f32 = 4096.0;
const MAX_WEIGHT_STEPS: f32 = 65536.0;

/// Tracks of all numbers that change, and how many metres morph weights put a vertex off at most.
pub(crate) fn numbers(
    scene: &Scene,
    samples: &Samples,
    morphs: &[f32],
    bound: f32,
) -> (Vec<Track>, f32) {
    let rest = Pose::new(scene);
    let rests = rest.all_weights().iter().chain(rest.properties().as_flattened());
    let count = morphs.len() + 4 * scene.properties.len();
    let changing = rests.enumerate().filter_map(|(index, rest)| {
        let values = samples.numbers.iter().skip(index).step_by(count).copied();
        let low = values.clone().fold(f32::INFINITY, f32::min);
        let high = values.fold(f32::NEG_INFINITY, f32::max);
        let changes = (high - rest).abs().max((low - rest).abs()) >= 1e-7;
        changes.then_some((index, low, (high - low).max(1e-6)))
    });
    let changing: Vec<(usize, f32, f32)> = changing.collect();
    let weights = changing.iter().filter(|(index, ..)| *index < morphs.len()).count();
    let far = if weights > 0 { SHARE_OF_WEIGHTS * bound } else { 0.0 };
    let tracks = changing.iter().map(|&(index, low, range)| {
        let (kind, place, size) = match morphs.get(index) {
            Some(reach) => {
                // Rounded, each is off by half a step.
                let size = 2.0 * far / (weights as f32 * reach.max(1e-6));
                (Kind::Weight, index, size.clamp(range / MAX_WEIGHT_STEPS, range / 16.0))
            }
            None => (Kind::Property, index - morphs.len(), range / VALUE_STEPS),
        };
        let code = code(size);
        let values = samples.numbers.iter().skip(index).step_by(count);
        let steps = values.map(|value| [((value - low) / step(code)).round() as i32, 0, 0]);
        Track { kind, index: place, code, own: low.to_le_bytes().into(), steps: steps.collect() }
    });
    (tracks.collect(), far)
}

/// How far each morph weight moves its farthest vertex, in metres, with the scene at rest.
pub(crate) fn reaches(scene: &Scene) -> Vec<f32> {
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
