//! Four numbers in a register: NEON, with joined operations on `SimdLevel::Fast`.
//!
//! Safety of every block below: each 64-bit ARM that Rust builds for has NEON, and the
//! instructions ask for no more. Loads and stores go through references to arrays of the very size
//! that they touch, at any alignment.
#![allow(unsafe_code)]

use std::arch::aarch64::*;

use glam::Vec3A;

use crate::duo::Quad;

/// `JOIN`: whether multiplications are joined with additions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Four<const JOIN: bool>(float32x4_t);

impl<const JOIN: bool> Quad for Four<JOIN> {
    type Ints = int32x4_t;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(unsafe { vdupq_n_f32(value) })
    }
    #[inline(always)]
    fn load(from: &[f32; 4]) -> Self {
        Self(unsafe { vld1q_f32(from.as_ptr()) })
    }
    #[inline(always)]
    fn store(self, to: &mut [f32; 4]) {
        unsafe { vst1q_f32(to.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(unsafe { vaddq_f32(self.0, other.0) })
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(unsafe { vsubq_f32(self.0, other.0) })
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(unsafe { vmulq_f32(self.0, other.0) })
    }
    #[inline(always)]
    fn mul_add(self, by: Self, plus: Self) -> Self {
        if JOIN { Self(unsafe { vfmaq_f32(plus.0, self.0, by.0) }) } else { self.mul(by).add(plus) }
    }
    #[inline(always)]
    fn mul_sub_from(self, by: Self, from: Self) -> Self {
        if JOIN { Self(unsafe { vfmsq_f32(from.0, self.0, by.0) }) } else { from.sub(self.mul(by)) }
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // Not the instruction for it, which has another answer for what is not a number.
        Self(unsafe { vbslq_f32(vcltq_f32(self.0, other.0), other.0, self.0) })
    }
    #[inline(always)]
    fn over(self, by: Self) -> Self {
        Self(unsafe { vdivq_f32(self.0, by.0) })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(unsafe { vsqrtq_f32(self.0) })
    }
    #[inline(always)]
    fn rsqrt(self) -> Self {
        Self(unsafe { vdivq_f32(vdupq_n_f32(1.0), vsqrtq_f32(self.0)) })
    }
    #[inline(always)]
    fn flip(self, other: Self) -> Self {
        unsafe {
            let sign = vandq_u32(vreinterpretq_u32_f32(other.0), vdupq_n_u32(0x8000_0000));
            Self(vreinterpretq_f32_u32(veorq_u32(vreinterpretq_u32_f32(self.0), sign)))
        }
    }
    #[inline(always)]
    fn above(self, other: Self) -> int32x4_t {
        unsafe { vreinterpretq_s32_u32(vcgtq_f32(self.0, other.0)) }
    }
    #[inline(always)]
    fn to_ints(self) -> int32x4_t {
        unsafe { vcvtq_s32_f32(self.0) }
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
        Self(unsafe {
            match LANE {
                0 => vdupq_laneq_f32::<0>(self.0),
                1 => vdupq_laneq_f32::<1>(self.0),
                2 => vdupq_laneq_f32::<2>(self.0),
                _ => vdupq_laneq_f32::<3>(self.0),
            }
        })
    }
    #[inline(always)]
    fn transpose(rows: [Self; 4]) -> [Self; 4] {
        let [Self(a), Self(b), Self(c), Self(d)] = rows;
        unsafe {
            let (ac, bd) = (vzip1q_f32(a, c), vzip1q_f32(b, d));
            let (eg, fh) = (vzip2q_f32(a, c), vzip2q_f32(b, d));
            [
                Self(vzip1q_f32(ac, bd)),
                Self(vzip2q_f32(ac, bd)),
                Self(vzip1q_f32(eg, fh)),
                Self(vzip2q_f32(eg, fh)),
            ]
        }
    }
    #[inline(always)]
    fn load3(from: &[[f32; 3]; 4]) -> [Self; 3] {
        let float32x4x3_t(x, y, z) = unsafe { vld3q_f32(from.as_flattened().as_ptr()) };
        [Self(x), Self(y), Self(z)]
    }
    #[inline(always)]
    fn store3(xyz: [Self; 3], to: &mut [[f32; 3]; 4]) {
        let [Self(x), Self(y), Self(z)] = xyz;
        unsafe { vst3q_f32(to.as_flattened_mut().as_mut_ptr(), float32x4x3_t(x, y, z)) }
    }
    #[inline(always)]
    fn splat_int(value: i32) -> int32x4_t {
        unsafe { vdupq_n_s32(value) }
    }
    #[inline(always)]
    fn load_ints(from: &[i32; 4]) -> int32x4_t {
        unsafe { vld1q_s32(from.as_ptr()) }
    }
    #[inline(always)]
    fn store_ints(ints: int32x4_t, to: &mut [i32; 4]) {
        unsafe { vst1q_s32(to.as_mut_ptr(), ints) }
    }
    #[inline(always)]
    fn add_ints(a: int32x4_t, b: int32x4_t) -> int32x4_t {
        unsafe { vaddq_s32(a, b) }
    }
    #[inline(always)]
    fn sub_ints(a: int32x4_t, b: int32x4_t) -> int32x4_t {
        unsafe { vsubq_s32(a, b) }
    }
    #[inline(always)]
    fn and(a: int32x4_t, b: int32x4_t) -> int32x4_t {
        unsafe { vandq_s32(a, b) }
    }
    #[inline(always)]
    fn shift_left<const BY: i32>(ints: int32x4_t) -> int32x4_t {
        unsafe { vshlq_n_s32::<BY>(ints) }
    }
    #[inline(always)]
    fn shift_right<const BY: i32>(ints: int32x4_t) -> int32x4_t {
        unsafe { vshrq_n_s32::<BY>(ints) }
    }
    #[inline(always)]
    fn shift_right_by(ints: int32x4_t, by: int32x4_t) -> int32x4_t {
        // To the left by less than nothing.
        unsafe { vreinterpretq_s32_u32(vshlq_u32(vreinterpretq_u32_s32(ints), vnegq_s32(by))) }
    }
    #[inline(always)]
    fn to_floats(ints: int32x4_t) -> Self {
        Self(unsafe { vcvtq_f32_s32(ints) })
    }
    #[inline(always)]
    fn from_bits(ints: int32x4_t) -> Self {
        Self(unsafe { vreinterpretq_f32_s32(ints) })
    }
    #[inline(always)]
    fn four_bytes(at: int32x4_t) -> int32x4_t {
        unsafe { vaddq_s32(vmulq_n_s32(at, 0x0101_0101), vdupq_n_s32(0x0302_0100)) }
    }
    #[inline(always)]
    fn bytes(window: &[u8; 16], at: int32x4_t) -> int32x4_t {
        unsafe {
            let found = vqtbl1q_u8(vld1q_u8(window.as_ptr()), vreinterpretq_u8_s32(at));
            vreinterpretq_s32_u8(found)
        }
    }
    #[inline(always)]
    fn pick(mask: int32x4_t, a: Self, b: Self) -> Self {
        Self(unsafe { vbslq_f32(vreinterpretq_u32_s32(mask), a.0, b.0) })
    }
    #[inline(always)]
    fn any(mask: int32x4_t) -> bool {
        unsafe { vmaxvq_u32(vreinterpretq_u32_s32(mask)) != 0 }
    }
}
