//! Materials, as they are seen.

use std::sync::Arc;

use glam::{Affine3A, Vec2, Vec3, Vec4};
use sinew_scene::{
    AlphaMode, Image, ImageData, ImageId, Material, Sampler, Scene, SceneParts, Texture, TextureId,
    TextureUse, UvTransform,
};

use super::stage::{at, chalk, dark_frame, draw, expect, headlight, paint, parts, scene, square};
use crate::Background;

const RED: Vec4 = Vec4::new(1.0, 0.0, 0.0, 1.0);
const GREEN: Vec4 = Vec4::new(0.0, 1.0, 0.0, 1.0);
const BLUE: Vec4 = Vec4::new(0.0, 0.0, 1.0, 1.0);

fn see_through(color: Vec4) -> Material {
    Material { alpha_mode: AlphaMode::Blend, ..paint(color) }
}

#[test]
fn see_through_surfaces_are_mixed_from_far_to_near_whatever_their_order() {
    let far = (square(), see_through(Vec4::new(1.0, 0.0, 0.0, 0.5)), Vec3::NEG_Z);
    let near = (square(), see_through(Vec4::new(0.0, 1.0, 0.0, 0.5)), Vec3::Z);
    let expected = Vec4::new(0.25, 0.5, 0.0, 1.0);
    for things in [vec![near.clone(), far.clone()], vec![far, near]] {
        let image = draw(&mut dark_frame(), &scene(things));
        expect("blend", &image, &[(0.0, 0.0, expected)], 0.01);
    }
}

#[test]
fn a_mask_leaves_out_what_lies_below_its_cutoff() {
    let mut half = square();
    let colors = [0.0, 1.0, 1.0, 0.0].map(|alpha| Vec4::new(1.0, 1.0, 1.0, alpha));
    half.colors = vec![colors.to_vec()];
    let material = Material { alpha_mode: AlphaMode::Mask, alpha_cutoff: 0.5, ..paint(RED) };
    let image = draw(&mut dark_frame(), &scene(vec![(half, material, Vec3::ZERO)]));
    let places = [(-0.5, 0.0, Vec4::W), (0.5, 0.0, RED)];
    expect("mask", &image, &places, 0.01);
}

#[test]
fn the_back_is_drawn_only_where_a_material_is_double_sided_also_when_mirrored() {
    let front = square();
    let mut back = square();
    back.indices.reverse();
    for (shape, is_front) in [(front, true), (back, false)] {
        for (double_sided, mirrored) in [(false, false), (true, false), (false, true), (true, true)]
        {
            let material = Material { double_sided, ..paint(RED) };
            let mut parts = parts(vec![(shape.clone(), material, Vec3::ZERO)]);
            if mirrored {
                // In a mirror the same side is seen, though triangles run the other way.
                parts.nodes[0].rest.scale.x = -1.0;
            }
            let image = draw(&mut dark_frame(), &Scene::new(parts).expect("good"));
            let name = format!("front-{is_front}-double-{double_sided}-mirrored-{mirrored}");
            let expected = if is_front || double_sided { RED } else { Vec4::W };
            expect(&name, &image, &[(0.0, 0.0, expected)], 0.01);
        }
    }
}

#[test]
fn both_sides_of_a_surface_are_lit_alike_also_when_mirrored_or_see_through() {
    for alpha_mode in [AlphaMode::Opaque, AlphaMode::Blend] {
        let brightness = |is_back: bool, mirrored: bool| {
            let mut shape = square();
            if is_back {
                shape.indices.reverse();
                shape.normals.fill(Vec3::NEG_Z);
            }
            let gloss = Material { roughness: 0.3, ..chalk(Vec3::splat(0.5)) };
            let material = Material { double_sided: true, alpha_mode, ..gloss };
            let mut parts = parts(vec![(shape, material, Vec3::ZERO)]);
            if mirrored {
                parts.nodes[0].rest.scale.x = -1.0;
            }
            let mut frame = dark_frame();
            frame.shadows.on = false;
            frame.lights.push(headlight());
            at(&draw(&mut frame, &Scene::new(parts).expect("good")), 0.3, 0.3).x
        };
        let front = brightness(false, false);
        assert!(front > 0.4, "{front}");
        for (is_back, mirrored) in [(true, false), (false, true), (true, true)] {
            let found = brightness(is_back, mirrored);
            let what = format!("{alpha_mode:?}, back {is_back}, mirrored {mirrored}");
            assert!((found - front).abs() < 0.01, "{what}: {found} for {front}");
        }
    }
}

#[test]
fn vertex_colours_multiply_the_base_colour() {
    let mut colored = square();
    colored.colors = vec![vec![Vec4::new(0.5, 0.25, 1.0, 1.0); 4]];
    let material = paint(Vec4::new(0.5, 1.0, 0.25, 1.0));
    let image = draw(&mut dark_frame(), &scene(vec![(colored, material, Vec3::ZERO)]));
    expect("colors", &image, &[(0.0, 0.0, Vec4::new(0.25, 0.25, 0.25, 1.0))], 0.01);
}

/// Red, green, blue, white: top left, top right, bottom left, bottom right.
fn four_colors() -> ImageData {
    let rgba = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255; 4]].concat();
    ImageData::Pixels { width: 2, height: 2, rgba: rgba.into() }
}

fn textured(data: ImageData, transform: UvTransform, uv_set: u32) -> SceneParts {
    let mut thing = square();
    thing.uvs.push(vec![Vec2::new(0.75, 0.75); 4]);
    let texture = TextureUse { texture: TextureId::new(0), uv_set, transform };
    let material = Material { base_color_texture: Some(texture), ..paint(Vec4::ONE) };
    let mut parts = parts(vec![(thing, material, Vec3::ZERO)]);
    let nearest = sinew_scene::Filter::Nearest;
    let sampler = Sampler { magnify: nearest, minify: nearest, ..Sampler::default() };
    parts.textures = vec![Texture { name: String::new(), image: Some(ImageId::new(0)), sampler }];
    parts.images = vec![Image { name: "four".into(), data }];
    parts
}

fn seen(parts: SceneParts) -> crate::Image {
    draw(&mut dark_frame(), &Scene::new(parts).expect("a good scene"))
}

#[test]
fn an_image_stands_upright_on_its_surface() {
    let image = seen(textured(four_colors(), UvTransform::default(), 0));
    let places = [(-0.5, 0.5, RED), (0.5, 0.5, GREEN), (-0.5, -0.5, BLUE), (0.5, -0.5, Vec4::ONE)];
    expect("upright", &image, &places, 0.01);
}

#[test]
fn the_second_set_of_coordinates_is_read_where_a_material_says_so() {
    let image = seen(textured(four_colors(), UvTransform::default(), 1));
    expect("second-set", &image, &[(-0.5, 0.5, Vec4::ONE), (0.5, 0.5, Vec4::ONE)], 0.01);
}

#[test]
fn texture_coordinates_are_scaled_then_turned_then_moved() {
    // Half an image to the right: green where red was.
    let moved = UvTransform { offset: Vec2::new(0.5, 0.0), ..UvTransform::default() };
    let image = seen(textured(four_colors(), moved, 0));
    expect("uv-moved", &image, &[(-0.5, 0.5, GREEN), (0.5, 0.5, RED)], 0.01);
    // A quarter turn, counter-clockwise: (u, v) reads (v, -u), wrapped. The top right, (0.75, 0.25), reads
    // (0.25, 0.25): red; the top left, (0.25, 0.25), reads (0.25, 0.75): blue.
    let turned = UvTransform { rotation: 90_f32.to_radians(), ..UvTransform::default() };
    let image = seen(textured(four_colors(), turned, 0));
    expect("uv-turned", &image, &[(0.5, 0.5, RED), (-0.5, 0.5, BLUE)], 0.01);
    let scaled = UvTransform { scale: Vec2::new(2.0, 1.0), ..UvTransform::default() };
    let image = seen(textured(four_colors(), scaled, 0));
    expect("uv-scaled", &image, &[(-0.75, 0.5, RED), (-0.25, 0.5, GREEN), (0.25, 0.5, RED)], 0.01);
}

#[test]
fn a_missing_image_is_a_plain_grey_or_a_checker_and_a_note() {
    let parts = textured(ImageData::Missing, UvTransform::default(), 0);
    let scene = Scene::new(parts).expect("a good scene");
    let renderer = crate::Renderer::new(&super::stage::gpu());
    let model = renderer.upload(&scene).expect("uploads");
    assert!(model.notes()[0].contains("four is missing"), "{:?}", model.notes());
    let image = draw(&mut dark_frame(), &scene);
    let [red, green, blue, _] = image.pixel(48, 40);
    assert!(red > 60 && red == green && green == blue, "{red} {green} {blue}");
    let missing = crate::MissingImages::Checker;
    let options = crate::UploadOptions { missing, ..Default::default() };
    let mut renderer = renderer;
    let loud = renderer.upload_with(&scene, options).expect("uploads");
    let mut frame = dark_frame();
    frame.add(&loud, &crate::RestPose::new(&scene).view(glam::Affine3A::IDENTITY));
    let image = super::stage::shoot(&mut renderer, &mut frame);
    let magenta = (0..96).filter(|x| image.pixel(*x, 40)[0] > 200).count();
    assert!((30..66).contains(&magenta), "half is magenta: {magenta} of 96");
}

#[test]
fn an_image_beyond_the_limit_is_made_smaller_and_noted() {
    let rgba: Arc<[u8]> = [255, 0, 0, 255].repeat(64 * 32).into();
    let parts =
        textured(ImageData::Pixels { width: 64, height: 32, rgba }, UvTransform::default(), 0);
    let renderer = crate::Renderer::new(&super::stage::gpu());
    let options = crate::UploadOptions { longest_side: 16, ..Default::default() };
    let scene = Scene::new(parts).expect("a good scene");
    let model = renderer.upload_with(&scene, options).expect("uploads");
    assert!(
        model.notes()[0].contains("64 × 32 pixels is drawn with 16 × 8"),
        "{:?}",
        model.notes()
    );
}

#[test]
fn a_packed_image_is_unpacked_by_whoever_can() {
    let data = ImageData::Encoded { media_type: String::new(), bytes: vec![1, 2, 3].into() };
    let scene = Scene::new(textured(data, UvTransform::default(), 0)).expect("a good scene");
    let renderer = crate::Renderer::new(&super::stage::gpu());
    let decode = |bytes: &[u8]| Ok((1, 1, [bytes, &[255]].concat()));
    let options = crate::UploadOptions { decode: Some(&decode), ..Default::default() };
    assert!(renderer.upload_with(&scene, options).expect("uploads").notes().is_empty());
    let fails = |_: &[u8]| Err("it is torn".to_owned());
    let options = crate::UploadOptions { decode: Some(&fails), ..Default::default() };
    let model = renderer.upload_with(&scene, options).expect("uploads");
    assert!(model.notes()[0].contains("it is torn"), "{:?}", model.notes());
}

#[test]
fn a_normal_map_leans_the_light() {
    // Leans to +X by 45°: half way between this and a light from +X there are 45°, so both are lit the same.
    let rgba: Vec<u8> = vec![218, 128, 218, 255];
    let data = ImageData::Pixels { width: 1, height: 1, rgba: rgba.into() };
    let mut parts = textured(data, UvTransform::default(), 0);
    let texture = parts.materials[0].base_color_texture.take();
    parts.materials[0] = Material { normal_texture: texture, ..chalk(Vec3::splat(0.5)) };
    parts.meshes[0].primitives[0].tangents = vec![Vec4::new(1.0, 0.0, 0.0, 1.0); 4];
    let scene = Scene::new(parts).expect("a good scene");
    let brightness = |from: Vec3| {
        let mut frame = dark_frame();
        frame.shadows.on = false;
        frame.lights.push(crate::Light::directional(-from, Vec3::ONE, 2.0));
        at(&draw(&mut frame, &scene), 0.0, 0.0).x
    };
    let (front, right) = (brightness(Vec3::Z), brightness(Vec3::X));
    assert!((front - right).abs() < 0.03 && front > 0.1, "{front} and {right}");
    assert!(brightness(Vec3::NEG_X) < 0.002);
}

#[test]
fn emissive_light_needs_no_light() {
    let material = Material {
        emissive: Vec3::new(0.5, 0.25, 0.0),
        emissive_strength: 0.8,
        ..chalk(Vec3::ZERO)
    };
    let image = draw(&mut dark_frame(), &scene(vec![(square(), material, Vec3::ZERO)]));
    // The tone curve takes nothing away where the least channel is zero.
    expect("emissive", &image, &[(0.0, 0.0, Vec4::new(0.4, 0.2, 0.0, 1.0))], 0.01);
}

#[test]
fn white_under_strong_light_is_white_and_not_tinted() {
    let mut frame = dark_frame();
    frame.shadows.on = false;
    frame.lights.push(crate::Light { intensity: 40.0, ..headlight() });
    let image = draw(&mut frame, &scene(vec![(square(), chalk(Vec3::ONE), Vec3::ZERO)]));
    let found = at(&image, 0.0, 0.0);
    assert!(found.x > 0.9 && (found.x - found.z).abs() < 1e-3, "{found}");
}

#[test]
fn a_transparent_background_keeps_alpha_and_true_colours() {
    let mut frame = dark_frame();
    frame.background = Background::Transparent;
    let mut half = square();
    half.positions.iter_mut().for_each(|p| *p *= 0.5);
    let glass = see_through(Vec4::new(0.0, 0.5, 1.0, 0.5));
    let image = draw(&mut frame, &scene(vec![(half, glass, Vec3::ZERO)]));
    let places = [(0.0, 0.0, Vec4::new(0.0, 0.5, 1.0, 0.5)), (0.8, 0.8, Vec4::ZERO)];
    expect("transparent", &image, &places, 0.02);
}

#[test]
fn a_material_can_be_given_other_values_later() {
    let scene = scene(vec![(square(), paint(RED), Vec3::ZERO)]);
    let gpu = super::stage::gpu();
    let mut renderer = crate::Renderer::new(&gpu);
    let model = renderer.upload(&scene).expect("uploads");
    model.set_material(&gpu, sinew_scene::MaterialId::new(0), &paint(GREEN));
    let mut frame = dark_frame();
    frame.add(&model, &crate::RestPose::new(&scene).view(Affine3A::IDENTITY));
    let image = super::stage::shoot(&mut renderer, &mut frame);
    expect("other-values", &image, &[(0.0, 0.0, GREEN)], 0.01);
}
