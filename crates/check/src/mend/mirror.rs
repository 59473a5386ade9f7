//! Mirrored transforms: the sign of a scale goes into joints, binds and meshes, and faces are turned round.
//!
//! With M the mirror of the X axis, a node `T R S` of a negative scale is `T R' |S| M` for some rotation `R'`. It keeps `T R' |S|`, everything
//! below it is seen in the mirror (`L` becomes `M L M`), and whatever hangs there gets the M: every point stays where it was.

use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};
use sinew_motion::Pose;
use sinew_scene::{Scene, SceneParts, SkinId};

use super::mesh::{MIRROR, change, transform};
use super::skeleton::{below, weighted_by};
use crate::finding::counted;

/// Takes negative scales out of nodes, and turns meshes round that are drawn inside out.
pub(super) fn flip(parts: &mut SceneParts) -> Option<String> {
    let mut nodes = 0;
    for node in 0..parts.nodes.len() {
        if can_be_flipped(parts, node) {
            flip_node(parts, node);
            nodes += 1;
        }
    }
    let meshes = turn_skinned(parts)?;
    let scales = counted(nodes, "negative scale is", "negative scales are");
    let turned = counted(meshes, "skinned mesh is", "skinned meshes are");
    (nodes + meshes > 0).then(|| format!("{scales} baked, {turned} turned right side out"))
}

fn is_mirrored(scale: Vec3) -> bool {
    scale.x * scale.y * scale.z < 0.0
}

/// Whether a node mirrors, and does so the same way in every clip.
fn can_be_flipped(parts: &SceneParts, node: usize) -> bool {
    let rest = parts.nodes[node].rest.scale;
    let tracks = parts.clips.iter().flat_map(|clip| &clip.scales);
    let mut own = tracks.filter(|track| track.joint.index() == node);
    let same = |scale: &Vec3| scale.signum() == rest.signum();
    let agrees = own.all(|track| {
        let each = track.curve.interpolation().values_per_key();
        track.curve.values().iter().skip(each / 2).step_by(each).all(same)
    });
    is_mirrored(rest) && parts.nodes[node].shear.is_none() && agrees
}

fn flip_node(parts: &mut SceneParts, node: usize) {
    let below = below(parts, node);
    let rest = &mut parts.nodes[node].rest;
    let signs = rest.scale.signum();
    let half = half_turn(signs);
    rest.scale *= signs;
    rest.rotation = (rest.rotation * half).normalize();
    for at in (0..below.len()).filter(|at| below[*at]) {
        let node = &mut parts.nodes[at];
        node.rest.translation = mirrored(node.rest.translation);
        node.rest.rotation = seen_in_mirror(node.rest.rotation);
        node.shear = node.shear.map(|shear| MIRROR * shear * MIRROR);
    }
    // Every change is linear, so that tangents change as keys do.
    for clip in &mut parts.clips {
        for track in clip.translations.iter_mut().filter(|track| below[track.joint.index()]) {
            track.curve.values_mut().iter_mut().for_each(|value| *value = mirrored(*value));
        }
        for track in &mut clip.rotations {
            let values = track.curve.values_mut().iter_mut();
            if track.joint.index() == node {
                values.for_each(|value| *value *= half);
            } else if below[track.joint.index()] {
                values.for_each(|value| *value = seen_in_mirror(*value));
            }
        }
        for track in clip.scales.iter_mut().filter(|track| track.joint.index() == node) {
            track.curve.values_mut().iter_mut().for_each(|value| *value *= signs);
        }
    }
    let here = |at: usize| at == node || below[at];
    for skin in &mut parts.skins {
        for (joint, bind) in skin.joints.iter().zip(&mut skin.joint_from_mesh) {
            if here(joint.index()) {
                *bind = affine(MIRROR) * *bind;
            }
        }
    }
    let rigid = |at: &usize| {
        let instance = &parts.instances[*at];
        instance.skin.is_none() && here(instance.joint.index())
    };
    let rigid: Vec<usize> = (0..parts.instances.len()).filter(rigid).collect();
    change(parts, &rigid, |mesh| transform(mesh, MIRROR));
}

/// What of these signs is left beside the mirror of X: nothing, or half a turn.
fn half_turn(signs: Vec3) -> Quat {
    match (signs.x < 0.0, signs.y < 0.0) {
        (true, false) => Quat::IDENTITY,
        (true, true) => Quat::from_xyzw(1.0, 0.0, 0.0, 0.0),
        (false, true) => Quat::from_xyzw(0.0, 0.0, 1.0, 0.0),
        (false, false) => Quat::from_xyzw(0.0, 1.0, 0.0, 0.0),
    }
}

fn mirrored(vector: Vec3) -> Vec3 {
    Vec3::new(-vector.x, vector.y, vector.z)
}

/// `M R M`: the axis of a rotation is mirrored, and its sense is reversed.
fn seen_in_mirror(rotation: Quat) -> Quat {
    Quat::from_xyzw(rotation.x, -rotation.y, -rotation.z, rotation.w)
}

fn affine(matrix3: Mat3A) -> Affine3A {
    Affine3A { matrix3, translation: Vec3A::ZERO }
}

/// Turns skinned meshes round that every joint with weights turns inside out; gives how many.
fn turn_skinned(parts: &mut SceneParts) -> Option<usize> {
    let scene = Scene::new(parts.clone()).ok()?;
    let pose = Pose::new(&scene);
    let inside_out = |at: &usize| {
        let instance = &scene.instances[*at];
        let Some(skin) = instance.skin.map(|skin| &scene[skin]) else { return false };
        let weighted = weighted_by(&scene[instance.mesh], skin.joints.len());
        let mut joints = (0..skin.joints.len()).filter(|joint| weighted[*joint]).peekable();
        let turned = |joint: usize| {
            let rest = pose.model_from_joint()[skin.joints[joint].index()];
            (rest * skin.joint_from_mesh[joint]).matrix3.determinant() < 0.0
        };
        joints.peek().is_some() && joints.all(turned)
    };
    let turned: Vec<usize> = (0..parts.instances.len()).filter(inside_out).collect();
    for skin in 0..parts.skins.len() {
        let follows = |at: &usize| parts.instances[*at].skin == Some(SkinId::new(skin));
        let of: Vec<usize> = turned.iter().copied().filter(follows).collect();
        if of.is_empty() {
            continue;
        }
        let mut copy = parts.skins[skin].clone();
        copy.joint_from_mesh.iter_mut().for_each(|bind| *bind *= affine(MIRROR));
        let shared = (0..parts.instances.len()).filter(follows).any(|at| !of.contains(&at));
        if shared {
            parts.skins.push(copy);
            let new = SkinId::new(parts.skins.len() - 1);
            of.iter().for_each(|at| parts.instances[*at].skin = Some(new));
        } else {
            parts.skins[skin] = copy;
        }
    }
    change(parts, &turned, |mesh| transform(mesh, MIRROR));
    Some(turned.len())
}
