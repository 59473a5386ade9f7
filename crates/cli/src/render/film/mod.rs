//! Moving pictures: frames go in one by one, the bytes of a file come out.

mod apng;
mod changed;
mod gif;
#[cfg(feature = "mp4")]
mod mp4;
#[cfg(feature = "mp4")]
mod mp4_boxes;
mod palette;
mod png;

use sinew::render::Picture;

use super::args::{Kind, Size};
use crate::fault::Fault;

pub(crate) use self::palette::Palette;
pub(crate) use self::png::still;

/// A film being made. All frames have one size.
pub(crate) trait Film {
    fn add(&mut self, picture: &Picture) -> Result<(), Fault>;
    /// The whole file.
    fn finish(self: Box<Self>) -> Result<Vec<u8>, Fault>;
}

/// What a film is to be like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reel {
    pub(crate) kind: Kind,
    pub(crate) size: Size,
    pub(crate) frames: usize,
    pub(crate) fps: f64,
    /// Whether parts of it are seen through.
    pub(crate) transparent: bool,
}

/// A film to be filled. `palette` is what a GIF takes its colours from.
pub(crate) fn film(reel: Reel, palette: Palette) -> Result<Box<dyn Film>, Fault> {
    match reel.kind {
        Kind::Png | Kind::Apng => Ok(Box::new(apng::Apng::new(reel)?)),
        Kind::Gif => Ok(Box::new(gif::Gif::new(reel, palette)?)),
        #[cfg(feature = "mp4")]
        Kind::Mp4 => Ok(Box::new(mp4::Mp4::new(reel)?)),
        #[cfg(not(feature = "mp4"))]
        Kind::Mp4 => Err(Fault::Work(
            "this build writes no MP4: build it with the feature mp4, or write .gif or .apng"
                .into(),
        )),
    }
}

/// What an encoder refused.
pub(crate) fn cannot(error: impl std::fmt::Display) -> Fault {
    Fault::Work(format!("cannot encode the picture: {error}"))
}
