//! A whole scene: characters on terrain, under a sky, in fog; their clip baked to frames.
//!
//! ![Runners come over a hill](../docs/examples/03_scene.png)
//!
//! ```sh
//! cargo run --example 03_scene --features render -- scene.png
//! ```
//!
//! Static and animated models stand in one frame and share light, shadow and fog. The run is worked out once for
//! everyone: a [`Baked`] clip has the palettes of all its frames, and a [`Replay`] reads them instead of sampling
//! keys. It mixes two frames where time falls between them, so thirty a second are enough. Edges are smoothed with four
//! samples a pixel, as in every [`Target`].

use std::error::Error;
use std::sync::Arc;

use sinew::glam::{Affine3A, Quat, Vec3};
use sinew::render::{
    Background, Camera, Environment, Floor, Fog, Frame, Gpu, Image, Light, Renderer, RestPose, Sky,
    Target, terrain,
};
use sinew::scene::{Instance, Material, MaterialId, MeshId, Node, SceneParts};
use sinew::{Baked, JointId, Replay, Scene, Transform};

/// Metres above zero.
fn height(x: f32, z: f32) -> f32 {
    0.5 * (x * 0.35 + 0.8).sin() * (z * 0.25).cos() + 0.12 * (x * 0.9 - z * 0.6).sin()
}

/// Forty metres of hills.
fn hills() -> Result<Scene, Box<dyn Error>> {
    let mut mesh = terrain(40.0, 80, height);
    for primitive in &mut mesh.primitives {
        primitive.material = Some(MaterialId::new(0));
    }
    let grass = Material {
        base_color: Vec3::new(0.16, 0.30, 0.08).extend(1.0),
        metallic: 0.0,
        ..Material::default()
    };
    Ok(Scene::new(SceneParts {
        nodes: vec![Node::new("hills", None, Transform::IDENTITY)],
        materials: vec![grass],
        meshes: vec![mesh],
        instances: vec![Instance {
            joint: JointId::new(0),
            mesh: MeshId::new(0),
            skin: None,
            weights: Vec::new(),
        }],
        ..SceneParts::default()
    })?)
}

/// Light, sky and fog of an early morning.
fn morning(camera: Camera) -> Frame {
    let sun = Vec3::new(-0.6, 0.45, 0.35).normalize();
    let haze = Vec3::new(0.70, 0.66, 0.60);
    let mut frame = Frame::new(camera);
    frame.lights = vec![Light::directional(-sun, Vec3::new(1.0, 0.86, 0.66), 3.2)];
    frame.ambient = Vec3::splat(0.06);
    frame.environment = Environment::Sky(Sky {
        zenith: Vec3::new(0.10, 0.25, 0.55),
        horizon: haze,
        ground: Vec3::new(0.22, 0.24, 0.16),
        sun,
        ..Sky::default()
    });
    frame.background = Background::Sky(1.0);
    frame.fog = Fog::ExponentialSquared { color: haze, density: 0.055 };
    frame.floor = Floor::NONE;
    frame
}

/// Five who run the same clip, each at its own time.
pub(crate) fn image(width: u32, height_in_pixels: u32) -> Result<Image, Box<dyn Error>> {
    let gpu = Gpu::headless()?;
    let mut renderer = Renderer::new(&gpu);
    let target = Target::new(&gpu, width, height_in_pixels)?;

    let baked = Arc::new(Baked::new(sinew::ossi(), "run", 30.0)?);
    println!("{} frames take {} KB", baked.frames(), baked.bytes() / 1000);
    let ossi = renderer.upload(baked.scene())?;
    let hills = hills()?;
    let ground = renderer.upload(&hills)?;

    let position = Vec3::new(2.6, height(2.6, 6.2) + 1.3, 6.2);
    let mut frame = morning(Camera::look_at(position, Vec3::new(-0.3, 0.7, 0.0), 0.6));
    frame.add(&ground, &RestPose::new(&hills).view(Affine3A::IDENTITY));
    for (index, (x, z)) in
        [(0.2, 2.2), (-1.5, 0.4), (1.4, -0.6), (-0.9, -3.4), (-4.6, -4.2)].into_iter().enumerate()
    {
        let mut runner = Replay::new(Arc::clone(&baked));
        runner.advance(index as f32 * 0.23);
        let place = Vec3::new(x, height(x, z), z);
        runner.place(Affine3A::from_rotation_translation(Quat::from_rotation_y(0.25), place));
        frame.add(&ossi, &runner.view());
    }
    renderer.draw(&mut frame, &target)?;
    Ok(target.read(&gpu)?)
}

#[allow(dead_code)] // A test takes the image without it.
fn main() -> Result<(), Box<dyn Error>> {
    let out = std::env::args().nth(1).unwrap_or_else(|| "03_scene.png".into());
    let Image { width, height, rgba } = image(480, 270)?;
    image::save_buffer(&out, &rgba, width, height, image::ColorType::Rgba8)?;
    println!("{out}");
    Ok(())
}
