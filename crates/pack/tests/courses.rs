//! How a packed clip goes between its frames, and where these are: straight, as cubics, dense where it needs them; jumps.

mod arm;

use arm::{RATE, arm, difference, packed, times, track};
use sinew_motion::{Pose, SimdLevel};
use sinew_pack::{Course, Options, Packed, pack};
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{Clip, Curve, Interpolation, JointId, Scene, Track};

/// All paths give the same pose, or as good as the same.
fn assert_paths_agree(scene: &Scene, packed: &Packed<Vec<u8>>) {
    let (mut plain, mut other) = (Pose::new(scene), Pose::new(scene));
    for step in 0..=400 {
        let time = step as f32 * packed.duration() / 397.0;
        packed.sample_on(SimdLevel::Scalar, time, &mut plain);
        packed.sample_on(SimdLevel::Deterministic, time, &mut other);
        assert_eq!(plain.locals(), other.locals(), "at {time} s");
        packed.sample_on(SimdLevel::Fast, time, &mut other);
        for joint in scene.skeleton().ids() {
            let (a, b) = (plain.local(joint).rotation, other.local(joint).rotation);
            assert!(a.abs_diff_eq(b, 1e-6), "{a} and {b} at {time} s");
        }
    }
}

#[test]
fn what_moves_smoothly_is_kept_as_a_cubic_in_few_frames() {
    // A pendulum, there and back in 2 s and ever farther, as a cubic with a key each tenth of a second.
    let key = |at: usize| {
        let (time, pi) = (at as f32 * 0.1, std::f32::consts::PI);
        let (turn, speed) = (
            5e-6 * time.powi(4) * (pi * time).sin(),
            2e-5 * time.powi(3) * (pi * time).sin() + 5e-6 * time.powi(4) * pi * (pi * time).cos(),
        );
        let (sin, cos) = (turn / 2.0).sin_cos();
        let slope = Quat::from_xyzw(0.0, 0.0, cos * speed / 2.0, -sin * speed / 2.0);
        [slope, Quat::from_rotation_z(turn), slope]
    };
    let tenths: Vec<f32> = (0..=200).map(|at| at as f32 / 10.0).collect();
    let curve = Curve::new(tenths, (0..=200).flat_map(key).collect(), Interpolation::Cubic);
    let curve = curve.expect("201 keys");
    let track = |joint: usize| Track { joint: JointId::new(joint), curve: curve.clone() };
    let scene =
        arm(Clip { duration: 20.0, rotations: vec![track(0), track(1)], ..Clip::default() });
    let options = Options { rate: Some(40.0), ..Options::default() };
    let (packed, report) = pack(&scene, &scene.clips[0], &options, &|_| {}).expect("it packs");
    assert!(report.course == Course::Smooth && packed.course() == Course::Smooth, "{report:?}");
    assert!(report.segment < report.frames, "several segments: {report:?}");
    assert!(difference(&scene, &packed, &scene.clips[0]) <= report.error * 1.001);
    let clip = packed.to_clip(&scene).expect("its own skeleton");
    assert_eq!(clip.rotations[0].curve.interpolation(), Interpolation::Cubic);
    assert!(difference(&scene, &packed, &clip) < 0.000_03);
    assert_paths_agree(&scene, &packed);
}

#[test]
fn a_quarter_turn_between_frames_goes_at_an_even_pace() {
    let turns = (0..5).map(|key| Quat::from_rotation_z(key as f32 * 1.5)).collect();
    let curve = Curve::new(times(5), turns, Interpolation::Linear).expect("five keys");
    let scene = arm(Clip {
        duration: 4.0 / RATE,
        rotations: vec![Track { joint: JointId::new(0), curve }],
        ..Clip::default()
    });
    let (packed, report) = packed(&scene, 0.000_1);
    assert!(
        report.frames <= 5 && report.course == Course::Straight,
        "no more than the keys: {report:?}"
    );
    // A straight mix would be 0.01 rad off at a fifth, which is 3 mm at the shell of the second joint.
    assert!(difference(&scene, &packed, &scene.clips[0]) <= 0.000_1);
}

#[test]
fn a_wheel_that_turns_smoothly_is_followed_round_and_round() {
    let key = |at: usize| {
        // Three times round, slow at both ends: turn(t) = 3 · 2π · (3 - 2t) t².
        let time = at as f32 / 20.0;
        let turn = 6.0 * std::f32::consts::PI * (3.0 - 2.0 * time) * time * time;
        let speed = 6.0 * std::f32::consts::PI * 6.0 * (1.0 - time) * time;
        let (sin, cos) = (turn / 2.0).sin_cos();
        let slope = Quat::from_xyzw(0.0, 0.0, cos * speed / 2.0, -sin * speed / 2.0);
        [slope, Quat::from_xyzw(0.0, 0.0, sin, cos), slope]
    };
    let twentieths: Vec<f32> = (0..=20).map(|at| at as f32 / 20.0).collect();
    let curve = Curve::new(twentieths, (0..=20).flat_map(key).collect(), Interpolation::Cubic);
    let scene = arm(Clip {
        duration: 1.0,
        rotations: vec![Track { joint: JointId::new(0), curve: curve.expect("21 keys") }],
        ..Clip::default()
    });
    let (packed, report) = packed(&scene, 0.000_5);
    assert!(report.course != Course::Straight && report.rate < 250.0, "{report:?}");
    assert!(difference(&scene, &packed, &scene.clips[0]) <= 0.000_5);
}

#[test]
fn curves_with_corners_are_kept_as_a_cubic_from_key_to_key_and_denser_where_they_turn_fast() {
    // From key to key another way each time, slow at both ends; once by a right angle.
    let turn = |key: usize| match key {
        17 => 1.6,
        key => 0.1 * (key as f32 * 2.7).sin(),
    };
    let rest = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let keys = (0..=40).flat_map(|key| [rest, Quat::from_rotation_z(turn(key)), rest]).collect();
    let curve = Curve::new(times(41), keys, Interpolation::Cubic).expect("41 keys");
    let scene = arm(Clip {
        duration: 40.0 / RATE,
        rotations: vec![Track { joint: JointId::new(0), curve }],
        ..Clip::default()
    });
    let (packed, report) = packed(&scene, 0.000_1);
    assert!(report.course == Course::Spans && !report.even, "{report:?}");
    assert!(packed.course() == Course::Spans && !packed.is_even());
    // Three frames for a key, and some more for two: 121 would be one span for each.
    assert!(report.frames > 121 && report.frames < 170, "{report:?}");
    let off = difference(&scene, &packed, &scene.clips[0]);
    assert!(off <= report.error * 1.01, "{off} {report:?}");
    assert!(report.error <= 0.000_1);
    let clip = packed.to_clip(&scene).expect("its own skeleton");
    assert_eq!(clip.rotations[0].curve.interpolation(), Interpolation::Cubic);
    assert!(difference(&scene, &packed, &clip) < 0.000_05);
    assert_paths_agree(&scene, &packed);
}

#[test]
fn a_clip_that_rests_most_of_the_time_has_most_frames_where_it_moves() {
    // Four seconds, of which a half, in the middle, has a key on every frame.
    let moves = |key: usize| match key {
        52..68 => Vec3::X * if key.is_multiple_of(2) { 0.1 } else { 0.0 },
        _ => Vec3::ZERO,
    };
    let curve = Curve::new(times(121), (0..121).map(moves).collect(), Interpolation::Linear);
    let scene = arm(Clip {
        duration: 4.0,
        translations: vec![Track { joint: JointId::new(0), curve: curve.expect("121 keys") }],
        ..Clip::default()
    });
    let (packed, report) = packed(&scene, 0.000_1);
    assert!(report.course == Course::Straight && !report.even, "{report:?}");
    assert!(report.frames < 60, "half of the keys: {report:?}");
    assert!(difference(&scene, &packed, &scene.clips[0]) <= 0.000_1);
    let clip = packed.to_clip(&scene).expect("its own skeleton");
    assert!(difference(&scene, &packed, &clip) < 1e-5);
}

#[test]
fn keys_that_begin_between_frames_are_frames_all_the_same() {
    let times: Vec<f32> = (0..60).map(|key| (key as f32 + 0.85) / 60.0).collect();
    let moves = (0..60).map(|key| Vec3::X * (key as f32 * 0.7).sin()).collect();
    let duration = times[59];
    let curve = Curve::new(times, moves, Interpolation::Linear).expect("60 keys");
    let scene = arm(Clip {
        duration,
        translations: vec![Track { joint: JointId::new(0), curve }],
        ..Clip::default()
    });
    let (packed, report) = packed(&scene, 0.000_1);
    assert!(report.frames <= 62, "a frame for a key: {report:?}");
    assert!(difference(&scene, &packed, &scene.clips[0]) <= 0.000_1);
}

#[test]
fn a_jump_between_two_keys_takes_place_between_two_frames() {
    // A slow drift, 0.3 m from one time to the next that there is, and round a quarter in smooth haste after it.
    let moves = [0.0, 0.2, 0.5, 0.5].map(|at| Vec3::X * at).to_vec();
    let moves = Curve::new(vec![0.0, 0.5_f32.next_down(), 0.5, 1.0], moves, Interpolation::Linear);
    let rest = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let turns = [0.0, 0.0, 1.5, 1.5].into_iter();
    let turns = turns.flat_map(|turn| [rest, Quat::from_rotation_z(turn), rest]).collect();
    let turns = Curve::new(vec![0.0, 0.7, 0.9, 1.0], turns, Interpolation::Cubic);
    let scene = arm(Clip {
        duration: 1.0,
        translations: vec![track(0, moves)],
        rotations: vec![track(1, turns)],
        ..Clip::default()
    });
    let (packed, report) = packed(&scene, 0.000_1);
    assert!(report.error <= 0.000_1 && report.jumps == 1, "{report:?}");
    let mut pose = Pose::new(&scene);
    for (time, expected) in [(0.45, 0.18), (0.55, 0.5)] {
        packed.sample(time, &mut pose);
        let found = pose.local(JointId::new(0)).translation.x;
        assert!((found - expected).abs() <= 0.000_1, "{found} at {time} s");
    }
}
