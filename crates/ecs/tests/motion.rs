//! What the animation step does beside a single clip: transitions, modifiers with entities as targets, root motion.

mod common;

use bevy_ecs::prelude::*;
use common::Game;
use sinew::glam::Vec3;
use sinew::motion::RootMode;
use sinew::motion::ik::{Aim, Outcome, TwoBone};
use sinew::{JointId, Modifier, Motion, RootMotionPolicy, Transition};
use sinew_ecs::{
    AnimationPlayer, Character, Diagnostic, Diagnostics, LocalTransform, Model, Targets,
};

fn arm(game: &mut Game) -> (Entity, Character) {
    let root = Model::new(sinew::demo()).spawn(&mut game.world);
    (root, game.world.get::<Character>(root).expect("a copy has one").clone())
}

fn player(game: &mut Game, root: Entity) -> Mut<'_, AnimationPlayer> {
    game.world.get_mut(root).expect("a copy has one")
}

#[test]
fn half_way_through_a_fade_the_pose_is_between_both_clips() {
    let mut game = Game::new();
    let mut alone = Game::new();
    let (root, character) = arm(&mut game);
    let elbow = character.find("elbow").expect("it has one");
    let rotation = |game: &Game, node: Entity| {
        game.world.get::<LocalTransform>(node).expect("a node").rotation
    };
    let mut clip_at = |clip: &str, time: f32| {
        let (root, character) = arm(&mut alone);
        player(&mut alone, root).play(clip).expect("it has it");
        player(&mut alone, root).seek(time);
        alone.run(0.0);
        rotation(&alone, character.find("elbow").expect("it has one"))
    };
    let old = clip_at("wave", 0.7);
    let new = clip_at("flex", 0.5);
    player(&mut game, root).play("wave").expect("it has it");
    game.run(0.2);
    assert!(player(&mut game, root).fade_to("moonwalk", 1.0).is_err());
    player(&mut game, root).fade_to("flex", 1.0).expect("it has it");
    game.run(0.5);
    let found = rotation(&game, elbow);
    let middle = old.slerp(new, 0.5);
    assert!(found.angle_between(middle) < 1e-3, "{found} for {middle}");
    assert!(found.angle_between(old) > 0.05 && found.angle_between(new) > 0.05);
    // Another transition from where this one is: nothing jumps.
    for how in [Transition::fade(0.5), Transition::inertialize(0.5)] {
        let before = rotation(&game, elbow);
        let wave = character.scene().find_clip("wave").expect("it has it");
        player(&mut game, root).start(wave, how);
        game.run(0.0);
        assert!(rotation(&game, elbow).angle_between(before) < 1e-3, "{how:?}");
        game.run(0.1);
    }
    game.run(2.0);
    let time = player(&mut game, root).time();
    assert!(
        rotation(&game, elbow).angle_between(clip_at("wave", time)) < 1e-3,
        "only the new one is left"
    );
}

#[test]
fn a_fade_to_rest_ends_there_and_then_the_nodes_are_free() {
    let mut game = Game::new();
    let (root, character) = arm(&mut game);
    let elbow = character.find("elbow").expect("it has one");
    let rest = game.world.get::<LocalTransform>(elbow).expect("a node").0;
    player(&mut game, root).play("wave").expect("it has it");
    game.run(0.4);
    player(&mut game, root).start(Motion::Rest, Transition::fade(0.5));
    game.run(0.25);
    let local = |game: &Game| game.world.get::<LocalTransform>(elbow).expect("a node").0;
    assert!(local(&game).rotation.angle_between(rest.rotation) > 0.01, "half way");
    for _ in 0..3 {
        game.run(0.25);
    }
    assert_eq!(local(&game), rest);
    game.world.get_mut::<LocalTransform>(elbow).expect("a node").translation = Vec3::X;
    game.run(0.1);
    assert_eq!(local(&game).translation, Vec3::X, "nobody writes it any more");
}

#[test]
fn a_limb_reaches_for_an_entity_wherever_character_and_entity_are() {
    let mut game = Game::new();
    let (root, character) = arm(&mut game);
    // The character is a child of something that is elsewhere.
    let place = game.node(None, Vec3::new(2.0, 0.0, 0.0));
    game.world.entity_mut(root).insert(ChildOf(place));
    game.world.get_mut::<LocalTransform>(root).expect("a node").translation =
        Vec3::new(3.0, 0.0, 0.0);
    // The wrist is 1.2 m from the shoulder when the arm is straight; a metre away it bends.
    let cup = game.node(None, Vec3::new(5.6, 0.8, 0.0));
    let wrist = character.scene().skeleton().find("wrist").expect("it has one");
    let limb = TwoBone::new(character.scene().skeleton(), wrist).expect("it has two above");
    let limb = player(&mut game, root).modifiers_mut().add(Modifier::TwoBone(limb));
    game.world.entity_mut(root).insert(Targets::default().with(limb, cup));
    game.run(0.0);
    game.run(0.0);
    let hand = game.place(character.find("wrist").expect("it has one"));
    assert!(hand.abs_diff_eq(Vec3::new(5.6, 0.8, 0.0), 1e-3), "{hand}");
    let outcome = player(&mut game, root).modifiers().outcome(limb);
    assert_eq!(outcome, Some(Outcome::Reached));
    // Without the modifier, it goes back to rest.
    player(&mut game, root).modifiers_mut().remove(limb);
    game.run(0.0);
    let hand = game.place(character.find("wrist").expect("it has one"));
    assert!(hand.abs_diff_eq(Vec3::new(5.0, 1.2, 0.0), 1e-5), "{hand}");
}

#[test]
fn modifiers_without_target_or_joints_are_reported_and_the_clip_goes_on() {
    let mut game = Game::new();
    let (root, character) = arm(&mut game);
    let target = game.node(None, Vec3::X);
    let gone = game.node(None, Vec3::X);
    let skeleton = character.scene().skeleton();
    let mut limb = TwoBone::new(skeleton, JointId::new(3)).expect("it has two above");
    limb.upper = JointId::new(3);
    let mut player = player(&mut game, root);
    player.play("wave").expect("it has it");
    let mut modifiers = [
        Modifier::TwoBone(limb),
        Modifier::Aim(Aim::new(JointId::new(77), Vec3::Z)),
        Modifier::Aim(Aim::new(JointId::new(3), Vec3::Y)),
    ]
    .map(|modifier| player.modifiers_mut().add(modifier))
    .into_iter();
    let mut targets = Targets::default();
    for place in [target, target, gone] {
        targets.set(modifiers.next().expect("three"), place);
    }
    game.world.entity_mut(root).insert(targets);
    game.world.despawn(gone);
    let wrist = character.find("wrist").expect("it has one");
    game.run(0.3);
    let before = game.place(wrist);
    game.run(0.3);
    assert!(!game.place(wrist).abs_diff_eq(before, 1e-3), "the clip goes on");
    let found: Vec<Diagnostic> = game.world.resource::<Diagnostics>().iter().cloned().collect();
    let wrong = |index| Diagnostic::WrongModifier { player: root, index };
    let lost = Diagnostic::LostTarget { player: root, target: gone };
    assert_eq!(found, [lost, wrong(0), wrong(1)]);
}

#[test]
fn root_motion_of_a_clip_moves_its_entity_only_when_it_is_applied() {
    let mut game = Game::new();
    let model = Model::new(sinew::ossi());
    let root = model.spawn(&mut game.world);
    let joint = model.scene().skeleton().find("root");
    for (policy, z) in [(RootMotionPolicy::Remove, 0.0), (RootMotionPolicy::Apply, 1.4)] {
        player(&mut game, root).set_root_motion(joint, RootMode::Floor, policy);
        player(&mut game, root).play("walk").expect("it has it");
        for _ in 0..60 {
            game.run(1.0 / 60.0);
        }
        let found = game.place(root);
        assert!(found.abs_diff_eq(z * Vec3::Z, 1e-3), "{policy:?}: {found}");
        let player = player(&mut game, root);
        assert!((player.root_motion().translation.z - 1.4 / 60.0).abs() < 1e-3);
    }
    // Stopped, it stays where it is.
    player(&mut game, root).stop();
    game.run(0.5);
    let place = game.place(root);
    game.run(0.5);
    assert_eq!(game.place(root), place);
}
