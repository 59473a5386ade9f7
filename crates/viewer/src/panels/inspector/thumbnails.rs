//! Small copies of images, for the inspector.

use std::collections::HashMap;

use eframe::egui::{ColorImage, Context, TextureHandle, TextureOptions};
use sinew::scene::{ImageData, ImageId};

use crate::model::Model;

/// The longest side of a small copy, in pixels.
const SIDE: u32 = 256;

/// A small copy, with the width and height of the whole image.
pub(crate) type Thumbnail = (TextureHandle, u32, u32);

/// Small copies, made when first looked at.
#[derive(Default)]
pub(crate) struct Thumbnails {
    made: HashMap<(u64, usize), Option<Thumbnail>>,
}

impl Thumbnails {
    /// The small copy of an image, and the size of the whole one.
    pub(crate) fn of(
        &mut self,
        context: &Context,
        model: &Model,
        image: ImageId,
    ) -> Option<Thumbnail> {
        // Copies of models that are gone go with them.
        self.made.retain(|(id, _), _| *id == model.id);
        let make = || {
            let image = &model.scene().images[image.index()];
            let (width, height, rgba) = pixels(&image.data)?;
            let (small, size) = shrunk(width, height, &rgba)?;
            let small_image = ColorImage::from_rgba_unmultiplied(size, &small);
            let handle = context.load_texture("thumbnail", small_image, TextureOptions::LINEAR);
            Some((handle, width, height))
        };
        self.made.entry((model.id, image.index())).or_insert_with(make).clone()
    }
}

fn pixels(data: &ImageData) -> Option<(u32, u32, Vec<u8>)> {
    match data {
        ImageData::Pixels { width, height, rgba } => Some((*width, *height, rgba.to_vec())),
        ImageData::Encoded { bytes, .. } => {
            let made = sinew::import::image::decode(bytes).ok()?;
            Some((made.width, made.height, made.rgba))
        }
        ImageData::Missing => None,
    }
}

/// At most [`SIDE`] pixels on a side, each the mean of those it replaces.
fn shrunk(width: u32, height: u32, rgba: &[u8]) -> Option<(Vec<u8>, [usize; 2])> {
    let width = width as usize;
    let height = height as usize;
    if width == 0 || height == 0 || rgba.len() < width * height * 4 {
        return None;
    }
    let step = width.max(height).div_ceil(SIDE as usize);
    let size = [width.div_ceil(step), height.div_ceil(step)];
    let mut small = Vec::with_capacity(size[0] * size[1] * 4);
    for row in 0..size[1] {
        for column in 0..size[0] {
            let mut sum = [0_u32; 4];
            let mut count = 0;
            for y in (row * step..(row + 1) * step).take_while(|y| *y < height) {
                for x in (column * step..(column + 1) * step).take_while(|x| *x < width) {
                    let at = (y * width + x) * 4;
                    for (sum, value) in sum.iter_mut().zip(&rgba[at..at + 4]) {
                        *sum += u32::from(*value);
                    }
                    count += 1;
                }
            }
            small.extend(sum.map(|sum| (sum / count.max(1)) as u8));
        }
    }
    Some((small, size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_image_is_the_mean_of_its_pixels() {
        // 512 × 1: every two pixels are one.
        let rgba: Vec<u8> =
            (0..512).flat_map(|x| [if x % 2 == 0 { 0 } else { 200 }, 8, 9, 255]).collect();
        let (small, size) = shrunk(512, 1, &rgba).expect("it has pixels");
        assert_eq!(size, [256, 1]);
        assert_eq!(small[..4], [100, 8, 9, 255]);
        assert_eq!(shrunk(4, 4, &[0; 3]), None);
    }
}
