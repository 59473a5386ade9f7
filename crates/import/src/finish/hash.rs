//! Hashing of vertex data and names by their bits: fast, and seeded, so that no file can be made to collide.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Makes [`Mix`]es that agree with each other, and with no other run of the program.
#[derive(Clone, Debug)]
pub(crate) struct Seed(u64);

impl Default for Seed {
    fn default() -> Self {
        Self::new()
    }
}

impl Seed {
    pub(crate) fn new() -> Self {
        Self(RandomState::new().hash_one(0_u8))
    }
}

impl BuildHasher for Seed {
    type Hasher = Mix;

    fn build_hasher(&self) -> Mix {
        Mix(self.0)
    }
}

/// A hash that each word is multiplied into.
pub(crate) struct Mix(u64);

impl Mix {
    pub(crate) fn word(&mut self, word: u64) {
        // The upper half of a product depends on every bit of both factors, the lower on few.
        let product = u128::from(self.0 ^ word) * u128::from(0x9e37_79b9_7f4a_7c15_u64);
        self.0 = ((product >> 64) as u64 ^ product as u64).wrapping_add(0xd1b5_4a32_d192_ed03);
    }

    /// Two words with one product. What is secret is in both factors, so that no word makes either zero.
    fn pair(&mut self, one: u64, other: u64) {
        let product = u128::from(self.0 ^ one) * u128::from(self.0.rotate_left(32) ^ other);
        self.0 = ((product >> 64) as u64 ^ product as u64).wrapping_add(0xd1b5_4a32_d192_ed03);
    }

    #[cfg(feature = "prepare")]
    pub(crate) fn floats(&mut self, floats: &[f32]) {
        for pair in floats.chunks(2) {
            let high = pair.get(1).map_or(0, |float| float.to_bits());
            self.word(u64::from(pair[0].to_bits()) | u64::from(high) << 32);
        }
    }
}

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        let (pairs, rest) = bytes.as_chunks::<16>();
        for pair in pairs {
            let pair = u128::from_le_bytes(*pair);
            self.pair(pair as u64, (pair >> 64) as u64);
        }
        let (words, rest) = rest.as_chunks::<8>();
        for word in words {
            self.word(u64::from_le_bytes(*word));
        }
        if rest.is_empty() {
            return;
        }
        // The last bytes with zeros behind them, without a call for so few: out of the last eight where there are
        // as many.
        self.word(match bytes.last_chunk() {
            Some(last) => u64::from_le_bytes(*last) >> (64 - 8 * rest.len()),
            None => rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
        });
    }

    fn write_u8(&mut self, byte: u8) {
        self.word(u64::from(byte));
    }

    fn write_u32(&mut self, word: u32) {
        self.word(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.word(word);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sixteen bytes at once, and the rest as words with zeros behind them.
    #[test]
    fn bytes_are_hashed_as_pairs_of_words_and_then_words() {
        let bytes: Vec<u8> = (1..=40).collect();
        for length in 0..bytes.len() {
            let mut expected = Mix(7);
            let (pairs, rest) = bytes[..length].as_chunks::<16>();
            for pair in pairs {
                let pair = u128::from_le_bytes(*pair);
                expected.pair(pair as u64, (pair >> 64) as u64);
            }
            for chunk in rest.chunks(8) {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                expected.word(u64::from_le_bytes(word));
            }
            let mut found = Mix(7);
            found.write(&bytes[..length]);
            assert_eq!(found.finish(), expected.finish(), "{length} bytes");
        }
    }

    #[test]
    fn every_byte_of_a_pair_counts() {
        let hash = |bytes: &[u8]| {
            let mut mix = Mix(0x1234_5678_9abc_def0);
            mix.write(bytes);
            mix.finish()
        };
        let bytes: Vec<u8> = (1..=32).collect();
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= 1;
            assert_ne!(hash(&bytes), hash(&other), "byte {at}");
        }
    }
}
