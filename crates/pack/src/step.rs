//! A step in one byte: five bits of exponent, three of mantissa; and how finely a base is told.

/// What the least code is worth in a single-precision number's upper bits: 2 to the power of -28.
const LEAST: i32 = (127 - 28) << 3;
/// The highest code: nearly 16.
pub(crate) const COARSEST: u8 = 255;
/// The widest field: with the seven bits before it, it fits in what is read for one lane.
pub(crate) const WIDEST: u32 = 22;
/// In the byte after the step's: the values hold until the next frame.
pub(crate) const HOLDS: u8 = 0x80;
/// In the same byte: how much coarser bases are than values, in bits.
pub(crate) const COARSER: u8 = 0x1f;

/// What a code is worth.
pub(crate) fn step(code: u8) -> f32 {
    f32::from_bits(((LEAST + i32::from(code)) << 20) as u32)
}

/// The coarsest code whose step is no larger than `size`; the finest when all are.
pub(crate) fn code(size: f32) -> u8 {
    let above = (size.max(0.0).to_bits() >> 20) as i32 - LEAST;
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
