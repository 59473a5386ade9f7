//! Limbs, gazes and chains: worked out by hand, and for any skeleton and any target.

mod rigs;

use std::f32::consts::{FRAC_PI_2, PI};

use proptest::prelude::*;
use rigs::*;
use sinew_motion::Pose;
use sinew_motion::ik::{
    Aim, Ccd, Fabrik, IkError, Limit, LookAt, LookAtState, Outcome, Pole, TwoBone, orient,
};
use sinew_scene::Scene;
use sinew_scene::glam::{Quat, Vec3};

/// Two bones of 1 m, bent upwards: root, elbow at (0.6, 0.8), hand at (1.2, 0).
fn arm() -> (Scene, Pose, TwoBone) {
    let scene = row(&[[0.0; 3], [0.6, 0.8, 0.0], [0.6, -0.8, 0.0]]);
    let arm = TwoBone::new(scene.skeleton(), id(2)).expect("three joints");
    (scene.clone(), Pose::new(&scene), arm)
}

#[test]
fn a_hand_reaches_and_the_elbow_bends_the_way_it_did() {
    let (scene, mut pose, arm) = arm();
    // 3-4-5: at 1.6 m the elbow is 0.8 along and 0.6 aside.
    let outcome = arm.apply(&mut pose, scene.skeleton(), Vec3::new(1.6, 0.0, 0.0));
    assert_eq!(outcome, Outcome::Reached);
    assert!(place(&pose, 2).abs_diff_eq(Vec3::new(1.6, 0.0, 0.0), 1e-6), "{}", place(&pose, 2));
    assert!(place(&pose, 1).abs_diff_eq(Vec3::new(0.8, 0.6, 0.0), 1e-6), "{}", place(&pose, 1));
}

#[test]
fn an_elbow_points_to_its_pole() {
    let (scene, mut pose, mut arm) = arm();
    arm.pole = Pole::Toward(Vec3::new(5.0, 0.0, 2.0));
    arm.apply(&mut pose, scene.skeleton(), Vec3::new(1.6, 0.0, 0.0));
    assert!(place(&pose, 1).abs_diff_eq(Vec3::new(0.8, 0.0, 0.6), 1e-6), "{}", place(&pose, 1));
    arm.pole = Pole::At(Vec3::new(0.5, -3.0, 0.0));
    arm.apply(&mut pose, scene.skeleton(), Vec3::new(1.6, 0.0, 0.0));
    assert!(place(&pose, 1).abs_diff_eq(Vec3::new(0.8, -0.6, 0.0), 1e-6), "{}", place(&pose, 1));
}

#[test]
fn a_twist_turns_the_limb_about_the_line_to_its_target() {
    let (scene, mut pose, mut arm) = arm();
    arm.twist = FRAC_PI_2;
    arm.apply(&mut pose, scene.skeleton(), Vec3::new(1.6, 0.0, 0.0));
    // A quarter turn about X takes up to the front.
    assert!(place(&pose, 1).abs_diff_eq(Vec3::new(0.8, 0.0, 0.6), 1e-6), "{}", place(&pose, 1));
    assert!(place(&pose, 2).abs_diff_eq(Vec3::new(1.6, 0.0, 0.0), 1e-6), "{}", place(&pose, 2));
}

#[test]
fn out_of_reach_a_limb_stretches_towards_its_target() {
    let (scene, mut pose, arm) = arm();
    let outcome = arm.apply(&mut pose, scene.skeleton(), Vec3::new(0.0, 0.0, 5.0));
    assert!(matches!(outcome, Outcome::Short(by) if (by - 3.0).abs() < 1e-5), "{outcome:?}");
    assert!(place(&pose, 2).abs_diff_eq(2.0 * Vec3::Z, 1e-5), "{}", place(&pose, 2));
}

#[test]
fn too_near_a_limb_folds_as_far_as_it_can() {
    let scene = row(&[[0.0; 3], [1.0, 0.1, 0.0], [0.5, -0.1, 0.0]]);
    let arm = TwoBone::new(scene.skeleton(), id(2)).expect("three joints");
    let mut pose = Pose::new(&scene);
    let outcome = arm.apply(&mut pose, scene.skeleton(), Vec3::X * 0.1);
    assert!(matches!(outcome, Outcome::Short(by) if (by - 0.395).abs() < 1e-3), "{outcome:?}");
    assert!(arm.apply(&mut pose, scene.skeleton(), Vec3::ZERO) != Outcome::Reached);
}

#[test]
fn a_soft_limb_slows_down_and_never_snaps_straight() {
    let (scene, pose, mut arm) = arm();
    arm.softness = 0.1;
    // Soft over the last 0.2 m: at 2 m it is 0.2 m into it, and 0.2 / e short.
    let mut soft = pose.clone();
    arm.apply(&mut soft, scene.skeleton(), 2.0 * Vec3::X);
    let far = place(&soft, 2).x;
    assert!((far - (2.0 - 0.2 / std::f32::consts::E)).abs() < 1e-5, "{far}");
    // The elbow's speed stays bounded where a hard limb's does not.
    let speed = |arm: &TwoBone| {
        let elbow = |x: f32| {
            let mut pose = pose.clone();
            arm.apply(&mut pose, scene.skeleton(), x * Vec3::X);
            place(&pose, 1)
        };
        (0..400)
            .map(|step| 1.7 + step as f32 * 0.001)
            .map(|x| elbow(x).distance(elbow(x + 0.001)) / 0.001)
            .fold(0.0, f32::max)
    };
    let soft = speed(&arm);
    arm.softness = 0.0;
    let hard = speed(&arm);
    assert!(soft < 2.5 && hard > 10.0, "soft {soft}, hard {hard}");
}

#[test]
fn a_straight_limb_bends_the_way_it_was_told() {
    let scene = row(&[[0.0; 3], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
    let mut arm = TwoBone::new(scene.skeleton(), id(2)).expect("three joints");
    assert_eq!(arm.bend, Vec3::ZERO);
    arm.bend = Vec3::NEG_Z;
    let mut pose = Pose::new(&scene);
    assert!(arm.apply(&mut pose, scene.skeleton(), 1.6 * Vec3::X).reached());
    assert!(place(&pose, 1).abs_diff_eq(Vec3::new(0.8, 0.0, -0.6), 1e-5), "{}", place(&pose, 1));
    for bend in [Vec3::ZERO, Vec3::X, Vec3::NAN] {
        arm.bend = bend;
        let mut pose = Pose::new(&scene);
        assert!(arm.apply(&mut pose, scene.skeleton(), 1.6 * Vec3::X).reached(), "{bend}");
    }
}

#[test]
fn a_pole_that_says_nothing_is_no_pole() {
    let (scene, pose, mut arm) = arm();
    let mut kept = pose.clone();
    arm.apply(&mut kept, scene.skeleton(), Vec3::X);
    for pole in [Vec3::ZERO, Vec3::X, Vec3::NAN, Vec3::INFINITY] {
        arm.pole = Pole::Toward(pole);
        let mut found = pose.clone();
        assert!(arm.apply(&mut found, scene.skeleton(), Vec3::X).reached());
        assert!(place(&found, 1).abs_diff_eq(place(&kept, 1), 1e-6), "{pole}");
    }
}

#[test]
fn a_bad_target_or_a_chain_of_no_length_changes_nothing() {
    let (scene, pose, arm) = arm();
    for target in [Vec3::NAN, Vec3::INFINITY, Vec3::MAX] {
        let mut found = pose.clone();
        assert_eq!(arm.apply(&mut found, scene.skeleton(), target), Outcome::Unchanged);
        assert_eq!(found.locals(), pose.locals());
        let mut ccd = Ccd::new(scene.skeleton(), id(0), id(2)).expect("a chain");
        assert_eq!(ccd.apply(&mut found, scene.skeleton(), target), Outcome::Unchanged);
        ccd.joints.clear();
        assert_eq!(ccd.apply(&mut found, scene.skeleton(), Vec3::X), Outcome::Unchanged);
        let mut fabrik = Fabrik::new(scene.skeleton(), id(0), id(2)).expect("a chain");
        assert_eq!(fabrik.apply(&mut found, scene.skeleton(), target), Outcome::Unchanged);
        let aim = Aim::new(id(0), Vec3::X);
        assert_eq!(aim.apply(&mut found, scene.skeleton(), target), Outcome::Unchanged);
        assert_eq!(found.locals(), pose.locals());
    }
    let point = row(&[[0.0; 3], [0.0; 3], [0.0; 3]]);
    let mut pose = Pose::new(&point);
    let skeleton = point.skeleton();
    let arm = TwoBone::new(skeleton, id(2)).expect("three joints");
    assert_eq!(arm.apply(&mut pose, skeleton, Vec3::X), Outcome::Unchanged);
    let ccd = Ccd::new(skeleton, id(0), id(2)).expect("a chain");
    assert_eq!(ccd.apply(&mut pose, skeleton, Vec3::X), Outcome::Unchanged);
    let mut fabrik = Fabrik::new(skeleton, id(0), id(2)).expect("a chain");
    assert_eq!(fabrik.apply(&mut pose, skeleton, Vec3::X), Outcome::Unchanged);
    let name = |joint| &skeleton.node(id(joint)).name;
    let refused = TwoBone::new(skeleton, id(1)).expect_err("one joint above").to_string();
    assert_eq!(refused, format!("expected two joints above {:?}, found 1", name(1)));
    let refused = Ccd::new(skeleton, id(1), id(0)).expect_err("above").to_string();
    assert_eq!(
        refused,
        format!("expected a joint below {:?}, found {:?}, which is not", name(1), name(0))
    );
    let refused = Fabrik::new(skeleton, id(2), id(2)).expect_err("no chain").to_string();
    assert_eq!(
        refused,
        format!("expected a joint below {:?}, found {:?} itself", name(2), name(2))
    );
    assert_eq!(LookAt::new(&[], Vec3::Z, Vec3::Y), Err(IkError::NoJoints));
}

#[test]
fn half_a_weight_is_half_the_turn() {
    let scene = row(&[[0.0; 3], [1.0, 0.0, 0.0]]);
    let mut pose = Pose::new(&scene);
    let aim = Aim { weight: 0.5, ..Aim::new(id(0), Vec3::X) };
    aim.apply(&mut pose, scene.skeleton(), 4.0 * Vec3::Y);
    let half = Vec3::new(0.5_f32.sqrt(), 0.5_f32.sqrt(), 0.0);
    assert!(place(&pose, 1).abs_diff_eq(half, 1e-6), "{}", place(&pose, 1));
}

#[test]
fn eyes_beside_the_joint_see_the_target_too() {
    let scene = row(&[[0.0; 3]]);
    let mut pose = Pose::new(&scene);
    // Looks along Z from 1 m up; the target is level with the joint, 5 m off.
    let aim = Aim { offset: Vec3::Y, ..Aim::new(id(0), Vec3::Z) };
    let target = Vec3::new(3.0, 0.0, 4.0);
    assert!(aim.apply(&mut pose, scene.skeleton(), target).reached());
    let matrix = pose.model_from_joint()[0];
    let (eyes, sight) = (matrix.transform_point3(Vec3::Y), matrix.transform_vector3(Vec3::Z));
    assert!(sight.angle_between(target - eyes) < 1e-3, "{sight} from {eyes}");
    // Nearer than the eyes are: as if seen from the joint, and short.
    let outcome = aim.apply(&mut pose, scene.skeleton(), 0.5 * Vec3::X);
    assert!(matches!(outcome, Outcome::Short(_)), "{outcome:?}");
}

#[test]
fn a_head_is_held_upright_and_twists_on_request() {
    let scene = row(&[[0.0; 3]]);
    let mut pose = Pose::new(&scene);
    pose.set_rotation(id(0), Quat::from_rotation_z(1.0));
    pose.to_model(scene.skeleton());
    let mut aim = Aim { upright: Some((Vec3::Y, Vec3::Y)), ..Aim::new(id(0), Vec3::Z) };
    for far in [0.01, 2.0, 2e6] {
        pose.set_rotation(id(0), Quat::from_rotation_z(1.0));
        pose.to_model(scene.skeleton());
        aim.apply(&mut pose, scene.skeleton(), far * Vec3::X);
        let up = pose.model_from_joint()[0].transform_vector3(Vec3::Y);
        assert!(up.abs_diff_eq(Vec3::Y, 1e-6), "{up} at {far}");
    }
    aim.twist = FRAC_PI_2;
    aim.apply(&mut pose, scene.skeleton(), 2.0 * Vec3::X);
    let up = pose.model_from_joint()[0].transform_vector3(Vec3::Y);
    assert!(up.abs_diff_eq(Vec3::Z, 1e-6), "{up}");
}

#[test]
fn an_aim_turns_no_further_than_it_may() {
    let scene = row(&[[0.0; 3]]);
    let mut pose = Pose::new(&scene);
    let aim = Aim { most: 0.5, ..Aim::new(id(0), Vec3::X) };
    let outcome = aim.apply(&mut pose, scene.skeleton(), Vec3::Y);
    assert!(matches!(outcome, Outcome::Short(by) if (by - (FRAC_PI_2 - 0.5)).abs() < 1e-5));
    assert!(pose.rotation(id(0)).abs_diff_eq(Quat::from_rotation_z(0.5), 1e-6));
}

#[test]
fn a_target_right_behind_is_looked_at_all_the_same() {
    let scene = row(&[[0.0; 3]]);
    let mut pose = Pose::new(&scene);
    assert!(Aim::new(id(0), Vec3::X).apply(&mut pose, scene.skeleton(), -Vec3::X).reached());
    let sight = pose.model_from_joint()[0].transform_vector3(Vec3::X);
    assert!(sight.abs_diff_eq(-Vec3::X, 1e-6), "{sight}");
}

fn neck() -> (Scene, LookAt) {
    let scene = row(&[[0.0, 1.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.2, 0.0]]);
    let look = LookAt::new(&[id(0), id(1), id(2)], Vec3::Z, Vec3::Y).expect("three joints");
    (scene, look)
}

#[test]
fn joints_share_a_look_evenly() {
    let (scene, mut look) = neck();
    look.half_life = 0.0;
    let mut pose = Pose::new(&scene);
    // Far away, so that the eyes' own way does not count: 60° to the side, 20° each.
    let (sin, cos) = 60_f32.to_radians().sin_cos();
    let target = Vec3::new(1e4 * sin, 1.4, 1e4 * cos);
    let outcome =
        look.apply(&mut pose, scene.skeleton(), Some(target), &mut LookAtState::new(), 0.016);
    assert_eq!(outcome, Outcome::Reached);
    for joint in 0..3 {
        let found = pose.rotation(id(joint));
        let expected = Quat::from_rotation_y(20_f32.to_radians());
        assert!(found.abs_diff_eq(expected, 1e-3), "{joint}: {found} is not {expected}");
    }
}

#[test]
fn a_look_stays_in_its_field() {
    let (scene, mut look) = neck();
    (look.half_life, look.yaw) = (0.0, 30_f32.to_radians());
    let mut pose = Pose::new(&scene);
    look.apply(&mut pose, scene.skeleton(), Some(1e4 * Vec3::X), &mut LookAtState::new(), 0.0);
    let sight = pose.model_from_joint()[2].transform_vector3(Vec3::Z);
    assert!((sight.angle_between(Vec3::Z) - look.yaw).abs() < 2e-3, "{sight}");
    (look.yaw, look.pitch) = (PI, 0.2);
    let mut pose = Pose::new(&scene);
    look.apply(&mut pose, scene.skeleton(), Some(1e4 * Vec3::Y), &mut LookAtState::new(), 0.0);
    let sight = pose.model_from_joint()[2].transform_vector3(Vec3::Z);
    assert!((sight.y.asin() - 0.2).abs() < 2e-3, "{sight}");
}

#[test]
fn a_look_follows_alike_at_30_and_240_frames_a_second() {
    let (scene, look) = neck();
    let target = Some(Vec3::new(3.0, 2.0, 3.0));
    let after = |frames: usize| {
        let mut gaze = LookAtState::new();
        let mut pose = Pose::new(&scene);
        for _ in 0..frames {
            pose.to_rest();
            pose.to_model(scene.skeleton());
            look.apply(&mut pose, scene.skeleton(), target, &mut gaze, 0.2 / frames as f32);
            // A snapshot in between changes nothing.
            gaze = LookAtState::load(gaze.save());
        }
        pose.model_from_joint()[2].transform_vector3(Vec3::Z)
    };
    let (slow, fast) = (after(6), after(48));
    assert!(slow.angle_between(fast) < 1e-3, "{slow} is not {fast}");
    // Two half-lives: three quarters of the way.
    let whole = Vec3::Z.angle_between(Vec3::new(3.0, 0.6, 3.0));
    let part = Vec3::Z.angle_between(slow) / whole;
    assert!((part - 0.75).abs() < 0.02, "{part}");
    assert_eq!(LookAtState::load([f32::NAN, 0.0, 0.0, 1.0]), LookAtState::new());
}

#[test]
fn a_straight_chain_in_line_with_its_target_bends_all_the_same() {
    let scene = row(&[[0.0; 3], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
    let (skeleton, mut pose) = (scene.skeleton(), Pose::new(&scene));
    let mut fabrik = Fabrik::new(skeleton, id(0), id(3)).expect("a chain");
    fabrik.rounds = 50;
    assert!(fabrik.apply(&mut pose, skeleton, 1.5 * Vec3::X).reached(), "{}", place(&pose, 3));
    let mut pose = Pose::new(&scene);
    let mut ccd = Ccd::new(skeleton, id(0), id(3)).expect("a chain");
    ccd.rounds = 50;
    assert!(ccd.apply(&mut pose, skeleton, 1.5 * Vec3::X).reached(), "{}", place(&pose, 3));
}

#[test]
fn a_chain_of_hinges_stays_in_its_plane_and_its_range() {
    let scene = row(&[[0.0; 3], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
    let (skeleton, mut pose) = (scene.skeleton(), Pose::new(&scene));
    let mut ccd = Ccd::new(skeleton, id(0), id(3)).expect("a chain");
    ccd.rounds = 100;
    for (_, limit) in &mut ccd.joints {
        *limit = Limit::Hinge { axis: Vec3::Z, from: 0.0, to: 1.5 };
    }
    assert!(
        ccd.apply(&mut pose, skeleton, Vec3::new(0.8, 1.9, 0.0)).reached(),
        "{}",
        place(&pose, 3)
    );
    // Below the ground no joint may go, and none turns out of the plane.
    let outcome = ccd.apply(&mut pose, skeleton, Vec3::new(2.0, -1.0, 1.0));
    assert!(matches!(outcome, Outcome::Short(_)));
    for joint in 1..4 {
        assert!(place(&pose, joint).z.abs() < 1e-5 && place(&pose, joint).y > -1e-4);
    }
}

#[test]
fn a_joint_takes_a_rotation_of_the_model() {
    let scene = row(&[[0.0; 3], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
    let mut pose = Pose::new(&scene);
    pose.set_rotation(id(0), Quat::from_rotation_z(0.7));
    pose.to_model(scene.skeleton());
    orient(&mut pose, scene.skeleton(), id(1), Quat::from_rotation_x(0.3), 1.0);
    let found = Quat::from_mat3a(&pose.model_from_joint()[1].matrix3);
    assert!(found.abs_diff_eq(Quat::from_rotation_x(0.3), 1e-6), "{found}");
    let before = pose.clone();
    orient(&mut pose, scene.skeleton(), id(1), Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0), 1.0);
    orient(&mut pose, scene.skeleton(), id(1), Quat::IDENTITY, f32::NAN);
    assert_eq!(pose.locals(), before.locals());
}

proptest! {
    #[test]
    fn a_limb_reaches_whatever_is_in_reach(
        scene in even_row(4),
        rotations in prop::array::uniform3(rotations()),
        target in near_place(),
        pole in any_place(),
    ) {
        let mut pose = Pose::new(&scene);
        for (joint, rotation) in rotations.into_iter().enumerate() {
            pose.set_rotation(id(joint), rotation);
        }
        pose.to_model(scene.skeleton());
        let lengths = [1, 2].map(|joint| place(&pose, joint).distance(place(&pose, joint + 1)));
        prop_assume!(lengths[0] > 0.05 && lengths[1] > 0.05);
        let arm = TwoBone { pole: Pole::At(pole), ..TwoBone::new(scene.skeleton(), id(3)).unwrap() };
        let root = place(&pose, 1);
        let outcome = arm.apply(&mut pose, scene.skeleton(), target);
        let (far, whole) = (root.distance(target), lengths[0] + lengths[1]);
        let off = place(&pose, 3).distance(target);
        let expected = (far - whole).max((lengths[0] - lengths[1]).abs() - far).max(0.0);
        prop_assert!((off - expected).abs() < 2e-4 * whole, "off by {off}, expected {expected}");
        prop_assert_eq!(outcome.reached(), expected <= 1e-5 * whole);
        check_sound(&scene, &pose)?;
    }

    #[test]
    fn an_aim_looks_at_whatever_it_should(
        scene in even_row(3),
        forward in near_place(),
        offset in prop::array::uniform3(-0.1_f32..0.1),
        target in near_place(),
    ) {
        let mut pose = Pose::new(&scene);
        prop_assume!(forward.length() > 0.05 && place(&pose, 2).distance(target) > 0.5);
        let aim = Aim { offset: Vec3::from(offset) / 8.0, ..Aim::new(id(2), forward) };
        prop_assert!(aim.apply(&mut pose, scene.skeleton(), target).reached());
        let matrix = pose.model_from_joint()[2];
        let sight = matrix.transform_vector3(forward);
        let missing = sight.angle_between(target - matrix.transform_point3(aim.offset));
        prop_assert!(missing < 2e-3, "off by {missing}");
    }

    #[test]
    fn limits_hold_whatever_the_target(
        scene in even_row(5),
        target in any_place(),
        rotations in prop::array::uniform4(rotations()),
        axes in prop::array::uniform4(near_place()),
        swing in 0.0_f32..2.0,
        twist in prop::array::uniform2(-2.0_f32..2.0),
    ) {
        let skeleton = scene.skeleton();
        let mut pose = Pose::new(&scene);
        for (joint, rotation) in rotations.into_iter().enumerate() {
            pose.set_rotation(id(joint), rotation);
        }
        pose.to_model(skeleton);
        let mut ccd = Ccd::new(skeleton, id(0), id(4)).unwrap();
        for ((joint, limit), axis) in ccd.joints.iter_mut().zip(axes) {
            *limit = match joint.index() % 2 {
                0 => Limit::Cone { axis, swing, twist },
                _ => Limit::Hinge { axis, from: twist[0], to: twist[1] },
            };
        }
        if ccd.apply(&mut pose, skeleton, target) != Outcome::Unchanged {
            for &(joint, limit) in &ccd.joints {
                let over = limit.broken_by(skeleton.node(joint).rest.rotation, pose.rotation(joint));
                prop_assert!(over < 2e-3, "{joint:?} is over by {over}");
            }
        }
        check_sound(&scene, &pose)?;
    }

    #[test]
    fn chains_come_near_what_is_in_reach(scene in even_row(6), share in 0.3_f32..0.9, way in near_place()) {
        let skeleton = scene.skeleton();
        let pose = Pose::new(&scene);
        let lengths: Vec<f32> =
            (1..5).map(|joint| place(&pose, joint).distance(place(&pose, joint + 1))).collect();
        let whole: f32 = lengths.iter().sum();
        let longest = lengths.iter().copied().fold(0.0, f32::max);
        prop_assume!(way.length() > 0.1 && longest < 0.5 * whole);
        let target = place(&pose, 1) + way.normalize() * share * whole;
        let mut ccd = Ccd::new(skeleton, id(1), id(5)).unwrap();
        let mut fabrik = Fabrik::new(skeleton, id(1), id(5)).unwrap();
        (ccd.rounds, fabrik.rounds) = (200, 200);
        let mut found = pose.clone();
        prop_assert!(fabrik.apply(&mut found, skeleton, target).reached(), "{} of {whole}", place(&found, 5).distance(target));
        prop_assert!(place(&found, 5).distance(target) < 2e-3 * whole);
        check_sound(&scene, &found)?;
        let mut found = pose.clone();
        let outcome = ccd.apply(&mut found, skeleton, target);
        prop_assert!(place(&found, 5).distance(target) < 5e-2 * whole, "{outcome:?}");
    }

    #[test]
    fn any_skeleton_and_any_target_leave_a_sound_pose(
        scene in any_scene(),
        target in any_place(),
        other in any_place(),
        numbers in prop::array::uniform6(any_number()),
    ) {
        let skeleton = scene.skeleton();
        let last = skeleton.len() - 1;
        let mut pose = Pose::new(&scene);
        let [weight, softness, twist, most, seconds, half_life] = numbers;
        let arm = TwoBone { bend: other, softness, twist, weight, ..TwoBone::new(skeleton, id(last)).unwrap() };
        for pole in [Pole::Keep, Pole::At(other), Pole::Toward(other)] {
            TwoBone { pole, ..arm }.apply(&mut pose, skeleton, target);
            check_sound(&scene, &pose)?;
        }
        let upright = Some((other, target));
        Aim { offset: other, upright, twist, most, weight, ..Aim::new(id(last - 1), Vec3::X) }
            .apply(&mut pose, skeleton, target);
        check_sound(&scene, &pose)?;
        let mut look = LookAt::new(&[id(last - 2), id(last - 1), id(last)], Vec3::Z, other).unwrap();
        (look.half_life, look.weight, look.yaw, look.pitch) = (half_life, weight, twist, most);
        let mut gaze = LookAtState::new();
        look.apply(&mut pose, skeleton, Some(target), &mut gaze, seconds);
        look.apply(&mut pose, skeleton, None, &mut gaze, seconds);
        check_sound(&scene, &pose)?;
        let mut fabrik = Fabrik::new(skeleton, id(last - 2), id(last)).unwrap();
        (fabrik.weight, fabrik.tolerance) = (weight, softness);
        fabrik.apply(&mut pose, skeleton, target);
        check_sound(&scene, &pose)?;
        let mut ccd = Ccd::new(skeleton, id(last - 2), id(last)).unwrap();
        ccd.joints[0].1 = Limit::Cone { axis: other, swing: most, twist: [twist, softness] };
        ccd.joints[1].1 = Limit::Hinge { axis: target, from: most, to: weight };
        ccd.apply(&mut pose, skeleton, target);
        check_sound(&scene, &pose)?;
        orient(&mut pose, skeleton, id(last), Quat::from_xyzw(twist, most, weight, 1.0), seconds);
        check_sound(&scene, &pose)?;
    }

    #[test]
    fn under_uneven_scale_a_limb_still_comes_close(
        scale in prop::array::uniform3(0.5_f32..2.0),
        rotation in rotations(),
        way in near_place(),
        far in 0.3_f32..0.6,
    ) {
        let mut parts = row(&[[0.0; 3], [0.0; 3], [0.6, 0.8, 0.0], [0.6, -0.8, 0.0]]).into_parts();
        parts.nodes[0].rest.scale = Vec3::from(scale);
        parts.nodes[0].rest.rotation = rotation;
        let scene = Scene::new(parts).unwrap();
        let mut pose = Pose::new(&scene);
        let arm = TwoBone::new(scene.skeleton(), id(3)).unwrap();
        let target = way.normalize_or(Vec3::X) * far;
        arm.apply(&mut pose, scene.skeleton(), target);
        let off = place(&pose, 3).distance(target);
        prop_assert!(off < 0.02, "off by {off}");
        check_sound(&scene, &pose)?;
    }
}
