//! How far from each joint the skin lies that it moves: where an error is measured.

use sinew_motion::Pose;
use sinew_scene::Scene;
use sinew_scene::glam::{Affine3A, Vec3};

use crate::sphere::Off;

/// Metres for a joint that moves no vertex: something may be hung on it.
pub const DEFAULT_SHELL: f32 = 0.1;

/// Pulls below this share move a vertex too little to count.
const LEAST_PULL: f32 = 0.01;

/// For each node, the distance of the farthest vertex that it moves, in its own space; for nodes that move
/// none, what [`DEFAULT_SHELL`] is there.
#[must_use]
pub fn shells(scene: &Scene) -> Vec<f32> {
    let mut farthest = vec![None; scene.skeleton().len()];
    let mut see = |joint: usize, point: Vec3| {
        let distance = point.length();
        let known = farthest[joint].get_or_insert(0.0_f32);
        *known = known.max(distance);
    };
    for instance in &scene.instances {
        let skin = instance.skin.map(|skin| &scene.skins[skin.index()]);
        for primitive in &scene.meshes[instance.mesh.index()].primitives {
            let Some(skin) = skin.filter(|_| !primitive.influences.is_empty()) else {
                primitive.positions.iter().for_each(|&point| see(instance.joint.index(), point));
                continue;
            };
            for (&point, pulls) in primitive.positions.iter().zip(primitive.influences.iter()) {
                for pull in pulls.iter().filter(|pull| pull.weight >= LEAST_PULL) {
                    let joint = pull.joint as usize;
                    let near = skin.joint_from_mesh[joint].transform_point3(point);
                    see(skin.joints[joint].index(), near);
                }
            }
        }
    }
    let even = even_shells(scene, DEFAULT_SHELL);
    farthest.into_iter().zip(even).map(|(known, even)| known.unwrap_or(even)).collect()
}

/// For each node, what `metres` of the model at rest are in its own space.
#[must_use]
pub fn even_shells(scene: &Scene, metres: f32) -> Vec<f32> {
    let mut rest = Pose::new(scene);
    rest.to_model(scene.skeleton());
    let size = |model: &Affine3A| f64::from(metres) / Off::scale(model.matrix3).max(1e-6);
    rest.model_from_joint().iter().map(|model| size(model) as f32).collect()
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::{Affine3A, Vec3};
    use sinew_scene::{
        Influence, Influences, Instance, JointId, Mesh, MeshId, Node, Primitive, SceneParts, Skin,
        SkinId, Transform,
    };

    use super::*;

    #[test]
    fn a_shell_reaches_the_farthest_vertex_that_the_joint_pulls() {
        let mut influences = Influences::default();
        influences.push([Influence { joint: 0, weight: 1.0 }]);
        influences
            .push([Influence { joint: 0, weight: 0.995 }, Influence { joint: 1, weight: 0.005 }]);
        let primitive = Primitive {
            positions: vec![Vec3::X, 3.0 * Vec3::X],
            influences,
            ..Primitive::default()
        };
        let skin = Skin {
            joints: vec![JointId::new(1), JointId::new(2)],
            joint_from_mesh: vec![Affine3A::from_translation(Vec3::NEG_X); 2],
            ..Skin::default()
        };
        let node = || Node::new("", None, Transform::IDENTITY);
        let scene = Scene::new(SceneParts {
            nodes: vec![node(), node(), node()],
            meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
            instances: vec![Instance {
                joint: JointId::new(0),
                mesh: MeshId::new(0),
                skin: Some(SkinId::new(0)),
                weights: Vec::new(),
            }],
            skins: vec![skin],
            ..SceneParts::default()
        });
        let scene = scene.expect("the parts fit");
        let found = shells(&scene);
        assert_eq!(found[1], 2.0);
        let near = |shell: f32| (shell - DEFAULT_SHELL).abs() < 1e-6;
        assert!(near(found[0]) && near(found[2]), "{found:?}");
    }
}
