//! Skins as deformers: a cluster for each joint, with the points it pulls and the matrices it was bound with.
//!
//! In:  a skin, and the control points of a mesh that it bends.
//! Out: a `Skin` deformer of the geometry with clusters in the skin's order, also for joints without a weight.

use glam::DAffine3;
use sinew_scene::{JointId, Mesh, Scene, SkinId, SkinMethod};

use super::bind::{Binds, matrix};
use super::document::{Document, Id};
use super::model::Models;
use super::node::Node;
use super::surface::Surface;

pub(super) fn skin(
    scene: &Scene,
    (id, mesh): (SkinId, &Mesh),
    surface: &Surface,
    geometry: Id,
    (models, binds): (&Models, &Binds),
    per_metre: f64,
    document: &mut Document,
) {
    let skin = &scene[id];
    let mut clusters = vec![(Vec::new(), Vec::new()); skin.joints.len()];
    let mut negative = 0;
    for (point, &(part, vertex)) in surface.points.iter().enumerate() {
        let influences = &mesh.primitives[part].influences;
        if influences.is_empty() {
            continue;
        }
        for influence in influences.of(vertex) {
            negative += usize::from(influence.weight < 0.0);
            let (points, weights) = &mut clusters[influence.joint as usize];
            points.push(point as i32);
            weights.push(f64::from(influence.weight));
        }
    }
    if negative > 0 {
        let text = "weights below zero are written as they are; most programs leave them out";
        document.notes.push(format!("{text} ({negative} times)"));
    }
    let deformer = deformer(mesh, &skin.name, skin.method, surface, document);
    document.connect(deformer, geometry);
    for (number, (points, weights)) in clusters.into_iter().enumerate() {
        let joint = skin.joints[number];
        let name = &scene[joint].name;
        let (cluster, node) = document.start("Deformer", name, "SubDeformer", "Cluster");
        let mut node = node.field("Version", 100).child(Node::of("UserData", "").with(""));
        if !points.is_empty() {
            node = node.field("Indexes", points).field("Weights", weights);
        }
        let bound = skin.joint_from_mesh[number].as_daffine3();
        document.add(
            node.field("Transform", matrix(bound, per_metre))
                .field("TransformLink", matrix(binds.nodes[joint.index()], per_metre))
                // Blender wants to know where the object was that has the bones.
                .field("TransformAssociateModel", matrix(armature(scene, binds, joint), per_metre)),
        );
        document.connect(cluster, deformer);
        document.connect(models.whole[joint.index()], cluster);
    }
}

/// Where the nearest node above a joint is that is no bone.
fn armature(scene: &Scene, binds: &Binds, joint: JointId) -> DAffine3 {
    let mut at = joint;
    while binds.limbs[at.index()] {
        let Some(parent) = scene[at].parent else { return DAffine3::IDENTITY };
        at = parent;
    }
    binds.nodes[at.index()]
}

fn deformer(
    mesh: &Mesh,
    name: &str,
    method: SkinMethod,
    surface: &Surface,
    document: &mut Document,
) -> Id {
    let (id, node) = document.start("Deformer", name, "Deformer", "Skin");
    let method = match method {
        SkinMethod::Linear => "Linear",
        SkinMethod::DualQuaternion => "DualQuaternion",
        SkinMethod::Blended => "Blend",
    };
    let node = node.field("Version", 101).field("Link_DeformAcuracy", 50.0);
    let mut node = node.field("SkinningType", method);
    if method == "Blend" {
        let weight = |&(part, vertex): &(usize, usize)| {
            let own = mesh.primitives[part].dual_weights.get(vertex);
            own.map_or(0.0, |&weight| f64::from(weight))
        };
        let points: Vec<i32> = (0..surface.points.len() as i32).collect();
        node = node.field("Indexes", points);
        node = node.field("BlendWeights", surface.points.iter().map(weight).collect::<Vec<f64>>());
    }
    document.add(node);
    id
}
