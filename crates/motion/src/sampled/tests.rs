use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{Curve, Interpolation, JointId, Node, SceneParts, Track, Transform};
use sinew_scene::{InstanceId, Scene};

use super::*;
use crate::{Cursor, Pose, SimdLevel, sample};

const ROOT: JointId = JointId::new(0);

/// A chain of ten joints, a metre in all, that turn by different angles, 30 keys a second; the root walks.
fn scene(interpolation: Interpolation, seconds: f32) -> Scene {
    let count = (seconds * 30.0_f32).ceil() as usize;
    let times: Vec<f32> = (0..=count).map(|key| (key as f32 / 30.0).min(seconds)).collect();
    let node = |at: usize| {
        let parent = at.checked_sub(1).map(JointId::new);
        Node::new("", parent, Transform::from_translation(Vec3::Y * 0.1))
    };
    let rotation = |joint: usize, time: f32| {
        let angle = (joint as f32 + 3.0 * time).sin();
        let rotation = Quat::from_euler(Default::default(), angle, 0.5 * angle * angle, 0.1);
        // Either sign is the same turn.
        if (time * 30.0) as usize % 5 == 2 { -rotation } else { rotation }
    };
    let rotations = (0..10)
        .filter(|joint| joint % 3 != 2)
        .map(|joint| {
            let values = times.iter().map(|&time| rotation(joint, time)).collect();
            let curve = Curve::new(times.clone(), values, interpolation).expect("keys");
            Track { joint: JointId::new(joint), curve }
        })
        .collect();
    let places = times.iter().map(|&time| Vec3::new(time, time * time, 0.0)).collect();
    let curve = Curve::new(times, places, interpolation).expect("keys");
    let clip = Clip {
        duration: seconds,
        rotations,
        translations: vec![Track { joint: ROOT, curve }],
        ..Clip::default()
    };
    let nodes = (0..10).map(node).collect();
    Scene::new(SceneParts { nodes, clips: vec![clip], ..SceneParts::default() }).expect("it fits")
}

fn exact(scene: &Scene, time: f32) -> Pose {
    let mut pose = Pose::new(scene);
    sample(&scene.clips[0], time, &mut Cursor::new(), &mut pose);
    pose
}

fn played(sampled: &SampledClip, scene: &Scene, time: f32) -> Pose {
    let mut pose = Pose::new(scene);
    sampled.sample(time, &mut pose);
    pose
}

#[test]
fn a_reel_stays_within_its_error_at_any_time() {
    // 1.99 s: the end comes sooner than a whole frame.
    for seconds in [2.0, 1.99] {
        let scene = scene(Interpolation::Linear, seconds);
        let last = |curve: &[f32]| curve.last().copied();
        assert_eq!(last(scene.clips[0].translations[0].curve.times()), Some(seconds));
        let sampled = SampledClip::new(&scene, &scene.clips[0], 0.000_1);
        assert!(sampled.error() <= 0.000_1 && sampled.error() > 0.0, "{}", sampled.error());
        assert_eq!(sampled.rate(), 30.0);
        for step in -20..1100 {
            let time = step as f32 * 0.002;
            let (mut a, mut b) = (exact(&scene, time), played(&sampled, &scene, time));
            a.to_model(scene.skeleton());
            b.to_model(scene.skeleton());
            let last = |pose: &Pose| pose.model_from_joint()[9].translation;
            let apart = last(&a).distance(last(&b));
            assert!(apart <= 1.2 * sampled.error(), "{apart} m apart at {time} s of {seconds}");
        }
    }
}

#[test]
fn more_than_a_rate_can_follow_gets_a_higher_one() {
    let scene = scene(Interpolation::Linear, 1.0);
    let mut clip = scene.clips[0].clone();
    // Keys at their own moments, a sixtieth off for half of the way.
    let moved = |time: f32| if time > 0.5 { time + 1.0 / 60.0 } else { time };
    for track in &mut clip.rotations {
        let times: Vec<f32> = track.curve.times().iter().map(|&time| moved(time)).collect();
        let values = track.curve.values().to_vec();
        track.curve = Curve::new(times, values, Interpolation::Linear).expect("keys");
    }
    let coarse = SampledClip::at_rate(&scene, &clip, 30.0).error();
    let sampled = SampledClip::new(&scene, &clip, 0.000_1);
    assert!(
        sampled.rate() > 59.0 && sampled.error() < 0.1 * coarse,
        "{} {coarse}",
        sampled.error()
    );
}

#[test]
fn steps_hold_until_the_next_frame() {
    let scene = scene(Interpolation::Step, 2.0);
    let sampled = SampledClip::new(&scene, &scene.clips[0], 0.000_1);
    let (a, b) = (exact(&scene, 0.59), played(&sampled, &scene, 0.59));
    assert_eq!(a.local(ROOT).translation, b.local(ROOT).translation);
    let apart = a.local(ROOT).rotation.angle_between(b.local(ROOT).rotation);
    assert!(apart < 1e-3, "{apart}");
}

#[test]
fn at_an_end_that_comes_early_the_last_step_is_taken() {
    let scene = scene(Interpolation::Step, 1.99);
    let sampled = SampledClip::new(&scene, &scene.clips[0], 0.000_1);
    for time in [1.97, 1.989, 1.99, 9.0] {
        let (a, b) = (exact(&scene, time), played(&sampled, &scene, time));
        assert_eq!(a.local(ROOT).translation, b.local(ROOT).translation, "at {time} s");
    }
}

#[test]
fn a_key_a_hair_after_its_frame_counts_as_on_it() {
    let scene = scene(Interpolation::Step, 2.0);
    let mut clip = scene.clips[0].clone();
    let track = &mut clip.translations[0];
    let times: Vec<f32> = track.curve.times().iter().map(|&time| time + 1e-5).collect();
    let values = track.curve.values().to_vec();
    track.curve = Curve::new(times, values, Interpolation::Step).expect("keys");
    let sampled = SampledClip::at_rate(&scene, &clip, 30.0);
    let x = played(&sampled, &scene, 0.51).local(ROOT).translation.x;
    assert_eq!(x, 0.5);
}

#[test]
fn what_does_not_move_is_kept_once() {
    let scene = scene(Interpolation::Linear, 2.0);
    let sampled = SampledClip::at_rate(&scene, &scene.clips[0], 30.0);
    // Two blocks turn, one moves, none scales.
    assert_eq!((sampled.rotations.len(), sampled.vectors.len()), (2 * 61, 61));
    let pose = played(&sampled, &scene, 1.234);
    let (found, rest) = (pose.local(JointId::new(2)), scene.skeleton().nodes()[2].rest);
    assert_eq!((found.translation, found.scale), (rest.translation, rest.scale));
    // Processors differ in the last bit of an inverse square root.
    assert!(found.rotation.abs_diff_eq(rest.rotation, 1e-6), "{}", found.rotation);
}

#[test]
fn the_deterministic_path_has_the_bits_of_the_plain_one_and_the_fast_is_near() {
    let scene = scene(Interpolation::Linear, 2.0);
    let sampled = SampledClip::at_rate(&scene, &scene.clips[0], 30.0);
    let on = |path, time| {
        let mut pose = Pose::new(&scene);
        sampled.sample_on(path, time, &mut pose);
        pose
    };
    for step in 0..50 {
        let time = step as f32 * 0.041;
        let plain = on(SimdLevel::Scalar, time);
        assert_eq!(on(SimdLevel::Deterministic, time).locals(), plain.locals());
        for joint in scene.skeleton().ids() {
            let (a, b) = (on(SimdLevel::Fast, time).local(joint), plain.local(joint));
            assert!(a.rotation.abs_diff_eq(b.rotation, 1e-6), "{joint:?} at {time} s");
            assert!(a.translation.abs_diff_eq(b.translation, 1e-6), "{joint:?} at {time} s");
        }
    }
}

#[test]
fn clips_of_no_length_or_without_tracks_are_one_frame() {
    let scene = scene(Interpolation::Linear, 2.0);
    let still = Clip { duration: 0.0, ..scene.clips[0].clone() };
    let sampled = SampledClip::new(&scene, &still, 0.0);
    assert_eq!(sampled.frames(), 1);
    let at_start = exact(&scene, 0.0).local(ROOT);
    for time in [f32::NAN, f32::INFINITY, 0.0] {
        assert_eq!(played(&sampled, &scene, time).local(ROOT), at_start);
    }
    let empty = Clip { duration: 3.0, ..Clip::default() };
    let sampled = SampledClip::new(&scene, &empty, 0.0);
    assert_eq!((sampled.frames(), sampled.error()), (91, 0.0));
    assert_eq!(played(&sampled, &scene, 2.0).locals(), Pose::new(&scene).locals());
}

#[test]
fn times_that_are_no_times_give_the_ends() {
    let scene = scene(Interpolation::Linear, 2.0);
    let sampled = SampledClip::at_rate(&scene, &scene.clips[0], 30.0);
    let x = |time| played(&sampled, &scene, time).local(ROOT).translation.x;
    assert_eq!([x(f32::NEG_INFINITY), x(f32::NAN), x(-1.0)], [0.0; 3]);
    assert_eq!([x(f32::INFINITY), x(9e9), x(2.0)], [2.0; 3]);
}

#[test]
fn a_joint_told_by_itself_is_what_is_sampled_at_frames() {
    // Blocks of which only the second scales, so that rows of vectors are not those of blocks.
    let mut scene = scene(Interpolation::Linear, 2.0).into_parts();
    let grow = Curve::new(vec![0.0, 2.0], vec![Vec3::ONE, Vec3::splat(2.0)], Interpolation::Linear);
    let places = vec![Vec3::X, Vec3::Y];
    let shift = Curve::new(vec![0.0, 2.0], places, Interpolation::Step).expect("keys");
    scene.clips[0].scales = vec![Track { joint: JointId::new(9), curve: grow.expect("keys") }];
    scene.clips[0].translations.push(Track { joint: JointId::new(8), curve: shift });
    let scene = Scene::new(scene).expect("it fits");
    let sampled = SampledClip::at_rate(&scene, &scene.clips[0], 30.0);
    for frame in [0, 1, 37, 60] {
        let pose = played(&sampled, &scene, frame as f32 / 30.0);
        for id in scene.skeleton().ids() {
            let (joint, found) = (sampled.joint(id.index()), pose.local(id));
            assert!(joint.translation(frame).abs_diff_eq(found.translation, 1e-5), "{id:?}");
            assert!(joint.scale(frame).abs_diff_eq(found.scale, 1e-5), "{id:?} {frame}");
            let scale = joint.rotations().expect("both blocks turn");
            let bits = joint.rotation(frame).map(f32::from);
            let rotation: [f32; 4] =
                std::array::from_fn(|at| bits[at] * scale.step[at] + scale.middle[at]);
            let rotation = Quat::from_array(rotation).normalize();
            assert!(rotation.abs_diff_eq(found.rotation, 2e-5), "{id:?} {frame}");
            assert!(scale.goes);
        }
    }
    assert_eq!([8, 9].map(|joint| sampled.joint(joint).moves()), [Some(false), Some(true)]);
    assert_eq!([0, 9].map(|joint| sampled.joint(joint).scales()), [None, Some(true)]);
}

#[test]
fn morph_weights_come_along() {
    use sinew_scene::{
        Geometry, Instance, Mesh, MeshId, MorphTarget, Primitive, Rows, WeightTrack,
    };
    let mut parts = scene(Interpolation::Linear, 2.0).into_parts();
    let primitive =
        Primitive::from(Geometry { morphs: vec![MorphTarget::default()], ..Geometry::default() });
    parts.meshes = vec![Mesh {
        primitives: vec![primitive],
        morph_names: vec!["smile".into()],
        ..Mesh::default()
    }];
    parts.instances =
        vec![Instance { joint: ROOT, mesh: MeshId::new(0), skin: None, weights: vec![0.5] }];
    let rows = Rows::new(vec![0.0, 2.0], vec![0.0, 1.0], 1, Interpolation::Linear).expect("rows");
    parts.clips[0].weights = vec![WeightTrack { instance: InstanceId::new(0), rows }];
    let scene = Scene::new(parts).expect("it fits");
    let sampled = SampledClip::at_rate(&scene, &scene.clips[0], 10.0);
    let smile =
        |sampled: &SampledClip, time| played(sampled, &scene, time).weights(InstanceId::new(0))[0];
    assert!(
        (smile(&sampled, 0.5) - 0.25).abs() < 1e-6 && (smile(&sampled, 1.25) - 0.625).abs() < 1e-6
    );
    let mut clip = scene.clips[0].clone();
    let rows = Rows::new(vec![0.0, 1.0], vec![0.2, 0.8], 1, Interpolation::Step).expect("rows");
    clip.weights[0].rows = rows;
    let sampled = SampledClip::at_rate(&scene, &clip, 10.0);
    assert_eq!([smile(&sampled, 0.95), smile(&sampled, 1.0)], [0.2, 0.8]);
}
