//! Images at half their size.
//!
//! Made here and not on the GPU, so that every back end has the same and no pipeline is needed for it. Colours are
//! mixed as light, not as their sRGB numbers, and weighed by alpha, so that what is see-through bleeds no colour.

use std::sync::OnceLock;

use crate::readback::{linear_from_srgb, srgb_from_linear};

/// Half the size, rounded down, never below one: each pixel the mean of four.
pub(super) fn half(size: (u32, u32), rgba: &[u8], srgb: bool) -> ((u32, u32), Vec<u8>) {
    let (width, height) = (size.0 as usize, size.1 as usize);
    let (wide, tall) = ((width / 2).max(1), (height / 2).max(1));
    let mut out = vec![0; wide * tall * 4];
    let row_at = |row: usize| &rgba[row.min(height - 1) * width * 4..][..width * 4];
    for (row, out) in out.chunks_exact_mut(wide * 4).enumerate() {
        half_row([row_at(2 * row), row_at(2 * row + 1)], out, srgb);
    }
    ((wide as u32, tall as u32), out)
}

/// One row of it from two. A function of its own: a browser makes one fast that is called often, not one that runs long.
#[inline(never)]
fn half_row([above, below]: [&[u8]; 2], out: &mut [u8], srgb: bool) {
    let (above, below) = (above.as_chunks::<4>().0, below.as_chunks::<4>().0);
    let last = above.len() - 1;
    let tables = tables();
    for (column, out) in out.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let (left, right) = ((2 * column).min(last), (2 * column + 1).min(last));
        let at = [above[left], above[right], below[left], below[right]];
        *out = if srgb { mean_light(tables, at) } else { mean(at) };
    }
}

fn mean(pixels: [[u8; 4]; 4]) -> [u8; 4] {
    std::array::from_fn(|channel| {
        let sum: u32 = pixels.iter().map(|pixel| u32::from(pixel[channel])).sum();
        ((sum + 2) / 4) as u8
    })
}

fn mean_light(tables: &Tables, pixels: [[u8; 4]; 4]) -> [u8; 4] {
    let alpha: u32 = pixels.iter().map(|pixel| u32::from(pixel[3])).sum();
    if alpha == 4 * 255 {
        // Most images are opaque all over: whole numbers do.
        let color = |channel: usize| {
            let sum: u32 = pixels.iter().map(|p| tables.whole[usize::from(p[channel])]).sum();
            tables.srgb[(sum as usize + 32) >> 6 & 4095]
        };
        return [color(0), color(1), color(2), 255];
    }
    let weigh = |pixel: &[u8; 4]| if alpha == 0 { 1.0 } else { f32::from(pixel[3]) };
    let total = if alpha == 0 { 4.0 } else { alpha as f32 };
    let color = |channel: usize| {
        let light = |p: &[u8; 4]| tables.linear[usize::from(p[channel])] * weigh(p);
        let sum: f32 = pixels.iter().map(light).sum();
        tables.srgb[(sum / total * 4095.0 + 0.5) as usize & 4095]
    };
    [color(0), color(1), color(2), ((alpha + 2) / 4) as u8]
}

struct Tables {
    linear: [f32; 256],
    /// Up to 65,520: the sum of four, over 64, is the place in the table of sRGB.
    whole: [u32; 256],
    srgb: Vec<u8>,
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| Tables {
        linear: std::array::from_fn(|value| linear_from_srgb(value as f32 / 255.0)),
        whole: std::array::from_fn(|value| {
            (linear_from_srgb(value as f32 / 255.0) * 65_520.0 + 0.5) as u32
        }),
        srgb: (0..4096)
            .map(|value| (srgb_from_linear(value as f32 / 4095.0) * 255.0 + 0.5) as u8)
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_and_white_mix_to_half_the_light() {
        let image = [[0, 0, 0, 255], [255; 4], [255; 4], [0, 0, 0, 255]].concat();
        let (size, found) = half((2, 2), &image, true);
        assert_eq!(size, (1, 1));
        // Half the light is 188 in sRGB; half the number would be 128.
        assert_eq!(found, [188, 188, 188, 255]);
        assert_eq!(half((2, 2), &image, false).1[0], 128);
    }

    #[test]
    fn what_is_see_through_bleeds_no_colour() {
        let image = [[255, 0, 0, 255], [0, 255, 0, 0], [255, 0, 0, 255], [0, 255, 0, 0]].concat();
        assert_eq!(half((2, 2), &image, true).1, [255, 0, 0, 128]);
    }

    #[test]
    fn odd_and_narrow_images_have_halves_too() {
        assert_eq!(half((3, 1), &[7; 12], true).0, (1, 1));
        assert_eq!(half((1, 5), &[7; 20], false), ((1, 2), vec![7; 8]));
    }
}
