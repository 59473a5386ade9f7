//! Scales that are animated unevenly, above rotations: a helper joint beside each joint takes the stretch, and nothing hangs on it.
//!
//! In:  a node whose scale track is not even, with something below it that rotates.
//! Out: that node and those below it with rotations and translations alone, and helper joints as their children with scales alone.
//!
//! A node's matrix in the model is `G = Q P`, with Q a rotation and P a stretch. The node gets Q and its place; its helper gets the diagonal of P,
//! and carries what the node carried. So no rotation is below an uneven scale any more, and what is lost is what no rotation and scale say: the
//! rest of P, which slants.

use glam::{Affine3A, Mat3A, Quat, Vec3};
use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::{Clip, Curve, Interpolation, JointId, Node, Scene, SceneParts, Track, Transform};

use super::skeleton::{below, is_animated};
use crate::finding::counted;
use crate::rules::{UNEVEN, is_quarter_turn, unevenness};

/// Times a second at which motion is looked at, beside all keys.
const RATE: f32 = 60.0;
/// What is nearer than this is the same.
const SAME: f32 = 1e-6;

pub(super) fn onto_helpers(parts: &mut SceneParts) -> Option<String> {
    let inside = inside(parts);
    if !inside.contains(&true) {
        return None;
    }
    let scene = Scene::new(parts.clone()).ok()?;
    let rest = taken_apart(&scene, &inside, Pose::new(&scene).model_from_joint())?;
    let clips: Option<Vec<Option<Baked>>> =
        parts.clips.iter().map(|clip| baked(&scene, &inside, clip)).collect();
    let clips = clips?;
    let stretches = |node: usize| {
        let in_clips = clips.iter().flatten().flat_map(|baked| &baked.poses);
        let mut all = in_clips.chain([&rest]).filter_map(|pose| pose[node]);
        all.any(|apart| !apart.scale.abs_diff_eq(Vec3::ONE, 10.0 * SAME))
    };
    let helped: Vec<usize> =
        (0..inside.len()).filter(|&node| inside[node] && stretches(node)).collect();
    apply(parts, &rest, clips, &helped);
    Some(format!(
        "{} of helper joints now; what slanted no longer does",
        counted(helped.len(), "node's stretch is that", "nodes' stretches are those")
    ))
}

/// Which nodes have an uneven scale track with rotations below, or are below one.
fn inside(parts: &SceneParts) -> Vec<bool> {
    let mut inside = vec![false; parts.nodes.len()];
    for node in 0..parts.nodes.len() {
        let above = parts.nodes[node].parent.is_some_and(|parent| inside[parent.index()]);
        inside[node] = above || (is_stretched(parts, node) && turns_below(parts, node));
    }
    inside
}

/// Whether some clip scales a node unevenly.
fn is_stretched(parts: &SceneParts, node: usize) -> bool {
    let tracks = parts.clips.iter().flat_map(|clip| &clip.scales);
    tracks.filter(|track| track.joint.index() == node).any(|track| {
        let each = track.curve.interpolation().values_per_key();
        let mut keys = track.curve.values().iter().skip(each / 2).step_by(each);
        keys.any(|scale| unevenness(*scale) > UNEVEN && scale.abs().min_element() > 0.01)
    })
}

fn turns_below(parts: &SceneParts, node: usize) -> bool {
    let below = below(parts, node);
    let turns =
        |at: usize| is_animated(parts, at) || !is_quarter_turn(parts.nodes[at].rest.rotation);
    (0..below.len()).any(|at| below[at] && turns(at))
}

/// A node without its stretch, in its parent, and the stretch.
#[derive(Clone, Copy, Debug)]
struct Apart {
    translation: Vec3,
    rotation: Quat,
    scale: Vec3,
}

/// All nodes inside, at one time.
type Poses = Vec<Option<Apart>>;

/// A clip at many times.
struct Baked {
    times: Vec<f32>,
    poses: Vec<Poses>,
}

/// Takes rotations and stretches of a pose apart. `None` where a matrix is flat or mirrors.
fn taken_apart(scene: &Scene, inside: &[bool], model: &[Affine3A]) -> Option<Poses> {
    let parents = scene.skeleton().parents();
    let mut now: Vec<Affine3A> = Vec::with_capacity(model.len());
    let mut poses = Vec::with_capacity(model.len());
    for (node, source) in model.iter().enumerate() {
        if !inside[node] {
            now.push(*source);
            poses.push(None);
            continue;
        }
        let above = parents[node].map_or(Affine3A::IDENTITY, |parent| now[parent.index()]);
        let turned = rotation_of(source.matrix3)?;
        let rotation = (rotation_of(above.matrix3)?.inverse() * turned).normalize();
        let translation = above.inverse().transform_point3(source.translation.into());
        let own = above * Affine3A::from_rotation_translation(rotation, translation);
        let left = own.matrix3.inverse() * source.matrix3;
        let scale = Vec3::new(left.x_axis.x, left.y_axis.y, left.z_axis.z);
        if !(scale.is_finite() && translation.is_finite()) {
            return None;
        }
        now.push(own);
        poses.push(Some(Apart { translation, rotation, scale }));
    }
    Some(poses)
}

/// The rotation nearest to a matrix: the mean of it and its inverse transposed, again and again (Higham 1986).
fn rotation_of(matrix: Mat3A) -> Option<Quat> {
    if !(matrix.is_finite() && matrix.determinant() > 1e-18) {
        return None;
    }
    let size = matrix.determinant().cbrt();
    let mut turned = matrix * (1.0 / size);
    for _ in 0..16 {
        turned = (turned + turned.inverse().transpose()) * 0.5;
    }
    let rotation = Quat::from_mat3a(&turned).normalize();
    rotation.is_finite().then_some(rotation)
}

/// A clip taken apart; nothing for one that moves none of these nodes.
fn baked(scene: &Scene, inside: &[bool], clip: &Clip) -> Option<Option<Baked>> {
    let times = times(clip, inside);
    if times.is_empty() {
        return Some(None);
    }
    let (mut pose, mut cursor) = (Pose::new(scene), Cursor::new());
    let mut at = |time: &f32| {
        sample(clip, *time, &mut cursor, &mut pose);
        pose.to_model(scene.skeleton());
        taken_apart(scene, inside, pose.model_from_joint())
    };
    let poses: Option<Vec<Poses>> = times.iter().map(&mut at).collect();
    Some(Some(Baked { poses: poses?, times }))
}

/// The times of all keys that move these nodes, and more between.
fn times(clip: &Clip, inside: &[bool]) -> Vec<f32> {
    let rotations = clip.rotations.iter().map(|track| (track.joint, track.curve.times()));
    let vectors = clip.translations.iter().chain(&clip.scales);
    let vectors = vectors.map(|track| (track.joint, track.curve.times()));
    let own = rotations.chain(vectors).filter(|(joint, _)| inside[joint.index()]);
    let mut times: Vec<f32> = own.flat_map(|(_, times)| times.iter().copied()).collect();
    if times.is_empty() {
        return times;
    }
    let frames = (clip.duration * RATE).floor().min(1e6) as usize;
    times.extend((0..=frames).map(|frame| frame as f32 / RATE));
    times.push(clip.duration);
    times.retain(|time| (0.0..=clip.duration).contains(time));
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}

fn apply(parts: &mut SceneParts, rest: &Poses, clips: Vec<Option<Baked>>, helped: &[usize]) {
    let first = parts.nodes.len();
    let helper = |node: usize| {
        helped.iter().position(|known| *known == node).map(|at| JointId::new(first + at))
    };
    for (clip, baked) in parts.clips.iter_mut().zip(clips) {
        let Some(baked) = baked else { continue };
        let outside = |joint: JointId| rest[joint.index()].is_none();
        clip.translations.retain(|track| outside(track.joint));
        clip.rotations.retain(|track| outside(track.joint));
        clip.scales.retain(|track| outside(track.joint));
        for (node, rest) in rest.iter().enumerate() {
            let Some(rest) = rest else { continue };
            let all: Vec<Apart> = baked.poses.iter().filter_map(|pose| pose[node]).collect();
            let joint = JointId::new(node);
            let values = |pick: fn(&Apart) -> Vec3| all.iter().map(pick).collect::<Vec<Vec3>>();
            let moved = track(joint, &baked.times, values(|it| it.translation), rest.translation);
            clip.translations.extend(moved);
            clip.rotations.extend(turned(joint, &baked.times, &all, rest.rotation));
            if let Some(helper) = helper(node) {
                clip.scales.extend(track(helper, &baked.times, values(|it| it.scale), rest.scale));
            }
        }
    }
    for &node in helped {
        let scale = rest[node].map_or(Vec3::ONE, |rest| rest.scale);
        let name = format!("{}_stretch", parts.nodes[node].name);
        let place = Transform { scale, ..Transform::IDENTITY };
        parts.nodes.push(Node::new(name, Some(JointId::new(node)), place));
    }
    for (node, rest) in parts.nodes.iter_mut().zip(rest) {
        if let Some(Apart { translation, rotation, .. }) = *rest {
            node.rest = Transform { translation, rotation, scale: Vec3::ONE };
        }
    }
    let joints = parts.skins.iter_mut().flat_map(|skin| &mut skin.joints);
    let rigid = parts.instances.iter_mut().map(|instance| &mut instance.joint);
    for joint in joints.chain(rigid) {
        *joint = helper(joint.index()).unwrap_or(*joint);
    }
}

/// A track of vectors; none where all are as at rest.
fn track(joint: JointId, times: &[f32], values: Vec<Vec3>, rest: Vec3) -> Option<Track<Vec3>> {
    let near = SAME * rest.length().max(1.0);
    if values.iter().all(|value| value.abs_diff_eq(rest, near)) {
        return None;
    }
    let curve = Curve::new(times, values, Interpolation::Linear).ok()?;
    Some(Track { joint, curve })
}

/// A track of rotations, each on the side of the one before; none where all are as at rest.
fn turned(joint: JointId, times: &[f32], all: &[Apart], rest: Quat) -> Option<Track<Quat>> {
    if all.iter().all(|it| it.rotation.dot(rest).abs() > 1.0 - 1e-7) {
        return None;
    }
    let mut last = rest;
    let values = all.iter().map(|it| {
        last = if it.rotation.dot(last) < 0.0 { -it.rotation } else { it.rotation };
        last
    });
    let curve = Curve::new(times, values.collect(), Interpolation::Linear).ok()?;
    Some(Track { joint, curve })
}
