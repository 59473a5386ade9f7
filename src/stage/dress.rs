//! Materials and lights as a clip drives them.
//!
//! In:  an actor's pose, with the values that its clip drives.
//! Out: materials for the renderer, lights for a frame.

use glam::{Vec2, Vec3, Vec4};
use sinew_render::{Gpu, GpuScene, Light};
use sinew_scene::{
    LightKind, Material, MaterialId, MaterialTexture, Property, PropertyId, TextureUse,
};

use crate::Actor;

/// Every driven value with its property.
fn driven(actor: &Actor) -> impl Iterator<Item = (Property, [f32; 4])> {
    let properties = actor.scene().properties.iter().enumerate();
    properties.map(|(index, p)| (p.property, *actor.pose().property(PropertyId::new(index))))
}

/// Gives the uploaded materials that a clip may drive the values of now.
pub fn dress(gpu: &Gpu, actor: &Actor, uploaded: &GpuScene) {
    for (index, material) in actor.scene().materials.iter().enumerate() {
        let id = MaterialId::new(index);
        if driven(actor).any(|(property, _)| material_of(property) == Some(id)) {
            let mut now = material.clone();
            for (property, value) in driven(actor).filter(|(p, _)| material_of(*p) == Some(id)) {
                set(&mut now, property, value);
            }
            uploaded.set_material(gpu, id, &now);
        }
    }
}

fn material_of(property: Property) -> Option<MaterialId> {
    use Property::{
        AlphaCutoff, BaseColor, Emissive, EmissiveStrength, Metallic, NormalScale,
        OcclusionStrength, Roughness, UvOffset, UvRotation, UvScale,
    };
    match property {
        BaseColor(id)
        | Metallic(id)
        | Roughness(id)
        | NormalScale(id)
        | OcclusionStrength(id)
        | Emissive(id)
        | EmissiveStrength(id)
        | AlphaCutoff(id) => Some(id),
        UvOffset(id, _) | UvRotation(id, _) | UvScale(id, _) => Some(id),
        _ => None,
    }
}

fn set(material: &mut Material, property: Property, value: [f32; 4]) {
    let [x, y, z, _] = value;
    match property {
        Property::BaseColor(_) => material.base_color = Vec4::from_array(value),
        Property::Metallic(_) => material.metallic = x,
        Property::Roughness(_) => material.roughness = x,
        Property::NormalScale(_) => material.normal_scale = x,
        Property::OcclusionStrength(_) => material.occlusion_strength = x,
        Property::Emissive(_) => material.emissive = Vec3::new(x, y, z),
        Property::EmissiveStrength(_) => material.emissive_strength = x,
        Property::AlphaCutoff(_) => material.alpha_cutoff = x,
        Property::UvOffset(_, which) => {
            on(material, which, |texture| texture.transform.offset = Vec2::new(x, y));
        }
        Property::UvRotation(_, which) => {
            on(material, which, |texture| texture.transform.rotation = x);
        }
        Property::UvScale(_, which) => {
            on(material, which, |texture| texture.transform.scale = Vec2::new(x, y));
        }
        _ => {}
    }
}

fn on(material: &mut Material, which: MaterialTexture, change: impl FnOnce(&mut TextureUse)) {
    let texture = match which {
        MaterialTexture::BaseColor => &mut material.base_color_texture,
        MaterialTexture::MetallicRoughness => &mut material.metallic_roughness_texture,
        MaterialTexture::Normal => &mut material.normal_texture,
        MaterialTexture::Occlusion => &mut material.occlusion_texture,
        MaterialTexture::Emissive => &mut material.emissive_texture,
    };
    if let Some(texture) = texture {
        change(texture);
    }
}

/// The lights of a model's own file, as they are now.
pub fn lights(actor: &Actor, lights: &mut Vec<Light>) {
    for (index, light) in actor.scene().lights.iter().enumerate() {
        let mut now = light.clone();
        for (property, value) in driven(actor) {
            drive(&mut now, index, property, value);
        }
        let node = actor.pose().model_from_joint()[light.joint.index()];
        lights.push(Light::from_scene(&now, actor.world_from_model() * node));
    }
}

fn drive(light: &mut sinew_scene::Light, own: usize, property: Property, [x, y, z, _]: [f32; 4]) {
    match (property, &mut light.kind) {
        (Property::LightColor(id), _) if id.index() == own => light.color = Vec3::new(x, y, z),
        (Property::LightIntensity(id), _) if id.index() == own => light.intensity = x,
        (Property::LightRange(id), _) if id.index() == own => light.range = Some(x),
        (Property::SpotInner(id), LightKind::Spot { inner, .. }) if id.index() == own => *inner = x,
        (Property::SpotOuter(id), LightKind::Spot { outer, .. }) if id.index() == own => *outer = x,
        _ => {}
    }
}
