//! The outermost layer: a `.glb`'s chunks, or a `.gltf` as it is.
//!
//! In:  the file. Out: its JSON text and its binary chunk, both borrowed.
//!
//! What writers get wrong without losing data (lengths, padding, a byte order mark) is mended with
//! a note; what is cut short is an error.

use crate::note::Notes;
use crate::{ImportError, Place};

/// A file in its two parts.
#[derive(Debug, PartialEq)]
pub(super) struct Container<'a> {
    pub(super) json: &'a [u8],
    /// The buffer inside the file.
    pub(super) bin: Option<&'a [u8]>,
}

const HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;
const JSON: &[u8; 4] = b"JSON";
const BIN: &[u8; 4] = b"BIN\0";

pub(super) fn open<'a>(bytes: &'a [u8], notes: &mut Notes) -> Result<Container<'a>, ImportError> {
    let container = match bytes.starts_with(b"glTF") {
        true => open_binary(bytes, notes)?,
        false => Container { json: bytes, bin: None },
    };
    Ok(Container { json: trim(container.json, notes), bin: container.bin })
}

fn open_binary<'a>(bytes: &'a [u8], notes: &mut Notes) -> Result<Container<'a>, ImportError> {
    let (Some(version), Some(length)) = (word(bytes, 4), word(bytes, 8)) else {
        let text = format!("expected a header of {HEADER} bytes, found {}", bytes.len());
        return Err(ImportError::truncated(Place::Byte(bytes.len()), text));
    };
    #[cfg(feature = "gltf1")]
    if version == 1 {
        let (json, bin) = crate::gltf1::open_container(bytes, notes)?;
        return Ok(Container { json, bin: Some(bin) });
    }
    if version != 2 {
        let text = format!("expected binary glTF version 1 or 2, found version {version}");
        return Err(ImportError::unsupported(Place::Byte(4), text));
    }
    if length != bytes.len() {
        let text = "the length in the header is not the file's length";
        notes.add(Place::Byte(8), text);
    }
    let (kind, json, mut at) = chunk(bytes, HEADER, notes)?;
    if kind != JSON {
        let text =
            format!("expected a JSON chunk first, found {:?}", String::from_utf8_lossy(kind));
        return Err(ImportError::malformed(Place::Byte(HEADER), text));
    }
    while at + CHUNK_HEADER <= bytes.len() {
        let (kind, data, next) = chunk(bytes, at, notes)?;
        if kind == BIN {
            return Ok(Container { json, bin: Some(data) });
        }
        at = next;
    }
    Ok(Container { json, bin: None })
}

/// The kind and bytes of the chunk at `at`, and where the next begins.
fn chunk<'a>(
    bytes: &'a [u8],
    at: usize,
    notes: &mut Notes,
) -> Result<(&'a [u8; 4], &'a [u8], usize), ImportError> {
    let place = Place::Byte(at);
    let kind = bytes.get(at + 4..).and_then(|rest| rest.first_chunk::<4>());
    let (Some(length), Some(kind)) = (word(bytes, at), kind) else {
        let text = format!("expected a chunk, found the end of the file at {}", bytes.len());
        return Err(ImportError::truncated(place, text));
    };
    let data = &bytes[at + CHUNK_HEADER..];
    if length > data.len() {
        if kind != BIN {
            let text = format!("expected a chunk of {length} bytes, found {}", data.len());
            return Err(ImportError::truncated(place, text));
        }
        notes.add(place.clone(), "the binary chunk is shorter than its header says");
    }
    let length = length.min(data.len());
    let end = at + CHUNK_HEADER + length;
    if length.is_multiple_of(4) || end == bytes.len() {
        return Ok((kind, &data[..length], end));
    }
    notes.add(place, "the length of a chunk is not a multiple of four");
    let padded = end.next_multiple_of(4);
    let known = |at: usize| matches!(bytes.get(at + 4..at + 8), Some(b"BIN\0" | b"JSON"));
    Ok((kind, &data[..length], if known(padded) { padded } else { end }))
}

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let word = bytes.get(at..)?.first_chunk::<4>()?;
    usize::try_from(u32::from_le_bytes(*word)).ok()
}

/// JSON without what does not belong to it: a byte order mark before, padding after.
fn trim<'a>(json: &'a [u8], notes: &mut Notes) -> &'a [u8] {
    let marked = json.strip_prefix(b"\xef\xbb\xbf");
    if marked.is_some() {
        notes.add(Place::Whole, "there is a byte order mark before the JSON");
    }
    let json = marked.unwrap_or(json);
    let end = json.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    if end < json.len() {
        notes.add(Place::Whole, "the JSON is padded with zero bytes instead of spaces");
    }
    &json[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    fn chunk_of(kind: &[u8; 4], length: u32, data: &[u8]) -> Vec<u8> {
        [&length.to_le_bytes()[..], kind, data].concat()
    }

    fn file(chunks: &[Vec<u8>]) -> Vec<u8> {
        let body = chunks.concat();
        let length = (HEADER + body.len()) as u32;
        [b"glTF", &2_u32.to_le_bytes()[..], &length.to_le_bytes()[..], &body].concat()
    }

    #[test]
    fn the_two_chunks_are_found_and_unknown_ones_passed_over() {
        let bytes = file(&[
            chunk_of(JSON, 4, b"{}  "),
            chunk_of(b"EXTR", 4, b"abcd"),
            chunk_of(BIN, 4, b"1234"),
        ]);
        let mut notes = Notes::default();
        let found = open(&bytes, &mut notes).expect("a good file");
        assert_eq!(found, Container { json: b"{}  ", bin: Some(b"1234") });
        assert!(notes.into_vec().is_empty());
    }

    #[test]
    fn a_wrong_total_length_and_unpadded_chunks_are_mended_with_notes() {
        let mut bytes = file(&[chunk_of(JSON, 2, b"{}\0\0"), chunk_of(BIN, 3, b"123")]);
        bytes[8] = 99;
        let mut notes = Notes::default();
        let found = open(&bytes, &mut notes).expect("can be mended");
        assert_eq!(found, Container { json: b"{}", bin: Some(b"123") });
        assert_eq!(notes.into_vec().len(), 2);
    }

    #[test]
    fn a_byte_order_mark_before_the_json_is_passed_over() {
        let found = open(b"\xef\xbb\xbf{}", &mut Notes::default()).expect("a good file");
        assert_eq!(found.json, b"{}");
    }

    #[test]
    fn a_json_chunk_cut_short_is_an_error_but_binary_data_may_not_be_needed() {
        let bytes = file(&[chunk_of(JSON, 40, b"{}")]);
        let error = open(&bytes, &mut Notes::default()).expect_err("cut");
        assert_eq!(error.kind, ErrorKind::Truncated);
        let bytes = file(&[chunk_of(JSON, 4, b"{}  "), chunk_of(BIN, 40, b"12")]);
        let found = open(&bytes, &mut Notes::default()).expect("the rest may not be needed");
        assert_eq!(found.bin, Some(&b"12"[..]));
    }
}
