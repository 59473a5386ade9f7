//! Scenes and clips, written as files that other programs read.
//!
//! In:  a [`Scene`](sinew_scene::Scene), and one of its clips where a format holds only one.
//! Out: the bytes of a file, of files beside it, and notes on what the format could not hold.
//!
//! Nothing is written to disk here. The same scene and options give the same bytes, whenever and wherever.

mod bvh;
mod error;
mod euler;
mod exported;
mod fbx;
mod gltf;
mod png;
mod rate;
mod skeleton_anim;

pub use bvh::{BvhOptions, BvhPositions, RotationOrder, bvh};
pub use error::ExportError;
pub use exported::{Exported, ExportedFile};
pub use fbx::{FbxOptions, FbxTextures, FbxUnit, fbx};
pub use gltf::{GltfCompression, GltfOptions, GltfPrecision, glb, gltf};
pub use skeleton_anim::{FRAMES_PER_SECOND, skeleton_anim};
