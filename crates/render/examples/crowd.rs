//! How long frames take with 1, 100, 1,000 and 10,000 characters: `cargo run --release -p sinew-render --example crowd [FILE]`.

use std::error::Error;
use std::time::Instant;

use sinew::Actor;
use sinew::glam::{Affine3A, Vec3};
use sinew::render::{Camera, Frame, Gpu, Renderer, Target};

fn main() -> Result<(), Box<dyn Error>> {
    let scene = match std::env::args().nth(1) {
        Some(path) => sinew::open(path)?.scene,
        None => sinew::demo(),
    };
    let gpu = Gpu::headless()?;
    println!("{}", gpu.name());
    let mut renderer = Renderer::new(&gpu);
    renderer.measure();
    let model = renderer.upload(&scene)?;
    let target = Target::new(&gpu, 1280, 720)?;
    let first = Actor::new(scene);
    for count in [1_usize, 100, 1000, 10_000] {
        let side = (count as f32).sqrt().ceil();
        let mut actors = vec![first.clone(); count];
        for (index, actor) in actors.iter_mut().enumerate() {
            let place =
                Vec3::new(index as f32 % side - side / 2.0, 0.0, -(index as f32 / side).floor());
            actor.place(Affine3A::from_translation(place));
            if !actor.scene().clips.is_empty() {
                actor.play_index(0);
                actor.advance(index as f32 * 0.1);
            }
        }
        let eye = Vec3::new(0.0, 2.0 + side * 0.3, 3.0 + side * 0.4);
        let mut frame = Frame::new(Camera::look_at(eye, Vec3::new(0.0, 0.5, -side * 0.4), 0.8));
        let frames: u32 = if count > 500 { 3 } else { 10 };
        let (mut adding, mut drawing) = (0.0, 0.0);
        let mut stats = Default::default();
        for _ in 0..frames {
            let posed: Vec<_> = actors.iter().map(Actor::posed).collect();
            let start = Instant::now();
            frame.clear();
            posed.iter().for_each(|posed| frame.add(&model, posed));
            adding += start.elapsed().as_secs_f64();
            let start = Instant::now();
            stats = renderer.draw(&mut frame, &target)?;
            drawing += start.elapsed().as_secs_f64();
            renderer.timings()?;
        }
        let times = renderer.timings()?;
        println!(
            "{count:6} actors: add {:.3} µs each, draw {:.2} ms on the CPU, {times:?} on the GPU, {stats:?}",
            adding / f64::from(frames) / count as f64 * 1e6,
            drawing / f64::from(frames) * 1e3,
        );
    }
    Ok(())
}
