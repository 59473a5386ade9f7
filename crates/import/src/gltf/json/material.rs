//! Materials, textures, samplers and images, as filed.

use super::{Number, Text, Whole, layers};
use crate::json::filed;

filed! {
    Material {
        name: Option<String> = "name",
        pbr_metallic_roughness: MetallicRoughness = "pbrMetallicRoughness",
        normal_texture: Option<TextureInfo> = "normalTexture",
        occlusion_texture: Option<TextureInfo> = "occlusionTexture",
        emissive_texture: Option<TextureInfo> = "emissiveTexture",
        emissive_factor: Option<[Number; 3]> = "emissiveFactor",
        alpha_mode: Option<String> = "alphaMode",
        alpha_cutoff: Option<Number> = "alphaCutoff",
        double_sided: bool = "doubleSided",
        extensions: MaterialExtensions = "extensions",
    }

    MetallicRoughness {
        base_color_factor: Option<[Number; 4]> = "baseColorFactor",
        base_color_texture: Option<TextureInfo> = "baseColorTexture",
        metallic_factor: Option<Number> = "metallicFactor",
        roughness_factor: Option<Number> = "roughnessFactor",
        metallic_roughness_texture: Option<TextureInfo> = "metallicRoughnessTexture",
    }

    MaterialExtensions {
        unlit: Option<()> = "KHR_materials_unlit",
        emissive_strength: Option<EmissiveStrength> = "KHR_materials_emissive_strength",
        specular_glossiness: Option<SpecularGlossiness> = "KHR_materials_pbrSpecularGlossiness",
        ior: layers::Ior = "KHR_materials_ior",
        dispersion: layers::Dispersion = "KHR_materials_dispersion",
        specular: layers::Specular = "KHR_materials_specular",
        clearcoat: layers::Clearcoat = "KHR_materials_clearcoat",
        sheen: layers::Sheen = "KHR_materials_sheen",
        transmission: layers::Transmission = "KHR_materials_transmission",
        volume: layers::Volume = "KHR_materials_volume",
        diffuse_transmission: layers::DiffuseTransmission = "KHR_materials_diffuse_transmission",
        iridescence: layers::Iridescence = "KHR_materials_iridescence",
        anisotropy: layers::Anisotropy = "KHR_materials_anisotropy",
    }

    EmissiveStrength {
        emissive_strength: Option<Number> = "emissiveStrength",
    }

    SpecularGlossiness {
        diffuse_factor: Option<[Number; 4]> = "diffuseFactor",
        diffuse_texture: Option<TextureInfo> = "diffuseTexture",
        specular_factor: Option<[Number; 3]> = "specularFactor",
        glossiness_factor: Option<Number> = "glossinessFactor",
        specular_glossiness_texture: Option<TextureInfo> = "specularGlossinessTexture",
    }

    /// A material's use of a texture; `scale` is for normals, `strength` for occlusion.
    TextureInfo {
        index: Whole = "index" required,
        tex_coord: Whole = "texCoord",
        scale: Option<Number> = "scale",
        strength: Option<Number> = "strength",
        extensions: TextureInfoExtensions = "extensions",
    }

    TextureInfoExtensions {
        transform: Option<TextureTransform> = "KHR_texture_transform",
    }

    TextureTransform {
        offset: Option<[Number; 2]> = "offset",
        rotation: Option<Number> = "rotation",
        scale: Option<[Number; 2]> = "scale",
        tex_coord: Option<Whole> = "texCoord",
    }

    Texture {
        name: Option<String> = "name",
        sampler: Option<Whole> = "sampler",
        source: Option<Whole> = "source",
        extensions: TextureExtensions = "extensions",
    }

    TextureExtensions {
        basisu: Option<Source> = "KHR_texture_basisu",
        webp: Option<Source> = "EXT_texture_webp",
    }

    Source {
        source: Option<Whole> = "source",
    }
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

filed! {
    Sampler {
        mag_filter: Option<Whole> = "magFilter",
        min_filter: Option<Whole> = "minFilter",
        wrap_s: Option<Whole> = "wrapS",
        wrap_t: Option<Whole> = "wrapT",
    }

    Image<'a> {
        name: Option<String> = "name",
        uri: Option<Text<'a>> = "uri",
        mime_type: Option<String> = "mimeType",
        buffer_view: Option<Whole> = "bufferView",
    }
}
