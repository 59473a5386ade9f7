//! A primitive whose vertices are in a Draco stream.
//!
//! In:  the primitive's extension. Out: its triangles, and its attributes as if they were in
//! accessors. The order of vertices is the stream's.

use super::accessor::{Elements, Source};
use super::draco;
use super::json::DracoPrimitive;
use crate::door::Context;
use crate::{Error, Place};

/// An unpacked stream.
pub(super) struct Unpacked {
    pub(super) indices: Vec<u32>,
    attributes: Vec<(String, draco::Attribute)>,
}

impl Unpacked {
    pub(super) fn read(
        packed: &DracoPrimitive,
        source: &Source<'_>,
        place: &Place,
        context: &mut Context<'_>,
    ) -> Result<Self, Error> {
        let bytes = source.views.whole(packed.buffer_view.0, place)?;
        let mut wanted = Vec::new();
        for (name, id) in &packed.attributes {
            let id = u32::try_from(id.0).map_err(|_| {
                let text = format!("expected the id of {name} to fit in 32 bits, found {}", id.0);
                Error::out_of_range(place.clone(), text)
            })?;
            wanted.push(id);
        }
        let unpacked =
            draco::decode(bytes, &wanted).map_err(|text| Error::malformed(place.clone(), text))?;
        context.budget.take(unpacked.indices.len() + unpacked.vertices, 4, place)?;
        for attribute in &unpacked.attributes {
            context.budget.take(attribute.bytes.len(), 1, place)?;
        }
        let names = packed.attributes.keys().cloned();
        Ok(Self { indices: unpacked.indices, attributes: names.zip(unpacked.attributes).collect() })
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
