//! Values of materials, lights, cameras and nodes that clips may drive.
//!
//! A scene lists each driven value once, with its rest value; tracks and poses speak of its number.

use crate::{CameraId, JointId, LightId, MaterialId};

/// A value that some clip drives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnimatedProperty {
    /// Which value.
    pub property: Property,
    /// What it is when no clip drives it; the first `width` numbers count.
    pub rest: [f32; 4],
}

/// A value that a clip can drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// Linear colour and alpha: four numbers.
    BaseColor(MaterialId),
    /// One number.
    Metallic(MaterialId),
    /// One number.
    Roughness(MaterialId),
    /// One number.
    NormalScale(MaterialId),
    /// One number.
    OcclusionStrength(MaterialId),
    /// Linear colour: three numbers.
    Emissive(MaterialId),
    /// One number.
    EmissiveStrength(MaterialId),
    /// One number.
    AlphaCutoff(MaterialId),
    /// Two numbers.
    UvOffset(MaterialId, MaterialTexture),
    /// One number, radians.
    UvRotation(MaterialId, MaterialTexture),
    /// Two numbers.
    UvScale(MaterialId, MaterialTexture),
    /// Linear colour: three numbers.
    LightColor(LightId),
    /// One number.
    LightIntensity(LightId),
    /// One number, metres.
    LightRange(LightId),
    /// One number, radians.
    SpotInner(LightId),
    /// One number, radians.
    SpotOuter(LightId),
    /// One number, radians.
    FovY(CameraId),
    /// One number.
    Aspect(CameraId),
    /// One number, metres.
    Near(CameraId),
    /// One number, metres.
    Far(CameraId),
    /// One number, metres.
    HalfWidth(CameraId),
    /// One number, metres.
    HalfHeight(CameraId),
    /// One number: zero hides what hangs under the node.
    Visible(JointId),
}

/// One of a material's textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MaterialTexture {
    /// [`Material::base_color_texture`](crate::Material::base_color_texture).
    BaseColor,
    /// [`Material::metallic_roughness_texture`](crate::Material::metallic_roughness_texture).
    MetallicRoughness,
    /// [`Material::normal_texture`](crate::Material::normal_texture).
    Normal,
    /// [`Material::occlusion_texture`](crate::Material::occlusion_texture).
    Occlusion,
    /// [`Material::emissive_texture`](crate::Material::emissive_texture).
    Emissive,
}

impl Property {
    /// How many numbers the value has.
    #[must_use]
    pub fn width(self) -> usize {
        match self {
            Self::BaseColor(_) => 4,
            Self::Emissive(_) | Self::LightColor(_) => 3,
            Self::UvOffset(..) | Self::UvScale(..) => 2,
            _ => 1,
        }
    }
}
