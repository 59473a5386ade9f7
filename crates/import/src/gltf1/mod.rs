//! glTF 1.0, `.gltf` and `.glb`: translated into a document of glTF 2.0, which is then read.
//!
//! In:  JSON whose lists are objects keyed by id. Out: the parts that the reader of 2.0 makes of
//! the same document in its words.
//!
//! Everything in the translation comes in the order of the file, so that an index of 2.0 leads back
//! to an id: notes and errors speak of ids. Shaders are not read; materials become their nearest.

mod animation;
mod camera;
mod container;
mod data;
mod dictionary;
mod image;
mod light;
mod material;
mod mesh;
mod node;
mod skin;
#[cfg(test)]
mod tests;

use glam::Affine3A;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::note::Notes;
use crate::open::{Context, Raw};
use crate::{ImportError, Place, files, gltf};
pub(crate) use container::open as open_container;
use data::Views;
use dictionary::Dictionary;

/// A document of glTF 1.0, as filed.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Old {
    asset: Value,
    scene: Value,
    scenes: Dictionary,
    nodes: Dictionary,
    meshes: Dictionary,
    skins: Dictionary,
    animations: Dictionary,
    accessors: Dictionary,
    buffer_views: Dictionary,
    buffers: Dictionary,
    materials: Dictionary,
    techniques: Dictionary,
    textures: Dictionary,
    samplers: Dictionary,
    images: Dictionary,
    cameras: Dictionary,
    extensions: Value,
    extensions_used: Vec<String>,
}

/// Extensions of 1.0 that are read here.
const READ: [&str; 3] = ["KHR_binary_glTF", "KHR_materials_common", data::QUANTIZED];

/// A member of one of the document's dictionaries.
fn place(list: &str, id: &str) -> Place {
    Place::part(format!("{list}[\"{}\"]", files::shorten(id)))
}

/// A name, else the id.
fn name<'a>(id: &'a str, filed: &'a Value) -> &'a str {
    filed["name"].as_str().filter(|name| !name.is_empty()).unwrap_or(id)
}

/// Reads a document of glTF 1.0; `None` when it is none.
pub(crate) fn read(
    text: &str,
    bin: Option<&[u8]>,
    context: &mut Context<'_>,
) -> Result<Option<Raw>, ImportError> {
    let Ok(mut old) = serde_json::from_str::<Old>(text) else { return Ok(None) };
    if !is_version_1(&old)? {
        return Ok(None);
    }
    data::mark_inside(&mut old, bin);
    let new = translate(&old, context)?;
    let known = context.notes.len();
    let raw = gltf::read_text(&new.text, bin, context);
    for note in context.notes.since(known) {
        note.place = new.old_place(std::mem::take(&mut note.place));
    }
    let mut raw = raw.map_err(|mut error| {
        error.place = new.old_place(error.place);
        error
    })?;
    // A vertex goes through the bind shape first, then into each joint's space.
    for (skin, mesh_from_file) in raw.parts.skins.iter_mut().zip(&new.bind_shapes) {
        for joint_from_mesh in &mut skin.joint_from_mesh {
            *joint_from_mesh *= *mesh_from_file;
        }
    }
    context.extensions = old.extensions_used.clone();
    context.extensions.sort();
    context.extensions.dedup();
    Ok(Some(raw))
}

/// Whether the document is of version 1; one without a version is, when it has dictionaries.
fn is_version_1(old: &Old) -> Result<bool, ImportError> {
    let version = match &old.asset["version"] {
        Value::String(version) => version.clone(),
        Value::Number(version) => version.to_string(),
        _ => return Ok(!old.nodes.is_empty() || !old.meshes.is_empty()),
    };
    match version.trim().split('.').next().unwrap_or_default() {
        "1" => Ok(true),
        "0" => {
            let found = files::shorten(&version);
            let text = format!("expected glTF 1.0 or 2.0, found \"{found}\", a draft");
            Err(ImportError::unsupported(Place::part("asset.version"), text))
        }
        _ => Ok(false),
    }
}

/// The document in words of 2.0, and what leads back.
struct New {
    text: String,
    /// Of each skin: from the mesh as filed to where it was bound.
    bind_shapes: Vec<Affine3A>,
    /// Ids by list and index.
    ids: Vec<(&'static str, Vec<String>)>,
}

impl New {
    /// `nodes[3].mesh` as the old document has it: `nodes["arm"].mesh`.
    fn old_place(&self, place: Place) -> Place {
        let Place::Part(words) = &place else { return place };
        let Some((list, rest)) = words.split_once('[') else { return place };
        let Some((index, rest)) = rest.split_once(']') else { return place };
        let ids = self.ids.iter().find(|(name, _)| *name == list).map(|(_, ids)| ids);
        let id = index.parse().ok().and_then(|index: usize| ids?.get(index));
        match id {
            Some(id) => Place::part(format!("{list}[\"{}\"]{rest}", files::shorten(id))),
            None => place,
        }
    }
}

fn translate(old: &Old, context: &mut Context<'_>) -> Result<New, ImportError> {
    let mut views = Views::default();
    let accessors = data::accessors(old, &mut views)?;
    let images = image::images(old, &mut views)?;
    let meshes = mesh::Meshes::new(old, context)?;
    let skins = skin::Skins::new(old, context)?;
    let lights = light::Lights::new(old);
    let cameras = camera::cameras(old, &mut context.notes);
    let nodes = node::nodes(old, &node::Links { meshes: &meshes, skins: &skins, lights: &lights })?;
    let animations = animation::animations(old, &mut context.notes);
    let ids = ids(old, &views, &meshes, &skins, &animations);
    let mut new = json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": others(old),
        "scenes": scenes(old)?,
        "nodes": nodes,
        "meshes": meshes.list,
        "skins": skins.list,
        "animations": animations.list,
        "accessors": accessors,
        "bufferViews": views.list,
        "buffers": data::buffers(old),
        "materials": material::materials(old, &mut context.notes),
        "textures": image::textures(old, &mut context.notes),
        "samplers": image::samplers(old),
        "images": images,
        "cameras": cameras,
        "extensions": {"KHR_lights_punctual": {"lights": lights.list}},
    });
    if let Some(scene) = old.scenes.at(&old.scene) {
        new["scene"] = json!(scene);
    }
    Ok(New { text: new.to_string(), bind_shapes: skins.bind_shapes, ids })
}

/// The extensions that the reader of 2.0 is to speak about.
fn others(old: &Old) -> Vec<&String> {
    old.extensions_used.iter().filter(|name| !READ.contains(&name.as_str())).collect()
}

fn scenes(old: &Old) -> Result<Vec<Value>, ImportError> {
    let each = old.scenes.iter().map(|(id, filed)| {
        let place = place("scenes", id);
        Ok(json!({"name": name(id, filed), "nodes": indices(old, &filed["nodes"], &place)?}))
    });
    each.collect()
}

/// The numbers of the nodes that a list of ids names.
fn indices(old: &Old, ids: &Value, place: &Place) -> Result<Vec<usize>, ImportError> {
    let ids = ids.as_array().into_iter().flatten();
    ids.map(|id| old.nodes.find(id, "a node", place)).collect()
}

fn ids(
    old: &Old,
    views: &Views,
    meshes: &mesh::Meshes,
    skins: &skin::Skins,
    animations: &animation::Animations,
) -> Vec<(&'static str, Vec<String>)> {
    let all = |list: &Dictionary| list.iter().map(|(id, _)| id.to_owned()).collect();
    let some =
        |list: &Dictionary, from: &[usize]| from.iter().map(|&at| list.id(at).to_owned()).collect();
    vec![
        ("scenes", all(&old.scenes)),
        ("nodes", all(&old.nodes)),
        ("accessors", all(&old.accessors)),
        ("buffers", all(&old.buffers)),
        ("materials", all(&old.materials)),
        ("textures", all(&old.textures)),
        ("images", all(&old.images)),
        ("cameras", all(&old.cameras)),
        ("bufferViews", some(&old.buffer_views, &views.from)),
        ("meshes", some(&old.meshes, &meshes.from)),
        ("skins", some(&old.skins, &skins.from)),
        ("animations", some(&old.animations, &animations.from)),
    ]
}

/// Adds a note about a member of a dictionary.
fn note(notes: &mut Notes, list: &str, id: &str, text: impl Into<String>) {
    notes.add(place(list, id), text);
}
