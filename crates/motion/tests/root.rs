//! Root motion: hand-worked ways, and sums that do not depend on the step.

mod common;

use common::*;
use proptest::prelude::*;
use sinew_motion::{
    Cursor, LoopMode, Player, Pose, Root, RootMode, mean_root_motion, sample, then,
};
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{Clip, Node, Scene, SceneParts, Transform};

fn walked(scene: &Scene, name: &str, root: &Root, player: &mut Player, steps: &[f32]) -> Transform {
    let clip = scene.clip(name).expect("a clip");
    let tracks = root.tracks(clip);
    steps.iter().fold(Transform::IDENTITY, |at, step| {
        let way = player.step(*step);
        then(at, root.delta(clip, &tracks, &way))
    })
}

#[test]
fn a_loop_carries_on_where_it_starts_over() {
    let scene = scene();
    let root = Root::new(&scene, ROOT, RootMode::Floor);
    let mut player = Player::new(1.0, LoopMode::Loop);
    let at = walked(&scene, "walk", &root, &mut player, &[0.75, 0.75, 3.0]);
    assert!(at.translation.abs_diff_eq(Vec3::Z * 4.5, 1e-5), "{at:?}");
    player.set_speed(-1.0);
    let at = walked(&scene, "walk", &root, &mut player, &[4.5]);
    assert!(at.translation.abs_diff_eq(Vec3::Z * -4.5, 1e-5), "{at:?}");
}

#[test]
fn four_quarter_turns_lead_back() {
    let scene = scene();
    let root = Root::new(&scene, ROOT, RootMode::Floor);
    let mut player = Player::new(2.0, LoopMode::Loop);
    let at = walked(&scene, "turn", &root, &mut player, &[2.0]);
    assert!(at.translation.abs_diff_eq(Vec3::new(1.0, 0.0, 1.0), 1e-5), "{at:?}");
    assert!(same_rotation(at.rotation, yaw(90.0), 0.01), "{at:?}");
    let at = walked(&scene, "turn", &root, &mut player, &[2.0, 2.0, 2.0, 2.0]);
    assert!(at.translation.abs_diff_eq(Vec3::ZERO, 1e-4), "{at:?}");
}

#[test]
fn there_and_back_is_nowhere() {
    let scene = scene();
    let root = Root::new(&scene, ROOT, RootMode::Floor);
    let mut player = Player::new(2.0, LoopMode::PingPong);
    let at = walked(&scene, "turn", &root, &mut player, &[0.5, 1.5 + 6.0, 4.0, 2.0]);
    assert!(at.translation.abs_diff_eq(Vec3::new(1.0, 0.0, 1.0), 1e-4), "{at:?}");
    let at = walked(&scene, "turn", &root, &mut player, &[2.0 + 8.0]);
    let back = Quat::from_rotation_y(-90_f32.to_radians()) * -Vec3::new(1.0, 0.0, 1.0);
    assert!(at.translation.abs_diff_eq(back, 1e-4), "{at:?}");
}

#[test]
fn a_pose_held_in_place_is_that_of_rest_where_only_the_root_moved() {
    let scene = scene();
    for mode in [RootMode::Floor, RootMode::All] {
        let root = Root::new(&scene, ROOT, mode);
        let mut pose = Pose::new(&scene);
        sample(scene.clip("turn").expect("a clip"), 1.3, &mut Cursor::new(), &mut pose);
        root.hold(&mut pose);
        let local = pose.local(ROOT);
        assert!(local.translation.length() < 1e-6, "{local:?}");
        assert!(same_rotation(local.rotation, Quat::IDENTITY, 0.01), "{local:?}");
    }
}

/// The hips carry, under a root that is turned and moves too; they bob and lean.
fn hips() -> Scene {
    let clip = Clip {
        name: "hips".into(),
        duration: 1.0,
        translations: vec![
            moves(ROOT, &[(0.0, Vec3::ZERO), (1.0, Vec3::X)]),
            moves(
                HIPS,
                &[(0.0, Vec3::Y), (0.5, Vec3::new(0.0, 0.8, 1.0)), (1.0, Vec3::new(0.0, 1.0, 2.0))],
            ),
        ],
        rotations: vec![
            rotations(ROOT, &[(0.0, yaw(0.0)), (1.0, yaw(30.0))]),
            rotations(HIPS, &[(0.0, pitch(0.0)), (1.0, yaw(20.0) * pitch(10.0))]),
        ],
        ..Clip::default()
    };
    scene_with(vec![clip])
}

#[test]
fn any_joint_may_carry_and_what_is_carried_and_held_make_the_whole() {
    let scene = hips();
    for mode in [RootMode::Floor, RootMode::All] {
        let root = Root::new(&scene, HIPS, mode);
        let at = walked(&scene, "hips", &root, &mut Player::new(1.0, LoopMode::Once), &[0.7]);
        let mut whole = Pose::new(&scene);
        sample(&scene.clips[0], 0.7, &mut Cursor::new(), &mut whole);
        let mut held = whole.clone();
        root.hold(&mut held);
        whole.to_model(scene.skeleton());
        held.to_model(scene.skeleton());
        let made = at.to_affine() * held.model_from_joint()[HEAD.index()];
        let expected = whole.model_from_joint()[HEAD.index()];
        assert!(made.abs_diff_eq(expected, 1e-5), "{mode:?}: {made:?} is not {expected:?}");
        let hips = held.model_from_joint()[HIPS.index()].translation;
        if mode == RootMode::Floor {
            assert!(at.translation.y == 0.0 && hips.y < 0.95 && hips.y > 0.8, "{hips}");
        }
    }
}

/// One joint a metre aside, lying down at rest, that turns on the spot by 90°.
fn aside() -> Scene {
    let rest = Transform { rotation: pitch(90.0), ..moved(1.0, 0.0, 0.0) };
    let rotation = rotations(ROOT, &[(0.0, pitch(90.0)), (1.0, yaw(90.0) * pitch(90.0))]);
    let clip = Clip { duration: 1.0, rotations: vec![rotation], ..Clip::default() };
    let nodes = vec![Node::new("root", None, rest)];
    Scene::new(SceneParts { nodes, clips: vec![clip], ..SceneParts::default() }).expect("a joint")
}

#[test]
fn a_joint_that_turns_on_the_spot_carries_the_character_around_it() {
    let scene = aside();
    for mode in [RootMode::Floor, RootMode::All] {
        let root = Root::new(&scene, ROOT, mode);
        let at = walked(&scene, "", &root, &mut Player::new(1.0, LoopMode::Once), &[1.0]);
        // The character's own place is a metre to the left of the joint: a quarter circle about (1, 0, 0).
        assert!(at.translation.abs_diff_eq(Vec3::new(1.0, 0.0, 1.0), 1e-5), "{mode:?}: {at:?}");
        assert!(same_rotation(at.rotation, yaw(90.0), 0.01), "{mode:?}: {at:?}");
    }
}

#[test]
fn the_mean_of_ways_is_the_way_at_the_mean_of_speeds() {
    let ahead = |metres: f32| Transform::from_translation(Vec3::Z * metres);
    let found = mean_root_motion([(ahead(1.0), 2.0), (ahead(4.0), 1.0), (ahead(99.0), f32::NAN)]);
    assert!(found.translation.abs_diff_eq(Vec3::Z * 2.0, 1e-6), "{found:?}");
    // Half of a quarter circle of radius 1 is an eighth of it.
    let arc =
        Transform { translation: Vec3::new(1.0, 0.0, 1.0), rotation: yaw(90.0), ..ahead(0.0) };
    let found = mean_root_motion([(arc, 3.0), (Transform::IDENTITY, 3.0)]);
    let half = 0.5_f32.sqrt();
    assert!(found.translation.abs_diff_eq(Vec3::new(1.0 - half, 0.0, half), 1e-5), "{found:?}");
    assert!(same_rotation(found.rotation, yaw(45.0), 0.01), "{found:?}");
    assert_eq!(mean_root_motion([(arc, 0.0)]), Transform::IDENTITY);
}

proptest! {
    #[test]
    fn the_sum_does_not_depend_on_the_step(
        cuts in prop::collection::vec(0.001_f32..3.0, 1..60),
        start in 0.0_f32..2.0,
        back in any::<bool>(),
        mode in prop_oneof![Just(LoopMode::Once), Just(LoopMode::Loop), Just(LoopMode::PingPong)],
        all in any::<bool>(),
    ) {
        let scene = scene();
        let root = Root::new(&scene, ROOT, if all { RootMode::All } else { RootMode::Floor });
        let mut player = Player::new(2.0, mode);
        player.seek(start);
        player.set_speed(if back { -1.0 } else { 1.0 });
        let mut whole = player;
        let in_steps = walked(&scene, "turn", &root, &mut player, &cuts);
        let at_once = walked(&scene, "turn", &root, &mut whole, &[cuts.iter().sum()]);
        prop_assert!(in_steps.translation.abs_diff_eq(at_once.translation, 2e-3), "{in_steps:?} {at_once:?}");
        prop_assert!(same_rotation(in_steps.rotation, at_once.rotation, 0.1), "{in_steps:?} {at_once:?}");
    }

    #[test]
    fn any_step_gives_a_finite_way(step in prop::num::f32::ANY, speed in prop::num::f32::ANY) {
        let scene = scene();
        let root = Root::new(&scene, ROOT, RootMode::Floor);
        let mut player = Player::new(2.0, LoopMode::Loop);
        player.set_speed(speed);
        let at = walked(&scene, "turn", &root, &mut player, &[step]);
        prop_assert!(at.is_finite() && at.rotation.is_normalized(), "{at:?}");
    }
}
