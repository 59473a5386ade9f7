//! How a surface looks: metallic-roughness, as glTF has it.

use glam::{Vec2, Vec3, Vec4};

use crate::TextureId;

/// What a surface's alpha means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AlphaMode {
    /// Alpha is ignored.
    #[default]
    Opaque,
    /// Drawn where alpha reaches [`Material::alpha_cutoff`], else not.
    Mask,
    /// Mixed with what is behind.
    Blend,
}

/// A texture as a material uses it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureUse {
    /// Which texture.
    pub texture: TextureId,
    /// Which set of texture coordinates; a set that the mesh lacks reads as (0, 0).
    pub uv_set: u32,
    /// Applied to the coordinates first.
    pub transform: UvTransform,
}

/// Moves, turns and scales texture coordinates: scaled first, then turned, then moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UvTransform {
    /// In textures.
    pub offset: Vec2,
    /// Counter-clockwise as the image is seen, in radians.
    pub rotation: f32,
    /// How often the image repeats.
    pub scale: Vec2,
}

impl Default for UvTransform {
    fn default() -> Self {
        Self { offset: Vec2::ZERO, rotation: 0.0, scale: Vec2::ONE }
    }
}

/// How a surface looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// As the file has it; may be empty.
    pub name: String,
    /// Linear colour and alpha.
    pub base_color: Vec4,
    /// Times `base_color`; sRGB.
    pub base_color_texture: Option<TextureUse>,
    /// 0 for plastic or skin, 1 for metal.
    pub metallic: f32,
    /// 0 for a mirror, 1 for chalk.
    pub roughness: f32,
    /// Metallic in blue, roughness in green; times the factors.
    pub metallic_roughness_texture: Option<TextureUse>,
    /// Tangent-space normals.
    pub normal_texture: Option<TextureUse>,
    /// Strength of the normal map.
    pub normal_scale: f32,
    /// Ambient light that reaches the surface, in red.
    pub occlusion_texture: Option<TextureUse>,
    /// Strength of the occlusion map.
    pub occlusion_strength: f32,
    /// Linear colour given off.
    pub emissive: Vec3,
    /// Times `emissive`; may exceed one.
    pub emissive_strength: f32,
    /// Times `emissive`; sRGB.
    pub emissive_texture: Option<TextureUse>,
    /// What alpha means.
    pub alpha_mode: AlphaMode,
    /// For [`AlphaMode::Mask`].
    pub alpha_cutoff: f32,
    /// Whether the back is drawn too.
    pub double_sided: bool,
    /// Whether light has no effect: the base colour is what is seen.
    pub unlit: bool,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: Vec4::ONE,
            base_color_texture: None,
            metallic: 1.0,
            roughness: 1.0,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            emissive: Vec3::ZERO,
            emissive_strength: 1.0,
            emissive_texture: None,
            alpha_mode: AlphaMode::Opaque,
            alpha_cutoff: 0.5,
            double_sided: false,
            unlit: false,
        }
    }
}

impl Material {
    /// Every texture that the material uses.
    pub fn textures(&self) -> impl Iterator<Item = TextureUse> {
        [
            self.base_color_texture,
            self.metallic_roughness_texture,
            self.normal_texture,
            self.occlusion_texture,
            self.emissive_texture,
        ]
        .into_iter()
        .flatten()
    }
}
