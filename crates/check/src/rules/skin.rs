//! Skins and their joints: `joint-limit`, `joint-unused`, `rest-bind`, `binds`, `skin-node`, `joint-scene`.

use glam::{Affine3A, Vec3A};
use sinew_import::{Format, NoteCode};
use sinew_scene::{InstanceId, JointId, Skin, Transform};

use crate::facts::{Facts, skinned};
use crate::finding::counted;
use crate::table::{BINDS, JOINT_LIMIT, JOINT_SCENE, JOINT_UNUSED, REST_BIND, SKIN_NODE};
use crate::{Finding, Measured, Place, Severity};

/// What an index of eight bits reaches, and the uniform block that WebGL guarantees.
const USUAL_JOINTS: usize = 256;
/// A rest pose may differ from the bind pose by this share of the model's size.
const SHARE: f32 = 0.01;
/// A bind pose and a skin may disagree by so much.
const BIND_POSE: f32 = 1e-3;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    joint_limit(facts, found);
    unused(facts, found);
    rest_bind(facts, found);
    binds(facts, found);
    if facts.model.format == Format::Gltf {
        skin_node(facts, found);
        no_common_root(facts, found);
    }
    outside(facts, found);
}

fn joint_limit(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let limit = match facts.engine {
        Some(engine) => match engine.joints {
            Some(limit) => limit,
            None => return,
        },
        None => USUAL_JOINTS,
    };
    for (id, _, skin) in skinned(facts.scene) {
        let count = skin.joints.len();
        if count <= limit {
            continue;
        }
        let used = skin.joints.iter().filter(|joint| facts.is_weighted[joint.index()]).count();
        let message = format!(
            "the skin has {count} joints, {used} of them with weights; expected {limit} at most"
        );
        let measured = Measured::count(count, "joints", limit);
        let finding = Finding::new(JOINT_LIMIT, Place::instance(id), measured, message);
        let severity = if facts.engine.is_some() { Severity::Error } else { Severity::Warning };
        found.push(finding.severity(severity));
    }
}

fn unused(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let mut carries = facts.is_weighted.clone();
    let scene = facts.scene;
    let nodes = scene.instances.iter().map(|instance| instance.joint);
    let lights = scene.lights.iter().map(|light| light.joint);
    let cameras = scene.cameras.iter().map(|camera| camera.joint);
    for joint in nodes.chain(lights).chain(cameras) {
        carries[joint.index()] = true;
    }
    let is_unused = |joint: &JointId| {
        let at = joint.index();
        facts.is_joint[at] && !carries[at] && !facts.is_animated[at] && !facts.has_children[at]
    };
    let unused: Vec<JointId> = scene.skeleton().ids().filter(is_unused).collect();
    let Some(&first) = unused.first() else { return };
    let all = facts.is_joint.iter().filter(|is| **is).count();
    let message =
        format!("{} of {all} joints have no weight, key, child or attachment", unused.len());
    let measured = Measured::count(unused.len(), "joints", 0);
    found.push(
        Finding::new(JOINT_UNUSED, Place::joint(first), measured, message).times(unused.len()),
    );
}

/// The skin at rest against the mesh as it is filed, moved as a whole by its first weighted joint.
fn rest_bind(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let size = facts.size();
    let mut worst = (0.0_f32, InstanceId::new(0), JointId::new(0), 0);
    for (probe, &point) in facts.probes.all.iter().zip(&facts.points) {
        let Some(id) = probe.instance else { continue };
        let instance = &facts.scene[id];
        let Some(skin) = instance.skin.map(|skin| &facts.scene[skin]) else { continue };
        let Some(model_from_mesh) = first_palette(facts, skin) else { continue };
        let Some(filed) = vertex(facts, id, probe.vertex) else { continue };
        let off = point.distance(model_from_mesh.transform_point3a(filed));
        if off > worst.0 {
            worst = (off, id, probe.joint, probe.vertex);
        }
    }
    let (off, id, joint, vertex) = worst;
    if size <= 0.0 || off <= SHARE * size {
        return;
    }
    let message = format!(
        "at rest the skin is up to {} from the mesh as filed, {:.1} % of the model's size",
        super::size::metres(off),
        off / size * 100.0
    );
    let measured = Measured::new(off / size * 100.0, "%", SHARE * 100.0);
    let place = Place::instance(id).vertex(vertex).on(joint);
    found.push(Finding::new(REST_BIND, place, measured, message));
}

fn first_palette(facts: &Facts<'_>, skin: &Skin) -> Option<Affine3A> {
    let at = skin.joints.iter().position(|joint| facts.is_weighted[joint.index()])?;
    Some(facts.rest[skin.joints[at].index()] * skin.joint_from_mesh[at])
}

fn vertex(facts: &Facts<'_>, id: InstanceId, mut vertex: usize) -> Option<Vec3A> {
    for primitive in &facts.scene[facts.scene[id].mesh].primitives {
        if let Some(position) = primitive.positions.get(vertex) {
            return Some((*position).into());
        }
        vertex -= primitive.positions.len();
    }
    None
}

fn binds(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    for note in facts.notes(NoteCode::BindCount) {
        let place = Place::file(note.place.to_string());
        let measured = Measured::count(note.count, "skins", 0);
        found.push(Finding::new(BINDS, place, measured, note.text.clone()).times(note.count));
    }
    for note in facts.details(NoteCode::BindMatrix) {
        let off = note.measured.unwrap_or(0.0);
        let message = format!("{}, off by {off:.1e}", note.text);
        let place = Place::file(note.place.to_string());
        let finding = Finding::new(BINDS, place, Measured::new(off, "", 0.0), message);
        // A last row of nearly 0 0 0 1 is what rounding leaves; engines read it as it should be.
        let severity = if off > 1e-3 { Severity::Error } else { Severity::Info };
        found.push(finding.severity(severity));
    }
    for note in facts.details(NoteCode::BindPose) {
        let off = note.measured.unwrap_or(0.0);
        let joints = counted(note.count, "joint", "joints");
        let message = format!("bind pose and skin disagree on {joints}, by up to {off:.4}");
        let place = Place::file(note.place.to_string());
        let finding = Finding::new(BINDS, place, Measured::new(off, "", BIND_POSE), message);
        found.push(finding.severity(Severity::Warning).times(note.count));
    }
    for (id, instance, skin) in skinned(facts.scene) {
        if let Some(finding) = not_bound(facts, id, skin, instance.mesh) {
            found.push(finding);
        }
        let singular = |at: &usize| {
            let weighted = facts.is_weighted[skin.joints[*at].index()];
            weighted && skin.joint_from_mesh[*at].matrix3.determinant().abs() < 1e-18
        };
        let flat: Vec<usize> = (0..skin.joints.len()).filter(singular).collect();
        if let Some(&first) = flat.first() {
            let message = format!(
                "the inverse bind matrices of {} are flat",
                counted(flat.len(), "joint", "joints")
            );
            let place = Place::instance(id).on(skin.joints[first]);
            let measured = Measured::count(flat.len(), "joints", 0);
            found.push(Finding::new(BINDS, place, measured, message).times(flat.len()));
        }
    }
}

/// All inverse binds are the identity, though joints are apart and share vertices.
fn not_bound(
    facts: &Facts<'_>,
    id: InstanceId,
    skin: &Skin,
    mesh: sinew_scene::MeshId,
) -> Option<Finding> {
    let plain = |matrix: &Affine3A| matrix.abs_diff_eq(Affine3A::IDENTITY, 1e-6);
    if skin.joints.len() < 2 || !skin.joint_from_mesh.iter().all(plain) {
        return None;
    }
    let first = facts.position(skin.joints[0]);
    let apart = skin.joints.iter().map(|joint| facts.position(*joint).distance(first));
    let apart = apart.fold(0.0, f32::max);
    let limit = SHARE * facts.size();
    let primitives = facts.scene[mesh].primitives.iter();
    // Where each vertex follows one joint, meshes may well be filed in the space of their joints.
    let shared = primitives.flat_map(|one| one.influences.iter()).any(|of| of.len() > 1);
    if apart <= limit || !shared {
        return None;
    }
    let message = format!(
        "all {} inverse bind matrices are the identity, though joints are up to {} apart",
        skin.joints.len(),
        super::size::metres(apart)
    );
    Some(Finding::new(BINDS, Place::instance(id), Measured::new(apart, "m", limit), message))
}

fn skin_node(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let skeleton = facts.scene.skeleton();
    let off = |joint: JointId| {
        let node = skeleton.node(joint);
        node.shear.is_some() || !is_identity(node.rest)
    };
    // The nearest node above each that has a transform.
    let mut nearest: Vec<Option<JointId>> = Vec::with_capacity(skeleton.len());
    for parent in skeleton.parents() {
        let above = parent
            .and_then(|parent| if off(parent) { Some(parent) } else { nearest[parent.index()] });
        nearest.push(above);
    }
    for (id, instance, _) in skinned(facts.scene) {
        let own = off(instance.joint);
        let above = nearest[instance.joint.index()];
        let (node, severity, whose) = match (own, above) {
            (true, _) => (instance.joint, Severity::Warning, "its own node"),
            // Most exporters do this; only programs that read glTF wrongly show it.
            (false, Some(above)) => (above, Severity::Info, "a node above it"),
            (false, None) => continue,
        };
        let rest = skeleton.node(node).rest;
        let message = format!(
            "the transform of {whose} is ignored: moved by {}, rotated by {:.1}°, scaled by {:.3}",
            super::size::metres(rest.translation.length()),
            rest.rotation.angle_between(glam::Quat::IDENTITY).to_degrees(),
            rest.scale.max_element()
        );
        let place = Place::instance(id).on(node);
        let finding = Finding::new(SKIN_NODE, place, Measured::count(1, "nodes", 0), message);
        found.push(finding.severity(severity));
    }
}

fn is_identity(rest: Transform) -> bool {
    rest.translation.length() < 1e-6
        && rest.rotation.angle_between(glam::Quat::IDENTITY) < 1e-4
        && (rest.scale - glam::Vec3::ONE).abs().max_element() < 1e-5
}

fn outside(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let all =
        facts.details(NoteCode::JointOutsideScene).chain(facts.notes(NoteCode::JointOutsideScene));
    for note in all {
        let joints = counted(note.count, "joint is", "joints are");
        let message = format!("{joints} not in the scene that is drawn");
        let place = Place::file(note.place.to_string());
        let measured = Measured::count(note.count, "joints", 0);
        found.push(Finding::new(JOINT_SCENE, place, measured, message).times(note.count));
    }
}

/// A skin whose joints are under different roots of the scene.
fn no_common_root(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let tops = facts.tops();
    for (id, _, skin) in skinned(facts.scene) {
        let mut roots: Vec<JointId> = skin.joints.iter().map(|joint| tops[joint.index()]).collect();
        roots.sort_unstable();
        roots.dedup();
        let [_, second, ..] = roots[..] else { continue };
        let message = format!(
            "the joints of the skin are under {} roots that have no parent in common",
            roots.len()
        );
        let place = Place::instance(id).on(second);
        let finding =
            Finding::new(JOINT_SCENE, place, Measured::count(roots.len(), "roots", 1), message);
        found.push(finding.severity(Severity::Info));
    }
}
