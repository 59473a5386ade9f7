//! What each step does, in numbers worked out by hand.

mod common;

use bevy_ecs::prelude::*;
use common::Game;
use sinew::glam::{Affine3A, Mat3A, Quat, Vec3};
use sinew::scene::{JointId, Node, SceneParts, Skin as SceneSkin, SkinId};
use sinew::{Scene, Transform};
use sinew_ecs::{
    AnimationPlayer, Character, Driven, JointMatrices, LocalTransform, Model, Shear, Skin, Step,
    WorldTransform,
};
use std::sync::Arc;

/// How many nodes counted as moved in the last run.
#[derive(Default, Resource)]
struct Moved(usize);

fn count(moved: Query<'_, '_, (), Changed<WorldTransform>>, mut out: ResMut<'_, Moved>) {
    out.0 = moved.iter().count();
}

#[test]
fn a_hand_follows_a_rotated_shoulder() {
    let mut game = Game::new();
    let shoulder = game.node(None, Vec3::ZERO);
    let elbow = game.node(Some(shoulder), Vec3::X);
    let hand = game.node(Some(elbow), Vec3::X);
    game.run(0.0);
    assert_eq!(game.place(hand), 2.0 * Vec3::X);
    let rotated = Transform::from_rotation(Quat::from_rotation_z(90_f32.to_radians()));
    game.world.entity_mut(shoulder).insert(LocalTransform(rotated));
    game.run(0.0);
    assert!(game.place(hand).abs_diff_eq(2.0 * Vec3::Y, 1e-6), "{}", game.place(hand));
}

#[test]
fn a_sheared_node_shears_what_is_below_until_its_shear_is_removed() {
    let mut game = Game::new();
    let lean = game.node(None, Vec3::ZERO);
    let top = game.node(Some(lean), Vec3::Y);
    // x gains half of y.
    let shear = Mat3A::from_cols_array(&[1.0, 0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 1.0]);
    game.world.entity_mut(lean).insert(Shear(shear));
    game.run(0.0);
    assert_eq!(game.place(top), Vec3::new(0.5, 1.0, 0.0));
    game.world.entity_mut(lean).remove::<Shear>();
    game.run(0.0);
    assert_eq!(game.place(top), Vec3::Y);
}

#[test]
fn only_what_is_below_a_moved_node_counts_as_moved() {
    let mut game = Game::new();
    game.world.init_resource::<Moved>();
    game.schedule.add_systems(count.after(Step::Node));
    let root = game.node(None, Vec3::ZERO);
    let left = game.node(Some(root), Vec3::X);
    let right = game.node(Some(root), Vec3::NEG_X);
    let finger = game.node(Some(left), Vec3::X);
    game.node(Some(right), Vec3::X);
    let other = game.node(None, Vec3::Z);
    game.run(0.0);
    assert_eq!(game.world.resource::<Moved>().0, 6, "at first, everyone");
    game.run(0.0);
    assert_eq!(game.world.resource::<Moved>().0, 0, "then, nobody");
    game.world.get_mut::<LocalTransform>(left).expect("a node").translation.y = 5.0;
    game.run(0.0);
    assert_eq!(game.world.resource::<Moved>().0, 2, "left and its finger");
    assert_eq!(game.place(finger), Vec3::new(2.0, 5.0, 0.0));
    game.world.get_mut::<LocalTransform>(other).expect("a node").translation.y = 1.0;
    game.run(0.0);
    assert_eq!(game.world.resource::<Moved>().0, 1, "another tree");
}

#[test]
fn a_node_goes_with_its_new_parent_and_alone_without_one() {
    let mut game = Game::new();
    let (a, b) = (game.node(None, Vec3::X), game.node(None, 10.0 * Vec3::X));
    let hand = game.node(Some(a), Vec3::Y);
    let ring = game.node(Some(hand), Vec3::Y);
    game.run(0.0);
    assert_eq!(game.place(ring), Vec3::new(1.0, 2.0, 0.0));
    game.world.entity_mut(hand).insert(ChildOf(b));
    game.run(0.0);
    assert_eq!(game.place(ring), Vec3::new(10.0, 2.0, 0.0));
    game.world.entity_mut(hand).remove::<ChildOf>();
    game.run(0.0);
    assert_eq!(game.place(ring), 2.0 * Vec3::Y);
    // What is no node moves nobody; once it is one, it does.
    let late = game.world.spawn_empty().id();
    game.world.entity_mut(hand).insert(ChildOf(late));
    game.run(0.0);
    assert_eq!(game.place(ring), 2.0 * Vec3::Y);
    let up = Transform::from_translation(7.0 * Vec3::Z);
    game.world.entity_mut(late).insert(LocalTransform(up));
    game.run(0.0);
    assert_eq!(game.place(ring), Vec3::new(0.0, 2.0, 7.0));
    game.world.entity_mut(late).remove::<LocalTransform>();
    game.run(0.0);
    assert_eq!(game.place(ring), 2.0 * Vec3::Y);
    assert!(game.diagnostics().is_empty(), "{:?}", game.diagnostics());
}

#[test]
fn a_joint_matrix_is_inverse_node_times_joint_times_inverse_bind() {
    let scene = Scene::new(SceneParts {
        nodes: vec![Node::new("bone", None, Transform::IDENTITY)],
        skins: vec![SceneSkin {
            joints: vec![JointId::new(0)],
            joint_from_mesh: vec![Affine3A::from_translation(Vec3::NEG_X)],
            ..SceneSkin::default()
        }],
        ..SceneParts::default()
    });
    let scene = Arc::new(scene.expect("a scene"));
    let mut game = Game::new();
    let bone = game.node(None, Vec3::Y);
    let rotation = Quat::from_rotation_z(90_f32.to_radians());
    game.world.get_mut::<LocalTransform>(bone).expect("a node").rotation = rotation;
    let node = game.node(None, 5.0 * Vec3::X);
    let skin = Skin::new(scene, SkinId::new(0), vec![bone]).expect("one joint, one entity");
    game.world.entity_mut(node).insert(skin);
    game.run(0.0);
    let matrices = game.world.get::<JointMatrices>(node).expect("a skin has them");
    // (2, 0, 0) is 1 m out on the bone, which rotates it to +Y, on top of the bone's own metre;
    // seen from a node 5 m aside, that is 5 m back.
    let point = matrices.node_from_mesh[0].transform_point3(2.0 * Vec3::X);
    assert!(point.abs_diff_eq(Vec3::new(-5.0, 2.0, 0.0), 1e-6), "{point}");
    let drawn = matrices.world_from_mesh().next().expect("one").transform_point3(2.0 * Vec3::X);
    assert!(drawn.abs_diff_eq(2.0 * Vec3::Y, 1e-6), "{drawn}");
}

#[test]
fn a_system_between_animation_and_node_has_the_last_word_each_frame() {
    #[derive(Component)]
    struct Rotated;
    fn rotate(mut nodes: Query<'_, '_, &mut LocalTransform, With<Rotated>>) {
        for mut node in &mut nodes {
            node.rotation *= Quat::from_rotation_z(90_f32.to_radians());
        }
    }
    let mut game = Game::new();
    game.schedule.add_systems(rotate.after(Step::Animation).before(Step::Node));
    let arm = Model::new(sinew::demo()).spawn(&mut game.world);
    game.world
        .get_mut::<AnimationPlayer>(arm)
        .expect("a copy has one")
        .play("flex")
        .expect("it has");
    let character = game.world.get::<Character>(arm).expect("a copy has one").clone();
    let (elbow, wrist) = (character.find("elbow"), character.find("wrist"));
    let (elbow, wrist) = (elbow.expect("an elbow"), wrist.expect("a wrist"));
    game.world.entity_mut(elbow).insert(Rotated);
    // At its start the clip holds the arm straight up; the rotation takes the forearm aside. It does not add up.
    for _ in 0..3 {
        game.run(0.0);
        let found = game.place(wrist);
        assert!(found.abs_diff_eq(Vec3::new(-0.6, 0.6, 0.0), 1e-5), "{found}");
    }
    // Without a driver the node is the user's own, and the rotations add up.
    game.world.entity_mut(elbow).remove::<Driven>();
    game.run(0.0);
    assert!(game.place(wrist).abs_diff_eq(Vec3::ZERO, 1e-5), "{}", game.place(wrist));
}

#[test]
fn despawning_copies_leaves_neither_entities_nor_scenes() {
    let mut game = Game::new();
    let model = Model::new(common::sheared());
    game.run(0.0);
    let empty = game.world.query::<EntityRef<'_>>().iter(&game.world).count();
    let shared = Arc::strong_count(model.scene());
    for _ in 0..3 {
        let roots: Vec<Entity> = (0..20).map(|_| model.spawn(&mut game.world)).collect();
        game.run(0.1);
        for root in roots {
            game.world.despawn(root);
        }
        game.run(0.1);
        let left = game.world.query::<EntityRef<'_>>().iter(&game.world).count();
        assert_eq!(left, empty);
        assert_eq!(Arc::strong_count(model.scene()), shared);
        assert!(game.diagnostics().is_empty(), "{:?}", game.diagnostics());
    }
}
