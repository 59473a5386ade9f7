//! Many poses at a time are those that are sampled one by one.

use std::sync::Arc;

use sinew_motion::{Cursor, Pose, Sampler, sample};
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{
    Clip, Curve, Geometry, Instance, InstanceId, Interpolation, JointId, Mesh, MeshId, MorphTarget,
    Node, Primitive, Rows, Scene, SceneParts, Track, Transform, WeightTrack,
};

const JOINTS: usize = 19;

/// Keys of a joint: up to 160°, 40° or 10° from one to the next, both signs.
fn rotation(joint: usize, key: usize) -> Quat {
    let angle = (joint * 5 + key) as f32 * [0.11, 0.11, 0.5, 0.11, 1.9][joint % 5];
    let rotation = Quat::from_euler(Default::default(), angle, 0.3 * angle, -angle);
    if (joint + key).is_multiple_of(3) { -rotation } else { rotation }
}

fn turning(joint: usize, times: &Arc<[f32]>, kind: Interpolation) -> Track<Quat> {
    let each = kind.values_per_key();
    let values = (0..times.len() * each).map(|at| rotation(joint, at / each)).collect();
    let curve = Curve::new(times.clone(), values, kind).expect("keys");
    Track { joint: JointId::new(joint), curve }
}

fn moving(joint: usize, times: &Arc<[f32]>, kind: Interpolation) -> Track<Vec3> {
    let each = kind.values_per_key();
    let values =
        (0..times.len() * each).map(|at| Vec3::new(at as f32, joint as f32, 0.5)).collect();
    let curve = Curve::new(times.clone(), values, kind).expect("keys");
    Track { joint: JointId::new(joint), curve }
}

fn every(step: f32) -> Arc<[f32]> {
    (0..6).map(|key| key as f32 * step).collect()
}

/// All tracks with the same times, but for joint 4, which has none.
fn together() -> Clip {
    let times = every(0.3);
    let joints = (0..JOINTS).rev().filter(|joint| *joint != 4);
    Clip {
        duration: 1.5,
        rotations: joints.map(|joint| turning(joint, &times, Interpolation::Linear)).collect(),
        translations: vec![moving(0, &times, Interpolation::Linear)],
        ..Clip::default()
    }
}

/// Times of their own, every interpolation, scales and weights.
fn apart() -> Clip {
    let kinds =
        [Interpolation::Linear, Interpolation::Linear, Interpolation::Step, Interpolation::Cubic];
    let times = |joint: usize| every(0.2 + 0.01 * joint as f32);
    let kind = |joint: usize| kinds[joint % 4];
    let rotations = (0..JOINTS).map(|joint| turning(joint, &times(joint), kind(joint))).collect();
    let rows = Rows::new(times(3), (0..12).map(|at| at as f32).collect(), 2, Interpolation::Linear);
    Clip {
        duration: 1.5,
        rotations,
        translations: (0..5).map(|joint| moving(joint, &times(joint), kind(joint))).collect(),
        scales: (7..12).map(|joint| moving(joint, &times(joint), kind(joint))).collect(),
        weights: vec![WeightTrack { instance: InstanceId::new(0), rows: rows.expect("six rows") }],
        ..Clip::default()
    }
}

fn scene() -> Scene {
    let rest = |joint: usize| Transform {
        translation: Vec3::splat(joint as f32),
        rotation: rotation(joint, 7),
        scale: Vec3::splat(2.0),
    };
    let morphs = vec![MorphTarget::default(), MorphTarget::default()];
    let mesh = Mesh {
        primitives: vec![Primitive::from(Geometry { morphs, ..Geometry::default() })],
        morph_names: vec!["a".into(), "b".into()],
        ..Mesh::default()
    };
    let (joint, mesh_id) = (JointId::new(0), MeshId::new(0));
    Scene::new(SceneParts {
        nodes: (0..JOINTS).map(|joint| Node::new("", None, rest(joint))).collect(),
        meshes: vec![mesh],
        instances: vec![Instance { joint, mesh: mesh_id, skin: None, weights: vec![0.25, 0.5] }],
        clips: vec![together(), apart()],
        ..SceneParts::default()
    })
    .expect("the parts fit")
}

/// Before the start, at keys, between them, back again and after the end.
fn moments() -> Vec<f32> {
    let forward = (-3..70).map(|step| step as f32 * 0.03);
    forward.chain([0.3, 0.6, 0.2, 0.0, 1.25, f32::NAN]).collect()
}

fn one_by_one(scene: &Scene, clip: &Clip, times: &[f32]) -> Vec<Pose> {
    let mut cursor = Cursor::new();
    let at = |&time: &f32| {
        let mut pose = Pose::new(scene);
        sample(clip, time, &mut cursor, &mut pose);
        pose
    };
    times.iter().map(at).collect()
}

#[test]
fn poses_of_many_times_are_those_of_one_after_the_other() {
    let (scene, times) = (scene(), moments());
    for (number, clip) in scene.clips.iter().enumerate() {
        let expected = one_by_one(&scene, clip, &times);
        let mut sampler = Sampler::new(clip);
        let mut poses = vec![Pose::new(&scene); 8];
        for (times, expected) in times.chunks(8).zip(expected.chunks(8)) {
            let poses = &mut poses[..times.len()];
            sampler.sample(times, poses);
            for ((found, expected), time) in poses.iter().zip(expected).zip(times) {
                assert_eq!(found.all_weights(), expected.all_weights(), "at {time} s");
                for joint in (0..JOINTS).map(JointId::new) {
                    let (found, expected) = (found.local(joint), expected.local(joint));
                    let near = found.rotation.abs_diff_eq(expected.rotation, 4e-7);
                    assert!(
                        near,
                        "clip {number}, {joint:?} at {time} s: {found:?}, not {expected:?}"
                    );
                    assert_eq!(found.translation, expected.translation);
                    assert_eq!(found.scale, expected.scale);
                }
            }
        }
    }
}

#[test]
fn keys_and_what_no_track_moves_are_there_to_the_last_bit() {
    let scene = scene();
    for (clip, step) in scene.clips.iter().zip([0.3, 0.23]) {
        let times = every(step);
        let mut poses = vec![Pose::new(&scene); times.len()];
        Sampler::new(clip).sample(&times, &mut poses);
        for (key, pose) in poses.iter().enumerate() {
            let expected = &one_by_one(&scene, clip, &times[key..=key])[0];
            // Of the second clip, joint 3 has its keys at these times.
            for joint in [3, 4].map(JointId::new) {
                assert_eq!(pose.local(joint), expected.local(joint), "key {key}, {joint:?}");
            }
        }
    }
    let mut poses = vec![Pose::new(&scene)];
    Sampler::new(&scene.clips[0]).sample(&[0.4], &mut poses);
    assert_eq!(poses[0].local(JointId::new(4)), scene.skeleton().nodes()[4].rest);
}
