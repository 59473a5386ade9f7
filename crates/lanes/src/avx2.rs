//! Eight numbers in one register: AVX2, with FMA on `SimdLevel::Fast`.
//!
//! Safety of every block below: these types are made only inside a kernel that [`run`](crate::run)
//! starts, after it has seen that the machine has AVX2 and FMA; the instructions ask for no more.
//! Loads and stores go through references to arrays of the very size that they touch, and none of
//! them asks for an alignment.
#![allow(unsafe_code)]

use std::arch::x86_64::*;
use std::fmt;
use std::ops::{Add, BitAnd, Mul, Sub};

use glam::Vec3A;

use crate::{Ints, Wide};

/// `JOIN`: whether multiplications are joined with additions. `MANY`: whether there are 32 registers,
/// as AVX-512 has them; nothing else of it is used.
#[derive(Clone, Copy)]
pub(crate) struct Floats<const JOIN: bool, const MANY: bool>(__m256);

#[derive(Clone, Copy)]
pub(crate) struct Whole<const JOIN: bool, const MANY: bool>(__m256i);

impl<const JOIN: bool, const MANY: bool> fmt::Debug for Floats<JOIN, MANY> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lanes = [0.0; 8];
        self.store(&mut lanes);
        lanes.fmt(f)
    }
}

impl<const JOIN: bool, const MANY: bool> fmt::Debug for Whole<JOIN, MANY> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lanes = [0; 8];
        self.store(&mut lanes);
        lanes.fmt(f)
    }
}

macro_rules! operator {
    ($trait:ident, $name:ident, $type:ident, $instruction:ident) => {
        impl<const JOIN: bool, const MANY: bool> $trait for $type<JOIN, MANY> {
            type Output = Self;
            #[inline(always)]
            fn $name(self, other: Self) -> Self {
                Self(unsafe { $instruction(self.0, other.0) })
            }
        }
    };
}

operator!(Add, add, Floats, _mm256_add_ps);
operator!(Sub, sub, Floats, _mm256_sub_ps);
operator!(Mul, mul, Floats, _mm256_mul_ps);
operator!(Add, add, Whole, _mm256_add_epi32);
operator!(Sub, sub, Whole, _mm256_sub_epi32);
operator!(BitAnd, bitand, Whole, _mm256_and_si256);

/// The order of four lanes within each half, from the two operands of a shuffle.
const fn order(a: i32, b: i32, c: i32, d: i32) -> i32 {
    a | b << 2 | c << 4 | d << 6
}

/// The three registers of eight vectors, first halves for vectors 0 to 3, seconds for 4 to 7.
///
/// Within a half: x0 y0 z0 x1, y1 z1 x2 y2, z2 x3 y3 z3. No place is asked for twice by the same
/// axis, so each is put in order once and the rest is blends, which every pipe can do.
#[inline(always)]
fn interleaved(xyz: [__m256; 3]) -> [__m256; 3] {
    let [x, y, z] = xyz;
    unsafe {
        let x = _mm256_permute_ps::<{ order(0, 3, 2, 1) }>(x);
        let y = _mm256_permute_ps::<{ order(1, 0, 3, 2) }>(y);
        let z = _mm256_permute_ps::<{ order(2, 1, 0, 3) }>(z);
        [
            _mm256_blend_ps::<0x44>(_mm256_blend_ps::<0x22>(x, y), z),
            _mm256_blend_ps::<0x22>(_mm256_blend_ps::<0x44>(y, x), z),
            _mm256_blend_ps::<0x44>(_mm256_blend_ps::<0x22>(z, x), y),
        ]
    }
}

impl<const JOIN: bool, const MANY: bool> Wide for Floats<JOIN, MANY> {
    type Ints = Whole<JOIN, MANY>;
    const MANY: bool = MANY;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(unsafe { _mm256_set1_ps(value) })
    }
    #[inline(always)]
    fn load(from: &[f32; 8]) -> Self {
        Self(unsafe { _mm256_loadu_ps(from.as_ptr()) })
    }
    #[inline(always)]
    fn store(self, to: &mut [f32; 8]) {
        unsafe { _mm256_storeu_ps(to.as_mut_ptr(), self.0) }
    }
    #[inline(always)]
    fn store_some(self, mask: Self::Ints, to: &mut [f32; 8]) {
        // Not a blend, which the compiler makes a masked store of: those take tens of cycles on AMD's machines.
        unsafe {
            let mask = _mm256_castsi256_ps(mask.0);
            let old = _mm256_andnot_ps(mask, Self::load(to).0);
            Self(_mm256_or_ps(_mm256_and_ps(mask, self.0), old)).store(to);
        }
    }
    #[inline(always)]
    fn mul_add(self, by: Self, plus: Self) -> Self {
        if JOIN { Self(unsafe { _mm256_fmadd_ps(self.0, by.0, plus.0) }) } else { self * by + plus }
    }
    #[inline(always)]
    fn mul_sub_from(self, by: Self, from: Self) -> Self {
        if JOIN {
            Self(unsafe { _mm256_fnmadd_ps(self.0, by.0, from.0) })
        } else {
            from - self * by
        }
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // The instruction gives its second operand in doubt.
        Self(unsafe { _mm256_max_ps(other.0, self.0) })
    }
    #[inline(always)]
    fn over(self, by: Self) -> Self {
        Self(unsafe { _mm256_div_ps(self.0, by.0) })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(unsafe { _mm256_sqrt_ps(self.0) })
    }
    #[inline(always)]
    fn rsqrt(self) -> Self {
        if JOIN {
            // Twelve bits, and one step of Newton's method.
            let guess = Self(unsafe { _mm256_rsqrt_ps(self.0) });
            let half = self * Self::splat(0.5);
            guess * (guess * guess).mul_sub_from(half, Self::splat(1.5))
        } else {
            Self(unsafe { _mm256_div_ps(_mm256_set1_ps(1.0), _mm256_sqrt_ps(self.0)) })
        }
    }
    #[inline(always)]
    fn recip(self) -> Self {
        if JOIN {
            // As above.
            let guess = Self(unsafe { _mm256_rcp_ps(self.0) });
            guess * guess.mul_sub_from(self, Self::splat(2.0))
        } else {
            Self::splat(1.0).over(self)
        }
    }
    #[inline(always)]
    fn flip(self, other: Self) -> Self {
        Self(unsafe { _mm256_xor_ps(self.0, _mm256_and_ps(other.0, _mm256_set1_ps(-0.0))) })
    }
    #[inline(always)]
    fn above(self, other: Self) -> Self::Ints {
        Whole(unsafe { _mm256_castps_si256(_mm256_cmp_ps::<_CMP_GT_OQ>(self.0, other.0)) })
    }
    #[inline(always)]
    fn to_ints(self) -> Self::Ints {
        Whole(unsafe { _mm256_cvttps_epi32(self.0) })
    }
    #[inline(always)]
    fn pair(a: Vec3A, b: Vec3A) -> Self {
        Self(unsafe { _mm256_set_m128(b.into(), a.into()) })
    }
    #[inline(always)]
    fn into_pair(self) -> [Vec3A; 2] {
        let (a, b) =
            unsafe { (_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0)) };
        [a.into(), b.into()]
    }
    #[inline(always)]
    fn spread<const LANE: i32>(self) -> Self {
        Self(unsafe {
            match LANE {
                0 => _mm256_permute_ps::<{ order(0, 0, 0, 0) }>(self.0),
                1 => _mm256_permute_ps::<{ order(1, 1, 1, 1) }>(self.0),
                2 => _mm256_permute_ps::<{ order(2, 2, 2, 2) }>(self.0),
                _ => _mm256_permute_ps::<{ order(3, 3, 3, 3) }>(self.0),
            }
        })
    }
    #[inline(always)]
    fn first_halves(self, other: Self) -> Self {
        Self(unsafe { _mm256_permute2f128_ps::<0x20>(self.0, other.0) })
    }
    #[inline(always)]
    fn second_halves(self, other: Self) -> Self {
        Self(unsafe { _mm256_permute2f128_ps::<0x31>(self.0, other.0) })
    }
    #[inline(always)]
    fn transpose(rows: [Self; 4]) -> [Self; 4] {
        let [Self(a), Self(b), Self(c), Self(d)] = rows;
        unsafe {
            let (ab, cd) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
            let (ef, gh) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
            [
                Self(_mm256_shuffle_ps::<{ order(0, 1, 0, 1) }>(ab, cd)),
                Self(_mm256_shuffle_ps::<{ order(2, 3, 2, 3) }>(ab, cd)),
                Self(_mm256_shuffle_ps::<{ order(0, 1, 0, 1) }>(ef, gh)),
                Self(_mm256_shuffle_ps::<{ order(2, 3, 2, 3) }>(ef, gh)),
            ]
        }
    }
    #[inline(always)]
    fn load3(from: &[[f32; 3]; 8]) -> [Self; 3] {
        let flat = from.as_flattened().as_ptr();
        // Six quarters of four numbers; the last begins at number 20 of 24.
        unsafe {
            let a = _mm256_loadu2_m128(flat.add(12), flat);
            let b = _mm256_loadu2_m128(flat.add(16), flat.add(4));
            let c = _mm256_loadu2_m128(flat.add(20), flat.add(8));
            let bc = _mm256_shuffle_ps::<{ order(2, 2, 1, 1) }>(b, c);
            let x = _mm256_shuffle_ps::<{ order(0, 3, 0, 2) }>(a, bc);
            let ab = _mm256_shuffle_ps::<{ order(1, 1, 0, 0) }>(a, b);
            let bc = _mm256_shuffle_ps::<{ order(3, 3, 2, 2) }>(b, c);
            let y = _mm256_shuffle_ps::<{ order(0, 2, 0, 2) }>(ab, bc);
            let ab = _mm256_shuffle_ps::<{ order(2, 2, 1, 1) }>(a, b);
            let z = _mm256_shuffle_ps::<{ order(0, 2, 0, 3) }>(ab, c);
            [Self(x), Self(y), Self(z)]
        }
    }
    #[inline(always)]
    fn store3(xyz: [Self; 3], to: &mut [[f32; 3]; 8]) {
        let flat = to.as_flattened_mut().as_mut_ptr();
        let [Self(x), Self(y), Self(z)] = xyz;
        let [a, b, c] = interleaved([x, y, z]);
        // The last begins at number 16 of 24.
        unsafe {
            _mm256_storeu_ps(flat, _mm256_permute2f128_ps::<0x20>(a, b));
            _mm256_storeu_ps(flat.add(8), _mm256_blend_ps::<0xf0>(c, a));
            _mm256_storeu_ps(flat.add(16), _mm256_permute2f128_ps::<0x31>(b, c));
        }
    }
    #[inline(always)]
    fn gather4(from: [&[f32; 4]; 8]) -> [Self; 4] {
        let [a, b, c, d, e, f, g, h] = from;
        unsafe {
            Self::transpose([
                Self(_mm256_loadu2_m128(e.as_ptr(), a.as_ptr())),
                Self(_mm256_loadu2_m128(f.as_ptr(), b.as_ptr())),
                Self(_mm256_loadu2_m128(g.as_ptr(), c.as_ptr())),
                Self(_mm256_loadu2_m128(h.as_ptr(), d.as_ptr())),
            ])
        }
    }
    #[inline(always)]
    fn scatter4(xyzw: [Self; 4], to: [&mut [f32; 4]; 8]) {
        let [Self(i), Self(j), Self(k), Self(l)] = Self::transpose(xyzw);
        let [a, b, c, d, e, f, g, h] = to;
        unsafe {
            _mm256_storeu2_m128(e.as_mut_ptr(), a.as_mut_ptr(), i);
            _mm256_storeu2_m128(f.as_mut_ptr(), b.as_mut_ptr(), j);
            _mm256_storeu2_m128(g.as_mut_ptr(), c.as_mut_ptr(), k);
            _mm256_storeu2_m128(h.as_mut_ptr(), d.as_mut_ptr(), l);
        }
    }
    #[inline(always)]
    fn store4(xyzw: [Self; 4], to: &mut [[f32; 4]; 8]) {
        let [a, b, c, d] = Self::transpose(xyzw);
        let (eights, _) = to.as_flattened_mut().as_chunks_mut::<8>();
        a.first_halves(b).store(&mut eights[0]);
        c.first_halves(d).store(&mut eights[1]);
        a.second_halves(b).store(&mut eights[2]);
        c.second_halves(d).store(&mut eights[3]);
    }
}

impl<const JOIN: bool, const MANY: bool> Ints for Whole<JOIN, MANY> {
    type Floats = Floats<JOIN, MANY>;

    #[inline(always)]
    fn splat(value: i32) -> Self {
        Self(unsafe { _mm256_set1_epi32(value) })
    }
    #[inline(always)]
    fn load(from: &[u8; 32]) -> Self {
        Self(unsafe { _mm256_loadu_si256(from.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, to: &mut [i32; 8]) {
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn from_bytes(bytes: u64) -> Self {
        Self(unsafe { _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(bytes as i64)) })
    }
    #[inline(always)]
    fn from_signed_bytes(bytes: u64) -> Self {
        Self(unsafe { _mm256_cvtepi8_epi32(_mm_cvtsi64_si128(bytes as i64)) })
    }
    #[inline(always)]
    fn from_shorts(words: &[i16; 8]) -> Self {
        Self(unsafe { _mm256_cvtepi16_epi32(_mm_loadu_si128(words.as_ptr().cast())) })
    }
    #[inline(always)]
    fn from_mask(mask: u8) -> Self {
        unsafe {
            let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            let set = _mm256_and_si256(_mm256_set1_epi32(i32::from(mask)), bits);
            Self(_mm256_cmpeq_epi32(set, bits))
        }
    }
    #[inline(always)]
    fn shift_left<const BY: i32>(self) -> Self {
        Self(unsafe { _mm256_slli_epi32::<BY>(self.0) })
    }
    #[inline(always)]
    fn shift_right<const BY: i32>(self) -> Self {
        Self(unsafe { _mm256_srai_epi32::<BY>(self.0) })
    }
    #[inline(always)]
    fn shift_right_by(self, by: Self) -> Self {
        Self(unsafe { _mm256_srlv_epi32(self.0, by.0) })
    }
    #[inline(always)]
    fn to_floats(self) -> Self::Floats {
        Floats(unsafe { _mm256_cvtepi32_ps(self.0) })
    }
    #[inline(always)]
    fn as_floats(self) -> Self::Floats {
        Floats(unsafe { _mm256_castsi256_ps(self.0) })
    }
    #[inline(always)]
    fn gather(windows: [&[u8; 16]; 2], at: Self) -> Self {
        unsafe {
            let [a, b] = windows;
            let both = _mm256_loadu2_m128i(b.as_ptr().cast(), a.as_ptr().cast());
            // Each lane's byte number four times over, and then 0, 1, 2, 3 onwards.
            let lowest = _mm256_setr_epi32(
                0,
                0x0404_0404,
                0x0808_0808,
                0x0c0c_0c0c,
                0,
                0x0404_0404,
                0x0808_0808,
                0x0c0c_0c0c,
            );
            let four = _mm256_shuffle_epi8(at.0, lowest);
            let bytes = _mm256_add_epi8(four, _mm256_set1_epi32(0x0302_0100));
            Self(_mm256_shuffle_epi8(both, bytes))
        }
    }
    #[inline(always)]
    fn pick(self, a: Self::Floats, b: Self::Floats) -> Self::Floats {
        Floats(unsafe { _mm256_blendv_ps(b.0, a.0, _mm256_castsi256_ps(self.0)) })
    }
    #[inline(always)]
    fn any(self) -> bool {
        unsafe { _mm256_testz_si256(self.0, self.0) == 0 }
    }
    #[inline(always)]
    fn all(self) -> bool {
        unsafe { _mm256_movemask_ps(_mm256_castsi256_ps(self.0)) == 0xff }
    }
}
