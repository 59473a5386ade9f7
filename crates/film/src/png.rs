//! One picture as PNG.

use sinew_render::Image;

use super::{FilmError, cannot};

/// One picture as the bytes of a PNG file; without alpha where every pixel is opaque.
///
/// # Errors
/// When the encoder refuses: a picture without a pixel.
pub fn still(picture: &Image) -> Result<Vec<u8>, FilmError> {
    let opaque = picture.rgba.chunks_exact(4).all(|pixel| pixel[3] == 255);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.width, picture.height);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_filter(png::Filter::Adaptive);
    encoder.set_color(if opaque { png::ColorType::Rgb } else { png::ColorType::Rgba });
    let mut writer = encoder.write_header().map_err(cannot)?;
    if opaque {
        writer.write_image_data(&without_alpha(&picture.rgba)).map_err(cannot)?;
    } else {
        writer.write_image_data(&picture.rgba).map_err(cannot)?;
    }
    writer.finish().map_err(cannot)?;
    Ok(bytes)
}

/// Three bytes a pixel of four.
pub(super) fn without_alpha(rgba: &[u8]) -> Vec<u8> {
    let mut rgb = Vec::with_capacity(rgba.len() / 4 * 3);
    for pixel in rgba.chunks_exact(4) {
        rgb.extend_from_slice(&pixel[..3]);
    }
    rgb
}
