//! Moving images as APNG: every frame holds only what changed.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use sinew_render::Image;

use super::changed::{changed, cut};
use super::png::without_alpha;
use super::{Encode, FilmError, FilmSettings, cannot};

pub(super) struct Apng {
    writer: png::Writer<Shared>,
    bytes: Shared,
    settings: FilmSettings,
    last: Option<Vec<u8>>,
}

/// The encoder keeps its sink; this leaves us a hand on it.
#[derive(Clone, Debug, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Apng {
    pub(super) fn new(settings: FilmSettings) -> Result<Self, FilmError> {
        let bytes = Shared::default();
        let mut encoder = png::Encoder::new(bytes.clone(), settings.width, settings.height);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_color(if settings.transparent {
            png::ColorType::Rgba
        } else {
            png::ColorType::Rgb
        });
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        encoder.set_compression(png::Compression::Fast);
        encoder.set_filter(png::Filter::Adaptive);
        encoder.set_animated(settings.frames as u32, 0).map_err(cannot)?;
        let (numerator, denominator) = delay(settings.fps);
        encoder.set_frame_delay(numerator, denominator).map_err(cannot)?;
        encoder.set_blend_op(png::BlendOp::Source).map_err(cannot)?;
        encoder.set_dispose_op(png::DisposeOp::None).map_err(cannot)?;
        let writer = encoder.write_header().map_err(cannot)?;
        Ok(Self { writer, bytes, settings, last: None })
    }

    fn bytes_a_pixel(&self) -> usize {
        if self.settings.transparent { 4 } else { 3 }
    }
}

/// Seconds a frame as a fraction that both fit 16 bits.
fn delay(fps: f64) -> (u16, u16) {
    if fps.fract() == 0.0 && fps <= 60_000.0 {
        (1, fps as u16)
    } else {
        ((1000.0 / fps).round().clamp(1.0, 65_535.0) as u16, 1000)
    }
}

impl Encode for Apng {
    fn add(&mut self, image: &Image) -> Result<(), FilmError> {
        let pixels =
            if self.settings.transparent { image.rgba.clone() } else { without_alpha(&image.rgba) };
        match &self.last {
            None => self.writer.write_image_data(&pixels).map_err(cannot)?,
            Some(last) => {
                let (width, bytes) = (image.width as usize, self.bytes_a_pixel());
                let part = changed(last, &pixels, width, bytes);
                // The old place may not fit the new size, so the place is reset in between.
                self.writer.reset_frame_position().map_err(cannot)?;
                self.writer
                    .set_frame_dimension(part.width as u32, part.height as u32)
                    .map_err(cannot)?;
                self.writer
                    .set_frame_position(part.left as u32, part.top as u32)
                    .map_err(cannot)?;
                self.writer.write_image_data(&cut(&pixels, width, bytes, part)).map_err(cannot)?;
            }
        }
        self.last = Some(pixels);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<u8>, FilmError> {
        self.writer.finish().map_err(cannot)?;
        Ok(std::mem::take(&mut *self.bytes.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}
