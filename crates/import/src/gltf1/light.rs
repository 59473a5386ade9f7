//! Lights of `KHR_materials_common`, as lights of `KHR_lights_punctual`.
//!
//! An ambient light has no place in a scene and is left out.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::{Old, material, name};

const COMMON: &str = "KHR_materials_common";

#[derive(Default)]
pub(super) struct Lights {
    pub(super) list: Vec<Value>,
    by_id: HashMap<String, usize>,
}

impl Lights {
    pub(super) fn new(old: &Old) -> Self {
        let mut lights = Self::default();
        for (id, filed) in old.extensions[COMMON]["lights"].as_object().into_iter().flatten() {
            if let Some(mut light) = read_light(filed) {
                light["name"] = json!(name(id, filed));
                lights.by_id.insert(id.clone(), lights.list.len());
                lights.list.push(light);
            }
        }
        lights
    }

    /// The light of a node.
    pub(super) fn of(&self, node: &Value) -> Option<usize> {
        self.by_id.get(node["extensions"][COMMON]["light"].as_str()?).copied()
    }
}

fn read_light(filed: &Value) -> Option<Value> {
    let kind =
        filed["type"].as_str().filter(|kind| ["directional", "point", "spot"].contains(kind))?;
    let shape = &filed[kind];
    let color = material::color(&shape["color"]).unwrap_or([1.0; 4]);
    let mut light = json!({"type": kind, "color": &material::linear(color)[..3]});
    if let Some(range) = shape["distance"].as_f64().filter(|range| *range > 0.0) {
        light["range"] = json!(range);
    }
    if kind == "spot" {
        // The file has the whole angle, in radians.
        let whole = shape["falloffAngle"].as_f64().unwrap_or(std::f64::consts::FRAC_PI_2);
        let outer = (whole / 2.0).clamp(0.01, std::f64::consts::FRAC_PI_2);
        light["spot"] = json!({"innerConeAngle": 0.0, "outerConeAngle": outer});
    }
    Some(light)
}
