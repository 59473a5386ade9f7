//! Four numbers in a register: simd128 of WebAssembly, which has no joined operations, so that its
//! fast level is its deterministic one.
//!
//! Safety of every block below: loads and stores go through references to arrays of the very size
//! that they touch, at any alignment; simd128 asks for nothing else.
#![allow(unsafe_code)]

use std::arch::wasm32::*;

use glam::Vec3A;

use crate::duo::Quad;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Four(v128);

impl Quad for Four {
    type Ints = v128;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(f32x4_splat(value))
    }
    #[inline(always)]
    fn load(from: &[f32; 4]) -> Self {
        Self(unsafe { v128_load(from.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, to: &mut [f32; 4]) {
        unsafe { v128_store(to.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(f32x4_add(self.0, other.0))
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(f32x4_sub(self.0, other.0))
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(f32x4_mul(self.0, other.0))
    }
    #[inline(always)]
    fn mul_add(self, by: Self, plus: Self) -> Self {
        self.mul(by).add(plus)
    }
    #[inline(always)]
    fn mul_sub_from(self, by: Self, from: Self) -> Self {
        from.sub(self.mul(by))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(f32x4_pmax(self.0, other.0))
    }
    #[inline(always)]
    fn over(self, by: Self) -> Self {
        Self(f32x4_div(self.0, by.0))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(f32x4_sqrt(self.0))
    }
    #[inline(always)]
    fn rsqrt(self) -> Self {
        Self(f32x4_div(f32x4_splat(1.0), f32x4_sqrt(self.0)))
    }
    #[inline(always)]
    fn flip(self, other: Self) -> Self {
        Self(v128_xor(self.0, v128_and(other.0, f32x4_splat(-0.0))))
    }
    #[inline(always)]
    fn above(self, other: Self) -> v128 {
        f32x4_gt(self.0, other.0)
    }
    #[inline(always)]
    fn to_ints(self) -> v128 {
        i32x4_trunc_sat_f32x4(self.0)
    }
    #[inline(always)]
    fn from_vector(vector: Vec3A) -> Self {
        Self(vector.into())
    }
    #[inline(always)]
    fn into_vector(self) -> Vec3A {
        self.0.into()
    }
    #[inline(always)]
    fn spread<const LANE: i32>(self) -> Self {
        Self(match LANE {
            0 => i32x4_shuffle::<0, 0, 0, 0>(self.0, self.0),
            1 => i32x4_shuffle::<1, 1, 1, 1>(self.0, self.0),
            2 => i32x4_shuffle::<2, 2, 2, 2>(self.0, self.0),
            _ => i32x4_shuffle::<3, 3, 3, 3>(self.0, self.0),
        })
    }
    #[inline(always)]
    fn transpose(rows: [Self; 4]) -> [Self; 4] {
        let [Self(a), Self(b), Self(c), Self(d)] = rows;
        let (ab, cd) = (i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<0, 4, 1, 5>(c, d));
        let (ef, gh) = (i32x4_shuffle::<2, 6, 3, 7>(a, b), i32x4_shuffle::<2, 6, 3, 7>(c, d));
        [
            Self(i32x4_shuffle::<0, 1, 4, 5>(ab, cd)),
            Self(i32x4_shuffle::<2, 3, 6, 7>(ab, cd)),
            Self(i32x4_shuffle::<0, 1, 4, 5>(ef, gh)),
            Self(i32x4_shuffle::<2, 3, 6, 7>(ef, gh)),
        ]
    }
    #[inline(always)]
    fn load3(from: &[[f32; 3]; 4]) -> [Self; 3] {
        // x0 y0 z0 x1, y1 z1 x2 y2, z2 x3 y3 z3.
        let (fours, _) = from.as_flattened().as_chunks::<4>();
        let (Self(a), Self(b), Self(c)) =
            (Self::load(&fours[0]), Self::load(&fours[1]), Self::load(&fours[2]));
        let bc = i32x4_shuffle::<2, 5, 3, 6>(b, c);
        let ab = i32x4_shuffle::<1, 4, 2, 5>(a, b);
        [
            Self(i32x4_shuffle::<0, 3, 4, 5>(a, bc)),
            Self(i32x4_shuffle::<0, 1, 6, 7>(ab, bc)),
            Self(i32x4_shuffle::<2, 3, 4, 7>(ab, c)),
        ]
    }
    #[inline(always)]
    fn store3(xyz: [Self; 3], to: &mut [[f32; 3]; 4]) {
        let [Self(x), Self(y), Self(z)] = xyz;
        let (fours, _) = to.as_flattened_mut().as_chunks_mut::<4>();
        let (xy, zx) = (i32x4_shuffle::<0, 4, 2, 6>(x, y), i32x4_shuffle::<0, 5, 2, 7>(z, x));
        let yz = i32x4_shuffle::<1, 5, 3, 7>(y, z);
        Self(i32x4_shuffle::<0, 1, 4, 5>(xy, zx)).store(&mut fours[0]);
        Self(i32x4_shuffle::<0, 1, 6, 7>(yz, xy)).store(&mut fours[1]);
        Self(i32x4_shuffle::<2, 3, 6, 7>(zx, yz)).store(&mut fours[2]);
    }
    #[inline(always)]
    fn splat_int(value: i32) -> v128 {
        i32x4_splat(value)
    }
    #[inline(always)]
    fn load_ints(from: &[i32; 4]) -> v128 {
        unsafe { v128_load(from.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store_ints(ints: v128, to: &mut [i32; 4]) {
        unsafe { v128_store(to.as_mut_ptr().cast(), ints) }
    }
    #[inline(always)]
    fn add_ints(a: v128, b: v128) -> v128 {
        i32x4_add(a, b)
    }
    #[inline(always)]
    fn sub_ints(a: v128, b: v128) -> v128 {
        i32x4_sub(a, b)
    }
    #[inline(always)]
    fn and(a: v128, b: v128) -> v128 {
        v128_and(a, b)
    }
    #[inline(always)]
    fn shift_left<const BY: i32>(ints: v128) -> v128 {
        i32x4_shl(ints, BY as u32)
    }
    #[inline(always)]
    fn shift_right<const BY: i32>(ints: v128) -> v128 {
        i32x4_shr(ints, BY as u32)
    }
    #[inline(always)]
    fn shift_right_by(ints: v128, by: v128) -> v128 {
        // There is no such instruction: lane by lane, as numbers of 64 bits, where 32 is no exception.
        let one = |value: u32, by: u32| (u64::from(value) >> by) as u32;
        u32x4(
            one(u32x4_extract_lane::<0>(ints), u32x4_extract_lane::<0>(by)),
            one(u32x4_extract_lane::<1>(ints), u32x4_extract_lane::<1>(by)),
            one(u32x4_extract_lane::<2>(ints), u32x4_extract_lane::<2>(by)),
            one(u32x4_extract_lane::<3>(ints), u32x4_extract_lane::<3>(by)),
        )
    }
    #[inline(always)]
    fn to_floats(ints: v128) -> Self {
        Self(f32x4_convert_i32x4(ints))
    }
    #[inline(always)]
    fn from_bits(ints: v128) -> Self {
        Self(ints)
    }
    #[inline(always)]
    fn four_bytes(at: v128) -> v128 {
        i32x4_add(i32x4_mul(at, i32x4_splat(0x0101_0101)), i32x4_splat(0x0302_0100))
    }
    #[inline(always)]
    fn bytes(window: &[u8; 16], at: v128) -> v128 {
        i8x16_swizzle(unsafe { v128_load(window.as_ptr().cast()) }, at)
    }
    #[inline(always)]
    fn pick(mask: v128, a: Self, b: Self) -> Self {
        Self(v128_bitselect(a.0, b.0, mask))
    }
    #[inline(always)]
    fn any(mask: v128) -> bool {
        v128_any_true(mask)
    }
}
