//! Nodes: the same tree with indices in place of ids.

use serde_json::{Map, Value, json};

use super::light::Lights;
use super::mesh::Meshes;
use super::skin::Skins;
use super::{Old, indices, name, place};
use crate::ImportError;

/// What nodes may hold.
pub(super) struct Links<'a> {
    pub(super) meshes: &'a Meshes,
    pub(super) skins: &'a Skins,
    pub(super) lights: &'a Lights,
}

pub(super) fn nodes(old: &Old, links: &Links<'_>) -> Result<Vec<Value>, ImportError> {
    let each = old.nodes.iter().enumerate();
    each.map(|(at, (id, filed))| read_node(old, links, at, id, filed)).collect()
}

fn read_node(
    old: &Old,
    links: &Links<'_>,
    at: usize,
    id: &str,
    filed: &Value,
) -> Result<Value, ImportError> {
    let place = place("nodes", id);
    let mut node = Map::new();
    let mut put = |key: &str, value: Value| node.insert(key.to_owned(), value);
    put("name", json!(name(id, filed)));
    put("children", json!(indices(old, &filed["children"], &place)?));
    for key in ["matrix", "translation", "rotation", "scale"] {
        if let Some(value) = filed.get(key).filter(|value| !value.is_null()) {
            put(key, value.clone());
        }
    }
    if let Some(mesh) = links.meshes.of(old, filed, &place)? {
        put("mesh", json!(mesh));
        if let Some(skin) = links.skins.of(at) {
            put("skin", json!(skin));
        }
    }
    if let Some(camera) = old.cameras.at(&filed["camera"]) {
        put("camera", json!(camera));
    }
    if let Some(light) = links.lights.of(filed) {
        put("extensions", json!({"KHR_lights_punctual": {"light": light}}));
    }
    Ok(Value::Object(node))
}
