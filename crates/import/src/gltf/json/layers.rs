//! The extensions of materials that are layers, as filed.

use serde::Deserialize;

use super::{Number, TextureInfo};

macro_rules! filed {
    ($($name:ident { $($member:ident: $type:ty),* $(,)? })*) => {
        $(
            #[derive(Debug, Default, Deserialize)]
            #[serde(rename_all = "camelCase", default)]
            pub(in crate::gltf) struct $name {
                $(pub(in crate::gltf) $member: Option<$type>,)*
            }
        )*
    };
}

filed! {
    Ior { ior: Number }
    Dispersion { dispersion: Number }
    Specular {
        specular_factor: Number,
        specular_texture: TextureInfo,
        specular_color_factor: [Number; 3],
        specular_color_texture: TextureInfo,
    }
    Clearcoat {
        clearcoat_factor: Number,
        clearcoat_texture: TextureInfo,
        clearcoat_roughness_factor: Number,
        clearcoat_roughness_texture: TextureInfo,
        clearcoat_normal_texture: TextureInfo,
    }
    Sheen {
        sheen_color_factor: [Number; 3],
        sheen_color_texture: TextureInfo,
        sheen_roughness_factor: Number,
        sheen_roughness_texture: TextureInfo,
    }
    Transmission { transmission_factor: Number, transmission_texture: TextureInfo }
    Volume {
        thickness_factor: Number,
        thickness_texture: TextureInfo,
        attenuation_distance: Number,
        attenuation_color: [Number; 3],
    }
    DiffuseTransmission {
        diffuse_transmission_factor: Number,
        diffuse_transmission_texture: TextureInfo,
        diffuse_transmission_color_factor: [Number; 3],
        diffuse_transmission_color_texture: TextureInfo,
    }
    Iridescence {
        iridescence_factor: Number,
        iridescence_texture: TextureInfo,
        iridescence_ior: Number,
        iridescence_thickness_minimum: Number,
        iridescence_thickness_maximum: Number,
        iridescence_thickness_texture: TextureInfo,
    }
    Anisotropy {
        anisotropy_strength: Number,
        anisotropy_rotation: Number,
        anisotropy_texture: TextureInfo,
    }
}
