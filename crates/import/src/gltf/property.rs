//! The values besides nodes and weights that clips drive, each listed once with its rest value.

use std::collections::HashMap;

use sinew_scene::{
    AnimatedProperty, LightKind, Material, MaterialTexture, Projection, Property, PropertyId,
    SceneParts, TextureUse,
};

use super::instance::Bound;
use super::json::Document;

/// Lists nodes that the file hides, whether or not a clip ever shows them.
pub(super) fn add_hidden(document: &Document<'_>, bound: &Bound, parts: &mut SceneParts) {
    for (node, &joint) in document.nodes.iter().zip(&bound.joints) {
        let visibility = node.extensions.as_ref().and_then(|all| all.visibility.as_ref());
        if visibility.and_then(|visibility| visibility.visible) == Some(false) {
            let rest = [0.0; 4];
            parts.properties.push(AnimatedProperty { property: Property::Visible(joint), rest });
        }
    }
}

/// Finds the number of a property, listing it when it is new.
pub(super) struct Registry(HashMap<Property, PropertyId>);

impl Registry {
    pub(super) fn new(parts: &SceneParts) -> Self {
        let known = parts.properties.iter().enumerate();
        Self(known.map(|(at, known)| (known.property, PropertyId::new(at))).collect())
    }

    /// `None` when the scene has no such value, as the offset of a texture that is not there.
    pub(super) fn id(&mut self, property: Property, parts: &mut SceneParts) -> Option<PropertyId> {
        if let Some(&known) = self.0.get(&property) {
            return Some(known);
        }
        let rest = rest(property, parts)?;
        let id = PropertyId::new(parts.properties.len());
        parts.properties.push(AnimatedProperty { property, rest });
        self.0.insert(property, id);
        Some(id)
    }
}

fn rest(property: Property, parts: &SceneParts) -> Option<[f32; 4]> {
    let one = |value: f32| Some([value, 0.0, 0.0, 0.0]);
    let material = |id: sinew_scene::MaterialId| parts.materials.get(id.index());
    match property {
        Property::BaseColor(id) => Some(material(id)?.base_color.to_array()),
        Property::Metallic(id) => one(material(id)?.metallic),
        Property::Roughness(id) => one(material(id)?.roughness),
        Property::NormalScale(id) => one(material(id)?.normal_scale),
        Property::OcclusionStrength(id) => one(material(id)?.occlusion_strength),
        Property::Emissive(id) => Some(material(id)?.emissive.extend(0.0).to_array()),
        Property::EmissiveStrength(id) => one(material(id)?.emissive_strength),
        Property::AlphaCutoff(id) => one(material(id)?.alpha_cutoff),
        Property::UvOffset(id, which) => {
            let offset = texture(material(id)?, which)?.transform.offset;
            Some([offset.x, offset.y, 0.0, 0.0])
        }
        Property::UvRotation(id, which) => one(texture(material(id)?, which)?.transform.rotation),
        Property::UvScale(id, which) => {
            let scale = texture(material(id)?, which)?.transform.scale;
            Some([scale.x, scale.y, 0.0, 0.0])
        }
        Property::Visible(_) => one(1.0),
        other => rest_under_node(other, parts),
    }
}

/// Of lights and cameras. What reaches without end at rest is listed with the largest number.
fn rest_under_node(property: Property, parts: &SceneParts) -> Option<[f32; 4]> {
    let one = |value: f32| Some([value, 0.0, 0.0, 0.0]);
    let light = |id: sinew_scene::LightId| parts.lights.get(id.index());
    let camera = |id: sinew_scene::CameraId| parts.cameras.get(id.index()).map(|c| c.projection);
    match property {
        Property::LightColor(id) => Some(light(id)?.color.extend(0.0).to_array()),
        Property::LightIntensity(id) => one(light(id)?.intensity),
        Property::LightRange(id) => one(light(id)?.range.unwrap_or(f32::MAX)),
        Property::SpotInner(id) | Property::SpotOuter(id) => match light(id)?.kind {
            LightKind::Spot { inner, .. } if property == Property::SpotInner(id) => one(inner),
            LightKind::Spot { outer, .. } => one(outer),
            _ => None,
        },
        Property::FovY(id)
        | Property::Aspect(id)
        | Property::Near(id)
        | Property::Far(id)
        | Property::HalfWidth(id)
        | Property::HalfHeight(id) => match (camera(id)?, property) {
            (Projection::Perspective { fov_y, .. }, Property::FovY(_)) => one(fov_y),
            (Projection::Perspective { aspect, .. }, Property::Aspect(_)) => {
                one(aspect.unwrap_or(1.0))
            }
            (Projection::Perspective { near, .. }, Property::Near(_)) => one(near),
            (Projection::Perspective { far, .. }, Property::Far(_)) => one(far.unwrap_or(f32::MAX)),
            (Projection::Orthographic { near, .. }, Property::Near(_)) => one(near),
            (Projection::Orthographic { far, .. }, Property::Far(_)) => one(far),
            (Projection::Orthographic { half_width, .. }, Property::HalfWidth(_)) => {
                one(half_width)
            }
            (Projection::Orthographic { half_height, .. }, Property::HalfHeight(_)) => {
                one(half_height)
            }
            _ => None,
        },
        _ => None,
    }
}

fn texture(material: &Material, which: MaterialTexture) -> Option<TextureUse> {
    match which {
        MaterialTexture::BaseColor => material.base_color_texture,
        MaterialTexture::MetallicRoughness => material.metallic_roughness_texture,
        MaterialTexture::Normal => material.normal_texture,
        MaterialTexture::Occlusion => material.occlusion_texture,
        MaterialTexture::Emissive => material.emissive_texture,
    }
}
