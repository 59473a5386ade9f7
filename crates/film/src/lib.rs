//! Images as files: PNG for one, APNG, GIF and MP4 for many, EXR for numbers.
//!
//! In:  images, one by one, all of one size.
//! Out: the bytes of a file; [`save_png`] also writes it.
//!
//! ```
//! use sinew_film::{Film, FilmSettings, Kind, Palette};
//! use sinew_render::Image;
//! let image = Image { width: 2, height: 1, rgba: vec![255, 0, 0, 255, 0, 0, 255, 255] };
//! let settings = FilmSettings { kind: Kind::Gif, width: 2, height: 1, frames: 1, fps: 25.0, transparent: false };
//! let mut film = Film::new(settings, Palette::of([&image].into_iter()))?;
//! film.add(&image)?;
//! assert!(film.finish()?.starts_with(b"GIF89a"));
//! # Ok::<(), sinew_film::FilmError>(())
//! ```

mod apng;
mod average;
mod changed;
mod exr;
mod gif;
#[cfg(feature = "mp4")]
mod mp4;
#[cfg(feature = "mp4")]
mod mp4_boxes;
mod palette;
mod png;

use std::fmt;

use sinew_render::Image;

pub use self::average::{Average, shrunk};
pub use self::exr::{Channel, exr};
pub use self::palette::Palette;
pub use self::png::{save_png, still, still_gray16};

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// PNG that moves.
    Apng,
    /// 255 colours; loops.
    Gif,
    /// H.264; with the feature `mp4`.
    Mp4,
}

/// What a film is to be like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilmSettings {
    /// What is written.
    pub kind: Kind,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// How many images there will be.
    pub frames: usize,
    /// Images a second.
    pub fps: f64,
    /// Whether parts of it are seen through.
    pub transparent: bool,
}

/// Why an image could not be made a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilmError(String);

impl fmt::Display for FilmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FilmError {}

/// A film being made. All frames have one size.
pub struct Film(Box<dyn Encode>);

impl fmt::Debug for Film {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Film")
    }
}

/// One kind of film.
trait Encode {
    fn add(&mut self, image: &Image) -> Result<(), FilmError>;
    /// The whole file.
    fn finish(self: Box<Self>) -> Result<Vec<u8>, FilmError>;
}

impl Film {
    /// A film to be filled. `palette` is what a GIF takes its colours from; others need none.
    ///
    /// # Errors
    /// When there is no such film: too many pixels for a GIF, or a build without MP4.
    pub fn new(settings: FilmSettings, palette: Palette) -> Result<Self, FilmError> {
        Ok(Self(match settings.kind {
            Kind::Apng => Box::new(apng::Apng::new(settings)?),
            Kind::Gif => Box::new(gif::Gif::new(settings, palette)?),
            #[cfg(feature = "mp4")]
            Kind::Mp4 => Box::new(mp4::Mp4::new(settings)?),
            #[cfg(not(feature = "mp4"))]
            Kind::Mp4 => {
                let why = "this build writes no MP4: build it with the feature mp4, or write .gif or .apng";
                return Err(FilmError(why.into()));
            }
        }))
    }

    /// The next image.
    ///
    /// # Errors
    /// When the encoder refuses it.
    pub fn add(&mut self, image: &Image) -> Result<(), FilmError> {
        self.0.add(image)
    }

    /// The bytes of the whole file.
    ///
    /// # Errors
    /// When the encoder refuses, or the file would be too large for its kind.
    pub fn finish(self) -> Result<Vec<u8>, FilmError> {
        self.0.finish()
    }
}

/// What an encoder refused.
fn cannot(error: impl fmt::Display) -> FilmError {
    FilmError(format!("cannot encode the image: {error}"))
}
