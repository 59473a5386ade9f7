//! Meshes, as filed.

use std::collections::BTreeMap;

use super::{Number, Whole};
use crate::json::{Value, filed};

/// Which accessor each attribute is in, by the attribute's name.
pub(in crate::gltf) type Attributes = BTreeMap<String, Whole>;

filed! {
    Mesh {
        name: Option<String> = "name",
        primitives: Vec<Primitive> = "primitives",
        weights: Option<Vec<Number>> = "weights",
        /// Whatever a program put there; by custom, `targetNames` names the morph targets.
        extras: Value = "extras",
    }
}

impl Mesh {
    /// The name of a morph target; empty where the file has none.
    pub(in crate::gltf) fn target_name(&self, target: usize) -> &str {
        let names = self.extras["targetNames"].as_list().unwrap_or_default();
        names.get(target).and_then(Value::as_str).unwrap_or_default()
    }
}

filed! {
    Primitive {
        attributes: Attributes = "attributes",
        indices: Option<Whole> = "indices",
        material: Option<Whole> = "material",
        mode: Option<Whole> = "mode",
        targets: Vec<Attributes> = "targets",
        extensions: PrimitiveExtensions = "extensions",
    }

    PrimitiveExtensions {
        draco: Option<DracoPrimitive> = "KHR_draco_mesh_compression",
        variants: Option<VariantMappings> = "KHR_materials_variants",
    }

    VariantMappings {
        mappings: Vec<VariantMapping> = "mappings",
    }

    /// A material for some variants.
    VariantMapping {
        material: Whole = "material" required,
        variants: Vec<Whole> = "variants",
    }

    DracoPrimitive {
        buffer_view: Whole = "bufferView" required,
        /// The unique id, inside the Draco stream, of each attribute.
        attributes: Attributes = "attributes",
    }
}
