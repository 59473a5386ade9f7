//! KTX2 textures: the first level of a flat texture, as RGBA.
//!
//! In:  a KTX2 file, Basis Universal (ETC1S, or UASTC with or without Zstandard) or plain channels.
//! Out: pixels.
//!
//! Every offset and length of the container is checked here, once, against the file; `basisu`
//! adds and multiplies them without looking.

use super::header::{KTX2_SIGNATURE, long};
use super::{Pixels, check_size};
#[cfg(feature = "basis")]
use basisu::{DecodeFlags, SourceFormat, TargetFormat, Transcoder};

const HEADER: usize = 80;
const LEVEL_ENTRY: usize = 24;

/// The part of a header that matters for one flat image.
struct Header {
    format: u32,
    width: u32,
    height: u32,
    scheme: u32,
    /// Where the first level lies, and its length once decompressed.
    level: std::ops::Range<usize>,
    #[cfg(feature = "basis")]
    level_length: u64,
}

pub(super) fn decode(bytes: &[u8]) -> Result<Pixels, String> {
    let header = Header::read(bytes)?;
    check_size(header.width, header.height)?;
    let rgba = match header.format {
        0 => basis(bytes, &header)?,
        _ => plain(&bytes[header.level.clone()], &header)?,
    };
    Ok(Pixels { width: header.width, height: header.height, rgba })
}

impl Header {
    fn read(bytes: &[u8]) -> Result<Self, String> {
        debug_assert!(bytes.starts_with(KTX2_SIGNATURE));
        let field = |at| {
            long(bytes, at).ok_or_else(|| format!("KTX2 header ends after {} bytes", bytes.len()))
        };
        for (at, name, allowed) in [
            (28, "pixelDepth", 0..=0),
            (32, "layerCount", 0..=1),
            (36, "faceCount", 1..=1),
            (40, "levelCount", 0..=16),
        ] {
            let found = field(at)?;
            if !allowed.contains(&found) {
                return Err(format!(
                    "KTX2 texture must be a flat image: {name} must be {allowed:?}, found {found}"
                ));
            }
        }
        let levels = field(40)?.max(1) as usize;
        let mut parts = vec![
            ("format descriptor", u64::from(field(48)?), u64::from(field(52)?)),
            ("key and value data", u64::from(field(56)?), u64::from(field(60)?)),
            ("global data", wide(bytes, 64)?, wide(bytes, 72)?),
        ];
        for level in 0..levels {
            let at = HEADER + level * LEVEL_ENTRY;
            parts.push(("level", wide(bytes, at)?, wide(bytes, at + 8)?));
        }
        for &(part, offset, length) in &parts {
            check_part(bytes, part, offset, length)?;
        }
        let (_, offset, length) = parts[3];
        Ok(Self {
            format: field(12)?,
            width: field(20)?,
            height: field(24)?,
            scheme: field(44)?,
            level: offset as usize..(offset + length) as usize,
            #[cfg(feature = "basis")]
            level_length: wide(bytes, HEADER + 16)?,
        })
    }

    /// The length of the image in blocks of 4 × 4 pixels and 16 bytes.
    #[cfg(feature = "basis")]
    fn uastc_length(&self) -> u64 {
        16 * u64::from(self.width.div_ceil(4)) * u64::from(self.height.div_ceil(4))
    }
}

fn wide(bytes: &[u8], at: usize) -> Result<u64, String> {
    let wide = bytes.get(at..).and_then(<[u8]>::first_chunk);
    wide.map(|wide| u64::from_le_bytes(*wide))
        .ok_or_else(|| format!("KTX2 level index ends after {} bytes", bytes.len()))
}

fn check_part(bytes: &[u8], part: &str, offset: u64, length: u64) -> Result<(), String> {
    match offset.checked_add(length) {
        Some(end) if end <= bytes.len() as u64 => Ok(()),
        _ => Err(format!(
            "KTX2 {part} lies at {offset} with {length} bytes, but the file has {}",
            bytes.len()
        )),
    }
}

#[cfg(feature = "basis")]
fn basis(bytes: &[u8], header: &Header) -> Result<Vec<u8>, String> {
    match header.scheme {
        0 => {}
        1 => check_codebooks(bytes)?,
        2 if header.level_length == header.uastc_length() => {}
        2 => {
            return Err(format!(
                "KTX2 level must have {} bytes for {} × {} pixels, found {}",
                header.uastc_length(),
                header.width,
                header.height,
                header.level_length
            ));
        }
        other => return Err(format!("KTX2 supercompression scheme {other} is not read")),
    }
    let texture = Transcoder::new(bytes)
        .map_err(|_| "KTX2 texture is no Basis Universal texture, or a damaged one")?;
    if !matches!(texture.source_format(), SourceFormat::Etc1s | SourceFormat::UastcLdr) {
        return Err(format!(
            "KTX2 texture must be ETC1S or UASTC, found {:?}",
            texture.source_format()
        ));
    }
    texture
        .transcode(0, TargetFormat::Rgba32, DecodeFlags::NONE)
        .map_err(|error| format!("KTX2 texture cannot be transcoded: {error:?}"))
}

#[cfg(not(feature = "basis"))]
fn basis(_: &[u8], _: &Header) -> Result<Vec<u8>, String> {
    Err("KTX2 texture is Basis Universal, which this build does not read (feature `basis`)".into())
}

/// ETC1S keeps its codebooks in the global data: a header of 20 bytes, 20 bytes for each image.
#[cfg(feature = "basis")]
fn check_codebooks(bytes: &[u8]) -> Result<(), String> {
    let begin = wide(bytes, 64)?;
    let global = &bytes[begin as usize..];
    let mut length = 20 + 20 * u64::from(long(bytes, 40).unwrap_or(0));
    for at in [4, 8, 12] {
        length += u64::from(long(global, at).ok_or("KTX2 global data ends in its header")?);
    }
    check_part(bytes, "codebook", begin, length)?;

    let level = wide(bytes, HEADER)?;
    for at in [24, 32] {
        let slice = long(global, at).zip(long(global, at + 4));
        let (offset, length) = slice.ok_or("KTX2 global data ends in its first image")?;
        check_part(bytes, "slice", level + u64::from(offset), u64::from(length))?;
    }
    Ok(())
}

/// Formats of one byte a channel, by their Vulkan numbers (`UNORM` and `SRGB`).
fn plain(level: &[u8], header: &Header) -> Result<Vec<u8>, String> {
    if header.scheme != 0 {
        return Err(format!(
            "KTX2 texture of format {} has supercompression scheme {}, which is not read",
            header.format, header.scheme
        ));
    }
    let channels = match header.format {
        9 | 15 => 1,
        16 | 22 => 2,
        23 | 29 | 30 | 36 => 3,
        37 | 43 | 44 | 50 => 4,
        other => {
            return Err(format!("KTX2 texture has format {other}, which is not read"));
        }
    };
    let expected = header.width as usize * header.height as usize * channels;
    if level.len() != expected {
        return Err(format!("KTX2 level must have {expected} bytes, found {}", level.len()));
    }
    let pixel = |stored: &[u8]| match (header.format, stored) {
        (30 | 36, &[b, g, r]) => [r, g, b, 255],
        (44 | 50, &[b, g, r, a]) => [r, g, b, a],
        (_, &[r, g, b, a]) => [r, g, b, a],
        (_, &[r, g, b]) => [r, g, b, 255],
        (_, &[r, g]) => [r, g, 0, 255],
        (_, stored) => [stored[0], 0, 0, 255],
    };
    Ok(level.chunks_exact(channels).flat_map(pixel).collect())
}
