//! Where a driven value is in the document: the pointers of `KHR_animation_pointer`.
//!
//! In:  a property of the scene. Out: a JSON pointer and by how much its numbers are multiplied, or nothing where the
//! document has no place for it.

use sinew_scene::{CameraId, Material, MaterialTexture, Projection, Property, Scene};

use super::extension::{EMISSIVE_STRENGTH, LIGHTS, TEXTURE_TRANSFORM, VISIBILITY};
use super::{light, material};

/// A place in the document.
#[derive(Debug, PartialEq)]
pub(super) struct Pointer {
    pub(super) path: String,
    /// The document's number for one of the scene's.
    pub(super) factor: f32,
}

pub(super) fn pointer(scene: &Scene, property: Property) -> Option<Pointer> {
    let plain = |path: String| Some(Pointer { path, factor: 1.0 });
    let of_material = |id: sinew_scene::MaterialId, path: &str| {
        plain(format!("/materials/{}/{path}", id.index()))
    };
    match property {
        Property::BaseColor(id) => of_material(id, "pbrMetallicRoughness/baseColorFactor"),
        Property::Metallic(id) => of_material(id, "pbrMetallicRoughness/metallicFactor"),
        Property::Roughness(id) => of_material(id, "pbrMetallicRoughness/roughnessFactor"),
        Property::NormalScale(id) => {
            scene[id].normal_texture.and_then(|_| of_material(id, "normalTexture/scale"))
        }
        Property::OcclusionStrength(id) => {
            scene[id].occlusion_texture.and_then(|_| of_material(id, "occlusionTexture/strength"))
        }
        Property::Emissive(id) => {
            let factor = 1.0 / material::emissive_scale(&scene[id]);
            Some(Pointer { factor, ..of_material(id, "emissiveFactor")? })
        }
        Property::EmissiveStrength(id) => {
            let path = format!("extensions/{EMISSIVE_STRENGTH}/emissiveStrength");
            let factor = material::emissive_scale(&scene[id]);
            Some(Pointer { factor, ..of_material(id, &path)? })
        }
        Property::AlphaCutoff(id) => of_material(id, "alphaCutoff"),
        Property::UvOffset(id, which) => of_material(id, &uv(&scene[id], which, "offset")?),
        Property::UvRotation(id, which) => of_material(id, &uv(&scene[id], which, "rotation")?),
        Property::UvScale(id, which) => of_material(id, &uv(&scene[id], which, "scale")?),
        Property::Visible(id) => {
            plain(format!("/nodes/{}/extensions/{VISIBILITY}/visible", id.index()))
        }
        other => of_light(scene, other).or_else(|| of_camera(scene, other)),
    }
}

fn uv(material: &Material, which: MaterialTexture, value: &str) -> Option<String> {
    let (used, name) = match which {
        MaterialTexture::BaseColor => {
            (material.base_color_texture, "pbrMetallicRoughness/baseColorTexture")
        }
        MaterialTexture::MetallicRoughness => {
            (material.metallic_roughness_texture, "pbrMetallicRoughness/metallicRoughnessTexture")
        }
        MaterialTexture::Normal => (material.normal_texture, "normalTexture"),
        MaterialTexture::Occlusion => (material.occlusion_texture, "occlusionTexture"),
        MaterialTexture::Emissive => (material.emissive_texture, "emissiveTexture"),
    };
    used.map(|_| format!("{name}/extensions/{TEXTURE_TRANSFORM}/{value}"))
}

fn of_light(scene: &Scene, property: Property) -> Option<Pointer> {
    let (id, path) = match property {
        Property::LightColor(id) => (id, "color"),
        Property::LightIntensity(id) => (id, "intensity"),
        Property::LightRange(id) => (id, "range"),
        Property::SpotInner(id) => (id, "spot/innerConeAngle"),
        Property::SpotOuter(id) => (id, "spot/outerConeAngle"),
        _ => return None,
    };
    let scale = light::color_scale(&scene[id]);
    let factor = match property {
        Property::LightColor(_) => 1.0 / scale,
        Property::LightIntensity(_) => scale,
        _ => 1.0,
    };
    let path = format!("/extensions/{LIGHTS}/lights/{}/{path}", id.index());
    Some(Pointer { path, factor })
}

fn of_camera(scene: &Scene, property: Property) -> Option<Pointer> {
    let perspective = |id: CameraId| matches!(scene[id].projection, Projection::Perspective { .. });
    let kind = |id| if perspective(id) { "perspective" } else { "orthographic" };
    let (id, path) = match property {
        Property::FovY(id) if perspective(id) => (id, "yfov"),
        Property::Aspect(id) if perspective(id) => (id, "aspectRatio"),
        Property::Near(id) => (id, "znear"),
        Property::Far(id) => (id, "zfar"),
        Property::HalfWidth(id) if !perspective(id) => (id, "xmag"),
        Property::HalfHeight(id) if !perspective(id) => (id, "ymag"),
        _ => return None,
    };
    let path = format!("/cameras/{}/{}/{path}", id.index(), kind(id));
    Some(Pointer { path, factor: 1.0 })
}
