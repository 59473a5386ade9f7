//! Many meshes on one skeleton, from an MD5 model and an MD5 motion: palettes, and joints by their names.
//!
//! ![A desk lamp looks around](../docs/examples/02_many_meshes.png)
//!
//! ```sh
//! cargo run --example 02_many_meshes --features render -- lamp.png
//! ```
//!
//! The model and its motion are two files that know each other by the names of their joints. Names are looked up once, when
//! the files meet; from then on a joint is a number. However many meshes there are, each finds its bones in the palette
//! of its skin, and the skin's list says which joint stands where in it.

use std::error::Error;
use std::path::Path;

use sinew::glam::{Affine3A, Quat, Vec3, Vec4};
use sinew::render::{Camera, Frame, Gpu, Image, Renderer, Target};
use sinew::scene::Material;
use sinew::{Actor, ClipId, Scene, Transition};

/// The lamp with its motion, painted: an MD5 file names its shaders, and has no colours.
fn lamp() -> Result<Scene, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/assets");
    let model = sinew::open(folder.join("lamp.md5mesh"))?;
    let motion = sinew::open(folder.join("lamp.md5anim"))?;
    let mut parts = sinew::import::attach(model, motion)?.scene.into_parts();
    for material in &mut parts.materials {
        let (color, glow) = match material.name.as_str() {
            "lamp/bulb" => (Vec3::ONE, Vec3::new(1.0, 0.8, 0.45)),
            "lamp/arms" => (Vec3::splat(0.55), Vec3::ZERO),
            _ => (Vec3::new(0.75, 0.12, 0.06), Vec3::ZERO),
        };
        *material = Material {
            name: material.name.clone(),
            base_color: color.extend(1.0),
            metallic: if material.name == "lamp/arms" { 0.8 } else { 0.0 },
            roughness: 0.35,
            emissive: glow,
            double_sided: true,
            ..Material::default()
        };
    }
    Ok(Scene::new(parts)?)
}

/// Three moments of the motion; the last with its head turned by hand.
pub(crate) fn image(width: u32, height: u32) -> Result<Image, Box<dyn Error>> {
    let gpu = Gpu::headless()?;
    let mut renderer = Renderer::new(&gpu);
    let target = Target::new(&gpu, width, height)?;

    let mut lamp = Actor::new(lamp()?);
    let model = renderer.upload(lamp.scene())?;
    let head = lamp.scene().skeleton().find("head").ok_or("the lamp has a head")?;
    for instance in &lamp.scene().instances {
        let mesh = &lamp.scene().meshes[instance.mesh.index()];
        let vertices: usize = mesh.primitives.iter().map(|part| part.positions.len()).sum();
        let skin = instance.skin.ok_or("every mesh of an MD5 file has a skin")?;
        let joints = &lamp.scene().skins[skin.index()].joints;
        let slot = joints.iter().position(|joint| *joint == head);
        println!("{}: {vertices} vertices, the head is matrix {slot:?} of its palette", mesh.name);
    }

    lamp.start(ClipId::new(0), Transition::Cut);
    let position = Vec3::new(0.25, 0.75, 2.6);
    let mut frame = Frame::new(Camera::look_at(position, Vec3::new(0.06, 0.29, 0.0), 0.43));
    frame.floor.cell = 0.1;
    frame.floor.color = Vec4::new(0.35, 0.37, 0.40, 0.35);
    frame.floor.radius = 2.0;
    for (aside, time) in [(-0.7, 0.25), (0.0, 1.0), (0.7, 1.4)] {
        lamp.place(Affine3A::from_translation(Vec3::X * aside));
        lamp.seek(time);
        if aside > 0.0 {
            // After the clip, and until the next step of time: look up.
            lamp.modify(|pose, skeleton| {
                let mut local = pose.local(head);
                local.rotation *= Quat::from_rotation_z(50_f32.to_radians());
                pose.set_local(head, local);
                pose.to_model_from(skeleton, head);
            });
        }
        frame.add(&model, &lamp.view());
    }
    let stats = renderer.draw(&mut frame, &target)?;
    println!("{} draw calls", stats.draws);
    Ok(target.read(&gpu)?)
}

#[allow(dead_code)] // A test takes the image without it.
fn main() -> Result<(), Box<dyn Error>> {
    let out = std::env::args().nth(1).unwrap_or_else(|| "02_many_meshes.png".into());
    let Image { width, height, rgba } = image(480, 270)?;
    image::save_buffer(&out, &rgba, width, height, image::ColorType::Rgba8)?;
    println!("{out}");
    Ok(())
}
