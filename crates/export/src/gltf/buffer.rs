//! The bytes of a document: accessors, and the views of one buffer that they read.
//!
//! In:  lists of numbers, each with what it is used for. Out: one buffer, with `bufferViews` and `accessors`.
//!
//! Lists of one use and one stride share a view, and identical lists are written once. Every list begins at a
//! multiple of four bytes. Views may be compressed at the end: the list that they were is then in a buffer that no file has.

use std::borrow::Cow;
use std::collections::HashMap;

use super::bin::{Bin, Bytes};
use super::elements::{Elements, Use, index_component, index_list};
use super::extension::MESHOPT;
use super::json::Object;
use super::meshopt::{self, Mode};

#[derive(Debug)]
struct View<'a> {
    /// `None` for an image or another whole.
    purpose: Option<Use>,
    stride: usize,
    /// Each begins at a multiple of four.
    lists: Vec<Bytes<'a>>,
    /// Up to the end of the last list.
    length: usize,
}

/// Where an accessor's bytes lie, to compare others with.
#[derive(Clone, Copy, Debug)]
struct Place {
    view: usize,
    /// Which of its lists, and where that begins.
    list: usize,
    offset: usize,
}

/// Everything that goes into the buffer.
#[derive(Debug, Default)]
pub(super) struct Buffers<'a> {
    views: Vec<View<'a>>,
    shared: HashMap<(Use, usize), usize>,
    accessors: Vec<Object>,
    places: Vec<Place>,
    /// Accessors by a hash of all that they are.
    known: HashMap<u64, Vec<usize>>,
    /// Sparse accessors by two hashes of their values.
    sparse: HashMap<(u64, u64), usize>,
    /// Lists of the rows that such accessors have, in the same way.
    rows: HashMap<(u64, u64), Place>,
    compressed: bool,
}

/// What a document says of its numbers.
#[derive(Debug)]
pub(super) struct Filed<'a> {
    pub(super) views: Vec<Object>,
    pub(super) accessors: Vec<Object>,
    /// The buffer that is in the file.
    pub(super) bin: Bin<'a>,
    /// How large a buffer would be that has the compressed views as they were.
    pub(super) uncompressed: usize,
}

impl<'a> Buffers<'a> {
    /// With views that are compressed where that makes them smaller.
    pub(super) fn new(compressed: bool) -> Self {
        Self { compressed, ..Self::default() }
    }

    /// The accessor of a primitive's indices, all below `count`.
    pub(super) fn add_indices(&mut self, purpose: Use, indices: &'a [u32], count: usize) -> usize {
        // The codec has none of a single byte.
        let least = if self.compressed && purpose == Use::Triangles { 256 } else { 0 };
        self.add(index_list(purpose, indices, count.max(least)))
    }

    /// The accessor of a list that is not empty.
    pub(super) fn add(&mut self, elements: Elements<'a>) -> usize {
        let head = elements.head();
        let hash = elements.hash();
        let Self { known, accessors, places, views, .. } = self;
        let same = |&at: &usize| {
            let Place { view, list, .. } = places[at];
            views[view].purpose == Some(elements.purpose)
                && *views[view].lists[list] == *elements.bytes
                && accessors[at].is_with(&head, &["bufferView", "byteOffset"])
        };
        if let Some(at) = known.get(&hash).and_then(|all| all.iter().copied().find(|at| same(at))) {
            return at;
        }
        let place = self.append(elements);
        let accessor = head.with("bufferView", place.view).unless("byteOffset", place.offset, 0);
        let at = self.push(accessor, place);
        self.known.entry(hash).or_default().push(at);
        at
    }

    /// An accessor of which only `rows` differ from zero; without any, it is of zeros alone. `all` has every row, with bounds.
    pub(super) fn add_sparse(&mut self, all: &Elements<'_>, rows: &[u32]) -> usize {
        // 128 bits that no two different lists share.
        let key = (all.hash_with(1), all.hash_with(2));
        if let Some(&known) = self.sparse.get(&key) {
            return known;
        }
        let count = all.count();
        let mut accessor = all.head();
        if !rows.is_empty() {
            let indices = self.append_once(index_list(Use::Sparse, rows, count).into_owned());
            let component = index_component(count);
            let kept = self.append(all.picked(rows));
            let indices = Object::new()
                .with("bufferView", indices.view)
                .unless("byteOffset", indices.offset, 0)
                .with("componentType", component as usize);
            let kept =
                Object::new().with("bufferView", kept.view).unless("byteOffset", kept.offset, 0);
            let sparse = Object::new()
                .with("count", rows.len())
                .with("indices", indices)
                .with("values", kept);
            accessor.set("sparse", sparse);
        }
        let at = self.push(accessor, Place { view: 0, list: 0, offset: 0 });
        self.sparse.insert(key, at);
        at
    }

    /// Where the rows of a sparse accessor lie; those of several that move the same vertices are written once.
    fn append_once(&mut self, rows: Elements<'a>) -> Place {
        let key = (rows.hash_with(1), rows.hash_with(2));
        if let Some(known) = self.rows.get(&key) {
            return *known;
        }
        let place = self.append(rows);
        self.rows.insert(key, place);
        place
    }

    /// The accessor of a list that is found elsewhere.
    #[cfg(feature = "draco")]
    pub(super) fn add_outside(&mut self, elements: &Elements<'_>) -> usize {
        self.push(elements.head(), Place { view: 0, list: 0, offset: 0 })
    }

    /// A view of its own for an image or another whole; the same bytes are kept once.
    pub(super) fn add_whole(&mut self, bytes: Bytes<'a>) -> usize {
        let same = |view: &View<'_>| {
            view.purpose.is_none() && view.lists.iter().any(|known| **known == *bytes)
        };
        let known = self.views.iter().position(same);
        known.unwrap_or_else(|| {
            let length = bytes.len();
            self.views.push(View { purpose: None, stride: 0, lists: vec![bytes], length });
            self.views.len() - 1
        })
    }

    fn push(&mut self, accessor: Object, place: Place) -> usize {
        self.accessors.push(accessor);
        self.places.push(place);
        self.accessors.len() - 1
    }

    fn append(&mut self, elements: Elements<'a>) -> Place {
        let key = (elements.purpose, elements.stride());
        let next = self.views.len();
        let view = match key.0 {
            // The codec of triangles counts its vertices from the first.
            Use::Triangles if self.compressed => next,
            _ => *self.shared.entry(key).or_insert(next),
        };
        if view == next {
            let (purpose, stride) = (Some(key.0), key.1);
            self.views.push(View { purpose, stride, lists: Vec::new(), length: 0 });
        }
        let View { lists, length, .. } = &mut self.views[view];
        let offset = length.next_multiple_of(4);
        *length = offset + elements.bytes.len();
        lists.push(elements.bytes);
        Place { view, list: lists.len() - 1, offset }
    }

    /// The views and accessors as lists of the document, and the buffer.
    pub(super) fn finish(self) -> Filed<'a> {
        let views = Vec::with_capacity(self.views.len());
        let accessors = self.accessors;
        let mut filed = Filed { views, accessors, bin: Bin::default(), uncompressed: 0 };
        for view in self.views {
            let packed = view.mode().filter(|_| self.compressed).and_then(|mode| {
                let packed = meshopt::compressed(mode, view.stride, &view.joined())?;
                Some((mode, packed))
            });
            match packed {
                Some((mode, packed)) => filed.push_packed(&view, mode, packed),
                None => filed.push(view),
            }
        }
        filed
    }
}

impl View<'_> {
    /// All bytes in a row.
    fn joined(&self) -> Cow<'_, [u8]> {
        if let [one] = &self.lists[..] {
            return Cow::Borrowed(one);
        }
        let mut all = Vec::with_capacity(self.length);
        for list in &self.lists {
            all.resize(all.len().next_multiple_of(4), 0);
            all.extend_from_slice(list);
        }
        Cow::Owned(all)
    }

    /// How it can be compressed.
    fn mode(&self) -> Option<Mode> {
        match self.purpose? {
            Use::Triangles => Some(Mode::Triangles),
            Use::Vertex | Use::InverseBind | Use::Times | Use::Values => Some(Mode::Attributes),
            Use::Index | Use::Sparse => None,
        }
    }

    fn object(&self, buffer: usize, offset: usize) -> Object {
        let target = match self.purpose {
            Some(Use::Vertex) => Some(34962_usize),
            Some(Use::Index | Use::Triangles) => Some(34963),
            _ => None,
        };
        let shared = self.purpose == Some(Use::Vertex);
        Object::new()
            .with("buffer", buffer)
            .unless("byteOffset", offset, 0)
            .with("byteLength", self.length)
            .some("byteStride", shared.then_some(self.stride))
            .some("target", target)
    }
}

impl<'a> Filed<'a> {
    fn push(&mut self, view: View<'a>) {
        self.views.push(view.object(0, self.bin.len()));
        view.lists.into_iter().for_each(|list| self.bin.push(list));
    }

    fn push_packed(&mut self, view: &View<'_>, mode: Mode, packed: Vec<u8>) {
        let how = Object::new()
            .with("buffer", 0_usize)
            .unless("byteOffset", self.bin.len(), 0)
            .with("byteLength", packed.len())
            .with("byteStride", view.stride)
            .with("count", view.length / view.stride)
            .with("mode", mode.name());
        self.views.push(view.object(1, self.uncompressed).extension(MESHOPT, how));
        self.uncompressed += view.length.next_multiple_of(4);
        self.bin.push(Bytes::Own(packed));
    }
}
