//! Blurred levels of an environment as bytes, to be kept between runs.
//!
//! In:  a cube map with its first level; later bytes that some earlier run left.
//! Out: the other levels, or nothing where the bytes are not exactly theirs.
//!
//! Layout, little-endian: a name of eight bytes, the key, a checksum of what follows, then three half floats for each texel, level after
//! level. Levels are drawn as half floats too, so an image is the same to the bit either way.

use glam::Vec3;

use super::cube::{CubeLevels, ROUGHNESS};
use crate::surroundings::{half, half_to_float};

/// With the version of the filter: another one has another name.
const NAME: [u8; 8] = *b"sinewGX1";
const HEAD: usize = 24;

/// Where to keep what took long to make. Nobody hears of it when that fails.
pub trait Keep {
    /// What was kept under this key; any bytes will do.
    fn get(&self, key: u64) -> Option<Vec<u8>>;
    /// Keeps bytes under a key.
    fn put(&self, key: u64, bytes: &[u8]);
}

impl CubeLevels {
    /// Its blurred levels from what is kept, or made and kept.
    pub(super) fn blur_with(&mut self, keep: &dyn Keep) {
        let key = self.key();
        match keep.get(key).and_then(|bytes| self.read(key, &bytes)) {
            Some(levels) => self.levels.extend(levels),
            None => {
                self.blur();
                keep.put(key, &self.bytes(key));
            }
        }
    }

    /// Of its first level.
    fn key(&self) -> u64 {
        let colors = self.levels.first().map_or(&[][..], Vec::as_slice);
        let words = colors.iter().flat_map(|color| color.to_array().map(f32::to_bits));
        hash([self.size].into_iter().chain(words))
    }

    fn texels(&self, level: usize) -> usize {
        let side = (self.size >> level) as usize;
        6 * side * side
    }

    fn bytes(&self, key: u64) -> Vec<u8> {
        let texels = self.levels.iter().skip(1).flatten();
        let halves: Vec<u16> = texels.flat_map(|texel| texel.to_array().map(half)).collect();
        let sum = hash(halves.iter().copied().map(u32::from));
        let mut bytes = Vec::with_capacity(HEAD + 2 * halves.len());
        bytes.extend(NAME);
        bytes.extend(key.to_le_bytes());
        bytes.extend(sum.to_le_bytes());
        bytes.extend(halves.iter().flat_map(|half| half.to_le_bytes()));
        bytes
    }

    fn read(&self, key: u64, bytes: &[u8]) -> Option<Vec<Vec<Vec3>>> {
        let (head, body) = bytes.split_at_checked(HEAD)?;
        let count: usize = (1..ROUGHNESS.len()).map(|level| self.texels(level)).sum();
        if head[..8] != NAME || head[8..16] != key.to_le_bytes() || body.len() != 6 * count {
            return None;
        }
        let halves: Vec<u16> = body.as_chunks().0.iter().copied().map(u16::from_le_bytes).collect();
        if head[16..] != hash(halves.iter().copied().map(u32::from)).to_le_bytes() {
            return None;
        }
        let mut texels =
            halves.chunks_exact(3).map(|t| Vec3::from([t[0], t[1], t[2]].map(half_to_float)));
        let level = |level: usize| texels.by_ref().take(self.texels(level)).collect();
        Some((1..ROUGHNESS.len()).map(level).collect())
    }
}

/// FNV-1a over words, 64 bits: the same in every run.
fn hash(words: impl Iterator<Item = u32>) -> u64 {
    words.fold(0xcbf2_9ce4_8422_2325, |sum, word| {
        (sum ^ u64::from(word)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::collections::HashMap;

    use super::*;
    use crate::Environment;

    #[derive(Default)]
    struct Shelf(RefCell<HashMap<u64, Vec<u8>>>, RefCell<u32>);

    impl Keep for Shelf {
        fn get(&self, key: u64) -> Option<Vec<u8>> {
            self.0.borrow().get(&key).cloned()
        }
        fn put(&self, key: u64, bytes: &[u8]) {
            *self.1.borrow_mut() += 1;
            self.0.borrow_mut().insert(key, bytes.to_vec());
        }
    }

    fn image(light: f32) -> Environment {
        let pixels: Vec<f32> = (0..64 * 32 * 3).map(|i| light * (i % 17) as f32).collect();
        Environment::from_equirect(64, 32, &pixels).expect("an image")
    }

    fn halves(cube: &CubeLevels) -> Vec<[u16; 3]> {
        cube.levels.iter().flatten().map(|c| c.to_array().map(half)).collect()
    }

    #[test]
    fn levels_that_were_kept_are_those_that_were_made() {
        let shelf = Shelf::default();
        let plain = CubeLevels::of(&image(0.1));
        let made = CubeLevels::of_kept(&image(0.1), &shelf);
        let read = CubeLevels::of_kept(&image(0.1), &shelf);
        assert_eq!(*shelf.1.borrow(), 1, "made once");
        assert_eq!(halves(&made), halves(&plain));
        assert_eq!(halves(&read), halves(&plain));
        CubeLevels::of_kept(&image(0.2), &shelf);
        assert_eq!(shelf.0.borrow().len(), 2, "another image is another key");
    }

    #[test]
    fn broken_bytes_are_made_anew() {
        let shelf = Shelf::default();
        let made = CubeLevels::of_kept(&image(0.1), &shelf);
        let kept = shelf.0.borrow().iter().next().map(|(key, bytes)| (*key, bytes.clone()));
        let (key, good) = kept.expect("something is kept");
        let mut flipped = good.clone();
        flipped[HEAD + 100] ^= 1;
        let mut longer = good.clone();
        longer.push(0);
        for bad in
            [Vec::new(), good[..10].to_vec(), good[..good.len() - 1].to_vec(), longer, flipped]
        {
            shelf.0.borrow_mut().insert(key, bad);
            assert_eq!(halves(&CubeLevels::of_kept(&image(0.1), &shelf)), halves(&made));
            assert_eq!(shelf.0.borrow()[&key], good, "and kept again");
        }
    }
}
