//! Images with as little as looks right, and what comes after them.

use glam::{Affine3A, Vec3, Vec4};
use sinew_scene::{Material, Scene};

use super::stage::{
    SIDE, at, chalk, dark_frame, draw, expect, gpu, headlight, scene, shoot, square,
};
use crate::{Background, Environment, Frame, Image, Renderer, RestPose, Sky, Target};

/// A room with a lamp, without shadows, before nothing.
fn lit_frame(plain: bool) -> Frame {
    let mut frame = dark_frame();
    frame.environment = Environment::Sky(Sky::default());
    frame.lights = vec![headlight()];
    frame.shadows.on = false;
    frame.background = Background::Transparent;
    frame.plain = plain;
    frame
}

fn clay() -> Scene {
    scene(vec![(square(), chalk(Vec3::new(0.6, 0.3, 0.1)), Vec3::ZERO)])
}

#[test]
fn chalk_looks_plainly_as_it_does_wholly() {
    let whole = draw(&mut lit_frame(false), &clay());
    let plain = draw(&mut lit_frame(true), &clay());
    expect("plain", &plain, &[(0.0, 0.0, at(&whole, 0.0, 0.0))], 0.03);
    assert_ne!(plain.rgba, whole.rgba, "another shader has drawn it");
}

fn apart(one: &Image, other: &Image) -> Option<u8> {
    one.rgba.iter().zip(&other.rgba).map(|(a, b)| a.abs_diff(*b)).max()
}

#[test]
fn a_light_from_afar_is_the_same_alone_and_among_others() {
    let alone = draw(&mut lit_frame(true), &clay());
    let mut frame = lit_frame(true);
    frame.lights.push(crate::Light { intensity: 0.0, ..headlight() });
    let among = draw(&mut frame, &clay());
    assert!(apart(&alone, &among) <= Some(1), "{:?}", apart(&alone, &among));
    frame = lit_frame(true);
    frame.lights.clear();
    let dark = draw(&mut frame, &clay());
    assert!(apart(&alone, &dark) > Some(20), "it is a light");
}

#[test]
fn what_comes_after_a_plain_image_is_whole() {
    let (gpu, scene) = (gpu(), clay());
    let mut renderer = Renderer::new(&gpu);
    let model = renderer.upload(&scene).expect("uploads");
    let still = RestPose::new(&scene);
    let mut later = Vec::new();
    for plain in [true, false, true] {
        let mut frame = lit_frame(plain);
        frame.add(&model, &still.view(Affine3A::IDENTITY));
        later.push(shoot(&mut renderer, &mut frame));
    }
    assert_eq!(later[1].rgba, draw(&mut lit_frame(false), &scene).rgba);
    assert_eq!(later[2].rgba, later[0].rgba);
}

#[test]
fn a_coat_of_varnish_is_not_left_out() {
    let mut varnished = chalk(Vec3::splat(0.2));
    varnished.layers.clearcoat.strength = 1.0;
    let scene = scene(vec![(square(), varnished, Vec3::ZERO)]);
    let [plain, whole] = [true, false].map(|plain| draw(&mut lit_frame(plain), &scene));
    assert_eq!(plain.rgba, whole.rgba);
}

/// Drawn straight onto a texture that is not told that its numbers are sRGB.
fn straight(scene: &Scene) -> Image {
    let gpu = gpu();
    let mut renderer = Renderer::new(&gpu);
    let model = renderer.upload(scene).expect("uploads");
    let still = RestPose::new(scene);
    let mut frame = lit_frame(true);
    frame.add(&model, &still.view(Affine3A::IDENTITY));
    assert!(renderer.fits_onto(&frame));
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: SIDE, height: SIDE, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    renderer.prepare(scene, &frame);
    let target = Target::onto(&gpu, &texture).expect("a target");
    renderer.draw(&mut frame, &target).expect("draws");
    crate::readback::read(&gpu, &texture).expect("reads")
}

#[test]
fn an_image_straight_onto_a_canvas_has_the_same_numbers() {
    let expected = draw(&mut lit_frame(true), &clay());
    let found = straight(&clay());
    let apart = expected.rgba.iter().zip(&found.rgba).map(|(a, b)| a.abs_diff(*b)).max();
    assert!(apart <= Some(1), "{apart:?}");
    assert_eq!(at(&found, 0.0, 0.0).w, 1.0);
}

#[test]
fn a_frame_with_more_than_surfaces_does_not_go_straight_onto_a_canvas() {
    let renderer = Renderer::new(&gpu());
    assert!(renderer.fits_onto(&lit_frame(true)));
    assert!(!renderer.fits_onto(&lit_frame(false)));
    let mut frame = lit_frame(true);
    frame.floor.grid = true;
    assert!(!renderer.fits_onto(&frame));
    let mut frame = lit_frame(true);
    frame.background = Background::Color(Vec3::ONE);
    assert!(!renderer.fits_onto(&frame));
}

#[test]
fn glow_and_what_is_unlit_are_seen_plainly_too() {
    let glowing = Material { emissive: Vec3::new(0.0, 0.5, 0.0), ..chalk(Vec3::ZERO) };
    let mut frame = dark_frame();
    frame.plain = true;
    let image = draw(&mut frame, &scene(vec![(square(), glowing, Vec3::ZERO)]));
    let color = at(&image, 0.0, 0.0);
    assert!(color.y > 0.3 && color.x < 0.02 && color.z < 0.02, "{color}");
    let red = Vec4::new(1.0, 0.0, 0.0, 1.0);
    let mut frame = dark_frame();
    frame.plain = true;
    let painted = Material { base_color: red, unlit: true, ..Material::default() };
    let image = draw(&mut frame, &scene(vec![(square(), painted, Vec3::ZERO)]));
    expect("unlit", &image, &[(0.0, 0.0, red)], 0.01);
}
