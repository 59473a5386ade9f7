//! Materials: ufbx's physical view of whatever shading model the file uses.
//!
//! A texture on a colour replaces the colour, as in the programs that write FBX; the factor
//! beside it stays.

use glam::{Vec3, Vec4};
use sinew_scene::{AlphaMode, Material, TextureUse};

use super::number::vec4;
use super::texture::Images;
use crate::Place;
use crate::open::Context;

pub(super) fn materials(
    scene: &ufbx::Scene,
    images: &mut Images,
    context: &mut Context<'_>,
) -> Vec<Material> {
    scene.materials.iter().map(|material| read(scene, material, images, context)).collect()
}

fn read(
    scene: &ufbx::Scene,
    from: &ufbx::Material,
    images: &mut Images,
    context: &mut Context<'_>,
) -> Material {
    let mut used = |map: &ufbx::MaterialMap| -> Option<TextureUse> {
        let texture = map.texture.as_deref().filter(|_| map.texture_enabled)?;
        images.texture_use(scene, from, texture, context)
    };
    let (pbr, fbx) = (&from.pbr, &from.fbx);
    let mut made = Material { name: from.element.name.to_string(), ..Material::default() };
    made.base_color_texture = used(&pbr.base_color);
    made.emissive_texture = used(&pbr.emission_color);
    made.occlusion_texture = used(&pbr.ambient_occlusion);
    made.normal_texture = used(&pbr.normal_map).or_else(|| used(&fbx.normal_map));
    let (rough, metal) = (used(&pbr.roughness), used(&pbr.metalness));
    let holes = [&pbr.opacity, &fbx.transparency_color, &fbx.transparency_factor];
    let holes = holes.into_iter().find_map(used);
    let color = tinted(&pbr.base_color, &pbr.base_factor, made.base_color_texture.is_some());
    let alpha = opacity(from, context);
    made.base_color = color.extend(alpha);
    made.emissive = match pbr.emission_color.has_value || made.emissive_texture.is_some() {
        true => tinted(&pbr.emission_color, &pbr.emission_factor, made.emissive_texture.is_some()),
        false => Vec3::ZERO,
    };
    made.metallic = number(&pbr.metalness, 0.0).clamp(0.0, 1.0);
    made.roughness = number(&pbr.roughness, 1.0).clamp(0.0, 1.0);
    // FBX says of models, not of materials, whether their backs are left out; no exporter asks for it.
    made.double_sided = true;
    made.unlit = from.features.unlit.enabled;
    if rough.is_some() && rough == metal {
        made.metallic_roughness_texture = rough;
        (made.metallic, made.roughness) = (1.0, 1.0);
    } else if rough.is_some() || metal.is_some() {
        note(from, context, "textures of metalness and roughness that are not one are left out");
    }
    if let Some(holes) = holes {
        let same = made.base_color_texture.map(|used| used.texture) == Some(holes.texture);
        match same {
            true => made.alpha_mode = AlphaMode::Blend,
            false => note(from, context, "a texture of transparency alone is left out"),
        }
    }
    if fbx.bump.texture.is_some() && made.normal_texture.is_none() {
        note(from, context, "a bump map is left out");
    }
    if alpha < 1.0 {
        made.alpha_mode = AlphaMode::Blend;
    }
    made
}

fn note(material: &ufbx::Material, context: &mut Context<'_>, text: &str) {
    context.notes.add(Place::part(format!("material \"{}\"", material.element.name)), text);
}

fn tinted(color: &ufbx::MaterialMap, factor: &ufbx::MaterialMap, textured: bool) -> Vec3 {
    let own = vec4(color.value_vec4);
    let color = if textured || !color.has_value { Vec4::ONE } else { own };
    let color = color.truncate() * number(factor, 1.0);
    if color.is_finite() { color } else { Vec3::ONE }
}

fn number(map: &ufbx::MaterialMap, otherwise: f32) -> f32 {
    let value = map.value_vec4.x as f32;
    if map.has_value && value.is_finite() { value } else { otherwise }
}

/// What shows of the surface. FBX says it in three forms that exporters do not agree on.
fn opacity(material: &ufbx::Material, context: &mut Context<'_>) -> f32 {
    let stated =
        ufbx::find_prop(&material.element.props, "Opacity").map(|prop| prop.value_vec4.x as f32);
    let alpha = if material.pbr.opacity.has_value {
        material.pbr.opacity.value_vec4.x as f32
    } else if let Some(stated) = stated {
        stated
    } else {
        let (color, factor) = (&material.fbx.transparency_color, &material.fbx.transparency_factor);
        let through = vec4(color.value_vec4).truncate().element_sum() / 3.0;
        if color.has_value { 1.0 - through * number(factor, 1.0) } else { 1.0 }
    };
    if alpha > 0.0 {
        return alpha.min(1.0);
    }
    note(material, context, "a material that nothing would show of is drawn opaque");
    1.0
}
