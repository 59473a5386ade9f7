//! Modifiers on the built-in character: limbs, looks, feet, springs and mirror, without allocation.

use allocation_counter::measure;
use sinew::glam::{Affine3A, Quat, Vec3};
use sinew::ik::{Aim, Ccd, Fabrik, LookAt, LookAtState, Pole, TwoBone};
use sinew::motion::{Collider, Feet, Ground, SpringChain};
use sinew::{Actor, JointId, Mirror, Socket, Transform};

fn ossi(clip: &str) -> Actor {
    let mut actor = Actor::new(sinew::ossi());
    actor.play(clip).expect("Ossi has the clip");
    actor
}

fn joint(actor: &Actor, name: &str) -> JointId {
    actor.scene().skeleton().find(name).unwrap_or_else(|| panic!("Ossi has no {name}"))
}

fn place(actor: &Actor, name: &str) -> Vec3 {
    actor.pose().model_from_joint()[joint(actor, name).index()].translation.into()
}

#[test]
fn a_frame_with_every_modifier_allocates_nothing() {
    let mut actor = ossi("walk");
    let id = |name: &str| joint(&actor, name);
    let scene = actor.scene().clone();
    let skeleton = scene.skeleton();
    let (hand, head) = (id("hand.L"), id("head"));
    let arm = TwoBone { pole: Pole::Toward(Vec3::NEG_Z), ..TwoBone::new(skeleton, hand).unwrap() };
    let look = LookAt::new(&[id("chest"), id("neck"), head], Vec3::Z, Vec3::Y).unwrap();
    let mut feet = Feet::new(skeleton, id("hips"), &[id("foot.L"), id("foot.R")]).unwrap();
    let ccd = Ccd::new(skeleton, id("spine"), head).unwrap();
    let mut fabrik = Fabrik::new(skeleton, id("spine"), head).unwrap();
    let mut spring = SpringChain::new(skeleton, id("upper_arm.R"), id("hand.R")).unwrap();
    let balls = [Collider::sphere(id("hips"), Vec3::ZERO, 0.2)];
    let mirror = Mirror::of(&scene);
    let mut gaze = LookAtState::new();
    let mut state = vec![0.0; spring.state_len()];
    let counted = measure(|| {
        for frame in 0..100 {
            let target = Vec3::new(0.4, 1.2, (frame as f32 * 0.1).sin());
            actor.advance_with(1.0 / 60.0, |pose, skeleton| {
                arm.apply(pose, skeleton, target);
                look.apply(pose, skeleton, Some(target), &mut gaze, 1.0 / 60.0);
                Aim::new(head, Vec3::Z).apply(pose, skeleton, target);
                let ground = |at: Vec3| Some(Ground { height: 0.1 * at.x, normal: Vec3::Y });
                feet.apply(pose, skeleton, 1.0 / 60.0, ground);
                ccd.apply(pose, skeleton, target);
                fabrik.apply(pose, skeleton, target);
                spring.apply(pose, skeleton, &Affine3A::IDENTITY, &balls, 1.0 / 60.0);
                spring.save(&mut state);
                mirror.apply(pose, skeleton);
            });
        }
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
}

#[test]
fn modified_matrices_reach_the_palettes() {
    let mut actor = ossi("idle");
    let hand = joint(&actor, "hand.L");
    let arm = TwoBone::new(actor.scene().skeleton(), hand).expect("an arm");
    actor.advance(0.1);
    let before = actor.palette(0).to_vec();
    let target = Vec3::new(0.3, 1.3, 0.3);
    assert!(actor.modify(|pose, skeleton| arm.apply(pose, skeleton, target)).reached());
    assert!(place(&actor, "hand.L").abs_diff_eq(target, 1e-4));
    assert_ne!(actor.palette(0), before);
    // And only until the next frame.
    actor.advance(0.0);
    assert_eq!(actor.palette(0), before);
}

#[test]
fn a_socket_is_where_its_hand_is_in_the_same_frame() {
    let mut actor = ossi("walk");
    let hand = joint(&actor, "hand.R");
    let socket = Socket::new(hand, Transform::from_translation(Vec3::Y * 0.1));
    actor.place(Affine3A::from_rotation_translation(Quat::from_rotation_y(1.0), Vec3::X * 5.0));
    let arm = TwoBone::new(actor.scene().skeleton(), hand).expect("an arm");
    for _ in 0..30 {
        actor.advance_with(1.0 / 30.0, |pose, skeleton| {
            arm.apply(pose, skeleton, Vec3::new(-0.3, 1.2, 0.4));
        });
        let hand = actor.pose().model_from_joint()[hand.index()];
        let expected = hand.transform_point3(Vec3::Y * 0.1);
        let found = actor.world_from_socket(&socket).translation;
        let world = actor.world_from_model().transform_point3(expected);
        assert!(Vec3::from(found).abs_diff_eq(world, 1e-5), "{found} is not {world}");
        let back = actor.model_from_world().transform_point3a(found);
        assert!(Vec3::from(back).abs_diff_eq(expected, 1e-5), "{back} is not {expected}");
    }
}

#[test]
fn ossi_is_even_and_a_mirrored_walk_is_a_walk_half_a_cycle_later() {
    let mut actor = ossi("walk");
    let scene = actor.scene().clone();
    let mirror = Mirror::of(&scene);
    assert_eq!(mirror.doubts(), []);
    assert_eq!(mirror.pairs().iter().count(), 23);
    assert_eq!(mirror.plane().normal(), Vec3::X);
    let duration = scene.clip("walk").expect("a walk").duration;
    let names = ["foot.L", "foot.R", "hand.L", "hand.R", "head"];
    for step in 0..8 {
        let time = duration * step as f32 / 8.0;
        actor.seek((time + duration / 2.0) % duration);
        let root = place(&actor, "root");
        let later = names.map(|name| place(&actor, name) - root);
        actor.seek(time);
        actor.modify(|pose, skeleton| mirror.apply(pose, skeleton));
        let root = place(&actor, "root");
        let mirrored = names.map(|name| place(&actor, name) - root);
        for ((name, found), expected) in names.iter().zip(mirrored).zip(later) {
            assert!(found.abs_diff_eq(expected, 0.02), "{name} at {time}: {found} {expected}");
        }
    }
}

#[test]
fn a_walking_foot_stands_on_the_hill() {
    let mut actor = ossi("walk");
    let scene = actor.scene().clone();
    let id = |name: &str| joint(&actor, name);
    let mut feet =
        Feet::new(scene.skeleton(), id("hips"), &[id("foot.L"), id("foot.R")]).expect("two legs");
    let sole = feet.feet()[0].sole;
    let hill = |at: Vec3| 0.15 * (2.0 * at.z).sin() + 0.1 * at.x;
    for _ in 0..60 {
        actor.advance_with(1.0 / 60.0, |pose, skeleton| {
            feet.apply(pose, skeleton, 1.0 / 60.0, |at| {
                let normal = Vec3::new(-0.1, 1.0, -0.3 * (2.0 * at.z).cos());
                Some(Ground { height: hill(at), normal })
            });
        });
        for name in ["foot.L", "foot.R"] {
            let ankle = place(&actor, name);
            assert!(ankle.y > hill(ankle) + sole * 0.8 - 0.01, "{name} sank in at {ankle}");
        }
    }
}
