//! Pictures of rules on surfaces and files: a figure, and how it looks with the fault.

use sinew::glam::{Vec2, Vec3, Vec4};
use sinew::scene::{
    AlphaMode, Image, ImageData, ImageId, Sampler, SceneParts, Texture, TextureId, TextureUse,
    UvTransform,
};

use super::half::{Extra, Half};

/// Side of an image made here, in pixels.
const SIDE: u32 = 64;

pub(super) fn halves(code: &str) -> [Half; 2] {
    let sound = || Half::rest(|_| ());
    match code {
        "textures" => [sound(), Half::rest(plain).words("drawn without its image").ring("chest")],
        "tangents" => [
            knitted(true).words("tangents of the file"),
            knitted(false).words("one side is lit from below").ring("upper_arm.R"),
        ],
        "colour" => [
            sound(),
            Half::rest(|parts| {
                let texture = texture(parts, |_, _| Vec3::new(0.15, 0.25, 0.35));
                parts.materials[0].normal_texture = Some(texture);
                cover(parts, true);
            })
            .words("a colour read as a direction")
            .ring("chest"),
        ],
        "alpha" => [
            sound().words("opaque"),
            Half::rest(|parts| {
                parts.materials[0].alpha_mode = AlphaMode::Blend;
                parts.materials[0].base_color.w = 0.6;
                parts.materials[0].double_sided = true;
            })
            .words("blended: its back shows through")
            .ring("chest"),
        ],
        "required" => [
            sound().words("no extension required"),
            Half::nothing("refused: KHR_draco_mesh_compression").with(Extra::RingAt(Vec3::Y)),
        ],
        _ => [
            sound().words("read as filed"),
            Half::rest(plain).words("an unknown extension was left out").ring("chest"),
        ],
    }
}

/// Without images and colours.
fn plain(parts: &mut SceneParts) {
    let material = &mut parts.materials[0];
    material.base_color_texture = None;
    material.metallic_roughness_texture = None;
    material.metallic = 0.0;
    material.roughness = 0.8;
    material.base_color = Vec4::new(0.8, 0.8, 0.8, 1.0);
    parts.meshes[0].primitives[0].colors.clear();
}

/// With a normal map of ridges over mirrored texture coordinates; tangents know of the mirror or not.
fn knitted(right: bool) -> Half {
    Half::rest(|parts| {
        plain(parts);
        let ridge = |_: u32, y: u32| {
            let slope = (y as f32 / SIDE as f32 * 4.0 * std::f32::consts::TAU).cos() * 0.8;
            Vec3::new(0.0, slope, 1.0).normalize()
        };
        let map = texture(parts, |x, y| ridge(x, y) * 0.5 + 0.5);
        parts.materials[0].normal_texture = Some(map);
        cover(parts, right);
    })
}

/// Texture coordinates that are mirrored about the middle, with tangents.
fn cover(parts: &mut SceneParts, right: bool) {
    let primitive = &mut parts.meshes[0].primitives[0];
    let uv = |at: &Vec3| Vec2::new(at.x.abs() * 3.0, 1.0 - at.y * 3.0);
    let tangent = |at: &Vec3| {
        let side = if at.x < 0.0 { -1.0 } else { 1.0 };
        // Where a program forgets the mirror, the bitangent points the other way.
        Vec4::new(side, 0.0, 0.0, if right { side } else { 1.0 })
    };
    primitive.tangents = primitive.positions.iter().map(tangent).collect();
    primitive.uvs = vec![primitive.positions.iter().map(uv).collect()];
}

fn texture(parts: &mut SceneParts, color: impl Fn(u32, u32) -> Vec3) -> TextureUse {
    let pixels = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y)));
    let rgba: Vec<u8> = pixels
        .flat_map(|(x, y)| (color(x, y) * 255.0).extend(255.0).to_array().map(|part| part as u8))
        .collect();
    let data = ImageData::Pixels { width: SIDE, height: SIDE, rgba: rgba.into() };
    parts.images.push(Image { name: String::new(), data });
    let image = Some(ImageId::new(parts.images.len() - 1));
    parts.textures.push(Texture { name: String::new(), image, sampler: Sampler::default() });
    let texture = TextureId::new(parts.textures.len() - 1);
    TextureUse { texture, uv_set: 0, transform: UvTransform::default() }
}
