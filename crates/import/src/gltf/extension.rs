//! Which extensions are read, and what is said about the others.

use super::json::Document;
use crate::door::Context;
use crate::{Error, Place, files};

/// Read in full.
const READ: &[&str] = &[
    "EXT_mesh_gpu_instancing",
    "EXT_meshopt_compression",
    "EXT_texture_webp",
    "KHR_animation_pointer",
    "KHR_draco_mesh_compression",
    "KHR_lights_punctual",
    "KHR_materials_emissive_strength",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_unlit",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_node_visibility",
    "KHR_texture_basisu",
    "KHR_texture_transform",
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
    "KHR_materials_anisotropy",
    "KHR_materials_clearcoat",
    "KHR_materials_diffuse_transmission",
    "KHR_materials_dispersion",
    "KHR_materials_ior",
    "KHR_materials_iridescence",
    "KHR_materials_sheen",
    "KHR_materials_specular",
    "KHR_materials_subsurface",
    "KHR_materials_transmission",
    "KHR_materials_variants",
    "KHR_materials_volume",
    "KHR_materials_volume_scatter",
];

/// Refuses what a file cannot do without, and notes what it has to.
pub(super) fn check(document: &Document<'_>, context: &mut Context<'_>) -> Result<(), Error> {
    let known = |name: &str| [READ, SILENT, LOOK].iter().any(|list| list.contains(&name));
    for name in &document.extensions_required {
        if !known(name) {
            let text = format!(
                "the file requires the extension {}, which is not read",
                files::shorten(name)
            );
            return Err(Error::unsupported(Place::part("extensionsRequired"), text));
        }
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
            let text = format!("the extension {} is not read", files::shorten(name));
            context.notes.add(place, text);
        }
    }
    context.extensions = all.into_iter().cloned().collect();
    Ok(())
}
