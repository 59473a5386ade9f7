//! Accessors: typed lists of numbers in a view.
//!
//! In:  an accessor of the document, or an attribute out of a Draco stream.
//! Out: [`Elements`]: where they are and how they lie. Reading them is `element`'s.
//!
//! Bounds are checked once, here; what is read later is inside the view.

use super::buffer::{Views, cut_short, no_such};
use super::component::{Component, Shape};
use super::element::Run;
use super::json::{Document, Quantized, Sparse};
use crate::{ImportError, Place};

/// The document's data: its accessors and the views they look into.
pub(super) struct Source<'a> {
    pub(super) document: &'a Document<'a>,
    pub(super) views: Views<'a>,
}

/// The data of an accessor: where its elements are and how they lie.
pub(super) struct Elements<'a> {
    pub(super) count: usize,
    pub(super) shape: Shape,
    pub(super) component: Component,
    /// Whether integers are scaled to 0 … 1 or -1 … 1.
    pub(super) normalized: bool,
    pub(super) place: Place,
    /// `None` where everything is zero.
    pub(super) run: Option<Run<'a>>,
    pub(super) changes: Option<Changes<'a>>,
    /// What the numbers stand for, where a matrix says it.
    pub(super) quantized: Option<&'a Quantized>,
}

/// The elements that a sparse accessor replaces.
pub(super) struct Changes<'a> {
    pub(super) count: usize,
    pub(super) component: Component,
    pub(super) indices: Run<'a>,
    pub(super) values: Run<'a>,
}

impl<'a> Source<'a> {
    pub(super) fn elements(&self, index: usize, user: &Place) -> Result<Elements<'_>, ImportError> {
        let accessors = &self.document.accessors;
        let accessor = accessors
            .get(index)
            .ok_or_else(|| no_such("accessor", index, accessors.len(), user))?;
        let place = Place::part(format!("accessors[{index}]"));
        let component = Component::from_code(accessor.component_type.0, &place)?;
        let shape = Shape::from_name(&accessor.kind, &place)?;
        let (count, size) = (accessor.count.0, shape.size(component));
        let run = match accessor.buffer_view {
            Some(view) => Some(self.run(view.0, accessor.byte_offset.0, count, size, &place)?),
            None => None,
        };
        let changes = match &accessor.sparse {
            Some(sparse) => Some(self.changes(sparse, size, &place)?),
            None => None,
        };
        let normalized = accessor.normalized;
        let quantized = accessor.extensions.quantized.as_deref();
        Ok(Elements { count, shape, component, normalized, place, run, changes, quantized })
    }

    fn changes(
        &self,
        sparse: &Sparse,
        size: usize,
        place: &Place,
    ) -> Result<Changes<'_>, ImportError> {
        let count = sparse.count.0;
        let indices = &sparse.indices;
        let component = Component::from_code(indices.component_type.0, place)?;
        let each = component.size();
        Ok(Changes {
            count,
            component,
            indices: self.run(indices.buffer_view.0, indices.byte_offset.0, count, each, place)?,
            values: self.run(
                sparse.values.buffer_view.0,
                sparse.values.byte_offset.0,
                count,
                size,
                place,
            )?,
        })
    }

    fn run(
        &self,
        view: usize,
        offset: usize,
        count: usize,
        size: usize,
        place: &Place,
    ) -> Result<Run<'_>, ImportError> {
        let view = self.views.get(view, place)?;
        let stride = view.stride.unwrap_or(size);
        if stride < size && count > 1 {
            let text = format!("expected a byteStride of at least {size}, found {stride}");
            return Err(ImportError::malformed(place.clone(), text));
        }
        let needed = count.saturating_sub(1).saturating_mul(stride).saturating_add(size);
        let end = if count == 0 { 0 } else { offset.saturating_add(needed) };
        if count == 0 {
            return Ok(Run { bytes: &[], stride });
        }
        if let Some(bytes) = view.bytes.get(offset..end) {
            return Ok(Run { bytes, stride });
        }
        if end <= view.length {
            return Err(cut_short(view.length, view.bytes.len(), place));
        }
        let text = format!(
            "expected {count} elements up to byte {end} of its bufferView, found a view of {} bytes",
            view.length
        );
        Err(ImportError::out_of_range(place.clone(), text))
    }
}

impl<'a> Elements<'a> {
    /// Elements packed tightly in `bytes`; as many as are whole.
    pub(super) fn packed(
        bytes: &'a [u8],
        rows: usize,
        component: Component,
        normalized: bool,
        place: Place,
    ) -> Self {
        let shape = Shape { columns: 1, rows };
        let stride = shape.size(component).max(1);
        let run = Some(Run { bytes, stride });
        let count = bytes.len() / stride;
        Self { count, shape, component, normalized, place, run, changes: None, quantized: None }
    }

    /// An error when the elements are none of these shapes.
    pub(super) fn expect_len(&self, lengths: &[usize]) -> Result<(), ImportError> {
        if lengths.contains(&self.shape.len()) {
            return Ok(());
        }
        let lengths: Vec<String> = lengths.iter().map(ToString::to_string).collect();
        let text = format!("expected {} numbers each, found {}", lengths.join(" or "), self.shape);
        Err(ImportError::malformed(self.place.clone(), text))
    }
}
