//! Material variants, by `KHR_materials_variants`: names for the document, mappings for each primitive.

use sinew_scene::{Primitive, Scene};

use super::json::Object;

/// What the document says of them.
pub(super) fn names(scene: &Scene) -> Object {
    let names = scene.variants.iter().map(|name| Object::new().with("name", name.as_str()));
    Object::new().with("variants", names.collect::<Vec<_>>())
}

/// Which material a primitive has in which variants; one mapping for each material.
pub(super) fn mappings(primitive: &Primitive) -> Option<Object> {
    let mut mappings: Vec<(usize, Vec<usize>)> = Vec::new();
    for (variant, material) in &primitive.variants {
        match mappings.iter_mut().find(|(known, _)| *known == material.index()) {
            Some((_, variants)) => variants.push(variant.index()),
            None => mappings.push((material.index(), vec![variant.index()])),
        }
    }
    if mappings.is_empty() {
        return None;
    }
    let object = |(material, variants): (usize, Vec<usize>)| {
        Object::new().with("material", material).with("variants", variants)
    };
    let mappings: Vec<Object> = mappings.into_iter().map(object).collect();
    Some(Object::new().with("mappings", mappings))
}
