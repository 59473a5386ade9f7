//! Layers of materials: clearcoat, sheen, specular, ior, transmission, volume, iridescence, anisotropy and the rest.
//!
//! In:  a material's extensions as filed. Out: [`MaterialLayers`]; what is not filed is at its default, and numbers that a
//! shader could not use are cut to their range.

use glam::Vec3;
use sinew_scene::{
    AnisotropyLayer, ClearcoatLayer, DiffuseTransmissionLayer, IridescenceLayer, MaterialLayers,
    SheenLayer, SpecularLayer, TransmissionLayer,
};

use super::json::layers::{Clearcoat, DiffuseTransmission, Iridescence, Sheen, Specular};
use super::json::{MaterialExtensions, Number, floats};
use super::material::Textures;
use crate::ImportError;

pub(super) fn read(
    filed: &MaterialExtensions,
    textures: &Textures<'_>,
) -> Result<MaterialLayers, ImportError> {
    let plain = MaterialLayers::default();
    Ok(MaterialLayers {
        ior: number(filed.ior.ior, plain.ior).max(0.0),
        dispersion: number(filed.dispersion.dispersion, plain.dispersion).max(0.0),
        specular: specular(&filed.specular, textures)?,
        clearcoat: clearcoat(&filed.clearcoat, textures)?,
        sheen: sheen(&filed.sheen, textures)?,
        transmission: transmission(filed, textures)?,
        diffuse_transmission: diffuse_transmission(&filed.diffuse_transmission, textures)?,
        iridescence: iridescence(&filed.iridescence, textures)?,
        anisotropy: AnisotropyLayer {
            strength: share(filed.anisotropy.anisotropy_strength, 0.0),
            rotation: number(filed.anisotropy.anisotropy_rotation, 0.0),
            texture: textures.used(filed.anisotropy.anisotropy_texture.as_ref())?,
        },
    })
}

fn number(filed: Option<Number>, plain: f32) -> f32 {
    filed.map_or(plain, |number| number.0)
}

/// From zero to one.
fn share(filed: Option<Number>, plain: f32) -> f32 {
    number(filed, plain).clamp(0.0, 1.0)
}

fn color(filed: Option<[Number; 3]>, plain: Vec3) -> Vec3 {
    filed.map_or(plain, |color| Vec3::from(floats(color)).max(Vec3::ZERO))
}

fn specular(filed: &Specular, textures: &Textures<'_>) -> Result<SpecularLayer, ImportError> {
    Ok(SpecularLayer {
        strength: share(filed.specular_factor, 1.0),
        strength_texture: textures.used(filed.specular_texture.as_ref())?,
        color: color(filed.specular_color_factor, Vec3::ONE),
        color_texture: textures.used(filed.specular_color_texture.as_ref())?,
    })
}

fn clearcoat(filed: &Clearcoat, textures: &Textures<'_>) -> Result<ClearcoatLayer, ImportError> {
    let normal = filed.clearcoat_normal_texture.as_ref();
    Ok(ClearcoatLayer {
        strength: share(filed.clearcoat_factor, 0.0),
        strength_texture: textures.used(filed.clearcoat_texture.as_ref())?,
        roughness: share(filed.clearcoat_roughness_factor, 0.0),
        roughness_texture: textures.used(filed.clearcoat_roughness_texture.as_ref())?,
        normal_texture: textures.used(normal)?,
        normal_scale: number(normal.and_then(|normal| normal.scale), 1.0),
    })
}

fn sheen(filed: &Sheen, textures: &Textures<'_>) -> Result<SheenLayer, ImportError> {
    Ok(SheenLayer {
        color: color(filed.sheen_color_factor, Vec3::ZERO),
        color_texture: textures.used(filed.sheen_color_texture.as_ref())?,
        roughness: share(filed.sheen_roughness_factor, 0.0),
        roughness_texture: textures.used(filed.sheen_roughness_texture.as_ref())?,
    })
}

fn transmission(
    filed: &MaterialExtensions,
    textures: &Textures<'_>,
) -> Result<TransmissionLayer, ImportError> {
    let (through, volume) = (&filed.transmission, &filed.volume);
    let distance = volume.attenuation_distance.map(|distance| distance.0);
    Ok(TransmissionLayer {
        strength: share(through.transmission_factor, 0.0),
        strength_texture: textures.used(through.transmission_texture.as_ref())?,
        thickness: number(volume.thickness_factor, 0.0).max(0.0),
        thickness_texture: textures.used(volume.thickness_texture.as_ref())?,
        attenuation_distance: distance.filter(|distance| *distance > 0.0),
        attenuation_color: color(volume.attenuation_color, Vec3::ONE).min(Vec3::ONE),
    })
}

fn diffuse_transmission(
    filed: &DiffuseTransmission,
    textures: &Textures<'_>,
) -> Result<DiffuseTransmissionLayer, ImportError> {
    Ok(DiffuseTransmissionLayer {
        strength: share(filed.diffuse_transmission_factor, 0.0),
        strength_texture: textures.used(filed.diffuse_transmission_texture.as_ref())?,
        color: color(filed.diffuse_transmission_color_factor, Vec3::ONE),
        color_texture: textures.used(filed.diffuse_transmission_color_texture.as_ref())?,
    })
}

fn iridescence(
    filed: &Iridescence,
    textures: &Textures<'_>,
) -> Result<IridescenceLayer, ImportError> {
    let plain = IridescenceLayer::default();
    Ok(IridescenceLayer {
        strength: share(filed.iridescence_factor, 0.0),
        strength_texture: textures.used(filed.iridescence_texture.as_ref())?,
        ior: number(filed.iridescence_ior, plain.ior).max(1.0),
        min_thickness: number(filed.iridescence_thickness_minimum, plain.min_thickness).max(0.0),
        max_thickness: number(filed.iridescence_thickness_maximum, plain.max_thickness).max(0.0),
        thickness_texture: textures.used(filed.iridescence_thickness_texture.as_ref())?,
    })
}
