//! Buffers, views and accessors.
//!
//! In:  the three dictionaries. Out: the lists of glTF 2.0, where the stride belongs to a view: an
//! accessor with a stride of its own gets a view of its own.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::Old;
use crate::{ImportError, Place};

/// The views that the document needs, made as they are asked for.
#[derive(Default)]
pub(super) struct Views {
    pub(super) list: Vec<Value>,
    /// The view of the old document that each was made of.
    pub(super) from: Vec<usize>,
    known: HashMap<(usize, u64), usize>,
}

impl Views {
    /// The view with this id and stride; a stride of zero is tight.
    pub(super) fn get(
        &mut self,
        old: &Old,
        id: &Value,
        stride: u64,
        place: &Place,
    ) -> Result<usize, ImportError> {
        let at = old.buffer_views.find(id, "a bufferView", place)?;
        if let Some(&known) = self.known.get(&(at, stride)) {
            return Ok(known);
        }
        let filed = old.buffer_views.value(at);
        let view_place = super::place("bufferViews", old.buffer_views.id(at));
        let buffer = old.buffers.find(&filed["buffer"], "a buffer", &view_place)?;
        let offset = filed["byteOffset"].as_u64().unwrap_or(0);
        // Without a length a view reaches to the end of its buffer.
        let rest = || old.buffers.value(buffer)["byteLength"].as_u64().unwrap_or(0);
        let length = filed["byteLength"].as_u64().filter(|&length| length > 0);
        let length = length.unwrap_or_else(|| rest().saturating_sub(offset));
        let mut view = json!({"buffer": buffer, "byteOffset": offset, "byteLength": length});
        if stride > 0 {
            view["byteStride"] = json!(stride);
        }
        self.known.insert((at, stride), self.list.len());
        self.list.push(view);
        self.from.push(at);
        Ok(self.list.len() - 1)
    }
}

/// Attributes as whole numbers with a matrix that makes them what they stand for.
pub(super) const QUANTIZED: &str = "WEB3D_quantized_attributes";

/// The id that stands for the buffer inside a binary file, and what a draft called it.
const INSIDE: [&str; 2] = ["binary_glTF", "KHR_binary_glTF"];

/// Puts the buffer inside the file first, where the reader of 2.0 expects it.
pub(super) fn mark_inside(old: &mut Old, bin: Option<&[u8]>) {
    let Some(bin) = bin else { return };
    for id in INSIDE {
        let used = || old.buffer_views.iter().any(|(_, view)| view["buffer"] == id);
        if old.buffers.at(&json!(id)).is_some() || used() {
            old.buffers.insert(id.to_owned(), json!({"byteLength": bin.len()}));
            old.buffers.put_first(id);
            return;
        }
    }
}

pub(super) fn buffers(old: &Old) -> Vec<Value> {
    let each = old.buffers.iter().map(|(_, filed)| {
        let mut buffer = json!({"byteLength": filed["byteLength"].as_u64().unwrap_or(0)});
        if let Some(uri) = filed["uri"].as_str() {
            buffer["uri"] = json!(uri);
        }
        buffer
    });
    each.collect()
}

pub(super) fn accessors(old: &Old, views: &mut Views) -> Result<Vec<Value>, ImportError> {
    let each = old.accessors.iter().map(|(id, filed)| {
        let place = super::place("accessors", id);
        let stride = filed["byteStride"].as_u64().unwrap_or(0);
        let mut accessor: Map<String, Value> = Map::new();
        for key in ["byteOffset", "componentType", "count", "type", "normalized"] {
            if let Some(value) = filed.get(key).filter(|value| !value.is_null()) {
                accessor.insert(key.to_owned(), value.clone());
            }
        }
        let quantized = &filed["extensions"][QUANTIZED];
        if quantized.is_object() {
            accessor.insert("extensions".to_owned(), json!({QUANTIZED: quantized}));
        }
        if filed.get("bufferView").is_some() {
            let view = views.get(old, &filed["bufferView"], stride, &place)?;
            accessor.insert("bufferView".to_owned(), json!(view));
        }
        Ok(Value::Object(accessor))
    });
    each.collect()
}
