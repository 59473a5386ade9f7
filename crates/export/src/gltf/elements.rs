//! Lists of numbers as they are written: their type, width and bytes.
//!
//! In:  numbers, with what they are for. Out: [`Elements`], which `buffer.rs` puts into the buffer.

use std::hash::{DefaultHasher, Hash, Hasher};

use glam::Vec3;

use super::bin::Bytes;
use super::json::Object;

/// The type of one number, with glTF's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Component {
    I8 = 5120,
    U8 = 5121,
    I16 = 5122,
    U16 = 5123,
    U32 = 5125,
    F32 = 5126,
}

/// What a list is for. A view, and an accessor, has one use alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Use {
    Vertex,
    /// Corners of triangles.
    Triangles,
    /// Points and ends of lines.
    Index,
    InverseBind,
    Times,
    Values,
    Sparse,
}

/// A list of numbers, ready to be written.
#[derive(Clone, Debug)]
pub(super) struct Elements<'a> {
    pub(super) purpose: Use,
    component: Component,
    normalized: bool,
    /// Numbers in an element: 1 to 4 for a scalar or vector, 16 for a matrix.
    width: usize,
    count: usize,
    pub(super) bytes: Bytes<'a>,
    bounds: Option<(Vec<f32>, Vec<f32>)>,
}

impl<'a> Elements<'a> {
    /// Floats that the scene has, as they are.
    pub(super) fn scene_floats(purpose: Use, width: usize, values: &'a [f32]) -> Self {
        let bytes = Bytes::of(values, f32::to_le_bytes);
        Self::new(purpose, Component::F32, width, values.len() / width, bytes)
    }

    pub(super) fn floats(purpose: Use, width: usize, values: &[f32]) -> Self {
        let bytes = bytes_of(values, |value| value.to_le_bytes());
        Self::new(purpose, Component::F32, width, values.len() / width, Bytes::Own(bytes))
    }

    /// Whole numbers of two bytes; for vertices `width` is even, so that elements stay aligned.
    pub(super) fn shorts(purpose: Use, width: usize, values: &[u16]) -> Self {
        let bytes = bytes_of(values, |value| value.to_le_bytes());
        Self::new(purpose, Component::U16, width, values.len() / width, Bytes::Own(bytes))
    }

    /// Whole numbers of two bytes that may be below zero; not for vertices.
    pub(super) fn signed_shorts(purpose: Use, width: usize, values: &[i16]) -> Self {
        let bytes = bytes_of(values, |value| value.to_le_bytes());
        Self::new(purpose, Component::I16, width, values.len() / width, Bytes::Own(bytes))
    }

    /// Three whole numbers that mean parts of one, in one byte or two; for vertices padded to four numbers.
    pub(super) fn steps(purpose: Use, component: Component, values: &[[i16; 3]]) -> Self {
        let width = if purpose == Use::Vertex { 4 } else { 3 };
        let numbers = values.iter().flat_map(|&[x, y, z]| [x, y, z, 0].into_iter().take(width));
        let bytes = match component {
            Component::I8 => numbers.map(|number| (number as i8).cast_unsigned()).collect(),
            _ => numbers.flat_map(i16::to_le_bytes).collect(),
        };
        let raw: Vec<f32> = values.iter().flatten().map(|&step| f32::from(step)).collect();
        let bytes = Bytes::Own(bytes);
        Self::new(purpose, component, 3, values.len(), bytes).bounded(&raw).normalized()
    }

    /// With bytes of its own.
    pub(super) fn into_owned(self) -> Elements<'static> {
        let bytes = Bytes::Own(self.bytes.into_vec());
        let Self { purpose, component, normalized, width, count, bounds, .. } = self;
        Elements { purpose, component, normalized, width, count, bytes, bounds }
    }

    /// Some of its elements, by number.
    pub(super) fn picked(&self, rows: &[u32]) -> Elements<'static> {
        let stride = self.stride();
        let row = |&row: &u32| &self.bytes[row as usize * stride..][..stride];
        let bytes = Bytes::Own(rows.iter().flat_map(row).copied().collect());
        let Self { purpose, component, normalized, width, .. } = *self;
        Elements { purpose, component, normalized, width, count: rows.len(), bytes, bounds: None }
    }

    /// Vertex data of three or four numbers, padded to four bytes.
    pub(super) fn signed_bytes(width: usize, values: &[[i8; 4]]) -> Self {
        let bytes = values.iter().flatten().map(|&byte| byte.cast_unsigned()).collect();
        Self::new(Use::Vertex, Component::I8, width, values.len(), Bytes::Own(bytes))
    }

    /// Whole numbers of one byte; for vertices `width` is four.
    pub(super) fn bytes(purpose: Use, width: usize, bytes: Vec<u8>) -> Self {
        let count = bytes.len() / width;
        Self::new(purpose, Component::U8, width, count, Bytes::Own(bytes))
    }

    /// Numbers of two bytes each, as they are written.
    pub(super) fn short_bytes(purpose: Use, width: usize, bytes: Vec<u8>) -> Self {
        let count = bytes.len() / 2 / width;
        Self::new(purpose, Component::U16, width, count, Bytes::Own(bytes))
    }

    /// The same of floats.
    pub(super) fn float_bytes(purpose: Use, width: usize, bytes: Vec<u8>) -> Self {
        let count = bytes.len() / 4 / width;
        Self::new(purpose, Component::F32, width, count, Bytes::Own(bytes))
    }

    pub(super) fn longs(purpose: Use, values: &'a [u32]) -> Self {
        let bytes = Bytes::of(values, u32::to_le_bytes);
        Self::new(purpose, Component::U32, 1, values.len(), bytes)
    }

    fn new(
        purpose: Use,
        component: Component,
        width: usize,
        count: usize,
        bytes: Bytes<'a>,
    ) -> Self {
        Self { purpose, component, normalized: false, width, count, bytes, bounds: None }
    }

    /// Whole numbers that mean parts of one.
    pub(super) fn normalized(mut self) -> Self {
        self.normalized = true;
        self
    }

    /// With the least and the largest of the values written, as positions and key times must have.
    pub(super) fn bounded(mut self, values: &[f32]) -> Self {
        self.bounds = Some(bounds(self.width, values));
        self
    }

    #[cfg(feature = "draco")]
    pub(super) fn component(&self) -> Component {
        self.component
    }

    #[cfg(feature = "draco")]
    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    #[cfg(feature = "draco")]
    pub(super) fn is_normalized(&self) -> bool {
        self.normalized
    }

    /// The bytes of each element, with what pads it.
    #[cfg(feature = "draco")]
    pub(super) fn rows(&self) -> std::slice::ChunksExact<'_, u8> {
        self.bytes.chunks_exact(self.stride().max(1))
    }

    /// Bytes from one element to the next.
    pub(super) fn stride(&self) -> usize {
        self.bytes.len() / self.count.max(1)
    }

    /// All of an accessor but where its bytes lie.
    pub(super) fn head(&self) -> Object {
        let object = Object::new()
            .with("componentType", self.component as usize)
            .unless("normalized", self.normalized, false)
            .with("count", self.count)
            .with("type", shape(self.width));
        match self.bounds.clone() {
            Some((least, most)) => object.with("min", least).with("max", most),
            None => object,
        }
    }

    /// Of about what it is: who has the same is to be compared. Long lists count by pieces of them.
    pub(super) fn hash(&self) -> u64 {
        const PIECE: usize = 256;
        const PIECES: usize = 64;
        let mut hasher = DefaultHasher::new();
        let Self { purpose, component, normalized, width, bytes, bounds, .. } = self;
        (purpose, component, normalized, width, bounds.is_some(), bytes.len()).hash(&mut hasher);
        let step = bytes.len().div_ceil(PIECES).max(PIECE);
        for piece in bytes.chunks(step) {
            piece[..piece.len().min(PIECE)].hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Of all that it is, another for each salt.
    pub(super) fn hash_with(&self, salt: u64) -> u64 {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        let Self { purpose, component, normalized, width, bytes, bounds, .. } = self;
        (purpose, component, normalized, width, bounds.is_some(), &bytes[..]).hash(&mut hasher);
        hasher.finish()
    }
}

/// Numbers as bytes, one after the other.
fn bytes_of<T: Copy, const N: usize>(values: &[T], bytes: impl Fn(T) -> [u8; N]) -> Vec<u8> {
    let mut all = vec![0; values.len() * N];
    for (to, &value) in all.as_chunks_mut::<N>().0.iter_mut().zip(values) {
        *to = bytes(value);
    }
    all
}

/// The least and the largest of every number of an element.
fn bounds(width: usize, values: &[f32]) -> (Vec<f32>, Vec<f32>) {
    let mut least = vec![f32::INFINITY; width];
    let mut most = vec![f32::NEG_INFINITY; width];
    if width == 3 {
        let (rows, _) = values.as_chunks::<3>();
        let low = rows.iter().fold(Vec3::INFINITY, |low, row| low.min(Vec3::from_array(*row)));
        let high =
            rows.iter().fold(Vec3::NEG_INFINITY, |high, row| high.max(Vec3::from_array(*row)));
        return (low.to_array().into(), high.to_array().into());
    }
    for element in values.chunks_exact(width) {
        for (at, &value) in element.iter().enumerate() {
            least[at] = least[at].min(value);
            most[at] = most[at].max(value);
        }
    }
    (least, most)
}

/// What glTF calls an element of so many numbers.
fn shape(width: usize) -> &'static str {
    match width {
        1 => "SCALAR",
        2 => "VEC2",
        3 => "VEC3",
        4 => "VEC4",
        _ => "MAT4",
    }
}

/// The smallest type for numbers below `count`, without the largest value of a type: that begins a new strip.
pub(super) fn index_component(count: usize) -> Component {
    match count {
        0..=255 => Component::U8,
        256..=65_535 => Component::U16,
        _ => Component::U32,
    }
}

/// Whole numbers below `count`, in the smallest type.
pub(super) fn index_list(purpose: Use, indices: &[u32], count: usize) -> Elements<'_> {
    match index_component(count) {
        Component::U8 => {
            Elements::bytes(purpose, 1, indices.iter().map(|&index| index as u8).collect())
        }
        Component::U16 => {
            let short: Vec<u16> = indices.iter().map(|&index| index as u16).collect();
            Elements::shorts(purpose, 1, &short)
        }
        _ => Elements::longs(purpose, indices),
    }
}
