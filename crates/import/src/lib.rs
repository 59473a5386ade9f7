//! From the bytes of any common model file to a checked scene.
//!
//! In:  a path, or bytes and the files beside them.
//! Out: an [`Imported`] with a [`Scene`](sinew_scene::Scene) and notes on what was mended, or an
//! [`ImportError`] that says what, where, expected and found. Never a panic, whatever the bytes.
//!
//! ```no_run
//! let imported = sinew_import::open("character.glb")?;
//! for note in &imported.notes {
//!     eprintln!("note: {note}");
//! }
//! # Ok::<(), sinew_import::ImportError>(())
//! ```

#[cfg(feature = "archive")]
mod archive;
mod attach;
mod axes;
mod budget;
mod error;
mod files;
mod finish;
#[cfg(any(feature = "collada", feature = "fbx"))]
mod fit;
mod format;
#[cfg(feature = "images")]
pub mod hdr;
pub mod image;
#[cfg(feature = "gltf")]
mod json;
mod keys;
mod note;
mod open;
mod options;
mod parallel;
#[cfg(any(feature = "collada", feature = "skeleton_anim"))]
mod shear;
#[cfg(test)]
mod testing;
mod text;
mod textures;
mod tree;
#[cfg(any(feature = "collada", feature = "md5", feature = "bvh", feature = "obj"))]
mod utf16;

#[cfg(feature = "bvh")]
mod bvh;
#[cfg(feature = "collada")]
mod collada;
#[cfg(feature = "fbx")]
mod fbx;
#[cfg(feature = "gltf")]
mod gltf;
#[cfg(feature = "gltf1")]
mod gltf1;
#[cfg(feature = "md5")]
mod md5;
#[cfg(feature = "obj")]
mod obj;
#[cfg(feature = "skeleton_anim")]
mod skeleton_anim;

use std::path::Path;

pub use attach::{NameFit, attach, bind, fit_names, free_name};
pub use error::{ErrorKind, ImportError, Place};
pub use files::{Beside, Files, InMemory, NoFiles, plain_name};
pub use format::Format;
pub use note::{Note, NoteCode};
pub use open::Imported;
pub use options::{Normals, Options, Tangents};

/// Reads the file at `path`, whatever its format, with the default [`Options`].
///
/// # Errors
/// When the file cannot be used; the error names it.
pub fn open(path: impl AsRef<Path>) -> Result<Imported, ImportError> {
    Options::default().open(path)
}

/// Reads a file already in memory. `files` fetches the buffers and images it names.
///
/// # Errors
/// When the bytes cannot be used.
pub fn read(bytes: &[u8], files: &dyn Files) -> Result<Imported, ImportError> {
    Options::default().read(bytes, files)
}
