//! One scene on Vulkan and on GL of the same machine gives one image.

use std::sync::Arc;

use sinew::render::wgpu;
use sinew::{Actor, ClipId, Scene, Transition};
use sinew_render::{Camera, Environment, Frame, Gpu, Image, Occlusion, Renderer, Target, View};

const WIDE: u32 = 240;
const HIGH: u32 = 180;

/// A device of this back end; `None` where the machine has none.
fn gpu(backends: wgpu::Backends) -> Option<Gpu> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends,
        flags: wgpu::InstanceFlags::empty(),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    let adapter = pollster::block_on(instance.request_adapter(&Default::default())).ok()?;
    let opened = pollster::block_on(adapter.request_device(&Gpu::descriptor(&adapter)));
    let (device, queue) = opened.expect("a device");
    Some(Gpu::from_parts(device, queue).watched())
}

fn shoot(gpu: &Gpu, scene: &Arc<Scene>, occlusion: Occlusion) -> Image {
    let mut actor = Actor::new(Arc::clone(scene));
    if !scene.clips.is_empty() {
        actor.start(ClipId::new(0), Transition::Cut);
        actor.seek(0.4);
        actor.update();
    }
    let mut renderer = Renderer::new(gpu);
    let model = renderer.upload(scene).expect("uploads");
    let aspect = WIDE as f32 / HIGH as f32;
    let camera = Camera::frame(actor.bounds(), View::ThreeQuarter.direction(), 0.6, aspect);
    let mut frame = Frame::new(camera);
    frame.occlusion = occlusion;
    frame.environment = lamps();
    frame.floor.reflection = 1.0;
    frame.add(&model, &actor.view());
    let target = Target::new(gpu, WIDE, HIGH).expect("a target");
    renderer.draw(&mut frame, &target).expect("draws");
    target.read(gpu).expect("reads")
}

/// Four bright columns in the dark, each along an edge of a cube around the scene and on one side of it.
fn lamps() -> Environment {
    let lit = |at: usize| if (8..11).contains(&(at % 16)) { 12.0 } else { 0.05 };
    let rgb: Vec<f32> = (0..64 * 32).flat_map(|at| [lit(at); 3]).collect();
    Environment::from_equirect(64, 32, &rgb).expect("64 by 32 pixels")
}

/// Ossi of smooth metal: every edge of the environment's cube is seen in him.
fn smooth() -> Scene {
    let mut parts = sinew::ossi().into_parts();
    for material in &mut parts.materials {
        (material.metallic, material.roughness) = (1.0, 0.6);
        (material.metallic_roughness_texture, material.normal_texture) = (None, None);
    }
    Scene::new(parts).expect("Ossi of metal")
}

/// The share of pixels with a channel that differs by more than 2.
fn differing(a: &Image, b: &Image) -> f64 {
    let pairs = a.rgba.chunks(4).zip(b.rgba.chunks(4));
    let differs = pairs.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 2));
    differs.count() as f64 / f64::from(WIDE * HIGH)
}

fn save(name: &str, image: &Image) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/images");
    let _ = std::fs::create_dir_all(folder);
    let path = format!("{folder}/back-ends-{name}.png");
    let _ = image::save_buffer(path, &image.rgba, WIDE, HIGH, image::ColorType::Rgba8);
}

#[test]
fn vulkan_and_gl_agree_within_two_of_255_on_all_but_a_thousandth_of_the_pixels() {
    let (Some(vulkan), Some(gl)) = (gpu(wgpu::Backends::VULKAN), gpu(wgpu::Backends::GL)) else {
        println!("this machine has only one of Vulkan and GL: nothing to compare");
        return;
    };
    // Mesa's two drivers share one rasterizer: a cube map with seams shows in four of ten thousand pixels.
    let software = gl.device.adapter_info().device_type == wgpu::DeviceType::Cpu;
    let allowed = if software { 0.000_05 } else { 0.001 };
    let scenes = [("ossi", sinew::ossi()), ("demo", sinew::demo()), ("smooth", smooth())];
    for (name, scene) in scenes {
        let scene = Arc::new(scene);
        for (kind, occlusion) in [("plain", Occlusion::OFF), ("occluded", Occlusion::DRAFT)] {
            let (a, b) = (shoot(&vulkan, &scene, occlusion), shoot(&gl, &scene, occlusion));
            save(&format!("{name}-{kind}-vulkan"), &a);
            save(&format!("{name}-{kind}-gl"), &b);
            let found = differing(&a, &b);
            assert!(found < allowed, "{name}, {kind}: {found} of the pixels differ");
        }
    }
}
