//! Which extensions are read, and what is reported about the others.
//!
//! In:  the document and its text. Out: notes, or an error where a required extension that is not
//! read may decide where something is.
//!
//! A required extension that is not read is an error only where it can change shapes, nodes or motion:
//! where the file has it in a buffer, view, accessor, primitive, node, skin or animation. In a
//! material, a texture or at the root of the document it costs the look alone.

use super::json::Document;
use crate::json::{self, Value};
use crate::open::Context;
use crate::{ImportError, NoteCode, Place, files};

/// Read in full.
const READ: &[&str] = &[
    "EXT_mesh_gpu_instancing",
    "EXT_mesh_primitive_restart",
    "EXT_meshopt_compression",
    "EXT_texture_webp",
    "KHR_animation_pointer",
    "KHR_draco_mesh_compression",
    "KHR_lights_punctual",
    "KHR_materials_anisotropy",
    "KHR_materials_clearcoat",
    "KHR_materials_diffuse_transmission",
    "KHR_materials_dispersion",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_iridescence",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_materials_volume",
    "KHR_mesh_primitive_restart",
    "KHR_mesh_quantization",
    "KHR_materials_variants",
    "KHR_meshopt_compression",
    "KHR_node_visibility",
    "KHR_texture_basisu",
    "KHR_texture_transform",
    "MESHOPT_compression",
];

/// Say nothing about what is seen.
const SILENT: &[&str] = &[
    "FB_ngon_encoding",
    "EXT_texture_astc",
    "EXT_texture_bptc",
    "KHR_xmp",
    "KHR_xmp_json_ld",
    "KHR_node_hoverability",
    "KHR_node_selectability",
];

/// Change the look of surfaces, not where anything is.
const LOOK: &[&str] = &[
    "EXT_materials_specular_edge_color",
    "KHR_materials_subsurface",
    "KHR_materials_volume_scatter",
];

/// Say how surfaces look, sound or behave, or what things are: wherever they are, nothing changes its
/// place by them. By the middle of their names, for every vendor has such.
const HARMLESS: &[&str] = &[
    "_audio",
    "_collider",
    "_feature",
    "_lights",
    "_lod",
    "_material",
    "_metadata",
    "_outline",
    "_physics",
    "_technique",
    "_texture",
    "_xmp",
];

/// Of the avatars of VRM 0 and 1: people, expressions, springs and constraints. Their nodes, skins
/// and shapes are plain glTF.
fn is_of_avatars(name: &str) -> bool {
    name == "VRM" || name.starts_with("VRMC_") || name.starts_with("VRM_")
}

fn is_harmless(name: &str) -> bool {
    is_of_avatars(name) || HARMLESS.iter().any(|part| name.contains(part))
}

/// Where in the document an extension is that may decide where something is.
fn place_of(name: &str, text: &str) -> Option<Place> {
    const LISTS: [&str; 7] =
        ["buffers", "bufferViews", "accessors", "meshes", "nodes", "skins", "animations"];
    let document: Value = json::parse(text).ok()?;
    LISTS.into_iter().find_map(|list| {
        let mut entries = document[list].as_list()?.iter();
        let at = entries.position(|entry| holds(entry, name))?;
        Some(Place::part(format!("{list}[{at}]")))
    })
}

/// Whether a value, or one inside it, has the extension. Numbers and words have none.
fn holds(value: &Value, name: &str) -> bool {
    match value {
        Value::List(list) => list.iter().any(|value| holds(value, name)),
        Value::Object(members) => members.iter().any(|(key, value)| match key.as_str() {
            "extensions" => value.get(name).is_some() || holds(value, name),
            "extras" => false,
            _ => holds(value, name),
        }),
        _ => false,
    }
}

/// Refuses what a file cannot do without, and notes what it has to.
pub(super) fn check(
    document: &Document<'_>,
    text: &str,
    context: &mut Context<'_>,
) -> Result<(), ImportError> {
    let known = |name: &str| [READ, SILENT, LOOK].iter().any(|list| list.contains(&name));
    for name in document.extensions_required.iter().filter(|name| !known(name)) {
        if !is_harmless(name)
            && let Some(place) = place_of(name, text)
        {
            let text = format!(
                "the file requires the extension {}, which is not read and may change shapes or motion",
                files::shorten(name)
            );
            return Err(ImportError::unsupported(place, text));
        }
    }
    for name in &document.extensions_required {
        let place = Place::part("extensionsRequired");
        context.notes.detail(NoteCode::ExtensionRequired, place, 1, 0.0, &files::shorten(name));
    }
    let mut all: Vec<&String> =
        document.extensions_used.iter().chain(&document.extensions_required).collect();
    all.sort();
    all.dedup();
    for &name in &all {
        let place = Place::part("extensionsUsed");
        if LOOK.contains(&name.as_str()) {
            let text = format!(
                "the extension {name} is not drawn: the look of its surfaces is simplified"
            );
            context.notes.add(place, text);
        } else if !known(name) {
            let required = document.extensions_required.contains(name);
            let but = if required { ", though the file requires it" } else { "" };
            let text = format!("the extension {} is not read{but}", files::shorten(name));
            context.notes.add(place, text);
        }
    }
    context.extensions = all.into_iter().cloned().collect();
    Ok(())
}
