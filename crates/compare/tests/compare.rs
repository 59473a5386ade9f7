//! Clips and models whose differences are worked out by hand.

mod made;

use made::{arm, arm_with, clips, found, found_with, near, rotate, scene, travel, travel_by};
use sinew_compare::{
    Alignment, ClipMatch, CompareError, CompareOptions, Comparison, Placement, compare,
};
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{Clip, Interpolation, JointId, Node, Transform};

const STEP: [(f32, Vec3); 2] = [(0.0, Vec3::ZERO), (1.0, Vec3::new(0.0, 0.0, 2.0))];

#[test]
fn a_clip_compared_with_itself_is_exactly_0() {
    let clip = rotate(1, &[(0.0, 0.0), (0.37, 81.0), (1.0, -13.0)]);
    let found = clips(clip.clone(), clip);
    let skin = found.measure.skin.expect("the arm has a strip");
    assert_eq!((skin.worst.metres, skin.p99, skin.rms), (0.0, 0.0, 0.0));
    let joints = &found.measure.joints;
    assert_eq!(joints.worst.as_ref().map(|worst| worst.metres), Some(0.0));
    assert_eq!(joints.worst_angle.as_ref().map(|worst| worst.degrees), Some(0.0));
    assert_eq!(found.measure.speed.expect("it moves").metres_per_second, 0.0);
    assert_eq!(found.measure.root.expect("it has a root").worst, 0.0);
    assert!(found.moments > 60 && found.skin_moments == found.moments);
}

#[test]
fn a_shift_is_that_shift_everywhere() {
    let shifted = STEP.map(|(time, place)| (time, place + 0.25 * Vec3::Y));
    let found = clips(travel(&STEP), travel(&shifted));
    let skin = found.measure.skin.expect("the arm has a strip");
    assert_eq!((skin.worst.metres, skin.p99), (0.25, 0.25));
    near(skin.rms, 0.25);
    assert_eq!(found.measure.joints.worst.map(|worst| worst.metres), Some(0.25));
    assert_eq!(found.measure.joints.worst_angle.map(|worst| worst.degrees), Some(0.0));
    // It begins elsewhere, but goes the same path at the same speed.
    assert_eq!(found.measure.root.expect("it has a root").worst, 0.0);
    assert!(found.measure.speed.expect("it moves").metres_per_second < 1e-6);
}

#[test]
fn a_joint_bent_by_an_angle_moves_the_tip_by_its_chord() {
    let found = clips(
        rotate(1, &[(0.0, 0.0), (0.5, 30.0), (1.0, 0.0)]),
        rotate(1, &[(0.0, 0.0), (0.5, 40.0), (1.0, 0.0)]),
    );
    let skin = found.measure.skin.expect("the arm has a strip");
    // The tip is a metre from the joint, and 10° of a circle have a chord of 2 sin 5°.
    near(skin.worst.metres, 2.0 * 5_f64.to_radians().sin());
    assert_eq!((skin.worst.time, skin.worst.vertex), (0.5, 2));
    assert_eq!((&skin.worst.mesh[..], &skin.worst.joint[..]), ("strip", "lower"));
    let tip = [1.0 + 30_f64.to_radians().cos(), 30_f64.to_radians().sin(), 0.0];
    skin.worst.position.iter().zip(tip).for_each(|(found, expected)| near(*found, expected));
    let angle = found.measure.joints.worst_angle.expect("joints are paired");
    assert!((angle.degrees - 10.0).abs() < 1e-4, "{angle:?}");
    assert_eq!((&angle.joint[..], angle.time), ("lower", 0.5));
    assert!(found.measure.joints.worst.expect("joints are paired").metres < 1e-7);
}

#[test]
fn keys_of_either_clip_are_seen_between_even_samples() {
    // A spike of 2 ms between two samples of 60 Hz.
    let spike = [(0.0, 0.0), (0.501, 0.0), (0.502, 1.0), (0.503, 0.0), (1.0, 0.0)];
    let spike = spike.map(|(time, up)| (time, Vec3::Y * up));
    let flat = [(0.0, Vec3::ZERO), (1.0, Vec3::ZERO)];
    for found in [clips(travel(&flat), travel(&spike)), clips(travel(&spike), travel(&flat))] {
        let worst = found.measure.skin.expect("the arm has a strip").worst;
        assert_eq!((worst.metres, worst.time), (1.0, 0.502));
    }
}

#[test]
fn the_same_motion_keyed_at_another_rate_is_the_same() {
    let keys = |count: u16| -> Vec<(f32, Vec3)> {
        let share = |key| f32::from(key) / f32::from(count);
        (0..=count).map(|key| (2.0 * share(key), Vec3::Z * share(key))).collect()
    };
    let found = clips(travel(&keys(60)), travel(&keys(7)));
    assert!(found.measure.skin.expect("the arm has a strip").worst.metres < 1e-6);
    assert_eq!(found.durations, [2.0, 2.0]);
}

#[test]
fn of_clips_of_other_lengths_what_both_have_is_compared_and_both_lengths_are_said() {
    let long = travel(&[(0.0, Vec3::ZERO), (1.0, Vec3::Z), (2.0, 5.0 * Vec3::Y)]);
    let found = clips(long, travel(&[(0.0, Vec3::ZERO), (1.0, Vec3::Z)]));
    assert_eq!(found.durations, [2.0, 1.0]);
    assert!(found.measure.skin.expect("the arm has a strip").worst.metres < 1e-6);
}

#[test]
fn a_root_that_falls_behind_drifts_and_begins_at_one_place() {
    let slower = [(0.0, Vec3::ZERO), (1.0, 1.5 * Vec3::Z)];
    let root = clips(travel(&STEP), travel(&slower)).measure.root.expect("it has a root");
    assert_eq!(root.joint, "upper");
    near(root.end, 0.5);
    assert_eq!((root.worst, root.time), (root.end, 1.0));
    // There and back again ends where it should.
    let detour = [(0.0, Vec3::ZERO), (0.5, Vec3::new(0.3, 0.0, 1.0)), STEP[1]];
    let root = clips(travel(&STEP), travel(&detour)).measure.root.expect("it has a root");
    assert!(root.end < 1e-6);
    near(root.worst, 0.3);
    assert_eq!(root.time, 0.5);
}

#[test]
fn a_pop_is_a_difference_of_speed_where_it_happens() {
    // B jumps 0.1 m up at half a second, from one sample of 60 Hz to the next.
    let flat = [(0.0, Vec3::ZERO), (1.0, Vec3::ZERO)];
    let jump = [(0.0, Vec3::ZERO), (0.5, 0.1 * Vec3::Y), (1.0, 0.1 * Vec3::Y)];
    let found = clips(travel(&flat), travel_by(&jump, Interpolation::Step));
    let speed = found.measure.speed.expect("it moves");
    assert!((speed.metres_per_second - 6.0).abs() < 1e-3, "{speed:?}");
    assert_eq!(speed.to, 0.5);
    assert!((speed.from - 29.0 / 60.0).abs() < 1e-6);
    assert_eq!(speed.vertex, Some(("strip".to_owned(), 0)));
    // A drift as large over the whole clip is no pop: 0.1 m in a second.
    let drift = clips(travel(&flat), travel(&[(0.0, Vec3::ZERO), (1.0, 0.1 * Vec3::Y)]));
    let speed = drift.measure.speed.expect("it moves").metres_per_second;
    assert!((speed - 0.1).abs() < 1e-3, "{speed}");
}

#[test]
fn a_loop_that_does_not_close_has_a_gap() {
    let closed = rotate(1, &[(0.0, 0.0), (0.5, 60.0), (1.0, 0.0)]);
    let mut parts = arm(vec![closed]);
    // A hand, so that a bent joint moves something else.
    let hand = Transform::from_translation(Vec3::X);
    parts.nodes.push(Node::new("hand", Some(JointId::new(1)), hand));
    let a = scene(parts.clone());
    parts.clips = vec![rotate(1, &[(0.0, 0.0), (0.5, 60.0), (1.0, 60.0)])];
    let gaps = found(&a, &scene(parts)).clips[0].loop_gaps;
    // The chord of 60° at a metre is a metre.
    assert!(gaps[0] < 1e-6, "{gaps:?}");
    near(gaps[1], 1.0);
    // A walk that ends elsewhere loops all the same.
    let walk = clips(travel(&STEP), travel(&STEP));
    assert_eq!(walk.loop_gaps, [0.0, 0.0]);
}

#[test]
fn files_without_clips_are_compared_at_rest() {
    let mut parts = arm(Vec::new());
    parts.nodes[1].rest.translation = Vec3::new(1.0, 0.02, 0.0);
    let found = found(&scene(arm(Vec::new())), &scene(parts));
    assert!(found.clips.is_empty());
    let skin = found.rest.skin.expect("the arm has a strip");
    near(skin.worst.metres, 0.02);
    assert_eq!(skin.worst.vertex, 1);
    // Two of three vertices are 0.02 off.
    near(skin.rms, 0.02 * (2.0_f64 / 3.0).sqrt());
    assert_eq!((found.rest.speed, found.rest.root), (None, None));
}

#[test]
fn without_meshes_joints_are_compared_alone() {
    let bare = |clip: Clip| {
        let mut parts = arm(vec![clip]);
        parts.instances.clear();
        scene(parts)
    };
    let a = bare(rotate(0, &[(0.0, 0.0), (1.0, 0.0)]));
    let found = found(&a, &bare(rotate(0, &[(0.0, 0.0), (1.0, 90.0)])));
    let measure = &found.clips[0].measure;
    assert_eq!(measure.skin, None);
    let worst = measure.joints.worst.as_ref().expect("joints are paired");
    near(worst.metres, 2_f64.sqrt());
    assert_eq!((&worst.joint[..], worst.time), ("lower", 1.0));
    // The chord between two samples at the speed of a quarter turn in a second.
    let speed = measure.speed.as_ref().expect("it moves");
    let chord = 120.0 * (90_f64 / 120.0).to_radians().sin();
    assert!((speed.metres_per_second - chord).abs() < 1e-4, "{speed:?}");
    assert_eq!((&speed.joint[..], &speed.vertex), ("lower", &None));
}

#[test]
fn every_joint_has_its_own_worst() {
    let found = clips(
        rotate(0, &[(0.0, 0.0), (1.0, 0.0)]),
        rotate(0, &[(0.0, 0.0), (0.25, 60.0), (1.0, 0.0)]),
    );
    let each = &found.measure.joints.each;
    let names: Vec<_> = each.iter().map(|joint| (&joint.a[..], &joint.b[..])).collect();
    assert_eq!(names, [("upper", "upper"), ("lower", "lower")]);
    near(each[0].metres, 0.0);
    near(each[1].metres, 1.0);
    assert_eq!((each[1].metres_at, each[1].degrees_at), (0.25, 0.25));
    assert!((each[0].degrees - 60.0).abs() < 1e-4);
}

#[test]
fn aligned_at_the_root_only_the_pose_is_left() {
    let mut a = travel(&STEP);
    a.rotations = rotate(1, &[(0.0, 0.0), (1.0, 60.0)]).rotations;
    // B goes elsewhere, faces elsewhere, and bends its elbow as A does.
    let mut b = travel(&[(0.0, Vec3::ONE), (1.0, -Vec3::ONE)]);
    b.rotations = rotate(1, &[(0.0, 0.0), (1.0, 60.0)]).rotations;
    b.rotations.extend(rotate(0, &[(0.0, 90.0), (1.0, 45.0)]).rotations);
    let [a, b] = [a, b].map(arm_with);
    let align = Alignment { placement: Placement::Root, ..Alignment::default() };
    let options = CompareOptions { align, ..CompareOptions::default() };
    let found = found_with(&a, &b, &options);
    let skin = found.clips[0].measure.skin.as_ref().expect("the arm has a strip");
    assert!(skin.worst.metres < 1e-6, "{skin:?}");
    let plain = found_with(&a, &b, &CompareOptions::default());
    let skin = plain.clips[0].measure.skin.as_ref().expect("the arm has a strip");
    assert!(skin.worst.metres > 1.0);
}

#[test]
fn aligned_at_the_root_bodies_that_face_otherwise_at_rest_are_turned() {
    let facing = |degrees: f32| {
        let mut parts = arm(vec![rotate(2, &[(0.0, 0.0), (1.0, 60.0)])]);
        let top = Transform::from_rotation(Quat::from_rotation_y(degrees.to_radians()));
        parts.nodes.insert(0, Node::new("world", None, top));
        parts.nodes[1].parent = Some(JointId::new(0));
        parts.nodes[2].parent = Some(JointId::new(1));
        parts.skins[0].joints = vec![JointId::new(1), JointId::new(2)];
        parts.instances[0].joint = JointId::new(3);
        scene(parts)
    };
    let align = Alignment { placement: Placement::Root, ..Alignment::default() };
    let options = CompareOptions { align, ..CompareOptions::default() };
    let found = found_with(&facing(0.0), &facing(180.0), &options);
    let skin = found.clips[0].measure.skin.as_ref().expect("the arm has a strip");
    assert!(skin.worst.metres < 1e-6, "{skin:?}");
    assert!(found.rest.skin.as_ref().expect("the arm has a strip").worst.metres < 1e-6);
}

#[test]
fn a_joint_whose_axes_lie_otherwise_is_measured_from_rest() {
    let a = arm_with(rotate(1, &[(0.0, 0.0), (1.0, 40.0)]));
    // The axes of the lower joint are turned by 90° about its bone; it bends by 50° about the same line.
    let mut parts = arm(Vec::new());
    let axes = Quat::from_rotation_x(90_f32.to_radians());
    parts.nodes[1].rest.rotation = axes;
    parts.skins[0].joint_from_mesh[1] =
        sinew_scene::glam::Affine3A::from_quat(axes.inverse()) * parts.skins[0].joint_from_mesh[1];
    let mut bend = rotate(1, &[(0.0, 0.0), (1.0, 50.0)]);
    bend.rotations[0].curve.values_mut().iter_mut().for_each(|rotation| *rotation *= axes);
    parts.clips = vec![bend];
    let found = found(&a, &scene(parts));
    let rest = found.rest.joints.worst_angle.as_ref().expect("joints are paired");
    assert!((rest.degrees - 90.0).abs() < 1e-3, "{rest:?}");
    let joints = &found.clips[0].measure.joints;
    let angle = joints.worst_angle.as_ref().expect("joints are paired");
    assert!((angle.degrees - 10.0).abs() < 1e-3, "{angle:?}");
    assert_eq!(joints.each.iter().map(|joint| joint.from_rest).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn aligned_at_the_start_what_comes_after_is_left_and_so_is_the_height() {
    let heading = Quat::from_rotation_y(90_f32.to_radians());
    let a = arm_with(travel(&STEP));
    // The same path from another place and in another direction, a metre higher, and 0.2 m short.
    let mut clip = travel(&[(0.0, Vec3::new(5.0, 1.0, 7.0)), (1.0, Vec3::new(6.8, 1.0, 7.0))]);
    let turned = sinew_scene::Curve::constant(heading);
    clip.rotations = vec![sinew_scene::Track { joint: JointId::new(0), curve: turned }];
    let b = arm_with(clip);
    let align = Alignment { placement: Placement::Start, ..Alignment::default() };
    let options = CompareOptions { align, ..CompareOptions::default() };
    let found = found_with(&a, &b, &options);
    let measure = &found.clips[0].measure;
    let skin = measure.skin.as_ref().expect("the arm has a strip");
    near(skin.worst.metres, (1.0_f64 + 0.2 * 0.2).sqrt());
    assert_eq!(skin.worst.time, 1.0);
    near(measure.root.as_ref().expect("it has a root").end, 0.2);
}

#[test]
fn aligned_by_scale_a_model_in_centimetres_is_the_same() {
    let a = arm_with(rotate(1, &[(0.0, 0.0), (1.0, 50.0)]));
    let mut parts = arm(vec![rotate(1, &[(0.0, 0.0), (1.0, 50.0)])]);
    parts.nodes[0].rest.scale = Vec3::splat(100.0);
    let b = scene(parts);
    let align = Alignment { scale: true, ..Alignment::default() };
    let options = CompareOptions { align, ..CompareOptions::default() };
    let found = found_with(&a, &b, &options);
    near(found.scale, 0.01);
    assert!(found.clips[0].measure.skin.as_ref().expect("a strip").worst.metres < 1e-6);
    assert!(found.rest.joints.worst.as_ref().expect("joints").metres < 1e-6);
    assert!(found_with(&a, &b, &CompareOptions::default()).rest.skin.expect("a strip").rms > 10.0);
}

#[test]
fn far_from_the_origin_a_micrometre_is_still_seen() {
    // In single precision places 10 km away are a millimetre apart from each other.
    let far = |off: f32| {
        let mut parts = arm(vec![rotate(1, &[(0.0, 20.0), (1.0, 20.0)])]);
        parts.nodes[0].rest.translation = Vec3::X * 10_000.0;
        parts.nodes[1].rest.translation = Vec3::new(1.0, off, 0.0);
        scene(parts)
    };
    let found = found(&far(0.0), &far(1e-6));
    let worst = found.clips[0].measure.skin.as_ref().expect("a strip").worst.metres;
    assert!((worst - 1e-6).abs() < 1e-9, "{worst}");
}

#[test]
fn clips_are_paired_as_asked() {
    let named = |name: &str, degrees: f32| Clip {
        name: name.into(),
        ..rotate(1, &[(0.0, degrees), (1.0, degrees)])
    };
    let a = scene(arm(vec![named("run", 10.0), named("walk", 20.0)]));
    let b = scene(arm(vec![named("jog", 10.0), named("walk", 20.0)]));
    let plain = found(&a, &b);
    let pairs: Vec<_> =
        plain.clips.iter().map(|clip| (&clip.a[..], &clip.b[..], clip.how)).collect();
    assert_eq!(pairs, [("run", "jog", ClipMatch::OnlyOnes), ("walk", "walk", ClipMatch::Name)]);
    let options =
        CompareOptions { clips: vec![("walk".into(), "jog".into())], ..CompareOptions::default() };
    let asked = found_with(&a, &b, &options);
    assert_eq!(asked.clips.len(), 1);
    let angle = asked.clips[0].measure.joints.worst_angle.as_ref().expect("joints").degrees;
    assert!((angle - 10.0).abs() < 1e-4);
    assert!(asked.structure.clips.is_empty());
}

#[test]
fn models_without_anything_in_common_are_an_error() {
    let one = |names: &[&str]| {
        let node = |name: &&str| Node::new(*name, None, Transform::IDENTITY);
        scene(sinew_scene::SceneParts {
            nodes: names.iter().map(node).collect(),
            ..sinew_scene::SceneParts::default()
        })
    };
    let error = compare(&one(&["a"]), &one(&["b", "c"]), &CompareOptions::default());
    assert_eq!(error, Err(CompareError::NothingInCommon { joints: [1, 2] }));
    assert!(found(&one(&[]), &one(&[])).structure.is_empty());
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let options = CompareOptions { rate, ..CompareOptions::default() };
        assert!(compare(&one(&["a"]), &one(&["a"]), &options).is_err(), "{rate}");
    }
}

/// A wave through both joints of the arm, with every key of B off by a little that changes.
fn waves() -> [Clip; 2] {
    let wave = |off: f32| {
        let keys = |joint: usize| {
            let angle = |key: usize| {
                let noise = ((key * 7 + joint * 3) % 11) as f32 / 11.0;
                (key as f32, 30.0 * (key as f32 * 0.7 + joint as f32).sin() + off * noise)
            };
            (0..40).map(angle).map(|(key, angle)| (key / 10.0, angle)).collect::<Vec<_>>()
        };
        let mut clip = rotate(0, &keys(0));
        clip.rotations.extend(rotate(1, &keys(1)).rotations);
        clip
    };
    [wave(0.0), wave(0.5)]
}

#[test]
fn the_worst_alone_is_the_same_worst_at_the_same_moment_with_fewer_skinned() {
    let [a, b] = waves();
    let a = arm_with(a);
    let plain = arm(vec![b]);
    // Weights and places that are rounded, as files have them.
    let mut rounded = plain.clone();
    let primitive = &mut rounded.meshes[0].primitives[0];
    primitive.positions[2].x += 1e-4;
    let mut influences = sinew_scene::Influences::default();
    for weights in [[0.999, 0.001], [0.002, 0.998], [0.0, 1.0]] {
        influences.push(
            (0..2).map(|at| sinew_scene::Influence { joint: at, weight: weights[at as usize] }),
        );
    }
    primitive.influences = influences;
    for b in [plain, rounded] {
        let b = scene(b);
        let every = found(&a, &b);
        let options = CompareOptions { worst_only: true, ..CompareOptions::default() };
        let worst = found_with(&a, &b, &options);
        let skin = |found: &Comparison| {
            found.clips[0].measure.skin.as_ref().map(|skin| skin.worst.clone()).expect("a skin")
        };
        assert_eq!(skin(&worst), skin(&every));
        assert_eq!(worst.clips[0].measure.joints.worst, every.clips[0].measure.joints.worst);
        let counts = [&worst, &every].map(|found| found.clips[0].skin_moments);
        assert!(counts[0] * 3 < counts[1], "{counts:?}");
    }
}

#[test]
fn a_moment_is_skinned_that_is_worse_than_one_with_a_larger_bound() {
    // All vertices are on a diagonal. First B is rotated about it, which moves the corners of their box and none of them,
    // and off by 0.6 m; then it is off by 0.9 m.
    let diagonal = Vec3::new(1.0, 1.0, 0.0).normalize();
    let still = travel(&[(0.0, Vec3::ZERO), (2.0, Vec3::ZERO)]);
    let places = [(0.0, 0.6), (1.0, 0.6), (1.1, 0.9), (2.0, 0.9)];
    let mut moved = travel(&places.map(|(time, metres)| (time, Vec3::Z * metres)));
    moved.rotations = rotate(0, &[(0.0, 20.0), (1.0, 20.0), (1.05, 0.0), (2.0, 0.0)]).rotations;
    for (key, angle) in
        moved.rotations[0].curve.values_mut().iter_mut().zip([20.0_f32, 20.0, 0.0, 0.0])
    {
        *key = Quat::from_axis_angle(diagonal, angle.to_radians());
    }
    let on_diagonal = |clip: Clip| {
        let mut parts = arm(vec![clip]);
        let primitive = &mut parts.meshes[0].primitives[0];
        primitive.positions = [0.0, 1.0, 2.0].map(|at| diagonal * at).to_vec();
        let mut influences = sinew_scene::Influences::default();
        for _ in 0..3 {
            influences.push([sinew_scene::Influence { joint: 0, weight: 1.0 }]);
        }
        primitive.influences = influences;
        scene(parts)
    };
    let options = CompareOptions { worst_only: true, ..CompareOptions::default() };
    let found = found_with(&on_diagonal(still), &on_diagonal(moved), &options);
    near(found.clips[0].measure.skin.as_ref().expect("a skin").worst.metres, 0.9);
    assert!(found.clips[0].skin_moments < found.clips[0].moments);
}
