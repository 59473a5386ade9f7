//! Left for right: worked out by hand, and twice is the original whatever the axes of the bones.

mod rigs;

use proptest::prelude::*;
use rigs::*;
use sinew_motion::{Cursor, Mirror, Pairs, Plane, Pose, sample};
use sinew_scene::glam::{Affine3A, Quat, Vec3};
use sinew_scene::{Clip, Curve, Interpolation, JointId, Node, Scene, SceneParts, Track, Transform};

/// Hips, and on each side an arm and a hand. The bones of the left side are turned by `left`, those
/// of the right by `right`, both about their own heads: places are the same whatever the turns.
fn body(left: [Quat; 2], right: [Quat; 2]) -> Scene {
    let hips = Transform::from_translation(Vec3::Y);
    let side = |sign: f32, [arm, hand]: [Quat; 2]| {
        let at = |place: Vec3, parent: Quat, own: Quat| Transform {
            translation: parent.inverse() * place,
            rotation: (parent.inverse() * own).normalize(),
            scale: Vec3::ONE,
        };
        let arm_place = Vec3::new(0.2 * sign, 0.4, 0.0);
        [at(arm_place, Quat::IDENTITY, arm), at(Vec3::new(0.5 * sign, -0.1, 0.05), arm, hand)]
    };
    let ([left_arm, left_hand], [right_arm, right_hand]) = (side(1.0, left), side(-1.0, right));
    let nodes = vec![
        Node::new("hips", None, hips),
        Node::new("arm.L", Some(id(0)), left_arm),
        Node::new("arm.R", Some(id(0)), right_arm),
        Node::new("hand.L", Some(id(1)), left_hand),
        Node::new("hand.R", Some(id(2)), right_hand),
        // Nobody's counterpart: a tool in one hand.
        Node::new("hammer", Some(id(4)), Transform::from_translation(Vec3::Z)),
    ];
    Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("a body")
}

fn plain() -> Scene {
    body([Quat::IDENTITY; 2], [Quat::IDENTITY; 2])
}

#[test]
fn pairs_are_found_by_name_and_the_plane_between_them() {
    let scene = plain();
    let mirror = Mirror::new(scene.skeleton());
    let pairs: Vec<_> = mirror.pairs().iter().collect();
    assert_eq!(pairs, [(id(1), id(2)), (id(3), id(4))]);
    assert_eq!(mirror.pairs().partner(id(0)), Some(id(0)));
    assert_eq!(mirror.pairs().partner(id(5)), None);
    assert_eq!(mirror.plane(), Plane::X);
    assert_eq!(mirror.doubts(), []);
}

#[test]
fn a_raised_left_arm_becomes_a_raised_right_arm() {
    let scene = plain();
    let mut pose = Pose::new(&scene);
    // About Z by a quarter turn lifts the left arm; the mirror turns the right one the other way.
    pose.set_rotation(id(1), Quat::from_rotation_z(1.0));
    pose.set_rotation(id(3), Quat::from_rotation_x(0.3));
    pose.set_local(id(0), Transform::from_translation(Vec3::new(0.2, 1.0, 3.0)));
    Mirror::new(scene.skeleton()).apply(&mut pose, scene.skeleton());
    assert!(pose.rotation(id(2)).abs_diff_eq(Quat::from_rotation_z(-1.0), 1e-6));
    assert!(pose.rotation(id(4)).abs_diff_eq(Quat::from_rotation_x(0.3), 1e-6));
    assert!(pose.rotation(id(1)).abs_diff_eq(Quat::IDENTITY, 1e-6));
    let hips = pose.local(id(0)).translation;
    assert!(hips.abs_diff_eq(Vec3::new(-0.2, 1.0, 3.0), 1e-6), "{hips}");
}

#[test]
fn bones_with_other_axes_on_either_side_go_to_mirrored_places() {
    // As Mixamo and Rigify have it: the right bones are turned otherwise than the left.
    let left = [Quat::from_rotation_z(-1.2), Quat::from_rotation_y(0.4)];
    let right = [Quat::from_rotation_x(3.0), Quat::from_rotation_z(2.0)];
    let scene = body(left, right);
    let mut pose = Pose::new(&scene);
    pose.set_rotation(id(1), pose.rotation(id(1)) * Quat::from_rotation_y(0.8));
    pose.set_rotation(id(4), pose.rotation(id(4)) * Quat::from_rotation_x(-0.5));
    pose.set_rotation(id(0), Quat::from_rotation_y(0.3));
    pose.to_model(scene.skeleton());
    let mut mirrored = pose.clone();
    Mirror::new(scene.skeleton()).apply(&mut mirrored, scene.skeleton());
    for (joint, partner) in [(0, 0), (1, 2), (2, 1), (3, 4), (4, 3)] {
        let (found, was) = (place(&mirrored, joint), place(&pose, partner));
        let expected = Vec3::new(-was.x, was.y, was.z);
        assert!(found.abs_diff_eq(expected, 1e-5), "{joint}: {found} is not {expected}");
    }
    assert!((place(&mirrored, 1) - place(&pose, 1)).length() > 0.01);
}

#[test]
fn a_pair_whose_parents_are_none_is_refused_by_name() {
    let scene = plain();
    let mut pairs = Pairs::find(scene.skeleton());
    pairs.set(id(1), id(4));
    let rest = Pose::new(&scene);
    let error = Mirror::with(scene.skeleton(), pairs, Plane::X, rest.model_from_joint());
    let message = error.expect_err("an arm is no hand").to_string();
    assert!(message.contains("\"arm.L\" and \"hand.R\" cannot be a pair"), "{message}");
}

#[test]
fn pairs_may_be_told() {
    let mut parts = plain().into_parts();
    for (node, name) in parts.nodes.iter_mut().zip(["a", "b", "c", "d", "e", "f"]) {
        node.name = name.into();
    }
    let scene = Scene::new(parts).expect("a body");
    assert_eq!(Pairs::find(scene.skeleton()).iter().count(), 0);
    let mut pairs = Pairs::find(scene.skeleton());
    pairs.set(id(1), id(2));
    pairs.set(id(3), id(4));
    pairs.clear(id(5));
    let rest = Pose::new(&scene);
    let told = Mirror::with(scene.skeleton(), pairs, Plane::X, rest.model_from_joint());
    let mut pose = rest.clone();
    pose.set_rotation(id(1), Quat::from_rotation_z(1.0));
    told.expect("two pairs").apply(&mut pose, scene.skeleton());
    assert!(pose.rotation(id(2)).abs_diff_eq(Quat::from_rotation_z(-1.0), 1e-6));
}

#[test]
fn a_pair_that_stands_oddly_is_doubted() {
    let mut parts = plain().into_parts();
    parts.nodes[4].rest.translation.y += 0.5;
    let scene = Scene::new(parts).expect("a body");
    let mirror = Mirror::new(scene.skeleton());
    let [(a, b, apart)] = mirror.doubts() else { panic!("{:?}", mirror.doubts()) };
    assert_eq!((*a, *b), (id(3), id(4)));
    assert!((apart - 0.5).abs() < 1e-5, "{apart}");
}

#[test]
fn nameless_joints_below_a_pair_are_found_by_place() {
    let mut parts = plain().into_parts();
    parts.nodes[3].name = String::new();
    parts.nodes[4].name = String::new();
    let scene = Scene::new(parts).expect("a body");
    assert_eq!(Pairs::find(scene.skeleton()).partner(id(3)), Some(id(4)));
}

/// Turns and moves of three joints, cubic and straight.
fn clip() -> Clip {
    let rotation = |joint: usize, axis: Vec3| {
        let values = vec![Quat::IDENTITY, Quat::from_axis_angle(axis, 1.0)];
        let curve = Curve::new(vec![0.0, 1.0], values, Interpolation::Linear).expect("two keys");
        Track { joint: id(joint), curve }
    };
    let moves = vec![Vec3::X, Vec3::Y, Vec3::Z, Vec3::X * 3.0, Vec3::ONE, -Vec3::Z];
    let curve = Curve::new(vec![0.0, 1.0], moves, Interpolation::Cubic).expect("two keys");
    Clip {
        duration: 1.0,
        translations: vec![Track { joint: id(0), curve }],
        rotations: vec![
            rotation(1, Vec3::Z),
            rotation(4, Vec3::new(0.6, 0.8, 0.0)),
            rotation(5, Vec3::X),
        ],
        ..Clip::default()
    }
}

fn check_clip(scene: &Scene) -> Result<(), TestCaseError> {
    let (skeleton, clip) = (scene.skeleton(), clip());
    let mirror = Mirror::new(skeleton);
    let mirrored = mirror.clip(skeleton, &clip);
    for time in [0.0, 0.3, 1.0] {
        let (mut found, mut expected) = (Pose::new(scene), Pose::new(scene));
        sample(&mirrored, time, &mut Cursor::new(), &mut found);
        sample(&clip, time, &mut Cursor::new(), &mut expected);
        mirror.apply(&mut expected, skeleton);
        found.to_model(skeleton);
        for joint in skeleton.ids() {
            let pair = [&found, &expected].map(|pose| pose.model_from_joint()[joint.index()]);
            prop_assert!(pair[0].abs_diff_eq(pair[1], 1e-4), "{joint:?} at {time}: {pair:?}");
        }
    }
    Ok(())
}

#[test]
fn a_mirrored_clip_is_the_mirrored_pose_at_every_time() {
    check_clip(&plain()).expect("plain axes");
    let left = [Quat::from_rotation_z(-1.2), Quat::from_rotation_y(0.4)];
    let right = [Quat::from_rotation_x(3.0), Quat::from_rotation_z(2.0)];
    check_clip(&body(left, right)).expect("other axes");
    // A rest pose that is not its own mirror image: hands that rest need keys then.
    let mut parts = plain().into_parts();
    parts.nodes[3].rest.rotation = Quat::from_rotation_x(0.4);
    check_clip(&Scene::new(parts).expect("a body")).expect("an uneven rest pose");
}

proptest! {
    #[test]
    fn mirrored_twice_is_the_original(
        left in prop::array::uniform2(rotations()),
        right in prop::array::uniform2(rotations()),
        poses in prop::array::uniform6((rotations(), near_place(), prop::array::uniform3(0.1_f32..3.0))),
        normal in near_place(),
    ) {
        let scene = body(left, right);
        let skeleton = scene.skeleton();
        let mut pose = Pose::new(&scene);
        for (joint, (rotation, translation, scale)) in poses.into_iter().enumerate() {
            pose.set_local(id(joint), Transform { translation, rotation, scale: scale.into() });
        }
        pose.to_model(skeleton);
        let plane = Plane::new(normal, Vec3::ZERO).unwrap_or(Plane::X);
        let rest = Pose::new(&scene);
        let oblique =
            Mirror::with(skeleton, Pairs::find(skeleton), plane, rest.model_from_joint()).unwrap();
        for mirror in [Mirror::new(skeleton), oblique] {
            let mut twice = pose.clone();
            mirror.apply(&mut twice, skeleton);
            check_sound(&scene, &twice)?;
            mirror.apply(&mut twice, skeleton);
            for joint in skeleton.ids() {
                let (found, was) = (twice.local(joint), pose.local(joint));
                prop_assert!(found.rotation.dot(was.rotation).abs() > 1.0 - 1e-5);
                prop_assert!(found.translation.abs_diff_eq(was.translation, 1e-4));
                prop_assert!(found.scale.abs_diff_eq(was.scale, 1e-4), "{found:?} {was:?}");
            }
        }
    }

    #[test]
    fn any_skeleton_can_be_mirrored(scene in any_scene(), sides in prop::collection::vec(0_usize..3, 12)) {
        let mut parts = scene.into_parts();
        for (index, (node, side)) in parts.nodes.iter_mut().zip(sides).enumerate() {
            node.name = format!("{}{}", index / 2, ["", ".L", ".R"][side]);
        }
        let scene = Scene::new(parts).unwrap();
        let skeleton = scene.skeleton();
        let rest: Vec<Affine3A> = Pose::new(&scene).model_from_joint().to_vec();
        let pairs = Pairs::find(skeleton);
        prop_assert!(Mirror::with(skeleton, pairs.clone(), Plane::X, &rest).is_ok());
        for joint in skeleton.ids() {
            let back = pairs.partner(joint).and_then(|other: JointId| pairs.partner(other));
            prop_assert!(back.is_none() || back == Some(joint));
        }
        let mut pose = Pose::new(&scene);
        Mirror::new(skeleton).apply(&mut pose, skeleton);
        check_sound(&scene, &pose)?;
    }
}
