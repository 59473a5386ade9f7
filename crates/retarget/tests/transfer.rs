//! Clips go from Ossi to copies built otherwise, and back, and stay what they were.

mod common;

use common::{Variant, hanging, mixamo, nameless, odd_axes, ossi, places, t_pose, with_clip};
use glam::{Quat, Vec3};
use proptest::prelude::*;
use sinew_retarget::{JointMap, Options, Quality, RetargetError, Retargeted, retarget};
use sinew_scene::{Clip, Curve, Interpolation, JointId, Scene, Track, Transform};

fn onto(name: &str, to: &Scene) -> Retargeted {
    let map = JointMap::find(ossi(), to).expect("both have bodies");
    let clip = ossi().clip(name).expect("Ossi has it");
    retarget(clip, ossi(), to, &map, &Options::default()).expect("the clip moves the body")
}

fn back(name: &str, variant: &Scene) -> (Retargeted, Clip) {
    let there = onto(name, variant);
    let moved = with_clip(variant, there.clip);
    let map = JointMap::find(&moved, ossi()).expect("both have bodies");
    let again = retarget(&moved.clips[0], &moved, ossi(), &map, &Options::default());
    (again.expect("the clip moves the body"), moved.clips[0].clone())
}

/// How far joints of Ossi are at worst from where the clip has them, in metres.
fn apart(name: &str, clip: &Clip) -> f32 {
    let own = ossi().clip(name).expect("Ossi has it");
    let mut worst = 0.0_f32;
    for step in 0..=40 {
        let time = own.duration * step as f32 / 40.0;
        let pairs = places(ossi(), own, time).into_iter().zip(places(ossi(), clip, time));
        // A root that no one knows stays where it is; all that is seen hangs on the hips.
        worst = pairs.skip(1).map(|(a, b)| a.distance(b)).fold(worst, f32::max);
    }
    worst
}

const CLIPS: [&str; 6] = ["idle", "walk", "run", "jump", "wave", "dance"];

#[test]
fn a_clip_for_the_same_skeleton_is_moved_by_its_planting_alone() {
    for name in CLIPS {
        let made = onto(name, ossi());
        let apart = apart(name, &made.clip);
        // What is left is what planting takes from feet that slide in the clip.
        assert!(apart < 0.025, "{name}: {apart}");
        assert!(made.quality.slide.mean <= made.quality.source_slide.mean + 1e-4, "{name}");
    }
}

#[test]
fn without_planting_the_same_skeleton_gets_the_same_pose() {
    for name in CLIPS {
        let map = JointMap::find(ossi(), ossi()).expect("Ossi has a body");
        let clip = ossi().clip(name).expect("Ossi has it");
        let made = retarget(
            clip,
            ossi(),
            ossi(),
            &map,
            &Options { plant_feet: false, ..Options::default() },
        )
        .expect("it moves");
        let apart = apart(name, &made.clip);
        assert!(apart < 0.003, "{name}: {apart}");
    }
}

#[test]
fn there_and_back_over_other_names_axes_and_rest_poses_returns_within_two_centimetres() {
    let faces_back = Transform {
        translation: Vec3::new(0.5, 0.0, -0.25),
        rotation: Quat::from_rotation_y(2.5),
        scale: Vec3::ONE,
    };
    let variants = [
        ("names", Variant { rename: mixamo, ..Variant::default() }),
        ("T-pose", Variant { rest: t_pose, ..Variant::default() }),
        ("hanging arms", Variant { rest: hanging, ..Variant::default() }),
        ("axes", Variant { axes: odd_axes, rest: t_pose, rename: mixamo, ..Variant::default() }),
        ("no names", Variant { rename: nameless, axes: odd_axes, ..Variant::default() }),
        ("turned", Variant { placed: faces_back, ..Variant::default() }),
        (
            "small",
            Variant {
                placed: Transform { scale: Vec3::splat(0.01), ..Transform::IDENTITY },
                ..Variant::default()
            },
        ),
    ];
    for (what, variant) in variants {
        let scene = variant.scene();
        for name in ["walk", "dance"] {
            let (again, _) = back(name, &scene);
            let apart = apart(name, &again.clip);
            assert!(apart < 0.02, "{what}, {name}: {apart}");
        }
    }
}

#[test]
fn bones_point_where_the_clips_point_whatever_the_rest_pose() {
    let plain = Options { plant_feet: false, ..Options::default() };
    for rest in [t_pose, hanging, |_: &str| Quat::IDENTITY] {
        let to = Variant { rest, axes: odd_axes, ..Variant::default() }.scene();
        let map = JointMap::find(ossi(), &to).expect("both have bodies");
        let made = retarget(ossi().clip("dance").expect("a clip"), ossi(), &to, &map, &plain)
            .expect("it moves");
        assert!(made.quality.worst_direction < 0.2, "{:?}", made.quality);
    }
}

/// A child: legs two thirds as long, arms three quarters, the rest four fifths.
fn child(name: &str) -> f32 {
    match name.split('.').next().unwrap_or(name) {
        "root" => 1.0,
        "shin" | "foot" | "toes" => 0.62,
        "hips" => 0.64,
        "forearm" | "hand" => 0.75,
        _ => 0.8,
    }
}

#[test]
fn feet_stay_planted_on_legs_of_another_length() {
    let to = Variant {
        rename: mixamo,
        rest: t_pose,
        length: child,
        axes: odd_axes,
        ..Variant::default()
    }
    .scene();
    for name in ["walk", "run", "dance", "idle"] {
        let Quality { slide, plain_slide, hip_ratio, contact, .. } = onto(name, &to).quality;
        assert!((0.6..0.65).contains(&hip_ratio), "{name}: {hip_ratio}");
        assert!(contact > 0.15, "{name}: {contact}");
        assert!(slide.mean < 0.005 && slide.worst < 0.05, "{name}: {slide:?}");
        assert!(slide.mean <= plain_slide.mean + 1e-4, "{name}: {plain_slide:?} to {slide:?}");
    }
}

#[test]
fn feet_stand_on_the_floor_and_not_in_it() {
    let to = Variant { rename: mixamo, length: child, ..Variant::default() }.scene();
    let toes = to.skeleton().find("mixamorig:LeftToeBase").expect("toes");
    let flat = places(&to, &Clip::default(), 0.0)[toes.index()].y;
    let walk = onto("walk", &to).clip;
    let heights: Vec<f32> = (0..=60)
        .map(|step| places(&to, &walk, walk.duration * step as f32 / 60.0)[toes.index()].y)
        .collect();
    let low = heights.iter().copied().fold(f32::INFINITY, f32::min);
    assert!((low - flat).abs() < 0.012, "{low} for {flat}");
}

#[test]
fn a_walk_goes_as_far_as_its_legs_are_long() {
    let to = Variant { length: child, ..Variant::default() }.scene();
    let made = onto("walk", &to);
    let hips = to.skeleton().find("hips").expect("hips").index();
    let way = |scene: &Scene, clip: &Clip, joint: usize| {
        (places(scene, clip, clip.duration)[joint] - places(scene, clip, 0.0)[joint]).z
    };
    let own = way(ossi(), ossi().clip("walk").expect("a walk"), 1);
    let there = way(&to, &made.clip, hips);
    assert!((there / own - made.quality.hip_ratio).abs() < 0.01, "{there} of {own}");
}

#[test]
fn keys_come_at_the_rate_asked_for_or_as_the_clip_has_them() {
    let map = JointMap::find(ossi(), ossi()).expect("both have bodies");
    let walk = ossi().clip("walk").expect("Ossi walks");
    let rate = |rate| Options { rate, ..Options::default() };
    let made = retarget(walk, ossi(), ossi(), &map, &rate(Some(20.0))).expect("it moves");
    assert_eq!(made.quality.keys, 21);
    assert!(made.clip.rotations.iter().all(|track| track.curve.times().len() == 21));
    // A clip with 120 keys a second gets as many, not four times so.
    let dense = retarget(walk, ossi(), ossi(), &map, &rate(Some(120.0))).expect("it moves");
    let scene = with_clip(ossi(), dense.clip);
    let again = retarget(&scene.clips[0], &scene, ossi(), &map, &Options::default());
    assert_eq!(again.expect("it moves").quality.keys, 121);
    let wrong = retarget(walk, ossi(), ossi(), &map, &rate(Some(f32::NAN)));
    assert!(wrong.is_err_and(|error| error.to_string().contains("found NaN")));
}

#[test]
fn a_first_frame_of_another_pose_is_no_error_between_keys() {
    let map = JointMap::find(ossi(), ossi()).expect("both have bodies");
    let walk = ossi().clip("walk").expect("Ossi walks");
    let options = Options { rate: Some(120.0), ..Options::default() };
    let mut clip = retarget(walk, ossi(), ossi(), &map, &options).expect("it moves").clip;
    let slower = Options { rate: Some(30.0), ..Options::default() };
    let error = |clip: &Clip| {
        let scene = with_clip(ossi(), clip.clone());
        let made = retarget(&scene.clips[0], &scene, ossi(), &map, &slower).expect("it moves");
        made.quality.key_error
    };
    let before = error(&clip);
    // Captures often begin with a frame of the body elsewhere.
    for track in &mut clip.translations {
        track.curve.values_mut()[0] += Vec3::new(1.4, 0.0, 0.0);
    }
    for track in &mut clip.rotations {
        track.curve.values_mut()[0] = ossi().skeleton().node(track.joint).rest.rotation;
    }
    let after = error(&clip);
    assert!(after < before + 0.001, "{after} m for {before} m");
}

#[test]
fn a_limb_whose_twist_flips_is_no_error_between_keys() {
    let to = Variant { rest: t_pose, axes: odd_axes, length: child, ..Variant::default() }.scene();
    let map = JointMap::find(ossi(), ossi()).expect("Ossi has a body");
    let walk = ossi().clip("walk").expect("Ossi walks");
    let options = Options { rate: Some(120.0), ..Options::default() };
    let mut clip = retarget(walk, ossi(), ossi(), &map, &options).expect("it moves").clip;
    let error = |clip: &Clip| {
        let scene = with_clip(ossi(), clip.clone());
        let map = JointMap::find(&scene, &to).expect("both have bodies");
        let made = retarget(&scene.clips[0], &scene, &to, &map, &Options::default());
        made.expect("it moves").quality.key_error
    };
    let before = error(&clip);
    // Captures lose the twist of a leg for some frames: thigh and shin are half a turn about the bone away, and all that
    // is seen stays where it was.
    let joint = |name: &str| ossi().skeleton().find(name).expect("Ossi has it");
    let (thigh, shin) = (joint("thigh.L"), joint("shin.L"));
    let bone = ossi().skeleton().node(shin).rest.translation.normalize();
    let half = Quat::from_axis_angle(bone, std::f32::consts::PI);
    for track in &mut clip.rotations {
        for rotation in track.curve.values_mut().iter_mut().skip(40).step_by(3) {
            if track.joint == thigh {
                *rotation = (*rotation * half).normalize();
            } else if track.joint == shin {
                *rotation = (half.inverse() * *rotation).normalize();
            }
        }
    }
    let after = error(&clip);
    assert!(after < before + 0.001, "{after} m for {before} m");
}

#[test]
fn a_loop_stays_closed() {
    let to = Variant { rename: mixamo, rest: t_pose, length: child, ..Variant::default() }.scene();
    let made = onto("walk", &to);
    assert!(made.quality.comes_round);
    for track in &made.clip.rotations {
        let keys = track.curve.values();
        let seam = keys[0].angle_between(keys[keys.len() - 1]).to_degrees();
        assert!(seam < 2.0, "{}: {seam}°", to.skeleton().node(track.joint).name);
    }
}

/// Ossi's walk on a skeleton with other numbers of spine and finger joints: `chest` is cut out.
#[test]
fn two_joints_of_a_spine_bend_as_far_as_three_did() {
    let mut parts = Variant::default().scene().into_parts();
    let chest = parts.nodes.iter().position(|node| node.name == "chest").expect("a chest");
    let (above, moved) = (parts.nodes[chest].parent, parts.nodes[chest].rest.translation);
    parts.nodes.remove(chest);
    for node in &mut parts.nodes {
        let Some(parent) = node.parent else { continue };
        if parent.index() == chest {
            node.parent = above;
            node.rest.translation += moved;
        } else if parent.index() > chest {
            node.parent = Some(JointId::new(parent.index() - 1));
        }
    }
    let to = Scene::new(parts).expect("a scene");
    let made = onto("dance", &to);
    let own = ossi().clip("dance").expect("a dance");
    let (head, neck) = ("head", "neck");
    for step in 0..20 {
        let time = own.duration * step as f32 / 20.0;
        let way = |scene: &Scene, clip: &Clip| {
            let places = places(scene, clip, time);
            let at = |name: &str| places[scene.skeleton().find(name).expect("it is there").index()];
            (at(head) - at(neck)).normalize()
        };
        let apart = way(ossi(), own).angle_between(way(&to, &made.clip)).to_degrees();
        assert!(apart < 1.0, "{apart}° at {time} s");
    }
}

#[test]
fn a_clip_of_nothing_is_refused_and_a_single_pose_is_taken() {
    let map = JointMap::find(ossi(), ossi()).expect("Ossi has a body");
    let empty = Clip { name: "still".into(), duration: 1.0, ..Clip::default() };
    let refused = retarget(&empty, ossi(), ossi(), &map, &Options::default());
    let Err(RetargetError::EmptyClip(message)) = refused else { panic!("nothing moves") };
    assert!(message.contains("\"still\""), "{message}");
    let rotation =
        Track { joint: JointId::new(2), curve: Curve::constant(Quat::from_rotation_x(0.3)) };
    let pose = Clip { rotations: vec![rotation], ..Clip::default() };
    let made = retarget(&pose, ossi(), ossi(), &map, &Options::default()).expect("a pose");
    assert!(made.clip.rotations.iter().all(|track| track.curve.values().len() == 1));
    assert!((made.clip.duration, made.quality.contact) == (0.0, 0.0));
}

fn quaternion() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0_f32..1.0).prop_map(|[x, y, z, w]| {
        let rotation = Quat::from_xyzw(x, y, z, w);
        if rotation.length() < 0.1 { Quat::IDENTITY } else { rotation.normalize() }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_motion_gives_finite_poses_and_unit_quaternions(
        rotations in prop::collection::vec((1_usize..53, prop::collection::vec(quaternion(), 3)), 1..12),
        way in prop::collection::vec(prop::array::uniform3(-100.0_f32..100.0), 3),
        times in prop::sample::select(vec![vec![0.0, 0.5, 1.0], vec![0.0, 0.0, 2.0], vec![0.2, 0.3, 0.3]]),
    ) {
        let curve = |values| Curve::new(times.clone(), values, Interpolation::Linear).expect("three keys");
        let rotations = rotations.into_iter().map(|(joint, values)| Track { joint: JointId::new(joint), curve: curve(values) }).collect();
        let places = way.into_iter().map(Vec3::from).collect();
        let moves = Curve::new(times.clone(), places, Interpolation::Linear).expect("three keys");
        let translations = vec![Track { joint: JointId::new(1), curve: moves }];
        let clip = Clip { duration: 2.0, rotations, translations, ..Clip::default() };
        let from = with_clip(ossi(), clip);
        let to = Variant { rename: mixamo, rest: t_pose, length: child, axes: odd_axes, ..Variant::default() }.scene();
        let map = JointMap::find(ossi(), &to).expect("both have bodies");
        let made = retarget(&from.clips[0], &from, &to, &map, &Options::default()).expect("it moves");
        for track in &made.clip.rotations {
            for rotation in track.curve.values() {
                prop_assert!(rotation.is_finite() && (rotation.length() - 1.0).abs() < 1e-4);
            }
        }
        prop_assert!(made.clip.translations.iter().all(|track| track.curve.values().iter().all(|way| way.is_finite())));
        // A scene checks everything else.
        let _ = with_clip(&to, made.clip);
    }
}
