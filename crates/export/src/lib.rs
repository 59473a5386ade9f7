//! Scenes and clips, written as files that other programs read.
//!
//! In:  a [`Scene`](sinew_scene::Scene) and one of its clips.
//! Out: the bytes of a file.
//!
//! Nothing is written to disk here, and what a format cannot hold is an error with a reason, not a file that lacks it.

mod error;
mod gltf;
mod skeleton_anim;

pub use error::ExportError;
pub use gltf::{Glb, GltfFiles, GltfOptions, glb, gltf};
pub use skeleton_anim::{FRAMES_PER_SECOND, skeleton_anim};
