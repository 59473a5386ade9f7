//! Environments from files: light from an image all around.
//!
//! In:  a Radiance (`.hdr`) or OpenEXR (`.exr`) image, or a plain one such as a PNG. Out: an [`Environment`].
//!
//! Where which part of the image is: see [`Equirect`](sinew_render::Equirect).

use std::path::Path;
#[cfg(feature = "images")]
use std::sync::Arc;

use sinew_import::{ErrorKind, ImportError, Place};
use sinew_render::Environment;
#[cfg(feature = "images")]
use sinew_render::Equirect;

/// Opens an image all around as an environment.
///
/// ```no_run
/// let mut stage = sinew::Stage::open("hero.glb")?;
/// stage.surroundings.environment = sinew::stage::open_environment("studio.hdr")?;
/// stage.surroundings.lights.clear();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the file cannot be read, or is no image that is.
pub fn open_environment(path: impl AsRef<Path>) -> Result<Environment, ImportError> {
    let path = path.as_ref();
    let bytes = std::fs::read(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        _ => error.to_string(),
    });
    let fault =
        |kind, place, message| ImportError { kind, file: Some(path.to_owned()), place, message };
    let bytes = bytes.map_err(|message| fault(ErrorKind::Io, Place::Whole, message))?;
    read_environment(&bytes).map_err(|(place, message)| fault(ErrorKind::Malformed, place, message))
}

/// The same from bytes; an error says where and why.
#[cfg(feature = "images")]
pub fn read_environment(bytes: &[u8]) -> Result<Environment, (Place, String)> {
    let image = if sinew_import::hdr::is_hdr(bytes) {
        let image = sinew_import::hdr::decode(bytes)
            .map_err(|error| (Place::Byte(error.offset), error.message))?;
        Equirect::from_linear(image.width, image.height, &image.rgb)
    } else {
        let image = sinew_import::image::decode(bytes).map_err(|why| (Place::Whole, why))?;
        Equirect::from_srgb(image.width, image.height, &image.rgba)
    };
    let image = image.ok_or_else(|| (Place::Whole, "the image is empty".to_owned()))?;
    Ok(Environment::Equirect(Arc::new(image)))
}

/// The same from bytes; an error says where and why.
#[cfg(not(feature = "images"))]
pub fn read_environment(_: &[u8]) -> Result<Environment, (Place, String)> {
    Err((Place::Whole, "this build of Sinew does not decode images".to_owned()))
}
