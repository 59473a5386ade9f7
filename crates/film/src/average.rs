//! Several images as one: sub-frames of a shutter's time, or a large image made smaller.
//!
//! In:  images of one size, sRGB with plain alpha.
//! Out: their mean, taken as light and weighted by alpha, as a camera's film takes it.

use sinew_render::Image;

/// The mean of images, made of one after the other.
#[derive(Clone, Debug, Default)]
pub struct Average {
    /// Light times alpha, and alpha, of all so far.
    sums: Vec<[f32; 4]>,
    size: (u32, u32),
    count: u32,
}

impl Average {
    /// Takes in one more.
    ///
    /// # Panics
    /// When it has not the size of those before.
    pub fn add(&mut self, image: &Image) {
        if self.count == 0 {
            self.size = (image.width, image.height);
            self.sums = vec![[0.0; 4]; image.rgba.len() / 4];
        }
        assert_eq!(self.size, (image.width, image.height), "images of one size");
        let table = light_table();
        for (sum, pixel) in self.sums.iter_mut().zip(image.rgba.chunks_exact(4)) {
            add_pixel(sum, pixel, &table);
        }
        self.count += 1;
    }

    /// The mean; empty where there was no image.
    #[must_use]
    pub fn finish(self) -> Image {
        let (width, height) = self.size;
        let share = 1.0 / self.count.max(1) as f32;
        let rgba = self.sums.iter().flat_map(|sum| pixel_of(sum.map(|value| value * share)));
        Image { width, height, rgba: rgba.collect() }
    }
}

/// An image made smaller by a whole factor, each pixel the mean of a square.
///
/// # Panics
/// When the factor is 0 or a side is no multiple of it.
#[must_use]
pub fn shrunk(image: &Image, factor: u32) -> Image {
    assert!(
        factor > 0 && image.width.is_multiple_of(factor) && image.height.is_multiple_of(factor),
        "a whole factor"
    );
    if factor == 1 {
        return image.clone();
    }
    let (width, height) = (image.width / factor, image.height / factor);
    let table = light_table();
    let share = 1.0 / (factor * factor) as f32;
    let mut rgba = Vec::with_capacity((width * height * 4) as usize);
    let mut row = vec![[0.0_f32; 4]; width as usize];
    for y in 0..height {
        row.fill([0.0; 4]);
        for line in 0..factor {
            let start = ((y * factor + line) * image.width) as usize * 4;
            let pixels = &image.rgba[start..start + image.width as usize * 4];
            for (x, pixel) in pixels.chunks_exact(4).enumerate() {
                add_pixel(&mut row[x / factor as usize], pixel, &table);
            }
        }
        rgba.extend(row.iter().flat_map(|sum| pixel_of(sum.map(|value| value * share))));
    }
    Image { width, height, rgba }
}

fn add_pixel(sum: &mut [f32; 4], pixel: &[u8], table: &[f32; 256]) {
    let alpha = f32::from(pixel[3]) / 255.0;
    for channel in 0..3 {
        sum[channel] += table[pixel[channel] as usize] * alpha;
    }
    sum[3] += alpha;
}

/// sRGB with plain alpha from light times alpha, and alpha.
fn pixel_of([red, green, blue, alpha]: [f32; 4]) -> [u8; 4] {
    let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
    let over = if alpha > 0.0 { 1.0 / alpha } else { 0.0 };
    let color = |light: f32| byte(srgb(light * over));
    [color(red), color(green), color(blue), byte(alpha)]
}

/// Light of each sRGB number (IEC 61966-2-1).
fn light_table() -> [f32; 256] {
    std::array::from_fn(|byte| {
        let value = byte as f32 / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    })
}

fn srgb(light: f32) -> f32 {
    if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels(width: u32, rgba: &[[u8; 4]]) -> Image {
        Image { width, height: rgba.len() as u32 / width, rgba: rgba.concat() }
    }

    #[test]
    fn black_and_white_are_half_the_light_not_half_the_number() {
        let mut average = Average::default();
        average.add(&pixels(1, &[[0, 0, 0, 255]]));
        average.add(&pixels(1, &[[255, 255, 255, 255]]));
        // Half the light of white is 188 in sRGB.
        assert_eq!(average.finish().pixel(0, 0), [188, 188, 188, 255]);
    }

    #[test]
    fn what_is_not_there_has_no_colour_to_give() {
        let image =
            pixels(2, &[[255, 0, 0, 255], [0, 255, 0, 0], [255, 0, 0, 255], [0, 0, 255, 0]]);
        assert_eq!(shrunk(&image, 2).pixel(0, 0), [255, 0, 0, 128]);
        assert_eq!(shrunk(&image, 1), image);
    }
}
