//! Materials, with the extensions that the scene's nouns need: unlit, emissive strength, texture transforms.
//!
//! In:  a material. Out: the document's, without what is at its default. What a clip drives is written at its default too,
//! so that the clip's pointer leads somewhere.

use std::collections::HashSet;

use glam::{Vec3, Vec4};
use sinew_scene::{
    AlphaMode, Material, MaterialId, MaterialTexture, Property, Scene, TextureUse, UvTransform,
};

use super::extension::{EMISSIVE_STRENGTH, Extensions, TEXTURE_TRANSFORM, UNLIT};
use super::json::Object;
use super::layers;
use super::note::Notes;

/// Sets of texture coordinates from here on are not written; none that is drawn has so many.
const MAX_SETS: u32 = 16;

/// The set that a texture reads, as it is written.
pub(super) fn uv_set(filed: u32) -> usize {
    filed.min(MAX_SETS - 1) as usize
}

/// By how much the emissive colour is divided, and its strength multiplied, to have it from zero to one.
pub(super) fn emissive_scale(material: &Material) -> f32 {
    material.emissive.max_element().max(1.0)
}

pub(super) fn write_all(
    scene: &Scene,
    extensions: &mut Extensions,
    notes: &mut Notes,
) -> Vec<Object> {
    let driven: HashSet<Property> = scene.properties.iter().map(|entry| entry.property).collect();
    let all = scene.materials.iter().enumerate();
    all.map(|(at, material)| {
        Writer { material, id: MaterialId::new(at), driven: &driven, extensions, notes }.write()
    })
    .collect()
}

struct Writer<'a> {
    material: &'a Material,
    id: MaterialId,
    driven: &'a HashSet<Property>,
    extensions: &'a mut Extensions,
    notes: &'a mut Notes,
}

impl Writer<'_> {
    fn write(&mut self) -> Object {
        let material = self.material;
        let metallic_roughness = self.metallic_roughness();
        let normal = self.texture(material.normal_texture, MaterialTexture::Normal);
        let normal = normal.map(|info| info.unless("scale", material.normal_scale, 1.0));
        let occlusion = self.texture(material.occlusion_texture, MaterialTexture::Occlusion);
        let strength = self.part(material.occlusion_strength, "the strength of its occlusion");
        let occlusion = occlusion.map(|info| info.unless("strength", strength, 1.0));
        let emissive = self.texture(material.emissive_texture, MaterialTexture::Emissive);
        let color = (material.emissive / emissive_scale(material)).max(Vec3::ZERO);
        let mode = match material.alpha_mode {
            AlphaMode::Opaque => "OPAQUE",
            AlphaMode::Mask => "MASK",
            AlphaMode::Blend => "BLEND",
        };
        let object = Object::new()
            .filled("name", material.name.as_str())
            .filled("pbrMetallicRoughness", metallic_roughness)
            .some("normalTexture", normal)
            .some("occlusionTexture", occlusion)
            .some("emissiveTexture", emissive)
            .unless("emissiveFactor", color, Vec3::ZERO)
            .unless("alphaMode", mode, "OPAQUE")
            .unless("doubleSided", material.double_sided, false);
        let object = match material.alpha_mode {
            AlphaMode::Mask => object.unless("alphaCutoff", material.alpha_cutoff.max(0.0), 0.5),
            _ => object,
        };
        self.extended(object)
    }

    fn extended(&mut self, mut object: Object) -> Object {
        let material = self.material;
        let strength = material.emissive_strength.max(0.0) * emissive_scale(material);
        let driven = self.driven.contains(&Property::EmissiveStrength(self.id));
        if driven || (strength != 1.0 && material.emissive != Vec3::ZERO) {
            self.extensions.add(EMISSIVE_STRENGTH);
            let value = Object::new().with("emissiveStrength", strength);
            object = object.extension(EMISSIVE_STRENGTH, value);
        }
        for (name, value) in layers::write(&material.layers, |used| self.plain_texture(used)) {
            self.extensions.add(name);
            object = object.extension(name, value);
        }
        if material.unlit {
            self.extensions.add(UNLIT);
            object = object.extension(UNLIT, Object::new());
        }
        object
    }

    fn metallic_roughness(&mut self) -> Object {
        let material = self.material;
        let color = material.base_color.clamp(Vec4::ZERO, Vec4::ONE);
        if color != material.base_color {
            self.notes.add("a material's base colour is not from zero to one: it is cut to that");
        }
        let base = self.texture(material.base_color_texture, MaterialTexture::BaseColor);
        let surface =
            self.texture(material.metallic_roughness_texture, MaterialTexture::MetallicRoughness);
        Object::new()
            .unless("baseColorFactor", color, Vec4::ONE)
            .some("baseColorTexture", base)
            .unless("metallicFactor", self.part(material.metallic, "how metallic it is"), 1.0)
            .unless("roughnessFactor", self.part(material.roughness, "how rough it is"), 1.0)
            .some("metallicRoughnessTexture", surface)
    }

    /// A number from zero to one.
    fn part(&mut self, value: f32, what: &str) -> f32 {
        let cut = value.clamp(0.0, 1.0);
        if cut != value {
            let text = format!(
                "a material says {what} with a number outside of zero to one: it is cut to that"
            );
            self.notes.add(text);
        }
        cut
    }

    fn texture(&mut self, used: Option<TextureUse>, which: MaterialTexture) -> Option<Object> {
        let driven = [
            Property::UvOffset(self.id, which),
            Property::UvRotation(self.id, which),
            Property::UvScale(self.id, which),
        ];
        let driven = driven.iter().any(|property| self.driven.contains(property));
        self.texture_info(used?, driven)
    }

    /// One that no clip drives.
    fn plain_texture(&mut self, used: Option<TextureUse>) -> Option<Object> {
        self.texture_info(used?, false)
    }

    fn texture_info(&mut self, used: TextureUse, driven: bool) -> Option<Object> {
        let set = uv_set(used.uv_set);
        if set != used.uv_set as usize {
            self.notes.add("a texture reads a set of texture coordinates past the sixteenth");
        }
        let info = Object::new().with("index", used.texture.index()).unless("texCoord", set, 0);
        if used.transform == UvTransform::default() && !driven {
            return Some(info);
        }
        self.extensions.add(TEXTURE_TRANSFORM);
        let plain = UvTransform::default();
        let transform = Object::new()
            .unless("offset", used.transform.offset, plain.offset)
            .unless("rotation", used.transform.rotation, plain.rotation)
            .unless("scale", used.transform.scale, plain.scale);
        Some(info.extension(TEXTURE_TRANSFORM, transform))
    }
}
