//! Eight numbers in two registers of four: what NEON and simd128 share.
//!
//! A back end gives [`Quad`], four lanes; everything here is made of two of them.

use std::ops::{Add, BitAnd, Mul, Sub};

use glam::Vec3A;

use crate::{Ints, Wide};

/// Four numbers in a register, and four whole numbers in another.
pub(crate) trait Quad: Copy + std::fmt::Debug {
    type Ints: Copy + std::fmt::Debug;

    fn splat(value: f32) -> Self;
    fn load(from: &[f32; 4]) -> Self;
    fn store(self, to: &mut [f32; 4]);
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn mul_add(self, by: Self, plus: Self) -> Self;
    fn mul_sub_from(self, by: Self, from: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn over(self, by: Self) -> Self;
    fn sqrt(self) -> Self;
    fn rsqrt(self) -> Self;
    fn flip(self, other: Self) -> Self;
    fn above(self, other: Self) -> Self::Ints;
    fn to_ints(self) -> Self::Ints;
    fn from_vector(vector: Vec3A) -> Self;
    fn into_vector(self) -> Vec3A;
    fn spread<const LANE: i32>(self) -> Self;
    fn transpose(rows: [Self; 4]) -> [Self; 4];
    fn load3(from: &[[f32; 3]; 4]) -> [Self; 3];
    fn store3(xyz: [Self; 3], to: &mut [[f32; 3]; 4]);

    fn splat_int(value: i32) -> Self::Ints;
    fn load_ints(from: &[i32; 4]) -> Self::Ints;
    fn store_ints(ints: Self::Ints, to: &mut [i32; 4]);
    fn add_ints(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    fn sub_ints(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    fn and(a: Self::Ints, b: Self::Ints) -> Self::Ints;
    fn shift_left<const BY: i32>(ints: Self::Ints) -> Self::Ints;
    fn shift_right<const BY: i32>(ints: Self::Ints) -> Self::Ints;
    fn shift_right_by(ints: Self::Ints, by: Self::Ints) -> Self::Ints;
    fn to_floats(ints: Self::Ints) -> Self;
    fn from_bits(ints: Self::Ints) -> Self;
    /// Lane by lane a byte number four times over, and then 0, 1, 2, 3 onwards.
    fn four_bytes(at: Self::Ints) -> Self::Ints;
    /// Bytes `at` of the window; any where the number is above 15.
    fn bytes(window: &[u8; 16], at: Self::Ints) -> Self::Ints;
    fn pick(mask: Self::Ints, a: Self, b: Self) -> Self;
    fn any(mask: Self::Ints) -> bool;
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Floats<Q>(Q, Q);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Whole<Q: Quad>(Q::Ints, Q::Ints);

macro_rules! operator {
    ($trait:ident, $name:ident, $type:ident, $four:ident) => {
        impl<Q: Quad> $trait for $type<Q> {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self(Q::$four(self.0, other.0), Q::$four(self.1, other.1))
            }
        }
    };
}

operator!(Add, add, Floats, add);
operator!(Sub, sub, Floats, sub);
operator!(Mul, mul, Floats, mul);
operator!(Add, add, Whole, add_ints);
operator!(Sub, sub, Whole, sub_ints);
operator!(BitAnd, bitand, Whole, and);

/// An array of eight as two of four.
macro_rules! halves {
    ($eight:expr) => {{
        let (fours, _) = $eight.as_chunks::<4>();
        (&fours[0], &fours[1])
    }};
}

impl<Q: Quad> Wide for Floats<Q> {
    type Ints = Whole<Q>;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(Q::splat(value), Q::splat(value))
    }
    #[inline(always)]
    fn load(from: &[f32; 8]) -> Self {
        let (a, b) = halves!(from);
        Self(Q::load(a), Q::load(b))
    }
    #[inline(always)]
    fn store(self, to: &mut [f32; 8]) {
        let (fours, _) = to.as_chunks_mut::<4>();
        self.0.store(&mut fours[0]);
        self.1.store(&mut fours[1]);
    }
    #[inline(always)]
    fn mul_add(self, by: Self, plus: Self) -> Self {
        Self(self.0.mul_add(by.0, plus.0), self.1.mul_add(by.1, plus.1))
    }
    #[inline(always)]
    fn mul_sub_from(self, by: Self, from: Self) -> Self {
        Self(self.0.mul_sub_from(by.0, from.0), self.1.mul_sub_from(by.1, from.1))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0), self.1.max(other.1))
    }
    #[inline(always)]
    fn over(self, by: Self) -> Self {
        Self(self.0.over(by.0), self.1.over(by.1))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt(), self.1.sqrt())
    }
    #[inline(always)]
    fn rsqrt(self) -> Self {
        Self(self.0.rsqrt(), self.1.rsqrt())
    }
    #[inline(always)]
    fn flip(self, other: Self) -> Self {
        Self(self.0.flip(other.0), self.1.flip(other.1))
    }
    #[inline(always)]
    fn above(self, other: Self) -> Whole<Q> {
        Whole(self.0.above(other.0), self.1.above(other.1))
    }
    #[inline(always)]
    fn to_ints(self) -> Whole<Q> {
        Whole(self.0.to_ints(), self.1.to_ints())
    }
    #[inline(always)]
    fn pair(a: Vec3A, b: Vec3A) -> Self {
        Self(Q::from_vector(a), Q::from_vector(b))
    }
    #[inline(always)]
    fn into_pair(self) -> [Vec3A; 2] {
        [self.0.into_vector(), self.1.into_vector()]
    }
    #[inline(always)]
    fn spread<const LANE: i32>(self) -> Self {
        Self(self.0.spread::<LANE>(), self.1.spread::<LANE>())
    }
    #[inline(always)]
    fn first_halves(self, other: Self) -> Self {
        Self(self.0, other.0)
    }
    #[inline(always)]
    fn second_halves(self, other: Self) -> Self {
        Self(self.1, other.1)
    }
    #[inline(always)]
    fn transpose(rows: [Self; 4]) -> [Self; 4] {
        let [Self(a, e), Self(b, f), Self(c, g), Self(d, h)] = rows;
        let [a, b, c, d] = Q::transpose([a, b, c, d]);
        let [e, f, g, h] = Q::transpose([e, f, g, h]);
        [Self(a, e), Self(b, f), Self(c, g), Self(d, h)]
    }
    #[inline(always)]
    fn load3(from: &[[f32; 3]; 8]) -> [Self; 3] {
        let (low, high) = halves!(from);
        let ([a, b, c], [d, e, f]) = (Q::load3(low), Q::load3(high));
        [Self(a, d), Self(b, e), Self(c, f)]
    }
    #[inline(always)]
    fn store3(xyz: [Self; 3], to: &mut [[f32; 3]; 8]) {
        let (fours, _) = to.as_chunks_mut::<4>();
        let [Self(a, d), Self(b, e), Self(c, f)] = xyz;
        Q::store3([a, b, c], &mut fours[0]);
        Q::store3([d, e, f], &mut fours[1]);
    }
}

impl<Q: Quad> Whole<Q> {
    #[inline(always)]
    fn from_array(array: [i32; 8]) -> Self {
        let (a, b) = halves!(array);
        Self(Q::load_ints(a), Q::load_ints(b))
    }
}

impl<Q: Quad> Ints for Whole<Q> {
    type Floats = Floats<Q>;

    #[inline(always)]
    fn splat(value: i32) -> Self {
        Self(Q::splat_int(value), Q::splat_int(value))
    }
    #[inline(always)]
    fn load(from: &[u8; 32]) -> Self {
        let (fours, _) = from.as_chunks::<4>();
        Self::from_array(std::array::from_fn(|lane| i32::from_le_bytes(fours[lane])))
    }
    #[inline(always)]
    fn store(self, to: &mut [i32; 8]) {
        let (fours, _) = to.as_chunks_mut::<4>();
        Q::store_ints(self.0, &mut fours[0]);
        Q::store_ints(self.1, &mut fours[1]);
    }
    #[inline(always)]
    fn from_bytes(bytes: u64) -> Self {
        Self::from_array(bytes.to_le_bytes().map(i32::from))
    }
    #[inline(always)]
    fn from_signed_bytes(bytes: u64) -> Self {
        Self::from_array(bytes.to_le_bytes().map(|byte| i32::from(byte as i8)))
    }
    #[inline(always)]
    fn from_shorts(words: &[i16; 8]) -> Self {
        Self::from_array(words.map(i32::from))
    }
    #[inline(always)]
    fn from_mask(mask: u8) -> Self {
        Self::from_array(std::array::from_fn(|lane| -i32::from(mask >> lane & 1)))
    }
    #[inline(always)]
    fn shift_left<const BY: i32>(self) -> Self {
        Self(Q::shift_left::<BY>(self.0), Q::shift_left::<BY>(self.1))
    }
    #[inline(always)]
    fn shift_right<const BY: i32>(self) -> Self {
        Self(Q::shift_right::<BY>(self.0), Q::shift_right::<BY>(self.1))
    }
    #[inline(always)]
    fn shift_right_by(self, by: Self) -> Self {
        Self(Q::shift_right_by(self.0, by.0), Q::shift_right_by(self.1, by.1))
    }
    #[inline(always)]
    fn to_floats(self) -> Floats<Q> {
        Floats(Q::to_floats(self.0), Q::to_floats(self.1))
    }
    #[inline(always)]
    fn as_floats(self) -> Floats<Q> {
        Floats(Q::from_bits(self.0), Q::from_bits(self.1))
    }
    #[inline(always)]
    fn gather(windows: [&[u8; 16]; 2], at: Self) -> Self {
        Self(Q::bytes(windows[0], Q::four_bytes(at.0)), Q::bytes(windows[1], Q::four_bytes(at.1)))
    }
    #[inline(always)]
    fn pick(self, a: Floats<Q>, b: Floats<Q>) -> Floats<Q> {
        Floats(Q::pick(self.0, a.0, b.0), Q::pick(self.1, a.1, b.1))
    }
    #[inline(always)]
    fn any(self) -> bool {
        Q::any(self.0) || Q::any(self.1)
    }
    #[inline(always)]
    fn all(self) -> bool {
        // The signs of both halves met, and shifted down to all bits or none.
        let signs = Q::shift_right::<31>(Q::and(self.0, self.1));
        !Q::any(Q::sub_ints(Q::splat_int(-1), signs))
    }
}
