//! The images of a model: decoded by the browser, and dropped once they are on the GPU.
//!
//! In:  images as filed. Out: what the page has to decode; then pixels for the upload.

use sinew::scene::{ImageData, Scene};
use wasm_bindgen::JsValue;

use crate::js;

/// Pixels of one image: width, height, RGBA.
type Pixels = (u32, u32, Vec<u8>);

/// The decoded images of one model, by their number.
#[derive(Debug, Default)]
pub(crate) struct Pictures {
    decoded: Vec<Option<Pixels>>,
}

/// What a browser decodes.
const BROWSER: [&str; 5] = ["image/png", "image/jpeg", "image/webp", "image/bmp", "image/gif"];

fn media_type(bytes: &[u8]) -> &str {
    sinew::import::image::media_type(bytes).unwrap_or_default()
}

impl Pictures {
    /// The images that the page has to decode: number, media type and bytes.
    pub(crate) fn encoded(scene: &Scene) -> JsValue {
        let encoded = scene.images.iter().enumerate().filter_map(|(index, image)| {
            let ImageData::Encoded { bytes, .. } = &image.data else { return None };
            let kind = media_type(bytes);
            BROWSER.contains(&kind).then(|| {
                js::object([
                    ("index", index.into()),
                    ("type", kind.into()),
                    ("bytes", js_sys::Uint8Array::from(&bytes[..]).into()),
                ])
            })
        });
        js::array(encoded)
    }

    pub(crate) fn set(&mut self, index: usize, pixels: Pixels) {
        if self.decoded.len() <= index {
            self.decoded.resize_with(index + 1, || None);
        }
        self.decoded[index] = Some(pixels);
    }

    /// The pixels of an image as it is filed: the page's, or those of a decoder of our own.
    pub(crate) fn decode(&self, scene: &Scene, bytes: &[u8]) -> Result<Pixels, String> {
        let same = |image: &sinew::scene::Image| match &image.data {
            ImageData::Encoded { bytes: filed, .. } => std::ptr::eq(&raw const **filed, bytes),
            _ => false,
        };
        let index = scene.images.iter().position(same);
        match index.and_then(|index| self.decoded.get(index)?.clone()) {
            Some(pixels) => Ok(pixels),
            None => decode_here(bytes),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.decoded = Vec::new();
    }
}

#[cfg(feature = "full")]
fn decode_here(bytes: &[u8]) -> Result<Pixels, String> {
    let pixels = sinew::import::image::decode(bytes)?;
    Ok((pixels.width, pixels.height, pixels.rgba))
}

#[cfg(not(feature = "full"))]
fn decode_here(bytes: &[u8]) -> Result<Pixels, String> {
    Err(format!("the browser does not decode {}", media_type(bytes)))
}
