//! Transitions between every pair of motions, with and without modifiers, interrupted at any time:
//! nothing jumps.
//!
//! The measure is how far any joint moves in one frame, in the model, beside how far the fastest
//! joint of either motion moves in a frame by itself.

use std::sync::Arc;

use sinew::glam::{Affine3A, Vec3};
use sinew::motion::{Feet, Ground, RootMode};
use sinew::pack::{Options, Packed};
use sinew::{
    Animator, CompiledGraph, GraphPlayer, GroundProbe, JointOverride, LoopMode, Modifier, Motion,
    RootMotionPolicy, Scene, Target, Transition,
};

const FRAME: f32 = 1.0 / 60.0;

/// What Ossi can do, each a motion of another kind.
fn motions(scene: &Arc<Scene>) -> Vec<(&'static str, Motion)> {
    let text = include_str!("../examples/graphs/ossi.toml");
    let graph = sinew::graph::read(text, sinew::graph::Format::Toml).expect("a graph");
    let graph = CompiledGraph::new(&graph, Arc::clone(scene)).expect("it fits Ossi");
    let mut graph = GraphPlayer::new(graph);
    graph.set("speed", 1.4).expect("a parameter");
    let options = Options { error: 0.005, ..Options::default() };
    let wave = scene.clip("wave").expect("a clip");
    let (packed, _) = sinew::pack::pack(scene, wave, &options, &|_| {}).expect("it packs");
    let packed = Packed::read(packed.bytes().to_vec()).expect("it is whole");
    vec![
        ("dance", scene.find_clip("dance").expect("a clip").into()),
        ("idle", scene.find_clip("idle").expect("a clip").into()),
        ("packed wave", Arc::new(packed).into()),
        ("graph", graph.into()),
    ]
}

fn animator(scene: &Arc<Scene>, modified: bool) -> Animator {
    let mut animator = Animator::new(Arc::clone(scene));
    let root = scene.skeleton().find("root");
    animator.set_root_motion(root, RootMode::Floor, RootMotionPolicy::Remove);
    if modified {
        let find = |name: &str| scene.skeleton().find(name).expect("Ossi has it");
        let ankles = [find("foot.L"), find("foot.R")];
        let feet = Feet::new(scene.skeleton(), find("hips"), &ankles).expect("legs");
        let slope = |at: Vec3| Some(Ground { height: 0.1 + 0.1 * at.x, normal: Vec3::Y });
        animator.modifiers_mut().add(Modifier::Feet(feet, GroundProbe::new(slope)));
        let mut head = JointOverride::new(find("head"));
        head.offset = Vec3::Y * 0.02;
        animator.modifiers_mut().add(Modifier::Joint(head));
    }
    animator
}

fn places(animator: &Animator) -> Vec<Vec3> {
    animator.pose().model_from_joint().iter().map(|joint| joint.translation.into()).collect()
}

/// The farthest that any joint moves from one frame to the next, in metres.
fn farthest(before: &[Vec3], after: &[Vec3]) -> f32 {
    before.iter().zip(after).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

/// How far the fastest joint of a motion moves in a frame.
fn own_step(scene: &Arc<Scene>, motion: &Motion, modified: bool) -> f32 {
    let mut animator = animator(scene, modified);
    animator.start(motion.clone(), Transition::Cut);
    let mut last = places(&animator);
    let mut most = 0.0_f32;
    for _ in 0..180 {
        animator.advance(FRAME);
        let now = places(&animator);
        most = most.max(farthest(&last, &now));
        last = now;
    }
    most
}

/// A generator of numbers from 0 to 1, the same in every run.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }
}

#[test]
fn no_pair_of_motions_jumps_by_any_transition_with_or_without_modifiers() {
    let scene = Arc::new(sinew::ossi());
    let motions = motions(&scene);
    let mut chance = Chance(7);
    for modified in [false, true] {
        let own: Vec<f32> =
            motions.iter().map(|(_, motion)| own_step(&scene, motion, modified)).collect();
        for how in [Transition::fade(0.3), Transition::inertialize(0.3)] {
            for (a, (from, first)) in motions.iter().enumerate() {
                for (b, (to, second)) in motions.iter().enumerate() {
                    let mut animator = animator(&scene, modified);
                    animator.start(first.clone(), Transition::Cut);
                    (0..80).for_each(|_| _ = animator.advance(FRAME));
                    let mut last = places(&animator);
                    let mut most = 0.0_f32;
                    // There, back again while that is under way, and there once more.
                    for part in 0..3 {
                        let next = if part % 2 == 0 { second } else { first };
                        animator.start(next.clone(), how);
                        let at_once = farthest(&last, &places(&animator));
                        assert!(at_once < 1e-3, "{from} to {to} by {how:?}: {at_once} m at once");
                        let frames = 2 + (chance.next() * 20.0) as usize;
                        for _ in 0..frames {
                            animator.advance(FRAME);
                            let now = places(&animator);
                            most = most.max(farthest(&last, &now));
                            last = now;
                        }
                    }
                    // A transition may add the distance between the poses, spread over its length:
                    // at most 1.5 m of a hand, at its fastest 1.5 times the mean speed.
                    let spread = 1.5 * 1.5 * FRAME / 0.3;
                    let limit = own[a].max(own[b]) + spread;
                    assert!(
                        most < limit,
                        "{from} to {to} by {how:?}, modified {modified}: {most} m in a frame, {limit} allowed"
                    );
                }
            }
        }
    }
}

#[test]
fn inertialization_keeps_the_speed_of_a_graph() {
    let scene = Arc::new(sinew::ossi());
    let graph = motions(&scene).pop().expect("the graph").1;
    let mut animator = animator(&scene, false);
    animator.start(graph, Transition::Cut);
    (0..80).for_each(|_| _ = animator.advance(FRAME));
    let before = places(&animator);
    animator.advance(FRAME);
    let at = places(&animator);
    animator.inertialize_to("idle", 0.3).expect("a clip");
    animator.advance(FRAME);
    let after = places(&animator);
    let old = farthest(&before, &at);
    let new = farthest(&at, &after);
    assert!(new > 0.5 * old && new < 2.0 * old + 0.02, "{old} m a frame before, {new} after");
}

#[test]
fn pause_speed_and_seek_hold_for_graphs_too() {
    let scene = Arc::new(sinew::ossi());
    let graph = motions(&scene).pop().expect("the graph").1;
    let mut animator = animator(&scene, false);
    animator.start(graph, Transition::Cut);
    animator.advance(0.5);
    let still = places(&animator);
    animator.pause();
    animator.advance(0.5);
    assert_eq!(places(&animator), still);
    assert_eq!(animator.time(), 0.5);
    animator.resume();
    animator.set_speed(2.0);
    animator.advance(0.25);
    assert_eq!(animator.time(), 1.0);
    animator.seek(0.7);
    let there = places(&animator);
    for time in [0.2, 1.5, 0.7] {
        animator.seek(time);
    }
    assert_eq!(places(&animator), there, "the same time gives the same pose");
    assert_eq!(animator.time(), 0.7);
}

#[test]
fn a_clip_that_plays_once_ends_and_is_resumed_from_its_start() {
    let mut animator = Animator::new(sinew::demo());
    animator.set_loop_mode(LoopMode::Once);
    animator.play("wave").expect("a clip");
    assert!(animator.advance(100.0).ended && !animator.is_playing());
    animator.resume();
    assert_eq!(animator.time(), 0.0);
    animator.set_speed(-1.0);
    animator.advance(0.5);
    animator.resume();
    assert_eq!(animator.time(), animator.duration(), "backward from the end");
}

#[test]
fn root_motion_of_a_packed_clip_is_that_of_the_clip() {
    let scene = Arc::new(sinew::ossi());
    let walk = scene.clip("walk").expect("a clip");
    let (packed, _) =
        sinew::pack::pack(&scene, walk, &Options::default(), &|_| {}).expect("it packs");
    let packed = Arc::new(Packed::read(packed.bytes().to_vec()).expect("it is whole"));
    let mut animator = Animator::new(Arc::clone(&scene));
    let root = scene.skeleton().find("root");
    animator.set_root_motion(root, RootMode::Floor, RootMotionPolicy::Apply);
    animator.start(packed, Transition::Cut);
    (0..150).for_each(|_| _ = animator.advance(FRAME));
    let z = animator.world_from_model().translation.z;
    assert!((z - 3.5).abs() < 5e-3, "2.5 s at 1.4 m/s: {z}");
}

#[test]
fn a_footstep_of_a_walk_that_has_hardly_begun_is_not_reported() {
    let mut animator = Animator::new(sinew::ossi());
    animator.play("idle").expect("a clip");
    animator.advance(0.5);
    animator.fade_to("walk", 0.5).expect("a clip");
    // The walk's first marker is at its very start.
    animator.advance(1e-3);
    assert_eq!(animator.events().count(), 0);
    (0..60).for_each(|_| _ = animator.advance(FRAME));
    animator.advance(0.5);
    assert_eq!(animator.events().count(), 1);
}

#[test]
fn a_target_in_the_world_is_met_wherever_the_character_is() {
    let scene = Arc::new(sinew::ossi());
    let hand = scene.skeleton().find("hand.R").expect("Ossi has one");
    let mut animator = Animator::new(Arc::clone(&scene));
    let arm = sinew::ik::TwoBone::new(scene.skeleton(), hand).expect("an arm");
    let arm = animator.modifiers_mut().add(Modifier::TwoBone(arm));
    let place =
        Affine3A::from_rotation_y(1.0) * Affine3A::from_translation(Vec3::new(3.0, 0.5, -2.0));
    animator.place(place);
    let cup = place.transform_point3(Vec3::new(-0.3, 1.2, 0.35));
    animator.modifiers_mut().set_target(arm, cup);
    animator.advance(FRAME);
    let found = place.transform_point3(places(&animator)[hand.index()]);
    assert!(found.distance(cup) < 1e-4, "{found} is not {cup}");
    animator.modifiers_mut().set_target(arm, Target::Model(Vec3::new(-0.2, 1.3, 0.3)));
    animator.update();
    assert!(places(&animator)[hand.index()].distance(Vec3::new(-0.2, 1.3, 0.3)) < 1e-4);
    animator.modifiers_mut().set_target::<Target>(arm, None);
    animator.update();
    let free = places(&animator)[hand.index()];
    assert!(free.distance(Vec3::new(-0.2, 1.3, 0.3)) > 0.1, "{free}");
}

#[test]
fn a_motion_may_start_within_itself_and_still_fade_in() {
    let scene = Arc::new(sinew::ossi());
    let mut animator = Animator::new(Arc::clone(&scene));
    animator.play("idle").expect("a clip");
    animator.advance(FRAME);
    let before = places(&animator);
    let walk = scene.find_clip("walk").expect("a clip");
    animator.start_at(walk, Transition::fade(0.2), 0.5);
    assert!((animator.time() - 0.5).abs() < 1e-6 && animator.in_transition());
    for (now, before) in places(&animator).iter().zip(&before) {
        assert!(now.distance(*before) < 1e-5, "nothing has moved yet");
    }
    animator.advance(0.25);
    let mut expected = Animator::new(scene);
    expected.play("walk").expect("a clip");
    expected.seek(0.75);
    for (now, expected) in places(&animator).iter().zip(places(&expected)) {
        assert!(now.distance(expected) < 1e-4, "{now}, expected {expected}");
    }
}

#[test]
fn root_motion_is_applied_or_not_from_one_frame_to_the_next_without_a_jump() {
    let scene = Arc::new(sinew::ossi());
    let root = scene.skeleton().find("root");
    let make = || {
        let mut animator = Animator::new(Arc::clone(&scene));
        animator.set_root_motion(root, RootMode::Floor, RootMotionPolicy::Remove);
        animator.play("walk").expect("a clip");
        animator.advance(FRAME);
        animator.inertialize_to("run", 0.3).expect("a clip");
        animator.advance(FRAME);
        animator
    };
    let mut applied = make();
    let mut removed = make();
    applied.set_root_motion(root, RootMode::Floor, RootMotionPolicy::Apply);
    assert!(applied.in_transition(), "the inertialization goes on");
    for _ in 0..10 {
        applied.advance(FRAME);
        removed.advance(FRAME);
        assert_eq!(places(&applied), places(&removed));
    }
    assert!(applied.world_from_model().translation.z > 0.2);
    assert_eq!(removed.world_from_model().translation.z, 0.0);
}

/// How far the fastest joint moves in the frame before an inertialization to `idle`, and in the one after.
fn steps_around(animator: &mut Animator, change: impl FnOnce(&mut Animator)) -> (f32, f32) {
    let before = places(animator);
    animator.advance(FRAME);
    let at = places(animator);
    change(animator);
    animator.inertialize_to("idle", 0.3).expect("a clip");
    assert!(farthest(&at, &places(animator)) < 1e-4, "nothing jumps at once");
    animator.advance(FRAME);
    (farthest(&before, &at), farthest(&at, &places(animator)))
}

#[test]
fn inertialization_keeps_the_speed_of_a_clip_without_having_watched_it() {
    let scene = Arc::new(sinew::ossi());
    let kept = |(old, new): (f32, f32)| new > 0.5 * old && new < 2.0 * old + 0.02;
    let dancing = |mode: LoopMode| {
        let mut animator = animator(&scene, false);
        animator.set_loop_mode(mode);
        animator.play("dance").expect("a clip");
        (0..80).for_each(|_| _ = animator.advance(FRAME));
        animator
    };
    let steps = steps_around(&mut dancing(LoopMode::Loop), |_| {});
    assert!(kept(steps), "{steps:?}");
    // A fade that nobody has seen yet changes nothing.
    let steps = steps_around(&mut dancing(LoopMode::Loop), |animator| {
        animator.fade_to("wave", 0.3).expect("a clip");
    });
    assert!(kept(steps), "{steps:?}");
    // A clip that ends in this frame was still moving.
    let mut ending = dancing(LoopMode::Once);
    ending.seek(ending.duration() - 0.99 * FRAME);
    let steps = steps_around(&mut ending, |_| {});
    assert!(kept(steps), "{steps:?}");
}

#[test]
fn inertialization_from_what_does_not_move_begins_without_speed() {
    let scene = Arc::new(sinew::ossi());
    let still = |prepare: &dyn Fn(&mut Animator)| {
        let mut animator = animator(&scene, false);
        animator.set_loop_mode(LoopMode::Once);
        animator.play("dance").expect("a clip");
        (0..80).for_each(|_| _ = animator.advance(FRAME));
        prepare(&mut animator);
        let at = places(&animator);
        // So slow that only a speed of its own shows in the first frame.
        animator.resume();
        animator.inertialize_to("idle", 30.0).expect("a clip");
        animator.advance(FRAME);
        farthest(&at, &places(&animator))
    };
    let moving = still(&|_| {});
    let ended = still(&|animator| {
        animator.advance(100.0);
        animator.advance(FRAME);
    });
    assert!(ended < 0.2 * moving, "{ended} m after the end, {moving} m before");
}

#[test]
fn local_transforms_are_the_same_with_and_without_model_matrices() {
    let scene = Arc::new(sinew::ossi());
    for modified in [false, true] {
        let mut whole = animator(&scene, modified);
        let mut local = animator(&scene, modified);
        for animator in [&mut whole, &mut local] {
            animator.play("walk").expect("a clip");
        }
        for frame in 0..40 {
            if frame == 20 {
                whole.inertialize_to("run", 0.3).expect("a clip");
                local.inertialize_to("run", 0.3).expect("a clip");
            }
            assert_eq!(whole.advance(FRAME), local.advance_local(FRAME));
            for joint in (0..scene.skeleton().len()).map(sinew::JointId::new) {
                assert_eq!(whole.pose().local(joint), local.pose().local(joint));
            }
        }
    }
}

#[test]
fn a_modifier_of_joints_that_are_not_there_is_passed_over() {
    let mut animator = Animator::new(sinew::demo());
    animator.play("wave").expect("a clip");
    let far = sinew::JointId::new(77);
    let aim = sinew::ik::Aim::new(far, Vec3::Z);
    let hand = animator.scene().skeleton().find("wrist").expect("it has one");
    let mut upside_down =
        sinew::ik::TwoBone::new(animator.scene().skeleton(), hand).expect("a limb");
    upside_down.upper = hand;
    let weight =
        Modifier::MorphWeight { instance: sinew::InstanceId::new(9), morph_target: 0, weight: 1.0 };
    let modifiers = [
        Modifier::Joint(JointOverride::new(far)),
        Modifier::Aim(aim),
        Modifier::TwoBone(upside_down),
        weight,
    ];
    for modifier in modifiers {
        assert!(!modifier.fits(animator.scene()), "{modifier:?}");
        let id = animator.modifiers_mut().add(modifier);
        animator.modifiers_mut().set_target(id, Vec3::X);
        animator.advance(FRAME);
        assert_eq!(animator.modifiers().outcome(id), None);
    }
    let mut plain = Animator::new(sinew::demo());
    plain.play("wave").expect("a clip");
    (0..4).for_each(|_| _ = plain.advance(FRAME));
    assert_eq!(places(&animator), places(&plain));
}

#[test]
fn a_step_longer_than_a_fade_moves_as_far_as_many_short_ones() {
    let walked = |step: f32| {
        let mut animator = Animator::new(sinew::ossi());
        let root = animator.scene().skeleton().find("root");
        animator.set_root_motion(root, RootMode::Floor, RootMotionPolicy::Apply);
        animator.fade_to("walk", 0.2).expect("a clip");
        (0..(1.0 / step).round() as usize).for_each(|_| _ = animator.advance(step));
        animator.world_from_model().translation.z
    };
    // 1.4 m/s for 0.8 s, and half of that for the fade.
    for step in [1.0, 0.5, 0.1, 0.01] {
        let z = walked(step);
        assert!((z - 1.26).abs() < 0.01, "steps of {step} s: {z} m");
    }
}
