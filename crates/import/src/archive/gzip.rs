//! Gzip: one packed file, perhaps in several parts.
//!
//! In:  the bytes of a `.gz`. Out: the file inside, and its name where the header has one.

use super::inflate::{crc32, inflate, too_large};
use crate::{ErrorKind, ImportError, Place};

/// Whether the bytes are gzip with deflate, the only method there is.
pub(super) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b, 8])
}

/// Bits of the header's flags (RFC 1952).
const HEADER_SUM: u8 = 2;
const EXTRA: u8 = 4;
const NAME: u8 = 8;
const COMMENT: u8 = 16;

/// Programs that pack in parallel write parts of 64 KiB or more.
const MAX_PARTS: usize = 1 << 14;

/// The file inside, and its name.
pub(super) fn unpack(bytes: &[u8], limit: usize) -> Result<(Vec<u8>, Option<String>), ImportError> {
    let mut all = Vec::new();
    let mut name = None;
    let mut rest = bytes;
    for _ in 0..MAX_PARTS {
        let (header, own_name) = header(rest).ok_or_else(cut)?;
        let packed = &rest[header..];
        let part = inflate(packed, limit - all.len()).map_err(|error| match error.kind {
            ErrorKind::TooLarge => too_large(limit),
            _ => error,
        })?;
        let tail = packed.get(part.used..).and_then(|tail| tail.first_chunk::<8>());
        let &[a, b, c, d, ..] = tail.ok_or_else(cut)?;
        if u32::from_le_bytes([a, b, c, d]) != crc32(&part.bytes) {
            let text = "the file inside is damaged: its check sum is another";
            return Err(ImportError::malformed(Place::Whole, text));
        }
        name = name.or(own_name);
        all.extend_from_slice(&part.bytes);
        rest = &packed[part.used + 8..];
        if !is_gzip(rest) {
            return Ok((all, name));
        }
    }
    let text = format!("expected at most {MAX_PARTS} parts in a gzip file, found more");
    Err(ImportError::new(ErrorKind::TooLarge, Place::Whole, text))
}

fn cut() -> ImportError {
    ImportError::truncated(Place::Whole, "the gzip file ends too early")
}

/// The length of the header, and the file's name in it.
fn header(bytes: &[u8]) -> Option<(usize, Option<String>)> {
    let flags = *bytes.get(3)?;
    let mut at = 10;
    if flags & EXTRA != 0 {
        let length = [*bytes.get(at)?, *bytes.get(at + 1)?];
        at += 2 + usize::from(u16::from_le_bytes(length));
    }
    let mut name = None;
    for flag in [NAME, COMMENT] {
        if flags & flag != 0 {
            let length = bytes.get(at..)?.iter().position(|&byte| byte == 0)?;
            if flag == NAME {
                name = Some(crate::text::name(&bytes[at..at + length]));
            }
            at += length + 1;
        }
    }
    at += if flags & HEADER_SUM != 0 { 2 } else { 0 };
    (at <= bytes.len()).then_some((at, name))
}
