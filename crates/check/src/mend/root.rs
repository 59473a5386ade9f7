//! A root joint above the hips, which takes their travel.
//!
//! The level part of the hips' keys goes to the root and is taken from the hips: it is linear in the keys, so their sum is what it was at
//! every time, with any interpolation.

use glam::{Affine3A, Mat3A, Vec3, Vec3A};
use sinew_edit::renumber_nodes;
use sinew_import::Imported;
use sinew_motion::Pose;
use sinew_scene::{Clip, Curve, JointId, Node, Scene, SceneParts, Track, Transform};

use crate::finding::counted;
use crate::{CheckOptions, check};

pub(super) fn add(parts: &mut SceneParts) -> Option<String> {
    let model = Imported::from(Scene::new(parts.clone()).ok()?);
    let options = CheckOptions { only: vec!["root-in-hips"], ..CheckOptions::default() };
    let found = check(&model, &options);
    let hips = found.first()?.place.joint?;
    let parents = model.scene.skeleton().parents();
    let above: Vec<JointId> =
        std::iter::successors(parents[hips.index()], |at| parents[at.index()]).collect();
    let fixed = |clip: &Clip| {
        let scaled = clip.scales.iter().map(|track| track.joint);
        let mut turned = clip.rotations.iter().map(|track| track.joint).chain(scaled);
        !turned.any(|joint| above.contains(&joint))
    };
    let clips = found.iter().filter_map(|finding| finding.place.clip);
    let travels: Vec<usize> =
        clips.filter(|clip| fixed(&model.scene[*clip])).map(|clip| clip.index()).collect();
    if travels.is_empty() {
        return None;
    }
    let rest = Pose::new(&model.scene);
    let rest = rest.model_from_joint();
    let parent = above.first().map_or(Affine3A::IDENTITY, |parent| rest[parent.index()]);
    let level = level_part(parent.matrix3)?;
    let root = insert(parts, hips, parent.inverse() * rest[hips.index()]);
    let hips = JointId::new(root.index() + 1);
    for (at, clip) in parts.clips.iter_mut().enumerate() {
        if travels.contains(&at) {
            split(clip, root, hips, level);
        } else if drives(clip, hips) {
            // After a clip that travels, this one is to begin where it is.
            clip.translations.push(Track { joint: root, curve: Curve::constant(Vec3::ZERO) });
        }
    }
    let name = &parts.nodes[root.index()].name;
    let clips = counted(travels.len(), "clip", "clips");
    Some(format!("joint \"{name}\" above the hips takes the travel of {clips}"))
}

/// The part along the floor of a vector in the space that this matrix leads out of.
fn level_part(model_from_parent: Mat3A) -> Option<Mat3A> {
    let floor = Mat3A::from_diagonal(Vec3::new(1.0, 0.0, 1.0));
    let level = model_from_parent.inverse() * floor * model_from_parent;
    level.is_finite().then_some(level)
}

fn drives(clip: &Clip, joint: JointId) -> bool {
    let translated = clip.translations.iter().any(|track| track.joint == joint);
    translated || clip.rotations.iter().any(|track| track.joint == joint)
}

/// Puts a joint between the hips and what they hang on, and into their skins. It rests where its parent does.
fn insert(parts: &mut SceneParts, hips: JointId, root_from_hips: Affine3A) -> JointId {
    let at = hips.index();
    renumber_nodes(parts, |node| if node < at { node } else { node + 1 });
    let free = |name: &&str| !parts.nodes.iter().any(|node| node.name == *name);
    let name = ["root", "root_joint", "root_motion"].into_iter().find(free).unwrap_or("root_added");
    let parent = parts.nodes[at].parent;
    parts.nodes.insert(at, Node::new(name, parent, Transform::IDENTITY));
    let root = JointId::new(at);
    parts.nodes[at + 1].parent = Some(root);
    for skin in &mut parts.skins {
        let Some(own) = skin.joints.iter().position(|joint| joint.index() == at + 1) else {
            continue;
        };
        skin.joints.push(root);
        skin.joint_from_mesh.push(root_from_hips * skin.joint_from_mesh[own]);
    }
    root
}

/// Gives the root the level part of the hips' way, counted from their first key.
fn split(clip: &mut Clip, root: JointId, hips: JointId, level: Mat3A) {
    let Some(own) = clip.translations.iter_mut().find(|track| track.joint == hips) else { return };
    let each = own.curve.interpolation().values_per_key();
    let first = own.curve.values()[each / 2];
    let mut travel = own.curve.clone();
    let both = own.curve.values_mut().iter_mut().zip(travel.values_mut());
    for (at, (value, travel)) in both.enumerate() {
        let is_key = at % each == each / 2;
        let from_first = if is_key { *value - first } else { *value };
        *travel = Vec3::from(level * Vec3A::from(from_first));
        *value -= *travel;
    }
    clip.translations.push(Track { joint: root, curve: travel });
    clip.translations.sort_by_key(|track| track.joint);
}
