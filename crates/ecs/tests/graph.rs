//! Graphs on entities: the same as an actor that follows one, and what is beside the pose.

mod common;

use std::sync::Arc;

use bevy_ecs::prelude::*;
use common::Game;
use sinew::glam::{Affine3A, Quat, Vec3};
use sinew::graph::{CompiledGraph, Format, GraphPlayer};
use sinew::motion::ik::{Outcome, TwoBone};
use sinew::{Actor, Scene, Transform};
use sinew_ecs::{
    AnimationPlayer, Character, Diagnostic, Diagnostics, Goal, Goals, GraphAnimator, JointMatrices,
    LocalTransform, Model,
};

fn plan(scene: &Arc<Scene>) -> Arc<CompiledGraph> {
    let text = include_str!("../../../examples/graphs/ossi.toml");
    let graph = sinew::graph::read(text, Format::Toml).expect("a graph");
    Arc::new(CompiledGraph::new(&graph, Arc::clone(scene)).expect("it is Ossi's"))
}

fn ossi(game: &mut Game) -> (Entity, Arc<CompiledGraph>) {
    let model = Model::new(sinew::ossi());
    let root = model.spawn(&mut game.world);
    let plan = plan(model.scene());
    game.world.entity_mut(root).insert(GraphAnimator::new(Arc::clone(&plan)));
    (root, plan)
}

fn graph(game: &mut Game, root: Entity) -> Mut<'_, GraphAnimator> {
    game.world.get_mut(root).expect("it was given one")
}

fn apart(game: &Game, root: Entity, actor: &Actor) -> f32 {
    let character = game.world.get::<Character>(root).expect("a copy has one");
    let skin = game.world.get::<JointMatrices>(character.skins()[0]).expect("a skin has them");
    let pairs = skin.world_from_mesh().zip(actor.palette(0));
    let apart = |(a, b): (Affine3A, &Affine3A)| {
        let gaps = a.to_cols_array().into_iter().zip(b.to_cols_array());
        gaps.fold(0.0_f32, |worst, (a, b)| worst.max((a - b).abs()))
    };
    pairs.map(apart).fold(0.0, f32::max)
}

#[test]
fn an_entity_and_an_actor_that_follow_one_graph_are_the_same_in_every_frame() {
    let mut game = Game::new();
    let (root, plan) = ossi(&mut game);
    let mut actor = Actor::new(Arc::clone(plan.scene()));
    actor.follow(GraphPlayer::new(Arc::clone(&plan)));
    let speed = plan.parameter("speed").expect("it has one");
    let (mut heard, mut gone) = (0, Vec3::ZERO);
    for frame in 0..150_u16 {
        let mut own = graph(&mut game, root);
        let other = actor.graph_mut().expect("it follows one");
        // Stands, walks, runs, waves meanwhile, jumps.
        let now = f32::from(frame) * 0.03;
        own.set_at(speed, now);
        other.set_at(speed, now);
        if frame == 60 || frame == 100 {
            let (name, value) = if frame == 60 { ("waving", 1.0) } else { ("jump", 1.0) };
            own.set(name, value).expect("it has it");
            other.set(name, value).expect("it has it");
        }
        game.run(1.0 / 30.0);
        actor.advance(1.0 / 30.0);
        let worst = apart(&game, root, &actor);
        assert!(worst < 1e-5, "frame {frame}: {worst}");
        let own = graph(&mut game, root);
        assert_eq!(own.root(), actor.root_motion());
        assert!(own.events().eq(actor.events()));
        heard += own.events().count();
        gone += own.root().translation;
    }
    assert!(heard > 5 && gone.z > 3.0, "{heard} markers in {gone}");
    assert!(graph(&mut game, root).set("spede", 1.0).is_err());
    assert!(game.diagnostics().is_empty());
}

#[test]
fn whoever_is_carried_goes_along_its_own_forward_times_its_size() {
    let mut game = Game::new();
    let (root, _) = ossi(&mut game);
    let place = Transform {
        translation: Vec3::new(1.0, 2.0, 3.0),
        rotation: Quat::from_rotation_y(90_f32.to_radians()),
        scale: Vec3::splat(2.0),
    };
    game.world.entity_mut(root).insert(LocalTransform(place));
    graph(&mut game, root).set("speed", 1.4).expect("it has one");
    for _ in 0..60 {
        game.run(1.0 / 60.0);
    }
    assert_eq!(game.place(root), place.translation, "nobody asked it to go");
    graph(&mut game, root).carries = true;
    for _ in 0..60 {
        game.run(1.0 / 60.0);
    }
    // 1.4 m ahead in a second, which is along X here, and twice as far.
    let found = game.place(root);
    assert!(found.abs_diff_eq(Vec3::new(3.8, 2.0, 3.0), 1e-3), "{found}");
    let kept = *game.world.get::<LocalTransform>(root).expect("a node");
    assert_eq!(kept.scale, place.scale);
    // Half the speed is half the way; none is none.
    for (speed, x) in [(0.5, 5.2), (0.0, 5.2), (f32::NAN, 5.2), (-1.0, 5.2)] {
        graph(&mut game, root).speed = speed;
        for _ in 0..60 {
            game.run(1.0 / 60.0);
        }
        let found = game.place(root);
        assert!((found.x - x).abs() < 2e-3, "{found} at {speed}");
    }
}

#[test]
fn without_its_graph_a_player_goes_on_with_its_clip_or_to_rest() {
    let mut game = Game::new();
    let (root, _) = ossi(&mut game);
    let character = game.world.get::<Character>(root).expect("a copy has one").clone();
    let hips = character.find("hips").expect("it has them");
    let joint = character.scene().skeleton().find("hips").expect("it has them");
    let rest = character.scene().skeleton().node(joint).rest;
    let local = |game: &Game| game.world.get::<LocalTransform>(hips).expect("a node").0;
    fn player(game: &mut Game, root: Entity) -> Mut<'_, AnimationPlayer> {
        game.world.get_mut(root).expect("a copy has one")
    }
    player(&mut game, root).play("walk").expect("it has it");
    player(&mut game, root).player_mut().seek(0.25);
    game.run(0.5);
    let standing = local(&game);
    assert_eq!(player(&mut game, root).player().time(), 0.25, "the clip waits");
    let graph = game.world.entity_mut(root).take::<GraphAnimator>().expect("it has one");
    game.run(0.0);
    assert!(!local(&game).translation.abs_diff_eq(standing.translation, 1e-3), "it walks");
    player(&mut game, root).stop();
    // Twice, for a player that was just stopped goes back anyway.
    for _ in 0..2 {
        game.world.entity_mut(root).insert(graph.clone());
        game.run(0.0);
        assert_eq!(local(&game), standing, "the graph goes on where it was");
        game.world.entity_mut(root).remove::<GraphAnimator>();
        game.run(0.0);
        assert_eq!(local(&game), rest);
    }
}

#[test]
fn goals_are_met_on_top_of_a_graph() {
    let mut game = Game::new();
    let (root, _) = ossi(&mut game);
    let character = game.world.get::<Character>(root).expect("a copy has one").clone();
    let skeleton = character.scene().skeleton();
    let hand = skeleton.find("hand.L").expect("it has one");
    let limb = TwoBone::new(skeleton, hand).expect("it has two above");
    let cup = game.node(None, Vec3::new(0.3, 1.2, 0.3));
    game.world.entity_mut(root).insert(Goals(vec![Goal::reach(limb, cup)]));
    game.run(0.0);
    for _ in 0..20 {
        game.run(1.0 / 30.0);
        let found = game.place(character.nodes()[hand.index()]);
        assert!(found.abs_diff_eq(Vec3::new(0.3, 1.2, 0.3), 1e-3), "{found}");
    }
    let outcome = game.world.get::<Goals>(root).expect("it has them").0[0].outcome;
    assert_eq!(outcome, Some(Outcome::Reached));
}

#[test]
fn a_graph_of_another_scene_is_said_and_the_clip_goes_on() {
    let mut game = Game::new();
    let (_, plan) = ossi(&mut game);
    let arm = Model::new(sinew::demo()).spawn(&mut game.world);
    game.world.entity_mut(arm).insert(GraphAnimator::new(plan));
    let mut player = game.world.get_mut::<AnimationPlayer>(arm).expect("a copy has one");
    player.play("wave").expect("it has it");
    game.run(0.25);
    let found: Vec<Diagnostic> = game.world.resource::<Diagnostics>().iter().cloned().collect();
    assert_eq!(found, [Diagnostic::OtherGraph { player: arm }]);
    let player = game.world.get::<AnimationPlayer>(arm).expect("a copy has one");
    assert_eq!(player.player().time(), 0.25);
    game.world.entity_mut(arm).remove::<GraphAnimator>();
    game.run(0.25);
    assert!(game.diagnostics().is_empty());
}
