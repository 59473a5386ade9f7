//! Numbers in fewer bytes, where every one of them comes back to the last bit.
//!
//! In:  numbers from zero to one, or from minus one to one. Out: the whole numbers that a reader divides by 255, 65,535 or 32,767,
//! or nothing.

pub(super) fn unorm8(values: &[f32]) -> Option<Vec<u8>> {
    let narrow = |&value: &f32| {
        let whole = (value * 255.0).round();
        ((0.0..=255.0).contains(&whole) && whole / 255.0 == value).then_some(whole as u8)
    };
    values.iter().map(narrow).collect()
}

pub(super) fn unorm16(values: &[f32]) -> Option<Vec<u16>> {
    let narrow = |&value: &f32| {
        let whole = (value * 65_535.0).round();
        ((0.0..=65_535.0).contains(&whole) && whole / 65_535.0 == value).then_some(whole as u16)
    };
    values.iter().map(narrow).collect()
}

pub(super) fn snorm16(values: &[f32]) -> Option<Vec<i16>> {
    let narrow = |&value: &f32| {
        let whole = (value * 32_767.0).round();
        ((-32_767.0..=32_767.0).contains(&whole) && whole / 32_767.0 == value)
            .then_some(whole as i16)
    };
    values.iter().map(narrow).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_comes_back_to_the_last_bit_is_narrowed() {
        let bytes: Vec<f32> = (0..=255).map(|whole| whole as f32 / 255.0).collect();
        assert_eq!(unorm8(&bytes), Some((0..=255).collect()));
        assert_eq!(unorm16(&bytes).map(|all| all[255]), Some(65_535));
        let shorts: Vec<f32> = (0..=65_535).map(|whole| whole as f32 / 65_535.0).collect();
        assert_eq!(unorm16(&shorts), Some((0..=65_535).collect()));
        let signed: Vec<f32> = (-32_767..=32_767).map(|whole| whole as f32 / 32_767.0).collect();
        assert_eq!(snorm16(&signed), Some((-32_767..=32_767).collect()));
        assert_eq!(snorm16(&[0.1234567]), None);
        for other in [0.1234567, -0.1, 1.1, f32::NAN, 0.0_f32.next_up()] {
            assert_eq!((unorm8(&[other]), unorm16(&[other])), (None, None), "{other}");
        }
    }
}
