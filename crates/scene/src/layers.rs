//! What lies over, under and in a surface beside metal and roughness: coats, cloth, glass, films.
//!
//! Each layer is one of glTF's ratified material extensions, named in its first line; at their defaults all of them do nothing.

use glam::Vec3;

use crate::TextureUse;

/// All layers of a material.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialLayers {
    /// `KHR_materials_ior`: how strongly light is bent; 1.5 for most plastics, skin and glass. 0 reflects everything.
    pub ior: f32,
    /// `KHR_materials_dispersion`: 20 over the Abbe number, 0 for none.
    pub dispersion: f32,
    /// How much of a surface that is no metal reflects.
    pub specular: SpecularLayer,
    /// Varnish.
    pub clearcoat: ClearcoatLayer,
    /// Fibres that stand off cloth.
    pub sheen: SheenLayer,
    /// Glass and liquids.
    pub transmission: TransmissionLayer,
    /// Leaves, paper, wax.
    pub diffuse_transmission: DiffuseTransmissionLayer,
    /// A thin film: soap, oil, beetles.
    pub iridescence: IridescenceLayer,
    /// Brushed metal, hair.
    pub anisotropy: AnisotropyLayer,
}

impl Default for MaterialLayers {
    fn default() -> Self {
        Self {
            ior: 1.5,
            dispersion: 0.0,
            specular: SpecularLayer::default(),
            clearcoat: ClearcoatLayer::default(),
            sheen: SheenLayer::default(),
            transmission: TransmissionLayer::default(),
            diffuse_transmission: DiffuseTransmissionLayer::default(),
            iridescence: IridescenceLayer::default(),
            anisotropy: AnisotropyLayer::default(),
        }
    }
}

/// `KHR_materials_specular`: how much of a surface that is no metal reflects.
#[derive(Clone, Debug, PartialEq)]
pub struct SpecularLayer {
    /// From 0 to 1.
    pub strength: f32,
    /// Times `strength`, in alpha.
    pub strength_texture: Option<TextureUse>,
    /// Of what is reflected at right angles; linear, may exceed one.
    pub color: Vec3,
    /// Times `color`; sRGB.
    pub color_texture: Option<TextureUse>,
}

impl Default for SpecularLayer {
    fn default() -> Self {
        Self { strength: 1.0, strength_texture: None, color: Vec3::ONE, color_texture: None }
    }
}

/// `KHR_materials_clearcoat`: a clear coat with a roughness and bumps of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct ClearcoatLayer {
    /// From 0 to 1.
    pub strength: f32,
    /// Times `strength`, in red.
    pub strength_texture: Option<TextureUse>,
    /// From 0 to 1.
    pub roughness: f32,
    /// Times `roughness`, in green.
    pub roughness_texture: Option<TextureUse>,
    /// Tangent-space normals of the coat; without it the coat is as smooth as the mesh.
    pub normal_texture: Option<TextureUse>,
    /// Strength of those normals.
    pub normal_scale: f32,
}

impl Default for ClearcoatLayer {
    fn default() -> Self {
        Self {
            strength: 0.0,
            strength_texture: None,
            roughness: 0.0,
            roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
        }
    }
}

/// `KHR_materials_sheen`: light that fibres scatter back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SheenLayer {
    /// Linear; black for none.
    pub color: Vec3,
    /// Times `color`; sRGB.
    pub color_texture: Option<TextureUse>,
    /// From 0 to 1.
    pub roughness: f32,
    /// Times `roughness`, in alpha.
    pub roughness_texture: Option<TextureUse>,
}

/// `KHR_materials_transmission` and `KHR_materials_volume`: light that goes through.
#[derive(Clone, Debug, PartialEq)]
pub struct TransmissionLayer {
    /// From 0 to 1.
    pub strength: f32,
    /// Times `strength`, in red.
    pub strength_texture: Option<TextureUse>,
    /// Of what is under the surface, in metres of the mesh's own space; 0 for a thin wall.
    pub thickness: f32,
    /// Times `thickness`, in green.
    pub thickness_texture: Option<TextureUse>,
    /// Metres after which white light has the colour `attenuation_color`; `None` for clear.
    pub attenuation_distance: Option<f32>,
    /// Linear.
    pub attenuation_color: Vec3,
}

impl Default for TransmissionLayer {
    fn default() -> Self {
        Self {
            strength: 0.0,
            strength_texture: None,
            thickness: 0.0,
            thickness_texture: None,
            attenuation_distance: None,
            attenuation_color: Vec3::ONE,
        }
    }
}

/// `KHR_materials_diffuse_transmission`: light from behind that comes out on all sides.
#[derive(Clone, Debug, PartialEq)]
pub struct DiffuseTransmissionLayer {
    /// From 0 to 1.
    pub strength: f32,
    /// Times `strength`, in alpha.
    pub strength_texture: Option<TextureUse>,
    /// Linear.
    pub color: Vec3,
    /// Times `color`; sRGB.
    pub color_texture: Option<TextureUse>,
}

impl Default for DiffuseTransmissionLayer {
    fn default() -> Self {
        Self { strength: 0.0, strength_texture: None, color: Vec3::ONE, color_texture: None }
    }
}

/// `KHR_materials_iridescence`: colours that change with the angle.
#[derive(Clone, Debug, PartialEq)]
pub struct IridescenceLayer {
    /// From 0 to 1.
    pub strength: f32,
    /// Times `strength`, in red.
    pub strength_texture: Option<TextureUse>,
    /// How strongly the film bends light.
    pub ior: f32,
    /// Where the texture is 0, in nanometres.
    pub min_thickness: f32,
    /// Where the texture is 1 or there is none, in nanometres.
    pub max_thickness: f32,
    /// From the one to the other, in green.
    pub thickness_texture: Option<TextureUse>,
}

impl Default for IridescenceLayer {
    fn default() -> Self {
        Self {
            strength: 0.0,
            strength_texture: None,
            ior: 1.3,
            min_thickness: 100.0,
            max_thickness: 400.0,
            thickness_texture: None,
        }
    }
}

/// `KHR_materials_anisotropy`: highlights that are stretched along one direction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnisotropyLayer {
    /// From 0 to 1.
    pub strength: f32,
    /// Of that direction from the tangent, counter-clockwise, in radians.
    pub rotation: f32,
    /// The direction in red and green, from -1 to 1; strength in blue.
    pub texture: Option<TextureUse>,
}
