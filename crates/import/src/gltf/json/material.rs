//! Materials, textures, samplers and images, as filed.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Number, Text, Whole, layers};

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(in crate::gltf) struct Material {
    pub(in crate::gltf) name: Option<String>,
    pub(in crate::gltf) pbr_metallic_roughness: MetallicRoughness,
    pub(in crate::gltf) normal_texture: Option<TextureInfo>,
    pub(in crate::gltf) occlusion_texture: Option<TextureInfo>,
    pub(in crate::gltf) emissive_texture: Option<TextureInfo>,
    pub(in crate::gltf) emissive_factor: Option<[Number; 3]>,
    pub(in crate::gltf) alpha_mode: Option<String>,
    pub(in crate::gltf) alpha_cutoff: Option<Number>,
    pub(in crate::gltf) double_sided: bool,
    pub(in crate::gltf) extensions: MaterialExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(in crate::gltf) struct MetallicRoughness {
    pub(in crate::gltf) base_color_factor: Option<[Number; 4]>,
    pub(in crate::gltf) base_color_texture: Option<TextureInfo>,
    pub(in crate::gltf) metallic_factor: Option<Number>,
    pub(in crate::gltf) roughness_factor: Option<Number>,
    pub(in crate::gltf) metallic_roughness_texture: Option<TextureInfo>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::gltf) struct MaterialExtensions {
    #[serde(rename = "KHR_materials_unlit")]
    pub(in crate::gltf) unlit: Option<IgnoredAny>,
    #[serde(rename = "KHR_materials_emissive_strength")]
    pub(in crate::gltf) emissive_strength: Option<EmissiveStrength>,
    #[serde(rename = "KHR_materials_pbrSpecularGlossiness")]
    pub(in crate::gltf) specular_glossiness: Option<SpecularGlossiness>,
    #[serde(rename = "KHR_materials_ior")]
    pub(in crate::gltf) ior: layers::Ior,
    #[serde(rename = "KHR_materials_dispersion")]
    pub(in crate::gltf) dispersion: layers::Dispersion,
    #[serde(rename = "KHR_materials_specular")]
    pub(in crate::gltf) specular: layers::Specular,
    #[serde(rename = "KHR_materials_clearcoat")]
    pub(in crate::gltf) clearcoat: layers::Clearcoat,
    #[serde(rename = "KHR_materials_sheen")]
    pub(in crate::gltf) sheen: layers::Sheen,
    #[serde(rename = "KHR_materials_transmission")]
    pub(in crate::gltf) transmission: layers::Transmission,
    #[serde(rename = "KHR_materials_volume")]
    pub(in crate::gltf) volume: layers::Volume,
    #[serde(rename = "KHR_materials_diffuse_transmission")]
    pub(in crate::gltf) diffuse_transmission: layers::DiffuseTransmission,
    #[serde(rename = "KHR_materials_iridescence")]
    pub(in crate::gltf) iridescence: layers::Iridescence,
    #[serde(rename = "KHR_materials_anisotropy")]
    pub(in crate::gltf) anisotropy: layers::Anisotropy,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct EmissiveStrength {
    pub(in crate::gltf) emissive_strength: Option<Number>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(in crate::gltf) struct SpecularGlossiness {
    pub(in crate::gltf) diffuse_factor: Option<[Number; 4]>,
    pub(in crate::gltf) diffuse_texture: Option<TextureInfo>,
    pub(in crate::gltf) specular_factor: Option<[Number; 3]>,
    pub(in crate::gltf) glossiness_factor: Option<Number>,
    pub(in crate::gltf) specular_glossiness_texture: Option<TextureInfo>,
}

/// A material's use of a texture; `scale` is for normals, `strength` for occlusion.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct TextureInfo {
    pub(in crate::gltf) index: Whole,
    #[serde(default)]
    pub(in crate::gltf) tex_coord: Whole,
    pub(in crate::gltf) scale: Option<Number>,
    pub(in crate::gltf) strength: Option<Number>,
    #[serde(default)]
    pub(in crate::gltf) extensions: TextureInfoExtensions,
}

#[derive(Debug, Default, Deserialize)]
pub(in crate::gltf) struct TextureInfoExtensions {
    #[serde(rename = "KHR_texture_transform")]
    pub(in crate::gltf) transform: Option<TextureTransform>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct TextureTransform {
    pub(in crate::gltf) offset: Option<[Number; 2]>,
    pub(in crate::gltf) rotation: Option<Number>,
    pub(in crate::gltf) scale: Option<[Number; 2]>,
    pub(in crate::gltf) tex_coord: Option<Whole>,
}

#[derive(Debug, Deserialize)]
pub(in crate::gltf) struct Texture {
    pub(in crate::gltf) name: Option<String>,
    pub(in crate::gltf) sampler: Option<Whole>,
    source: Option<Whole>,
    #[serde(default)]
    extensions: TextureExtensions,
}

#[derive(Debug, Default, Deserialize)]
struct TextureExtensions {
    #[serde(rename = "KHR_texture_basisu")]
    basisu: Option<Source>,
    #[serde(rename = "EXT_texture_webp")]
    webp: Option<Source>,
}

#[derive(Debug, Deserialize)]
struct Source {
    source: Option<Whole>,
}

impl Texture {
    /// The image to use: the plain one that everybody can unpack where there is a choice.
    pub(in crate::gltf) fn image(&self) -> Option<Whole> {
        let other = |source: &Option<Source>| source.as_ref().and_then(|source| source.source);
        self.source
            .or_else(|| other(&self.extensions.webp))
            .or_else(|| other(&self.extensions.basisu))
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct Sampler {
    pub(in crate::gltf) mag_filter: Option<Whole>,
    pub(in crate::gltf) min_filter: Option<Whole>,
    pub(in crate::gltf) wrap_s: Option<Whole>,
    pub(in crate::gltf) wrap_t: Option<Whole>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct Image<'a> {
    pub(in crate::gltf) name: Option<String>,
    #[serde(borrow)]
    pub(in crate::gltf) uri: Option<Text<'a>>,
    pub(in crate::gltf) mime_type: Option<String>,
    pub(in crate::gltf) buffer_view: Option<Whole>,
}
