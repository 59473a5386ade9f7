//! Feet on stairs and slopes: a walk made for a flat floor, on ground that is not.
//!
//! ```sh
//! cargo run --example motion_feet                                  # numbers
//! cargo run --example motion_feet --features render -- feet.png    # and an image
//! ```
//!
//! [`Feet`] asks for the ground under each ankle, lowers the hips so that the lowest foot reaches, bends the knees and
//! turns the soles along the slope. The ground is any function; here it is a hill.

#[cfg(feature = "render")]
mod studio;

use std::error::Error;

use sinew::Actor;
use sinew::glam::{Affine3A, Vec3};
use sinew::motion::{Feet, Ground};

const TICK: f32 = 1.0 / 60.0;

/// Metres above zero.
fn height(x: f32, z: f32) -> f32 {
    0.25 * (1.3 * z).sin() + 0.1 * (2.0 * x).sin()
}

/// Height and slope below a place of the world, as the model sees them.
fn ground(world_from_model: &Affine3A, model: Vec3) -> Option<Ground> {
    let at = world_from_model.transform_point3(model);
    let slope = |dx: f32, dz: f32| {
        (height(at.x + dx, at.z + dz) - height(at.x - dx, at.z - dz)) / (2.0 * (dx + dz))
    };
    let normal = Vec3::new(-slope(0.05, 0.0), 1.0, -slope(0.0, 0.05));
    Some(Ground { height: height(at.x, at.z) - world_from_model.translation.y, normal })
}

fn place(actor: &Actor, name: &str) -> Vec3 {
    let joint = actor.scene().skeleton().find(name).map_or(0, |joint| joint.index());
    let model = actor.pose().model_from_joint()[joint].translation;
    actor.world_from_model().transform_point3(model.into())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut actor = Actor::new(sinew::ossi());
    actor.play("walk")?;
    let find = |name: &str| actor.scene().skeleton().find(name).ok_or(format!("no {name}"));
    let ankles = [find("foot.L")?, find("foot.R")?];
    let mut feet = Feet::new(actor.scene().skeleton(), find("hips")?, &ankles)?;
    let sole = feet.feet()[0].sole;

    #[cfg(feature = "render")]
    let mut studio =
        studio::Studio::new(&actor, Vec3::new(5.2, 1.6, 0.8), Vec3::new(0.0, 0.75, 0.6))?;

    let mut deepest = f32::MAX;
    for frame in 0..59 {
        // The clip's own root motion carries the model; only its height over the ground is ours.
        let world_from_model = Affine3A::from_translation(Vec3::Z * -1.2);
        actor.place(world_from_model);
        actor.advance_with(TICK, |pose, skeleton| {
            feet.apply(pose, skeleton, TICK, |at| ground(&world_from_model, at));
        });
        let above = |name: &str| {
            let ankle = place(&actor, name);
            ankle.y - sole - height(ankle.x, ankle.z)
        };
        let (left, right) = (above("foot.L"), above("foot.R"));
        deepest = deepest.min(left).min(right);
        if frame % 8 == 0 {
            let hips = place(&actor, "hips");
            println!(
                "{:.2} s  hips {:.2} m high at z {:+.2}  soles above ground: left {left:+.3}, right {right:+.3}",
                frame as f32 * TICK,
                hips.y,
                hips.z
            );
        }
        #[cfg(feature = "render")]
        if frame % 14 == 0 {
            actor.place(Affine3A::from_translation(Vec3::Z * -1.2));
            studio.add(&actor);
        }
    }
    println!("deepest sole: {:.1} mm below the ground", -1000.0 * deepest.min(0.0));
    assert!(deepest > -0.03, "a foot sank in by {deepest} m");

    #[cfg(feature = "render")]
    if let Some(path) = std::env::args().nth(1) {
        // The ground as a net of lines.
        for step in -16..=24 {
            for (from, to) in [
                (-6, -5),
                (-5, -4),
                (-4, -3),
                (-3, -2),
                (-2, -1),
                (-1, 0),
                (0, 1),
                (1, 2),
                (2, 3),
                (3, 4),
                (4, 5),
                (5, 6),
            ] {
                let at = |x: i32, z: i32| {
                    let (x, z) = (x as f32 * 0.1, z as f32 * 0.1);
                    Vec3::new(x, height(x, z), z)
                };
                studio.line(at(from, step), at(to, step), studio::BLUE);
                if step < 24 {
                    studio.line(at(from, step), at(from, step + 1), studio::BLUE);
                }
            }
        }
        studio.frame.floor = sinew::render::Floor::NONE;
        studio.save(&path)?;
    }
    Ok(())
}
