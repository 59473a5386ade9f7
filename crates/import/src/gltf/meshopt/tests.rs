//! The codecs against meshoptimizer's own encoder, and against streams gone wrong.

use super::{Filter, Mode, decode};
use meshopt::{
    EncodeExpMode, decode_filter_color, decode_filter_oct, decode_filter_quat, decode_index_buffer,
    encode_filter_color, encode_filter_exp, encode_filter_oct, encode_filter_quat,
    encode_index_buffer, encode_index_sequence, encode_vertex_buffer_level,
};

/// A xorshift generator: the same numbers on every run and every machine.
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }

    pub(super) fn byte(&mut self) -> u8 {
        self.below(256) as u8
    }

    fn signed(&mut self) -> f32 {
        self.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0
    }

    fn unit(&mut self) -> [f32; 4] {
        let v = [self.signed(), self.signed(), self.signed(), self.signed()];
        let length = v.iter().map(|c| c * c).sum::<f32>().sqrt();
        v.map(|c| c / length)
    }
}

/// Elements of five characters: constant, noise, slopes by bytes, by words, and floats.
pub(super) fn elements<const N: usize>(
    kind: usize,
    count: usize,
    numbers: &mut Numbers,
) -> Vec<[u8; N]> {
    let mut element = [7; N];
    (0..count)
        .map(|i| {
            match kind {
                0 => {}
                1 => element = std::array::from_fn(|_| numbers.byte()),
                2 => {
                    for (at, byte) in element.iter_mut().enumerate() {
                        *byte = byte.wrapping_add((numbers.below(at as u64 + 1) / 2) as u8);
                    }
                }
                3 => {
                    for (at, word) in element.as_chunks_mut::<2>().0.iter_mut().enumerate() {
                        let step = (300 * at as i32 + numbers.below(9) as i32 - 4) as u16;
                        *word = u16::from_le_bytes(*word).wrapping_add(step).to_le_bytes();
                    }
                }
                _ => {
                    for (at, float) in element.as_chunks_mut::<4>().0.iter_mut().enumerate() {
                        let value = ((i + at) as f32 * 0.01).sin() * (at + 1) as f32;
                        *float = value.to_le_bytes();
                    }
                }
            }
            element
        })
        .collect()
}

fn round_trips<const N: usize>(numbers: &mut Numbers) {
    for kind in 0..5 {
        for count in [1, 2, 15, 16, 17, 63, 65, 255, 256, 257, 700] {
            let original = elements::<N>(kind, count, numbers);
            for (version, level) in [(0, 2), (1, 0), (1, 1), (1, 2), (1, 3)] {
                let source = encode_vertex_buffer_level(&original, level, Some(version)).unwrap();
                let decoded = decode(Mode::Attributes, Filter::None, count, N, &source);
                assert!(
                    decoded.as_deref() == Ok(original.as_flattened()),
                    "kind {kind}, {count} of {N} bytes, version {version}, level {level}: {:?}",
                    decoded.map(|bytes| bytes.len()),
                );
            }
        }
    }
}

macro_rules! strides {
    ($($words:literal)*) => { [$((4 * $words, round_trips::<{ 4 * $words }> as fn(&mut Numbers))),*] };
}

#[test]
fn elements_of_every_stride_come_back_whole() {
    let mut numbers = Numbers(1);
    let all = strides!(
        1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
        33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62
        63 64
    );
    for (at, (stride, round_trips)) in all.into_iter().enumerate() {
        assert_eq!(stride, 4 * at + 4);
        round_trips(&mut numbers);
    }
}

#[test]
fn sixteen_deltas_of_four_bits_are_read_as_the_specification_shows() {
    // The specification's example as the only group of byte 0; the other three bytes are still.
    let group = [0x17, 0x5f, 0xf0, 0xbc, 0x77, 0xa9, 0x21, 0x00, 0x34, 0xb5];
    let source = [&[0xa0, 2][..], &group, &[0, 0, 0], &[0; 32]].concat();
    let decoded = decode(Mode::Attributes, Filter::None, 16, 4, &source).unwrap();

    let deltas = [-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0_i8];
    let mut value = 0;
    for (element, delta) in decoded.as_chunks::<4>().0.iter().zip(deltas) {
        value = delta.wrapping_add(value);
        assert_eq!(*element, [value as u8, 0, 0, 0]);
    }
}

/// A few triangles apart, a grid of quads, then triangles without any order, then the first ones again.
pub(super) fn triangles(numbers: &mut Numbers) -> Vec<u32> {
    let mut indices: Vec<u32> = (0..18).collect();
    for y in 0..20 {
        for x in 0..30 {
            let corner = y * 31 + x;
            indices.extend([corner, corner + 1, corner + 31]);
            indices.extend([corner + 31, corner + 1, corner + 32]);
        }
    }
    indices.extend((0..900).map(|_| numbers.below(700) as u32));
    indices.extend((0..90).map(|_| numbers.below(1 << 32) as u32 & 0xffff_fff0));
    indices.extend_from_within(..300);
    indices
}

/// Each triangle with its lowest corner first: the codec may begin with any.
fn lowest_first(indices: &[u32]) -> Vec<[u32; 3]> {
    let rotate = |&[a, b, c]: &[u32; 3]| [[a, b, c], [b, c, a], [c, a, b]].into_iter().min();
    indices.as_chunks().0.iter().filter_map(rotate).collect()
}

fn wide(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|&b| u32::from_le_bytes(b)).collect()
}

fn narrow(bytes: &[u8]) -> Vec<u16> {
    bytes.as_chunks().0.iter().map(|&b| u16::from_le_bytes(b)).collect()
}

#[test]
fn triangles_come_back_the_same_way_round() {
    let original = triangles(&mut Numbers(2));
    let source = encode_index_buffer(&original, 1 << 20).unwrap();
    assert_eq!(source[0], 0xe1);

    let decoded = decode(Mode::Triangles, Filter::None, original.len(), 4, &source).unwrap();
    assert_eq!(lowest_first(&wide(&decoded)), lowest_first(&original));
    let short = decode(Mode::Triangles, Filter::None, original.len(), 2, &source).unwrap();
    let cut: Vec<u16> = wide(&decoded).iter().map(|&index| index as u16).collect();
    assert_eq!(narrow(&short), cut);
}

#[test]
fn triangles_of_version_0_look_further_back_instead_of_beside_the_last() {
    let mut numbers = Numbers(3);
    let original = triangles(&mut numbers);
    let mut source = encode_index_buffer(&original, 1 << 20).unwrap();
    let beside = source[1..=original.len() / 3]
        .iter()
        .filter(|&&code| code < 0xf0 && matches!(code & 15, 13 | 14));
    assert!(beside.count() > 5, "the codes that differ are in the stream");
    // The codes keep their lengths in version 0, so another header makes another valid stream.
    source[0] = 0xe0;

    let decoded = decode(Mode::Triangles, Filter::None, original.len(), 4, &source).unwrap();
    let expected: Vec<u32> = decode_index_buffer(&source, original.len()).unwrap();
    assert_eq!(wide(&decoded), expected);
}

#[test]
fn index_sequences_come_back_whole() {
    let mut numbers = Numbers(4);
    for count in [0, 1, 2, 3, 100, 1000] {
        let mut original: Vec<u32> = (0..count).map(|i| i / 2 + i % 2 * 1000).collect();
        original.extend((0..count).map(|_| numbers.below(1 << 30) as u32));
        let mut source = encode_index_sequence(&original, 1 << 30).unwrap();
        for header in [0xd1, 0xd0] {
            source[0] = header;
            let decoded = decode(Mode::Indices, Filter::None, original.len(), 4, &source).unwrap();
            assert_eq!(wide(&decoded), original);
            let short = decode(Mode::Indices, Filter::None, original.len(), 2, &source).unwrap();
            let cut: Vec<u16> = original.iter().map(|&index| index as u16).collect();
            assert_eq!(narrow(&short), cut);
        }
    }
}

fn filtered<const N: usize>(filter: Filter, packed: &[[u8; N]]) -> Vec<u8> {
    let source = encode_vertex_buffer_level(packed, 2, Some(1)).unwrap();
    decode(Mode::Attributes, filter, packed.len(), N, &source).unwrap()
}

fn assert_near(found: impl IntoIterator<Item = i32>, expected: impl IntoIterator<Item = i32>) {
    // The extensions allow one unit in the last place.
    for (at, (found, expected)) in found.into_iter().zip(expected).enumerate() {
        assert!(found.abs_diff(expected) <= 1, "{found}, not {expected}, at {at}");
    }
}

#[test]
fn octahedral_vectors_match_the_reference() {
    let mut numbers = Numbers(5);
    let units: Vec<_> = (0..2000).map(|_| numbers.unit()).collect();
    for bits in 2..=8 {
        let mut packed: Vec<[i8; 4]> = encode_filter_oct(&units, bits);
        let bytes: Vec<[u8; 4]> = packed.iter().map(|v| v.map(|c| c as u8)).collect();
        let found = filtered(Filter::Octahedral, &bytes);
        decode_filter_oct(&mut packed);
        let expected = packed.as_flattened().iter().map(|&c| i32::from(c));
        assert_near(found.iter().map(|&c| i32::from(c as i8)), expected);
    }
    for bits in 2..=16 {
        let mut packed: Vec<[i16; 4]> = encode_filter_oct(&units, bits);
        let found = filtered(Filter::Octahedral, &bytes_of(&packed));
        decode_filter_oct(&mut packed);
        let expected = packed.as_flattened().iter().map(|&c| i32::from(c));
        assert_near(narrow(&found).iter().map(|&c| i32::from(c as i16)), expected);
    }
}

fn bytes_of(words: &[[i16; 4]]) -> Vec<[u8; 8]> {
    let bytes = words.as_flattened().iter().flat_map(|word| word.to_le_bytes());
    bytes.collect::<Vec<u8>>().as_chunks().0.to_vec()
}

#[test]
fn quaternions_match_the_reference() {
    let mut numbers = Numbers(6);
    let units: Vec<_> = (0..2000).map(|_| numbers.unit()).collect();
    for bits in 4..=16 {
        let mut packed = encode_filter_quat(&units, bits);
        let found = filtered(Filter::Quaternion, &bytes_of(&packed));
        decode_filter_quat(&mut packed);
        let expected = packed.as_flattened().iter().map(|&c| i32::from(c));
        assert_near(narrow(&found).iter().map(|&c| i32::from(c as i16)), expected);
    }
}

#[test]
fn colours_match_the_reference() {
    let mut numbers = Numbers(7);
    let colours: Vec<[f32; 4]> =
        (0..2000).map(|_| std::array::from_fn(|_| numbers.signed().abs())).collect();
    for bits in 2..=8 {
        let mut packed: Vec<[u8; 4]> = encode_filter_color(&colours, bits);
        let found = filtered(Filter::Color, &packed);
        decode_filter_color(&mut packed);
        let expected = packed.as_flattened().iter().map(|&c| i32::from(c));
        assert_near(found.iter().map(|&c| i32::from(c)), expected);
    }
    for bits in 2..=16 {
        let mut packed: Vec<[u16; 4]> = encode_filter_color(&colours, bits);
        let signed: Vec<_> = packed.iter().map(|c| c.map(|c| c as i16)).collect();
        let found = filtered(Filter::Color, &bytes_of(&signed));
        decode_filter_color(&mut packed);
        let expected = packed.as_flattened().iter().map(|&c| i32::from(c));
        assert_near(narrow(&found).iter().map(|&c| i32::from(c)), expected);
    }
}

#[test]
fn exponential_floats_are_exact() {
    let mut numbers = Numbers(8);
    let floats: Vec<[f32; 3]> = (0..2000)
        .map(|_| {
            std::array::from_fn(|_| numbers.signed() * 2_f32.powi(numbers.below(60) as i32 - 30))
        })
        .collect();
    for bits in [1, 8, 15, 24] {
        let mut packed = encode_filter_exp(&floats, bits, EncodeExpMode::Separate);
        let bytes: Vec<[u8; 12]> = bytes_of_longs(&packed);
        let found = filtered(Filter::Exponential, &bytes);
        meshopt::decode_filter_exp(&mut packed);
        assert_eq!(wide(&found), packed.as_flattened());
    }
}

fn bytes_of_longs(longs: &[[u32; 3]]) -> Vec<[u8; 12]> {
    let bytes = longs.as_flattened().iter().flat_map(|long| long.to_le_bytes());
    bytes.collect::<Vec<u8>>().as_chunks().0.to_vec()
}
