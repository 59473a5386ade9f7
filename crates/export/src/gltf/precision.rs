//! Numbers rounded to fewer bits, where the person asked for it.
//!
//! In:  numbers. Out: the whole numbers that a reader divides by 255, 65,535 or 32,767.

/// How exactly numbers are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum GltfPrecision {
    /// As the scene has them: in fewer bytes only where every bit comes back.
    #[default]
    Exact,
    /// What glTF allows without an extension. Rotation keys in 16 bits, off by up to 0.004°; weights in 16 bits, off by up to 0.00003;
    /// texture coordinates from zero to one in 16 bits, off by up to 0.000008; vertex colours in 8 bits. Cubic rotations stay exact,
    /// and so do those of nearly half a turn between two keys.
    Rounded,
    /// Also positions in 16 bits of one grid for all meshes of a skin, off by up to a 65,000th of their size, and normals and tangents
    /// in 8 bits, off by up to 0.4°; the same of morph targets. Readers need `KHR_mesh_quantization`.
    Quantized,
}

/// Numbers from -1 to 1 in 16 bits; nothing where one is outside.
pub(super) fn rounded_snorm16(values: &[f32]) -> Option<Vec<i16>> {
    let inside = values.iter().all(|value| value.abs() <= 1.0);
    inside.then(|| values.iter().map(|value| (value * 32_767.0).round() as i16).collect())
}

/// Numbers from -1 to 1 in 8 bits.
pub(super) fn snorm8(value: f32) -> i8 {
    (value.clamp(-1.0, 1.0) * 127.0).round() as i8
}

/// Numbers from 0 to 1 in 16 bits; nothing where one is outside.
pub(super) fn rounded16(values: &[f32]) -> Option<Vec<u16>> {
    let inside = values.iter().all(|value| (0.0..=1.0).contains(value));
    inside.then(|| values.iter().map(|value| (value * 65_535.0).round() as u16).collect())
}

/// Numbers from 0 to 1 in 8 bits.
pub(super) fn rounded8(values: &[f32]) -> Vec<u8> {
    values.iter().map(|value| (value.clamp(0.0, 1.0) * 255.0).round() as u8).collect()
}

/// The weights of one vertex, all slots of all sets, in 16 bits that sum to 65,535: what rounding takes or adds, the largest
/// makes up for.
pub(super) fn weights16(weights: &[f32]) -> Vec<u16> {
    let mut rounded: Vec<i32> =
        weights.iter().map(|weight| (weight * 65_535.0).round() as i32).collect();
    let off = 65_535 - rounded.iter().sum::<i32>();
    if let Some(largest) = rounded.iter_mut().max() {
        *largest += off;
    }
    rounded.into_iter().map(|weight| weight.clamp(0, 65_535) as u16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_weights_sum_to_the_whole() {
        let third = 1.0 / 3.0;
        for weights in
            [[third, third, third, 0.0], [0.123, 0.456, 0.2, 0.221], [1.0, 0.0, 0.0, 0.0]]
        {
            let found = weights16(&weights);
            assert_eq!(found.iter().map(|&weight| u32::from(weight)).sum::<u32>(), 65_535);
            for (found, weight) in found.iter().zip(weights) {
                assert!((f32::from(*found) / 65_535.0 - weight).abs() < 3e-5);
            }
        }
    }

    #[test]
    fn what_lies_outside_is_not_rounded() {
        assert_eq!(rounded_snorm16(&[-1.0, 0.5]), Some(vec![-32_767, 16_384]));
        assert_eq!((rounded_snorm16(&[1.1]), rounded16(&[-0.1])), (None, None));
        assert_eq!(rounded8(&[0.5, 2.0]), [128, 255]);
    }
}
