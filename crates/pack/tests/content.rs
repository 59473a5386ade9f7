//! All that a clip can drive, packed: morph weights, driven values, scales, steps, cubics; and as keys again.

use sinew_motion::{Cursor, Path, Pose, sample};
use sinew_pack::{Course, Options, PackError, Packed, Report, even_shells, pack, shells};
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{
    AnimatedProperty, Clip, Curve, Instance, InstanceId, Interpolation, JointId, Material,
    MaterialId, Mesh, MeshId, MorphTarget, Node, Primitive, Property, PropertyId, PropertyTrack,
    Rows, Scene, SceneParts, Track, Transform, WeightTrack,
};

const RATE: f32 = 30.0;

fn times(keys: usize) -> Vec<f32> {
    (0..keys).map(|key| key as f32 / RATE).collect()
}

/// One node with a mesh of two morphs, that move its only vertex by 0.5 m and by 0.01 m, under a node that is
/// twice as large; and a driven colour.
fn scene(clip: Clip) -> Scene {
    let twice = Transform { scale: Vec3::splat(2.0), ..Transform::IDENTITY };
    let morph = |way: Vec3| MorphTarget { positions: vec![way], ..MorphTarget::default() };
    let primitive = Primitive {
        positions: vec![Vec3::X * 0.1],
        morphs: vec![morph(Vec3::Y * 0.5), morph(Vec3::Z * 0.01)],
        ..Primitive::default()
    };
    Scene::new(SceneParts {
        nodes: vec![
            Node::new("large", None, twice),
            Node::new("face", Some(JointId::new(0)), Transform::IDENTITY),
        ],
        meshes: vec![Mesh {
            primitives: vec![primitive],
            morph_names: vec!["far".into(), "near".into()],
            ..Mesh::default()
        }],
        instances: vec![Instance {
            joint: JointId::new(1),
            mesh: MeshId::new(0),
            skin: None,
            weights: vec![0.0, 0.25],
        }],
        materials: vec![Material::default()],
        properties: vec![AnimatedProperty {
            property: Property::BaseColor(MaterialId::new(0)),
            rest: [1.0; 4],
        }],
        clips: vec![clip],
        ..SceneParts::default()
    })
    .expect("the parts fit")
}

fn packed(scene: &Scene, error: f32) -> (Packed<Vec<u8>>, Report) {
    let options = Options { error, ..Options::default() };
    pack(scene, &scene.clips[0], &options, &|_| {}).expect("it packs")
}

fn weights(keys: usize, interpolation: Interpolation, row: fn(usize) -> [f32; 2]) -> WeightTrack {
    let values = (0..keys).flat_map(row).collect();
    let rows = Rows::new(times(keys), values, 2, interpolation).expect("two for each time");
    WeightTrack { instance: InstanceId::new(0), rows }
}

#[test]
fn morph_weights_come_back_as_near_as_their_reach_asks() {
    let row = |key: usize| [(key as f32 * 0.3).sin(), 0.5 + 0.5 * (key as f32 * 0.2).cos()];
    let clip = Clip {
        duration: 29.0 / RATE,
        weights: vec![weights(30, Interpolation::Linear, row)],
        ..Clip::default()
    };
    let scene = scene(clip);
    let (packed, report) = packed(&scene, 0.001);
    let (mut exact, mut found) = (Pose::new(&scene), Pose::new(&scene));
    let mut worst = [0.0_f32; 2];
    let mut skin = 0.0_f32;
    for step in 0..=300 {
        let time = packed.duration() * step as f32 / 300.0;
        sample(&scene.clips[0], time, &mut Cursor::new(), &mut exact);
        packed.sample(time, &mut found);
        let off: Vec<f32> = exact
            .all_weights()
            .iter()
            .zip(found.all_weights())
            .map(|(a, b)| (a - b).abs())
            .collect();
        worst = [worst[0].max(off[0]), worst[1].max(off[1])];
        // The node above doubles both: 1 m and 0.02 m for a whole weight.
        skin = skin.max(off[0] * 1.0 + off[1] * 0.02);
    }
    assert!(skin <= report.error && report.error <= 0.001, "{skin} m, {} stated", report.error);
    assert!(skin > 0.000_02 && worst[1] > 5.0 * worst[0], "the near one may be coarser: {worst:?}");
    assert_eq!(report.frames, 30, "the weights' own rate");
}

#[test]
fn weights_alone_decide_how_many_frames_there_are() {
    let still = Quat::from_rotation_x(0.3);
    let turns = Curve::new(vec![0.0], vec![still], Interpolation::Linear).expect("one key");
    let row = |key: usize| if key.is_multiple_of(2) { [0.0, 0.0] } else { [1.0, 1.0] };
    let clip = Clip {
        duration: 20.0 / RATE,
        rotations: vec![Track { joint: JointId::new(0), curve: turns }],
        weights: vec![weights(21, Interpolation::Linear, row)],
        ..Clip::default()
    };
    let scene = scene(clip);
    let (packed, _) = packed(&scene, 0.001);
    let mut pose = Pose::new(&scene);
    packed.sample(7.0 / RATE, &mut pose);
    assert!((pose.all_weights()[0] - 1.0).abs() < 1e-3, "{:?}", pose.all_weights());
    packed.sample(8.5 / RATE, &mut pose);
    assert!((pose.all_weights()[0] - 0.5).abs() < 1e-3, "{:?}", pose.all_weights());
}

#[test]
fn steps_of_weights_and_values_hold() {
    let row = |key: usize| if key < 10 { [0.0, 0.25] } else { [1.0, 0.75] };
    let colour = |key: usize| if key < 15 { [1.0, 1.0, 1.0, 1.0] } else { [0.2, 0.4, 0.0, 1.0] };
    let rows = Rows::new(times(21), (0..21).flat_map(colour).collect(), 4, Interpolation::Step);
    let clip = Clip {
        duration: 20.0 / RATE,
        weights: vec![weights(21, Interpolation::Step, row)],
        properties: vec![PropertyTrack {
            property: PropertyId::new(0),
            rows: rows.expect("four for each time"),
        }],
        ..Clip::default()
    };
    let scene = scene(clip);
    let (packed, _) = packed(&scene, 0.001);
    let clip = packed.to_clip(&scene).expect("its own skeleton");
    assert_eq!(clip.weights[0].rows.interpolation(), Interpolation::Step);
    assert_eq!(clip.properties[0].rows.interpolation(), Interpolation::Step);
    let (mut pose, mut plain) = (Pose::new(&scene), Pose::new(&scene));
    for path in Path::ALL {
        for (frame, weight, green) in
            [(9.9, 0.0, 1.0), (10.0, 1.0, 1.0), (14.9, 1.0, 1.0), (15.0, 1.0, 0.4)]
        {
            packed.sample_on(path, frame / RATE, &mut pose);
            sample(&clip, frame / RATE, &mut Cursor::new(), &mut plain);
            for pose in [&pose, &plain] {
                let found = (pose.all_weights()[0], pose.properties()[0][1]);
                let near = (found.0 - weight).abs() < 1e-3 && (found.1 - green).abs() < 1e-3;
                assert!(near, "{found:?} at frame {frame}");
            }
        }
    }
}

/// Two joints 20 cm apart.
fn arm(clip: Clip) -> Scene {
    let out = Transform::from_translation(Vec3::Y * 0.2);
    let nodes = vec![
        Node::new("upper", None, Transform::IDENTITY),
        Node::new("lower", Some(JointId::new(0)), out),
    ];
    Scene::new(SceneParts { nodes, clips: vec![clip], ..SceneParts::default() }).expect("it fits")
}

fn difference(scene: &Scene, packed: &Packed<Vec<u8>>, clip: &Clip) -> f32 {
    let (mut a, mut b) = (Pose::new(scene), Pose::new(scene));
    let mut worst = 0.0_f32;
    for step in 0..=1000 {
        let time = packed.duration() * step as f32 / 1000.0;
        packed.sample(time, &mut a);
        sample(clip, time, &mut Cursor::new(), &mut b);
        for pose in [&mut a, &mut b] {
            pose.to_model(scene.skeleton());
        }
        for (a, b) in a.model_from_joint().iter().zip(b.model_from_joint()) {
            for point in [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z] {
                let point = point * 0.1;
                worst = worst.max(a.transform_point3(point).distance(b.transform_point3(point)));
            }
        }
    }
    worst
}

#[test]
fn uneven_scales_keep_the_bound_and_come_back_as_keys() {
    let scales = (0..31).map(|key| Vec3::new(1.0, 1.0 + 0.5 * (key as f32 * 0.2).sin(), 2.0));
    let curve = Curve::new(times(31), scales.collect(), Interpolation::Linear).expect("31 keys");
    let turns = (0..31).map(|key| Quat::from_rotation_z(key as f32 * 0.05)).collect();
    let turns = Curve::new(times(31), turns, Interpolation::Linear).expect("31 keys");
    let scene = arm(Clip {
        name: "stretch".into(),
        start: 1.5,
        duration: 1.0,
        scales: vec![Track { joint: JointId::new(0), curve }],
        rotations: vec![Track { joint: JointId::new(1), curve: turns }],
        ..Clip::default()
    });
    let (packed, report) = packed(&scene, 0.000_5);
    assert!(difference(&scene, &packed, &scene.clips[0]) <= report.error * 1.001);
    assert!(report.error <= 0.000_5 && report.course == Course::Straight);
    let clip = packed.to_clip(&scene).expect("its own skeleton");
    assert_eq!((clip.name.as_str(), clip.start, clip.duration), ("stretch", 1.5, 1.0));
    assert_eq!((clip.scales.len(), clip.rotations.len(), clip.translations.len()), (1, 1, 0));
    assert_eq!(clip.scales[0].curve.times().len(), 31);
    assert!(difference(&scene, &packed, &clip) < 1e-5);
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
fn a_shell_is_in_metres_whatever_the_scale_above() {
    let scene = scene(Clip::default());
    // The vertex that the second node carries is 0.1 from it in its own space, 0.2 m in the model; morphed, 0.5 aside.
    assert!(even_shells(&scene, 0.1).iter().all(|shell| (shell - 0.05).abs() < 1e-7));
    let found = shells(&scene);
    assert!((found[0] - 0.05).abs() < 1e-7 && (found[1] - 0.509_902).abs() < 1e-6, "{found:?}");
}

#[test]
fn lengths_that_make_no_sense_and_numbers_that_are_none_are_said() {
    let fails = |clip: &Clip| {
        let scene = arm(Clip::default());
        pack(&scene, clip, &Options::default(), &|_| {}).expect_err("it does not pack")
    };
    for duration in [f32::NAN, f32::INFINITY, -1.0] {
        let error = fails(&Clip { duration, ..Clip::default() });
        assert!(matches!(error, PackError::NotFinite { .. }), "{error}");
        assert!(error.to_string().contains("length"), "{error}");
    }
    for duration in [100_000_000.0, f32::MAX] {
        let error = fails(&Clip { duration, ..Clip::default() });
        assert!(matches!(error, PackError::TooLong { joints: 2, .. }), "{error}");
        assert!(error.to_string().contains("shorter"), "{error}");
    }

    let row = |key: usize| [if key == 3 { f32::NAN } else { 0.0 }, 0.0];
    let clip = Clip {
        duration: 20.0 / RATE,
        weights: vec![weights(21, Interpolation::Linear, row)],
        ..Clip::default()
    };
    let scene = scene(Clip::default());
    let error = pack(&scene, &clip, &Options::default(), &|_| {}).expect_err("not a number");
    assert!(error.to_string().contains("morph weight 0"), "{error}");
}

#[test]
fn hours_of_little_motion_make_a_small_file() {
    let hour = vec![0.0, 3600.0, 7200.0];
    let moves = vec![Vec3::ZERO, Vec3::X, Vec3::ZERO];
    let curve = Curve::new(hour, moves, Interpolation::Linear).expect("three keys");
    let scene = arm(Clip {
        duration: 7200.0,
        translations: vec![Track { joint: JointId::new(0), curve }],
        ..Clip::default()
    });
    let (packed, report) = packed(&scene, 0.001);
    assert!(report.bytes < 400 && report.error <= 0.001, "{report:?}");
    let mut pose = Pose::new(&scene);
    packed.sample(1800.0, &mut pose);
    let found = pose.local(JointId::new(0)).translation;
    assert!((found.x - 0.5).abs() <= 0.001, "{found}");
}

#[test]
fn more_nodes_than_can_be_counted_are_refused_and_as_many_as_can_are_not() {
    let nodes = |count: usize| {
        let node = || Node::new("", None, Transform::IDENTITY);
        let nodes = (0..count).map(|_| node()).collect();
        Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("plain nodes")
    };
    let clip = |joint: usize| {
        let curve = Curve::new(times(2), vec![Vec3::ZERO, Vec3::X], Interpolation::Linear);
        Clip {
            duration: 1.0 / RATE,
            translations: vec![Track {
                joint: JointId::new(joint),
                curve: curve.expect("two keys"),
            }],
            ..Clip::default()
        }
    };
    let many = nodes(65_536);
    let error = pack(&many, &clip(3), &Options::default(), &|_| {}).expect_err("too many");
    assert!(error.to_string().contains("65535 nodes"), "{error}");
    let most = nodes(65_535);
    let (packed, _) = pack(&most, &clip(65_534), &Options::default(), &|_| {}).expect("it packs");
    let mut pose = Pose::new(&most);
    packed.sample(1.0 / RATE, &mut pose);
    assert!((pose.local(JointId::new(65_534)).translation.x - 1.0).abs() < 1e-3);
}

#[test]
fn a_wobble_of_more_than_the_bound_is_not_taken_for_constant() {
    // 0.0015 rad are 0.15 mm at 10 cm.
    let turn =
        |key: usize| Quat::from_rotation_z(0.7 + if key.is_multiple_of(3) { 0.001_5 } else { 0.0 });
    let curve = Curve::new(times(31), (0..31).map(turn).collect(), Interpolation::Linear);
    let scene = arm(Clip {
        duration: 1.0,
        rotations: vec![Track { joint: JointId::new(1), curve: curve.expect("31 keys") }],
        ..Clip::default()
    });
    let (packed, report) = packed(&scene, 0.000_1);
    assert_eq!((report.moving, report.constant), (1, 0));
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
fn a_track_may_be_as_coarse_as_its_whole_range() {
    let moves = (0..31).map(|key| Vec3::X * if key < 15 { 0.0 } else { 0.001 }).collect();
    let curve = Curve::new(times(31), moves, Interpolation::Linear).expect("31 keys");
    let scene = arm(Clip {
        duration: 1.0,
        translations: vec![Track { joint: JointId::new(0), curve }],
        ..Clip::default()
    });
    let (packed, report) = packed(&scene, 0.001_5);
    assert!(report.moving == 1 && report.error <= 0.001_5, "{report:?}");
    assert!(difference(&scene, &packed, &scene.clips[0]) <= 0.001_5);
}

/// All paths give the same pose, or as good as the same.
fn assert_paths_agree(scene: &Scene, packed: &Packed<Vec<u8>>) {
    let (mut plain, mut other) = (Pose::new(scene), Pose::new(scene));
    for step in 0..=400 {
        let time = step as f32 * packed.duration() / 397.0;
        packed.sample_on(Path::Scalar, time, &mut plain);
        packed.sample_on(Path::Deterministic, time, &mut other);
        assert_eq!(plain.locals(), other.locals(), "at {time} s");
        packed.sample_on(Path::Fast, time, &mut other);
        for joint in scene.skeleton().ids() {
            let (a, b) = (plain.local(joint).rotation, other.local(joint).rotation);
            assert!(a.abs_diff_eq(b, 1e-6), "{a} and {b} at {time} s");
        }
    }
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

fn track<V>(joint: usize, curve: Result<Curve<V>, String>) -> Track<V> {
    Track { joint: JointId::new(joint), curve: curve.expect("as many keys as times") }
}

#[test]
fn what_stays_still_is_known_as_such_under_any_scale() {
    // The same arm in metres, and in centimetres under a node of a hundredth; it trembles by 2 µm and 2e-6 rad.
    let moving = |size: f32| {
        let tremble = |key: usize| if key.is_multiple_of(2) { 2e-6 } else { 0.0 };
        let place = |key: usize| (Vec3::Y * 0.3 + Vec3::X * tremble(key)) * size;
        let turn = |key: usize| Quat::from_rotation_z(tremble(key));
        let moves = Curve::new(times(31), (0..31).map(place).collect(), Interpolation::Linear);
        let turns = Curve::new(times(31), (0..31).map(turn).collect(), Interpolation::Linear);
        let swing = |key: usize| Quat::from_rotation_x(0.4 * (key as f32 * 0.3).sin());
        let swings = Curve::new(times(31), (0..31).map(swing).collect(), Interpolation::Linear);
        let clip = Clip {
            duration: 1.0,
            translations: vec![track(2, moves.clone()), track(3, moves)],
            rotations: vec![track(1, swings), track(2, turns)],
            ..Clip::default()
        };
        let outer = Transform { scale: Vec3::splat(1.0 / size), ..Transform::IDENTITY };
        let out = Transform::from_translation(Vec3::Y * 0.3 * size);
        let parent = |joint: usize| Some(JointId::new(joint));
        let nodes = vec![
            Node::new("scaled", None, outer),
            Node::new("upper", parent(0), out),
            Node::new("lower", parent(1), out),
            Node::new("end", parent(2), out),
        ];
        let parts = SceneParts { nodes, clips: vec![clip], ..SceneParts::default() };
        let scene = Scene::new(parts).expect("an arm");
        let options = Options { shell: Some(0.1), ..Options::default() };
        pack(&scene, &scene.clips[0], &options, &|_| {}).expect("it packs").1
    };
    let (plain, scaled) = (moving(1.0), moving(100.0));
    assert_eq!((plain.moving, scaled.moving), (1, 1), "{plain:?} {scaled:?}");
    assert!(scaled.bytes < plain.bytes + 30, "{plain:?} {scaled:?}");
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
