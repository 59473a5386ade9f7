//! The animator's loop: let time pass, take the palette, draw.
//!
//! ![Ossi in four moments of a walk](../docs/examples/01_animator.png)
//!
//! ```sh
//! cargo run --example 01_animator --features render -- animator.png
//! ```
//!
//! An animator has a clip, a playhead and, after each step, one matrix for each bone. Here it is an [`Actor`]:
//! `advance` moves the playhead, samples the clip, walks down the bones and makes the palette; `posed` lends all of it
//! to the renderer. Clips may be of any length, bones of any number, and the last key is reached.

use std::error::Error;

use sinew::Actor;
use sinew::glam::{Affine3A, Vec3};
use sinew::render::{Camera, Frame, Gpu, Image, Renderer, Target};

/// A frame of the game, in seconds.
const TICK: f32 = 1.0 / 60.0;

/// A second of the loop; every quarter of it stays in the image.
pub(crate) fn image(width: u32, height: u32) -> Result<Image, Box<dyn Error>> {
    let gpu = Gpu::headless()?;
    let mut renderer = Renderer::new(&gpu);
    let target = Target::new(&gpu, width, height)?;

    let mut animator = Actor::new(sinew::ossi()); // or sinew::open("character.dae")?.scene
    animator.play("walk")?;
    let model = renderer.upload(animator.scene())?;

    let position = Vec3::new(4.2, 1.7, 5.6);
    let mut frame = Frame::new(Camera::look_at(position, Vec3::new(0.0, 0.85, 0.7), 0.42));
    for tick in 0..60 {
        animator.advance(TICK);
        // What a shader would be given: one matrix for each of the skin's joints.
        assert_eq!(animator.palette(0).len(), animator.scene().skins[0].joints.len());
        if tick % 15 == 0 {
            let aside = tick as f32 / 15.0 - 1.5;
            animator.place(Affine3A::from_translation(Vec3::X * (aside * 0.9)));
            frame.add(&model, &animator.view());
        }
    }
    renderer.draw(&mut frame, &target)?;
    Ok(target.read(&gpu)?)
}

#[allow(dead_code)] // A test takes the image without it.
fn main() -> Result<(), Box<dyn Error>> {
    let out = std::env::args().nth(1).unwrap_or_else(|| "01_animator.png".into());
    let Image { width, height, rgba } = image(480, 270)?;
    image::save_buffer(&out, &rgba, width, height, image::ColorType::Rgba8)?;
    println!("{out}");
    Ok(())
}
