//! A small stage: things to draw, and an image of them.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::OnceLock;

use glam::{Vec2, Vec3, Vec4};
use sinew_scene::{
    Geometry, Instance, JointId, Material, MaterialId, Mesh, MeshId, Node, Primitive, Scene,
    SceneParts, Transform,
};

use crate::{
    Background, Camera, Environment, Floor, Frame, Gpu, Image, Lens, Light, Occlusion, Renderer,
    Sky,
};
use crate::{RestPose, Target};

pub(super) const SIDE: u32 = 96;

thread_local! {
    /// What this test has drawn so far.
    static ALBUM: RefCell<Vec<Image>> = const { RefCell::new(Vec::new()) };
}

/// One device for all tests.
pub(super) fn gpu() -> Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| {
        write_images_of_failures();
        Gpu::headless().expect("a graphics driver, such as mesa-vulkan-drivers")
    })
    .clone()
}

/// A test that fails, in whatever way, leaves what it drew in `target/images`.
fn write_images_of_failures() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let name = std::thread::current().name().unwrap_or("test").replace("::", "-");
        ALBUM.with_borrow(|album| {
            for (index, image) in album.iter().enumerate() {
                save(&name, &[(&format!("got-{index}"), image)]);
            }
        });
        before(info);
    }));
}

/// A square of two metres about the origin that faces +Z.
pub(super) fn square() -> Primitive {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    Primitive::from(Geometry {
        positions: corners.map(|(x, y)| Vec3::new(x, y, 0.0)).to_vec(),
        normals: vec![Vec3::Z; 4],
        uvs: vec![corners.map(|(x, y)| Vec2::new(x * 0.5 + 0.5, 0.5 - y * 0.5)).to_vec()],
        indices: vec![0, 1, 2, 0, 2, 3],
        ..Geometry::default()
    })
}

/// Chalk of this colour: light falls on it and nothing shines.
pub(super) fn chalk(color: Vec3) -> Material {
    Material { base_color: color.extend(1.0), metallic: 0.0, ..Material::default() }
}

/// Paint of this colour, whatever the light.
pub(super) fn paint(color: Vec4) -> Material {
    Material { base_color: color, unlit: true, ..Material::default() }
}

/// Primitives with one material each, one mesh and one node each, at these places.
pub(super) fn parts(things: Vec<(Primitive, Material, Vec3)>) -> SceneParts {
    let mut parts = SceneParts::default();
    for (index, (mut primitive, material, place)) in things.into_iter().enumerate() {
        primitive.material = Some(MaterialId::new(index));
        parts.nodes.push(Node::new("", None, Transform::from_translation(place)));
        parts.materials.push(material);
        parts.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
        parts.instances.push(Instance {
            joint: JointId::new(index),
            mesh: MeshId::new(index),
            skin: None,
            weights: Vec::new(),
        });
    }
    parts
}

pub(super) fn scene(things: Vec<(Primitive, Material, Vec3)>) -> Scene {
    Scene::new(parts(things)).expect("a good scene")
}

/// Looks from +Z at the square from -1 to 1, without perspective; black, with no light at all.
pub(super) fn dark_frame() -> Frame {
    let mut frame = Frame::new(Camera {
        position: Vec3::new(0.0, 0.0, 10.0),
        target: Vec3::ZERO,
        up: Vec3::Y,
        lens: Lens::Orthographic { half_height: 1.0 },
        near: 0.1,
        far: Some(40.0),
    });
    let dark =
        Sky { zenith: Vec3::ZERO, horizon: Vec3::ZERO, ground: Vec3::ZERO, ..Sky::default() };
    frame.environment = Environment::Sky(dark);
    frame.environment_strength = 1.0;
    frame.lights.clear();
    frame.background = Background::Color(Vec3::ZERO);
    frame.floor = Floor::NONE;
    frame.occlusion = Occlusion::OFF;
    frame
}

/// Light straight from the camera, as strong as makes white chalk white.
pub(super) fn headlight() -> Light {
    Light::directional(Vec3::NEG_Z, Vec3::ONE, std::f32::consts::PI)
}

pub(super) fn draw(frame: &mut Frame, scene: &Scene) -> Image {
    let gpu = gpu();
    let mut renderer = Renderer::new(&gpu);
    let model = renderer.upload(scene).expect("uploads");
    let still = RestPose::new(scene);
    frame.add(&model, &still.view(glam::Affine3A::IDENTITY));
    shoot(&mut renderer, frame)
}

pub(super) fn shoot(renderer: &mut Renderer, frame: &mut Frame) -> Image {
    let gpu = gpu();
    let target = Target::new(&gpu, SIDE, SIDE).expect("a target");
    renderer.draw(frame, &target).expect("draws");
    let image = target.read(&gpu).expect("reads");
    ALBUM.with_borrow_mut(|album| album.push(image.clone()));
    image
}

/// Light of one pixel at (x, y) from -1 to 1, right and up: linear, with alpha.
pub(super) fn at(image: &Image, x: f32, y: f32) -> Vec4 {
    let place = |value: f32, side: u32| ((value * 0.5 + 0.5) * side as f32) as u32;
    let pixel = image.pixel(place(x, image.width), place(-y, image.height).min(image.height - 1));
    let light = |value: u8| crate::readback::linear_from_srgb(f32::from(value) / 255.0);
    Vec4::new(light(pixel[0]), light(pixel[1]), light(pixel[2]), f32::from(pixel[3]) / 255.0)
}

/// Fails with the images written down: what was drawn, what was expected in the places asked for, and the difference.
#[track_caller]
pub(super) fn expect(name: &str, image: &Image, places: &[(f32, f32, Vec4)], slack: f32) {
    let slack = Vec4::splat(slack);
    let ranges: Vec<_> = places.iter().map(|&(x, y, c)| (x, y, c - slack, c + slack)).collect();
    within(name, image, &ranges);
}

/// The same where a range is all that can be said: least and most of every channel.
#[track_caller]
pub(super) fn within(name: &str, image: &Image, places: &[(f32, f32, Vec4, Vec4)]) {
    let mut wrong = Vec::new();
    let mut expected = image.clone();
    let mut difference = Image { rgba: vec![0; image.rgba.len()], ..image.clone() };
    for &(x, y, least, most) in places {
        let found = at(image, x, y);
        let nearest = found.max(least).min(most);
        let gap = (found - nearest).abs().max_element();
        mark(&mut expected, x, y, nearest);
        mark(&mut difference, x, y, Vec4::new(gap, 0.0, 0.0, 1.0));
        if gap > 0.0 {
            wrong.push(format!("at ({x}, {y}) expected {least} to {most}, found {found}"));
        }
    }
    if wrong.is_empty() {
        return;
    }
    let folder = save(name, &[("got", image), ("expected", &expected), ("diff", &difference)]);
    panic!("{name}: {}\nimages in {}", wrong.join("\n"), folder.display());
}

fn mark(image: &mut Image, x: f32, y: f32, color: Vec4) {
    let srgb = |v: f32| (crate::readback::srgb_from_linear(v.clamp(0.0, 1.0)) * 255.0 + 0.5) as u8;
    let bytes = [srgb(color.x), srgb(color.y), srgb(color.z), (color.w * 255.0) as u8];
    let column = ((x * 0.5 + 0.5) * image.width as f32) as i32;
    let row = ((0.5 - y * 0.5) * image.height as f32) as i32;
    for dy in -3..=3 {
        for dx in -3..=3 {
            let (px, py) = (column + dx, row + dy);
            let inside = px >= 0 && py >= 0 && px < image.width as i32 && py < image.height as i32;
            if inside {
                let start = (py as usize * image.width as usize + px as usize) * 4;
                image.rgba[start..start + 4].copy_from_slice(&bytes);
            }
        }
    }
}

pub(super) fn save(name: &str, images: &[(&str, &Image)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/images");
    std::fs::create_dir_all(&folder).expect("a folder for images");
    for (kind, image) in images {
        let path = folder.join(format!("{name}-{kind}.png"));
        let color = image::ColorType::Rgba8;
        image::save_buffer(path, &image.rgba, image.width, image.height, color)
            .expect("writes an image");
    }
    folder
}
