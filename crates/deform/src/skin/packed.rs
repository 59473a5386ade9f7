//! Numbers in two bytes each, eight together, and back.

use sinew_lanes::{Ints, Wide};

use super::EIGHT;

/// Eight numbers of two bytes, least byte first.
pub(super) type Words = [u8; 2 * EIGHT];

/// Into how many parts a weight of one is divided.
const PARTS: u16 = u16::MAX;

/// A vertex's weights in [`PARTS`] that add up to [`PARTS`], each less than one part off: all are
/// rounded down, and those that lost most get one back.
pub(super) fn parts(weights: &[f32]) -> Vec<u16> {
    let whole: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
    let exact: Vec<f64> =
        weights.iter().map(|&weight| f64::from(weight) / whole * f64::from(PARTS)).collect();
    let mut parts: Vec<u16> = exact.iter().map(|parts| parts.floor() as u16).collect();
    let given: usize = parts.iter().map(|&parts| usize::from(parts)).sum();
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by(|&a, &b| exact[b].fract().total_cmp(&exact[a].fract()));
    for &slot in order.iter().take(usize::from(PARTS).saturating_sub(given)) {
        parts[slot] += 1;
    }
    parts
}

/// Eight parts of weights, as numbers.
#[inline(always)]
pub(super) fn weights<W: Wide>(words: &Words) -> W {
    W::Ints::from_words(words).to_floats() * W::splat(1.0 / f32::from(PARTS))
}

/// Eight numbers from -1 to 1, rounded to 1/32767.
pub(super) fn signed(numbers: &[f32; EIGHT]) -> Words {
    let mut words = [0; 2 * EIGHT];
    for (word, number) in words.as_chunks_mut::<2>().0.iter_mut().zip(numbers) {
        *word = ((number.clamp(-1.0, 1.0) * 32767.0).round() as i16).to_le_bytes();
    }
    words
}

/// The other way.
#[inline(always)]
pub(super) fn from_signed<W: Wide>(words: &Words) -> W {
    W::Ints::from_signed_words(words).to_floats() * W::splat(1.0 / 32767.0)
}

#[cfg(test)]
mod tests {
    use sinew_lanes::{Kernel, SimdLevel, run};

    use super::*;

    #[test]
    fn the_parts_of_a_vertex_add_up_to_the_whole_and_each_is_within_one() {
        for weights in
            [&[1.0 / 3.0; 3][..], &[0.2; 5], &[1.0], &[0.999_999, 1e-6], &[1.0 / 64.0; 64]]
        {
            let parts = parts(weights);
            let sum: u32 = parts.iter().map(|&part| u32::from(part)).sum();
            assert_eq!(sum, 65535, "{weights:?}");
            for (part, weight) in parts.iter().zip(weights) {
                let off = f32::from(*part) / 65535.0 - weight;
                assert!(off.abs() < 1.0 / 65535.0, "{weight} became {part} parts");
            }
        }
        assert_eq!(parts(&[0.5, 0.25, 0.25]), [32767, 16384, 16384]);
    }

    struct There(Words);

    impl Kernel for There {
        type Output = [f32; EIGHT];

        #[inline(always)]
        fn run<W: Wide>(self) -> [f32; EIGHT] {
            let mut numbers = [0.0; EIGHT];
            from_signed::<W>(&self.0).store(&mut numbers);
            numbers
        }
    }

    #[test]
    fn packed_directions_come_back_within_half_a_step_and_one_stays_one() {
        let numbers = [0.0, 1.0, -1.0, 0.5, -0.123_456, 1e-5, 0.707_106_77, -0.999_9];
        for path in SimdLevel::ALL {
            let back = run(path, There(signed(&numbers)));
            assert_eq!(back[..3], numbers[..3]);
            for (a, b) in back.iter().zip(numbers) {
                assert!((a - b).abs() < 0.500_1 / 32767.0, "{b} became {a}");
            }
        }
    }
}
