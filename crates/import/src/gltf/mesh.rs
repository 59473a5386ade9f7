//! Meshes: their primitives, made to have the same number of morph targets.
//!
//! In:  the document's meshes. Out: meshes of the scene, one for each.
//!
//! Files that show one shape in many materials have a mesh for each, over the same accessors: a
//! shape is decoded once and shared by all.

use std::collections::HashMap;
use std::sync::Arc;

use sinew_scene::{Geometry, Mesh, MorphTarget, Primitive};

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

/// What is shared takes no memory here, but in full where meshes are uploaded or written one by one: one in so
/// many counts as a copy. What lacks normals or tangents may have to be copied to get them.
const SHARING: usize = 16;

struct Reader<'a> {
    source: &'a Source<'a>,
    streams: Streams<'a>,
    /// Each shape that was read, as the file has it.
    known: HashMap<Shape<'a>, Arc<Geometry>>,
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
                let known = self.known.entry(Shape::of(primitive));
                known.or_insert_with(|| Arc::clone(&found.geometry));
                self.meshes[at].primitives.push(found);
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
        let Some(known) = self.known.get(&Shape::of(filed)) else {
            return primitive::read(self.source, filed, words, &mut self.streams, context);
        };
        let place = Place::part(words);
        let material = primitive::material(self.source, filed, &place)?;
        let mapped = material
            .is_some_and(|id| self.source.document.materials[id.index()].normal_texture.is_some());
        let size = influence::size(known);
        let is_finished = !known.normals.is_empty() && (!known.tangents.is_empty() || !mapped);
        context.budget.take_copy(if is_finished { size / SHARING } else { size }, &place)?;
        let variants =
            variant::of_primitive(self.source.document, filed, &place, &mut context.notes);
        Ok(Some(Primitive { geometry: Arc::clone(known), material, variants }))
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
