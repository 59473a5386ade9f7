//! The core of `<sinew-viewer>`: models on the canvases of a web page.
//!
//! In:  the bytes of files, seconds as they pass, and what the tag asks for.
//! Out: pixels on a canvas, and what happened, as plain JavaScript values.
//!
//! One [`Engine`] has the device and draws any number of [`Viewer`]s, one for each tag. Motion is the library's:
//! nothing here decides how a character moves.
#![cfg(target_arch = "wasm32")]

mod camera;
mod companions;
mod engine;
mod facts;
#[cfg(feature = "full")]
mod gif;
#[cfg(feature = "full")]
mod hdr;
mod hotspots;
mod joints;
mod js;
#[cfg(feature = "full")]
mod layers;
mod look;
mod math;
mod motion;
#[cfg(feature = "full")]
mod overlays;
mod pictures;
mod screen;
mod viewer;

pub use companions::Loader;
pub use engine::Engine;
#[cfg(feature = "full")]
pub use gif::GifFilm;
#[cfg(feature = "full")]
pub use hdr::decode_hdr;
pub use viewer::Viewer;

/// Bytes of the module's memory.
#[wasm_bindgen::prelude::wasm_bindgen(js_name = memoryBytes)]
pub fn memory_bytes() -> usize {
    core::arch::wasm32::memory_size(0) << 16
}
