//! Buffers, views into them and accessors, as filed.

use serde::Deserialize;

use super::{Number, Text, Whole};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct Buffer<'a> {
    #[serde(borrow)]
    pub(in crate::gltf) uri: Option<Text<'a>>,
    pub(in crate::gltf) byte_length: Whole,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct BufferView {
    pub(in crate::gltf) buffer: Whole,
    #[serde(default)]
    pub(in crate::gltf) byte_offset: Whole,
    pub(in crate::gltf) byte_length: Whole,
    pub(in crate::gltf) byte_stride: Option<Whole>,
    #[serde(default)]
    pub(in crate::gltf) extensions: ViewExtensions,
}

#[derive(Debug, Default, Deserialize)]
pub(in crate::gltf) struct ViewExtensions {
    #[serde(rename = "EXT_meshopt_compression")]
    ext_meshopt: Option<MeshoptView>,
    #[serde(rename = "KHR_meshopt_compression")]
    khr_meshopt: Option<MeshoptView>,
}

impl ViewExtensions {
    /// The two extensions have the same members.
    pub(in crate::gltf) fn meshopt(&self) -> Option<&MeshoptView> {
        self.khr_meshopt.as_ref().or(self.ext_meshopt.as_ref())
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct MeshoptView {
    pub(in crate::gltf) buffer: Whole,
    #[serde(default)]
    pub(in crate::gltf) byte_offset: Whole,
    pub(in crate::gltf) byte_length: Whole,
    pub(in crate::gltf) byte_stride: Whole,
    pub(in crate::gltf) count: Whole,
    pub(in crate::gltf) mode: String,
    pub(in crate::gltf) filter: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct Accessor {
    pub(in crate::gltf) buffer_view: Option<Whole>,
    #[serde(default)]
    pub(in crate::gltf) byte_offset: Whole,
    pub(in crate::gltf) component_type: Whole,
    #[serde(default)]
    pub(in crate::gltf) normalized: bool,
    pub(in crate::gltf) count: Whole,
    #[serde(rename = "type")]
    pub(in crate::gltf) kind: String,
    pub(in crate::gltf) sparse: Option<Box<Sparse>>,
    #[serde(default)]
    pub(in crate::gltf) extensions: AccessorExtensions,
}

#[derive(Debug, Default, Deserialize)]
pub(in crate::gltf) struct AccessorExtensions {
    #[serde(rename = "WEB3D_quantized_attributes")]
    pub(in crate::gltf) quantized: Option<Box<Quantized>>,
}

/// Whole numbers, and the matrix that makes them what they stand for: one row and column more than
/// an element has numbers, column after column.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct Quantized {
    pub(in crate::gltf) decode_matrix: Vec<Number>,
}

#[derive(Debug, Deserialize)]
pub(in crate::gltf) struct Sparse {
    pub(in crate::gltf) count: Whole,
    pub(in crate::gltf) indices: SparseIndices,
    pub(in crate::gltf) values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct SparseIndices {
    pub(in crate::gltf) buffer_view: Whole,
    #[serde(default)]
    pub(in crate::gltf) byte_offset: Whole,
    pub(in crate::gltf) component_type: Whole,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::gltf) struct SparseValues {
    pub(in crate::gltf) buffer_view: Whole,
    #[serde(default)]
    pub(in crate::gltf) byte_offset: Whole,
}
