//! Meshes, as filed.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::{Number, Whole};

/// Which accessor each attribute is in, by the attribute's name.
pub(in crate::gltf) type Attributes = BTreeMap<String, Whole>;

#[derive(Debug, Deserialize)]
pub(in crate::gltf) struct Mesh {
    pub(in crate::gltf) name: Option<String>,
    #[serde(default)]
    pub(in crate::gltf) primitives: Vec<Primitive>,
    pub(in crate::gltf) weights: Option<Vec<Number>>,
    /// Whatever a program put there; by custom, `targetNames` names the morph targets.
    #[serde(default)]
    extras: Value,
}

impl Mesh {
    /// The name of a morph target; empty where the file has none.
    pub(in crate::gltf) fn target_name(&self, target: usize) -> &str {
        let names = self.extras.get("targetNames");
        names.and_then(|names| names.get(target)).and_then(Value::as_str).unwrap_or_default()
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct Primitive {
    #[serde(default)]
    pub(in crate::gltf) attributes: Attributes,
    pub(in crate::gltf) indices: Option<Whole>,
    pub(in crate::gltf) material: Option<Whole>,
    pub(in crate::gltf) mode: Option<Whole>,
    #[serde(default)]
    pub(in crate::gltf) targets: Vec<Attributes>,
    #[serde(default)]
    pub(in crate::gltf) extensions: PrimitiveExtensions,
}

#[derive(Debug, Default, Deserialize)]
pub(in crate::gltf) struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub(in crate::gltf) draco: Option<DracoPrimitive>,
    #[serde(rename = "KHR_materials_variants")]
    pub(in crate::gltf) variants: Option<VariantMappings>,
}

#[derive(Debug, Deserialize)]
pub(in crate::gltf) struct VariantMappings {
    #[serde(default)]
    pub(in crate::gltf) mappings: Vec<VariantMapping>,
}

/// A material for some variants.
#[derive(Debug, Deserialize)]
pub(in crate::gltf) struct VariantMapping {
    pub(in crate::gltf) material: Whole,
    #[serde(default)]
    pub(in crate::gltf) variants: Vec<Whole>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct DracoPrimitive {
    pub(in crate::gltf) buffer_view: Whole,
    /// The unique id, inside the Draco stream, of each attribute.
    #[serde(default)]
    pub(in crate::gltf) attributes: Attributes,
}
