//! Fields of a few bits after each other, the least bit first.

/// Writes fields into bytes.
#[derive(Debug, Default)]
pub(crate) struct Bits {
    bytes: Vec<u8>,
    used: usize,
}

impl Bits {
    pub(crate) fn push(&mut self, value: u32, width: u32) {
        for bit in 0..width {
            if self.used.is_multiple_of(8) {
                self.bytes.push(0);
            }
            self.bytes[self.used / 8] |= ((value >> bit & 1) as u8) << (self.used % 8);
            self.used += 1;
        }
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// How many bits a number needs.
pub(crate) fn width(most: u32) -> u32 {
    32 - most.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_follow_each_other_from_the_least_bit() {
        let mut bits = Bits::default();
        bits.push(0b101, 3);
        bits.push(0b11_0000_1111, 10);
        assert_eq!(bits.into_bytes(), [0b0111_1101, 0b0001_1000]);
        assert_eq!([width(0), width(1), width(255), width(256)], [0, 1, 8, 9]);
    }
}
