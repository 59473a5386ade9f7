//! Buffers, views into them and accessors, as filed.

use super::{Number, Text, Whole, Word};
use crate::json::filed;

filed! {
    Buffer<'a> {
        uri: Option<Text<'a>> = "uri",
        byte_length: Whole = "byteLength" required,
    }

    BufferView {
        buffer: Whole = "buffer" required,
        byte_offset: Whole = "byteOffset",
        byte_length: Whole = "byteLength" required,
        byte_stride: Option<Whole> = "byteStride",
        extensions: ViewExtensions = "extensions",
    }

    ViewExtensions {
        ext_meshopt: Option<MeshoptView> = "EXT_meshopt_compression",
        khr_meshopt: Option<MeshoptView> = "KHR_meshopt_compression",
        old_meshopt: Option<MeshoptView> = "MESHOPT_compression",
    }
}

impl ViewExtensions {
    /// The three extensions have the same members; the oldest, gltfpack's own, counts modes and filters.
    pub(in crate::gltf) fn meshopt(&self) -> Option<&MeshoptView> {
        self.khr_meshopt.as_ref().or(self.ext_meshopt.as_ref()).or(self.old_meshopt.as_ref())
    }
}

filed! {
    MeshoptView {
        buffer: Whole = "buffer" required,
        byte_offset: Whole = "byteOffset",
        byte_length: Whole = "byteLength" required,
        byte_stride: Whole = "byteStride" required,
        count: Whole = "count" required,
        mode: Word = "mode" required,
        filter: Option<Word> = "filter",
    }

    Accessor {
        buffer_view: Option<Whole> = "bufferView",
        byte_offset: Whole = "byteOffset",
        component_type: Whole = "componentType" required,
        normalized: bool = "normalized",
        count: Whole = "count" required,
        kind: String = "type" required,
        sparse: Option<Box<Sparse>> = "sparse",
        extensions: AccessorExtensions = "extensions",
    }

    AccessorExtensions {
        quantized: Option<Box<Quantized>> = "WEB3D_quantized_attributes",
    }

    /// Whole numbers, and the matrix that makes them what they stand for: one row and column more than
    /// an element has numbers, column after column.
    Quantized {
        decode_matrix: Vec<Number> = "decodeMatrix" required,
    }

    Sparse {
        count: Whole = "count" required,
        indices: SparseIndices = "indices" required,
        values: SparseValues = "values" required,
    }

    SparseIndices {
        buffer_view: Whole = "bufferView" required,
        byte_offset: Whole = "byteOffset",
        component_type: Whole = "componentType" required,
    }

    SparseValues {
        buffer_view: Whole = "bufferView" required,
        byte_offset: Whole = "byteOffset",
    }
}
