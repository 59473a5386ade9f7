//! Deflate, and the sum that tells whether what came out is what went in.
//!
//! In:  packed bytes and the most that may come out. Out: the bytes, or why not.
//!
//! Memory grows only as bytes really come out, whatever a header claims.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};

use crate::{ErrorKind, ImportError, Place};

/// What came out, and how many of the packed bytes it took.
#[derive(Debug)]
pub(super) struct Inflated {
    pub(super) bytes: Vec<u8>,
    pub(super) used: usize,
}

/// Unpacks one deflate stream at the front of `packed` into at most `limit` bytes.
pub(super) fn inflate(packed: &[u8], limit: usize) -> Result<Inflated, ImportError> {
    let mut state = Box::<DecompressorOxide>::default();
    // One more than is allowed, so that a stream of just that length ends by itself.
    let most = limit.saturating_add(1);
    let mut bytes = vec![0; packed.len().saturating_mul(2).clamp(1 << 12, 1 << 20).min(most)];
    let (mut used, mut made) = (0, 0);
    loop {
        let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
        let (status, read, written) =
            decompress(&mut state, &packed[used..], &mut bytes, made, flags);
        used += read;
        made += written;
        if made > limit {
            return Err(too_large(limit));
        }
        match status {
            TINFLStatus::Done => break,
            TINFLStatus::HasMoreOutput if bytes.len() < most => {
                let length = bytes.len().saturating_mul(2).min(most);
                bytes.resize(length, 0);
            }
            TINFLStatus::HasMoreOutput => return Err(too_large(limit)),
            TINFLStatus::NeedsMoreInput | TINFLStatus::FailedCannotMakeProgress => {
                let text = "the packed data ends too early";
                return Err(ImportError::truncated(Place::Whole, text));
            }
            _ => return Err(ImportError::malformed(Place::Whole, "the packed data is damaged")),
        }
    }
    bytes.truncate(made);
    Ok(Inflated { bytes, used })
}

pub(super) fn too_large(limit: usize) -> ImportError {
    let text = format!(
        "it unpacks to more than {limit} bytes, far more than an archive of this size should"
    );
    ImportError::new(ErrorKind::TooLarge, Place::Whole, text)
}

/// CRC-32 of ISO 3309, as gzip and zip have it.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = table();
    let step = |sum: u32, &byte: &u8| TABLE[((sum ^ u32::from(byte)) & 255) as usize] ^ (sum >> 8);
    !bytes.iter().fold(!0, step)
}

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let mut sum = at as u32;
        let mut bit = 0;
        while bit < 8 {
            sum = if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 };
            bit += 1;
        }
        table[at] = sum;
        at += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use miniz_oxide::deflate::compress_to_vec;

    #[test]
    fn the_sum_is_the_one_of_the_standard() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn a_stream_of_just_the_limit_is_taken_and_one_byte_more_is_not() {
        let plain: Vec<u8> = (0..100_000_u32).map(|at| (at % 251) as u8).collect();
        let packed = compress_to_vec(&plain, 6);
        let all = inflate(&[&packed[..], b"tail"].concat(), plain.len()).expect("fits");
        assert_eq!((all.bytes, all.used), (plain.clone(), packed.len()));
        let error = inflate(&packed, plain.len() - 1).expect_err("too large");
        assert_eq!(error.kind, ErrorKind::TooLarge);
        for end in 0..packed.len() {
            assert!(inflate(&packed[..end], plain.len()).is_err(), "{end}");
        }
    }
}
