//! Graphs on entities: the same as an actor that plays one, with events and root motion.

mod common;

use std::sync::Arc;

use bevy_ecs::prelude::*;
use common::Game;
use sinew::glam::{Affine3A, Quat, Vec3};
use sinew::graph::{CompiledGraph, Format, GraphPlayer};
use sinew::motion::RootMode;
use sinew::motion::ik::{Outcome, TwoBone};
use sinew::{Actor, Modifier, Motion, RootMotionPolicy, Scene, Transform, Transition};
use sinew_ecs::{AnimationPlayer, Character, JointMatrices, LocalTransform, Model, Targets};

fn compiled(scene: &Arc<Scene>) -> Arc<CompiledGraph> {
    let text = include_str!("../../../examples/graphs/ossi.toml");
    let graph = sinew::graph::read(text, Format::Toml).expect("a graph");
    Arc::new(CompiledGraph::new(&graph, Arc::clone(scene)).expect("it is Ossi's"))
}

fn ossi(game: &mut Game) -> (Entity, Arc<CompiledGraph>) {
    let model = Model::new(sinew::ossi());
    let root = model.spawn(&mut game.world);
    let graph = compiled(model.scene());
    player(game, root).start(GraphPlayer::new(Arc::clone(&graph)), Transition::Cut);
    (root, graph)
}

fn player(game: &mut Game, root: Entity) -> Mut<'_, AnimationPlayer> {
    game.world.get_mut(root).expect("a copy has one")
}

fn set(game: &mut Game, root: Entity, name: &str, value: f32) {
    let mut player = player(game, root);
    player.graph_mut().expect("one plays").set(name, value).expect("it has it");
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
fn an_entity_and_an_actor_that_play_one_graph_are_the_same_in_every_frame() {
    let mut game = Game::new();
    let (root, graph) = ossi(&mut game);
    let mut actor = Actor::new(Arc::clone(graph.scene()));
    actor.start(GraphPlayer::new(Arc::clone(&graph)), Transition::Cut);
    let mut heard = 0;
    let mut moved = Vec3::ZERO;
    for frame in 0..150_u16 {
        // Stands, walks, runs, waves meanwhile, jumps.
        let mut changes = vec![("speed", f32::from(frame) * 0.03)];
        changes.extend((frame == 60).then_some(("waving", 1.0)));
        changes.extend((frame == 100).then_some(("jump", 1.0)));
        for (name, value) in changes {
            set(&mut game, root, name, value);
            actor.graph_mut().expect("one plays").set(name, value).expect("it has it");
        }
        game.run(1.0 / 30.0);
        actor.advance(1.0 / 30.0);
        let worst = apart(&game, root, &actor);
        assert!(worst < 1e-5, "frame {frame}: {worst}");
        let player = player(&mut game, root);
        assert_eq!(player.root_motion(), actor.root_motion());
        assert!(player.events().eq(actor.events()));
        heard += player.events().count();
        moved += player.root_motion().translation;
    }
    assert!(heard > 5 && moved.z > 3.0, "{heard} markers in {moved}");
    assert!(player(&mut game, root).graph_mut().expect("one plays").set("spede", 1.0).is_err());
    assert!(game.diagnostics().is_empty());
}

#[test]
fn root_motion_moves_an_entity_along_its_own_forward_times_its_scale() {
    let mut game = Game::new();
    let (root, _) = ossi(&mut game);
    let place = Transform {
        translation: Vec3::new(1.0, 2.0, 3.0),
        rotation: Quat::from_rotation_y(90_f32.to_radians()),
        scale: Vec3::splat(2.0),
    };
    game.world.entity_mut(root).insert(LocalTransform(place));
    set(&mut game, root, "speed", 1.4);
    for _ in 0..60 {
        game.run(1.0 / 60.0);
    }
    assert_eq!(game.place(root), place.translation, "root motion is not applied");
    player(&mut game, root).set_root_motion(None, RootMode::Floor, RootMotionPolicy::Apply);
    for _ in 0..60 {
        game.run(1.0 / 60.0);
    }
    // 1.4 m ahead in a second, which is along X here, and twice as far.
    let found = game.place(root);
    assert!(found.abs_diff_eq(Vec3::new(3.8, 2.0, 3.0), 1e-3), "{found}");
    let kept = *game.world.get::<LocalTransform>(root).expect("a node");
    assert_eq!(kept.scale, place.scale);
    // Half the speed is half the distance; none is none, and graphs do not run backward.
    for (speed, x) in [(0.5, 5.2), (0.0, 5.2), (f32::NAN, 5.2), (-1.0, 5.2)] {
        player(&mut game, root).set_speed(speed);
        for _ in 0..60 {
            game.run(1.0 / 60.0);
        }
        let found = game.place(root);
        assert!((found.x - x).abs() < 2e-3, "{found} at {speed}");
    }
    player(&mut game, root).set_speed(1.0);
    player(&mut game, root).pause();
    game.run(1.0);
    assert!((game.place(root).x - 5.2).abs() < 2e-3, "paused");
}

#[test]
fn a_graph_fades_to_a_clip_and_back_without_a_jump_and_stops_at_rest() {
    let mut game = Game::new();
    let (root, graph) = ossi(&mut game);
    let character = game.world.get::<Character>(root).expect("a copy has one").clone();
    let hand = character.find("hand.L").expect("it has one");
    let hips = character.find("hips").expect("it has them");
    let rest = game.world.get::<LocalTransform>(hips).expect("a node").0;
    set(&mut game, root, "speed", 1.4);
    for _ in 0..60 {
        game.run(1.0 / 60.0);
    }
    let mut last = game.place(hand);
    let mut farthest = 0.0_f32;
    let dance = character.scene().find_clip("dance").expect("it has it");
    for (seconds, how) in [(0.3, Transition::fade(0.3)), (0.2, Transition::inertialize(0.3))] {
        let motions = [Motion::from(dance), Motion::from(GraphPlayer::new(Arc::clone(&graph)))];
        for motion in motions {
            player(&mut game, root).start(motion, how);
            for _ in 0..(seconds * 60.0) as usize {
                game.run(1.0 / 60.0);
                farthest = farthest.max(game.place(hand).distance(last));
                last = game.place(hand);
            }
        }
    }
    assert!(farthest < 0.15, "the hand jumps by {farthest} m in a frame");
    player(&mut game, root).stop();
    game.run(0.0);
    assert_eq!(game.world.get::<LocalTransform>(hips).expect("a node").0, rest);
}

#[test]
fn targets_are_reached_on_top_of_a_graph() {
    let mut game = Game::new();
    let (root, _) = ossi(&mut game);
    let character = game.world.get::<Character>(root).expect("a copy has one").clone();
    let skeleton = character.scene().skeleton();
    let hand = skeleton.find("hand.L").expect("it has one");
    let limb = TwoBone::new(skeleton, hand).expect("it has two above");
    let limb = player(&mut game, root).modifiers_mut().add(Modifier::TwoBone(limb));
    let cup = game.node(None, Vec3::new(0.3, 1.2, 0.3));
    game.world.entity_mut(root).insert(Targets::default().with(limb, cup));
    game.run(0.0);
    for _ in 0..20 {
        game.run(1.0 / 30.0);
        let found = game.place(character.nodes()[hand.index()]);
        assert!(found.abs_diff_eq(Vec3::new(0.3, 1.2, 0.3), 1e-3), "{found}");
    }
    let outcome = player(&mut game, root).modifiers().outcome(limb);
    assert_eq!(outcome, Some(Outcome::Reached));
}
