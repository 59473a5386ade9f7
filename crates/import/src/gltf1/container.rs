//! The container of glTF 1.0, `KHR_binary_glTF`: a header of 20 bytes, JSON, and one buffer.
//!
//! In:  a file whose header says version 1. Out: its JSON and its buffer, borrowed.

use crate::note::Notes;
use crate::{ImportError, Place};

const HEADER: usize = 20;

/// The JSON, and the bytes after it.
pub(crate) fn open<'a>(
    bytes: &'a [u8],
    notes: &mut Notes,
) -> Result<(&'a [u8], &'a [u8]), ImportError> {
    let word = |at: usize| {
        let word = bytes.get(at..)?.first_chunk::<4>()?;
        usize::try_from(u32::from_le_bytes(*word)).ok()
    };
    let (Some(length), Some(content), Some(format)) = (word(8), word(12), word(16)) else {
        let text = format!("expected a header of {HEADER} bytes, found {}", bytes.len());
        return Err(ImportError::truncated(Place::Byte(bytes.len()), text));
    };
    if format != 0 {
        let text = format!("expected JSON, which is content format 0, found format {format}");
        return Err(ImportError::unsupported(Place::Byte(16), text));
    }
    if length != bytes.len() {
        notes.add(Place::Byte(8), "the length in the header is not the file's length");
    }
    let rest = &bytes[HEADER..];
    if content > rest.len() {
        let text = format!("expected JSON of {content} bytes, found {}", rest.len());
        return Err(ImportError::truncated(Place::Byte(12), text));
    }
    Ok(rest.split_at(content))
}
