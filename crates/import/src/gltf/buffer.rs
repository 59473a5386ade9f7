//! Buffers and the views into them.
//!
//! In:  the document, and the binary chunk. Out: for every view its bytes, borrowed where they
//! are not compressed.
//!
//! A buffer or view that is missing keeps its error, which is raised only when something needs
//! it: a file may name what nothing uses, such as the fallback of a compressed buffer.

use std::borrow::Cow;
use std::collections::HashMap;

use super::data_uri::DataUri;
use super::json::{Buffer, BufferView, Document, MeshoptView};
#[cfg(feature = "meshopt")]
use super::meshopt::{self, Filter, Mode};
use crate::budget::Budget;
use crate::note::Notes;
use crate::open::Context;
use crate::{ErrorKind, ImportError, Place, files};

/// Every buffer of a document, or why it is missing.
pub(super) struct Buffers<'a> {
    list: Vec<Result<Cow<'a, [u8]>, ImportError>>,
    /// Another buffer that has the same bytes, for files that name one companion often.
    same_as: Vec<Option<usize>>,
}

impl<'a> Buffers<'a> {
    pub(super) fn load(
        document: &'a Document<'_>,
        bin: Option<&'a [u8]>,
        context: &mut Context<'_>,
    ) -> Self {
        let mut known = HashMap::new();
        let mut buffers = Self { list: Vec::new(), same_as: Vec::new() };
        for (at, buffer) in document.buffers.iter().enumerate() {
            let uri = buffer.uri.as_ref();
            let same = uri.and_then(|uri| known.get(uri.as_ref()).copied());
            if let Some(uri) = uri {
                known.entry(uri.as_ref()).or_insert(at);
            }
            buffers.same_as.push(same);
            buffers.list.push(match same {
                Some(_) => Ok(Cow::Borrowed(&[])),
                None => load(buffer, at, bin, context),
            });
            if let Some(Ok(bytes)) = buffers.list.last()
                && same.is_none()
                && bytes.len() < buffer.byte_length.0
            {
                let place = Place::part(format!("buffers[{at}]"));
                context.notes.add(place, "a buffer is shorter than the document says");
            }
        }
        buffers
    }

    fn bytes(&self, index: usize, place: &Place) -> Result<&[u8], ImportError> {
        let index = self.same_as.get(index).copied().flatten().unwrap_or(index);
        match self.list.get(index) {
            Some(Ok(bytes)) => Ok(bytes),
            Some(Err(error)) => Err(again(error)),
            None => Err(no_such("buffer", index, self.list.len(), place)),
        }
    }
}

fn load<'a>(
    buffer: &'a Buffer<'_>,
    at: usize,
    bin: Option<&'a [u8]>,
    context: &mut Context<'_>,
) -> Result<Cow<'a, [u8]>, ImportError> {
    let place = Place::part(format!("buffers[{at}]"));
    let Some(uri) = &buffer.uri else {
        let missing = || ImportError::new(ErrorKind::Missing, place, NO_BYTES);
        return bin.filter(|_| at == 0).map(Cow::Borrowed).ok_or_else(missing);
    };
    if let Some(data) = DataUri::parse(uri) {
        return Ok(Cow::Owned(data.bytes(&place)?));
    }
    let bytes = files::fetch(context.files, uri, &place)?;
    context.budget.add_file(bytes.len());
    Ok(Cow::Owned(bytes))
}

/// What is wrong with a buffer that names no bytes. An extension may fill such a buffer; without one
/// what lies in it is not known.
const NO_BYTES: &str = "the buffer has no uri, and the file has no binary chunk for it";

/// `None`, with a note, when what is wrong is that a buffer has no bytes: what needs them is left out.
pub(super) fn unless_empty<T>(
    found: Result<T, ImportError>,
    what: &str,
    notes: &mut Notes,
) -> Result<Option<T>, ImportError> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.message == NO_BYTES => {
            notes.add(error.place, format!("{NO_BYTES}: {what}"));
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// An error of a buffer, for the next one who needs it.
fn again(error: &ImportError) -> ImportError {
    ImportError::new(error.kind, error.place.clone(), error.message.clone())
}

/// Why an index cannot be followed.
pub(super) fn no_such(what: &str, index: usize, count: usize, place: &Place) -> ImportError {
    let text = format!("expected a {what} below {count}, found {what} {index}");
    ImportError::out_of_range(place.clone(), text)
}

/// A view's bytes.
pub(super) struct View<'a> {
    /// Fewer than `length` when the buffer is cut short.
    pub(super) bytes: Cow<'a, [u8]>,
    pub(super) length: usize,
    pub(super) stride: Option<usize>,
}

/// Every view of a document, or why it is missing.
pub(super) struct Views<'a>(Vec<Result<View<'a>, ImportError>>);

impl<'a> Views<'a> {
    pub(super) fn new(
        document: &Document<'_>,
        buffers: &'a Buffers<'_>,
        budget: &mut Budget,
    ) -> Self {
        let each = document.buffer_views.iter().enumerate();
        Self(each.map(|(at, view)| open(view, at, buffers, budget)).collect())
    }

    pub(super) fn get(&self, index: usize, place: &Place) -> Result<&View<'a>, ImportError> {
        match self.0.get(index) {
            Some(Ok(view)) => Ok(view),
            Some(Err(error)) => Err(again(error)),
            None => Err(no_such("bufferView", index, self.0.len(), place)),
        }
    }

    /// All bytes of a view that is read as a whole: an image, a compressed stream.
    pub(super) fn whole(&self, index: usize, place: &Place) -> Result<&[u8], ImportError> {
        let view = self.get(index, place)?;
        if view.bytes.len() < view.length {
            return Err(cut_short(view.length, view.bytes.len(), place));
        }
        Ok(&view.bytes)
    }
}

pub(super) fn cut_short(expected: usize, found: usize, place: &Place) -> ImportError {
    let text = format!("expected {expected} bytes, found {found}: its buffer is cut short");
    ImportError::truncated(place.clone(), text)
}

fn open<'a>(
    view: &BufferView,
    at: usize,
    buffers: &'a Buffers<'_>,
    budget: &mut Budget,
) -> Result<View<'a>, ImportError> {
    let place = Place::part(format!("bufferViews[{at}]"));
    if let Some(packed) = view.extensions.meshopt() {
        return unpack(packed, buffers, budget, &place);
    }
    let bytes = buffers.bytes(view.buffer.0, &place)?;
    let from = view.byte_offset.0.min(bytes.len());
    let to = from.saturating_add(view.byte_length.0).min(bytes.len());
    Ok(View {
        bytes: Cow::Borrowed(&bytes[from..to]),
        length: view.byte_length.0,
        stride: view.byte_stride.map(|stride| stride.0).filter(|&stride| stride > 0),
    })
}

/// Without the feature `meshopt`, nothing is unpacked.
#[cfg(not(feature = "meshopt"))]
fn unpack<'a>(
    _packed: &MeshoptView,
    _buffers: &'a Buffers<'_>,
    _budget: &mut Budget,
    place: &Place,
) -> Result<View<'a>, ImportError> {
    let text = "a meshopt stream, which this build does not read (feature `meshopt`)";
    Err(ImportError::unsupported(place.clone(), text))
}

#[cfg(feature = "meshopt")]
fn unpack<'a>(
    packed: &MeshoptView,
    buffers: &'a Buffers<'_>,
    budget: &mut Budget,
    place: &Place,
) -> Result<View<'a>, ImportError> {
    let unknown = |what: &str, found: &str| {
        let found = files::shorten(found);
        ImportError::malformed(
            place.clone(),
            format!("expected a meshopt {what}, found \"{found}\""),
        )
    };
    let mode = Mode::from_name(&packed.mode.0).ok_or_else(|| unknown("mode", &packed.mode.0))?;
    let filter = packed.filter.as_ref().map_or("NONE", |filter| &filter.0);
    let filter = Filter::from_name(filter).ok_or_else(|| unknown("filter", filter))?;
    let bytes = buffers.bytes(packed.buffer.0, place)?;
    let from = packed.byte_offset.0;
    let source = from.checked_add(packed.byte_length.0).and_then(|to| bytes.get(from..to));
    let source = source.ok_or_else(|| {
        let found = bytes.len().saturating_sub(from);
        cut_short(packed.byte_length.0, found, place)
    })?;
    let (count, stride) = (packed.count.0, packed.byte_stride.0);
    budget.take(count, stride, place)?;
    let bytes = meshopt::decode(mode, filter, count, stride, source)
        .map_err(|text| ImportError::malformed(place.clone(), text))?;
    Ok(View { length: bytes.len(), bytes: Cow::Owned(bytes), stride: Some(stride) })
}
