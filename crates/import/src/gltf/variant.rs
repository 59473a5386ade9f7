//! Material variants (`KHR_materials_variants`): other looks of the same shapes.
//!
//! In:  the document's names and the mappings of a primitive.
//! Out: names, and for each primitive which material it has in which variant. A mapping that points nowhere is noted
//! and left out: the shape is there without it.

use sinew_scene::{MaterialId, VariantId};

use super::json;
use crate::Place;
use crate::note::Notes;

/// The names of a document's variants; those without one are numbered.
pub(super) fn names(document: &json::Document<'_>) -> Vec<String> {
    let filed = document.extensions.variants.variants.iter().enumerate();
    filed.map(|(at, one)| one.name.clone().unwrap_or_else(|| format!("variant {at}"))).collect()
}

/// The materials of a primitive by variant, each variant once.
pub(super) fn of_primitive(
    document: &json::Document<'_>,
    filed: &json::Primitive,
    place: &Place,
    notes: &mut Notes,
) -> Vec<(VariantId, MaterialId)> {
    let counts = [document.extensions.variants.variants.len(), document.materials.len()];
    let mut found: Vec<(VariantId, MaterialId)> = Vec::new();
    for mapping in filed.extensions.variants.iter().flat_map(|filed| &filed.mappings) {
        for variant in &mapping.variants {
            let known = found.iter().any(|(id, _)| id.index() == variant.0);
            if variant.0 >= counts[0] || mapping.material.0 >= counts[1] || known {
                let [variants, materials] = counts;
                let text = format!(
                    "a material variant is left out: expected each variant once, a variant below {variants} and a \
                     material below {materials}, found variant {} with material {}",
                    variant.0, mapping.material.0
                );
                notes.add(place.clone(), text);
            } else {
                found.push((VariantId::new(variant.0), MaterialId::new(mapping.material.0)));
            }
        }
    }
    found
}
