//! Textures, samplers and images.
//!
//! An image is named by a `uri`, or lies in a view where the file is binary.

use serde_json::{Value, json};

use super::data::Views;
use super::{Old, name, note, place};
use crate::ImportError;
use crate::note::Notes;

/// The part of an image that `KHR_binary_glTF` adds: where in the file it lies.
pub(super) fn inside(image: &Value) -> &Value {
    &image["extensions"]["KHR_binary_glTF"]
}

pub(super) fn images(old: &Old, views: &mut Views) -> Result<Vec<Value>, ImportError> {
    let each = old.images.iter().map(|(id, filed)| {
        let binary = inside(filed);
        let mut image = json!({"name": name(id, filed)});
        if binary["bufferView"].is_string() {
            let view = views.get(old, &binary["bufferView"], 0, &place("images", id))?;
            image["bufferView"] = json!(view);
            if let Some(kind) = binary["mimeType"].as_str() {
                image["mimeType"] = json!(kind);
            }
        } else if let Some(uri) = filed["uri"].as_str() {
            image["uri"] = json!(uri);
        }
        Ok(image)
    });
    each.collect()
}

pub(super) fn textures(old: &Old, notes: &mut Notes) -> Vec<Value> {
    let each = old.textures.iter().map(|(id, filed)| {
        let mut texture = json!({"name": name(id, filed)});
        match old.images.at(&filed["source"]) {
            Some(image) => texture["source"] = json!(image),
            None => note(notes, "textures", id, "a texture names no image of the file"),
        }
        if let Some(sampler) = old.samplers.at(&filed["sampler"]) {
            texture["sampler"] = json!(sampler);
        }
        texture
    });
    each.collect()
}

pub(super) fn samplers(old: &Old) -> Vec<Value> {
    let each = old.samplers.iter().map(|(_, filed)| {
        let mut sampler = json!({});
        for key in ["magFilter", "minFilter", "wrapS", "wrapT"] {
            if let Some(code) = filed[key].as_u64() {
                sampler[key] = json!(code);
            }
        }
        sampler
    });
    each.collect()
}

/// Whether the image behind a texture can hold transparency: all but JPEG can.
pub(super) fn may_be_transparent(old: &Old, texture: usize) -> bool {
    let Some(image) = old.images.at(&old.textures.value(texture)["source"]) else { return false };
    let filed = old.images.value(image);
    let kind = inside(filed)["mimeType"].as_str().unwrap_or_default();
    let uri = filed["uri"].as_str().unwrap_or_default();
    let end = uri.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let jpeg = kind == "image/jpeg" || uri.starts_with("data:image/jp");
    !(jpeg || ["jpg", "jpeg"].contains(&end.as_str()))
}
