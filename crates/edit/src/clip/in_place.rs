//! A clip that stays in place: its root motion taken out.
//!
//! In:  a clip of a scene, and the joint that root motion comes from.
//! Out: the same clip, with that joint over its place at rest: it keeps its height and lean, and neither goes over the floor nor
//! turns about the vertical.
//!
//! The root's keys stay where they were; between them there are more, where the path bends or turns.

use sinew_motion::{Cursor, Pose, Root, RootMode, sample};
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{Clip, Curve, Interpolation, JointId, Scene, Track};

/// Keys a second between those of the root.
const RATE: f32 = 60.0;
/// The most keys that are put between.
const MAX_KEYS: f32 = 100_000.0;
/// Rotations nearer than this are the same.
const SAME: f32 = 1e-6;

/// The clip without the root motion of this joint.
#[must_use]
pub fn in_place(scene: &Scene, clip: &Clip, joint: JointId) -> Clip {
    let root = Root::new(scene, joint, RootMode::Floor);
    let chain = chain(scene, joint);
    let moving = only(clip, &chain);
    let times = times(&moving);
    let (mut pose, mut cursor) = (Pose::new(scene), Cursor::new());
    let mut translations = Vec::with_capacity(times.len());
    let mut rotations: Vec<Quat> = Vec::with_capacity(times.len());
    let mut turned = false;
    for &time in &times {
        sample(&moving, time, &mut cursor, &mut pose);
        let before = pose.local(joint).rotation;
        root.hold(&mut pose);
        let held = pose.local(joint);
        turned |= 1.0 - before.dot(held.rotation).abs() > SAME;
        translations.push(held.translation);
        let near = rotations.last().is_some_and(|last| last.dot(held.rotation) < 0.0);
        rotations.push(if near { -held.rotation } else { held.rotation });
    }
    let mut held = clip.clone();
    let rest = scene[joint].rest;
    if translations.iter().any(|value| !value.abs_diff_eq(rest.translation, SAME)) {
        put(&mut held.translations, joint, &times, translations);
    } else {
        held.translations.retain(|track| track.joint != joint);
    }
    if turned {
        put(&mut held.rotations, joint, &times, rotations);
    }
    held
}

/// The joint and all above it.
fn chain(scene: &Scene, joint: JointId) -> Vec<JointId> {
    let parent = |joint: &JointId| scene.skeleton().parents()[joint.index()];
    std::iter::successors(Some(joint), parent).collect()
}

/// The clip with the tracks of these joints alone.
fn only(clip: &Clip, joints: &[JointId]) -> Clip {
    fn of<V: Clone>(tracks: &[Track<V>], joints: &[JointId]) -> Vec<Track<V>> {
        tracks.iter().filter(|track| joints.contains(&track.joint)).cloned().collect()
    }
    Clip {
        duration: clip.duration,
        translations: of::<Vec3>(&clip.translations, joints),
        rotations: of::<Quat>(&clip.rotations, joints),
        scales: of::<Vec3>(&clip.scales, joints),
        ..Clip::default()
    }
}

/// The times of all keys, and between them as many as make [`RATE`]; jumps stay jumps.
fn times(clip: &Clip) -> Vec<f32> {
    let mut own: Vec<f32> = clip.all_times().flatten().copied().collect();
    own.push(0.0);
    own.push(clip.duration);
    own.retain(|time| (0.0..=clip.duration).contains(time));
    own.sort_by(f32::total_cmp);
    own.dedup();
    let rate = RATE.min(MAX_KEYS / clip.duration.max(1.0));
    let mut times = Vec::new();
    for pair in own.windows(2) {
        let pieces = ((pair[1] - pair[0]) * rate).ceil().max(1.0) as usize;
        let at = |piece: usize| pair[0] + (pair[1] - pair[0]) * piece as f32 / pieces as f32;
        times.extend((0..pieces).map(at));
    }
    times.extend(own.last());
    times
}

fn put<V: Clone>(tracks: &mut Vec<Track<V>>, joint: JointId, times: &[f32], values: Vec<V>) {
    let Ok(curve) = Curve::new(times, values, Interpolation::Linear) else { return };
    tracks.retain(|track| track.joint != joint);
    tracks.push(Track { joint, curve });
    tracks.sort_by_key(|track| track.joint);
}

#[cfg(test)]
mod tests {
    use sinew_scene::{Node, SceneParts, Transform};

    use super::*;

    #[test]
    fn a_walk_in_a_curve_stays_over_its_place() {
        // At rest 1 m up and 0.5 m ahead; walks 2 m along z, turns by 90°, and bobs by 0.1 m.
        let joint = JointId::new(0);
        let rest = Transform::from_translation(Vec3::new(0.0, 1.0, 0.5));
        let values = vec![rest.translation, Vec3::new(0.0, 1.1, 1.5), Vec3::new(0.0, 1.0, 2.5)];
        let curve = Curve::new(vec![0.0, 0.5, 1.0], values, Interpolation::Linear);
        let translations = vec![Track { joint, curve: curve.expect("three keys") }];
        let values = vec![Quat::IDENTITY, Quat::from_rotation_y(90_f32.to_radians())];
        let curve = Curve::new(vec![0.0, 1.0], values, Interpolation::Linear);
        let rotations = vec![Track { joint, curve: curve.expect("two keys") }];
        let clips = vec![Clip { duration: 1.0, translations, rotations, ..Clip::default() }];
        let nodes = vec![Node::new("hips", None, rest)];
        let scene = Scene::new(SceneParts { nodes, clips, ..SceneParts::default() });
        let scene = scene.expect("the parts fit");
        let held = in_place(&scene, &scene.clips[0], joint);
        let mut pose = Pose::new(&scene);
        for (time, height) in [(0.0, 1.0), (0.25, 1.05), (0.5, 1.1), (1.0, 1.0)] {
            sample(&held, time, &mut Cursor::new(), &mut pose);
            let local = pose.local(joint);
            let expected = Vec3::new(0.0, height, 0.5);
            assert!(
                local.translation.abs_diff_eq(expected, 1e-5),
                "{} at {time}",
                local.translation
            );
            assert!(local.rotation.abs_diff_eq(Quat::IDENTITY, 1e-5), "{}", local.rotation);
        }
    }
}
