//! The fourth step: what is drawn, what it leaves on the GPU, and what it reports when something is missing.

#![cfg(feature = "render")]

mod common;
#[path = "../../../examples/04_systems.rs"]
mod example;

use std::sync::Arc;

use common::Game;
use sinew::glam::{Affine3A, Vec3};
use sinew::render::{Camera as RenderCamera, Frame, Gpu, Image, Renderer, Target, View};
use sinew::scene::{MeshId, Projection, SkinMethod};
use sinew::stage::Surroundings;
use sinew::{Actor, ClipId, Scene, Transform, Transition};
use sinew_ecs::{
    AnimationPlayer, Camera, Character, Diagnostic, Diagnostics, Light, LocalTransform, Mesh,
    Model, MorphWeights, Screen,
};

/// How many pixels differ by more than a rounding, and how many there are.
fn differing(a: &Image, b: &Image) -> (usize, usize) {
    assert_eq!((a.width, a.height), (b.width, b.height));
    let pairs = a.rgba.chunks_exact(4).zip(b.rgba.chunks_exact(4));
    let far = |(a, b): &(&[u8], &[u8])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 3);
    (pairs.filter(far).count(), a.rgba.len() / 4)
}

fn screen(game: &mut Game) {
    game.world.insert_resource(Screen::headless(96, 96).expect("a driver is there"));
}

fn shot(game: &Game) -> Image {
    game.world.resource::<Screen>().read().expect("the device is there")
}

/// Spawned and played for half a second.
fn spawn(game: &mut Game, scene: &Arc<Scene>, clip: usize) -> bevy_ecs::entity::Entity {
    let root = Model::new(Arc::clone(scene)).spawn(&mut game.world);
    let mut player = game.world.get_mut::<AnimationPlayer>(root).expect("a copy has one");
    player.start(ClipId::new(clip), Transition::Cut);
    root
}

/// The same by an actor, through the renderer.
fn by_actor(scene: &Arc<Scene>, clip: usize, place: Affine3A) -> Image {
    let mut actor = Actor::new(Arc::clone(scene));
    actor.start(ClipId::new(clip), Transition::Cut);
    actor.place(place);
    actor.advance(0.5);
    let gpu = Gpu::headless().expect("a driver is there");
    let mut renderer = Renderer::new(&gpu);
    let model = renderer.upload(scene).expect("it fits");
    let target = Target::new(&gpu, 96, 96).expect("it is small");
    let mut frame =
        Frame::new(RenderCamera::frame(actor.bounds(), View::Front.direction(), 0.55, 1.0));
    Surroundings::default().apply(&mut frame);
    frame.floor = sinew::render::Floor::under(actor.bounds());
    frame.camera = RenderCamera::frame(actor.bounds(), View::ThreeQuarter.direction(), 0.55, 1.0);
    frame.add(&model, &actor.view());
    renderer.draw(&mut frame, &target).expect("it draws");
    target.read(&gpu).expect("it is there")
}

#[test]
fn a_user_system_between_animation_and_node_is_seen_in_the_image() {
    let with = example::image(true, 160, 120).expect("it draws");
    let without = example::image(false, 160, 120).expect("it draws");
    let again = example::image(true, 160, 120).expect("it draws");
    let (far, all) = differing(&with, &without);
    // The head is a few hundred pixels of the image; the rest stays as it is, but for its shadow.
    assert!(far > 60 && far < all / 10, "{far} of {all} pixels differ");
    assert_eq!(differing(&with, &again).0, 0);
}

#[test]
fn the_image_is_an_actors_with_morph_targets_and_dual_quaternions() {
    for method in [SkinMethod::Linear, SkinMethod::DualQuaternion] {
        let mut parts = sinew::demo().into_parts();
        parts.skins[0].method = method;
        let scene = Arc::new(Scene::new(parts).expect("a scene"));
        let mut game = Game::new();
        screen(&mut game);
        let root = spawn(&mut game, &scene, 1);
        let place = Transform::from_translation(Vec3::new(2.0, 0.0, 1.0));
        game.world.entity_mut(root).insert(LocalTransform(place));
        game.run(0.5);
        let expected = by_actor(&scene, 1, place.to_affine());
        let (far, all) = differing(&shot(&game), &expected);
        assert!(far <= all / 500, "{method:?}: {far} of {all} pixels differ");
        assert!(game.diagnostics().is_empty(), "{:?}", game.diagnostics());
    }
}

#[test]
fn despawned_models_leave_the_gpu_when_nobody_has_their_scene() {
    let mut game = Game::new();
    screen(&mut game);
    let scene = Arc::new(sinew::demo());
    let roots = [0, 1, 0].map(|clip| spawn(&mut game, &scene, clip));
    game.run(0.1);
    assert_eq!(game.world.resource::<Screen>().model_count(), 1, "copies share one");
    assert_eq!(game.world.resource::<Screen>().stats().seen, 3);
    for root in roots {
        game.world.despawn(root);
    }
    game.run(0.1);
    assert_eq!(game.world.resource::<Screen>().model_count(), 1, "we still have the scene");
    let held = Arc::downgrade(&scene);
    drop(scene);
    game.run(0.1);
    assert_eq!(game.world.resource::<Screen>().model_count(), 0);
    assert_eq!(held.strong_count(), 0);
    assert_eq!(game.world.resource::<Screen>().stats().seen, 0);
    assert!(game.diagnostics().is_empty(), "{:?}", game.diagnostics());
}

#[test]
fn what_cannot_be_drawn_is_reported_and_the_rest_is_drawn() {
    let mut game = Game::new();
    screen(&mut game);
    let scene = Arc::new(sinew::demo());
    let (good, bad) = (spawn(&mut game, &scene, 0), spawn(&mut game, &scene, 0));
    let other = Arc::new(common::sheared());
    let far = spawn(&mut game, &other, 0);
    let parts = |game: &Game, root| game.world.get::<Character>(root).expect("it has one").clone();
    let (lost, skin) = (parts(&game, bad).meshes()[0], parts(&game, bad).skins()[0]);
    game.world.despawn(skin);
    // The arm's mesh is influenced by three joints; these skins have two.
    let short = parts(&game, far).meshes()[0];
    let mesh = Mesh {
        scene: Arc::clone(&scene),
        mesh: MeshId::new(0),
        skin: Some(parts(&game, far).skins()[0]),
    };
    game.world.entity_mut(short).insert((mesh, MorphWeights(vec![0.0])));
    let wide = parts(&game, good).meshes()[0];
    let mesh = Mesh { scene: Arc::clone(&scene), mesh: MeshId::new(8), skin: None };
    let none = game.world.spawn((mesh, LocalTransform::default())).id();
    game.world.entity_mut(wide).remove::<sinew_ecs::Driven>();
    game.world.entity_mut(wide).insert(MorphWeights(vec![f32::NAN, 1.0]));
    game.run(0.1);
    let found: Vec<Diagnostic> = game.world.resource::<Diagnostics>().iter().cloned().collect();
    let expected = [
        Diagnostic::LostSkin { mesh: lost, skin },
        Diagnostic::ShortSkin { mesh: short, needs: 3, has: 2 },
        Diagnostic::MissingMesh { mesh: none, index: 8, count: 1 },
        Diagnostic::WrongWeights { mesh: wide, expected: 1, found: 2 },
    ];
    assert!(expected.iter().all(|diagnostic| found.contains(diagnostic)), "{found:#?}");
    assert_eq!(found.len(), 4);
    // The good arm and the two other meshes of the sheared scene.
    assert_eq!(game.world.resource::<Screen>().stats().seen, 3);
}

#[test]
fn cameras_and_lights_are_entities_that_go_with_their_nodes() {
    let mut game = Game::new();
    screen(&mut game);
    let scene = Arc::new(sinew::demo());
    spawn(&mut game, &scene, 0);
    let projection =
        Projection::Orthographic { half_width: 1.0, half_height: 1.0, near: 0.1, far: 100.0 };
    let aside = Transform::from_translation(Vec3::new(50.0, 0.75, 5.0));
    let camera = game.world.spawn((Camera { projection, on: true }, LocalTransform(aside))).id();
    game.run(0.0);
    assert_eq!(game.world.resource::<Screen>().stats().seen, 0, "it looks past the arm");
    game.world.get_mut::<LocalTransform>(camera).expect("a node").translation.x = 0.0;
    game.run(0.0);
    assert_eq!(game.world.resource::<Screen>().stats().seen, 1);
    let before = shot(&game);
    let light = Light::directional(Vec3::X, 5.0);
    let light = game.world.spawn((light, LocalTransform::default())).id();
    game.run(0.0);
    let red = |image: &Image| -> u32 {
        image.rgba.chunks_exact(4).map(|pixel| u32::from(pixel[0])).sum()
    };
    assert!(red(&shot(&game)) > red(&before), "a red light from the front");
    game.world.get_mut::<Light>(light).expect("it is one").on = false;
    game.run(0.0);
    assert_eq!(differing(&shot(&game), &before).0, 0);
}

#[test]
fn a_target_of_no_size_draws_nothing_and_comes_back() {
    let mut game = Game::new();
    screen(&mut game);
    spawn(&mut game, &Arc::new(sinew::demo()), 0);
    game.world.resource_mut::<Screen>().resize(0, 0).expect("no size is a size");
    game.run(0.1);
    assert!(game.diagnostics().is_empty(), "{:?}", game.diagnostics());
    assert!(game.world.resource_mut::<Screen>().resize(1 << 20, 8).is_err());
    game.world.resource_mut::<Screen>().resize(32, 32).expect("it is small");
    game.run(0.1);
    assert_eq!(game.world.resource::<Screen>().stats().seen, 1);
}
