//! Materials: the values of a technique, as the nearest metallic-roughness surface.
//!
//! In:  values of `KHR_materials_common`, or of a technique whose shaders only a GPU understands;
//! by custom they have the same names. Out: materials of 2.0.
//!
//! Colours are shown as they are filed, so they are sRGB; 2.0 has linear ones.

use serde_json::{Map, Value, json};

use super::{Old, image, name, note};
use crate::note::Notes;

/// GL's numbers of what a technique enables.
const CULL_FACE: u64 = 2884;
const BLEND: u64 = 3042;

pub(super) fn materials(old: &Old, notes: &mut Notes) -> Vec<Value> {
    let each = old.materials.iter().map(|(id, filed)| {
        let mut material = Surface::new(old, filed).material(old, |text| {
            note(notes, "materials", id, text);
        });
        material["name"] = json!(name(id, filed));
        material
    });
    each.collect()
}

/// Whether a material's shader reads colours of vertices; one that is not known may.
pub(super) fn uses_colors(old: &Old, material: usize) -> bool {
    let technique = technique(old, old.materials.value(material));
    let Some(parameters) = technique["parameters"].as_object() else { return true };
    let mut semantics = parameters.values().filter_map(|parameter| parameter["semantic"].as_str());
    semantics.any(|semantic| semantic.starts_with("COLOR"))
}

fn technique<'a>(old: &'a Old, material: &Value) -> &'a Value {
    let id = [&material["technique"], &material["instanceTechnique"]["technique"]];
    let at = id.into_iter().find_map(|id| old.techniques.at(id));
    at.map_or(&Value::Null, |at| old.techniques.value(at))
}

/// What is known of a surface, whichever way it is filed.
struct Surface {
    values: Map<String, Value>,
    double_sided: bool,
    blended: bool,
    unlit: bool,
}

impl Surface {
    fn new(old: &Old, material: &Value) -> Self {
        let common = &material["extensions"]["KHR_materials_common"];
        if common.is_object() {
            // Older files have the two switches among the values.
            let on = |key: &str| [common, &common["values"]].iter().any(|all| all[key] == true);
            return Self {
                values: common["values"].as_object().cloned().unwrap_or_default(),
                double_sided: on("doubleSided"),
                blended: on("transparent"),
                unlit: common["technique"] == "CONSTANT",
            };
        }
        let technique = technique(old, material);
        let enabled = |code: u64| {
            let list = technique["states"]["enable"].as_array();
            list.is_some_and(|list| list.iter().any(|entry| entry.as_u64() == Some(code)))
        };
        Self {
            values: values(technique, material),
            double_sided: technique.is_object() && !enabled(CULL_FACE),
            blended: enabled(BLEND),
            unlit: false,
        }
    }

    fn material(&self, old: &Old, mut tell: impl FnMut(&str)) -> Value {
        let mut texture = |id: Option<&str>| {
            let at = old.textures.at(&json!(id?));
            if at.is_none() {
                tell("a material names a texture that is not there: it is left out");
            }
            at
        };
        let emission_texture = texture(self.find(&EMISSION, texture_id));
        let normal_texture = texture(self.find(&NORMAL, texture_id));
        let base_texture = texture(self.find(&DIFFUSE, texture_id).or_else(|| self.any_texture()));
        let emission = self.find(&EMISSION, color);
        let diffuse = self.find(&DIFFUSE, color);
        // A surface without shading may have nothing but its own light.
        let glows = self.unlit && base_texture.is_none() && diffuse.is_none();
        let base_texture = if glows { emission_texture } else { base_texture };
        let base = match base_texture {
            Some(_) => [1.0; 4],
            None => if glows { emission } else { diffuse }.unwrap_or([1.0; 4]),
        };
        let alpha = base[3] * self.alpha(&mut tell);
        let [red, green, blue, _] = linear(base);
        let mut plain = json!({
            "baseColorFactor": [red, green, blue, alpha],
            "metallicFactor": 0.0,
            "roughnessFactor": self.roughness(),
        });
        let see_through = base_texture.is_some_and(|at| image::may_be_transparent(old, at));
        put_texture(&mut plain, "baseColorTexture", base_texture);
        let mut made = json!({"pbrMetallicRoughness": plain, "doubleSided": self.double_sided});
        if alpha < 1.0 || (self.blended && see_through) {
            made["alphaMode"] = json!("BLEND");
        }
        put_texture(&mut made, "normalTexture", normal_texture);
        if !glows {
            let glow =
                if emission_texture.is_some() { [1.0; 4] } else { emission.unwrap_or_default() };
            made["emissiveFactor"] = json!(&linear(glow)[..3]);
            put_texture(&mut made, "emissiveTexture", emission_texture);
        }
        if self.unlit {
            made["extensions"] = json!({"KHR_materials_unlit": {}});
        }
        made
    }

    /// The first value of the right kind whose name is one of these words, else holds one.
    fn find<'a, T>(&'a self, words: &[&str], read: impl Fn(&'a Value) -> Option<T>) -> Option<T> {
        let exact = |name: &str, word: &str| name.eq_ignore_ascii_case(word);
        let holds = |name: &str, word: &str| name.to_ascii_lowercase().contains(word);
        for fits in [exact as fn(&str, &str) -> bool, holds] {
            for word in words {
                let mut named = self.values.iter().filter(|(name, _)| fits(name, word));
                if let Some(found) = named.find_map(|(_, value)| read(value)) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// A texture whose name says nothing about its use.
    fn any_texture(&self) -> Option<&str> {
        const OTHERS: [&str; 9] =
            ["normal", "bump", "spec", "emi", "ambient", "occlu", "reflect", "light", "shadow"];
        let known = |name: &str| OTHERS.iter().any(|word| name.to_ascii_lowercase().contains(word));
        self.values.iter().filter(|(name, _)| !known(name)).find_map(|(_, value)| texture_id(value))
    }

    /// How much of the surface is there. Nobody means one that cannot be seen at all.
    fn alpha(&self, tell: &mut impl FnMut(&str)) -> f64 {
        match self.find(&["transparency"], Value::as_f64) {
            Some(alpha) if alpha <= 0.0 => {
                tell("a material that could not be seen at all is taken as opaque");
                1.0
            }
            alpha => alpha.unwrap_or(1.0).min(1.0),
        }
    }

    /// The roughness whose highlight is as wide as Phong's: n = 2 / r² - 2 (Walter and others 2007).
    fn roughness(&self) -> f64 {
        let dull = self.find(&["specular"], color).is_some_and(|color| color[..3] == [0.0; 3]);
        match self.find(&["shininess"], Value::as_f64).filter(|_| !dull) {
            // Some write the exponent, some a part of 128.
            Some(n) => {
                let exponent = if n <= 1.0 { n * 128.0 } else { n };
                (2.0 / (exponent.max(0.0) + 2.0)).sqrt().clamp(0.05, 1.0)
            }
            None => 1.0,
        }
    }
}

const DIFFUSE: [&str; 3] = ["diffuse", "basecolor", "albedo"];
const NORMAL: [&str; 3] = ["normalmap", "normaltexture", "bump"];
const EMISSION: [&str; 2] = ["emission", "emissive"];

/// What the technique has by default, and over it what the material says.
fn values(technique: &Value, material: &Value) -> Map<String, Value> {
    let parameters = technique["parameters"].as_object().into_iter().flatten();
    let mut all: Map<String, Value> = parameters
        .filter(|(_, parameter)| !parameter["value"].is_null())
        .map(|(name, parameter)| (name.clone(), parameter["value"].clone()))
        .collect();
    for values in [&material["instanceTechnique"]["values"], &material["values"]] {
        for (name, value) in values.as_object().into_iter().flatten() {
            all.insert(name.clone(), value.clone());
        }
    }
    all
}

/// The id of a texture; some programs put it into a list.
fn texture_id(value: &Value) -> Option<&str> {
    value.as_str().or_else(|| value[0].as_str())
}

/// Three or four numbers; a missing alpha is one.
pub(super) fn color(value: &Value) -> Option<[f64; 4]> {
    let list = value.as_array().filter(|list| (3..=4).contains(&list.len()))?;
    let number = |at: usize| list.get(at).map_or(Some(1.0), Value::as_f64);
    Some([number(0)?, number(1)?, number(2)?, number(3)?])
}

/// From sRGB to linear light; alpha stays. IEC 61966-2-1.
pub(super) fn linear([red, green, blue, alpha]: [f64; 4]) -> [f64; 4] {
    let channel = |value: f64| match value {
        value if value <= 0.0 => 0.0,
        value if value <= 0.040_45 => value / 12.92,
        value if value < 1.0 => ((value + 0.055) / 1.055).powf(2.4),
        value => value,
    };
    [channel(red), channel(green), channel(blue), alpha.clamp(0.0, 1.0)]
}

fn put_texture(holder: &mut Value, key: &str, texture: Option<usize>) {
    if let Some(texture) = texture {
        holder[key] = json!({"index": texture});
    }
}
