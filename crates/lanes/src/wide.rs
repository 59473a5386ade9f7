//! What a back end can do with eight numbers.
//!
//! A *half* is four lanes: 0 to 3, or 4 to 7. Operations that stay within halves cost the same on
//! machines with four lanes a register.

use std::fmt::Debug;
use std::ops::{Add, BitAnd, Mul, Sub};

use glam::Vec3A;

/// Eight single-precision numbers.
pub trait Wide:
    Copy + Debug + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    /// Eight whole numbers of the same machine.
    type Ints: Ints<Floats = Self>;

    /// Whether these are plain numbers: loops need not be written out for them.
    const PLAIN: bool = false;
    /// Whether there are 32 registers, not 16: more can be in flight at a time.
    const MANY: bool = false;

    /// The same number eight times.
    fn splat(value: f32) -> Self;
    /// Reads eight numbers.
    fn load(from: &[f32; 8]) -> Self;
    /// Writes eight numbers.
    fn store(self, to: &mut [f32; 8]);
    /// Writes the numbers where all bits of `mask` are set; where none are, what is there stays.
    #[inline(always)]
    fn store_some(self, mask: Self::Ints, to: &mut [f32; 8]) {
        mask.pick(self, Self::load(to)).store(to);
    }
    /// `self · by + plus`; joined on [`SimdLevel::Fast`](crate::SimdLevel::Fast), which then rounds once instead of twice.
    fn mul_add(self, by: Self, plus: Self) -> Self;
    /// `from - self · by`; joined on [`SimdLevel::Fast`](crate::SimdLevel::Fast).
    fn mul_sub_from(self, by: Self, from: Self) -> Self;
    /// The larger of each; `self` where they are equal or one is not a number.
    fn max(self, other: Self) -> Self;
    /// `self / by`.
    fn over(self, by: Self) -> Self;
    /// Square roots.
    fn sqrt(self) -> Self;
    /// One over the square root. The fast level may be off by 4e-7 of the result, and asks for
    /// numbers from 1e-36 to 1e36.
    fn rsqrt(self) -> Self;
    /// One over each. The fast level may be off by 2e-7 of the result, and asks for numbers from 1e-36 to 1e36.
    #[inline(always)]
    fn recip(self) -> Self {
        Self::splat(1.0).over(self)
    }
    /// Without their signs.
    #[inline(always)]
    fn abs(self) -> Self {
        self.flip(self)
    }
    /// Turned over where `other` has a minus sign.
    fn flip(self, other: Self) -> Self;
    /// All bits where `self` is above `other`, else none.
    fn above(self, other: Self) -> Self::Ints;
    /// Towards zero, for numbers that fit.
    fn to_ints(self) -> Self::Ints;

    /// `a` in the first half, `b` in the second; the fourth lane of each is anything.
    fn pair(a: Vec3A, b: Vec3A) -> Self;
    /// The two halves, without their fourth lanes.
    fn into_pair(self) -> [Vec3A; 2];
    /// Lane `LANE` (0 to 3) of each half, all over that half.
    fn spread<const LANE: i32>(self) -> Self;
    /// The first halves of `self` and `other`.
    fn first_halves(self, other: Self) -> Self;
    /// The second halves of `self` and `other`.
    fn second_halves(self, other: Self) -> Self;
    /// Within each half, rows become columns.
    fn transpose(rows: [Self; 4]) -> [Self; 4];
    /// Eight vectors: their x, y and z.
    fn load3(from: &[[f32; 3]; 8]) -> [Self; 3];
    /// Writes x, y and z as eight vectors.
    fn store3(xyz: [Self; 3], to: &mut [[f32; 3]; 8]);
    /// Eight vectors: their x, y, z and w.
    #[inline(always)]
    fn load4(from: &[[f32; 4]; 8]) -> [Self; 4] {
        let [a, b, c, d, e, f, g, h] = from;
        Self::gather4([a, b, c, d, e, f, g, h])
    }
    /// Eight vectors from different places: their x, y, z and w.
    #[inline(always)]
    fn gather4(from: [&[f32; 4]; 8]) -> [Self; 4] {
        let [a, b, c, d, e, f, g, h] = from;
        Self::transpose([join(a, e), join(b, f), join(c, g), join(d, h)])
    }
    /// Writes x, y, z and w as eight vectors.
    #[inline(always)]
    fn store4(xyzw: [Self; 4], to: &mut [[f32; 4]; 8]) {
        let [a, b, c, d, e, f, g, h] = to;
        Self::scatter4(xyzw, [a, b, c, d, e, f, g, h]);
    }
    /// Writes x, y, z and w as eight vectors in different places.
    #[inline(always)]
    fn scatter4(xyzw: [Self; 4], to: [&mut [f32; 4]; 8]) {
        let [a, b, c, d, e, f, g, h] = to;
        for (row, (low, high)) in
            Self::transpose(xyzw).into_iter().zip([(a, e), (b, f), (c, g), (d, h)])
        {
            let mut both = [0.0; 8];
            row.store(&mut both);
            low.copy_from_slice(&both[..4]);
            high.copy_from_slice(&both[4..]);
        }
    }
    /// Rows become columns, all eight.
    #[inline(always)]
    fn transpose8(rows: [Self; 8]) -> [Self; 8] {
        let [a, b, c, d, e, f, g, h] = rows;
        let [a, b, c, d] = Self::transpose([a, b, c, d]);
        let [e, f, g, h] = Self::transpose([e, f, g, h]);
        [
            a.first_halves(e),
            b.first_halves(f),
            c.first_halves(g),
            d.first_halves(h),
            a.second_halves(e),
            b.second_halves(f),
            c.second_halves(g),
            d.second_halves(h),
        ]
    }
}

#[inline(always)]
fn join<W: Wide>(low: &[f32; 4], high: &[f32; 4]) -> W {
    W::load(&[low[0], low[1], low[2], low[3], high[0], high[1], high[2], high[3]])
}

/// Eight whole numbers of 32 bits.
pub trait Ints:
    Copy + Debug + Add<Output = Self> + Sub<Output = Self> + BitAnd<Output = Self>
{
    /// Eight single-precision numbers of the same machine.
    type Floats: Wide<Ints = Self>;

    /// The same number eight times.
    fn splat(value: i32) -> Self;
    /// Reads eight numbers, least byte first.
    fn load(from: &[u8; 32]) -> Self;
    /// Writes eight numbers.
    fn store(self, to: &mut [i32; 8]);
    /// Eight bytes, the least first, each from 0 to 255.
    fn from_bytes(bytes: u64) -> Self;
    /// Eight bytes, the least first, each from -128 to 127.
    fn from_signed_bytes(bytes: u64) -> Self;
    /// Eight words, each from -32768 to 32767.
    fn from_shorts(words: &[i16; 8]) -> Self;
    /// All bits in the lanes whose bit is set (the least is lane 0), none in the others.
    fn from_mask(mask: u8) -> Self;
    /// To the left by `BY`.
    fn shift_left<const BY: i32>(self) -> Self;
    /// To the right by `BY`, with the sign.
    fn shift_right<const BY: i32>(self) -> Self;
    /// To the right, each lane by its own number from 0 to 32, without the sign.
    fn shift_right_by(self, by: Self) -> Self;
    /// As floating-point numbers, rounded to nearest.
    fn to_floats(self) -> Self::Floats;
    /// The same bits, as floating-point numbers.
    fn as_floats(self) -> Self::Floats;
    /// Four bytes for each lane, least first, that begin at byte `at[i]` (0 to 16) of its half's window. Those beyond it are
    /// any: levels differ there.
    fn gather(windows: [&[u8; 16]; 2], at: Self) -> Self;
    /// Where all bits are set `a`, where none are `b`.
    fn pick(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// Whether any bit is set.
    fn any(self) -> bool;
    /// Whether every lane is negative: for masks, whether all of it is set.
    fn all(self) -> bool;
}
