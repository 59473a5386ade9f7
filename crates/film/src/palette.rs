//! 255 colours for a GIF, chosen from what is in its images.
//!
//! In:  a few images of the film.
//! Out: a palette, and each pixel's place in it, dithered by a fixed pattern: what stands still gets the same
//! numbers in every frame, so that only what moves is written.

use std::collections::HashMap;

use sinew_render::Image;

/// The number that no colour has: seen through.
pub(super) const CLEAR: u8 = 255;
const MAX_COLORS: usize = 255;
/// A colour of so large a share of all pixels is kept exactly.
const FLAT: f64 = 0.004;
/// How far dithering moves a channel at most.
const SPREAD: i32 = 5;

/// Colours of a film.
#[derive(Debug, Default)]
pub struct Palette {
    colors: Vec<[u8; 3]>,
    /// Colours that are not dithered.
    flat: HashMap<[u8; 3], u8>,
    /// The nearest colour, by six bits of each channel, where it was asked for already.
    near: Vec<Option<u8>>,
}

/// Pixels that fall into one small cube of colours.
#[derive(Clone, Copy, Debug, Default)]
struct Bin {
    count: u64,
    sum: [u64; 3],
}

impl Palette {
    /// The colours that suit these images best: a few of the film, well apart.
    #[must_use]
    pub fn of<'a>(images: impl Iterator<Item = &'a Image>) -> Self {
        let mut bins = vec![Bin::default(); 1 << 15];
        let mut exact: HashMap<[u8; 3], u64> = HashMap::new();
        let mut total = 0_u64;
        for image in images {
            for pixel in image.rgba.chunks_exact(4).filter(|pixel| pixel[3] >= 128) {
                let color = [pixel[0], pixel[1], pixel[2]];
                let [r, g, b] = color.map(|channel| usize::from(channel >> 3));
                let bin = &mut bins[r << 10 | g << 5 | b];
                bin.count += 1;
                for (sum, channel) in bin.sum.iter_mut().zip(color) {
                    *sum += u64::from(channel);
                }
                *exact.entry(color).or_default() += 1;
                total += 1;
            }
        }
        let least = (total as f64 * FLAT).max(1.0) as u64;
        let mut flat: Vec<_> = exact.into_iter().filter(|(_, count)| *count >= least).collect();
        flat.sort_by_key(|(color, count)| (std::cmp::Reverse(*count), *color));
        flat.truncate(64);
        let mut colors: Vec<[u8; 3]> = flat.iter().map(|(color, _)| *color).collect();
        let flat = colors.iter().enumerate().map(|(index, color)| (*color, index as u8)).collect();
        bins.retain(|bin| bin.count > 0);
        colors.extend(cut(bins, MAX_COLORS - colors.len()));
        Self { colors, flat, near: vec![None; 1 << 18] }
    }

    /// Red, green and blue of every colour; the last place is for [`CLEAR`].
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.colors.iter().flatten().copied().collect();
        bytes.resize(256 * 3, 0);
        bytes
    }

    /// Each pixel's place in the palette.
    pub(super) fn indices(&mut self, image: &Image) -> Vec<u8> {
        let width = image.width as usize;
        let pixels = image.rgba.chunks_exact(4).enumerate();
        pixels.map(|(index, pixel)| self.index(pixel, index % width, index / width)).collect()
    }

    fn index(&mut self, pixel: &[u8], x: usize, y: usize) -> u8 {
        if pixel[3] < 128 {
            return CLEAR;
        }
        let color = [pixel[0], pixel[1], pixel[2]];
        if let Some(index) = self.flat.get(&color) {
            return *index;
        }
        let shift = (i32::from(BAYER[y % 8][x % 8]) * 2 - 63) * SPREAD / 63;
        let color = color.map(|channel| (i32::from(channel) + shift).clamp(0, 255));
        let place = color.iter().fold(0, |place, channel| place << 6 | (channel >> 2) as usize);
        if let Some(index) = self.near[place] {
            return index;
        }
        let index = self.nearest(color.map(|channel| (channel & !3) + 2));
        self.near[place] = Some(index);
        index
    }

    fn nearest(&self, color: [i32; 3]) -> u8 {
        let gap = |known: &[u8; 3]| {
            let apart = [0, 1, 2].map(|channel| i32::from(known[channel]) - color[channel]);
            // Eyes see green best and blue least.
            2 * apart[0] * apart[0] + 4 * apart[1] * apart[1] + apart[2] * apart[2]
        };
        let nearest = self.colors.iter().enumerate().min_by_key(|(_, known)| gap(known));
        nearest.map_or(0, |(index, _)| index as u8)
    }
}

/// Cuts the colours into boxes, always the one that varies most, and gives the mean of each.
fn cut(bins: Vec<Bin>, most: usize) -> Vec<[u8; 3]> {
    let mut boxes: Vec<(f64, usize, Vec<Bin>)> = Vec::new();
    if !bins.is_empty() {
        let (spread, channel) = spread(&bins);
        boxes.push((spread, channel, bins));
    }
    while boxes.len() < most {
        let widest = boxes.iter().enumerate().max_by(|a, b| a.1.0.total_cmp(&b.1.0));
        let Some((place, _)) = widest.filter(|(_, known)| known.0 > 0.0) else { break };
        let (_, channel, bins) = boxes.swap_remove(place);
        let middle = mean(&bins)[channel];
        let (low, high): (Vec<Bin>, Vec<Bin>) =
            bins.into_iter().partition(|bin| (bin.sum[channel] as f64) < middle * bin.count as f64);
        for half in [low, high].into_iter().filter(|half| !half.is_empty()) {
            let (spread, channel) = spread(&half);
            boxes.push((spread, channel, half));
        }
    }
    boxes.iter().map(|(_, _, bins)| mean(bins).map(|channel| (channel + 0.5) as u8)).collect()
}

fn mean(bins: &[Bin]) -> [f64; 3] {
    let count: u64 = bins.iter().map(|bin| bin.count).sum();
    [0, 1, 2].map(|channel| {
        bins.iter().map(|bin| bin.sum[channel]).sum::<u64>() as f64 / count.max(1) as f64
    })
}

/// How much a box varies, and in which channel most: the sum of squares about the mean. One bin does not.
fn spread(bins: &[Bin]) -> (f64, usize) {
    let middle = mean(bins);
    let squares = [0, 1, 2].map(|channel| {
        let apart = |bin: &Bin| bin.sum[channel] as f64 / bin.count as f64 - middle[channel];
        // The root of the count: a large plain wall does not take every colour.
        bins.iter().map(|bin| (bin.count as f64).sqrt() * apart(bin).powi(2)).sum::<f64>()
    });
    let channel = (0..3).max_by(|a, b| squares[*a].total_cmp(&squares[*b])).unwrap_or(0);
    (if bins.len() > 1 { squares[channel] } else { 0.0 }, channel)
}

/// Bayer's ordered pattern: B(2n) = 4 B(n) + (0 2 / 3 1).
const BAYER: [[u8; 8]; 8] = bayer();

const fn bayer() -> [[u8; 8]; 8] {
    let mut table = [[0; 8]; 8];
    let mut y = 0;
    while y < 8 {
        let mut x = 0;
        while x < 8 {
            let mut bit = 0;
            let mut value = 0;
            while bit < 3 {
                let (a, b) = ((x >> bit) & 1, (y >> bit) & 1);
                value = value * 4 + ((a ^ b) * 2 + b);
                bit += 1;
            }
            table[y][x] = value as u8;
            x += 1;
        }
        y += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pattern_holds_every_number_once_and_begins_as_bayers_does() {
        let mut all: Vec<u8> = BAYER.iter().flatten().copied().collect();
        all.sort_unstable();
        assert_eq!(all, (0..64).collect::<Vec<u8>>());
        assert_eq!(BAYER[0][..2], [0, 32]);
        assert_eq!(BAYER[1][..2], [48, 16]);
    }

    #[test]
    fn a_few_colours_are_kept_exactly_and_what_is_clear_stays_clear() {
        let rgba = vec![200, 10, 30, 255, 9, 9, 9, 255, 1, 2, 3, 0, 200, 10, 30, 255];
        let image = Image { width: 4, height: 1, rgba };
        let mut palette = Palette::of([&image].into_iter());
        let indices = palette.indices(&image);
        let bytes = palette.bytes();
        let color = |index: u8| &bytes[usize::from(index) * 3..][..3];
        assert_eq!((color(indices[0]), color(indices[1])), (&[200, 10, 30][..], &[9, 9, 9][..]));
        assert_eq!(indices[2], CLEAR);
        assert_eq!(indices[3], indices[0]);
    }

    #[test]
    fn a_ramp_of_grey_is_off_by_few_levels() {
        let rgba = (0..4096_u32)
            .flat_map(|x| [(x / 16) as u8, (x / 16) as u8, (x / 16) as u8, 255])
            .collect();
        let image = Image { width: 64, height: 64, rgba };
        let mut palette = Palette::of([&image].into_iter());
        let indices = palette.indices(&image);
        let bytes = palette.bytes();
        let worst = indices.iter().zip(image.rgba.chunks_exact(4)).map(|(index, pixel)| {
            (i32::from(bytes[usize::from(*index) * 3]) - i32::from(pixel[0])).abs()
        });
        assert!(worst.max() <= Some(SPREAD + 8), "too far off");
    }
}
