//! Limbs and chains at their edges, by hand: folded flat, turned right round, in a scaled or moved parent, half meant.

mod rigs;

use proptest::prelude::*;
use rigs::*;
use sinew_motion::Pose;
use sinew_motion::ik::{Aim, Ccd, Fabrik, Limit, LookAt, LookAtState, Outcome, Pole, TwoBone};
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{Node, Scene, SceneParts, Transform};

fn posed(scene: &Scene, end: usize) -> (Pose, TwoBone) {
    let limb = TwoBone::new(scene.skeleton(), id(end)).expect("two joints above");
    (Pose::new(scene), limb)
}

fn short_by(outcome: Outcome, metres: f32) -> bool {
    matches!(outcome, Outcome::Short(by) if (by - metres).abs() < 1e-3)
}

#[test]
fn a_pole_is_a_place_of_the_model_wherever_the_limb_hangs() {
    let scene = row(&[[0.0, 10.0, 0.0], [0.6, 0.8, 0.0], [0.6, -0.8, 0.0]]);
    let (mut pose, mut arm) = posed(&scene, 2);
    // Below the shoulder, though far above the ground: the elbow goes down.
    arm.pole = Pole::At(Vec3::new(0.6, 9.0, 0.0));
    assert!(arm.apply(&mut pose, scene.skeleton(), Vec3::new(1.2, 10.0, 0.0)).reached());
    assert!(place(&pose, 1).abs_diff_eq(Vec3::new(0.6, 9.2, 0.0), 1e-5), "{}", place(&pose, 1));
}

#[test]
fn a_straight_limb_folds_flat_to_bring_its_end_to_its_root() {
    let scene = row(&[[0.0; 3], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
    let (mut pose, arm) = posed(&scene, 2);
    assert_eq!(arm.apply(&mut pose, scene.skeleton(), Vec3::ZERO), Outcome::Reached);
    assert!(place(&pose, 2).length() < 1e-3, "{}", place(&pose, 2));
    assert!((place(&pose, 1).length() - 1.0).abs() < 1e-5, "{}", place(&pose, 1));
}

#[test]
fn to_a_target_right_behind_a_limb_turns_in_its_own_plane() {
    let scene = row(&[[0.0; 3], [0.6, 0.8, 0.0], [0.6, -0.8, 0.0]]);
    let (mut pose, arm) = posed(&scene, 2);
    let upper = arm.solve(&pose, scene.skeleton(), Vec3::new(-1.2, 0.0, 0.0)).upper;
    assert!(upper.w.abs() < 1e-6 && (upper.z.abs() - 1.0).abs() < 1e-6, "{upper}");
    assert!(arm.apply(&mut pose, scene.skeleton(), Vec3::new(-1.2, 0.0, 0.0)).reached());
    assert!(place(&pose, 2).abs_diff_eq(Vec3::new(-1.2, 0.0, 0.0), 1e-5), "{}", place(&pose, 2));
    assert!(place(&pose, 1).abs_diff_eq(Vec3::new(-0.6, -0.8, 0.0), 1e-5), "{}", place(&pose, 1));
}

#[test]
fn half_a_weight_is_half_the_turn_of_both_bones() {
    let scene = row(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let (mut pose, mut arm) = posed(&scene, 2);
    arm.weight = 0.5;
    // The elbow would open from 90° to straight, and the shoulder raise the arm by 45°.
    arm.apply(&mut pose, scene.skeleton(), Vec3::new(5.0, 5.0, 0.0));
    for (joint, degrees) in [(0, 22.5_f32), (1, -45.0)] {
        let (found, expected) =
            (pose.rotation(id(joint)), Quat::from_rotation_z(degrees.to_radians()));
        assert!(found.abs_diff_eq(expected, 1e-4), "{joint}: {found} is not {expected}");
    }
}

#[test]
fn what_is_missing_is_told_in_metres_of_the_model_though_the_parent_is_stretched() {
    let node = |parent: Option<usize>, rest| Node::new("", parent.map(id), rest);
    let wide = Transform { scale: Vec3::new(2.0, 1.0, 1.0), ..Transform::IDENTITY };
    let bone = |y: f32| Transform::from_translation(Vec3::new(1.0, y, 0.0));
    let parts = [(None, wide), (Some(0), bone(0.0)), (Some(1), bone(0.1)), (Some(2), bone(-0.1))];
    let nodes = parts.map(|(parent, rest)| node(parent, rest)).to_vec();
    let scene = Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("an arm");
    let (mut pose, arm) = posed(&scene, 3);
    // Stretched to twice its length, the arm ends 4 m from the shoulder, which is at 2 m.
    let outcome = arm.apply(&mut pose, scene.skeleton(), Vec3::new(12.0, 0.0, 0.0));
    let whole = 2.0 * 2.0 * 1.01_f32.sqrt();
    assert!(short_by(outcome, 10.0 - whole), "{outcome:?}");
    assert!((place(&pose, 3).x - 2.0 - whole).abs() < 1e-3, "{}", place(&pose, 3));
}

#[test]
fn eyes_before_and_beside_the_joint_see_the_target() {
    let scene = row(&[[0.0; 3]]);
    let offset = Vec3::new(0.3, 0.1, 0.8);
    let aim = Aim { offset, ..Aim::new(id(0), Vec3::Z) };
    for target in [Vec3::new(2.0, 0.0, 0.0), Vec3::new(0.5, 1.0, -0.3), Vec3::new(0.0, -3.0, 4.0)] {
        let mut pose = Pose::new(&scene);
        assert!(aim.apply(&mut pose, scene.skeleton(), target).reached());
        let matrix = pose.model_from_joint()[0];
        let (eyes, sight) = (matrix.transform_point3(offset), matrix.transform_vector3(Vec3::Z));
        assert!(sight.angle_between(target - eyes) < 2e-3, "{sight} from {eyes} to {target}");
    }
}

#[test]
fn half_meant_a_chain_goes_half_the_way_and_says_what_is_missing() {
    let scene = row(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]);
    let (skeleton, target) = (scene.skeleton(), Vec3::new(0.0, 2.0, 0.0));
    // From (2, 1, 0): half way is (1, 1.5, 0), and as much again is missing.
    let half = target.distance(Vec3::new(2.0, 1.0, 0.0)) / 2.0;
    let mut pose = Pose::new(&scene);
    let mut fabrik = Fabrik::new(skeleton, id(0), id(3)).expect("a chain");
    (fabrik.weight, fabrik.rounds) = (0.5, 60);
    let outcome = fabrik.apply(&mut pose, skeleton, target);
    assert!(matches!(outcome, Outcome::Short(by) if (by - half).abs() < 0.01), "{outcome:?}");
    assert!(place(&pose, 3).abs_diff_eq(Vec3::new(1.0, 1.5, 0.0), 0.01), "{}", place(&pose, 3));
    let mut pose = Pose::new(&scene);
    let mut ccd = Ccd::new(skeleton, id(0), id(3)).expect("a chain");
    (ccd.weight, ccd.rounds) = (0.5, 60);
    let outcome = ccd.apply(&mut pose, skeleton, target);
    assert!(matches!(outcome, Outcome::Short(by) if (by - half).abs() < 0.01), "{outcome:?}");
    assert!(place(&pose, 3).abs_diff_eq(Vec3::new(1.0, 1.5, 0.0), 0.01), "{}", place(&pose, 3));
}

#[test]
fn a_straight_chain_of_hinges_bends_the_way_its_hinges_do() {
    let scene = row(&[[0.0; 3], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
    let skeleton = scene.skeleton();
    for (from, to, side) in [(0.0, 2.5, -1.0), (-2.5, 0.0, 1.0)] {
        let mut pose = Pose::new(&scene);
        let mut ccd = Ccd::new(skeleton, id(0), id(2)).expect("a chain");
        ccd.rounds = 100;
        // The second joint only; the first is free.
        ccd.joints[1].1 = Limit::Hinge { axis: Vec3::Z, from, to };
        let outcome = ccd.apply(&mut pose, skeleton, Vec3::new(1.2, 0.0, 0.0));
        assert!(outcome.reached(), "{outcome:?} {}", place(&pose, 2));
        assert!(place(&pose, 1).y * side > 0.7, "{}", place(&pose, 1));
    }
}

#[test]
fn a_helper_turns_no_further_than_it_may_and_the_eyes_do_the_rest() {
    let scene = row(&[[0.0, 1.0, 0.0], [0.0, 0.2, 0.0]]);
    let mut look = LookAt::new(&[id(0), id(1)], Vec3::Z, Vec3::Y).expect("two joints");
    look.half_life = 0.0;
    look.helpers[0].2 = 5_f32.to_radians();
    let mut pose = Pose::new(&scene);
    let (sin, cos) = 60_f32.to_radians().sin_cos();
    let target = Vec3::new(1e4 * sin, 1.2, 1e4 * cos);
    let outcome =
        look.apply(&mut pose, scene.skeleton(), Some(target), &mut LookAtState::new(), 0.0);
    assert_eq!(outcome, Outcome::Reached);
    for (joint, degrees) in [(0, 5.0_f32), (1, 55.0)] {
        let (found, expected) =
            (pose.rotation(id(joint)), Quat::from_rotation_y(degrees.to_radians()));
        assert!(found.abs_diff_eq(expected, 1e-3), "{joint}: {found} is not {expected}");
    }
}

proptest! {
    /// One round more never ends further away, however tight the limits.
    #[test]
    fn no_round_takes_the_end_further_away(
        rotations in prop::array::uniform3(rotations()),
        swings in prop::array::uniform3(0.0_f32..1.0),
        twists in prop::array::uniform3(0.0_f32..0.3),
        target in near_place(),
        rounds in 0_usize..6,
    ) {
        let scene = row(&[[0.0; 3], [0.8, 0.3, 0.0], [0.5, 0.5, 0.4], [0.2, 0.7, -0.5]]);
        let skeleton = scene.skeleton();
        let mut ccd = Ccd::new(skeleton, id(0), id(3)).expect("a chain");
        for (at, (_, limit)) in ccd.joints.iter_mut().enumerate() {
            *limit = Limit::Cone { axis: Vec3::X, swing: swings[at], twist: [-twists[at], twists[at]] };
        }
        let missing = |rounds: usize| {
            let mut pose = Pose::new(&scene);
            for (joint, rotation) in rotations.iter().enumerate() {
                pose.set_rotation(id(joint), *rotation);
            }
            pose.to_model(skeleton);
            Ccd { rounds, ..ccd.clone() }.apply(&mut pose, skeleton, target);
            place(&pose, 3).distance(target)
        };
        let (before, after) = (missing(rounds), missing(rounds + 1));
        prop_assert!(after <= before + 1e-4, "{before} became {after}");
    }
}
