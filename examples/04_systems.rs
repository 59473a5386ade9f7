//! Four systems, and one of your own between them: a head that looks at a waving hand.
//!
//! ![Ossi looks at a waving arm](../docs/examples/04_systems.png)
//!
//! ```sh
//! cargo run --example 04_systems -- systems.png
//! ```
//!
//! animation → **look** → node → skinning → render. The clip has written every local transform when `look` runs, and
//! nothing has been made of them yet: what it writes to the head is seen in the same image.

use std::error::Error;

use bevy_ecs::prelude::*;
use sinew::glam::{Quat, Vec3};
use sinew::render::Image;
use sinew::{LoopMode, Transform};
use sinew_ecs::{
    AnimationPlayer, Camera, Character, Diagnostics, LocalTransform, Model, Screen, Step,
    WorldTransform, install, run,
};

/// How far a head rotates to a side, in radians.
const MAX_ANGLE: f32 = 1.2;

/// A head, and what it looks at.
#[derive(Component)]
struct LooksAt(Entity);

/// Rotates heads to what they look at. Where their necks and targets are is known from the frame before. (This shows
/// where a system of your own goes; `Modifier::LookAt` with `Targets` is there for the same without one.)
fn look(
    mut heads: Query<'_, '_, (&LooksAt, &ChildOf, &mut LocalTransform)>,
    worlds: Query<'_, '_, &WorldTransform>,
) {
    for (looks_at, neck, mut head) in &mut heads {
        let (Ok(neck), Ok(target)) = (worlds.get(neck.parent()), worlds.get(looks_at.0)) else {
            continue; // Whatever it looked at is gone.
        };
        let target = neck.0.inverse().transform_point3a(target.0.translation);
        let away = Vec3::from(target) - head.translation;
        let aside = away.x.atan2(away.z).clamp(-MAX_ANGLE, MAX_ANGLE);
        let up = away.y.atan2(away.x.hypot(away.z)).clamp(-MAX_ANGLE, MAX_ANGLE);
        head.rotation = Quat::from_rotation_y(aside) * Quat::from_rotation_x(-up);
    }
}

/// One copy of a model that plays a clip; gives its root.
fn spawn(world: &mut World, model: &Model, clip: &str, at: Vec3) -> Result<Entity, Box<dyn Error>> {
    let root = model.spawn(world);
    let place = Transform::from_translation(at);
    world.entity_mut(root).insert(LocalTransform(place));
    let mut player = world.get_mut::<AnimationPlayer>(root).ok_or("a copy has a player")?;
    player.play(clip)?;
    player.set_loop_mode(LoopMode::PingPong);
    Ok(root)
}

fn node(world: &World, root: Entity, name: &str) -> Result<Entity, String> {
    let found = world.get::<Character>(root).and_then(|character| character.find(name));
    found.ok_or_else(|| format!("there is no node \"{name}\""))
}

/// The scene after a second and a half, with or without the look.
pub(crate) fn image(looking: bool, width: u32, height: u32) -> Result<Image, Box<dyn Error>> {
    let mut world = World::new();
    let mut schedule = Schedule::default();
    install(&mut world, &mut schedule);
    schedule.add_systems(look.after(Step::Animation).before(Step::Node));

    let ossi = spawn(&mut world, &Model::new(sinew::ossi()), "idle", Vec3::ZERO)?;
    let arm = spawn(&mut world, &Model::new(sinew::demo()), "wave", Vec3::new(0.95, 0.0, 0.55))?;
    if looking {
        let (head, hand) = (node(&world, ossi, "head")?, node(&world, arm, "wrist")?);
        world.entity_mut(head).insert(LooksAt(hand));
    }
    let from = Transform {
        translation: Vec3::new(0.45, 1.25, 4.4),
        rotation: Quat::from_rotation_x(-0.06),
        ..Transform::IDENTITY
    };
    world.spawn((Camera::perspective(0.5), LocalTransform(from)));

    for _ in 0..45 {
        run(&mut world, &mut schedule, 1.0 / 30.0);
    }
    // From here on there is something to draw into; the render step sees it by itself.
    world.insert_resource(Screen::headless(width, height)?);
    run(&mut world, &mut schedule, 0.0);
    if let Some(diagnostic) = world.resource::<Diagnostics>().iter().next() {
        return Err(diagnostic.to_string().into());
    }
    Ok(world.resource::<Screen>().read()?)
}

#[allow(dead_code)] // A test takes the image without it.
fn main() -> Result<(), Box<dyn Error>> {
    let out = std::env::args().nth(1).unwrap_or_else(|| "04_systems.png".into());
    let Image { width, height, rgba } = image(true, 640, 480)?;
    image::save_buffer(&out, &rgba, width, height, image::ColorType::Rgba8)?;
    println!("{out}");
    Ok(())
}
