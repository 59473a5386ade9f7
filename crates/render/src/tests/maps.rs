//! Maps of a material beside its colour: occlusion, emission, metal and roughness.

use glam::{Vec3, Vec4};
use sinew_scene::{
    Filter, Image, ImageData, ImageId, Material, Sampler, Scene, Texture, TextureId, TextureUse,
    UvTransform,
};

use super::stage::{at, chalk, dark_frame, draw, expect, headlight, parts, square};
use crate::{Frame, Light};

fn map() -> Option<TextureUse> {
    Some(TextureUse { texture: TextureId::new(0), uv_set: 0, transform: UvTransform::default() })
}

/// The square with this material and a map of two pixels: left and right.
fn mapped(material: Material, left: [u8; 3], right: [u8; 3], frame: &mut Frame) -> crate::Image {
    let mut parts = parts(vec![(square(), material, Vec3::ZERO)]);
    let sampler =
        Sampler { magnify: Filter::Nearest, minify: Filter::Nearest, ..Sampler::default() };
    parts.textures = vec![Texture { name: String::new(), image: Some(ImageId::new(0)), sampler }];
    let rgba = [left, right].map(|[r, g, b]| [r, g, b, 255]).concat().into();
    let data = ImageData::Pixels { width: 2, height: 1, rgba };
    parts.images = vec![Image { name: "map".into(), data }];
    draw(frame, &Scene::new(parts).expect("a good scene"))
}

#[test]
fn occlusion_takes_light_from_everywhere_away_and_leaves_lamps_alone() {
    let material = Material { occlusion_texture: map(), ..chalk(Vec3::splat(0.5)) };
    let mut frame = dark_frame();
    frame.ambient = Vec3::X * 0.6;
    let image = mapped(material.clone(), [255, 0, 0], [51, 0, 0], &mut frame);
    // A fifth is left: 51 of 255, as numbers and not as a colour.
    let places =
        [(-0.5, 0.0, Vec4::new(0.3, 0.0, 0.0, 1.0)), (0.5, 0.0, Vec4::new(0.06, 0.0, 0.0, 1.0))];
    expect("occlusion", &image, &places, 0.02);

    let half = Material { occlusion_strength: 0.5, ..material.clone() };
    let mut frame = dark_frame();
    frame.ambient = Vec3::X * 0.6;
    let image = mapped(half, [255, 0, 0], [51, 0, 0], &mut frame);
    expect("occlusion-half", &image, &[(0.5, 0.0, Vec4::new(0.18, 0.0, 0.0, 1.0))], 0.02);

    let mut frame = dark_frame();
    frame.shadows.on = false;
    frame.lights.push(headlight());
    let image = mapped(material, [255, 0, 0], [0, 0, 0], &mut frame);
    let light = at(&image, -0.5, 0.0);
    expect("occlusion-lamp", &image, &[(0.5, 0.0, light)], 0.005);
}

#[test]
fn an_emissive_map_multiplies_the_emissive_colour() {
    let material = Material {
        emissive: Vec3::new(1.0, 0.5, 1.0),
        emissive_texture: map(),
        ..chalk(Vec3::ZERO)
    };
    let image = mapped(material, [0, 255, 0], [188, 0, 0], &mut dark_frame());
    // 188 of 255 in sRGB is half of the light.
    let places =
        [(-0.5, 0.0, Vec4::new(0.0, 0.5, 0.0, 1.0)), (0.5, 0.0, Vec4::new(0.5, 0.0, 0.0, 1.0))];
    expect("emissive-map", &image, &places, 0.01);
}

#[test]
fn metal_is_read_from_blue_and_roughness_from_green() {
    let material = Material {
        metallic: 1.0,
        roughness: 1.0,
        metallic_roughness_texture: map(),
        ..chalk(Vec3::new(0.5, 0.0, 0.0))
    };
    // Far from the mirror direction smooth metal is black, and anything else is not.
    let mut frame = dark_frame();
    frame.shadows.on = false;
    frame.lights.push(Light::directional(Vec3::new(-1.0, 0.0, -1.0), Vec3::ONE, 4.0));
    let image = mapped(material.clone(), [255, 26, 0], [255, 26, 255], &mut frame);
    // 0.5 · 0.96 · cos 45° · 4 / π, without gloss.
    let lit = Vec4::new(0.43, 0.0, 0.0, 1.0);
    expect("metal-map", &image, &[(-0.5, 0.0, lit), (0.5, 0.0, Vec4::W)], 0.02);

    // Straight from the camera, what is smoother shines more: in the middle, 1 / α² as much, less what rough metal gets back from
    // light that bounces twice: one and a half times itself at roughness 1, a tenth at 0.7.
    let mut frame = dark_frame();
    frame.shadows.on = false;
    frame.lights.push(Light { intensity: 0.2, ..headlight() });
    let image = mapped(material, [0, 255, 255], [0, 180, 255], &mut frame);
    let (rough, smooth) = (at(&image, -0.5, 0.0).x, at(&image, 0.5, 0.0).x);
    let ratio = (255.0_f32 / 180.0).powi(4) * 1.1 / 1.8;
    assert!((smooth / rough - ratio).abs() < 0.5, "{smooth} and {rough}: expected {ratio}");
}
