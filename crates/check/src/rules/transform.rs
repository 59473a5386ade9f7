//! Transforms of nodes that engines stumble over: `mirrored`, `shear`, `nan`.

use glam::{Affine3A, Vec3};
use sinew_import::NoteCode;
use sinew_scene::{ClipId, JointId};

use crate::facts::{Facts, skinned};
use crate::finding::counted;
use crate::table::{MIRRORED, NAN, SHEAR};
use crate::{Finding, Measured, Place, Severity};

/// Axes of a scale may differ by this ratio before it counts as uneven.
pub(crate) const UNEVEN: f32 = 1.01;
/// A rotation below this is none, in degrees.
const ROTATED: f32 = 0.5;
/// What is smaller is as good as zero.
const TINY: f32 = 1e-6;

pub(super) fn check(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    mirrored(facts, found);
    shear(facts, found);
    nan(facts, found);
}

fn mirrored(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let mut joints: Vec<JointId> = Vec::new();
    let mut seen = vec![false; facts.rest.len()];
    for (_, _, skin) in skinned(facts.scene) {
        for (joint, joint_from_mesh) in skin.joints.iter().zip(&skin.joint_from_mesh) {
            let model_from_mesh: Affine3A = facts.rest[joint.index()] * *joint_from_mesh;
            let turned = model_from_mesh.matrix3.determinant() < 0.0;
            let known = std::mem::replace(&mut seen[joint.index()], turned);
            if turned && facts.is_weighted[joint.index()] && !known {
                joints.push(*joint);
            }
        }
    }
    if let Some(&first) = joints.first() {
        let message =
            format!("{} the skin inside out", counted(joints.len(), "joint turns", "joints turn"));
        let measured = Measured::count(joints.len(), "joints", 0);
        found.push(
            Finding::new(MIRRORED, Place::joint(first), measured, message).times(joints.len()),
        );
    }
    let rigid = facts.scene.instances.iter().filter(|instance| instance.skin.is_none());
    let turned: Vec<JointId> = rigid
        .map(|instance| instance.joint)
        .filter(|joint| facts.rest[joint.index()].matrix3.determinant() < -1e-12)
        .collect();
    if let Some(&first) = turned.first() {
        let message =
            format!("{} under a negative scale", counted(turned.len(), "mesh is", "meshes are"));
        let measured = Measured::count(turned.len(), "meshes", 0);
        let finding = Finding::new(MIRRORED, Place::joint(first), measured, message);
        found.push(finding.times(turned.len()).severity(Severity::Info));
    }
}

/// The largest of a scale's axes over the smallest.
pub(crate) fn unevenness(scale: Vec3) -> f32 {
    let scale = scale.abs();
    scale.max_element() / scale.min_element().max(1e-9)
}

fn shear(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    let skeleton = facts.scene.skeleton();
    let stretched = stretched(facts);
    let mut uneven = vec![None; skeleton.len()];
    let mut worst: Option<(f32, JointId, JointId)> = None;
    let mut count = 0;
    for joint in skeleton.ids() {
        let node = skeleton.node(joint);
        let above = node.parent.and_then(|parent| uneven[parent.index()]);
        // A node that takes back its parent's stretch, as some formats have them between joints.
        let parent = node.parent.filter(|_| above.is_some());
        if let Some(parent) = parent.filter(|parent| is_undone(facts, *parent, joint)) {
            let further = skeleton.node(parent).parent;
            uneven[joint.index()] = further.and_then(|further| uneven[further.index()]);
            continue;
        }
        let rotated = node.rest.rotation.angle_between(glam::Quat::IDENTITY).to_degrees() > ROTATED
            || facts.is_animated[joint.index()];
        if let Some((by, from)) = above
            && rotated
            && (facts.is_animated[joint.index()] || !is_quarter_turn(node.rest.rotation))
            && facts.reach[joint.index()] > 0.0
        {
            count += 1;
            if worst.is_none_or(|(known, ..)| by > known) {
                worst = Some((by, from, joint));
            }
        }
        let own = unevenness(node.rest.scale).max(stretched[joint.index()]);
        uneven[joint.index()] = if own > UNEVEN && own < 1e6 { Some((own, joint)) } else { above };
    }
    let sheared = skeleton.sheared().iter().filter(|(joint, _)| facts.reach[joint.index()] > 0.0);
    let sheared: Vec<JointId> = sheared.map(|(joint, _)| *joint).collect();
    if let Some((by, from, joint)) = worst {
        let name = &skeleton.node(from).name;
        let message = format!(
            "{} below \"{name}\", whose axes are scaled differently, by {by:.3}",
            counted(count, "node rotates", "nodes rotate")
        );
        found.push(
            Finding::new(SHEAR, Place::joint(joint), Measured::new(by, "", UNEVEN), message)
                .times(count),
        );
    } else if let Some(&first) = sheared.first() {
        let message = format!(
            "{} that no translation, rotation and scale give",
            counted(sheared.len(), "node has a matrix", "nodes have matrices")
        );
        let measured = Measured::count(sheared.len(), "nodes", 0);
        found
            .push(Finding::new(SHEAR, Place::joint(first), measured, message).times(sheared.len()));
    }
}

/// Whether a node's scale makes its parent's even again, at rest and in every key, and it does not rotate.
fn is_undone(facts: &Facts<'_>, parent: JointId, joint: JointId) -> bool {
    let scales = |joint: JointId| {
        let clips = facts.scene.clips.iter().flat_map(|clip| &clip.scales);
        let keys = clips.filter(move |track| track.joint == joint);
        let rest = facts.scene[joint].rest.scale;
        std::iter::once(rest).chain(keys.flat_map(|track| track.curve.values().iter().copied()))
    };
    let mut rotations = facts.scene.clips.iter().flat_map(|clip| &clip.rotations);
    let turns = rotations.any(|track| track.joint == joint)
        || !is_quarter_turn(facts.scene[joint].rest.rotation);
    !turns
        && scales(parent).count() == scales(joint).count()
        && scales(parent).zip(scales(joint)).all(|(a, b)| unevenness(a * b) <= UNEVEN)
}

/// For each node, how uneven clips make its scale.
fn stretched(facts: &Facts<'_>) -> Vec<f32> {
    let mut stretched = vec![0.0_f32; facts.scene.skeleton().len()];
    for track in facts.scene.clips.iter().flat_map(|clip| &clip.scales) {
        let each = track.curve.interpolation().values_per_key();
        let keys = track.curve.values().iter().skip(each / 2).step_by(each);
        // What is scaled to nothing is hidden.
        let keys = keys.filter(|scale| scale.abs().min_element() > 0.01);
        let most = &mut stretched[track.joint.index()];
        *most = keys.map(|scale| unevenness(*scale)).fold(*most, f32::max);
    }
    stretched
}

/// Whether a rotation only swaps axes: where it stays as it is, nothing is sheared.
pub(crate) fn is_quarter_turn(rotation: glam::Quat) -> bool {
    let matrix = glam::Mat3::from_quat(rotation);
    let plain = |number: f32| number.abs() < 1e-3 || (number.abs() - 1.0).abs() < 1e-3;
    matrix.to_cols_array().into_iter().all(plain)
}

fn nan(facts: &Facts<'_>, found: &mut Vec<Finding>) {
    for note in facts.notes(NoteCode::NotFinite) {
        let measured = Measured::count(note.count, "places", 0);
        let place = Place::file(note.place.to_string());
        found.push(Finding::new(NAN, place, measured, note.text.clone()).times(note.count));
    }
    for (at, clip) in facts.scene.clips.iter().enumerate() {
        let mut flat = clip.scales.iter().filter_map(|track| {
            let each = track.curve.interpolation().values_per_key();
            let keys = track.curve.values().iter().skip(each / 2).step_by(each);
            let small = |scale: &Vec3| scale.abs().min_element() < TINY;
            let bad = keys.clone().filter(|scale| small(scale)).count();
            let first = keys.clone().position(small)?;
            // What is nothing all the time is hidden on purpose.
            let carries = facts.reach[track.joint.index()] > 0.0;
            (carries && bad < keys.count()).then(|| (track.joint, track.curve.times()[first], bad))
        });
        let Some((joint, time, keys)) = flat.next() else { continue };
        let more = flat.count();
        let message = format!(
            "{} to a scale of zero{}",
            counted(keys, "key goes", "keys go"),
            if more > 0 {
                format!(", and those of {}", counted(more, "joint more", "joints more"))
            } else {
                String::new()
            }
        );
        let place = Place::clip(ClipId::new(at)).on(joint).at(time);
        let finding = Finding::new(NAN, place, Measured::new(0.0, "", TINY), message);
        found.push(finding.severity(Severity::Info).times(more + 1));
    }
}
