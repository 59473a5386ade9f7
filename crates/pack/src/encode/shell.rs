//! How far from each joint the skin lies that it moves: where an error is measured.

use sinew_motion::Pose;
use sinew_scene::Scene;
use sinew_scene::glam::{Affine3A, Vec3};

use super::sphere::stretch;

/// Metres for a joint that moves no vertex: something may be hung on it.
pub const DEFAULT_SHELL: f32 = 0.1;

/// Influences below this weight move a vertex too little to count in full: a tenth of it counts for a tenth of
/// the distance, so that each puts a vertex off by this share of the bound at most.
const LEAST_WEIGHT: f32 = 0.01;

/// For each node, the distance of the farthest vertex that it moves, in its own space, morphed or not; for
/// nodes that move none, what [`DEFAULT_SHELL`] is there.
#[must_use]
pub fn shells(scene: &Scene) -> Vec<f32> {
    let mut farthest = vec![None; scene.skeleton().len()];
    let mut hardly = vec![0.0_f32; scene.skeleton().len()];
    let mut see = |joint: usize, point: Vec3, weight: f32| {
        let distance = point.length();
        if weight < LEAST_WEIGHT {
            hardly[joint] = hardly[joint].max(distance * weight / LEAST_WEIGHT);
        } else {
            let known = farthest[joint].get_or_insert(0.0_f32);
            *known = known.max(distance);
        }
    };
    for instance in &scene.instances {
        let skin = instance.skin.map(|skin| &scene.skins[skin.index()]);
        for primitive in &scene.meshes[instance.mesh.index()].primitives {
            let morphed = |vertex: usize| {
                let point = primitive.positions[vertex];
                let changes = primitive.morphs.iter().filter_map(move |m| m.positions.get(vertex));
                std::iter::once(point).chain(changes.map(move |change| point + *change))
            };
            let vertices = 0..primitive.positions.len();
            let Some(skin) = skin.filter(|_| !primitive.influences.is_empty()) else {
                let joint = instance.joint.index();
                vertices.flat_map(morphed).for_each(|point| see(joint, point, 1.0));
                continue;
            };
            for (vertex, influences) in vertices.zip(primitive.influences.iter()) {
                for influence in influences.iter().filter(|influence| influence.weight > 0.0) {
                    let joint = influence.joint as usize;
                    let joint_from_mesh = skin.joint_from_mesh[joint];
                    for point in morphed(vertex) {
                        let near = joint_from_mesh.transform_point3(point);
                        see(skin.joints[joint].index(), near, influence.weight);
                    }
                }
            }
        }
    }
    let even = even_shells(scene, DEFAULT_SHELL);
    let known = farthest.into_iter().zip(even).map(|(known, even)| known.unwrap_or(even));
    known.zip(hardly).map(|(known, hardly)| known.max(hardly)).collect()
}

/// For each node, what `metres` of the model at rest are in its own space.
#[must_use]
pub fn even_shells(scene: &Scene, metres: f32) -> Vec<f32> {
    let mut rest = Pose::new(scene);
    rest.to_model(scene.skeleton());
    let size = |model: &Affine3A| f64::from(metres) / stretch(model.matrix3.as_dmat3()).max(1e-6);
    rest.model_from_joint().iter().map(|model| size(model) as f32).collect()
}
