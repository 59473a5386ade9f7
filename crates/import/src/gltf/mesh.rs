//! Meshes: their primitives, made to have the same number of morph targets.

use sinew_scene::{Mesh, MorphTarget};

use super::accessor::Source;
use super::buffer::unless_empty;
use super::{json, primitive};
use crate::door::Context;
use crate::{Error, Place};

pub(super) fn read(source: &Source<'_>, context: &mut Context<'_>) -> Result<Vec<Mesh>, Error> {
    let meshes = source.document.meshes.iter().enumerate();
    meshes.map(|(at, mesh)| read_one(source, mesh, at, context)).collect()
}

fn read_one(
    source: &Source<'_>,
    filed: &json::Mesh,
    at: usize,
    context: &mut Context<'_>,
) -> Result<Mesh, Error> {
    let mut primitives = Vec::with_capacity(filed.primitives.len());
    for (number, primitive) in filed.primitives.iter().enumerate() {
        let words = format!("meshes[{at}].primitives[{number}]");
        let found = primitive::read(source, primitive, &words, context);
        let what = "primitives that need it are left out";
        primitives.extend(unless_empty(found, what, &mut context.notes)?.flatten());
    }
    let count = primitives.iter().map(|primitive| primitive.morphs.len()).max().unwrap_or(0);
    let place = Place::part(format!("meshes[{at}]"));
    for primitive in &mut primitives {
        if primitive.morphs.len() < count {
            let text = "the primitives of a mesh have different numbers of morph targets: the missing ones move nothing";
            context.notes.add(place.clone(), text);
            context.budget.take(count, size_of::<MorphTarget>(), &place)?;
            primitive.morphs.resize(count, MorphTarget::default());
        }
    }
    let morph_names = (0..count).map(|target| filed.target_name(target).to_owned()).collect();
    Ok(Mesh { name: filed.name.clone().unwrap_or_default(), primitives, morph_names })
}
