//! Meshes.
//!
//! In:  meshes, and nodes that may draw several of them. Out: a mesh of 2.0 for each distinct list
//! of meshes that a node draws, with the primitives of all of them.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::{Old, name, place};
use crate::open::Context;
use crate::{ImportError, Place};

#[derive(Default)]
pub(super) struct Meshes {
    pub(super) list: Vec<Value>,
    /// The first of the old document's meshes in each.
    pub(super) from: Vec<usize>,
    known: HashMap<Vec<usize>, usize>,
}

impl Meshes {
    pub(super) fn new(old: &Old, context: &mut Context<'_>) -> Result<Self, ImportError> {
        let mut meshes = Self::default();
        for (id, node) in old.nodes.iter() {
            let place = place("nodes", id);
            let wanted = drawn_by(old, node, &place)?;
            if !wanted.is_empty() && !meshes.known.contains_key(&wanted) {
                meshes.add(old, wanted, &place, context)?;
            }
        }
        Ok(meshes)
    }

    /// The mesh that a node draws.
    pub(super) fn of(
        &self,
        old: &Old,
        node: &Value,
        place: &Place,
    ) -> Result<Option<usize>, ImportError> {
        Ok(self.known.get(&drawn_by(old, node, place)?).copied())
    }

    fn add(
        &mut self,
        old: &Old,
        wanted: Vec<usize>,
        place: &Place,
        context: &mut Context<'_>,
    ) -> Result<(), ImportError> {
        let mut primitives = Vec::new();
        for &at in &wanted {
            let filed = old.meshes.value(at);
            let list = filed["primitives"].as_array().map_or(&[][..], Vec::as_slice);
            // A few ids may ask for the same long list again and again.
            context.budget.take(list.len(), 512, place)?;
            for (number, primitive) in list.iter().enumerate() {
                let words =
                    format!("{}.primitives[{number}]", super::place("meshes", old.meshes.id(at)));
                primitives.push(read_primitive(old, primitive, &Place::part(words))?);
            }
        }
        let first = wanted[0];
        let name = name(old.meshes.id(first), old.meshes.value(first));
        self.list.push(json!({"name": name, "primitives": primitives}));
        self.from.push(first);
        self.known.insert(wanted, self.list.len() - 1);
        Ok(())
    }
}

/// The meshes of a node; a draft had those with a skin apart.
fn drawn_by(old: &Old, node: &Value, place: &Place) -> Result<Vec<usize>, ImportError> {
    let skinned = &node["instanceSkin"];
    let lists = [&node["meshes"], &skinned["meshes"], &skinned["sources"]];
    let ids = lists.into_iter().filter_map(Value::as_array).flatten().chain(node.get("mesh"));
    ids.map(|id| old.meshes.find(id, "a mesh", place)).collect()
}

fn read_primitive(old: &Old, filed: &Value, place: &Place) -> Result<Value, ImportError> {
    let material = old.materials.at(&filed["material"]);
    let colored = material.is_none_or(|at| super::material::uses_colors(old, at));
    let mut attributes = Map::new();
    for (semantic, id) in filed["attributes"].as_object().into_iter().flatten() {
        let Some(semantic) = new_semantic(semantic, colored) else { continue };
        attributes.insert(semantic, json!(old.accessors.find(id, "an accessor", place)?));
    }
    let mut primitive = json!({"attributes": attributes});
    if let Some(mode) = filed["mode"].as_u64().or(filed["primitive"].as_u64()) {
        primitive["mode"] = json!(mode);
    }
    if let Some(id) = filed.get("indices").filter(|id| !id.is_null()) {
        primitive["indices"] = json!(old.accessors.find(id, "an accessor", place)?);
    }
    if let Some(material) = material {
        primitive["material"] = json!(material);
    }
    Ok(primitive)
}

/// `JOINT` and `WEIGHT` gained a number and an S; a set without a number is the first.
fn new_semantic(semantic: &str, colored: bool) -> Option<String> {
    let (word, set) = semantic.split_once('_').unwrap_or((semantic, "0"));
    match word {
        "POSITION" | "NORMAL" => Some(word.to_owned()),
        "TEXCOORD" => Some(format!("TEXCOORD_{set}")),
        "COLOR" if colored => Some(format!("COLOR_{set}")),
        "JOINT" => Some(format!("JOINTS_{set}")),
        "WEIGHT" => Some(format!("WEIGHTS_{set}")),
        _ => None,
    }
}
