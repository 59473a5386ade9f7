//! A thousand characters, each at its own time of its own clip, in one draw.
//!
//! ![A thousand Ossis dance, walk and wave](../docs/examples/06_crowd.png)
//!
//! ```sh
//! cargo run --example 06_crowd --features render -- crowd.png
//! ```
//!
//! What they share is uploaded once: vertices, weights, images. What is each one's own is a palette, and all
//! palettes travel to the GPU in one piece. Who is outside of the image is found by the box around its pose and only
//! casts a shadow. `sinew bench render` measures the same with 10,000.

use std::error::Error;
use std::sync::Arc;

use sinew::glam::{Affine3A, Quat, Vec3};
use sinew::render::{Background, Camera, Fog, Frame, Gpu, Image, Renderer, Target};
use sinew::{Actor, ClipId, Transition};

const COUNT: usize = 1000;
/// Seeds of a sunflower lie so: each a golden angle on from the last, all with the same room.
const GOLDEN: f32 = 2.399_963_2;

pub(crate) fn image(width: u32, height: u32) -> Result<Image, Box<dyn Error>> {
    let gpu = Gpu::headless()?;
    let mut renderer = Renderer::new(&gpu);
    let target = Target::new(&gpu, width, height)?;

    let scene = Arc::new(sinew::ossi());
    let model = renderer.upload(&scene)?;
    let mut actors = vec![Actor::new(Arc::clone(&scene)); COUNT];
    for (index, actor) in actors.iter_mut().enumerate() {
        let (angle, away) = (index as f32 * GOLDEN, 0.62 * (index as f32).sqrt());
        let place = Vec3::new(away * angle.cos(), 0.0, away * angle.sin());
        let rotation = Quat::from_rotation_y(angle * 7.0);
        actor.place(Affine3A::from_rotation_translation(rotation, place));
        actor.start(ClipId::new(index % scene.clips.len()), Transition::Cut);
        actor.seek(index as f32 * 0.37 % actor.duration());
    }

    let haze = Vec3::new(0.16, 0.19, 0.26);
    let position = Vec3::new(0.0, 7.5, 21.0);
    let mut frame = Frame::new(Camera::look_at(position, Vec3::new(0.0, -1.0, 0.0), 0.62));
    frame.background = Background::Color(haze);
    frame.fog = Fog::Linear { color: haze, start: 16.0, end: 46.0 };
    frame.floor.grid = false;
    for actor in &mut actors {
        actor.advance(1.0 / 60.0);
        frame.add(&model, &actor.view());
    }
    let stats = renderer.draw(&mut frame, &target)?;
    println!(
        "{} seen, {} not in the image, {} draw calls, {} KB uploaded",
        stats.seen,
        stats.culled,
        stats.draws,
        stats.uploaded / 1000
    );
    Ok(target.read(&gpu)?)
}

#[allow(dead_code)] // A test takes the image without it.
fn main() -> Result<(), Box<dyn Error>> {
    let out = std::env::args().nth(1).unwrap_or_else(|| "06_crowd.png".into());
    let Image { width, height, rgba } = image(480, 270)?;
    image::save_buffer(&out, &rgba, width, height, image::ColorType::Rgba8)?;
    println!("{out}");
    Ok(())
}
