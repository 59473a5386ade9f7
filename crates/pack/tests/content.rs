//! All that a clip can drive, packed: morph weights, driven values, scales, steps; and as keys again.

mod arm;

use arm::{RATE, arm, difference, packed, times, track};
use sinew_motion::{Cursor, Pose, sample};
use sinew_pack::{DEFAULT_SHELL, Options, PackError, even_shells, pack, shells};
use sinew_scene::glam::{Affine3A, Quat, Vec3};
use sinew_scene::{
    AnimatedProperty, Clip, Curve, Geometry, Influence, Influences, Instance, InstanceId,
    Interpolation, JointId, Material, MaterialId, Mesh, MeshId, MorphTarget, Node, Primitive,
    Property, Rows, Scene, SceneParts, Skin, SkinId, Track, Transform, WeightTrack,
};

/// One node with a mesh of two morphs, that move its only vertex by 0.5 m and by 0.01 m, under a node that is
/// twice as large; and a driven colour.
fn scene(clip: Clip) -> Scene {
    let twice = Transform { scale: Vec3::splat(2.0), ..Transform::IDENTITY };
    let morph = |way: Vec3| MorphTarget { positions: vec![way], ..MorphTarget::default() };
    let primitive = Primitive::from(Geometry {
        positions: vec![Vec3::X * 0.1],
        morphs: vec![morph(Vec3::Y * 0.5), morph(Vec3::Z * 0.01)],
        ..Geometry::default()
    });
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
    assert_eq!(packed.samples(), 30, "the weights' own rate");
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
    assert!(report.error <= 0.000_5);
    let clip = packed.to_clip(&scene).expect("its own skeleton");
    assert_eq!((clip.name.as_str(), clip.start, clip.duration), ("stretch", 1.5, 1.0));
    assert_eq!((clip.scales.len(), clip.rotations.len(), clip.translations.len()), (1, 1, 0));
    assert_eq!(clip.scales[0].curve.times().len(), packed.frames());
    assert!(difference(&scene, &packed, &clip) < 1e-5);
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
        let told = format!("not finite at {duration} s: expected numbers for its length");
        assert_eq!(error, PackError::Unfit(told));
    }
    for duration in [100_000_000.0, f32::MAX] {
        let error = fails(&Clip { duration, ..Clip::default() });
        let told = error.to_string();
        assert!(told.contains("s of 2 nodes are too long") && told.contains("shorter"), "{told}");
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
    assert!(packed.bytes().len() < 400 && report.error <= 0.001, "{report:?}");
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
fn a_track_may_be_as_coarse_as_its_whole_range() {
    let moves = (0..31).map(|key| Vec3::X * if key < 15 { 0.0 } else { 0.001 }).collect();
    let curve = Curve::new(times(31), moves, Interpolation::Linear).expect("31 keys");
    let scene = arm(Clip {
        duration: 1.0,
        translations: vec![Track { joint: JointId::new(0), curve }],
        ..Clip::default()
    });
    let (packed, report) = packed(&scene, 0.001_5);
    assert!(report.moving <= 1 && report.error <= 0.001_5, "{report:?}");
    assert!(difference(&scene, &packed, &scene.clips[0]) <= 0.001_5);
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
        let (packed, report) = pack(&scene, &scene.clips[0], &options, &|_| {}).expect("it packs");
        (report, packed.bytes().len())
    };
    let ((plain, plain_bytes), (scaled, scaled_bytes)) = (moving(1.0), moving(100.0));
    assert_eq!((plain.moving, scaled.moving), (1, 1), "{plain:?} {scaled:?}");
    assert!(scaled_bytes < plain_bytes + 30, "{plain_bytes} {scaled_bytes}");
}

#[test]
fn a_shell_reaches_the_farthest_vertex_that_the_joint_influences() {
    let mut influences = Influences::default();
    influences.push([Influence { joint: 0, weight: 1.0 }]);
    influences.push([Influence { joint: 0, weight: 0.995 }, Influence { joint: 1, weight: 0.005 }]);
    let morph = MorphTarget { positions: vec![Vec3::ZERO, Vec3::X], ..MorphTarget::default() };
    let primitive = Primitive::from(Geometry {
        positions: vec![Vec3::X, 3.0 * Vec3::X],
        influences,
        morphs: vec![morph],
        ..Geometry::default()
    });
    let skin = Skin {
        joints: vec![JointId::new(1), JointId::new(2)],
        joint_from_mesh: vec![Affine3A::from_translation(Vec3::NEG_X); 2],
        ..Skin::default()
    };
    let node = || Node::new("", None, Transform::IDENTITY);
    let scene = Scene::new(SceneParts {
        nodes: vec![node(), node(), node()],
        meshes: vec![Mesh {
            primitives: vec![primitive],
            morph_names: vec!["long".into()],
            ..Mesh::default()
        }],
        instances: vec![Instance {
            joint: JointId::new(0),
            mesh: MeshId::new(0),
            skin: Some(SkinId::new(0)),
            weights: vec![0.0],
        }],
        skins: vec![skin],
        ..SceneParts::default()
    });
    let scene = scene.expect("the parts fit");
    let found = shells(&scene);
    // 2 m from its joint, and a metre more when morphed; half a hundredth counts for half as far.
    assert_eq!(found[1], 3.0);
    assert!((found[2] - 1.5).abs() < 1e-6, "{found:?}");
    assert!((found[0] - DEFAULT_SHELL).abs() < 1e-6, "{found:?}");
}

#[test]
fn a_packed_clip_says_of_itself_what_was_packed() {
    let row = |key: usize| [0.1 * key as f32, 0.25];
    let clip = Clip {
        name: "smile".into(),
        start: -1.5,
        duration: 9.0 / RATE,
        weights: vec![weights(10, Interpolation::Linear, row)],
        ..Clip::default()
    };
    let scene = scene(clip);
    let options = Options { error: 0.002, rate: Some(60.0), ..Options::default() };
    let (packed, report) = pack(&scene, &scene.clips[0], &options, &|_| {}).expect("it packs");
    assert_eq!((packed.name(), packed.start(), packed.duration()), ("smile", -1.5, 9.0 / RATE));
    assert_eq!((packed.counts(), packed.samples(), packed.version()), ((2, 2, 1), 19, 3));
    assert_eq!((packed.error(), packed.loss()), ((0.002, report.error), report.loss));
    // A straight line.
    assert_eq!((packed.frames(), packed.is_uniform(), packed.segment()), (2, false, 2));
    assert!((packed.rate() - RATE / 9.0).abs() < 1e-4, "{} frames a second", packed.rate());
}
