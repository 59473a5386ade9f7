//! Made-up numbers, and a checksum of what comes of them: for tests that hold every machine to the same bits.
//!
//! Only sums, products, quotients and roots are used here, which all machines round alike.
#![allow(dead_code)]

use sinew_scene::glam::{Quat, Vec3};

/// Numbers that look like chance and are always the same.
pub(crate) struct Made(u64);

impl Made {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// From 0 up to, but not including, `end`.
    pub(crate) fn whole(&mut self, end: u32) -> u32 {
        // Knuth's numbers for a linear congruential generator, whose upper bits are the better ones.
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((self.0 >> 32) * u64::from(end)) >> 32) as u32
    }

    /// From -1 to 1, in steps of 2^-20.
    pub(crate) fn number(&mut self) -> f32 {
        self.whole(1 << 21) as f32 / (1 << 20) as f32 - 1.0
    }

    /// Each number up to `size` from zero.
    pub(crate) fn vector(&mut self, size: f32) -> Vec3 {
        let [x, y, z] = [self.number(), self.number(), self.number()];
        Vec3::new(x * size, y * size, z * size)
    }

    /// Of unit length.
    pub(crate) fn direction(&mut self) -> Vec3 {
        loop {
            let Vec3 { x, y, z } = self.vector(1.0);
            let square = x * x + y * y + z * z;
            if square > 0.01 {
                let scale = 1.0 / square.sqrt();
                return Vec3::new(x * scale, y * scale, z * scale);
            }
        }
    }

    /// A turn that is off from another by a part of any turn: none for 0, any for much.
    pub(crate) fn rotation_near(&mut self, near: Quat, size: f32) -> Quat {
        loop {
            let [x, y, z, w] = near.to_array().map(|number| number + self.number() * size);
            let square = x * x + y * y + z * z + w * w;
            if square > 0.01 {
                let scale = 1.0 / square.sqrt();
                return Quat::from_xyzw(x * scale, y * scale, z * scale, w * scale);
            }
        }
    }

    /// Any turn.
    pub(crate) fn rotation(&mut self) -> Quat {
        self.rotation_near(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), 1.0)
    }
}

/// A checksum of bits: FNV-1a, 64 wide, over four bytes at a time.
pub(crate) struct Sum(u64);

impl Sum {
    pub(crate) fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub(crate) fn add<'a>(&mut self, numbers: impl IntoIterator<Item = &'a f32>) {
        for number in numbers {
            assert!(number.is_finite(), "numbers have bits of their own, what is none has not");
            self.0 = (self.0 ^ u64::from(number.to_bits())).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Fails, with what was found, when the bits are not those that every machine must give.
    #[track_caller]
    pub(crate) fn check(self, what: &str, expected: u64) {
        let Self(found) = self;
        assert!(found == expected, "{what}: 0x{found:016x}, not 0x{expected:016x}");
    }
}
