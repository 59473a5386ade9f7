//! The tree of joints: joints that nothing follows, and transforms above the root joint.

use glam::{Affine3A, Quat, Vec3};
use sinew_scene::{Influence, Influences, Interpolation, Mesh, SceneParts, Track, Transform};

use super::mesh::change;
use crate::finding::counted;

/// Leaves joints out of skins that have no weight, key, child or attachment. Their nodes stay, for what is put on them by name.
pub(super) fn leave_out_unused(parts: &mut SceneParts) -> Option<String> {
    let weighted = weighted(parts);
    let mut used = vec![false; parts.nodes.len()];
    let parents = parts.nodes.iter().filter_map(|node| node.parent);
    let instances = parts.instances.iter().map(|instance| instance.joint);
    let lights = parts.lights.iter().map(|light| light.joint);
    let cameras = parts.cameras.iter().map(|camera| camera.joint);
    for joint in parents.chain(instances).chain(lights).chain(cameras) {
        used[joint.index()] = true;
    }
    (0..used.len()).for_each(|node| used[node] |= is_animated(parts, node));
    for (skin, weighted) in weighted.iter().enumerate() {
        for (joint, weighted) in parts.skins[skin].joints.iter().zip(weighted) {
            used[joint.index()] |= *weighted;
        }
    }
    let mut gone: Vec<usize> = Vec::new();
    for skin in 0..parts.skins.len() {
        let stays = |joint: &sinew_scene::JointId| used[joint.index()];
        let kept: Vec<bool> = parts.skins[skin].joints.iter().map(stays).collect();
        // A skin without joints is none.
        if kept.iter().all(|kept| *kept) || !kept.contains(&true) {
            continue;
        }
        let joints = parts.skins[skin].joints.iter().zip(&kept);
        gone.extend(joints.filter(|(_, kept)| !**kept).map(|(joint, _)| joint.index()));
        keep(parts, skin, &kept);
    }
    gone.sort_unstable();
    gone.dedup();
    let joints = counted(gone.len(), "joint is", "joints are");
    (!gone.is_empty()).then(|| format!("{joints} left out of skins; the nodes stay"))
}

/// For each skin, which of its joints some vertex follows.
fn weighted(parts: &SceneParts) -> Vec<Vec<bool>> {
    let mut weighted: Vec<Vec<bool>> =
        parts.skins.iter().map(|skin| vec![false; skin.joints.len()]).collect();
    for instance in &parts.instances {
        let Some(skin) = instance.skin else { continue };
        let all = &mut weighted[skin.index()];
        let own = weighted_by(&parts.meshes[instance.mesh.index()], all.len());
        all.iter_mut().zip(own).for_each(|(all, own)| *all |= own);
    }
    weighted
}

/// Which of so many joints some vertex of a mesh follows.
pub(super) fn weighted_by(mesh: &Mesh, joints: usize) -> Vec<bool> {
    let mut weighted = vec![false; joints];
    let influences = mesh.primitives.iter().flat_map(|primitive| primitive.influences.all());
    for influence in influences.filter(|one| one.weight > 0.0) {
        weighted[influence.joint as usize] = true;
    }
    weighted
}

/// What an index of eight bits reaches.
pub(super) const MAX_JOINTS: usize = 256;

/// Leaves joints without weights out of skins that have too many. Their nodes stay.
pub(super) fn keep_weighted(parts: &mut SceneParts) -> Option<String> {
    let weighted = weighted(parts);
    let mut gone = 0;
    for (skin, weighted) in weighted.iter().enumerate() {
        let count = weighted.iter().filter(|is| **is).count();
        if weighted.len() > MAX_JOINTS && count > 0 && count < weighted.len() {
            keep(parts, skin, weighted);
            gone += weighted.len() - count;
        }
    }
    let joints = counted(gone, "joint", "joints");
    (gone > 0).then(|| format!("{joints} without weights left out of skins; the nodes stay"))
}

/// Leaves joints out of a skin. Meshes count their joints by number: one that other skins use as well is copied.
fn keep(parts: &mut SceneParts, skin: usize, kept: &[bool]) {
    let mut now = Vec::with_capacity(kept.len());
    let mut next = 0;
    for kept in kept {
        now.push(next);
        next += u32::from(*kept);
    }
    let is = |at: &usize| parts.instances[*at].skin.is_some_and(|own| own.index() == skin);
    let own: Vec<usize> = (0..parts.instances.len()).filter(is).collect();
    change(parts, &own, |mesh| {
        for primitive in &mut mesh.primitives {
            let mut influences = Influences::default();
            for old in primitive.influences.iter() {
                let renamed =
                    old.iter().map(|one| Influence { joint: now[one.joint as usize], ..*one });
                influences.push_exact(renamed.filter(|one| one.weight != 0.0));
            }
            primitive.influences = influences;
        }
    });
    let skin = &mut parts.skins[skin];
    let mut stays = kept.iter();
    skin.joints.retain(|_| stays.next().copied().unwrap_or(true));
    let mut stays = kept.iter();
    skin.joint_from_mesh.retain(|_| stays.next().copied().unwrap_or(true));
}

pub(super) fn is_animated(parts: &SceneParts, node: usize) -> bool {
    parts.clips.iter().any(|clip| {
        let rotations = clip.rotations.iter().map(|track| track.joint);
        let vectors = clip.translations.iter().chain(&clip.scales).map(|track| track.joint);
        rotations.chain(vectors).any(|joint| joint.index() == node)
    })
}

/// Bakes the rotation and even scale of nodes above root joints into the joints and into the matrices that bind the skin: joints
/// have the axes and the units of the model then, and every vertex stays where it was.
pub(super) fn bake_armature(parts: &mut SceneParts) -> Option<String> {
    let mut is_joint = vec![false; parts.nodes.len()];
    for joint in parts.skins.iter().flat_map(|skin| &skin.joints) {
        is_joint[joint.index()] = true;
    }
    let mut baked = 0;
    for node in 0..parts.nodes.len() {
        let below = below(parts, node);
        let carries = (0..below.len()).any(|at| below[at] && is_joint[at]);
        if !is_joint[node] && carries && can_be_baked(parts, node, &below) {
            bake(parts, node, &below);
            baked += 1;
        }
    }
    (baked > 0)
        .then(|| format!("{} into the joints", counted(baked, "node is baked", "nodes are baked")))
}

/// Which nodes are below another; itself is not.
pub(super) fn below(parts: &SceneParts, node: usize) -> Vec<bool> {
    let mut below = vec![false; parts.nodes.len()];
    for at in node + 1..below.len() {
        let parent = parts.nodes[at].parent.map(sinew_scene::JointId::index);
        below[at] = parent.is_some_and(|parent| parent == node || below[parent]);
    }
    below
}

fn is_even(scale: Vec3) -> bool {
    let most = scale.abs().max_element();
    (scale - scale.x).abs().max_element() <= 1e-5 * most
}

/// Whether a node has something to bake, nothing moves it, and nothing below it is in the way: what is not skinned, a
/// shear, or a scale that is not even.
fn can_be_baked(parts: &SceneParts, node: usize, below: &[bool]) -> bool {
    let Transform { rotation, scale, .. } = parts.nodes[node].rest;
    let plain =
        rotation.angle_between(Quat::IDENTITY) < 1e-6 && (scale - 1.0).abs().max_element() < 1e-6;
    let sound = is_even(scale) && scale.x > 0.0 && parts.nodes[node].shear.is_none();
    if plain || !sound || is_animated(parts, node) {
        return false;
    }
    let here = |at: usize| at == node || below[at];
    let rigid = parts.instances.iter().filter(|instance| instance.skin.is_none());
    let rigid = rigid.map(|instance| instance.joint);
    let lights = parts.lights.iter().map(|light| light.joint);
    let cameras = parts.cameras.iter().map(|camera| camera.joint);
    let free = !rigid.chain(lights).chain(cameras).any(|joint| here(joint.index()));
    let even = (0..below.len())
        .filter(|at| below[*at])
        .all(|at| parts.nodes[at].shear.is_none() && is_even(parts.nodes[at].rest.scale));
    let scales = parts.clips.iter().flat_map(|clip| &clip.scales);
    let mut scales = scales.filter(|track| below[track.joint.index()]);
    free && even && scales.all(|track| track.curve.values().iter().all(|scale| is_even(*scale)))
}

/// With K the rotation and scale of the node: a joint's local transform L becomes `K L K⁻¹`, what binds it `K` times itself, and
/// the node keeps its translation.
fn bake(parts: &mut SceneParts, node: usize, below: &[bool]) {
    let rest = &mut parts.nodes[node].rest;
    let turn = rest.rotation;
    let scale = rest.scale.x;
    rest.rotation = Quat::IDENTITY;
    rest.scale = Vec3::ONE;
    let rotated = |rotation: Quat| turn * rotation * turn.inverse();
    for at in (0..below.len()).filter(|at| below[*at]) {
        let rest = &mut parts.nodes[at].rest;
        rest.translation = turn * (rest.translation * scale);
        rest.rotation = rotated(rest.rotation).normalize();
    }
    for clip in &mut parts.clips {
        for track in clip.translations.iter_mut().filter(|track| below[track.joint.index()]) {
            track.curve.values_mut().iter_mut().for_each(|value| *value = turn * (*value * scale));
        }
        for track in clip.rotations.iter_mut().filter(|track| below[track.joint.index()]) {
            turn_keys(track, rotated);
        }
    }
    let bake = Affine3A::from_scale_rotation_translation(Vec3::splat(scale), turn, Vec3::ZERO);
    for skin in &mut parts.skins {
        let binds = skin.joints.iter().zip(&mut skin.joint_from_mesh);
        for (_, bind) in binds.filter(|(joint, _)| below[joint.index()]) {
            *bind = bake * *bind;
        }
    }
}

/// Keys and, of smooth curves, tangents: turning is linear in both.
fn turn_keys(track: &mut Track<Quat>, rotated: impl Fn(Quat) -> Quat) {
    let smooth = track.curve.interpolation() == Interpolation::Cubic;
    for value in track.curve.values_mut() {
        *value = if smooth { rotated(*value) } else { rotated(*value).normalize() };
    }
}
