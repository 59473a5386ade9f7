//! Scenes and clips, written as files that other programs read.
//!
//! In:  a [`Scene`](sinew_scene::Scene), or one of its clips.
//! Out: the bytes of a file.
//!
//! Nothing is written to disk here. What a format cannot hold is an error with a reason; what it can only say in another form
//! is written so, with a note.

mod error;
mod gltf;
mod skeleton_anim;

pub use error::ExportError;
pub use gltf::{Glb, GltfFiles, GltfOptions, GltfPrecision, glb, gltf};
pub use skeleton_anim::{FRAMES_PER_SECOND, skeleton_anim};
