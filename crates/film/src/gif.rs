//! Moving images as GIF: one palette, a fixed dither, and of each frame only what changed.

use std::borrow::Cow;

use sinew_render::Image;

use super::changed::{Part, changed, cut};
use super::palette::{CLEAR, Palette};
use super::{Encode, FilmError, FilmSettings, cannot};

pub(super) struct Gif {
    encoder: gif::Encoder<Vec<u8>>,
    palette: Palette,
    settings: FilmSettings,
    last: Option<Vec<u8>>,
    done: usize,
}

impl Gif {
    pub(super) fn new(settings: FilmSettings, palette: Palette) -> Result<Self, FilmError> {
        let side = |pixels: u32| {
            u16::try_from(pixels).map_err(|_| cannot("a GIF has at most 65,535 pixels on a side"))
        };
        let (width, height) = (side(settings.width)?, side(settings.height)?);
        let mut encoder =
            gif::Encoder::new(Vec::new(), width, height, &palette.bytes()).map_err(cannot)?;
        encoder.set_repeat(gif::Repeat::Infinite).map_err(cannot)?;
        Ok(Self { encoder, palette, settings, last: None, done: 0 })
    }

    /// Hundredths of a second until the next frame, so that the sum stays right.
    fn delay(&self) -> u16 {
        let until = |frame: usize| (frame as f64 * 100.0 / self.settings.fps).round();
        (until(self.done + 1) - until(self.done)).clamp(1.0, 65_535.0) as u16
    }

    fn write(&mut self, part: Part, pixels: Vec<u8>) -> Result<(), FilmError> {
        let dispose = match self.settings.transparent {
            true => gif::DisposalMethod::Background,
            false => gif::DisposalMethod::Keep,
        };
        let frame = gif::Frame {
            delay: self.delay(),
            dispose,
            transparent: Some(CLEAR),
            left: part.left as u16,
            top: part.top as u16,
            width: part.width as u16,
            height: part.height as u16,
            buffer: Cow::Owned(pixels),
            ..gif::Frame::default()
        };
        self.done += 1;
        self.encoder.write_frame(&frame).map_err(cannot)
    }
}

impl Encode for Gif {
    fn add(&mut self, image: &Image) -> Result<(), FilmError> {
        let width = image.width as usize;
        let indices = self.palette.indices(image);
        let whole = Part { left: 0, top: 0, width, height: image.height as usize };
        match &self.last {
            Some(last) if !self.settings.transparent => {
                let part = changed(last, &indices, width, 1);
                let mut pixels = cut(&indices, width, 1, part);
                let before = cut(last, width, 1, part);
                for (pixel, before) in pixels.iter_mut().zip(before) {
                    if *pixel == before {
                        *pixel = CLEAR;
                    }
                }
                self.write(part, pixels)?;
            }
            _ => self.write(whole, indices.clone())?,
        }
        self.last = Some(indices);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>, FilmError> {
        self.encoder.into_inner().map_err(cannot)
    }
}
