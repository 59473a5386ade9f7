//! Layers of materials as their extensions: clearcoat, sheen, specular, ior, transmission, volume and the rest.
//!
//! In:  a material's layers, and whoever writes a use of a texture. Out: one object for each layer that says anything.

use glam::Vec3;
use sinew_scene::{MaterialLayers, TextureUse};

use super::json::Object;

/// An extension's name and its value.
pub(super) type Layer = (&'static str, Object);

/// Every layer that is not at its default.
pub(super) fn write(
    layers: &MaterialLayers,
    mut texture: impl FnMut(Option<TextureUse>) -> Option<Object>,
) -> Vec<Layer> {
    let plain = MaterialLayers::default();
    let mut written = Vec::new();
    if layers.ior != plain.ior {
        written.push(("KHR_materials_ior", Object::new().with("ior", layers.ior)));
    }
    if layers.dispersion != plain.dispersion {
        let value = Object::new().with("dispersion", layers.dispersion);
        written.push(("KHR_materials_dispersion", value));
    }
    if layers.specular != plain.specular {
        written.push(("KHR_materials_specular", specular(layers, &mut texture)));
    }
    if layers.clearcoat != plain.clearcoat {
        written.push(("KHR_materials_clearcoat", clearcoat(layers, &mut texture)));
    }
    if layers.sheen != plain.sheen {
        written.push(("KHR_materials_sheen", sheen(layers, &mut texture)));
    }
    if layers.transmission.strength != 0.0 || layers.transmission.strength_texture.is_some() {
        let strength = texture(layers.transmission.strength_texture);
        let value = Object::new()
            .unless("transmissionFactor", layers.transmission.strength, 0.0)
            .some("transmissionTexture", strength);
        written.push(("KHR_materials_transmission", value));
    }
    if has_volume(layers) {
        written.push(("KHR_materials_volume", volume(layers, &mut texture)));
    }
    if layers.diffuse_transmission != plain.diffuse_transmission {
        let value = diffuse_transmission(layers, &mut texture);
        written.push(("KHR_materials_diffuse_transmission", value));
    }
    if layers.iridescence != plain.iridescence {
        written.push(("KHR_materials_iridescence", iridescence(layers, &mut texture)));
    }
    if layers.anisotropy != plain.anisotropy {
        let value = Object::new()
            .unless("anisotropyStrength", layers.anisotropy.strength, 0.0)
            .unless("anisotropyRotation", layers.anisotropy.rotation, 0.0)
            .some("anisotropyTexture", texture(layers.anisotropy.texture));
        written.push(("KHR_materials_anisotropy", value));
    }
    written
}

/// Writes a use of a texture.
type Write<'a> = &'a mut dyn FnMut(Option<TextureUse>) -> Option<Object>;

fn specular(layers: &MaterialLayers, texture: Write<'_>) -> Object {
    let own = &layers.specular;
    Object::new()
        .unless("specularFactor", own.strength, 1.0)
        .some("specularTexture", texture(own.strength_texture))
        .unless("specularColorFactor", own.color, Vec3::ONE)
        .some("specularColorTexture", texture(own.color_texture))
}

fn clearcoat(layers: &MaterialLayers, texture: Write<'_>) -> Object {
    let own = &layers.clearcoat;
    let normal =
        texture(own.normal_texture).map(|info| info.unless("scale", own.normal_scale, 1.0));
    Object::new()
        .unless("clearcoatFactor", own.strength, 0.0)
        .some("clearcoatTexture", texture(own.strength_texture))
        .unless("clearcoatRoughnessFactor", own.roughness, 0.0)
        .some("clearcoatRoughnessTexture", texture(own.roughness_texture))
        .some("clearcoatNormalTexture", normal)
}

fn sheen(layers: &MaterialLayers, texture: Write<'_>) -> Object {
    let own = &layers.sheen;
    Object::new()
        .unless("sheenColorFactor", own.color, Vec3::ZERO)
        .some("sheenColorTexture", texture(own.color_texture))
        .unless("sheenRoughnessFactor", own.roughness, 0.0)
        .some("sheenRoughnessTexture", texture(own.roughness_texture))
}

fn has_volume(layers: &MaterialLayers) -> bool {
    let own = &layers.transmission;
    own.thickness != 0.0
        || own.thickness_texture.is_some()
        || own.attenuation_distance.is_some()
        || own.attenuation_color != Vec3::ONE
}

fn volume(layers: &MaterialLayers, texture: Write<'_>) -> Object {
    let own = &layers.transmission;
    Object::new()
        .unless("thicknessFactor", own.thickness, 0.0)
        .some("thicknessTexture", texture(own.thickness_texture))
        .some("attenuationDistance", own.attenuation_distance)
        .unless("attenuationColor", own.attenuation_color, Vec3::ONE)
}

fn diffuse_transmission(layers: &MaterialLayers, texture: Write<'_>) -> Object {
    let own = &layers.diffuse_transmission;
    Object::new()
        .unless("diffuseTransmissionFactor", own.strength, 0.0)
        .some("diffuseTransmissionTexture", texture(own.strength_texture))
        .unless("diffuseTransmissionColorFactor", own.color, Vec3::ONE)
        .some("diffuseTransmissionColorTexture", texture(own.color_texture))
}

fn iridescence(layers: &MaterialLayers, texture: Write<'_>) -> Object {
    let own = &layers.iridescence;
    Object::new()
        .unless("iridescenceFactor", own.strength, 0.0)
        .some("iridescenceTexture", texture(own.strength_texture))
        .unless("iridescenceIor", own.ior, 1.3)
        .unless("iridescenceThicknessMinimum", own.min_thickness, 100.0)
        .unless("iridescenceThicknessMaximum", own.max_thickness, 400.0)
        .some("iridescenceThicknessTexture", texture(own.thickness_texture))
}
