//! Where joints and skinned meshes were when they were bound, and the `BindPose` that says so.
//!
//! In:  skins, with the inverse bind matrix of each joint.
//! Out: a bind matrix in the world for every joint, and a place in the world for every skinned mesh.
//!
//! A scene says how a mesh lies in each joint, but not where mesh and joints were in the world. FBX wants to know: its readers take
//! `TransformLink` for a bone's rest pose. So the mesh is put where the joints at rest see it, and each joint where that mesh sees it;
//! joints that two skins share have one bind matrix.

use glam::DAffine3;
use sinew_motion::Pose;
use sinew_scene::glam::Affine3A;
use sinew_scene::{Instance, Scene, Transform};

use super::document::{Document, Id};
use super::model::Models;
use super::node::Node;

/// What was bound where.
pub(super) struct Binds {
    /// Every node in the world at rest.
    pub(super) rest: Vec<DAffine3>,
    /// Every node in the world as it was bound; those that no skin names follow their parent.
    pub(super) nodes: Vec<DAffine3>,
    /// For each instance, where its mesh must be, unless it can stay under its node.
    pub(super) moved: Vec<Option<Transform>>,
    /// Nodes that some clip drives.
    pub(super) driven: Vec<bool>,
    /// Nodes that are written as bones.
    pub(super) limbs: Vec<bool>,
}

pub(super) fn binds(scene: &Scene, notes: &mut Vec<String>) -> Binds {
    let nodes = scene.skeleton().nodes();
    let pose = Pose::new(scene);
    let rest: Vec<DAffine3> = pose.model_from_joint().iter().map(Affine3A::as_daffine3).collect();
    let driven = driven(scene);
    let mut moves = driven.clone();
    for (at, node) in nodes.iter().enumerate() {
        moves[at] |= node.parent.is_some_and(|parent| moves[parent.index()]);
    }
    let mut known: Vec<Option<DAffine3>> = vec![None; nodes.len()];
    let mut moved = Vec::with_capacity(scene.instances.len());
    for instance in &scene.instances {
        let node = instance.joint.index();
        moved.push(place(scene, instance, &rest, &mut known, moves[node], notes));
    }
    let mut bound: Vec<DAffine3> = Vec::with_capacity(nodes.len());
    for (at, node) in nodes.iter().enumerate() {
        let local = node.parent_from_node().as_daffine3();
        bound.push(match (known[at], node.parent) {
            (Some(known), _) => known,
            (None, Some(parent)) => bound[parent.index()] * local,
            (None, None) => rest[at],
        });
    }
    Binds { rest, nodes: bound, moved, driven, limbs: limbs(scene) }
}

/// Binds the joints of an instance's skin, and says where its mesh must be when it is not where its node is.
fn place(
    scene: &Scene,
    instance: &Instance,
    rest: &[DAffine3],
    known: &mut [Option<DAffine3>],
    node_moves: bool,
    notes: &mut Vec<String>,
) -> Option<Transform> {
    let skin = &scene[instance.skin?];
    let pairs = || skin.joints.iter().zip(&skin.joint_from_mesh);
    let shared = pairs()
        .find_map(|(joint, from_mesh)| Some(known[joint.index()]? * from_mesh.as_daffine3()));
    let seen = pairs().map(|(joint, from_mesh)| rest[joint.index()] * from_mesh.as_daffine3());
    let own = shared.into_iter().chain(seen).find_map(upright);
    let (world, transform) = own.unwrap_or((DAffine3::IDENTITY, Transform::IDENTITY));
    for (joint, from_mesh) in pairs() {
        let from_joint = from_mesh.as_daffine3().inverse();
        let found = if from_joint.is_finite() { world * from_joint } else { rest[joint.index()] };
        match known[joint.index()] {
            None => known[joint.index()] = Some(found),
            Some(one) if one.abs_diff_eq(found, 1e-3) => {}
            Some(_) => {
                let name = &scene[*joint].name;
                notes.push(format!(
                    "\"{name}\" is bound differently by two skins; readers that take the bind pose for the rest pose see one of them"
                ));
            }
        }
    }
    let here = rest[instance.joint.index()];
    let stays = !node_moves && here.abs_diff_eq(world, 1e-6);
    // A vertex that no joint pulls is where the node is: such a mesh stays there.
    let loose = scene[instance.mesh].primitives.iter().any(|primitive| {
        primitive.influences.is_empty() || primitive.influences.iter().any(<[_]>::is_empty)
    });
    (!stays && !loose).then_some(transform)
}

/// A matrix that translation, rotation and scale can give, as they give it.
fn upright(world: DAffine3) -> Option<(DAffine3, Transform)> {
    let transform =
        Transform::from_affine(world.as_affine3a()).filter(|found| found.is_finite())?;
    Some((transform.to_affine().as_daffine3(), transform))
}

fn driven(scene: &Scene) -> Vec<bool> {
    let mut driven = vec![false; scene.skeleton().len()];
    for clip in &scene.clips {
        let moved = clip.translations.iter().map(|track| track.joint);
        let turned = clip.rotations.iter().map(|track| track.joint);
        let scaled = clip.scales.iter().map(|track| track.joint);
        moved.chain(turned).chain(scaled).for_each(|joint| driven[joint.index()] = true);
    }
    driven
}

/// Joints of skins, what lies between them, and what hangs below without carrying anything; without any mesh, all nodes that
/// clips drive and those around them.
fn limbs(scene: &Scene) -> Vec<bool> {
    let nodes = scene.skeleton().nodes();
    let mut limbs = vec![false; nodes.len()];
    let joints = scene.skins.iter().flat_map(|skin| &skin.joints);
    joints.for_each(|joint| limbs[joint.index()] = true);
    if scene.instances.is_empty() && scene.skins.is_empty() {
        limbs = driven(scene);
    }
    let mut below = vec![false; nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        below[at] = node.parent.is_some_and(|up| below[up.index()] || limbs[up.index()]);
    }
    for at in (0..nodes.len()).rev() {
        let Some(parent) = nodes[at].parent else { continue };
        limbs[parent.index()] |= limbs[at] && below[parent.index()];
    }
    let mut carries = vec![false; nodes.len()];
    scene.instances.iter().for_each(|instance| carries[instance.joint.index()] = true);
    scene.cameras.iter().for_each(|camera| carries[camera.joint.index()] = true);
    scene.lights.iter().for_each(|light| carries[light.joint.index()] = true);
    for at in (0..nodes.len()).rev() {
        if let Some(parent) = nodes[at].parent {
            carries[parent.index()] |= carries[at];
        }
    }
    (0..nodes.len()).map(|at| limbs[at] || (below[at] && !carries[at])).collect()
}

/// Adds the pose that the skins were bound in: skinned meshes, bones, and what is above them.
pub(super) fn pose(
    scene: &Scene,
    models: &Models,
    binds: &Binds,
    per_metre: f64,
    document: &mut Document,
) {
    if scene.skins.is_empty() {
        return;
    }
    let nodes = scene.skeleton().nodes();
    let mut wanted = binds.limbs.clone();
    for at in (0..nodes.len()).rev() {
        if let Some(parent) = nodes[at].parent {
            wanted[parent.index()] |= wanted[at];
        }
    }
    let mut list: Vec<Node> = Vec::new();
    let mut add = |model: Id, world: DAffine3| {
        let matrix = Node::of("Matrix", matrix(world, per_metre));
        list.push(Node::new("PoseNode").field("Node", model).child(matrix));
    };
    for (at, world) in binds.nodes.iter().enumerate().filter(|(at, _)| wanted[*at]) {
        add(models.whole[at], *world);
    }
    for (number, instance) in scene.instances.iter().enumerate() {
        let Some(model) = models.meshes[number].filter(|_| instance.skin.is_some()) else {
            continue;
        };
        let own = models.whole[instance.joint.index()] == model;
        if own && wanted[instance.joint.index()] {
            continue;
        }
        let moved = binds.moved[number].map(|moved| moved.to_affine().as_daffine3());
        add(model, moved.unwrap_or(binds.rest[instance.joint.index()]));
    }
    let (_, node) = document.start("Pose", "BindPose", "Pose", "BindPose");
    let mut node = node.field("Type", "BindPose").field("Version", 100);
    node = node.field("NbPoseNodes", list.len() as i32);
    node.children.extend(list);
    document.add(node);
}

/// Column after column, lengths in the file's unit.
pub(super) fn matrix(affine: DAffine3, per_metre: f64) -> Vec<f64> {
    let columns = [
        affine.matrix3.x_axis.extend(0.0),
        affine.matrix3.y_axis.extend(0.0),
        affine.matrix3.z_axis.extend(0.0),
        (affine.translation * per_metre).extend(1.0),
    ];
    columns.iter().flat_map(|column| column.to_array()).collect()
}
