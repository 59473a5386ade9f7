//! What a channel drives: a node's path, or whatever a JSON pointer of `KHR_animation_pointer`
//! leads to.
//!
//! In:  a channel. Out: a [`Target`] bound to ids, or words on why there is nothing to drive.

use sinew_scene::{InstanceId, JointId, MaterialId, MaterialTexture, Property};

use super::buffer::no_such;
use super::instance::Bound;
use super::json::Channel;
use super::rare;
use crate::{ImportError, Place, files};

/// What follows a track.
#[derive(Debug, PartialEq)]
pub(super) enum Target {
    Translation(JointId),
    Rotation(JointId),
    Scale(JointId),
    /// All morph weights of these instances.
    Weights(Vec<InstanceId>),
    /// One morph weight of these instances.
    Weight(Vec<InstanceId>, usize),
    /// The same value of several lights or cameras, or one of a material or node.
    Properties(Vec<Property>),
}

/// What the channel drives; the inner error is for a note.
pub(super) fn target(
    channel: &Channel,
    bound: &Bound,
    materials: usize,
    place: &Place,
) -> Result<Result<Target, String>, ImportError> {
    let target = &channel.target;
    if let Some(pointer) = &target.extensions.pointer {
        if !rare::ARE_READ {
            return Err(rare::unread("KHR_animation_pointer", place));
        }
        let path = &pointer.pointer;
        let unknown =
            || format!("an animation drives \"{}\", which is not kept", files::shorten(path));
        return Ok(follow(path, bound, materials).ok_or_else(unknown));
    }
    let Some(node) = target.node else {
        return Ok(Err("a channel names no node: it is left out".into()));
    };
    if node.0 >= bound.joints.len() {
        return Err(no_such("node", node.0, bound.joints.len(), place));
    }
    Ok(match node_path(node.0, &[&target.path], bound) {
        Some(target) => Ok(target),
        None if target.path == "weights" => {
            Err("a channel drives the morph weights of a node that draws no mesh: it is left out"
                .into())
        }
        None => {
            let path = files::shorten(&target.path);
            Err(format!("a channel drives \"{path}\", which a node does not have: it is left out"))
        }
    })
}

fn follow(pointer: &str, bound: &Bound, materials: usize) -> Option<Target> {
    let steps: Vec<&str> = pointer.strip_prefix('/')?.split('/').collect();
    let index = |step: &str| step.parse::<usize>().ok();
    match steps.as_slice() {
        ["nodes", node, path @ ..] => node_path(index(node)?, path, bound),
        ["meshes", mesh, "weights"] => {
            Some(Target::Weights(bound.of_mesh.get(&index(mesh)?)?.clone()))
        }
        ["meshes", mesh, "weights", target] => {
            Some(Target::Weight(bound.of_mesh.get(&index(mesh)?)?.clone(), index(target)?))
        }
        ["materials", material, path @ ..] => {
            let material = index(material).filter(|&material| material < materials)?;
            let property = material_path(MaterialId::new(material), path)?;
            Some(Target::Properties(vec![property]))
        }
        ["extensions", "KHR_lights_punctual", "lights", light, path @ ..] => {
            let make = light_path(path)?;
            let lights = bound.lights.get(&index(light)?)?;
            Some(Target::Properties(lights.iter().map(|&light| make(light)).collect()))
        }
        ["cameras", camera, path @ ..] => {
            let make = camera_path(path)?;
            let cameras = bound.cameras.get(&index(camera)?)?;
            Some(Target::Properties(cameras.iter().map(|&camera| make(camera)).collect()))
        }
        _ => None,
    }
}

fn node_path(node: usize, path: &[&str], bound: &Bound) -> Option<Target> {
    let joint = *bound.joints.get(node)?;
    let instances = || bound.instances.get(&node).cloned();
    match path {
        ["translation"] => Some(Target::Translation(joint)),
        ["rotation"] => Some(Target::Rotation(joint)),
        ["scale"] => Some(Target::Scale(joint)),
        ["weights"] => Some(Target::Weights(instances()?)),
        ["weights", target] => Some(Target::Weight(instances()?, target.parse().ok()?)),
        ["extensions", "KHR_node_visibility", "visible"] => {
            Some(Target::Properties(vec![Property::Visible(joint)]))
        }
        _ => None,
    }
}

fn light_path(path: &[&str]) -> Option<fn(sinew_scene::LightId) -> Property> {
    match path {
        ["color"] => Some(Property::LightColor),
        ["intensity"] => Some(Property::LightIntensity),
        ["range"] => Some(Property::LightRange),
        ["spot", "innerConeAngle"] => Some(Property::SpotInner),
        ["spot", "outerConeAngle"] => Some(Property::SpotOuter),
        _ => None,
    }
}

fn camera_path(path: &[&str]) -> Option<fn(sinew_scene::CameraId) -> Property> {
    match path {
        ["perspective", "yfov"] => Some(Property::FovY),
        ["perspective", "aspectRatio"] => Some(Property::Aspect),
        ["perspective" | "orthographic", "znear"] => Some(Property::Near),
        ["perspective" | "orthographic", "zfar"] => Some(Property::Far),
        ["orthographic", "xmag"] => Some(Property::HalfWidth),
        ["orthographic", "ymag"] => Some(Property::HalfHeight),
        _ => None,
    }
}

fn material_path(material: MaterialId, path: &[&str]) -> Option<Property> {
    if let [texture @ .., "extensions", "KHR_texture_transform", value] = path {
        return uv_path(material, texture, value);
    }
    Some(match path {
        ["pbrMetallicRoughness", "baseColorFactor"]
        | ["extensions", "KHR_materials_pbrSpecularGlossiness", "diffuseFactor"] => {
            Property::BaseColor(material)
        }
        ["pbrMetallicRoughness", "metallicFactor"] => Property::Metallic(material),
        ["pbrMetallicRoughness", "roughnessFactor"] => Property::Roughness(material),
        ["normalTexture", "scale"] => Property::NormalScale(material),
        ["occlusionTexture", "strength"] => Property::OcclusionStrength(material),
        ["emissiveFactor"] => Property::Emissive(material),
        ["extensions", "KHR_materials_emissive_strength", "emissiveStrength"] => {
            Property::EmissiveStrength(material)
        }
        ["alphaCutoff"] => Property::AlphaCutoff(material),
        _ => return None,
    })
}

fn uv_path(material: MaterialId, texture: &[&str], value: &str) -> Option<Property> {
    let texture = match texture {
        ["pbrMetallicRoughness", "baseColorTexture"]
        | ["extensions", "KHR_materials_pbrSpecularGlossiness", "diffuseTexture"] => {
            MaterialTexture::BaseColor
        }
        ["pbrMetallicRoughness", "metallicRoughnessTexture"] => MaterialTexture::MetallicRoughness,
        ["normalTexture"] => MaterialTexture::Normal,
        ["occlusionTexture"] => MaterialTexture::Occlusion,
        ["emissiveTexture"] => MaterialTexture::Emissive,
        _ => return None,
    };
    match value {
        "offset" => Some(Property::UvOffset(material, texture)),
        "rotation" => Some(Property::UvRotation(material, texture)),
        "scale" => Some(Property::UvScale(material, texture)),
        _ => None,
    }
}
