//! Streams cut short, changed, or said to hold what they cannot: an error or the right size.

use super::tests::{Numbers, elements, triangles};
use super::{Filter, Mode, decode};
use meshopt::{
    decode_index_buffer, decode_index_sequence, decode_vertex_buffer, encode_index_buffer,
    encode_index_sequence, encode_vertex_buffer_level,
};

struct Stream {
    mode: Mode,
    count: usize,
    stride: usize,
    bytes: Vec<u8>,
}

impl Stream {
    fn decode(&self, bytes: &[u8]) -> Result<Vec<u8>, String> {
        let decoded = decode(self.mode, Filter::None, self.count, self.stride, bytes);
        if let Ok(decoded) = &decoded {
            assert_eq!(decoded.len(), self.count * self.stride);
        }
        decoded
    }
}

const STRIDE: usize = 20;
const COUNT: usize = 300;

fn streams() -> Vec<Stream> {
    let mut numbers = Numbers(9);
    let mut streams = Vec::new();
    for kind in 0..5 {
        let original = elements::<STRIDE>(kind, COUNT, &mut numbers);
        for version in [0, 1] {
            streams.push(Stream {
                mode: Mode::Attributes,
                count: COUNT,
                stride: STRIDE,
                bytes: encode_vertex_buffer_level(&original, 3, Some(version)).unwrap(),
            });
        }
    }
    let indices = triangles(&mut numbers);
    for (mode, bytes) in [
        (Mode::Triangles, encode_index_buffer(&indices, 1 << 20)),
        (Mode::Indices, encode_index_sequence(&indices, 1 << 20)),
    ] {
        streams.push(Stream { mode, count: indices.len(), stride: 4, bytes: bytes.unwrap() });
    }
    streams
}

fn reference(stream: &Stream, bytes: &[u8]) -> meshopt::Result<Vec<u8>> {
    let flat = |indices: Vec<u32>| indices.into_iter().flat_map(u32::to_le_bytes).collect();
    match stream.mode {
        Mode::Attributes => decode_vertex_buffer::<[u8; STRIDE]>(bytes, COUNT)
            .map(|elements| elements.as_flattened().to_vec()),
        Mode::Triangles => decode_index_buffer(bytes, stream.count).map(flat),
        Mode::Indices => decode_index_sequence(bytes, stream.count).map(flat),
    }
}

#[test]
fn every_prefix_is_an_error_or_of_the_right_size() {
    for stream in streams() {
        assert!(stream.decode(&stream.bytes).is_ok());
        for end in 0..stream.bytes.len() {
            let decoded = stream.decode(&stream.bytes[..end]);
            // Elements that hardly change may still add up when the tail slides over the data.
            assert!(decoded.is_err() || stream.mode == Mode::Attributes, "{end}");
        }
    }
}

#[test]
fn flipped_bytes_give_an_error_or_what_the_reference_gives() {
    let mut numbers = Numbers(10);
    for stream in streams() {
        for _ in 0..3000 {
            let mut bytes = stream.bytes.clone();
            for _ in 0..=numbers.below(4) {
                let at = numbers.below(bytes.len() as u64) as usize;
                bytes[at] = numbers.byte();
            }
            match (stream.decode(&bytes), reference(&stream, &bytes)) {
                (Ok(decoded), reference) => assert!(reference.is_ok_and(|r| r == decoded)),
                (Err(_), Err(_)) => {}
                // What the specification forbids and the reference lets pass.
                (Err(error), Ok(_)) => assert!(
                    ["unknown mode", "look", "no position", "more than 5 bytes"]
                        .iter()
                        .any(|part| error.contains(part)),
                    "{error}"
                ),
            }
        }
    }
}

#[test]
fn noise_behind_any_header_never_panics() {
    let mut numbers = Numbers(11);
    for round in 0..20_000 {
        let (mode, stride) = match round % 4 {
            0 => (Mode::Attributes, 4 * (1 + numbers.below(64) as usize)),
            1 => (Mode::Attributes, 8),
            2 => (Mode::Triangles, 2),
            _ => (Mode::Indices, 4),
        };
        let header = [0xa0, 0xa1, 0xe1, 0xd1][round % 4];
        let mut bytes = vec![header];
        bytes.extend((0..numbers.below(400)).map(|_| numbers.byte()));
        let count = 3 * numbers.below(60) as usize;
        let filter = match (mode, stride) {
            (Mode::Attributes, 8) => {
                [Filter::Octahedral, Filter::Quaternion, Filter::Color][numbers.below(3) as usize]
            }
            (Mode::Attributes, _) => Filter::Exponential,
            _ => Filter::None,
        };
        if let Ok(decoded) = decode(mode, filter, count, stride, &bytes) {
            assert_eq!(decoded.len(), count * stride);
        }
    }
}

#[test]
fn filters_take_any_bytes() {
    for value in 0..=255 {
        for filter in [Filter::Octahedral, Filter::Quaternion, Filter::Color, Filter::Exponential] {
            // One still block: the baseline in the tail is the only element.
            let source = [&[0xa1, 0xaa, 0xaa][..], &[0; 14], &[value; 8], &[0; 2]].concat();
            decode(Mode::Attributes, filter, 16, 8, &source).unwrap();
        }
    }
}

#[test]
fn more_elements_than_the_bytes_can_hold_are_refused_before_they_get_memory() {
    for stream in streams() {
        for count in [3 << 20, 3 << 40, usize::MAX / 3 * 3] {
            let error =
                decode(stream.mode, Filter::None, count, stream.stride, &stream.bytes).unwrap_err();
            assert!(error.contains("take at least"), "{error}");
        }
    }
}

#[test]
fn still_elements_are_accepted_at_the_least_length_and_refused_below_it() {
    let original = vec![[7_u8; 16]; 256 * 1000];
    for (version, length) in [(0, 1 + 16 * 4 * 1000 + 32), (1, 1 + 4 * 1000 + 24)] {
        let source = encode_vertex_buffer_level(&original, 2, Some(version)).unwrap();
        assert_eq!(source.len(), length);
        let decode = |source| decode(Mode::Attributes, Filter::None, original.len(), 16, source);
        assert_eq!(decode(&source).as_deref(), Ok(original.as_flattened()));
        let error = decode(&source[..length - 1]).unwrap_err();
        assert!(error.contains(&format!("at least {length}")), "{error}");
    }
}

#[test]
fn layouts_outside_the_rules_are_refused() {
    for (mode, filter, count, stride) in [
        (Mode::Attributes, Filter::None, 1, 0),
        (Mode::Attributes, Filter::None, 1, 6),
        (Mode::Attributes, Filter::None, 1, 260),
        (Mode::Attributes, Filter::Octahedral, 1, 12),
        (Mode::Attributes, Filter::Quaternion, 1, 4),
        (Mode::Attributes, Filter::Color, 1, 16),
        (Mode::Triangles, Filter::None, 4, 2),
        (Mode::Triangles, Filter::None, 3, 1),
        (Mode::Indices, Filter::None, 3, 8),
        (Mode::Indices, Filter::Exponential, 3, 4),
    ] {
        let error = decode(mode, filter, count, stride, &[0; 64]).unwrap_err();
        assert!(!error.contains("stream"), "{error}");
    }
}
