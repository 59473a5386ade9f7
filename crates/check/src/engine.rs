//! What engines take of a rigged model: their limits, the extensions they read, the names they change.
//!
//! In:  an engine's name, as in `--for bevy`. Out: its [`EngineProfile`].
//!
//! Each number is one that the engine's own source or manual states, named in [`EngineProfile::source`]. Where an engine has
//! no fixed limit the field is `None`, not a guess.

/// An engine that a model is meant for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Engine {
    /// three.js with its `GLTFLoader`.
    Three,
    /// Babylon.js.
    Babylon,
    /// Bevy with `bevy_gltf`.
    Bevy,
    /// Godot 4.
    Godot,
    /// Unity with glTFast or its FBX importer.
    Unity,
    /// Unreal Engine 5.
    Unreal,
}

impl Engine {
    /// All that there are profiles for.
    pub const ALL: [Self; 6] =
        [Self::Three, Self::Babylon, Self::Bevy, Self::Godot, Self::Unity, Self::Unreal];

    /// The engine of this name, as the command spells it.
    ///
    /// ```
    /// use sinew_check::Engine;
    /// assert_eq!(Engine::named("bevy"), Some(Engine::Bevy));
    /// assert_eq!(Engine::named("bevy").map(|engine| engine.profile().joints), Some(Some(256)));
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|engine| engine.name().eq_ignore_ascii_case(name))
    }

    /// As the command spells it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Three => "three",
            Self::Babylon => "babylon",
            Self::Bevy => "bevy",
            Self::Godot => "godot",
            Self::Unity => "unity",
            Self::Unreal => "unreal",
        }
    }

    /// What it takes.
    #[must_use]
    pub fn profile(self) -> &'static EngineProfile {
        match self {
            Self::Three => &THREE,
            Self::Babylon => &BABYLON,
            Self::Bevy => &BEVY,
            Self::Godot => &GODOT,
            Self::Unity => &UNITY,
            Self::Unreal => &UNREAL,
        }
    }
}

/// What an engine takes of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct EngineProfile {
    /// Which engine.
    pub engine: Engine,
    /// As people write it.
    pub title: &'static str,
    /// The most joints of one skin.
    pub joints: Option<usize>,
    /// The most influences of one vertex.
    pub influences: usize,
    /// The most morph targets of one mesh.
    pub morphs: Option<usize>,
    /// The longest side of an image that it takes without settings, in pixels.
    pub image_side: u32,
    /// Media types of images that it reads inside of glTF.
    pub images: &'static [&'static str],
    /// glTF extensions that it reads as it is set up by default.
    pub extensions: &'static [&'static str],
    /// Extensions that it reads once something is added to the project, and what that is.
    pub with_setup: &'static [(&'static str, &'static str)],
    /// Signs that it takes out of names or replaces.
    pub reserved_signs: &'static str,
    /// Names that it gives a meaning of its own.
    pub reserved_names: &'static [&'static str],
    /// Where these facts are from.
    pub source: &'static str,
}

impl EngineProfile {
    /// Whether it reads a glTF extension without anything added.
    #[must_use]
    pub fn reads(&self, extension: &str) -> bool {
        self.extensions.contains(&extension)
    }

    /// What is to be added for it to read the extension; `None` when nothing helps, or nothing is needed.
    #[must_use]
    pub fn setup_for(&self, extension: &str) -> Option<&'static str> {
        self.with_setup.iter().find(|(name, _)| *name == extension).map(|(_, what)| *what)
    }
}

const PNG_JPEG: &[&str] = &["image/png", "image/jpeg"];
const PNG_JPEG_WEBP: &[&str] = &["image/png", "image/jpeg", "image/webp"];
const PNG_JPEG_WEBP_KTX: &[&str] = &["image/png", "image/jpeg", "image/webp", "image/ktx2"];

static THREE: EngineProfile = EngineProfile {
    engine: Engine::Three,
    title: "three.js",
    joints: None,
    influences: 4,
    morphs: None,
    image_side: 16384,
    images: PNG_JPEG_WEBP_KTX,
    extensions: &[
        "EXT_materials_bump",
        "EXT_mesh_gpu_instancing",
        "EXT_texture_avif",
        "EXT_texture_webp",
        "KHR_lights_punctual",
        "KHR_materials_anisotropy",
        "KHR_materials_clearcoat",
        "KHR_materials_dispersion",
        "KHR_materials_emissive_strength",
        "KHR_materials_ior",
        "KHR_materials_iridescence",
        "KHR_materials_sheen",
        "KHR_materials_specular",
        "KHR_materials_transmission",
        "KHR_materials_unlit",
        "KHR_materials_volume",
        "KHR_mesh_quantization",
        "KHR_texture_transform",
    ],
    with_setup: &[
        ("KHR_draco_mesh_compression", "GLTFLoader.setDRACOLoader"),
        ("EXT_meshopt_compression", "GLTFLoader.setMeshoptDecoder"),
        ("KHR_meshopt_compression", "GLTFLoader.setMeshoptDecoder"),
        ("KHR_texture_basisu", "GLTFLoader.setKTX2Loader"),
    ],
    reserved_signs: "[].:/",
    reserved_names: &[],
    source: "three.js: GLTFLoader.js (JOINTS_0 and WEIGHTS_0 alone), PropertyBinding.js (reserved signs)",
};

static BABYLON: EngineProfile = EngineProfile {
    engine: Engine::Babylon,
    title: "Babylon.js",
    joints: None,
    influences: 8,
    morphs: None,
    image_side: 16384,
    images: PNG_JPEG_WEBP_KTX,
    extensions: &[
        "EXT_lights_image_based",
        "EXT_mesh_gpu_instancing",
        "EXT_meshopt_compression",
        "EXT_texture_avif",
        "EXT_texture_webp",
        "KHR_animation_pointer",
        "KHR_draco_mesh_compression",
        "KHR_lights_punctual",
        "KHR_materials_anisotropy",
        "KHR_materials_clearcoat",
        "KHR_materials_diffuse_transmission",
        "KHR_materials_dispersion",
        "KHR_materials_emissive_strength",
        "KHR_materials_ior",
        "KHR_materials_iridescence",
        "KHR_materials_pbrSpecularGlossiness",
        "KHR_materials_sheen",
        "KHR_materials_specular",
        "KHR_materials_transmission",
        "KHR_materials_unlit",
        "KHR_materials_variants",
        "KHR_materials_volume",
        "KHR_mesh_quantization",
        "KHR_node_visibility",
        "KHR_texture_basisu",
        "KHR_texture_transform",
        "KHR_xmp_json_ld",
        "MSFT_lod",
    ],
    with_setup: &[],
    reserved_signs: "",
    reserved_names: &[],
    source: "Babylon.js: loaders/glTF/2.0/Extensions, bonesDeclaration (up to 8 influences)",
};

static BEVY: EngineProfile = EngineProfile {
    engine: Engine::Bevy,
    title: "Bevy",
    joints: Some(256),
    influences: 4,
    morphs: Some(256),
    image_side: 16384,
    images: PNG_JPEG,
    extensions: &[
        "KHR_lights_punctual",
        "KHR_materials_emissive_strength",
        "KHR_materials_ior",
        "KHR_materials_transmission",
        "KHR_materials_unlit",
        "KHR_materials_volume",
        "KHR_texture_transform",
    ],
    with_setup: &[
        ("KHR_materials_anisotropy", "the feature pbr_anisotropy_texture"),
        ("KHR_materials_clearcoat", "the feature pbr_multi_layer_material_textures"),
        ("KHR_materials_specular", "the feature pbr_specular_textures"),
        ("EXT_texture_webp", "the feature webp"),
        ("KHR_texture_basisu", "the features ktx2 and basis-universal"),
    ],
    reserved_signs: "/",
    reserved_names: &[],
    source: "Bevy: bevy_pbr skin.rs (MAX_JOINTS), bevy_mesh morph.rs (MAX_MORPH_WEIGHTS), documentation of bevy_gltf",
};

static GODOT: EngineProfile = EngineProfile {
    engine: Engine::Godot,
    title: "Godot 4",
    joints: None,
    influences: 8,
    morphs: None,
    image_side: 16384,
    images: PNG_JPEG_WEBP,
    extensions: &[
        "EXT_texture_webp",
        "GODOT_single_root",
        "KHR_animation_pointer",
        "KHR_lights_punctual",
        "KHR_materials_emissive_strength",
        "KHR_materials_pbrSpecularGlossiness",
        "KHR_materials_unlit",
        "KHR_mesh_quantization",
        "KHR_node_visibility",
        "KHR_texture_basisu",
        "KHR_texture_transform",
    ],
    with_setup: &[],
    reserved_signs: ".:@/\"%",
    reserved_names: &[],
    source: "Godot: gltf_document.cpp (supported extensions), ustring.cpp (invalid_node_name_characters)",
};

static UNITY: EngineProfile = EngineProfile {
    engine: Engine::Unity,
    title: "Unity",
    joints: None,
    influences: 4,
    morphs: None,
    image_side: 16384,
    images: PNG_JPEG,
    extensions: &[
        "EXT_mesh_gpu_instancing",
        "KHR_lights_punctual",
        "KHR_materials_clearcoat",
        "KHR_materials_ior",
        "KHR_materials_pbrSpecularGlossiness",
        "KHR_materials_sheen",
        "KHR_materials_specular",
        "KHR_materials_transmission",
        "KHR_materials_unlit",
        "KHR_materials_variants",
        "KHR_mesh_quantization",
        "KHR_texture_transform",
    ],
    with_setup: &[
        ("KHR_draco_mesh_compression", "the package com.unity.cloud.draco"),
        ("EXT_meshopt_compression", "the package com.unity.meshopt.decompress"),
        ("KHR_texture_basisu", "the package com.unity.cloud.ktx"),
        ("EXT_texture_webp", "a WebP package"),
    ],
    reserved_signs: "/",
    reserved_names: &[],
    source: "Unity: ModelImporter.maxBonesPerVertex (4 by default), GLTFast.Extension of glTFast 7",
};

static UNREAL: EngineProfile = EngineProfile {
    engine: Engine::Unreal,
    title: "Unreal Engine 5",
    joints: Some(256),
    influences: 8,
    morphs: None,
    image_side: 16384,
    images: PNG_JPEG,
    extensions: &[
        "EXT_lights_ies",
        "KHR_draco_mesh_compression",
        "KHR_lights_punctual",
        "KHR_materials_anisotropy",
        "KHR_materials_clearcoat",
        "KHR_materials_emissive_strength",
        "KHR_materials_ior",
        "KHR_materials_iridescence",
        "KHR_materials_pbrSpecularGlossiness",
        "KHR_materials_sheen",
        "KHR_materials_specular",
        "KHR_materials_transmission",
        "KHR_materials_unlit",
        "KHR_materials_variants",
        "KHR_mesh_quantization",
        "KHR_texture_transform",
    ],
    with_setup: &[],
    reserved_signs: "\"' ,/.:|&!~\n\r\t@#(){}[]=;^%$`",
    reserved_names: &["None"],
    source: "Unreal: Skeletal Mesh Rendering Paths (8-bit bone indexes: 256 a section), GLTF::EExtension, NameTypes.h",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_is_found_by_its_name_and_has_its_own_profile() {
        for engine in Engine::ALL {
            assert_eq!(Engine::named(engine.name()), Some(engine));
            let profile = engine.profile();
            assert_eq!(profile.engine, engine);
            assert!(profile.influences >= 4 && !profile.source.is_empty(), "{}", profile.title);
            let both = profile.with_setup.iter().find(|(name, _)| profile.reads(name));
            assert_eq!(both, None, "{} is in both lists", profile.title);
        }
        assert_eq!(Engine::named("doom"), None);
    }

    #[test]
    fn draco_needs_a_decoder_in_three_and_nothing_helps_in_godot() {
        let draco = "KHR_draco_mesh_compression";
        let (three, godot) = (Engine::Three.profile(), Engine::Godot.profile());
        assert!(!three.reads(draco) && three.setup_for(draco).is_some());
        assert!(!godot.reads(draco) && godot.setup_for(draco).is_none());
    }
}
