//! Springs: worked out by hand, alike at any frame rate, and sound whatever happens.

mod rigs;

use proptest::prelude::*;
use rigs::*;
use sinew_motion::{Collider, Pose, SpringChain};
use sinew_scene::Scene;
use sinew_scene::glam::{Affine3A, Quat, Vec3};

/// Three bones of 20 cm that hang down from a root.
fn tail() -> (Scene, SpringChain) {
    let down = [0.0, -0.2, 0.0];
    let scene = row(&[[0.0; 3], down, down, down]);
    let chain = SpringChain::new(scene.skeleton(), id(0), id(3)).expect("a tail");
    (scene, chain)
}

/// Plays `seconds` at `rate` frames a second; where the last tip is in the world then.
fn play(
    scene: &Scene,
    chain: &mut SpringChain,
    rate: f32,
    seconds: f32,
    root: impl Fn(f32) -> Affine3A,
) -> Vec3 {
    let mut pose = Pose::new(scene);
    let frames = (seconds * rate).round() as usize;
    for frame in 0..=frames {
        pose.to_rest();
        pose.to_model(scene.skeleton());
        let world = root(frame as f32 / rate);
        let step = if frame == 0 { 0.0 } else { 1.0 / rate };
        chain.apply(&mut pose, scene.skeleton(), &world, &[], step);
    }
    root(seconds).transform_point3(place(&pose, scene.skeleton().len() - 1))
}

#[test]
fn what_nothing_moves_does_not_move() {
    let (scene, mut chain) = tail();
    let turned = Affine3A::from_rotation_translation(Quat::from_rotation_y(1.0), Vec3::ONE);
    let tip = play(&scene, &mut chain, 60.0, 2.0, |_| turned);
    let expected = turned.transform_point3(Vec3::new(0.0, -0.6, 0.0));
    assert!(tip.abs_diff_eq(expected, 1e-5), "{tip} is not {expected}");
}

#[test]
fn gravity_bends_a_twig_by_its_stiffness() {
    let scene = row(&[[0.0; 3], [0.5, 0.0, 0.0]]);
    let mut chain = SpringChain::new(scene.skeleton(), id(0), id(1)).expect("a twig");
    (chain.frequency, chain.damping, chain.gravity) = (1.0, 0.5, Vec3::Y * -9.81);
    let tip = play(&scene, &mut chain, 60.0, 10.0, |_| Affine3A::IDENTITY);
    // Along its circle the spring pulls with ω² l sin θ, gravity with g cos θ.
    let omega = std::f32::consts::TAU;
    let angle = (9.81 / (omega * omega * 0.5)).atan();
    let expected = 0.5 * Vec3::new(angle.cos(), -angle.sin(), 0.0);
    assert!(tip.abs_diff_eq(expected, 1e-3), "{tip} is not {expected}");
}

#[test]
fn a_tail_lags_behind_and_comes_back() {
    let (scene, mut chain) = tail();
    let dash = |time: f32| Affine3A::from_translation(Vec3::X * (4.0 * time).min(1.0));
    let tip = play(&scene, &mut chain, 60.0, 0.2, dash);
    assert!(tip.x < 0.8 - 0.1, "the tip did not lag: {tip}");
    let (scene, mut chain) = tail();
    let tip = play(&scene, &mut chain, 60.0, 8.0, dash);
    assert!(tip.abs_diff_eq(Vec3::new(1.0, -0.6, 0.0), 2e-3), "{tip}");
}

#[test]
fn a_tail_swings_alike_at_30_and_240_frames_a_second() {
    let shake = |time: f32| {
        let rotation = Quat::from_rotation_y((3.0 * time).sin());
        Affine3A::from_rotation_translation(rotation, Vec3::X * 0.3 * (5.0 * time).sin())
    };
    for (frequency, damping) in [(1.0, 0.05), (2.0, 0.3), (6.0, 1.0), (30.0, 0.2), (3.0, 4.0)] {
        for seconds in [0.5, 1.0, 2.0] {
            let at = |rate: f32| {
                let (scene, mut chain) = tail();
                (chain.frequency, chain.damping, chain.gravity) =
                    (frequency, damping, Vec3::Y * -9.81);
                play(&scene, &mut chain, rate, seconds, shake)
            };
            let (slow, fast) = (at(30.0), at(240.0));
            let off = slow.distance(fast);
            assert!(off < 0.012, "{frequency} Hz, {damping}, {seconds} s: {off} m of 0.6");
        }
    }
}

#[test]
fn a_jump_carries_the_tail_along_as_it_is() {
    let (scene, mut chain) = tail();
    let swung = |time: f32| {
        let far = if time > 0.305 { 100.0 } else { 0.0 };
        Affine3A::from_translation(Vec3::X * (time.min(0.3) + far))
    };
    let before = play(&scene, &mut chain.clone(), 60.0, 0.3, swung) - Vec3::X * 0.3;
    let after = play(&scene, &mut chain, 60.0, 19.0 / 60.0, swung) - Vec3::X * 100.3;
    assert!(before.distance(after) < 0.05, "{before} became {after}");
}

#[test]
fn a_long_frame_settles_and_does_not_explode() {
    let (scene, mut chain) = tail();
    let mut pose = Pose::new(&scene);
    let skeleton = scene.skeleton();
    for seconds in [0.0, 0.016, 5.0, 1e9, f32::INFINITY, f32::NAN, -1.0, f32::MAX] {
        pose.to_rest();
        pose.to_model(skeleton);
        let world = Affine3A::from_translation(Vec3::X * 1.9 * (seconds % 2.0).max(0.0));
        chain.apply(&mut pose, skeleton, &world, &[], seconds);
        check_sound(&scene, &pose).expect("sound");
    }
    for frames in 0..20 {
        pose.to_rest();
        pose.to_model(skeleton);
        chain.apply(&mut pose, skeleton, &Affine3A::IDENTITY, &[], 1.0);
        assert!(frames < 10 || place(&pose, 3).abs_diff_eq(Vec3::Y * -0.6, 1e-3));
    }
}

#[test]
fn a_tail_stays_out_of_a_ball() {
    let (scene, mut chain) = tail();
    (chain.gravity, chain.most, chain.radius) = (Vec3::X * 30.0, 3.0, 0.01);
    let ball = Collider::sphere(id(0), Vec3::new(0.25, -0.45, 0.0), 0.2);
    let mut pose = Pose::new(&scene);
    let skeleton = scene.skeleton();
    let mut touched = false;
    for _ in 0..240 {
        pose.to_rest();
        pose.to_model(skeleton);
        // The root turns with nothing, so the ball stays where it is.
        let ball = [Collider { joint: id(0), ..ball }];
        chain.apply(&mut pose, skeleton, &Affine3A::IDENTITY, &ball, 1.0 / 60.0);
        for joint in 1..4 {
            let away = place(&pose, joint).distance(ball[0].from);
            assert!(away > 0.2, "joint {joint} is {away} m from the middle of the ball");
            touched |= away < 0.215;
        }
    }
    assert!(touched, "nothing ever came near");
}

#[test]
fn a_ball_that_moves_along_pushes_alike_at_any_frame_rate() {
    let at = |rate: usize| {
        let (scene, mut chain) = tail();
        let skeleton = scene.skeleton();
        let balls = [Collider::sphere(id(0), Vec3::new(-0.2, -0.5, 0.0), 0.15)];
        let mut pose = Pose::new(&scene);
        for frame in 0..=rate / 2 {
            pose.to_rest();
            pose.to_model(skeleton);
            let world = Affine3A::from_translation(Vec3::X * 4.0 * frame as f32 / rate as f32);
            let seconds = if frame == 0 { 0.0 } else { 1.0 / rate as f32 };
            chain.apply(&mut pose, skeleton, &world, &balls, seconds);
        }
        place(&pose, 3)
    };
    let (slow, fast) = (at(30), at(240));
    assert!(slow.distance(fast) < 0.01, "{slow} is not {fast}");
    assert!(slow.distance(Vec3::Y * -0.6) > 0.01, "nothing swung: {slow}");
}

#[test]
fn a_joint_swings_no_further_than_it_may() {
    let (scene, mut chain) = tail();
    (chain.gravity, chain.most) = (Vec3::X * 500.0, 0.4);
    play(&scene, &mut chain, 60.0, 1.0, |_| Affine3A::IDENTITY);
    let mut pose = Pose::new(&scene);
    chain.apply(&mut pose, scene.skeleton(), &Affine3A::IDENTITY, &[], 1.0 / 60.0);
    for joint in 0..3 {
        let angle = pose.rotation(id(joint)).angle_between(Quat::IDENTITY);
        assert!(angle < 0.4 + 1e-3, "joint {joint} is turned by {angle}");
    }
}

#[test]
fn a_saved_state_goes_on_to_the_last_bit() {
    let (scene, mut chain) = tail();
    let shake = |time: f32| Affine3A::from_translation(Vec3::X * (7.0 * time).sin());
    play(&scene, &mut chain, 60.0, 1.0, shake);
    let mut state = vec![0.0; chain.state_len()];
    chain.save(&mut state);
    let (_, mut other) = tail();
    other.load(&state);
    let go_on = |chain: &mut SpringChain| {
        let mut pose = Pose::new(&scene);
        for frame in 0..30 {
            pose.to_rest();
            pose.to_model(scene.skeleton());
            let world = shake(1.0 + frame as f32 / 60.0);
            chain.apply(&mut pose, scene.skeleton(), &world, &[], 1.0 / 60.0);
        }
        pose.locals().to_vec()
    };
    assert_eq!(go_on(&mut chain), go_on(&mut other));
    state[7] = f32::NAN;
    other.load(&state);
    go_on(&mut other);
}

#[test]
fn a_last_bone_without_an_end_has_a_tip_of_its_own() {
    let scene = row(&[[0.0; 3], [0.0, -0.2, 0.0]]);
    let skeleton = scene.skeleton();
    let mut chain =
        SpringChain::with_tip(skeleton, id(0), id(1), Vec3::Y * -0.1).expect("two bones");
    assert_eq!(chain.joints(), [id(0), id(1)]);
    chain.gravity = Vec3::X * 5.0;
    play(&scene, &mut chain, 60.0, 1.0, |_| Affine3A::IDENTITY);
    let mut pose = Pose::new(&scene);
    chain.apply(&mut pose, skeleton, &Affine3A::IDENTITY, &[], 0.0);
    assert!(pose.rotation(id(1)).angle_between(Quat::IDENTITY) > 0.01);
    assert!(SpringChain::with_tip(skeleton, id(1), id(1), Vec3::X).is_ok());
    assert!(SpringChain::new(skeleton, id(1), id(0)).is_err());
}

proptest! {
    #[test]
    fn any_chain_in_any_world_leaves_a_sound_pose(
        scene in any_scene(),
        numbers in prop::array::uniform8(any_number()),
        worlds in prop::collection::vec((rotations(), any_place(), prop::array::uniform3(any_number()), any_number()), 1..6),
        tip in any_place(),
    ) {
        let skeleton = scene.skeleton();
        let last = skeleton.len() - 1;
        let mut chain = SpringChain::new(skeleton, id(last - 2), id(last)).unwrap();
        let [frequency, damping, drag, gravity, most, radius, teleport, ball] = numbers;
        (chain.frequency, chain.damping, chain.drag) = (frequency, damping, drag);
        (chain.gravity, chain.most) = (Vec3::Y * gravity, most);
        (chain.radius, chain.teleport) = (radius, teleport);
        let balls = [Collider { to: tip, ..Collider::sphere(id(0), Vec3::ZERO, ball) }];
        let mut single = SpringChain::with_tip(skeleton, id(last), id(last), tip).unwrap();
        for (rotation, place, scale, seconds) in worlds {
            let world = Affine3A::from_scale_rotation_translation(scale.into(), rotation, place);
            let mut pose = Pose::new(&scene);
            chain.apply(&mut pose, skeleton, &world, &balls, seconds);
            check_sound(&scene, &pose)?;
            single.apply(&mut pose, skeleton, &world, &balls, seconds);
            check_sound(&scene, &pose)?;
        }
    }
}
