//! Cross-fades and goals: what the animation step does beside a single clip.

mod common;

use bevy_ecs::prelude::*;
use common::Game;
use sinew::JointId;
use sinew::glam::Vec3;
use sinew::motion::ik::{Aim, Outcome, TwoBone};
use sinew_ecs::{
    AnimationPlayer, Character, Diagnostic, Diagnostics, Goal, Goals, LocalTransform, Model,
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
    let (mut game, mut alone) = (Game::new(), Game::new());
    let (root, character) = arm(&mut game);
    let elbow = character.find("elbow").expect("it has one");
    let turn = |game: &Game, node: Entity| {
        game.world.get::<LocalTransform>(node).expect("a node").rotation
    };
    let mut clip_at = |clip: &str, time: f32| {
        let (root, character) = arm(&mut alone);
        player(&mut alone, root).play(clip).expect("it has it");
        alone.run(0.0);
        player(&mut alone, root).player_mut().seek(time);
        alone.run(0.0);
        turn(&alone, character.find("elbow").expect("it has one"))
    };
    let (old, new) = (clip_at("wave", 0.7), clip_at("flex", 0.5));
    player(&mut game, root).play("wave").expect("it has it");
    game.run(0.2);
    assert!(player(&mut game, root).fade_to("moonwalk", 1.0).is_err());
    player(&mut game, root).fade_to("flex", 1.0).expect("it has it");
    game.run(0.5);
    let found = turn(&game, elbow);
    let middle = old.slerp(new, 0.5);
    assert!(found.angle_between(middle) < 1e-3, "{found} for {middle}");
    assert!(found.angle_between(old) > 0.05 && found.angle_between(new) > 0.05);
    // Another fade from where this one is: nothing jumps.
    player(&mut game, root).fade_to("wave", 0.5).expect("it has it");
    game.run(0.0);
    assert!(turn(&game, elbow).angle_between(found) < 1e-3);
    game.run(2.0);
    let time = player(&mut game, root).player().time();
    assert!(
        turn(&game, elbow).angle_between(clip_at("wave", time)) < 1e-3,
        "only the new one is left"
    );
}

#[test]
fn a_limb_reaches_for_an_entity_wherever_character_and_entity_stand() {
    let mut game = Game::new();
    let (root, character) = arm(&mut game);
    game.world.get_mut::<LocalTransform>(root).expect("a node").translation =
        Vec3::new(5.0, 0.0, 0.0);
    // The wrist is 1.2 m from the shoulder when the arm is straight; a metre away it bends.
    let cup = game.node(None, Vec3::new(5.6, 0.8, 0.0));
    let wrist = character.scene().skeleton().find("wrist").expect("it has one");
    let limb = TwoBone::new(character.scene().skeleton(), wrist).expect("it has two above");
    game.world.entity_mut(root).insert(Goals(vec![Goal::reach(limb, cup)]));
    game.run(0.0);
    game.run(0.0);
    let hand = game.place(character.find("wrist").expect("it has one"));
    assert!(hand.abs_diff_eq(Vec3::new(5.6, 0.8, 0.0), 1e-3), "{hand}");
    let outcome = game.world.get::<Goals>(root).expect("it has them").0[0].outcome;
    assert_eq!(outcome, Some(Outcome::Reached));
    // Without the goal, it goes back to rest.
    game.world.entity_mut(root).remove::<Goals>();
    game.run(0.0);
    let hand = game.place(character.find("wrist").expect("it has one"));
    assert!(hand.abs_diff_eq(Vec3::new(5.0, 1.2, 0.0), 1e-5), "{hand}");
}

#[test]
fn a_goal_without_target_or_joints_is_said_and_the_clip_goes_on() {
    let mut game = Game::new();
    let (root, character) = arm(&mut game);
    player(&mut game, root).play("wave").expect("it has it");
    let target = game.node(None, Vec3::X);
    let skeleton = character.scene().skeleton();
    let mut limb = TwoBone::new(skeleton, JointId::new(3)).expect("it has two above");
    limb.upper = JointId::new(3);
    let far = Aim::new(JointId::new(77), Vec3::Z);
    let aim = Aim::new(JointId::new(3), Vec3::Y);
    let gone = game.node(None, Vec3::X);
    let goals = [Goal::reach(limb, target), Goal::look(far, target), Goal::look(aim, gone)];
    game.world.entity_mut(root).insert(Goals(goals.to_vec()));
    game.world.despawn(gone);
    let wrist = character.find("wrist").expect("it has one");
    game.run(0.3);
    let before = game.place(wrist);
    game.run(0.3);
    assert!(!game.place(wrist).abs_diff_eq(before, 1e-3), "the clip goes on");
    let found: Vec<Diagnostic> = game.world.resource::<Diagnostics>().iter().cloned().collect();
    let lost = |goal| Diagnostic::LostGoal { player: root, goal };
    assert_eq!(found, [lost(0), lost(1), lost(2)]);
}
