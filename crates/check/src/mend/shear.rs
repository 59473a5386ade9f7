//! Scales that are not even, above rotations: joints become free of them, and the stretch goes into binds and meshes.
//!
//! A joint's matrix at rest is `W = W' K`, with W' of translation, rotation and even scales alone. The joint keeps W', K goes into what hangs on
//! it, and what is below is as far away as it was: at rest nothing moves, and of a clip only what turned within the stretch.

use glam::{Affine3A, Mat3A, Vec3, Vec3A};
use sinew_scene::{JointId, SceneParts};

use super::mesh::{change, transform};
use super::skeleton::{below, is_animated};
use super::stretch;
use crate::finding::counted;
use crate::rules::{UNEVEN, is_quarter_turn, unevenness};

/// Stretches at rest go into the binds, and those of clips onto helper joints.
pub(super) fn straighten(parts: &mut SceneParts) -> Option<String> {
    let said: Vec<String> =
        at_rest(parts).into_iter().chain(stretch::onto_helpers(parts)).collect();
    (!said.is_empty()).then(|| said.join("; "))
}

fn at_rest(parts: &mut SceneParts) -> Option<String> {
    let stretched: Vec<bool> = (0..parts.nodes.len()).map(|at| bends(parts, at)).collect();
    let sheared = parts.nodes.iter().filter(|node| node.shear.is_some()).count();
    let count = stretched.iter().filter(|is| **is).count() + sheared;
    if count == 0 {
        return None;
    }
    let even: Vec<Vec3> = (0..parts.nodes.len())
        .map(|at| {
            let scale = parts.nodes[at].rest.scale;
            let volume = (scale.x * scale.y * scale.z).cbrt();
            if stretched[at] { Vec3::splat(volume) } else { scale }
        })
        .collect();
    let left = stretches(parts, &even)?;
    apply(parts, &even, &left);
    Some(format!(
        "{} even; the stretch is in the binds",
        counted(count, "node's scale is", "nodes' scales are")
    ))
}

/// Whether a node's scale is uneven, with something below that rotates.
fn bends(parts: &SceneParts, node: usize) -> bool {
    let scale = parts.nodes[node].rest.scale;
    let uneven = unevenness(scale) > UNEVEN && scale.min_element() > 1e-6;
    let rotates = |at: usize| {
        let animated = is_animated(parts, at);
        animated || !is_quarter_turn(parts.nodes[at].rest.rotation)
    };
    uneven && {
        let below = below(parts, node);
        (0..below.len()).any(|at| below[at] && rotates(at))
    }
}

/// K of every node. `None` where one cannot be undone: flat, or mirrored by a shear.
fn stretches(parts: &SceneParts, even: &[Vec3]) -> Option<Vec<Mat3A>> {
    let mut all: Vec<Mat3A> = Vec::with_capacity(parts.nodes.len());
    for (node, even) in parts.nodes.iter().zip(even) {
        let above = node.parent.map_or(Mat3A::IDENTITY, |parent| all[parent.index()]);
        let scale = |by: Vec3| Mat3A::from_diagonal(by);
        let own = node.rest.scale;
        if above == Mat3A::IDENTITY && own == *even && node.shear.is_none() {
            all.push(Mat3A::IDENTITY);
            continue;
        }
        let rotation = Mat3A::from_quat(node.rest.rotation);
        let shear = node.shear.unwrap_or(Mat3A::IDENTITY);
        let new = rotation * scale(*even);
        let left = new.inverse() * above * rotation * scale(own) * shear;
        if !(left.is_finite() && left.determinant() > 1e-12) {
            return None;
        }
        all.push(left);
    }
    Some(all)
}

fn apply(parts: &mut SceneParts, even: &[Vec3], left: &[Mat3A]) {
    let parents: Vec<Option<JointId>> = parts.nodes.iter().map(|node| node.parent).collect();
    let place = |joint: usize, translation: Vec3| {
        let above = parents[joint].map_or(Mat3A::IDENTITY, |parent| left[parent.index()]);
        Vec3::from(above * Vec3A::from(translation))
    };
    for clip in &mut parts.clips {
        for track in &mut clip.translations {
            let joint = track.joint.index();
            track.curve.values_mut().iter_mut().for_each(|value| *value = place(joint, *value));
        }
        for track in &mut clip.scales {
            let joint = track.joint.index();
            let by = even[joint] / parts.nodes[joint].rest.scale;
            if by.is_finite() && by != Vec3::ONE {
                track.curve.values_mut().iter_mut().for_each(|value| *value *= by);
            }
        }
    }
    for (at, node) in parts.nodes.iter_mut().enumerate() {
        node.rest.translation = place(at, node.rest.translation);
        node.rest.scale = even[at];
        node.shear = None;
    }
    for skin in &mut parts.skins {
        for (joint, bind) in skin.joints.iter().zip(&mut skin.joint_from_mesh) {
            let matrix3 = left[joint.index()];
            *bind = Affine3A { matrix3, translation: Vec3A::ZERO } * *bind;
        }
    }
    for at in 0..parts.instances.len() {
        let by = left[parts.instances[at].joint.index()];
        if parts.instances[at].skin.is_none() && by != Mat3A::IDENTITY {
            change(parts, &[at], |mesh| transform(mesh, by));
        }
    }
}
