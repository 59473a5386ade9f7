//! Numbers rounded to fewer bits, where the person asked for it.
//!
//! In:  numbers. Out: the whole numbers that a reader divides by 255, 65,535 or 32,767.

use sinew_scene::Influence;

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

/// Rounds the weights of one vertex, all slots of all sets, to 65,535ths that sum to one: what rounding takes or adds, the largest makes
/// up for. Those that come to nothing are left out.
pub(super) fn round16(influences: &mut Vec<Influence>, wholes: &mut Vec<i32>) {
    wholes.clear();
    wholes.extend(influences.iter().map(|one| (one.weight * 65_535.0 + 0.5) as i32));
    let off = 65_535 - wholes.iter().sum::<i32>();
    if let Some(largest) = wholes.iter_mut().max() {
        *largest = (*largest + off).clamp(0, 65_535);
    }
    for (one, whole) in influences.iter_mut().zip(wholes) {
        one.weight = *whole as f32 / 65_535.0;
    }
    influences.retain(|one| one.weight > 0.0);
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
            let all = [0, 1, 2, 3].map(|at| Influence { joint: at, weight: weights[at as usize] });
            let mut found = all.to_vec();
            round16(&mut found, &mut Vec::new());
            let wholes = found.iter().map(|one| (one.weight * 65_535.0).round() as u32);
            assert_eq!(wholes.sum::<u32>(), 65_535);
            for one in &found {
                assert!(
                    one.weight > 0.0 && (one.weight - weights[one.joint as usize]).abs() < 3e-5
                );
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
