//! Clips packed and played: how far off they are, and what is refused.

use sinew_motion::{Cursor, Pose, SimdLevel, sample};
use sinew_pack::{Options, PackError, Packed, ReadError, pack};
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{Clip, Curve, Interpolation, JointId, Node, Scene, SceneParts, Track, Transform};

const RATE: f32 = 30.0;

fn times(keys: usize) -> Vec<f32> {
    (0..keys).map(|key| key as f32 / RATE).collect()
}

fn turns(joint: usize, values: Vec<Quat>, interpolation: Interpolation) -> Track<Quat> {
    let curve = Curve::new(times(values.len()), values, interpolation).expect("a key per time");
    Track { joint: JointId::new(joint), curve }
}

fn moves(joint: usize, values: Vec<Vec3>) -> Track<Vec3> {
    let curve = Curve::new(times(values.len()), values, Interpolation::Linear);
    Track { joint: JointId::new(joint), curve: curve.expect("a key per time") }
}

/// Two limbs of joints 20 cm apart.
fn skeleton(joints: usize) -> Vec<Node> {
    let stand = Transform::from_translation(Vec3::Y * 0.2);
    (0..joints)
        .map(|joint| {
            let parent = match joint {
                0 => None,
                _ if joint == joints / 2 => Some(JointId::new(0)),
                _ => Some(JointId::new(joint - 1)),
            };
            Node::new(format!("joint {joint}"), parent, stand)
        })
        .collect()
}

fn scene(nodes: Vec<Node>, clip: Clip) -> Scene {
    Scene::new(SceneParts { nodes, clips: vec![clip], ..SceneParts::default() }).expect("it fits")
}

/// Some joints turn, some stay, the first goes for a walk.
fn walk(keys: usize) -> Scene {
    let turn = |joint: usize, key: usize| {
        let (at, joint) = (key as f32 * 0.2, joint as f32);
        Quat::from_rotation_x(0.5 * (at + joint).sin())
            * Quat::from_rotation_z(0.1 * (2.0 * at).cos())
    };
    let rotations = (0..19).filter(|joint| joint % 5 != 4).map(|joint| {
        turns(joint, (0..keys).map(|key| turn(joint, key)).collect(), Interpolation::Linear)
    });
    let path =
        (0..keys).map(|key| Vec3::new(key as f32 * 0.04, 0.2 + 0.02 * (key as f32).sin(), 0.0));
    let clip = Clip {
        name: "walk".into(),
        duration: (keys - 1) as f32 / RATE,
        rotations: rotations.collect(),
        translations: vec![moves(0, path.collect())],
        ..Clip::default()
    };
    scene(skeleton(19), clip)
}

fn packed(scene: &Scene, error: f32) -> Packed<Vec<u8>> {
    let options = Options { error, ..Options::default() };
    let (packed, report) = pack(scene, &scene.clips[0], &options, &|_| {}).expect("it packs");
    assert!(report.error <= error, "{report:?}");
    packed
}

/// A thousand directions, at random.
fn directions() -> Vec<Vec3> {
    let mut seed = 1_u32;
    let mut random = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    let points = std::iter::repeat_with(|| Vec3::new(random(), random(), random()));
    points.filter(|point| point.length() < 1.0).map(Vec3::normalize).take(1000).collect()
}

/// The largest error of the default shell, over times that packing did not measure: in a hundred
/// directions at each, of a thousand.
fn error(scene: &Scene, packed: &Packed<Vec<u8>>) -> f32 {
    let directions = directions();
    let (mut exact, mut found) = (Pose::new(scene), Pose::new(scene));
    let mut cursor = Cursor::new();
    let mut worst = 0.0_f32;
    for step in 0..500 {
        let time = packed.duration() * step as f32 / 499.0;
        sample(&scene.clips[0], time, &mut cursor, &mut exact);
        exact.to_model(scene.skeleton());
        packed.sample(time, &mut found);
        found.to_model(scene.skeleton());
        for (a, b) in exact.model_from_joint().iter().zip(found.model_from_joint()) {
            for point in directions.iter().skip(step % 10).step_by(10) {
                let point = *point * 0.1;
                worst = worst.max(a.transform_point3(point).distance(b.transform_point3(point)));
            }
        }
    }
    worst
}

#[test]
fn the_stated_error_is_what_a_thousand_points_of_each_shell_show() {
    let scene = walk(40);
    for bound in [0.000_1, 0.001, 0.01] {
        let packed = packed(&scene, bound);
        let (asked, stated) = packed.error();
        let found = error(&scene, &packed);
        // Points miss the farthest one by a little, and times the worst moment.
        assert!(found <= stated * 1.005, "{found} m, but {stated} are stated");
        assert!(
            found > 0.8 * stated && stated > 0.8 * asked && stated <= asked,
            "{found} {stated}"
        );
    }
}

#[test]
fn a_packed_clip_keeps_its_bound_at_any_time_and_is_small() {
    let scene = walk(40);
    let fine = packed(&scene, 0.000_1);
    let coarse = packed(&scene, 0.001);
    assert!(error(&scene, &fine) < 0.000_100_5, "{}", error(&scene, &fine));
    assert!(error(&scene, &coarse) < 0.001_005, "{}", error(&scene, &coarse));
    let raw = 40 * 19 * 40;
    assert!(fine.bytes().len() < raw / 8, "{} bytes", fine.bytes().len());
    assert!(coarse.bytes().len() < fine.bytes().len() * 4 / 5);
    assert_eq!((fine.name(), fine.samples()), ("walk", 40));
    assert!(fine.fits(&scene) && !fine.fits(&walk_with_other_rest()));
}

fn walk_with_other_rest() -> Scene {
    let mut parts = walk(40).into_parts();
    parts.nodes[3].rest.translation.y += 0.1;
    Scene::new(parts).expect("it fits")
}

#[test]
fn every_path_decodes_the_same_and_the_deterministic_one_to_the_bit() {
    let scene = walk(40);
    let packed = packed(&scene, 0.000_1);
    let (mut plain, mut other) = (Pose::new(&scene), Pose::new(&scene));
    for step in 0..200 {
        let time = packed.duration() * step as f32 / 150.0 - 0.1;
        packed.sample_on(SimdLevel::Scalar, time, &mut plain);
        packed.sample_on(SimdLevel::Deterministic, time, &mut other);
        assert_eq!(plain.locals(), other.locals(), "at {time} s");
        packed.sample_on(SimdLevel::Fast, time, &mut other);
        for joint in scene.skeleton().ids() {
            let (a, b) = (plain.local(joint), other.local(joint));
            assert!(a.rotation.abs_diff_eq(b.rotation, 1e-6), "{a:?} {b:?}");
            assert!(a.translation.abs_diff_eq(b.translation, 1e-6) && a.scale == b.scale);
        }
    }
}

#[test]
fn what_was_in_a_pose_before_is_written_over() {
    // Of three blocks all of the first turn, some of the second, none of the third, which all move; one is constant.
    let turn = |joint: usize| {
        let turn = |key: usize| Quat::from_rotation_x(0.1 * (key + joint) as f32);
        turns(joint, (0..20).map(turn).collect(), Interpolation::Linear)
    };
    let clip = Clip {
        duration: 19.0 / RATE,
        rotations: (0..8).chain([9, 12]).map(turn).collect(),
        translations: std::iter::once(moves(10, vec![Vec3::Z; 20]))
            .chain([1, 16, 17, 18, 19, 20, 21, 22, 23].map(|joint| {
                moves(joint, (0..20).map(|key| Vec3::X * (key + joint) as f32 * 0.1).collect())
            }))
            .collect(),
        ..Clip::default()
    };
    let scene = scene(skeleton(24), clip);
    let packed = packed(&scene, 0.000_1);
    for path in SimdLevel::ALL {
        let (mut fresh, mut used) = (Pose::new(&scene), Pose::new(&scene));
        let far = Transform {
            translation: Vec3::splat(9.0),
            rotation: Quat::from_rotation_y(2.0),
            scale: Vec3::splat(3.0),
        };
        scene.skeleton().ids().for_each(|joint| used.set_local(joint, far));
        packed.sample_on(path, 0.3, &mut fresh);
        packed.sample_on(path, 0.3, &mut used);
        let (mut exact, ids) = (Pose::new(&scene), scene.skeleton().ids());
        sample(&scene.clips[0], 0.3, &mut Cursor::new(), &mut exact);
        for joint in ids {
            assert_eq!(fresh.local(joint), used.local(joint), "{joint:?} on {path:?}");
            let (a, b) = (exact.local(joint), used.local(joint));
            assert!(a.rotation.dot(b.rotation).abs() > 0.999_999, "{a:?} {b:?}");
            assert!(a.translation.abs_diff_eq(b.translation, 1e-4) && a.scale == b.scale);
        }
    }
}

#[test]
fn fields_of_twenty_bits_are_read_on_every_path() {
    // A hundred metres to a tenth of a millimetre: eight such fields do not fit in sixteen bytes.
    let path = |joint: usize| {
        let at = |key: usize| 50.0 * Vec3::splat((key as f32 * 0.2 + joint as f32).sin());
        moves(joint, (0..30).map(at).collect())
    };
    let clip =
        Clip { duration: 29.0 / RATE, translations: (0..8).map(path).collect(), ..Clip::default() };
    let nodes = (0..8).map(|_| Node::new("", None, Transform::IDENTITY)).collect();
    let scene = scene(nodes, clip);
    let packed = packed(&scene, 0.000_1);
    let (mut exact, mut found) = (Pose::new(&scene), Pose::new(&scene));
    for path in SimdLevel::ALL {
        for step in 0..100 {
            let time = step as f32 / 100.0;
            sample(&scene.clips[0], time, &mut Cursor::new(), &mut exact);
            packed.sample_on(path, time, &mut found);
            for joint in scene.skeleton().ids() {
                let (a, b) = (exact.local(joint).translation, found.local(joint).translation);
                assert!(a.abs_diff_eq(b, 0.000_11), "{a} {b} at {time} s on {path:?}");
            }
        }
    }
}

#[test]
fn backward_and_at_random_is_the_same_as_forward() {
    let scene = walk(40);
    let packed = packed(&scene, 0.000_1);
    let mut pose = Pose::new(&scene);
    let mut at = |step: usize| {
        packed.sample(step as f32 * 0.013, &mut pose);
        pose.locals().to_vec()
    };
    let forward: Vec<_> = (0..100).map(&mut at).collect();
    for step in (0..100).rev() {
        assert_eq!(at(step), forward[step]);
    }
    for step in [0, 99, 3, 57, 4, 57] {
        assert_eq!(at(step), forward[step]);
    }
}

#[test]
fn a_joint_that_spins_all_the_way_round_keeps_its_bound() {
    let spin = (0..60).map(|key| Quat::from_rotation_y(key as f32 * 0.35)).collect();
    let clip = Clip {
        duration: 59.0 / RATE,
        rotations: vec![turns(1, spin, Interpolation::Linear)],
        ..Clip::default()
    };
    let scene = scene(skeleton(4), clip);
    let packed = packed(&scene, 0.000_2);
    assert!(error(&scene, &packed) < 0.000_25, "{}", error(&scene, &packed));
}

#[test]
fn what_does_not_move_costs_nothing_and_what_is_constant_little() {
    let still = Clip { duration: 10.0, ..Clip::default() };
    let rest = packed(&scene(skeleton(30), still), 0.000_1);
    assert!(rest.bytes().len() < 200, "{} bytes", rest.bytes().len());

    let held = vec![Quat::from_rotation_z(0.7); 300];
    let clip = Clip {
        duration: 299.0 / RATE,
        rotations: vec![turns(3, held, Interpolation::Linear)],
        translations: vec![moves(5, vec![Vec3::X; 300])],
        ..Clip::default()
    };
    let scene = scene(skeleton(30), clip);
    let packed = packed(&scene, 0.000_1);
    assert!(packed.bytes().len() < 250, "{} bytes", packed.bytes().len());
    assert!(error(&scene, &packed) < 0.000_1);
}

#[test]
fn a_clip_without_length_is_one_pose() {
    let clip = Clip {
        rotations: vec![turns(1, vec![Quat::from_rotation_x(0.5)], Interpolation::Linear)],
        ..Clip::default()
    };
    let scene = scene(skeleton(3), clip);
    let packed = packed(&scene, 0.000_1);
    assert_eq!(packed.frames(), 1);
    let mut pose = Pose::new(&scene);
    for time in [f32::NEG_INFINITY, -1.0, 0.0, 7.0, f32::INFINITY, f32::NAN] {
        packed.sample(time, &mut pose);
        let found = pose.local(JointId::new(1)).rotation;
        assert!(found.abs_diff_eq(Quat::from_rotation_x(0.5), 1e-5), "{found} at {time}");
    }
}

#[test]
fn what_cannot_be_packed_is_said() {
    let none = |scene: &Scene, error| {
        let options = Options { error, ..Options::default() };
        pack(scene, &Clip::default(), &options, &|_| {}).expect_err("it does not pack")
    };
    let refused = |why: &str| PackError::Unfit(why.to_owned());
    let none_there = refused("the scene has no node that a clip could move");
    assert_eq!(none(&Scene::default(), 0.1), none_there);
    let one = scene(skeleton(1), Clip::default());
    for bound in [0.0, f32::NAN] {
        let told = format!("expected an error above zero, found {bound} mm");
        assert_eq!(none(&one, bound), refused(&told));
    }

    let bad = vec![Vec3::ZERO, Vec3::new(f32::NAN, 0.0, 0.0)];
    let clip = Clip { duration: 1.0 / RATE, translations: vec![moves(0, bad)], ..Clip::default() };
    let found = pack(&one, &clip, &Options::default(), &|_| {}).expect_err("not a number");
    assert_eq!(found, refused("not finite at 0 s: expected numbers for node \"joint 0\""));
}

#[test]
fn what_single_precision_cannot_tell_is_refused_with_the_reason() {
    // A kilometre from the joint, and a turn every three seconds.
    let turn = |key: usize| Quat::from_rotation_z(key as f32 / 30.0 * 2.1);
    let clip = Clip {
        duration: 20.0,
        rotations: vec![turns(0, (0..601).map(turn).collect(), Interpolation::Linear)],
        ..Clip::default()
    };
    let mut nodes = skeleton(2);
    nodes[1].rest.translation = Vec3::X * 1000.0;
    let scene = scene(nodes, clip);
    let found = pack(&scene, &scene.clips[0], &Options::default(), &|_| {});
    let found = found.expect_err("out of reach");
    let told = found.to_string();
    let PackError::OutOfReach { span, reached, .. } = found else { panic!("{found}") };
    assert!((span - 1000.1).abs() < 1.0 && reached > 1e-4, "{span} m, {reached} m");
    assert!(told.contains("1000 m far from the origin, and single precision rounds"), "{told}");
}

#[test]
fn a_long_limb_whose_joints_all_nearly_stand_still_keeps_the_bound() {
    // Each of 40 joints turns by 4.9 % of what the bound lets it, all to the same side: left out together
    // they are twice the bound at the end.
    let bound = 0.001;
    let nodes: Vec<Node> = (0..40)
        .map(|joint: usize| {
            let parent = joint.checked_sub(1).map(JointId::new);
            Node::new("", parent, Transform::from_translation(Vec3::X * 0.01))
        })
        .collect();
    let reach = |joint: usize| 0.1 + (39 - joint) as f32 * 0.01;
    let turn = |joint: usize, key: usize| {
        let most = 0.049 * bound / reach(joint);
        Quat::from_rotation_z(most * (key as f32 * 0.5).sin())
    };
    let rotations = (0..40).map(|joint| {
        turns(joint, (0..20).map(|key| turn(joint, key)).collect(), Interpolation::Linear)
    });
    let clip = Clip { duration: 19.0 / RATE, rotations: rotations.collect(), ..Clip::default() };
    let scene = scene(nodes, clip);
    let packed = packed(&scene, bound);
    assert!(error(&scene, &packed) <= bound * 1.005, "{}", error(&scene, &packed));
}

#[test]
fn every_prefix_and_every_altered_byte_is_refused() {
    let packed = packed(&walk(10), 0.001);
    let bytes = packed.bytes();
    for length in 0..bytes.len() {
        assert!(Packed::read(&bytes[..length]).is_err(), "{length} bytes of {}", bytes.len());
    }
    let mut longer = bytes.to_vec();
    longer.push(0);
    assert!(matches!(Packed::read(longer), Err(ReadError::Length { .. })));
    for at in 0..bytes.len() {
        let mut altered = bytes.to_vec();
        altered[at] ^= 0x10;
        assert!(Packed::read(altered).is_err(), "byte {at}");
    }
    for (version, whose) in [(1, "an earlier"), (2, "an earlier"), (4, "a later")] {
        let mut other = bytes[..8].to_vec();
        other[6] = version;
        let error = Packed::read(other).expect_err("another version");
        assert_eq!(error, ReadError::Version(version.into()));
        let told = error.to_string();
        assert!(told.contains(&format!("version {version}, which {whose} Sinew wrote")), "{told}");
        let again = told.ends_with("; pack it again from its model (sinew pack MODEL -o OUT)");
        assert_eq!(again, version < 3, "{told}");
    }
}

#[test]
fn constants_out_of_order_are_refused() {
    let turn = |joint| turns(joint, vec![Quat::from_rotation_x(0.5); 2], Interpolation::Linear);
    let clip = Clip {
        duration: 1.0 / RATE,
        rotations: vec![turn(3), turn(5), turn(6)],
        ..Clip::default()
    };
    let mut bytes = packed(&scene(skeleton(8), clip), 0.001).bytes().to_vec();
    // After the header, as the clip has no name: the nodes of a group of three.
    assert_eq!(bytes[94..100], [3, 0, 5, 0, 6, 0]);
    bytes[96] = 7;
    sinew_pack::mend(&mut bytes);
    let error = Packed::read(bytes).expect_err("node 6 after node 7");
    let expected = "tracks in order, of what the skeleton has";
    assert_eq!(error, ReadError::Broken { at: 98, expected });
}

#[test]
fn numbers_too_large_for_a_rotation_are_refused() {
    let broken = |mut bytes: Vec<u8>| {
        sinew_pack::mend(&mut bytes);
        Packed::read(bytes).expect_err("a number that no rotation has")
    };
    let mut bytes = packed(&walk(40), 0.001).bytes().to_vec();
    // After the header, the name and the nodes of eight rotations: their step codes, and then their base shifts.
    let at = 94 + "walk".len() + 16;
    let expected = "steps of a rotation of up to 1/8";
    let known = std::mem::replace(&mut bytes[at], 201);
    assert_eq!(broken(bytes.clone()), ReadError::Broken { at, expected });
    bytes[at] = known;
    bytes[at + 8] = 31;
    assert_eq!(broken(bytes), ReadError::Broken { at, expected });

    let turn = vec![Quat::from_rotation_x(0.5); 2];
    let rotations = vec![turns(1, turn, Interpolation::Linear)];
    let clip = Clip { duration: 1.0 / RATE, rotations, ..Clip::default() };
    let mut bytes = packed(&scene(skeleton(3), clip), 0.001).bytes().to_vec();
    assert_eq!(bytes[94..96], [1, 0]);
    bytes[96..100].copy_from_slice(&2.5_f32.to_le_bytes());
    let expected = "a finite number, of a rotation up to 2";
    assert_eq!(broken(bytes), ReadError::Broken { at: 96, expected });
}

#[test]
fn a_packed_clip_takes_little_memory_beside_its_bytes() {
    let packed = packed(&walk(40), 0.000_1);
    let (bytes, beside) = (packed.bytes().len(), packed.size_beside());
    assert!(beside * 100 <= bytes * 15, "{beside} bytes beside {bytes}");
}

#[test]
fn deep_chains_and_many_nodes_have_an_end() {
    let node = |joint: usize| {
        let parent = joint.checked_sub(1).map(JointId::new);
        Node::new("", parent, Transform::from_translation(Vec3::X * 0.001))
    };
    let turn = |key: usize| Quat::from_rotation_z(0.001 * (key as f32).sin());
    let rotations =
        (0..3000).map(|joint| turns(joint, (0..4).map(turn).collect(), Interpolation::Linear));
    let clip = Clip { duration: 3.0 / RATE, rotations: rotations.collect(), ..Clip::default() };
    let scene = scene((0..3000).map(node).collect(), clip);
    let found =
        pack(&scene, &scene.clips[0], &Options { error: 0.01, ..Options::default() }, &|_| {});
    assert!(found.is_ok_and(|(_, report)| report.error <= 0.01));
}

#[test]
fn a_bound_is_told_as_it_was_written_and_a_man_is_not_taken_for_centimetres() {
    let error = |asked, span| {
        PackError::OutOfReach { asked, reached: 0.000_25, joint: "toe".into(), span }.to_string()
    };
    let told = error(0.000_1, 180.0);
    let start = "an error of 0.1 mm is out of reach: the best is 0.2500 mm, at node \"toe\"; ";
    assert!(told.starts_with(start) && told.ends_with("ask for 100 times the error"), "{told}");
    assert!(told.contains("the clip goes 180 m far"), "{told}");
    let told = error(1e-10, 0.4);
    assert!(told.starts_with("an error of 0.0000001 mm is out of reach"), "{told}");
    assert!(told.contains("the clip goes 0.40 m far"), "{told}");
    assert!(told.ends_with("single precision rounds there by 0.00002 mm"), "{told}");
}

#[test]
fn rotations_go_the_short_way_at_an_even_pace() {
    for (degrees, allowed) in [(10.0_f32, 5e-6), (30.0, 6e-6), (60.0, 1e-5), (120.0, 6e-5)] {
        let turn = degrees.to_radians();
        let values = vec![Quat::IDENTITY, Quat::from_rotation_z(turn)];
        let rotations = vec![turns(0, values, Interpolation::Linear)];
        let clip = Clip { duration: 1.0 / RATE, rotations, ..Clip::default() };
        let scene = scene(skeleton(1), clip);
        let packed = packed(&scene, 0.000_000_3);
        let mut pose = Pose::new(&scene);
        for step in 0..=20 {
            let share = step as f32 / 20.0;
            packed.sample(share * packed.duration(), &mut pose);
            let found = pose.local(JointId::new(0)).rotation;
            let found = 2.0 * found.z.atan2(found.w);
            assert!((found - share * turn).abs() < allowed, "{found} for {share} of {turn}");
        }
    }
}

#[test]
fn a_hinge_costs_a_third_of_a_joint_that_turns_every_way() {
    // About an axis that is none of the joint's own.
    let axis = Vec3::new(1.0, 2.0, -0.5).normalize();
    let stand = Quat::from_rotation_y(1.0);
    let bytes = |turn: &dyn Fn(f32) -> Quat| {
        let values = (0..200).map(|key| stand * turn(key as f32 * 0.37)).collect();
        let rotations = vec![turns(0, values, Interpolation::Linear)];
        let clip = Clip { duration: 199.0 / RATE, rotations, ..Clip::default() };
        packed(&scene(skeleton(1), clip), 0.000_1).bytes().len()
    };
    let hinge = bytes(&|at| Quat::from_axis_angle(axis, 0.3 * at.sin()));
    let every_way = bytes(&|at| {
        Quat::from_rotation_x(0.3 * at.sin())
            * Quat::from_rotation_y(0.3 * (1.7 * at).sin())
            * Quat::from_rotation_z(0.3 * (2.3 * at).sin())
    });
    assert!(5 * hinge < 3 * every_way, "{hinge} and {every_way} bytes");
}

#[test]
fn samples_are_on_the_grid_of_the_keys_where_there_is_one() {
    let found = |times: &[f32], interpolation: Interpolation, rate| {
        let count = times.len() * interpolation.values_per_key();
        let values = (0..count).map(|at| Vec3::X * (at as f32).sin()).collect();
        let curve = Curve::new(times.to_vec(), values, interpolation).expect("keys");
        let translations = vec![Track { joint: JointId::new(0), curve }];
        let duration = times[times.len() - 1];
        let scene = scene(skeleton(1), Clip { duration, translations, ..Clip::default() });
        let options = Options { rate, ..Options::default() };
        pack(&scene, &scene.clips[0], &options, &|_| {}).expect("it packs").0.samples()
    };
    let (linear, cubic) = (Interpolation::Linear, Interpolation::Cubic);
    // Linear keys on a grid keep it.
    let baked: Vec<f32> = (0..49).map(|key| key as f32 / 24.0).collect();
    assert_eq!(found(&baked, linear, None), 49);
    assert_eq!(found(&[0.0, 0.5, 1.5], linear, None), 4);
    let motion_capture: Vec<f32> = (0..241).map(|key| key as f32 * 0.008_333).collect();
    assert_eq!(found(&motion_capture, linear, None), 241);
    // Curves are sampled about thirty times a second, at their keys.
    assert_eq!(found(&[0.0, 0.5, 1.5], cubic, None), 46);
    assert_eq!(found(&[0.0, 7.0 / 24.0, 2.0], cubic, None), 49);
    // Keys anywhere are sampled at the nearest rate that ends with the clip.
    assert_eq!(found(&[0.0, 0.314_159, 1.161], linear, None), 36);
    assert_eq!(found(&[0.0, 1.166_67], linear, Some(30.0)), 36);
    assert_eq!(found(&[0.0], linear, None), 1);
}
