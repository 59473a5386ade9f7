//! The four systems and `Actor` agree: node matrices, palettes and morph weights, on scenes made by code, and on
//! every model of a folder (environment variable `SINEW_MODELS`, or the shared files beside the checkout) where
//! there is one.

mod common;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use common::Game;
use sinew::glam::{Affine3A, Quat, Vec3};
use sinew::{Actor, ClipId, InstanceId, Scene, Transform, Transition};
use sinew_ecs::{
    AnimationPlayer, Character, JointMatrices, LocalTransform, Model, MorphWeights, WorldTransform,
};

/// Of the model's size. Both do the same sums in single precision, but in another order.
const TOLERANCE: f32 = 1e-5;

/// By how much two lists of matrices differ, and how large they are.
fn gap(found: impl Iterator<Item = Affine3A>, expected: &[Affine3A]) -> (f32, f32) {
    let found: Vec<Affine3A> = found.collect();
    assert_eq!(found.len(), expected.len());
    let numbers = |m: &Affine3A| m.to_cols_array();
    let mut worst = (0.0_f32, 1e-6_f32);
    for (a, b) in found.iter().zip(expected) {
        for (a, b) in numbers(a).into_iter().zip(numbers(b)) {
            assert!(a.is_finite(), "{a}");
            worst = (worst.0.max((a - b).abs()), worst.1.max(b.abs()));
        }
    }
    worst
}

/// Compares one moment; the message says what differs.
fn compare(game: &Game, root: bevy_ecs::entity::Entity, actor: &Actor) -> Result<(), String> {
    let character = game.world.get::<Character>(root).expect("a copy has one");
    let place = actor.world_from_model();
    let expected: Vec<_> = actor.pose().model_from_joint().iter().map(|m| place * *m).collect();
    let nodes = character.nodes().iter();
    let (worst, size) =
        gap(nodes.map(|n| game.world.get::<WorldTransform>(*n).expect("a node").0), &expected);
    if worst > TOLERANCE * size {
        return Err(format!("nodes differ by {worst} of {size}"));
    }
    for (index, skin) in character.skins().iter().enumerate() {
        let matrices = game.world.get::<JointMatrices>(*skin).expect("a skin has them");
        let (worst, own) = gap(matrices.world_from_mesh(), actor.palette(index));
        if worst > TOLERANCE * size.max(own) {
            return Err(format!("skin {index} differs by {worst} of {own}"));
        }
    }
    for (index, mesh) in character.meshes().iter().enumerate() {
        let expected = actor.pose().weights(InstanceId::new(index));
        let found = game.world.get::<MorphWeights>(*mesh).map_or(&[][..], |weights| &weights.0);
        if found != expected {
            return Err(format!("weights of mesh {index}: {found:?} for {expected:?}"));
        }
    }
    Ok(())
}

/// Rest, then moments of every clip, at a place in the world.
fn agree(scene: impl Into<Arc<Scene>>) -> Result<(), String> {
    let scene = scene.into();
    let mut game = Game::new();
    let mut actor = Actor::new(Arc::clone(&scene));
    let root = Model::new(Arc::clone(&scene)).spawn(&mut game.world);
    let place = Transform {
        translation: Vec3::new(3.0, -1.0, 2.0),
        rotation: Quat::from_rotation_y(0.8),
        scale: Vec3::splat(1.5),
    };
    actor.place(place.to_affine());
    game.world.entity_mut(root).insert(LocalTransform(place));
    game.run(0.0);
    compare(&game, root, &actor).map_err(|error| format!("at rest: {error}"))?;
    for index in 0..scene.clips.len() {
        let clip = ClipId::new(index);
        actor.start(clip, Transition::Cut);
        let mut player = game.world.get_mut::<AnimationPlayer>(root).expect("a copy has one");
        player.start(clip, Transition::Cut);
        let duration = scene.clips[index].duration;
        for step in [0.0, 0.13, 0.4, 0.6] {
            actor.advance(step * duration);
            game.run(step * duration);
            let at = |error| format!("clip {index} at {} s: {error}", actor.time());
            compare(&game, root, &actor).map_err(at)?;
        }
    }
    actor.stop();
    game.world.get_mut::<AnimationPlayer>(root).expect("a copy has one").stop();
    game.run(0.1);
    compare(&game, root, &actor).map_err(|error| format!("stopped: {error}"))?;
    match game.diagnostics() {
        diagnostics if diagnostics.is_empty() => Ok(()),
        diagnostics => Err(diagnostics.join("; ")),
    }
}

#[test]
fn the_arm_agrees_with_its_morph_target() {
    agree(sinew::demo()).expect("the same");
}

#[test]
fn ossi_agrees() {
    agree(sinew::ossi()).expect("the same");
}

#[test]
fn sheared_nodes_and_skins_that_share_joints_agree() {
    agree(common::sheared()).expect("the same");
}

#[test]
fn a_skin_under_a_flat_node_agrees() {
    let mut parts = sinew::demo().into_parts();
    parts.nodes[0].rest.scale = Vec3::new(1.0, 0.0, 1.0);
    agree(Scene::new(parts).expect("a scene")).expect("the same");
}

#[test]
fn copies_share_one_scene_and_keep_their_own_time() {
    let mut game = Game::new();
    let model = Model::new(sinew::demo());
    let roots = [0.0, 0.3, 0.7].map(|time| {
        let root = model.spawn(&mut game.world);
        let mut player = game.world.get_mut::<AnimationPlayer>(root).expect("a copy has one");
        player.play("wave").expect("the rig has it");
        player.seek(time);
        (root, time)
    });
    game.run(0.1);
    for (root, time) in roots {
        let mut actor = Actor::new(Arc::clone(model.scene()));
        actor.play("wave").expect("the rig has it");
        actor.seek(time);
        actor.advance(0.1);
        compare(&game, root, &actor).expect("the same");
    }
}

fn models() -> Option<PathBuf> {
    let given = std::env::var_os("SINEW_MODELS").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/files");
    given.or_else(|| beside.is_dir().then_some(beside))
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            gather(&path, files);
        } else {
            files.push(path);
        }
    }
}

#[test]
fn every_model_of_a_folder_agrees() {
    let Some(folder) = models() else {
        println!("no folder of models is at hand: set SINEW_MODELS to one");
        return;
    };
    let mut files = Vec::new();
    gather(&folder, &mut files);
    files.sort();
    let start = Instant::now();
    let (mut compared, mut wrong) = (0, Vec::new());
    for file in &files {
        // Such folders have images, texts and broken files too.
        let Ok(imported) = sinew::open(file) else { continue };
        compared += 1;
        if let Err(error) = agree(imported.scene) {
            wrong.push(format!("{}: {error}", file.display()));
        }
        assert!(start.elapsed() < Duration::from_secs(600), "{compared} files took too long");
    }
    println!("{compared} models of {} files agree in {:?}", files.len(), start.elapsed());
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(compared > 0, "{} has no model", folder.display());
}
