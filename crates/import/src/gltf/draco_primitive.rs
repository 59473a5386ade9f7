//! Primitives whose vertices are in Draco streams.
//!
//! In:  the primitives' extensions. Out: their triangles, and their attributes as if they were in
//! accessors. The order of vertices is the stream's.
//!
//! Streams are decoded on all cores, a few at a time ahead of the reader, who takes them in the
//! document's order: so results do not depend on the number of cores, and memory stays bounded.

use std::collections::{HashSet, VecDeque};

use super::accessor::{Elements, Source};
use super::draco;
use super::json::{Document, DracoPrimitive};
use super::mesh::Shape;
use crate::open::Context;
use crate::{ImportError, Place, parallel};

/// An unpacked stream.
pub(super) struct Unpacked {
    pub(super) indices: Vec<u32>,
    attributes: Vec<(String, draco::Attribute)>,
}

impl Unpacked {
    fn new(
        decoded: draco::Primitive,
        packed: &DracoPrimitive,
        place: &Place,
        context: &mut Context<'_>,
    ) -> Result<Self, ImportError> {
        context.budget.take(decoded.indices.len() + decoded.vertices, 4, place)?;
        for attribute in &decoded.attributes {
            context.budget.take(attribute.bytes.len(), 1, place)?;
        }
        let names = packed.attributes.keys().cloned();
        Ok(Self { indices: decoded.indices, attributes: names.zip(decoded.attributes).collect() })
    }

    /// An attribute of the stream. Whether it is normalised, its accessor says.
    pub(super) fn elements(
        &self,
        name: &str,
        source: &Source<'_>,
        accessor: usize,
    ) -> Option<Elements<'_>> {
        let (_, attribute) = self.attributes.iter().find(|(known, _)| known == name)?;
        let accessor_of = source.document.accessors.get(accessor);
        let normalized = accessor_of.map_or(attribute.normalized, |accessor| accessor.normalized);
        let place = Place::part(format!("accessors[{accessor}]"));
        Some(attribute.elements(normalized, place))
    }
}

fn decode(
    packed: &DracoPrimitive,
    source: &Source<'_>,
    place: &Place,
) -> Result<draco::Primitive, ImportError> {
    let bytes = source.views.whole(packed.buffer_view.0, place)?;
    let mut wanted = Vec::new();
    for (name, id) in &packed.attributes {
        let id = u32::try_from(id.0).map_err(|_| {
            let text = format!("expected the id of {name} to fit in 32 bits, found {}", id.0);
            ImportError::out_of_range(place.clone(), text)
        })?;
        wanted.push(id);
    }
    draco::decode(bytes, &wanted).map_err(|text| ImportError::malformed(place.clone(), text))
}

/// Streams that are decoded together have no more bytes than this, but for the last one.
const BYTES_AT_ONCE: usize = 2 << 20;

struct Waiting<'a> {
    packed: &'a DracoPrimitive,
    place: Place,
    bytes: usize,
}

/// The streams of a document.
pub(super) struct Streams<'a> {
    waiting: VecDeque<Waiting<'a>>,
    ready: VecDeque<(Place, Result<draco::Primitive, ImportError>)>,
}

impl<'a> Streams<'a> {
    /// All streams, in the document's order; of primitives with the same shape, the first one's.
    pub(super) fn new(document: &'a Document<'a>) -> Self {
        let mut known = HashSet::new();
        let mut waiting = VecDeque::new();
        for (mesh_at, mesh) in document.meshes.iter().enumerate() {
            for (at, primitive) in mesh.primitives.iter().enumerate() {
                let Some(packed) = &primitive.extensions.draco else { continue };
                if known.insert(Shape::of(primitive)) {
                    let place = Place::part(format!("meshes[{mesh_at}].primitives[{at}]"));
                    let view = document.buffer_views.get(packed.buffer_view.0);
                    let bytes = view.map_or(0, |view| view.byte_length.0);
                    waiting.push_back(Waiting { packed, place, bytes });
                }
            }
        }
        Self { waiting, ready: VecDeque::new() }
    }

    /// The stream of the primitive at `place`.
    pub(super) fn next(
        &mut self,
        packed: &DracoPrimitive,
        source: &Source<'_>,
        place: &Place,
        context: &mut Context<'_>,
    ) -> Result<Unpacked, ImportError> {
        if self.ready.is_empty() && self.waiting.front().is_some_and(|next| next.place == *place) {
            self.decode_some(source);
        }
        let decoded = match self.ready.front() {
            Some((next, _)) if next == place => self.ready.pop_front().map(|(_, decoded)| decoded),
            _ => None,
        };
        let decoded = decoded.unwrap_or_else(|| decode(packed, source, place))?;
        Unpacked::new(decoded, packed, place, context)
    }

    fn decode_some(&mut self, source: &Source<'_>) {
        let mut batch = Vec::new();
        let mut bytes = 0_usize;
        while bytes < BYTES_AT_ONCE
            && let Some(next) = self.waiting.pop_front()
        {
            bytes = bytes.saturating_add(next.bytes);
            batch.push(next);
        }
        self.ready = parallel::map(
            batch,
            |next| next.bytes,
            |next| {
                let decoded = decode(next.packed, source, &next.place);
                (next.place, decoded)
            },
        )
        .into();
    }
}
