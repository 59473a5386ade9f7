//! A step in one byte: five bits of exponent, three of mantissa.

/// What code 0 has in the upper bits of a single-precision number: 2 to the power of -28.
pub(crate) const CODE_BASE: i32 = (127 - 28) << 3;
/// The highest code: nearly 16.
pub(crate) const COARSEST: u8 = 255;
/// The coarsest that a rotation's numbers and bases count in: 1/8.
pub(crate) const COARSEST_ROTATION: u8 = 25 << 3;
/// The widest field: with up to seven bits before it, its end is a power of two that 31 bits hold.
pub(crate) const MAX_WIDTH: u32 = 23;
/// The most that bases are coarser than values, in bits.
pub(crate) const MAX_COARSER: u8 = 31;

/// The step of a code.
pub(crate) fn step(code: u8) -> f32 {
    f32::from_bits(((CODE_BASE + i32::from(code)) << 20) as u32)
}

/// The coarsest code whose step is no larger than `size`; the finest when all are.
pub(crate) fn code(size: f32) -> u8 {
    let above = (size.max(0.0).to_bits() >> 20) as i32 - CODE_BASE;
    above.clamp(0, i32::from(COARSEST)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_the_coarsest_that_is_fine_enough() {
        assert_eq!(step(code(0.5)), 0.5);
        assert_eq!(step(code(0.6)), 0.5625);
        assert_eq!(step(0), 2.0_f32.powi(-28));
        assert_eq!((code(0.0), code(1e9)), (0, COARSEST));
        assert_eq!(step(COARSEST), 15.0);
    }
}
