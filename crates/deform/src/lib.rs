//! From joint matrices to vertices.
//!
//! In:  every joint's matrix in the model, a skin, morph weights, and a primitive.
//! Out: a palette, and the primitive's positions, normals and tangents as they are in that pose.
//!
//! The functions work on slices and write into memory that they are handed; nothing allocates
//! once the output has its size. [`deform`] is the definition and takes everything; [`Skinner`]
//! gives the same for linear skins, several times as fast, for a primitive that is skinned often.

mod bounds;
mod dual;
mod linear;
mod morph;
mod palette;
mod skin;
mod vertices;

pub use bounds::{Bounds, SkinBounds};
pub use dual::rigid_part;
pub use palette::palette;
pub use sinew_lanes::SimdLevel;
pub use skin::{Batch, SkinError, Skinner};
pub use vertices::{Binding, Vertices, deform};

/// The same as [`deform`] for one vertex, as text for a shader; what it needs is said at its top.
pub const WGSL: &str = include_str!("deform.wgsl");
