//! Packed clips checked by a decoder that shares no code with the packer, on a sample of clips.
//! `cargo run --release -p sinew-pack --example check -- FOLDER` does the same for a folder.
#![cfg(not(target_family = "wasm"))]

mod checker;

use checker::{roundings, verdict};
use sinew_pack::{Options, even_shells, pack, shells};
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{Clip, Curve, Interpolation, JointId, Node, Scene, SceneParts, Track, Transform};

fn check(scene: &Scene, clip: &Clip, options: &Options) {
    let (packed, report) = pack(scene, clip, options, &|_| {}).expect("it packs");
    let shells = options.shell.map_or_else(|| shells(scene), |shell| even_shells(scene, shell));
    let found = verdict(scene, clip, &shells, packed.bytes());
    assert!(found.holds(), "{:?}, {options:?}: {found:?}, {report:?}", clip.name);
    assert_eq!(found.stated_error, f64::from(report.error));
}

fn check_all_ways(scene: &Scene, clip: &Clip) {
    for error in [0.000_1, 0.001] {
        for (rate, exact_curves) in [(None, false), (Some(30.0), false), (None, true)] {
            check(scene, clip, &Options { error, shell: Some(0.1), rate, exact_curves });
        }
    }
}

#[test]
fn the_built_in_characters_are_no_farther_off_than_their_files_say() {
    let demo = sinew_ossi::demo();
    demo.clips.iter().for_each(|clip| check_all_ways(&demo, clip));
    let ossi = sinew_ossi::ossi();
    for clip in ossi.clips.iter().take(2) {
        check(&ossi, clip, &Options::default());
        check(&ossi, clip, &Options { error: 0.001, exact_curves: true, ..Options::default() });
    }
}

fn chain(clip: Clip) -> Scene {
    let out = Transform::from_translation(Vec3::Y * 0.3);
    let node = |at: usize| Node::new("", at.checked_sub(1).map(JointId::new), out);
    let nodes = (0..4).map(node).collect();
    Scene::new(SceneParts { nodes, clips: vec![clip], ..SceneParts::default() }).expect("it fits")
}

fn track<V>(joint: usize, times: &[f32], values: Vec<V>, kind: Interpolation) -> Track<V> {
    let curve = Curve::new(times.to_vec(), values, kind).expect("a key per time");
    Track { joint: JointId::new(joint), curve }
}

/// An elbow as exporters write it: one node turns round at once and holds, its child turns back at the same moment,
/// and what hangs on both moves smoothly.
fn turned_over(duration: f32) -> Scene {
    let flip = |on: bool| Quat::from_rotation_x(if on { 3.0 } else { 0.0 });
    let held: Vec<f32> = vec![0.0, 0.4, 0.7];
    let holds = vec![flip(false), flip(true), flip(false)];
    let back: Vec<f32> = vec![0.0, 0.4, 0.4, 0.7, 0.7, duration];
    let swing = |time: f32| Quat::from_rotation_z(0.4 * time);
    let backs = back.iter().enumerate().map(|(key, time)| {
        let on = (2..=3).contains(&key);
        flip(on).conjugate() * swing(*time)
    });
    let backs = backs.collect();
    chain(Clip {
        name: "turned over".into(),
        duration,
        rotations: vec![
            track(1, &held, holds, Interpolation::Step),
            track(2, &back, backs, Interpolation::Linear),
        ],
        ..Clip::default()
    })
}

#[test]
fn jumps_that_cancel_each_other_are_right_at_every_sample() {
    // 1.16667 s have 35 gaps at 30 Hz, none of them at a time that single precision has.
    for duration in [1.166_67, 1.0, 1.3] {
        let scene = turned_over(duration);
        check_all_ways(&scene, &scene.clips[0]);
    }
    let scene = turned_over(1.166_67);
    let options = Options { rate: Some(30.0), ..Options::default() };
    let (packed, report) = pack(&scene, &scene.clips[0], &options, &|_| {}).expect("it packs");
    assert_eq!(packed.samples(), 36);
    // Half way between two samples the one has turned half round and the other half back: that is said.
    assert!(report.loss > 0.1, "{report:?}");
    let options = Options { exact_curves: true, ..Options::default() };
    let (_, report) = pack(&scene, &scene.clips[0], &options, &|_| {}).expect("it packs");
    assert!(report.loss <= 0.000_1, "{report:?}");
}

#[test]
fn fast_motion_late_in_a_clip_of_large_bodies_is_stated_as_it_is() {
    let times: Vec<f32> = (0..2401).map(|key| key as f32 / 120.0).collect();
    let punch =
        |time: &f32| Vec3::new(10.0 + 4.0 * (9.0 * time).sin(), 5.0 * (4.0 * time).cos(), 0.0);
    let turn = |time: &f32| Quat::from_rotation_z((7.0 * time).sin());
    let scene = chain(Clip {
        duration: 20.0,
        translations: vec![track(
            0,
            &times,
            times.iter().map(punch).collect(),
            Interpolation::Linear,
        )],
        rotations: vec![track(1, &times, times.iter().map(turn).collect(), Interpolation::Linear)],
        ..Clip::default()
    });
    check(&scene, &scene.clips[0], &Options { shell: Some(0.1), ..Options::default() });
}

#[test]
fn cubic_curves_are_followed_between_samples_when_asked() {
    let times = [0.0, 0.31, 0.77, 1.2];
    let values = times.iter().enumerate().flat_map(|(key, _)| {
        let value = Vec3::X * [0.0, 0.5, -0.2, 0.1][key];
        [Vec3::Y, value, Vec3::Y * 2.0]
    });
    let scene = chain(Clip {
        duration: 1.2,
        translations: vec![track(1, &times, values.collect(), Interpolation::Cubic)],
        ..Clip::default()
    });
    check_all_ways(&scene, &scene.clips[0]);
    let packed = |exact_curves| {
        let options = Options { exact_curves, ..Options::default() };
        pack(&scene, &scene.clips[0], &options, &|_| {}).expect("it packs").0
    };
    let (sampled, exact) = (packed(false), packed(true));
    let (far, near) = (sampled.loss(), exact.loss());
    assert!(far > 0.000_5 && near <= 0.000_1, "{far} {near}");
    assert!(!exact.is_uniform() && sampled.is_uniform() && sampled.samples() == 37);
}

#[test]
fn a_clip_that_holds_most_of_the_time_has_frames_where_it_moves() {
    let times: Vec<f32> = (0..91).map(|key| key as f32 / 30.0).collect();
    let moving = |key: usize| (key.clamp(30, 45) - 30) as f32;
    let turn = |key: usize| Quat::from_rotation_z(0.3 * (moving(key) * 0.7).sin());
    let scene = chain(Clip {
        duration: 3.0,
        rotations: vec![track(1, &times, (0..91).map(turn).collect(), Interpolation::Linear)],
        ..Clip::default()
    });
    check_all_ways(&scene, &scene.clips[0]);
    let (packed, report) =
        pack(&scene, &scene.clips[0], &Options::default(), &|_| {}).expect("it packs");
    assert!(!packed.is_uniform() && packed.samples() == 91, "{report:?}");
    assert!((10..=20).contains(&packed.frames()), "{} frames", packed.frames());
}

#[test]
fn a_curve_is_followed_between_keys_that_are_microseconds_apart() {
    // Out by 12 cm and back within 8 µs: a few frames of an exporter's rounding.
    let times = [0.0, 0.5, 0.500_008, 1.0];
    let rates = [[0.0, 0.0], [0.0, 1e5], [-1e5, 0.0], [0.0, 0.0]];
    let values =
        rates.iter().flat_map(|[arrive, leave]| [Vec3::X * *arrive, Vec3::ZERO, Vec3::X * *leave]);
    let scene = chain(Clip {
        duration: 1.0,
        translations: vec![track(1, &times, values.collect(), Interpolation::Cubic)],
        ..Clip::default()
    });
    check(&scene, &scene.clips[0], &Options { exact_curves: true, ..Options::default() });
}

#[test]
fn a_joint_that_goes_all_the_way_round_is_as_near_as_stated() {
    let times: Vec<f32> = (0..90).map(|key| key as f32 / 30.0).collect();
    let spin = |key: usize| Quat::from_rotation_y(0.35 * key as f32) * Quat::from_rotation_x(0.1);
    let scene = chain(Clip {
        duration: 89.0 / 30.0,
        rotations: vec![track(1, &times, (0..90).map(spin).collect(), Interpolation::Linear)],
        ..Clip::default()
    });
    check_all_ways(&scene, &scene.clips[0]);
}

#[test]
fn single_precision_is_off_by_no_more_than_is_added() {
    let last_place = 2.0_f64.powi(-24);
    let mut seed = 5_u32;
    let mut random = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    // Joints that turn by so many radians from key to key, each about an axis of its own.
    for (radians, turn) in [(0.0, 0.01), (0.3, 0.3), (1.0, 1.0), (2.5, 2.5)] {
        let times: Vec<f32> = (0..31).map(|key| key as f32 / 30.0).collect();
        let nodes: Vec<Node> = (0..64).map(|_| Node::new("", None, Transform::IDENTITY)).collect();
        let mut clip = Clip { duration: 1.0, ..Clip::default() };
        for joint in 0..64 {
            let stand = Quat::from_xyzw(random(), random(), random(), random()).normalize();
            let axis = Vec3::new(random(), random(), random()).normalize();
            let from = Vec3::new(random(), random(), random());
            let turns = (0..31).map(|key| stand * Quat::from_axis_angle(axis, turn * key as f32));
            let places = (0..31).map(|key| from + 0.01 * key as f32 * axis);
            let (turns, places) = (turns.collect(), places.collect());
            clip.rotations.push(track(joint, &times, turns, Interpolation::Linear));
            clip.translations.push(track(joint, &times, places, Interpolation::Linear));
        }
        let parts = SceneParts { nodes, clips: vec![clip], ..SceneParts::default() };
        let scene = Scene::new(parts).expect("it fits");
        let options = Options { shell: Some(0.1), ..Options::default() };
        let (packed, _) = pack(&scene, &scene.clips[0], &options, &|_| {}).expect("it packs");
        let [turned, moved] =
            roundings(&scene, &scene.clips[0], packed.bytes()).map(|off| off / last_place);
        assert!(turned <= 6.0 + 2.0 * radians, "{turned} last places of a radian at {radians}");
        assert!(moved <= 5.0, "{moved} last places of a length");
    }
}
