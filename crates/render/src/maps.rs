//! The images and layers that materials may have, and the WGSL that reads them.
//!
//! In:  which images and layers any material of a scene has, one bit each.
//! Out: declarations for those, and functions that read every one; what no material has costs neither a binding nor a step.

use sinew_scene::{MATERIAL_TEXTURES, Material};

/// In the order of [`Material::texture_slots`], by the names that shaders call them.
const NAMES: [&str; MATERIAL_TEXTURES] = [
    "base",
    "metallic_roughness",
    "normal",
    "occlusion",
    "emissive",
    "specular",
    "specular_color",
    "clearcoat",
    "clearcoat_roughness",
    "clearcoat_normal",
    "sheen_color",
    "sheen_roughness",
    "transmission",
    "thickness",
    "diffuse_transmission",
    "diffuse_transmission_color",
    "iridescence",
    "iridescence_thickness",
    "anisotropy",
];

/// Three quarters of a level finer than a pixel asks for: a filter over four texels of that is about as wide as the pixel, and nearer to the mean over
/// it that a path tracer takes.
const SHARPER: &str = "-.75";

/// Layers, one bit each, by the names that shaders call them.
const LAYERS: [(&str, u32); 8] = [
    ("SPECULAR", SPECULAR),
    ("CLEARCOAT", CLEARCOAT),
    ("SHEEN", SHEEN),
    ("TRANSMISSION", TRANSMISSION),
    ("DIFFUSE_TRANSMISSION", DIFFUSE_TRANSMISSION),
    ("IRIDESCENCE", IRIDESCENCE),
    ("ANISOTROPY", ANISOTROPY),
    ("NORMAL_MAP", NORMAL_MAP),
];

pub(crate) const SPECULAR: u32 = 1;
pub(crate) const CLEARCOAT: u32 = 2;
pub(crate) const SHEEN: u32 = 4;
pub(crate) const TRANSMISSION: u32 = 8;
pub(crate) const DIFFUSE_TRANSMISSION: u32 = 16;
pub(crate) const IRIDESCENCE: u32 = 32;
pub(crate) const ANISOTROPY: u32 = 64;
const NORMAL_MAP: u32 = 128;

/// Whether a plain image has all that materials with these layers have.
pub(crate) fn are_plain(layers: u32) -> bool {
    layers & !NORMAL_MAP == 0
}

/// Whether colours of a slot's image are sRGB.
pub(crate) fn is_srgb(slot: usize) -> bool {
    matches!(NAMES[slot], "base" | "emissive" | "specular_color" | "sheen_color")
        || NAMES[slot] == "diffuse_transmission_color"
}

/// Whether a slot's image holds normals.
pub(crate) fn is_normal(slot: usize) -> bool {
    matches!(NAMES[slot], "normal" | "clearcoat_normal")
}

/// The name of a slot's image.
pub(crate) fn name(slot: usize) -> &'static str {
    NAMES[slot]
}

/// Where a slot's image is bound; its sampler comes next.
pub(crate) fn binding(slot: usize) -> u32 {
    1 + 2 * slot as u32
}

/// Which slots are in a set.
pub(crate) fn slots(maps: u32) -> impl Iterator<Item = usize> {
    (0..MATERIAL_TEXTURES).filter(move |slot| maps >> slot & 1 == 1)
}

/// Which images a material has, one bit each.
pub(crate) fn maps_of(material: &Material) -> u32 {
    let slots = material.texture_slots();
    (0..MATERIAL_TEXTURES)
        .filter(|slot| slots[*slot].is_some())
        .fold(0, |bits, slot| bits | 1 << slot)
}

/// Which layers a material has, one bit each.
pub(crate) fn layers_of(material: &Material) -> u32 {
    let layers = &material.layers;
    let plain = sinew_scene::MaterialLayers::default();
    let mut bits = 0;
    let mut add = |bit: u32, is_there: bool| bits |= if is_there { bit } else { 0 };
    add(SPECULAR, layers.specular != plain.specular || layers.ior != plain.ior);
    add(CLEARCOAT, layers.clearcoat.strength > 0.0);
    add(SHEEN, layers.sheen.color != glam::Vec3::ZERO);
    add(TRANSMISSION, layers.transmission.strength > 0.0);
    add(DIFFUSE_TRANSMISSION, layers.diffuse_transmission.strength > 0.0);
    add(IRIDESCENCE, layers.iridescence.strength > 0.0);
    add(ANISOTROPY, layers.anisotropy.strength > 0.0);
    add(NORMAL_MAP, material.normal_texture.is_some() || layers.clearcoat.normal_texture.is_some());
    bits
}

/// The WGSL of a scene's images and layers.
pub(crate) fn wgsl(maps: u32, layers: u32) -> String {
    let mut text = String::new();
    for (slot, name) in NAMES.iter().enumerate() {
        text += &if maps >> slot & 1 == 1 {
            let (image, sampler) = (binding(slot), binding(slot) + 1);
            format!(
                "@group(3) @binding({image}) var {name}_map: texture_2d<f32>;\n\
                 @group(3) @binding({sampler}) var {name}_sampler: sampler;\n\
                 fn read_{name}(uv: vec4<f32>) -> vec4<f32> {{\n    \
                 return textureSampleBias({name}_map, {name}_sampler, uv_of({slot}u, uv), {SHARPER});\n}}\n"
            )
        } else {
            format!("fn read_{name}(uv: vec4<f32>) -> vec4<f32> {{ return vec4(1.0); }}\n")
        };
    }
    for (name, is_there) in self::layers(layers) {
        text += &format!("const HAS_{name} = {is_there};\n");
    }
    text
}

/// The layers by the names that shaders call them, and which of them are in a set.
pub(crate) fn layers(layers: u32) -> impl Iterator<Item = (&'static str, bool)> {
    LAYERS.into_iter().map(move |(name, bit)| (name, layers & bit != 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_scene::{TextureId, TextureUse, UvTransform};

    #[test]
    fn a_material_has_the_bits_of_its_images_and_layers() {
        let used =
            TextureUse { texture: TextureId::new(0), uv_set: 0, transform: UvTransform::default() };
        let mut material = Material { base_color_texture: Some(used), ..Material::default() };
        assert_eq!((maps_of(&material), layers_of(&material)), (1, 0));
        material.layers.anisotropy.texture = Some(used);
        material.layers.anisotropy.strength = 0.5;
        assert_eq!((maps_of(&material), layers_of(&material)), (1 | 1 << 18, ANISOTROPY));
    }
}
