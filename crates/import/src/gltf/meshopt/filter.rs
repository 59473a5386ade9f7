//! The filters that turn decompressed elements into attribute values, in place.
//!
//! In:  elements as the attribute codec gave them, 4 or 8 bytes each (any multiple of 4 for floats).
//! Out: normalized integers or floats of the same size.
//!
//! Any bytes are filtered: a scale of zero or a value out of its range gives a wrong colour or
//! direction, never a panic, because Rust's casts from floats saturate and turn NaN to zero.

use super::Filter;

/// Filters every element; `stride` fits the filter.
pub(super) fn apply(filter: Filter, stride: usize, elements: &mut [u8]) {
    match (filter, stride) {
        (Filter::None, _) => {}
        (Filter::Exponential, _) => {
            each(elements, |bytes: [u8; 4]| exponential(i32::from_le_bytes(bytes)).to_le_bytes());
        }
        (Filter::Octahedral, 4) => each(elements, |bytes: [u8; 4]| {
            let [x, y, one, w] = bytes.map(|byte| i16::from(byte as i8));
            let [x, y, z] = octahedral(x, y, one, 127.0);
            [x as i8 as u8, y as i8 as u8, z as i8 as u8, w as u8]
        }),
        (Filter::Octahedral, _) => each(elements, |bytes: [u8; 8]| {
            let [x, y, one, w] = words(bytes).map(|word| word as i16);
            let [x, y, z] = octahedral(x, y, one, 32767.0);
            from_words([x as i16 as u16, y as i16 as u16, z as i16 as u16, w as u16])
        }),
        (Filter::Quaternion, _) => each(elements, |bytes: [u8; 8]| {
            let quaternion = quaternion(words(bytes).map(|word| word as i16));
            from_words(quaternion.map(|component| component as u16))
        }),
        (Filter::Color, 4) => each(elements, |[y, co, cg, a]: [u8; 4]| {
            let [co, cg] = [co, cg].map(|chroma| i32::from(chroma as i8));
            color(i32::from(y), co, cg, u32::from(a), 255.0).map(|channel| channel as u8)
        }),
        (Filter::Color, _) => each(elements, |bytes: [u8; 8]| {
            let [y, co, cg, a] = words(bytes);
            let [co, cg] = [co, cg].map(|chroma| i32::from(chroma as i16));
            let rgba = color(i32::from(y), co, cg, u32::from(a), 65535.0);
            from_words(rgba.map(|channel| channel as u16))
        }),
    }
}

fn each<const N: usize>(elements: &mut [u8], change: impl Fn([u8; N]) -> [u8; N]) {
    for element in elements.as_chunks_mut::<N>().0 {
        *element = change(*element);
    }
}

fn words([a, b, c, d, e, f, g, h]: [u8; 8]) -> [u16; 4] {
    [[a, b], [c, d], [e, f], [g, h]].map(u16::from_le_bytes)
}

fn from_words(words: [u16; 4]) -> [u8; 8] {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(words.map(u16::to_le_bytes).as_flattened());
    bytes
}

/// A unit vector from its point on an octahedron, in steps of `1 / most`.
fn octahedral(x: i16, y: i16, one: i16, most: f32) -> [f32; 3] {
    let one = f32::from(one);
    let (x, y) = (f32::from(x) / one, f32::from(y) / one);
    let z = 1.0 - x.abs() - y.abs();
    // The lower half was folded outward over the edges of the square.
    let fold = z.min(0.0);
    let (x, y) = (x - fold.copysign(x), y - fold.copysign(y));
    let scale = most / (x * x + y * y + z * z).sqrt();
    [x, y, z].map(|component| round(component * scale))
}

/// A unit quaternion from its three smaller components; the last word holds the scale and, in its
/// two lowest bits, which component was left out.
fn quaternion(packed: [i16; 4]) -> [i16; 4] {
    let largest = (packed[3] & 3) as usize;
    let scale = std::f32::consts::FRAC_1_SQRT_2 / f32::from(packed[3] | 3);
    let [x, y, z] = [packed[0], packed[1], packed[2]].map(|word| f32::from(word) * scale);
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let mut components = [w, x, y, z].map(|component| round(component * 32767.0) as i16);
    components.rotate_right(largest);
    components
}

/// `2^exponent * mantissa`, of 8 and 24 bits. In double precision no exponent is out of range.
fn exponential(packed: i32) -> f32 {
    let exponent = i64::from(packed >> 24);
    let mantissa = f64::from(packed << 8 >> 8);
    let power = f64::from_bits(((exponent + 1023) as u64) << 52);
    (power * mantissa) as f32
}

/// RGBA from `YCoCg` and an alpha whose highest bit gives the scale.
fn color(y: i32, co: i32, cg: i32, alpha: u32, most: f32) -> [f32; 4] {
    let ones = u32::MAX.checked_shr(alpha.leading_zeros()).unwrap_or(0);
    let a = alpha & ones >> 1;
    let a = (a << 1 | a & 1) as i32;
    let scale = most / ones as f32;
    [y + co - cg, y + cg, y - co - cg, a].map(|channel| round(channel as f32 * scale))
}

/// To the nearest, halves away from zero; a cast does the truncation, which is faster than `round`.
fn round(value: f32) -> f32 {
    value + 0.5_f32.copysign(value)
}
