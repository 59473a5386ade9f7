//! A model in a Bevy app without a window: loaded from bytes, spawned, played, and compared with `Actor`.

use std::path::Path;
use std::time::Duration;

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::io::memory::{Dir, MemoryAssetReader};
use bevy_asset::io::{AssetSourceBuilder, AssetSourceId};
use bevy_asset::{AssetApp, AssetPlugin, AssetServer, Assets, LoadState};
use bevy_ecs::prelude::*;
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{Mesh, Mesh3d, MeshPlugin};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::GlobalTransform;
use sinew::glam::{Affine3A, Mat4};
use sinew::{Actor, ClipId, Transition};
use sinew_bevy::{AnimationPlayer, SinewModel, SinewNodes, SinewPlugin, SinewScene};

/// A bone 1 m up a bone, which swings 90° about Z in a second.
const SWING: &str = "HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n\
    JOINT hand\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n\
    End Site\n{\nOFFSET 0 1 0\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 1.0\n0 0 0 0 0 0\n90 0 0 0 0 0\n";

fn app(files: &[(&str, &[u8])]) -> App {
    let dir = Dir::default();
    for (name, bytes) in files {
        dir.insert_asset(Path::new(name), bytes.to_vec());
    }
    let mut app = App::new();
    let reader = move || Box::new(MemoryAssetReader { root: dir.clone() }) as Box<_>;
    app.register_asset_source(AssetSourceId::Default, AssetSourceBuilder::new(reader));
    app.add_plugins((TaskPoolPlugin::default(), AssetPlugin::default(), TimePlugin));
    app.add_plugins((TransformPlugin, MeshPlugin, SinewPlugin));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app
}

/// Spawns a file and waits until it is there, or cannot be.
fn spawn(app: &mut App, name: &'static str) -> Entity {
    let handle = app.world().resource::<AssetServer>().load::<SinewScene>(name);
    let root = app.world_mut().spawn(SinewModel(handle.clone())).id();
    for _ in 0..2000 {
        app.update();
        let state = app.world().resource::<AssetServer>().load_state(&handle);
        let failed = matches!(state, LoadState::Failed(_));
        if failed || app.world().get::<SinewNodes>(root).is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    app.update();
    root
}

fn global(app: &App, entity: Entity) -> Affine3A {
    app.world().get::<GlobalTransform>(entity).expect("a node has one").affine()
}

#[test]
fn a_file_loads_spawns_and_moves_as_an_actor_does() {
    let mut app = app(&[("swing.bvh", SWING.as_bytes())]);
    let root = spawn(&mut app, "swing.bvh");
    let mut player = app.world_mut().get_mut::<AnimationPlayer>(root).expect("it is there");
    player.start(ClipId::new(0), Transition::Cut);
    let scene = player.scene().clone();
    // Bevy lets no more than a quarter of a second pass at once.
    let quarter = Duration::from_millis(250);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(quarter));
    app.update();
    app.update();
    let mut actor = Actor::new(scene);
    actor.start(ClipId::new(0), Transition::Cut);
    actor.advance(0.5);
    let nodes = app.world().get::<SinewNodes>(root).expect("it is there").nodes().to_vec();
    assert_eq!(nodes.len(), actor.pose().len());
    let moved = actor.pose().model_from_joint()[1].translation;
    assert!(moved.x.abs() > 0.5, "half of the swing: {moved}");
    for (node, expected) in nodes.iter().zip(actor.pose().model_from_joint()) {
        let found = global(&app, *node);
        assert!(found.abs_diff_eq(*expected, 1e-5), "{found:?} for {expected:?}");
    }
    app.world_mut().despawn(root);
    app.update();
    assert!(nodes.iter().all(|node| app.world().get_entity(*node).is_err()));
}

#[test]
fn a_skin_has_its_joints_and_one_more_for_what_nobody_influences() {
    let mesh = include_bytes!("arm.md5mesh");
    let mut app = app(&[("arm.md5mesh", mesh)]);
    let root = spawn(&mut app, "arm.md5mesh");
    let nodes = app.world().get::<SinewNodes>(root).expect("it is there").nodes().len();
    let mut skinned = app.world_mut().query::<(&SkinnedMesh, &Mesh3d)>();
    let (skin, mesh) = skinned.single(app.world()).expect("one mesh");
    let binds = app.world().resource::<Assets<SkinnedMeshInverseBindposes>>();
    let binds = binds.get(&skin.inverse_bindposes).expect("loaded with the scene");
    assert_eq!((skin.joints.len(), binds.len()), (3, 3));
    assert_eq!(*binds.last().expect("three"), Mat4::IDENTITY);
    assert!(nodes >= 2);
    let mesh = app.world().resource::<Assets<Mesh>>().get(&mesh.0).expect("loaded too");
    assert_eq!(mesh.count_vertices(), 3);
    // At rest, what a joint does to its vertices and what it was bound with cancel out.
    for (joint, bind) in skin.joints.iter().zip(binds.iter()).take(2) {
        let found = Mat4::from(global(&app, *joint)) * *bind;
        assert!(found.abs_diff_eq(Mat4::from(global(&app, root)), 1e-5), "{found}");
    }
}

#[test]
fn a_broken_file_fails_in_words_and_spawns_nothing() {
    let mut app = app(&[("broken.bvh", b"HIERARCHY\nROOT hip\n{")]);
    let root = spawn(&mut app, "broken.bvh");
    assert!(app.world().get::<SinewNodes>(root).is_none());
    let model = app.world().get::<SinewModel>(root).expect("still there").0.clone();
    let state = app.world().resource::<AssetServer>().load_state(&model);
    assert!(matches!(state, LoadState::Failed(_)), "{state:?}");
}
