//! Pixels as a PNG file, for formats that hold image files.
//!
//! In:  eight bits each of red, green, blue and alpha, rows from the top.
//! Out: the bytes of a PNG, or why there can be none, such as an image without a pixel.

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};

/// A PNG file of these pixels, without alpha where all are opaque.
pub(crate) fn png(width: u32, height: u32, rgba: &[u8]) -> Result<Vec<u8>, String> {
    let opaque = rgba.chunks_exact(4).all(|pixel| pixel[3] == 255);
    let rgb: Vec<u8>;
    let (pixels, color) = if opaque {
        rgb = rgba.chunks_exact(4).flat_map(|pixel| pixel[..3].iter().copied()).collect();
        (rgb.as_slice(), ExtendedColorType::Rgb8)
    } else {
        (rgba, ExtendedColorType::Rgba8)
    };
    let mut file = Vec::new();
    PngEncoder::new_with_quality(&mut file, CompressionType::Default, FilterType::Adaptive)
        .write_image(pixels, width, height, color)
        .map_err(|error| error.to_string())?;
    Ok(file)
}
