//! Every back end against the plain numbers, operation by operation.

use glam::Vec3A;

use crate::{Ints, Kernel, SimdLevel, Wide, run};

/// Awkward numbers and plain ones; 1.1² - 1.21 shows whether operations are joined.
const A: [f32; 8] = [1.5, -2.25, 0.0, -0.0, 3.0e-20, 1.0e10, 1.1, 0.3];
const B: [f32; 8] = [0.1, 3.5, -0.0, 0.0, 2.0, -1.0e-10, 1.1, f32::NAN];
const C: [f32; 8] = [9.0, 0.25, 1.0e-12, 4.0, 2.0, 1.0e12, -1.21, 3.0];
const TRIPLES: [[f32; 3]; 8] = [
    [0.0, 1.0, 2.0],
    [3.0, 4.0, 5.0],
    [6.0, 7.0, 8.0],
    [9.0, 10.0, 11.0],
    [12.0, 13.0, 14.0],
    [15.0, 16.0, 17.0],
    [18.0, 19.0, 20.0],
    [21.0, 22.0, 23.0],
];

/// Runs every operation and gives back what came out, in order.
struct Everything;

impl Kernel for Everything {
    type Output = Vec<(&'static str, [u32; 8])>;

    #[inline(always)]
    fn run<W: Wide>(self) -> Self::Output {
        let mut found = Vec::new();
        let mut keep = |name: &'static str, value: W| {
            let mut lanes = [0.0; 8];
            value.store(&mut lanes);
            found.push((name, lanes.map(f32::to_bits)));
        };
        let (a, b, c) = (W::load(&A), W::load(&B), W::load(&C));
        keep("add", a + b);
        keep("sub", a - b);
        keep("mul", a * b);
        keep("mul_add", a.mul_add(b, c));
        keep("mul_sub_from", a.mul_sub_from(b, c));
        keep("max", a.max(b));
        keep("max back", b.max(a));
        keep("sqrt", c.sqrt());
        keep("rsqrt", c.rsqrt());
        keep("recip", c.recip());
        keep("flip", a.flip(b));
        keep("spread 0", a.spread::<0>());
        keep("spread 1", a.spread::<1>());
        keep("spread 2", a.spread::<2>());
        keep("spread 3", a.spread::<3>());
        keep("first halves", a.first_halves(b));
        keep("second halves", a.second_halves(b));
        for row in W::transpose([a, b, c, W::splat(5.0)]) {
            keep("transpose", row);
        }
        for row in W::load3(&TRIPLES) {
            keep("load3", row);
        }
        let mut triples = [[0.0; 3]; 8];
        W::store3([a, b, c], &mut triples);
        for row in W::load3(&triples) {
            keep("store3", row);
        }
        let quads: [[f32; 4]; 8] =
            std::array::from_fn(|at| std::array::from_fn(|axis| (4 * at + axis) as f32));
        for row in W::load4(&quads) {
            keep("load4", row);
        }
        let rows: [W; 8] =
            std::array::from_fn(|at| W::load(&std::array::from_fn(|lane| (8 * at + lane) as f32)));
        for row in W::transpose8(rows) {
            keep("transpose8", row);
        }
        keep("abs", (a - b).abs());
        keep("over", a.over(b));
        let mut back = [[0.0; 4]; 8];
        W::store4(W::load4(&quads), &mut back);
        assert_eq!(back, quads);
        let [e, f, g, h, a4, b4, c4, d4] = &mut back;
        W::scatter4(W::load4(&quads), [a4, b4, c4, d4, e, f, g, h]);
        assert_eq!((&back[..4], &back[4..]), (&quads[4..], &quads[..4]));
        let [first, second] = W::pair(Vec3A::X, Vec3A::new(4.0, 5.0, 6.0)).into_pair();
        assert_eq!((first, second), (Vec3A::X, Vec3A::new(4.0, 5.0, 6.0)));
        keep("pick", a.above(b).pick(a, c));
        keep("mask", W::Ints::from_mask(0b1010_0110).pick(a, c));
        assert!(a.above(b).any() && !a.above(a).any());
        for lane in 0..8 {
            assert!(!W::Ints::from_mask(!(1 << lane)).all(), "lane {lane}");
        }
        assert!(W::Ints::from_mask(0xff).all() && !W::Ints::splat(1).all());

        let mut keep = |name: &'static str, value: W::Ints| {
            let mut lanes = [0; 8];
            value.store(&mut lanes);
            found.push((name, lanes.map(|lane| lane as u32)));
        };
        let bytes = 0x80ff_7f01_2003_0499;
        let low = W::Ints::from_bytes(bytes);
        let signed = W::Ints::from_signed_bytes(bytes);
        let words: [u8; 16] = std::array::from_fn(|at| (at * 37 + 200) as u8);
        let all: [u8; 32] = std::array::from_fn(|at| (at * 91 + 17) as u8);
        keep("bytes", low);
        keep("signed bytes", signed);
        keep("shorts", W::Ints::from_shorts(&[0, 1, -1, 300, -300, 32767, -32768, 7]));
        keep("load", W::Ints::load(&all));
        keep("add", W::Ints::load(&all) + low);
        keep("sub", low - signed);
        keep("and", low & signed);
        keep("left", signed.shift_left::<3>());
        keep("right", signed.shift_right::<3>());
        keep("right by", signed.shift_right_by(W::Ints::from_bytes(0x201f_1e08_0701_0020)));
        keep("to ints", W::load(&C.map(|value| value.min(1e6))).to_ints());
        let at = W::Ints::from_bytes(0x0c00_0305_0c01_0007);
        let second: [u8; 16] = std::array::from_fn(|at| 255 - at as u8);
        keep("gather", W::Ints::gather([&words, &second], at));
        let mut lanes = [0.0; 8];
        signed.to_floats().store(&mut lanes);
        found.push(("to floats", lanes.map(f32::to_bits)));
        let mut some = [7.0; 8];
        W::splat(3.0).store_some(W::Ints::from_mask(0b1010_0110), &mut some);
        assert_eq!(some, [7.0, 3.0, 3.0, 7.0, 7.0, 3.0, 7.0, 3.0]);
        found
    }
}

fn same(name: &str, found: [u32; 8], expected: [u32; 8]) -> bool {
    let not_number = |bits: u32| f32::from_bits(bits).is_nan() && !name.contains("bytes");
    std::iter::zip(found, expected).all(|(a, b)| a == b || (not_number(a) && not_number(b)))
}

#[test]
fn the_deterministic_level_has_the_very_bits_of_the_plain_numbers() {
    let plain = run(SimdLevel::Scalar, Everything);
    for (found, expected) in std::iter::zip(run(SimdLevel::Deterministic, Everything), plain) {
        assert!(same(found.0, found.1, expected.1), "{found:x?} is not {expected:x?}");
    }
}

#[test]
fn the_fast_level_strays_in_joined_operations_roots_and_reciprocals_alone() {
    let plain = run(SimdLevel::Scalar, Everything);
    for (found, expected) in std::iter::zip(run(SimdLevel::Fast, Everything), plain) {
        if !["mul_add", "mul_sub_from", "rsqrt", "recip"].contains(&found.0) {
            assert!(same(found.0, found.1, expected.1), "{found:x?} is not {expected:x?}");
            continue;
        }
        for (a, b) in std::iter::zip(found.1, expected.1) {
            let (a, b) = (f32::from_bits(a), f32::from_bits(b));
            // 1.1² - 1.21 is all rounding, of 1.21.
            let close = (a - b).abs() <= 4e-7 * b.abs().max(if b.abs() < 1e-6 { 1.0 } else { b });
            assert!(close || (a.is_nan() && b.is_nan()), "{}: {a} is not {b}", found.0);
        }
    }
}

/// Two halves made of plain numbers prove what NEON and simd128 are put together by.
mod plain_halves {
    use super::*;
    use crate::duo::{self, Quad};
    use std::array::from_fn;

    impl Quad for [f32; 4] {
        type Ints = [i32; 4];

        fn splat(value: f32) -> Self {
            [value; 4]
        }
        fn load(from: &[f32; 4]) -> Self {
            *from
        }
        fn store(self, to: &mut [f32; 4]) {
            *to = self;
        }
        fn add(self, other: Self) -> Self {
            from_fn(|at| self[at] + other[at])
        }
        fn sub(self, other: Self) -> Self {
            from_fn(|at| self[at] - other[at])
        }
        fn mul(self, other: Self) -> Self {
            from_fn(|at| self[at] * other[at])
        }
        fn mul_add(self, by: Self, plus: Self) -> Self {
            self.mul(by).add(plus)
        }
        fn mul_sub_from(self, by: Self, from: Self) -> Self {
            from.sub(self.mul(by))
        }
        fn max(self, other: Self) -> Self {
            from_fn(|at| if self[at] < other[at] { other[at] } else { self[at] })
        }
        fn over(self, by: Self) -> Self {
            from_fn(|at| self[at] / by[at])
        }
        fn sqrt(self) -> Self {
            self.map(f32::sqrt)
        }
        fn rsqrt(self) -> Self {
            self.map(|value| 1.0 / value.sqrt())
        }
        fn flip(self, other: Self) -> Self {
            from_fn(|at| if other[at].is_sign_negative() { -self[at] } else { self[at] })
        }
        fn above(self, other: Self) -> [i32; 4] {
            from_fn(|at| -i32::from(self[at] > other[at]))
        }
        fn to_ints(self) -> [i32; 4] {
            self.map(|value| value as i32)
        }
        fn from_vector(vector: Vec3A) -> Self {
            vector.extend(0.0).to_array()
        }
        fn into_vector(self) -> Vec3A {
            Vec3A::from_slice(&self)
        }
        fn spread<const LANE: i32>(self) -> Self {
            [self[LANE as usize]; 4]
        }
        fn transpose(rows: [Self; 4]) -> [Self; 4] {
            from_fn(|row| from_fn(|at| rows[at][row]))
        }
        fn load3(from: &[[f32; 3]; 4]) -> [Self; 3] {
            from_fn(|axis| from_fn(|at| from[at][axis]))
        }
        fn store3(xyz: [Self; 3], to: &mut [[f32; 3]; 4]) {
            *to = from_fn(|at| from_fn(|axis| xyz[axis][at]));
        }
        fn splat_int(value: i32) -> [i32; 4] {
            [value; 4]
        }
        fn load_ints(from: &[i32; 4]) -> [i32; 4] {
            *from
        }
        fn store_ints(ints: [i32; 4], to: &mut [i32; 4]) {
            *to = ints;
        }
        fn add_ints(a: [i32; 4], b: [i32; 4]) -> [i32; 4] {
            from_fn(|at| a[at].wrapping_add(b[at]))
        }
        fn sub_ints(a: [i32; 4], b: [i32; 4]) -> [i32; 4] {
            from_fn(|at| a[at].wrapping_sub(b[at]))
        }
        fn and(a: [i32; 4], b: [i32; 4]) -> [i32; 4] {
            from_fn(|at| a[at] & b[at])
        }
        fn shift_left<const BY: i32>(ints: [i32; 4]) -> [i32; 4] {
            ints.map(|value| value << BY)
        }
        fn shift_right<const BY: i32>(ints: [i32; 4]) -> [i32; 4] {
            ints.map(|value| value >> BY)
        }
        fn shift_right_by(ints: [i32; 4], by: [i32; 4]) -> [i32; 4] {
            from_fn(|at| (u64::from(ints[at] as u32) >> by[at]) as i32)
        }
        fn to_floats(ints: [i32; 4]) -> Self {
            ints.map(|value| value as f32)
        }
        fn from_bits(ints: [i32; 4]) -> Self {
            ints.map(|bits| f32::from_bits(bits as u32))
        }
        fn four_bytes(at: [i32; 4]) -> [i32; 4] {
            at.map(|at| at.wrapping_mul(0x0101_0101).wrapping_add(0x0302_0100))
        }
        fn bytes(window: &[u8; 16], at: [i32; 4]) -> [i32; 4] {
            at.map(|at| i32::from_le_bytes(at.to_le_bytes().map(|at| window[at as usize & 15])))
        }
        fn pick(mask: [i32; 4], a: Self, b: Self) -> Self {
            from_fn(|at| if mask[at] != 0 { a[at] } else { b[at] })
        }
        fn any(mask: [i32; 4]) -> bool {
            mask.iter().any(|&lane| lane != 0)
        }
    }

    #[test]
    fn two_halves_make_a_whole() {
        let plain = run(SimdLevel::Scalar, Everything);
        for (found, expected) in std::iter::zip(Everything.run::<duo::Floats<[f32; 4]>>(), plain) {
            assert!(same(found.0, found.1, expected.1), "{found:x?} is not {expected:x?}");
        }
    }
}
