//! Meshes: their primitives, made to have the same number of morph targets.
//!
//! In:  the document's meshes. Out: meshes of the scene, one for each.
//!
//! Files that show one shape in many materials have a mesh for each, over the same accessors: a
//! shape is decoded once and copied for the others.

use std::collections::HashMap;

use sinew_scene::{Mesh, MorphTarget, Primitive};

use super::accessor::Source;
use super::buffer::unless_empty;
use super::draco_primitive::Streams;
use super::json::{Attributes, Whole};
use super::{influence, json, primitive, variant};
use crate::open::Context;
use crate::{ImportError, Place};

/// All that a primitive is but for its material.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Shape<'a> {
    attributes: &'a Attributes,
    indices: Option<Whole>,
    mode: Option<Whole>,
    targets: &'a [Attributes],
    draco: Option<(Whole, &'a Attributes)>,
}

impl<'a> Shape<'a> {
    pub(super) fn of(primitive: &'a json::Primitive) -> Self {
        let draco = primitive.extensions.draco.as_ref();
        Self {
            attributes: &primitive.attributes,
            indices: primitive.indices,
            mode: primitive.mode,
            targets: &primitive.targets,
            draco: draco.map(|draco| (draco.buffer_view, &draco.attributes)),
        }
    }
}

pub(super) fn read(
    source: &Source<'_>,
    context: &mut Context<'_>,
) -> Result<Vec<Mesh>, ImportError> {
    let document = source.document;
    let mut reader = Reader {
        source,
        streams: Streams::new(document),
        known: HashMap::new(),
        meshes: Vec::with_capacity(document.meshes.len()),
    };
    for (at, mesh) in document.meshes.iter().enumerate() {
        reader.mesh(mesh, at, context)?;
    }
    Ok(reader.meshes)
}

struct Reader<'a> {
    source: &'a Source<'a>,
    streams: Streams<'a>,
    /// The mesh and primitive that a shape was first read for.
    known: HashMap<Shape<'a>, (usize, usize)>,
    meshes: Vec<Mesh>,
}

impl<'a> Reader<'a> {
    fn mesh(
        &mut self,
        filed: &'a json::Mesh,
        at: usize,
        context: &mut Context<'_>,
    ) -> Result<(), ImportError> {
        let name = filed.name.clone().unwrap_or_default();
        let capacity = filed.primitives.len();
        self.meshes.push(Mesh {
            name,
            primitives: Vec::with_capacity(capacity),
            ..Mesh::default()
        });
        for (number, primitive) in filed.primitives.iter().enumerate() {
            let words = format!("meshes[{at}].primitives[{number}]");
            let found = self.primitive(primitive, &words, context);
            let what = "primitives that need it are left out";
            if let Some(found) = unless_empty(found, what, &mut context.notes)?.flatten() {
                let primitives = &mut self.meshes[at].primitives;
                self.known.entry(Shape::of(primitive)).or_insert((at, primitives.len()));
                primitives.push(found);
            }
        }
        self.same_morphs(filed, at, context)
    }

    fn primitive(
        &mut self,
        filed: &json::Primitive,
        words: &str,
        context: &mut Context<'_>,
    ) -> Result<Option<Primitive>, ImportError> {
        let Some(&(mesh, at)) = self.known.get(&Shape::of(filed)) else {
            return primitive::read(self.source, filed, words, &mut self.streams, context);
        };
        let known = &self.meshes[mesh].primitives[at];
        let place = Place::part(words);
        context.budget.take_copy(influence::size(known), &place)?;
        let material = primitive::material(self.source, filed, &place)?;
        let variants =
            variant::of_primitive(self.source.document, filed, &place, &mut context.notes);
        let mut copy = Primitive { material, variants, ..known.clone() };
        // The other mesh may have got more than the file has.
        copy.morphs.truncate(filed.targets.len());
        Ok(Some(copy))
    }

    fn same_morphs(
        &mut self,
        filed: &json::Mesh,
        at: usize,
        context: &mut Context<'_>,
    ) -> Result<(), ImportError> {
        let mesh = &mut self.meshes[at];
        let count = mesh.primitives.iter().map(|primitive| primitive.morphs.len()).max();
        let count = count.unwrap_or(0);
        let place = Place::part(format!("meshes[{at}]"));
        for primitive in &mut mesh.primitives {
            if primitive.morphs.len() < count {
                let text = "the primitives of a mesh have different numbers of morph targets: the missing ones move nothing";
                context.notes.add(place.clone(), text);
                context.budget.take(count, size_of::<MorphTarget>(), &place)?;
                primitive.morphs.resize(count, MorphTarget::default());
            }
        }
        mesh.morph_names = (0..count).map(|target| filed.target_name(target).to_owned()).collect();
        Ok(())
    }
}
