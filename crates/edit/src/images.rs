//! Images made smaller.
//!
//! In:  the images of a scene, as files or as pixels, and the longest side that they may have.
//! Out: the same images, none of them longer; those that were short enough have the same bytes.
//!
//! What was a JPEG stays one, everything else becomes a PNG: a smaller image loses detail, and nothing beside it.

use std::io::Cursor;
use std::sync::Arc;

use image::codecs::jpeg::JpegEncoder;
use image::imageops::{FilterType, resize};
use image::{DynamicImage, ImageFormat, RgbaImage};
use rayon::prelude::*;
use sinew_scene::{Image, ImageData};

/// Of a hundred: hardly to be told from the original.
const JPEG_QUALITY: u8 = 92;

/// Decodes an image file to its width, height and RGBA bytes.
pub type Decode<'a> = dyn Fn(&[u8]) -> Result<(u32, u32, Vec<u8>), String> + Sync + 'a;

/// What came of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Resized {
    /// It was short enough, or is not there.
    Kept,
    /// It is smaller now.
    Smaller {
        /// Width and height before.
        from: (u32, u32),
        /// Width and height now.
        to: (u32, u32),
    },
    /// It could not be made smaller and stays as it was.
    Failed(String),
}

/// Makes every image at most `longest` pixels on its longer side.
#[must_use]
pub fn shrink_images(images: &mut [Image], longest: u32, decode: &Decode<'_>) -> Vec<Resized> {
    images.par_iter_mut().map(|image| shrink(image, longest.max(1), decode)).collect()
}

fn shrink(image: &mut Image, longest: u32, decode: &Decode<'_>) -> Resized {
    let (width, height, rgba, jpeg) = match &image.data {
        ImageData::Missing => return Resized::Kept,
        ImageData::Pixels { width, height, rgba } => (*width, *height, rgba.to_vec(), false),
        ImageData::Encoded { bytes, .. } => match decode(bytes) {
            Ok((width, height, rgba)) => (width, height, rgba, bytes.starts_with(&[0xff, 0xd8])),
            Err(why) => return Resized::Failed(why),
        },
    };
    let from = (width, height);
    let side = width.max(height);
    if side <= longest {
        return Resized::Kept;
    }
    let part = |length: u32| {
        let short =
            (u64::from(length) * u64::from(longest) + u64::from(side) / 2) / u64::from(side);
        (short as u32).max(1)
    };
    let to = (part(width), part(height));
    let Some(pixels) = RgbaImage::from_raw(width, height, rgba) else {
        return Resized::Failed("its pixels do not fit its size".into());
    };
    match encode(resize(&pixels, to.0, to.1, FilterType::CatmullRom), jpeg) {
        Ok((media_type, bytes)) => {
            image.data = ImageData::Encoded { media_type: media_type.into(), bytes };
            Resized::Smaller { from, to }
        }
        Err(why) => Resized::Failed(why),
    }
}

fn encode(pixels: RgbaImage, jpeg: bool) -> Result<(&'static str, Arc<[u8]>), String> {
    let opaque = pixels.pixels().all(|pixel| pixel.0[3] == 255);
    let pixels = DynamicImage::ImageRgba8(pixels);
    let pixels = if opaque { DynamicImage::ImageRgb8(pixels.into_rgb8()) } else { pixels };
    let mut bytes = Vec::new();
    let (media_type, written) = if jpeg && opaque {
        let encoder = JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY);
        ("image/jpeg", pixels.write_with_encoder(encoder))
    } else {
        ("image/png", pixels.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png))
    };
    written.map_err(|error| error.to_string())?;
    Ok((media_type, bytes.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn never(_: &[u8]) -> Result<(u32, u32, Vec<u8>), String> {
        Err("no file is decoded here".into())
    }

    fn pixels(width: u32, height: u32, color: [u8; 4]) -> Image {
        let rgba = color.repeat((width * height) as usize).into();
        Image { name: "a".into(), data: ImageData::Pixels { width, height, rgba } }
    }

    #[test]
    fn the_longer_side_is_as_asked_and_the_colour_stays() {
        let mut images = vec![pixels(40, 10, [200, 100, 50, 128]), pixels(8, 8, [1, 2, 3, 255])];
        let kept = images[1].clone();
        let made = shrink_images(&mut images, 8, &never);
        assert_eq!(made, [Resized::Smaller { from: (40, 10), to: (8, 2) }, Resized::Kept]);
        assert_eq!(images[1], kept);
        let ImageData::Encoded { media_type, bytes } = &images[0].data else { panic!("encoded") };
        assert_eq!(media_type, "image/png");
        let back = image::load_from_memory(bytes).expect("a PNG").into_rgba8();
        assert_eq!((back.dimensions(), back.get_pixel(3, 1).0), ((8, 2), [200, 100, 50, 128]));
    }

    #[test]
    fn what_cannot_be_decoded_stays_and_says_why() {
        let data = ImageData::Encoded { media_type: String::new(), bytes: vec![1, 2].into() };
        let mut images = vec![Image { name: "a".into(), data }];
        let before = images.clone();
        let made = shrink_images(&mut images, 8, &never);
        assert_eq!(made, [Resized::Failed("no file is decoded here".into())]);
        assert_eq!(images, before);
    }
}
