//! Materials.
//!
//! In:  the document's materials. Out: metallic-roughness materials with their layers; what only other models of
//! light can say is approximated with a note.

use glam::{Vec2, Vec3, Vec4};
use sinew_scene::{AlphaMode, Material, TextureId, TextureUse, UvTransform};

use super::buffer::no_such;
use super::json::{self, Document, SpecularGlossiness, TextureInfo, floats};
use crate::open::Context;
use crate::{ImportError, Place, files};

pub(super) fn read(
    document: &Document<'_>,
    context: &mut Context<'_>,
) -> Result<Vec<Material>, ImportError> {
    let materials = document.materials.iter().enumerate();
    let each = materials.map(|(at, filed)| {
        let place = Place::part(format!("materials[{at}]"));
        read_one(filed, &Textures { count: document.textures.len(), place: &place }, context)
    });
    each.collect()
}

fn read_one(
    filed: &json::Material,
    textures: &Textures<'_>,
    context: &mut Context<'_>,
) -> Result<Material, ImportError> {
    let plain = &filed.pbr_metallic_roughness;
    let other = Material::default();
    let number = |number: Option<json::Number>, other: f32| number.map_or(other, |n| n.0);
    let normal = filed.normal_texture.as_ref();
    let occlusion = filed.occlusion_texture.as_ref();
    let strength = filed.extensions.emissive_strength.as_ref().and_then(|e| e.emissive_strength);
    let mut material = Material {
        name: filed.name.clone().unwrap_or_default(),
        base_color: plain.base_color_factor.map_or(Vec4::ONE, |color| floats(color).into()),
        base_color_texture: textures.used(plain.base_color_texture.as_ref())?,
        metallic: number(plain.metallic_factor, other.metallic),
        roughness: number(plain.roughness_factor, other.roughness),
        metallic_roughness_texture: textures.used(plain.metallic_roughness_texture.as_ref())?,
        normal_texture: textures.used(normal)?,
        normal_scale: number(normal.and_then(|normal| normal.scale), other.normal_scale),
        occlusion_texture: textures.used(occlusion)?,
        occlusion_strength: number(occlusion.and_then(|o| o.strength), other.occlusion_strength),
        emissive: filed.emissive_factor.map_or(Vec3::ZERO, |color| floats(color).into()),
        emissive_strength: number(strength, other.emissive_strength),
        emissive_texture: textures.used(filed.emissive_texture.as_ref())?,
        alpha_mode: alpha_mode(filed, textures.place, context),
        alpha_cutoff: number(filed.alpha_cutoff, other.alpha_cutoff),
        double_sided: filed.double_sided,
        unlit: filed.extensions.unlit.is_some(),
        layers: super::layers::read(&filed.extensions, textures)?,
    };
    if let Some(specular) = &filed.extensions.specular_glossiness {
        let text = "a material is specular-glossiness: metallic-roughness approximates it";
        context.notes.add(textures.place.clone(), text);
        approximate(specular, &mut material, textures)?;
    }
    Ok(material)
}

fn alpha_mode(filed: &json::Material, place: &Place, context: &mut Context<'_>) -> AlphaMode {
    match filed.alpha_mode.as_deref() {
        None | Some("OPAQUE") => AlphaMode::Opaque,
        Some("MASK") => AlphaMode::Mask,
        Some("BLEND") => AlphaMode::Blend,
        Some(other) => {
            let text = format!(
                "a material's alpha mode is \"{}\": it is drawn opaque",
                files::shorten(other)
            );
            context.notes.add(place.clone(), text);
            AlphaMode::Opaque
        }
    }
}

pub(super) struct Textures<'a> {
    count: usize,
    place: &'a Place,
}

impl Textures<'_> {
    pub(super) fn used(
        &self,
        info: Option<&TextureInfo>,
    ) -> Result<Option<TextureUse>, ImportError> {
        let Some(info) = info else { return Ok(None) };
        if info.index.0 >= self.count {
            return Err(no_such("texture", info.index.0, self.count, self.place));
        }
        let moved = info.extensions.transform.as_ref();
        let set = moved.and_then(|moved| moved.tex_coord).unwrap_or(info.tex_coord);
        let transform = moved.map_or_else(UvTransform::default, |moved| UvTransform {
            offset: moved.offset.map_or(Vec2::ZERO, |offset| floats(offset).into()),
            rotation: moved.rotation.map_or(0.0, |rotation| rotation.0),
            scale: moved.scale.map_or(Vec2::ONE, |scale| floats(scale).into()),
        });
        let uv_set = u32::try_from(set.0).unwrap_or(u32::MAX);
        Ok(Some(TextureUse { texture: TextureId::new(info.index.0), uv_set, transform }))
    }
}

/// Reflectance of common materials that are no metals.
const DIELECTRIC: f32 = 0.04;

/// The conversion that the extension's own appendix gives: the metallic value that reflects
/// as much as `specular` does, and the base colour that goes with it.
fn approximate(
    filed: &SpecularGlossiness,
    material: &mut Material,
    textures: &Textures<'_>,
) -> Result<(), ImportError> {
    let diffuse: Vec4 = filed.diffuse_factor.map_or(Vec4::ONE, |color| floats(color).into());
    let specular: Vec3 = filed.specular_factor.map_or(Vec3::ONE, |color| floats(color).into());
    let textured = filed.specular_glossiness_texture.is_some();
    material.base_color_texture = textures.used(filed.diffuse_texture.as_ref())?;
    material.metallic_roughness_texture = None;
    material.roughness = 1.0 - filed.glossiness_factor.map_or(1.0, |glossiness| glossiness.0);
    if textured {
        // The factors mean nothing without a texture that cannot be read as metallic-roughness.
        material.base_color = diffuse;
        (material.metallic, material.roughness) = (0.0, material.roughness.max(0.5));
        return Ok(());
    }
    let strength = 1.0 - specular.max_element();
    let metallic = metallic(brightness(diffuse.truncate()), brightness(specular), strength);
    let plain = diffuse.truncate() * (strength / (1.0 - DIELECTRIC) / (1.0 - metallic).max(1e-6));
    let metal = (specular - DIELECTRIC * (1.0 - metallic)) / metallic.max(1e-6);
    let color = plain.lerp(metal, metallic * metallic).clamp(Vec3::ZERO, Vec3::ONE);
    material.base_color = color.extend(diffuse.w);
    material.metallic = metallic;
    Ok(())
}

/// Perceived brightness of a linear colour.
fn brightness(color: Vec3) -> f32 {
    (color * color).dot(Vec3::new(0.299, 0.587, 0.114)).sqrt()
}

fn metallic(diffuse: f32, specular: f32, strength: f32) -> f32 {
    if specular < DIELECTRIC {
        return 0.0;
    }
    let a = DIELECTRIC;
    let b = diffuse * strength / (1.0 - DIELECTRIC) + specular - 2.0 * DIELECTRIC;
    let c = DIELECTRIC - specular;
    let root = (b * b - 4.0 * a * c).max(0.0).sqrt();
    ((-b + root) / (2.0 * a)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_specular_colour_without_diffuse_is_a_metal_and_a_faint_one_is_none() {
        // With no diffuse light b = s - 2d and c = d - s, so that m = 1 solves d m² + b m + c = 0.
        assert!((metallic(0.0, 0.9, 0.1) - 1.0).abs() < 1e-4);
        assert_eq!(metallic(0.8, 0.03, 0.97), 0.0);
    }
}
