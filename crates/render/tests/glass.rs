//! Glass shows what is behind it, bent by its index of refraction and its thickness.

use std::sync::OnceLock;

use glam::{Affine3A, Vec3, Vec4};
use sinew_render::{
    Background, Camera, Environment, Floor, Frame, Gpu, Image, Lens, Occlusion, Renderer, RestPose,
    Sky, Target,
};
use sinew_scene::{
    Geometry, Instance, JointId, Material, MaterialId, Mesh, MeshId, Node, Primitive, Scene,
    SceneParts, Transform,
};

const SIDE: u32 = 96;

fn gpu() -> Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    let open = || Gpu::headless().expect("a graphics driver, such as mesa-vulkan-drivers");
    GPU.get_or_init(open).clone()
}

/// A wall from `low` to `high` along X that faces +Z, with these normals.
fn wall(low: f32, high: f32, z: f32, normal: Vec3) -> Primitive {
    let corners = [(low, -1.0), (high, -1.0), (high, 1.0), (low, 1.0)];
    Primitive::from(Geometry {
        positions: corners.map(|(x, y)| Vec3::new(x, y, z)).to_vec(),
        normals: vec![normal; 4],
        indices: vec![0, 1, 2, 0, 2, 3],
        ..Geometry::default()
    })
}

fn paint(color: Vec3) -> Material {
    Material { base_color: color.extend(1.0), unlit: true, ..Material::default() }
}

fn scene(things: Vec<(Primitive, Material)>) -> Scene {
    let mut parts = SceneParts::default();
    for (index, (mut primitive, material)) in things.into_iter().enumerate() {
        primitive.material = Some(MaterialId::new(index));
        parts.nodes.push(Node::new("", None, Transform::IDENTITY));
        parts.materials.push(material);
        parts.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
        let (joint, mesh) = (JointId::new(index), MeshId::new(index));
        parts.instances.push(Instance { joint, mesh, skin: None, weights: Vec::new() });
    }
    Scene::new(parts).expect("a good scene")
}

/// Red on the left, blue on the right; before them a plate whose normals lean to the right.
fn through(glass: Material) -> Image {
    let lean = Vec3::new(0.6, 0.0, 0.8);
    let scene = scene(vec![
        (wall(-2.0, 0.0, -2.0, Vec3::Z), paint(Vec3::X)),
        (wall(0.0, 2.0, -2.0, Vec3::Z), paint(Vec3::Z)),
        (wall(-1.0, 1.0, 0.0, lean), glass),
    ]);
    let mut frame = Frame::new(Camera {
        position: Vec3::new(0.0, 0.0, 10.0),
        target: Vec3::ZERO,
        up: Vec3::Y,
        lens: Lens::Orthographic { half_height: 1.0 },
        near: 0.1,
        far: Some(40.0),
    });
    let none = Vec3::ZERO;
    let dark = Sky { zenith: none, horizon: none, ground: none, ..Sky::default() };
    frame.environment = Environment::Sky(dark);
    frame.lights.clear();
    frame.background = Background::Color(Vec3::ZERO);
    frame.floor = Floor::NONE;
    frame.occlusion = Occlusion::OFF;
    let mut renderer = Renderer::new(&gpu());
    let model = renderer.upload(&scene).expect("uploads");
    frame.add(&model, &RestPose::new(&scene).view(Affine3A::IDENTITY));
    let target = Target::new(&gpu(), SIDE, SIDE).expect("a target");
    renderer.draw(&mut frame, &target).expect("draws");
    target.read(&gpu()).expect("reads")
}

fn glass(ior: f32, thickness: f32, dispersion: f32) -> Material {
    let mut glass =
        Material { base_color: Vec4::ONE, metallic: 0.0, roughness: 0.0, ..Material::default() };
    glass.layers.transmission.strength = 1.0;
    glass.layers.transmission.thickness = thickness;
    glass.layers.ior = ior;
    glass.layers.dispersion = dispersion;
    glass
}

/// Red and blue of the middle row at x from -1 to 1.
fn at(image: &Image, x: f32) -> [u8; 2] {
    let pixel = image.pixel(((x * 0.5 + 0.5) * SIDE as f32) as u32, SIDE / 2);
    [pixel[0], pixel[2]]
}

fn is_red(image: &Image, x: f32) -> bool {
    let [red, blue] = at(image, x);
    assert!(red.max(blue) > 150, "glass lets light through: {red} {blue} at {x}");
    red > blue
}

#[test]
fn light_is_bent_by_index_and_thickness() {
    // By hand: refract((0, 0, -1), (0.6, 0, 0.8), 1 / 1.5) = (-0.230, 0, -0.973), so a metre of it looks 0.23 m to the left.
    let bent = through(glass(1.5, 1.0, 0.0));
    assert!(is_red(&bent, -0.1) && is_red(&bent, 0.1) && is_red(&bent, 0.19));
    assert!(!is_red(&bent, 0.27) && !is_red(&bent, 0.5));
    // A thin wall does not bend, nor does what is as dense as air.
    for straight in [through(glass(1.5, 0.0, 0.0)), through(glass(1.0, 1.0, 0.0))] {
        assert!(is_red(&straight, -0.1) && !is_red(&straight, 0.1));
    }
}

#[test]
fn dispersion_bends_blue_more_than_red() {
    // Where red ends and blue begins, in pixels: half-spread 0.5 · 0.025 · 8 = 0.1, and refract by 1 / 1.4 and 1 / 1.6 looks
    // 0.192 and 0.263 m to the left.
    let edge = |image: &Image, channel: usize, bright: bool| {
        let lit = |x: u32| (image.pixel(x, SIDE / 2)[channel] > 100) == bright;
        (0..SIDE).find(|x| lit(*x)).expect("an edge")
    };
    let plain = through(glass(1.5, 1.0, 0.0));
    let spread = through(glass(1.5, 1.0, 8.0));
    assert_eq!(edge(&plain, 0, false), edge(&plain, 2, true));
    let (red, blue) = (edge(&spread, 0, false), edge(&spread, 2, true));
    assert!((blue - red).abs_diff(3) <= 1, "{red} {blue}");
}

#[test]
fn thick_glass_takes_its_share_of_colours() {
    let mut tinted = glass(1.0, 1.0, 0.0);
    tinted.layers.transmission.attenuation_distance = Some(1.0);
    tinted.layers.transmission.attenuation_color = Vec3::new(0.25, 1.0, 1.0);
    let (plain, tinted) = (through(glass(1.0, 1.0, 0.0)), through(tinted));
    assert!(at(&tinted, -0.5)[0] < at(&plain, -0.5)[0] - 80, "red is taken");
    assert!(at(&tinted, 0.5)[1].abs_diff(at(&plain, 0.5)[1]) < 4, "blue is not");
}
