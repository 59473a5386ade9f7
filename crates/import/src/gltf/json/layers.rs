//! The extensions of materials that are layers, as filed.

use super::{Number, TextureInfo};
use crate::json::filed;

filed! {
    Ior {
        ior: Option<Number> = "ior",
    }
    Dispersion {
        dispersion: Option<Number> = "dispersion",
    }
    Specular {
        specular_factor: Option<Number> = "specularFactor",
        specular_texture: Option<TextureInfo> = "specularTexture",
        specular_color_factor: Option<[Number; 3]> = "specularColorFactor",
        specular_color_texture: Option<TextureInfo> = "specularColorTexture",
    }
    Clearcoat {
        clearcoat_factor: Option<Number> = "clearcoatFactor",
        clearcoat_texture: Option<TextureInfo> = "clearcoatTexture",
        clearcoat_roughness_factor: Option<Number> = "clearcoatRoughnessFactor",
        clearcoat_roughness_texture: Option<TextureInfo> = "clearcoatRoughnessTexture",
        clearcoat_normal_texture: Option<TextureInfo> = "clearcoatNormalTexture",
    }
    Sheen {
        sheen_color_factor: Option<[Number; 3]> = "sheenColorFactor",
        sheen_color_texture: Option<TextureInfo> = "sheenColorTexture",
        sheen_roughness_factor: Option<Number> = "sheenRoughnessFactor",
        sheen_roughness_texture: Option<TextureInfo> = "sheenRoughnessTexture",
    }
    Transmission {
        transmission_factor: Option<Number> = "transmissionFactor",
        transmission_texture: Option<TextureInfo> = "transmissionTexture",
    }
    Volume {
        thickness_factor: Option<Number> = "thicknessFactor",
        thickness_texture: Option<TextureInfo> = "thicknessTexture",
        attenuation_distance: Option<Number> = "attenuationDistance",
        attenuation_color: Option<[Number; 3]> = "attenuationColor",
    }
    DiffuseTransmission {
        diffuse_transmission_factor: Option<Number> = "diffuseTransmissionFactor",
        diffuse_transmission_texture: Option<TextureInfo> = "diffuseTransmissionTexture",
        diffuse_transmission_color_factor: Option<[Number; 3]> = "diffuseTransmissionColorFactor",
        diffuse_transmission_color_texture: Option<TextureInfo> = "diffuseTransmissionColorTexture",
    }
    Iridescence {
        iridescence_factor: Option<Number> = "iridescenceFactor",
        iridescence_texture: Option<TextureInfo> = "iridescenceTexture",
        iridescence_ior: Option<Number> = "iridescenceIor",
        iridescence_thickness_minimum: Option<Number> = "iridescenceThicknessMinimum",
        iridescence_thickness_maximum: Option<Number> = "iridescenceThicknessMaximum",
        iridescence_thickness_texture: Option<TextureInfo> = "iridescenceThicknessTexture",
    }
    Anisotropy {
        anisotropy_strength: Option<Number> = "anisotropyStrength",
        anisotropy_rotation: Option<Number> = "anisotropyRotation",
        anisotropy_texture: Option<TextureInfo> = "anisotropyTexture",
    }
}
