//! Eight numbers, one after the other: the definition of every operation.

use std::array::from_fn;
use std::ops::{Add, BitAnd, Mul, Sub};

use glam::Vec3A;

use crate::{Ints, Wide};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Floats([f32; 8]);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Whole([i32; 8]);

macro_rules! operator {
    ($trait:ident, $name:ident, $type:ident, $of:expr) => {
        impl $trait for $type {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                let of = $of;
                Self(from_fn(|lane| of(self.0[lane], other.0[lane])))
            }
        }
    };
}

operator!(Add, add, Floats, |a: f32, b: f32| a + b);
operator!(Sub, sub, Floats, |a: f32, b: f32| a - b);
operator!(Mul, mul, Floats, |a: f32, b: f32| a * b);
operator!(Add, add, Whole, |a: i32, b: i32| a.wrapping_add(b));
operator!(Sub, sub, Whole, |a: i32, b: i32| a.wrapping_sub(b));
operator!(BitAnd, bitand, Whole, |a: i32, b: i32| a & b);

impl Wide for Floats {
    type Ints = Whole;

    const PLAIN: bool = true;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([value; 8])
    }
    #[inline(always)]
    fn load(from: &[f32; 8]) -> Self {
        Self(*from)
    }
    #[inline(always)]
    fn store(self, to: &mut [f32; 8]) {
        *to = self.0;
    }
    #[inline(always)]
    fn mul_add(self, by: Self, plus: Self) -> Self {
        self * by + plus
    }
    #[inline(always)]
    fn mul_sub_from(self, by: Self, from: Self) -> Self {
        from - self * by
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(from_fn(
            |lane| {
                if self.0[lane] < other.0[lane] { other.0[lane] } else { self.0[lane] }
            },
        ))
    }
    #[inline(always)]
    fn over(self, by: Self) -> Self {
        Self(from_fn(|lane| self.0[lane] / by.0[lane]))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f32::sqrt))
    }
    #[inline(always)]
    fn rsqrt(self) -> Self {
        Self(self.0.map(|value| 1.0 / value.sqrt()))
    }
    #[inline(always)]
    fn flip(self, other: Self) -> Self {
        let sign = |value: f32| value.to_bits() & 0x8000_0000;
        Self(from_fn(|lane| f32::from_bits(self.0[lane].to_bits() ^ sign(other.0[lane]))))
    }
    #[inline(always)]
    fn above(self, other: Self) -> Whole {
        Whole(from_fn(|lane| -i32::from(self.0[lane] > other.0[lane])))
    }
    #[inline(always)]
    fn to_ints(self) -> Whole {
        Whole(self.0.map(|value| value as i32))
    }
    #[inline(always)]
    fn pair(a: Vec3A, b: Vec3A) -> Self {
        Self([a.x, a.y, a.z, 0.0, b.x, b.y, b.z, 0.0])
    }
    #[inline(always)]
    fn into_pair(self) -> [Vec3A; 2] {
        let [a, b, c, _, d, e, f, _] = self.0;
        [Vec3A::new(a, b, c), Vec3A::new(d, e, f)]
    }
    #[inline(always)]
    fn spread<const LANE: i32>(self) -> Self {
        Self(from_fn(|lane| self.0[(lane & 4) + LANE as usize]))
    }
    #[inline(always)]
    fn first_halves(self, other: Self) -> Self {
        Self(from_fn(|lane| if lane < 4 { self.0[lane] } else { other.0[lane - 4] }))
    }
    #[inline(always)]
    fn second_halves(self, other: Self) -> Self {
        Self(from_fn(|lane| if lane < 4 { self.0[lane + 4] } else { other.0[lane] }))
    }
    #[inline(always)]
    fn transpose(rows: [Self; 4]) -> [Self; 4] {
        from_fn(|row| Self(from_fn(|lane| rows[lane & 3].0[(lane & 4) + row])))
    }
    #[inline(always)]
    fn load3(from: &[[f32; 3]; 8]) -> [Self; 3] {
        from_fn(|axis| Self(from_fn(|lane| from[lane][axis])))
    }
    #[inline(always)]
    fn store3(xyz: [Self; 3], to: &mut [[f32; 3]; 8]) {
        *to = from_fn(|lane| from_fn(|axis| xyz[axis].0[lane]));
    }
}

impl Ints for Whole {
    type Floats = Floats;

    #[inline(always)]
    fn splat(value: i32) -> Self {
        Self([value; 8])
    }
    #[inline(always)]
    fn load(from: &[u8; 32]) -> Self {
        let fours = from.as_chunks::<4>().0;
        Self(from_fn(|lane| i32::from_le_bytes(fours[lane])))
    }
    #[inline(always)]
    fn store(self, to: &mut [i32; 8]) {
        *to = self.0;
    }
    #[inline(always)]
    fn from_bytes(bytes: u64) -> Self {
        Self(bytes.to_le_bytes().map(i32::from))
    }
    #[inline(always)]
    fn from_signed_bytes(bytes: u64) -> Self {
        Self(bytes.to_le_bytes().map(|byte| i32::from(byte as i8)))
    }
    #[inline(always)]
    fn from_shorts(words: &[i16; 8]) -> Self {
        Self(words.map(i32::from))
    }
    #[inline(always)]
    fn from_mask(mask: u8) -> Self {
        Self(from_fn(|lane| -i32::from(mask >> lane & 1)))
    }
    #[inline(always)]
    fn shift_left<const BY: i32>(self) -> Self {
        Self(self.0.map(|value| value << BY))
    }
    #[inline(always)]
    fn shift_right<const BY: i32>(self) -> Self {
        Self(self.0.map(|value| value >> BY))
    }
    #[inline(always)]
    fn shift_right_by(self, by: Self) -> Self {
        let shifted = |lane: usize| (self.0[lane] as u32).checked_shr(by.0[lane] as u32);
        Self(std::array::from_fn(|lane| shifted(lane).unwrap_or(0) as i32))
    }
    #[inline(always)]
    fn to_floats(self) -> Floats {
        Floats(self.0.map(|value| value as f32))
    }
    #[inline(always)]
    fn as_floats(self) -> Floats {
        Floats(self.0.map(|bits| f32::from_bits(bits as u32)))
    }
    #[inline(always)]
    fn gather(windows: [&[u8; 16]; 2], at: Self) -> Self {
        let byte = |lane: usize, step: usize| {
            windows[lane / 4][(at.0[lane] as usize).wrapping_add(step) & 15]
        };
        Self(from_fn(|lane| i32::from_le_bytes(from_fn(|step| byte(lane, step)))))
    }
    #[inline(always)]
    fn pick(self, a: Floats, b: Floats) -> Floats {
        Floats(from_fn(|lane| if self.0[lane] != 0 { a.0[lane] } else { b.0[lane] }))
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.0.iter().any(|&value| value != 0)
    }
    #[inline(always)]
    fn all(self) -> bool {
        self.0.iter().all(|&value| value < 0)
    }
}
