//! Bad input: reported in `Diagnostics`, and everything else goes on.

mod common;

use bevy_ecs::prelude::*;
use common::Game;
use sinew::InstanceId;
use sinew::JointId;
use sinew::glam::Vec3;
use sinew_ecs::{
    AnimationPlayer, Character, Diagnostic, Diagnostics, Driven, JointMatrices, LocalTransform,
    Model, MorphWeights, SceneElement,
};

fn first(game: &Game) -> Diagnostic {
    game.world.resource::<Diagnostics>().iter().next().expect("there is one").clone()
}

#[test]
fn a_skin_that_lost_a_joint_says_which_and_keeps_its_matrix() {
    let mut game = Game::new();
    let arm = Model::new(sinew::demo()).spawn(&mut game.world);
    let mut player = game.world.get_mut::<AnimationPlayer>(arm).expect("a copy has one");
    player.play("wave").expect("the rig has it");
    game.run(0.3);
    let character = game.world.get::<Character>(arm).expect("a copy has one").clone();
    let skin = character.skins()[0];
    let before = game.world.get::<JointMatrices>(skin).expect("it has them").clone();
    game.world.despawn(character.find("wrist").expect("it has one"));
    for _ in 0..3 {
        game.run(0.1);
        assert_eq!(first(&game), Diagnostic::LostJoint { skin, joint: 2, name: "wrist".into() });
        assert_eq!(game.world.resource::<Diagnostics>().len(), 1);
    }
    assert!(
        game.diagnostics()[0].ends_with("has lost its joint 2 (\"wrist\")"),
        "{:?}",
        game.diagnostics()
    );
    let after = game.world.get::<JointMatrices>(skin).expect("it has them");
    assert_eq!(after.node_from_mesh[2], before.node_from_mesh[2]);
    assert_ne!(after.node_from_mesh[1], before.node_from_mesh[1], "the others go on");
}

#[test]
fn a_hierarchy_that_became_a_cycle_is_named_and_fixed() {
    let mut game = Game::new();
    let a = game.node(None, Vec3::X);
    let b = game.node(Some(a), Vec3::X);
    let c = game.node(Some(b), Vec3::X);
    let leaf = game.node(Some(c), Vec3::X);
    let other = game.node(None, Vec3::Y);
    game.run(0.0);
    game.world.entity_mut(a).insert(ChildOf(c));
    game.world.get_mut::<LocalTransform>(a).expect("a node").translation = 9.0 * Vec3::X;
    game.world.get_mut::<LocalTransform>(other).expect("a node").translation = 2.0 * Vec3::Y;
    game.run(0.0);
    assert_eq!(game.world.resource::<Diagnostics>().len(), 1, "{:?}", game.diagnostics());
    assert_eq!(first(&game), Diagnostic::Cycle { node: a });
    assert_eq!(game.place(leaf), 4.0 * Vec3::X, "it stays");
    assert_eq!(game.place(other), 2.0 * Vec3::Y, "others go on");
    game.run(0.0);
    assert_eq!(first(&game), Diagnostic::Cycle { node: a });
    // A new node below the cycle is cyclic too, and placed with the rest.
    let ring = game.node(Some(leaf), Vec3::X);
    game.run(0.0);
    game.world.entity_mut(a).remove::<ChildOf>();
    game.run(0.0);
    assert!(game.diagnostics().is_empty(), "{:?}", game.diagnostics());
    assert_eq!(game.place(leaf), 12.0 * Vec3::X);
    assert_eq!(game.place(ring), 13.0 * Vec3::X);
}

#[test]
fn two_cycles_are_two_diagnostics_and_can_be_despawned() {
    let mut game = Game::new();
    let mut cycle = |size: usize| {
        let nodes: Vec<_> = (0..size).map(|_| game.node(None, Vec3::X)).collect();
        for (index, node) in nodes.iter().enumerate() {
            game.world.entity_mut(*node).insert(ChildOf(nodes[(index + 1) % size]));
        }
        nodes[0]
    };
    let (small, large) = (cycle(2), cycle(500));
    game.run(0.0);
    assert_eq!(game.world.resource::<Diagnostics>().len(), 2, "{:?}", game.diagnostics());
    game.world.despawn(small);
    game.run(0.0);
    assert_eq!(game.world.resource::<Diagnostics>().len(), 1, "{:?}", game.diagnostics());
    game.world.despawn(large);
    game.run(0.0);
    assert!(game.diagnostics().is_empty(), "{:?}", game.diagnostics());
}

#[test]
fn a_character_below_its_own_hand_is_a_cycle_and_does_not_hang_the_program() {
    let mut game = Game::new();
    let model = Model::new(sinew::demo());
    let (lost, other) = (model.spawn(&mut game.world), model.spawn(&mut game.world));
    game.run(0.0);
    let hand = game.world.get::<Character>(lost).expect("a copy has one").find("wrist");
    game.world.entity_mut(lost).insert(ChildOf(hand.expect("it has one")));
    game.run(0.1);
    assert!(matches!(first(&game), Diagnostic::Cycle { .. }));
    game.world.despawn(lost);
    game.world.get_mut::<LocalTransform>(other).expect("a node").translation = Vec3::X;
    game.run(0.1);
    assert!(game.diagnostics().is_empty(), "{:?}", game.diagnostics());
    assert_eq!(game.place(other), Vec3::X);
}

#[test]
fn a_number_that_is_not_finite_moves_nothing_and_is_reported_until_it_is_fixed() {
    let mut game = Game::new();
    let root = game.node(None, Vec3::ZERO);
    let bad = game.node(Some(root), Vec3::X);
    let below = game.node(Some(bad), Vec3::X);
    game.run(0.0);
    game.world.get_mut::<LocalTransform>(bad).expect("a node").translation.x = f32::NAN;
    game.run(0.0);
    assert_eq!(first(&game), Diagnostic::NotFinite { node: bad });
    game.world.get_mut::<LocalTransform>(root).expect("a node").translation.y = 1.0;
    game.run(0.0);
    assert_eq!(first(&game), Diagnostic::NotFinite { node: bad });
    game.run(0.0);
    assert_eq!(first(&game), Diagnostic::NotFinite { node: bad });
    assert_eq!((game.place(bad), game.place(below)), (Vec3::X, 2.0 * Vec3::X));
    game.world.get_mut::<LocalTransform>(bad).expect("a node").translation.x = 3.0;
    game.run(0.0);
    assert!(game.diagnostics().is_empty(), "{:?}", game.diagnostics());
    assert_eq!(game.place(below), Vec3::new(4.0, 1.0, 0.0));
}

#[test]
fn an_element_that_is_not_there_is_reported_and_its_entity_is_left_alone() {
    let mut game = Game::new();
    let arm = Model::new(sinew::demo()).spawn(&mut game.world);
    let mut player = game.world.get_mut::<AnimationPlayer>(arm).expect("a copy has one");
    player.play("flex").expect("the rig has it");
    assert!(player.play("moonwalk").is_err());
    let node = game.node(None, Vec3::X);
    let element = SceneElement::Node(JointId::new(99));
    game.world.entity_mut(node).insert(Driven { player: arm, element });
    let element = SceneElement::Mesh(InstanceId::new(7));
    let mesh = game.world.spawn((MorphWeights(vec![0.5]), Driven { player: arm, element })).id();
    game.run(0.1);
    let mut found: Vec<Diagnostic> = game.world.resource::<Diagnostics>().iter().cloned().collect();
    found.sort_by_key(
        |diagnostic| matches!(diagnostic, Diagnostic::MissingElement { entity, .. } if *entity == mesh),
    );
    let wrong = |entity| Diagnostic::MissingElement { entity, player: arm };
    assert_eq!(found, [wrong(node), wrong(mesh)]);
    assert_eq!(game.place(node), Vec3::X);
    // A player that is gone drives nobody.
    game.world.entity_mut(arm).remove::<AnimationPlayer>();
    game.run(0.1);
    assert!(game.diagnostics().is_empty(), "{:?}", game.diagnostics());
}
