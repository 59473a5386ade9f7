//! How a surface looks: metallic-roughness, as glTF has it.

use glam::{Vec2, Vec3, Vec4};

use crate::{MaterialLayers, TextureId};

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
    /// Coats, cloth, glass and films.
    pub layers: MaterialLayers,
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
            layers: MaterialLayers::default(),
        }
    }
}

/// How many textures a material may use.
pub const MATERIAL_TEXTURES: usize = 19;

macro_rules! textures {
    ($material:expr, $($borrow:tt)*) => {{
        let material = $material;
        [
            $($borrow)* material.base_color_texture,
            $($borrow)* material.metallic_roughness_texture,
            $($borrow)* material.normal_texture,
            $($borrow)* material.occlusion_texture,
            $($borrow)* material.emissive_texture,
            $($borrow)* material.layers.specular.strength_texture,
            $($borrow)* material.layers.specular.color_texture,
            $($borrow)* material.layers.clearcoat.strength_texture,
            $($borrow)* material.layers.clearcoat.roughness_texture,
            $($borrow)* material.layers.clearcoat.normal_texture,
            $($borrow)* material.layers.sheen.color_texture,
            $($borrow)* material.layers.sheen.roughness_texture,
            $($borrow)* material.layers.transmission.strength_texture,
            $($borrow)* material.layers.transmission.thickness_texture,
            $($borrow)* material.layers.diffuse_transmission.strength_texture,
            $($borrow)* material.layers.diffuse_transmission.color_texture,
            $($borrow)* material.layers.iridescence.strength_texture,
            $($borrow)* material.layers.iridescence.thickness_texture,
            $($borrow)* material.layers.anisotropy.texture,
        ]
    }};
}

impl Material {
    /// Every texture that the material may use: metallic-roughness (base colour, metallic and roughness, normals, occlusion,
    /// emission), then those of its layers in their order.
    #[must_use]
    pub fn texture_slots(&self) -> [Option<TextureUse>; MATERIAL_TEXTURES] {
        textures!(self,)
    }

    /// Every texture that the material uses.
    pub fn textures(&self) -> impl Iterator<Item = TextureUse> {
        self.texture_slots().into_iter().flatten()
    }

    /// The same, to be changed.
    pub fn textures_mut(&mut self) -> impl Iterator<Item = &mut TextureUse> {
        textures!(self, &mut).into_iter().flatten()
    }
}
