//! Which nodes of a scene become joints of a BVH file, and their names, offsets and end sites.
//!
//! In:  a scene and what the caller chose.
//! Out: joints in the file's order: one root, every joint right before its children.
//!
//! Offsets are differences of places in the world at rest, so nodes that are left out between two joints, and scales
//! above them, need no thought.

use std::collections::HashSet;

use glam::{DAffine3, DVec3};
use sinew_motion::Pose;
use sinew_scene::{JointId, Scene};

use super::BvhOptions;
use crate::ExportError;
use crate::exported::counted;

/// One joint of the file.
pub(super) struct BvhJoint {
    pub(super) id: JointId,
    /// Unique, without blanks or braces.
    pub(super) name: String,
    /// An earlier joint of the list.
    pub(super) parent: Option<usize>,
    /// From the parent to here at rest, in the world's axes; metres.
    pub(super) offset: DVec3,
    /// Where a bone without a further joint ends.
    pub(super) end: Option<DVec3>,
    pub(super) world_at_rest: DAffine3,
}

pub(super) fn choose(
    scene: &Scene,
    options: &BvhOptions,
    notes: &mut Vec<String>,
) -> Result<Vec<BvhJoint>, ExportError> {
    let nodes = scene.skeleton().nodes();
    let named = options.joints.iter().flatten().chain(&options.root);
    if let Some(joint) = named.into_iter().find(|joint| joint.index() >= nodes.len()) {
        let (count, found) = (nodes.len(), joint.index());
        return Err(ExportError::Invalid(format!("expected a joint below {count}, found {found}")));
    }
    if nodes.is_empty() {
        return Err(ExportError::Invalid("expected a scene with joints, found no node".into()));
    }
    let mut kept = match &options.joints {
        Some(joints) => {
            let mut kept = vec![false; nodes.len()];
            joints.iter().for_each(|joint| kept[joint.index()] = true);
            kept
        }
        None => rig(scene),
    };
    let root = match options.root {
        Some(root) => root,
        None => find_root(scene, &kept, notes),
    };
    kept[root.index()] = true;
    Ok(arrange(scene, &kept, root))
}

/// Joints of skins and nodes that some clip drives, with all nodes between them; every node when there is none.
fn rig(scene: &Scene) -> Vec<bool> {
    let nodes = scene.skeleton().nodes();
    let mut kept = vec![false; nodes.len()];
    let of_skins = scene.skins.iter().flat_map(|skin| skin.joints.iter().copied());
    let driven = scene.clips.iter().flat_map(|clip| {
        let moved = clip.translations.iter().map(|track| track.joint);
        let turned = clip.rotations.iter().map(|track| track.joint);
        moved.chain(turned).chain(clip.scales.iter().map(|track| track.joint))
    });
    of_skins.chain(driven).for_each(|joint| kept[joint.index()] = true);
    if !kept.contains(&true) {
        return vec![true; nodes.len()];
    }
    // A node that lies between two joints: something kept above it, something kept below.
    let mut above = vec![false; nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        above[at] = node.parent.is_some_and(|up| above[up.index()] || kept[up.index()]);
    }
    for at in (0..nodes.len()).rev() {
        if kept[at]
            && let Some(parent) = nodes[at].parent
            && above[parent.index()]
        {
            kept[parent.index()] = true;
        }
    }
    kept
}

/// The top of the tree that has the most kept nodes: their own top, or the nearest node above all of them.
fn find_root(scene: &Scene, kept: &[bool], notes: &mut Vec<String>) -> JointId {
    let nodes = scene.skeleton().nodes();
    let mut trees = Vec::with_capacity(nodes.len());
    let mut counts = vec![0_usize; nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        trees.push(node.parent.map_or(at, |parent| trees[parent.index()]));
        counts[at] += usize::from(kept[at]);
    }
    for at in (0..nodes.len()).rev() {
        if let Some(parent) = nodes[at].parent {
            counts[parent.index()] += counts[at];
        }
    }
    let tops = (0..nodes.len()).filter(|&at| trees[at] == at);
    // The first of the largest.
    let tree = tops.rev().max_by_key(|&at| counts[at]).unwrap_or(0);
    let mut root = tree;
    for at in tree..nodes.len() {
        // Parents come first, so this walks down as long as one child has all of them.
        if nodes[at].parent.is_some_and(|parent| parent.index() == root)
            && !kept[root]
            && counts[at] == counts[tree]
        {
            root = at;
        }
    }
    let elsewhere = kept.iter().filter(|kept| **kept).count() - counts[tree];
    if elsewhere > 0 {
        let joints = counted(elsewhere, "joint is", "joints are");
        notes.push(format!(
            "a BVH file has one root: {joints} in another tree than \"{}\" and left out",
            nodes[root].name
        ));
    }
    JointId::new(root)
}

fn arrange(scene: &Scene, kept: &[bool], root: JointId) -> Vec<BvhJoint> {
    let nodes = scene.skeleton().nodes();
    let rest = Pose::new(scene);
    let world = |at: usize| rest.model_from_joint()[at].as_daffine3();
    let mut children = vec![Vec::new(); nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            children[parent.index()].push(at);
        }
    }
    let mut names = Names::default();
    let mut joints: Vec<BvhJoint> = Vec::new();
    // Nodes still to visit, with the joint above them; the last is next.
    let mut open = vec![(root.index(), None)];
    while let Some((at, above)) = open.pop() {
        let mut below = above;
        if kept[at] {
            let world_at_rest = world(at);
            let parent: Option<usize> = above;
            let from = parent.map_or(DVec3::ZERO, |up| joints[up].world_at_rest.translation);
            below = Some(joints.len());
            joints.push(BvhJoint {
                id: JointId::new(at),
                name: names.safe(&nodes[at].name, joints.len()),
                parent,
                offset: world_at_rest.translation - from,
                end: None,
                world_at_rest,
            });
        }
        open.extend(children[at].iter().rev().map(|&child| (child, below)));
    }
    let carriers = carriers(scene);
    for number in 0..joints.len() {
        if joints.get(number + 1).is_some_and(|next| next.parent == Some(number)) {
            continue;
        }
        let joint = &joints[number];
        let own = &children[joint.id.index()];
        let tip = own
            .iter()
            .find(|child| !carriers.contains(*child))
            .map(|&child| world(child).translation - joint.world_at_rest.translation);
        // Half as long as the bone that leads here: enough to see where it points.
        let made = if joint.parent.is_some() { 0.5 * joint.offset } else { DVec3::ZERO };
        joints[number].end = Some(tip.unwrap_or(made));
    }
    joints
}

/// Nodes that carry a mesh, light or camera: no ends of bones.
fn carriers(scene: &Scene) -> HashSet<usize> {
    let meshes = scene.instances.iter().map(|instance| instance.joint.index());
    let lights = scene.lights.iter().map(|light| light.joint.index());
    meshes.chain(lights).chain(scene.cameras.iter().map(|camera| camera.joint.index())).collect()
}

/// The names given so far.
#[derive(Default)]
struct Names(HashSet<String>);

impl Names {
    /// The name without blanks, braces and control characters, with a number when another joint has it.
    fn safe(&mut self, name: &str, number: usize) -> String {
        let bad = |sign: char| sign.is_whitespace() || sign.is_control() || "{}".contains(sign);
        let plain: String = name.trim().chars().map(|c| if bad(c) { '_' } else { c }).collect();
        let plain = if plain.is_empty() { format!("joint_{number}") } else { plain };
        let mut unique = plain.clone();
        let mut copy = 2;
        while !self.0.insert(unique.clone()) {
            unique = format!("{plain}_{copy}");
            copy += 1;
        }
        unique
    }
}
