//! One image as PNG.

use std::path::Path;

use sinew_render::Image;

use super::{FilmError, cannot};

/// One image as the bytes of a PNG file; without alpha where every pixel is opaque.
///
/// # Errors
/// When the encoder refuses: an image without a pixel.
pub fn still(image: &Image) -> Result<Vec<u8>, FilmError> {
    let opaque = image.rgba.chunks_exact(4).all(|pixel| pixel[3] == 255);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, image.width, image.height);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_filter(png::Filter::Adaptive);
    encoder.set_color(if opaque { png::ColorType::Rgb } else { png::ColorType::Rgba });
    let mut writer = encoder.write_header().map_err(cannot)?;
    if opaque {
        writer.write_image_data(&without_alpha(&image.rgba)).map_err(cannot)?;
    } else {
        writer.write_image_data(&image.rgba).map_err(cannot)?;
    }
    writer.finish().map_err(cannot)?;
    Ok(bytes)
}

/// One number of 16 bits for each pixel, rows from the top, as the bytes of a grey PNG file.
///
/// # Errors
/// When there is no pixel, or not one number for each.
pub fn still_gray16(width: u32, height: u32, values: &[u16]) -> Result<Vec<u8>, FilmError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_depth(png::BitDepth::Sixteen);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().map_err(cannot)?;
    let big_endian: Vec<u8> = values.iter().flat_map(|value| value.to_be_bytes()).collect();
    writer.write_image_data(&big_endian).map_err(cannot)?;
    writer.finish().map_err(cannot)?;
    Ok(bytes)
}

/// Writes an image as a PNG file, over one that may be there.
///
/// ```no_run
/// # let image = sinew_render::Image { width: 1, height: 1, rgba: vec![255; 4] };
/// sinew_film::save_png(&image, "hero.png")?;
/// # Ok::<(), sinew_film::FilmError>(())
/// ```
///
/// # Errors
/// When the image has no pixels, or the file cannot be written; the error names it.
pub fn save_png(image: &Image, path: impl AsRef<Path>) -> Result<(), FilmError> {
    let path = path.as_ref();
    std::fs::write(path, still(image)?)
        .map_err(|error| FilmError(format!("cannot write {}: {error}", path.display())))
}

/// Three bytes a pixel of four.
pub(super) fn without_alpha(rgba: &[u8]) -> Vec<u8> {
    let mut rgb = Vec::with_capacity(rgba.len() / 4 * 3);
    for pixel in rgba.chunks_exact(4) {
        rgb.extend_from_slice(&pixel[..3]);
    }
    rgb
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_image_is_a_png_and_a_folder_that_is_not_there_is_named() {
        let image = Image { width: 1, height: 1, rgba: vec![255, 0, 0, 255] };
        let path = std::env::temp_dir().join(format!("sinew_save_{}.png", std::process::id()));
        save_png(&image, &path).expect("a temporary file");
        let bytes = std::fs::read(&path).expect("it is there");
        std::fs::remove_file(&path).expect("it was there");
        assert_eq!(bytes, still(&image).expect("one pixel"));
        let error = save_png(&image, "no such folder/a.png").expect_err("there is no folder");
        assert!(error.to_string().contains("no such folder"), "{error}");
    }
}
