//! Skins: which nodes influence which control points, and from which pose.
//!
//! In:  clusters, each with a node, the matrix it was bound with, and weights.
//! Out: a skin with one joint per cluster, and the influences on each vertex.
//!
//! A control point without weights keeps an empty list and follows the mesh's own node.

use std::collections::HashMap;

use sinew_scene::{Influence, Influences, JointId, Skin, SkinMethod};

use super::mesh::Part;
use super::node::Tree;
use super::number::affine;
use crate::open::Context;
use crate::{NoteCode, Place};

pub(super) fn skin(deformer: &ufbx::SkinDeformer, tree: &Tree, context: &mut Context<'_>) -> Skin {
    let mut skin = Skin { name: deformer.element.name.to_string(), ..Skin::default() };
    skin.method = match deformer.skinning_method {
        ufbx::SkinningMethod::Linear | ufbx::SkinningMethod::Rigid => SkinMethod::Linear,
        ufbx::SkinningMethod::DualQuaternion => SkinMethod::DualQuaternion,
        ufbx::SkinningMethod::BlendedDqLinear => SkinMethod::Blended,
    };
    for cluster in &deformer.clusters {
        let joint = cluster.bone_node.as_deref().and_then(|bone| tree.seat(bone));
        let bound = affine(&cluster.geometry_to_bone);
        let place = || Place::part(format!("cluster \"{}\"", cluster.element.name));
        if !bound.is_finite() {
            context.notes.add_as(
                NoteCode::NotFinite,
                place(),
                "a cluster's matrix is not finite; its joint's own is taken",
            );
        }
        skin.joints.push(joint.map_or(JointId::new(0), |seat| seat.whole));
        skin.joint_from_mesh.push(if bound.is_finite() { bound } else { glam::Affine3A::IDENTITY });
    }
    skin
}

/// Gives the part's vertices the influences of their control points.
pub(super) fn bind(deformer: &ufbx::SkinDeformer, part: &mut Part, context: &mut Context<'_>) {
    let count = part.points.len();
    let mut influences = Influences::with_capacity(count, deformer.max_weights_per_vertex.min(4));
    let clusters = deformer.clusters.len();
    let mut odd = 0;
    let (mut off, mut worst) = (0, 0.0_f32);
    for &point in &part.points {
        let vertex = deformer.vertices.get(point as usize).copied().unwrap_or_default();
        let from = vertex.weight_begin as usize;
        let weights = deformer.weights.get(from..from + vertex.num_weights as usize);
        let weights = weights.unwrap_or(&[]);
        let mut own = weights.iter().filter_map(|weight| {
            let influence = Influence { joint: weight.cluster_index, weight: weight.weight as f32 };
            ((weight.cluster_index as usize) < clusters).then_some(influence)
        });
        let sum = if weights.len() <= 4 {
            const NONE: Influence = Influence { joint: 0, weight: 0.0 };
            let mut next = || own.next().unwrap_or(NONE);
            influences.push_four([next(), next(), next(), next()])
        } else {
            influences.push(own)
        };
        odd += usize::from(sum > 0.0 && (sum - 1.0).abs() > 0.01);
        off += usize::from(sum > 0.0 && (sum - 1.0).abs() > 1e-5);
        worst = worst.max(if sum > 0.0 { (sum - 1.0).abs() } else { 0.0 });
    }
    influences.shrink_to_fit();
    if odd > 0 {
        let text = "weights do not sum to one in some vertices; they are scaled to";
        let place = Place::part(format!("skin \"{}\"", deformer.element.name));
        context.notes.add_as(NoteCode::WeightSum, place, text);
    }
    let place = Place::part(format!("skin \"{}\"", deformer.element.name));
    context.notes.detail(NoteCode::WeightSum, place, off, worst, "weights do not sum to one");
    part.primitive.influences = influences;
    if deformer.skinning_method == ufbx::SkinningMethod::BlendedDqLinear {
        let weight = |&point: &u32| {
            let vertex = deformer.vertices.get(point as usize);
            vertex.map_or(0.0, |vertex| vertex.dq_weight as f32).clamp(0.0, 1.0)
        };
        part.primitive.dual_weights = part.points.iter().map(weight).collect();
    }
}

/// What cannot be kept of a file's skins, reported once.
pub(super) fn remark(scene: &ufbx::Scene, context: &mut Context<'_>) {
    compare_bind_poses(scene, context);
    for cluster in scene.skin_clusters.iter().filter(|cluster| cluster.bone_node.is_none()) {
        let place = Place::part(format!("cluster \"{}\"", cluster.element.name));
        context.notes.add(place, "a cluster has no node and is left out");
    }
    for mesh in scene.meshes.iter().filter(|mesh| mesh.skin_deformers.len() > 1) {
        let place = Place::part(format!("geometry \"{}\"", super::mesh::name_of(mesh)));
        context.notes.add(place, "a mesh has more than one skin; only the first bends it");
    }
}

/// Details on bind poses that disagree with the skins: programs take the one or the other.
fn compare_bind_poses(scene: &ufbx::Scene, context: &mut Context<'_>) {
    // One skin speaks for a bone: where a bone has several, they are of one mesh in parts.
    let mut bound: HashMap<u32, &ufbx::SkinCluster> = HashMap::new();
    for cluster in &scene.skin_clusters {
        if let Some(bone) = cluster.bone_node.as_deref() {
            bound.entry(bone.element.element_id).or_insert(cluster);
        }
    }
    for pose in scene.poses.iter().filter(|pose| pose.is_bind_pose) {
        let (mut count, mut worst) = (0, 0.0_f32);
        for entry in &pose.bone_poses {
            let Some(cluster) = bound.get(&entry.bone_node.element.element_id) else { continue };
            let off = difference(affine(&entry.bone_to_world), affine(&cluster.bind_to_world));
            if off > 1e-3 {
                count += 1;
                worst = worst.max(off);
            }
        }
        let place = Place::part(format!("pose \"{}\"", pose.element.name));
        let text = "bind pose and skin disagree";
        context.notes.detail(NoteCode::BindPose, place, count, worst, text);
    }
}

/// The largest difference of two matrices, as a share of how large their numbers are.
fn difference(one: glam::Affine3A, other: glam::Affine3A) -> f32 {
    let largest =
        |numbers: [f32; 12]| numbers.iter().fold(1.0_f32, |most, number| most.max(number.abs()));
    let (a, b) = (one.to_cols_array(), other.to_cols_array());
    let far = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    if far.is_finite() { far / largest(a).max(largest(b)) } else { 0.0 }
}
