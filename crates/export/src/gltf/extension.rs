//! The extensions that a document uses, exactly those.

use std::collections::BTreeSet;

pub(super) const ANIMATION_POINTER: &str = "KHR_animation_pointer";
pub(super) const DRACO: &str = "KHR_draco_mesh_compression";
pub(super) const LIGHTS: &str = "KHR_lights_punctual";
pub(super) const EMISSIVE_STRENGTH: &str = "KHR_materials_emissive_strength";
pub(super) const QUANTIZATION: &str = "KHR_mesh_quantization";
pub(super) const MESHOPT: &str = "EXT_meshopt_compression";
pub(super) const UNLIT: &str = "KHR_materials_unlit";
pub(super) const VARIANTS: &str = "KHR_materials_variants";
pub(super) const VISIBILITY: &str = "KHR_node_visibility";
pub(super) const BASISU: &str = "KHR_texture_basisu";
pub(super) const TEXTURE_TRANSFORM: &str = "KHR_texture_transform";
pub(super) const WEBP: &str = "EXT_texture_webp";

/// What is in `extensionsUsed` and `extensionsRequired`.
#[derive(Debug, Default)]
pub(super) struct Extensions {
    used: BTreeSet<&'static str>,
    required: BTreeSet<&'static str>,
}

impl Extensions {
    /// A reader that does not know it may go on.
    pub(super) fn add(&mut self, name: &'static str) {
        self.used.insert(name);
    }

    /// A reader that does not know it cannot show the document.
    pub(super) fn require(&mut self, name: &'static str) {
        self.used.insert(name);
        self.required.insert(name);
    }

    /// The two lists.
    pub(super) fn into_lists(self) -> (Vec<&'static str>, Vec<&'static str>) {
        (self.used.into_iter().collect(), self.required.into_iter().collect())
    }
}
