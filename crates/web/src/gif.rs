//! A GIF of images that the page hands over one by one.

use sinew::film::{Film, FilmSettings, Kind, Palette};
use sinew::render::Image;
use wasm_bindgen::prelude::*;

/// A GIF being made: all images first, since they share their colours.
#[wasm_bindgen]
#[derive(Debug)]
pub struct GifFilm {
    width: u32,
    height: u32,
    fps: f64,
    images: Vec<Image>,
}

#[wasm_bindgen]
impl GifFilm {
    /// Of this size, with this many images a second.
    #[wasm_bindgen(constructor)]
    pub fn new(width: u32, height: u32, fps: f64) -> Self {
        Self { width, height, fps, images: Vec::new() }
    }

    /// The next image: RGBA, alpha not premultiplied, rows from the top.
    ///
    /// # Errors
    /// When it has another size.
    pub fn add(&mut self, rgba: Vec<u8>) -> Result<(), JsError> {
        let expected = self.width as usize * self.height as usize * 4;
        if rgba.len() != expected {
            let text = format!("image: expected {expected} bytes, found {}", rgba.len());
            return Err(JsError::new(&text));
        }
        self.images.push(Image { width: self.width, height: self.height, rgba });
        Ok(())
    }

    /// The file.
    ///
    /// # Errors
    /// When there is no image, or too many pixels for a GIF.
    pub fn finish(&mut self) -> Result<Vec<u8>, JsError> {
        let images = std::mem::take(&mut self.images);
        let transparent =
            images.iter().any(|image| image.rgba.chunks_exact(4).any(|pixel| pixel[3] < 128));
        let settings = FilmSettings {
            kind: Kind::Gif,
            width: self.width,
            height: self.height,
            frames: images.len(),
            fps: self.fps,
            transparent,
        };
        let mut film = Film::new(settings, Palette::of(images.iter()))?;
        for image in &images {
            film.add(image)?;
        }
        Ok(film.finish()?)
    }
}
