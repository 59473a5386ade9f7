//! The meshes of `KHR_draco_mesh_compression`.
//!
//! In:  one Draco stream and the unique ids of the attributes the primitive names.
//! Out: the triangles, and each attribute's values, one for every vertex, tightly packed.
//!
//! What comes out is checked once: every index is below the vertex count and every attribute
//! has exactly `vertices * components` values.

#[cfg(feature = "draco")]
mod decode;
#[cfg(all(test, feature = "draco"))]
pub(super) mod tests;

use super::accessor::Elements;
use super::component::Component;
use crate::Place;
#[cfg(feature = "draco")]
pub(crate) use decode::decode;

/// A decoded primitive.
#[derive(Debug)]
pub(crate) struct Primitive {
    pub(crate) vertices: usize,
    /// Three for each triangle, all below `vertices`.
    pub(crate) indices: Vec<u32>,
    /// In the order in which they were asked for.
    pub(crate) attributes: Vec<Attribute>,
}

/// One attribute of a decoded primitive.
#[derive(Debug)]
pub(crate) struct Attribute {
    pub(crate) component: Component,
    /// What the stream says; a glTF accessor has the last word.
    pub(crate) normalized: bool,
    /// Components of one value: 1 for a scalar, 3 for a position.
    pub(crate) components: usize,
    /// The values in vertex order, little-endian, tightly packed.
    pub(crate) bytes: Vec<u8>,
}

impl Attribute {
    /// The values as an accessor would have them; the accessor says whether they are normalised.
    pub(super) fn elements(&self, normalized: bool, place: Place) -> Elements<'_> {
        Elements::packed(&self.bytes, self.components, self.component, normalized, place)
    }
}

/// Without the feature `draco`, nothing is decoded.
#[cfg(not(feature = "draco"))]
pub(crate) fn decode(source: &[u8], _wanted: &[u32]) -> Result<Primitive, String> {
    let bytes = source.len();
    Err(format!("draco stream of {bytes} bytes: this build reads none (feature `draco`)"))
}
