//! What the first bytes of an image tell.
//!
//! In:  the bytes of an image file; for JPEG the size may stand far in, else 32 bytes are enough.
//! Out: its kind, media type and size, or nothing where the header is cut short or names no pixel.

/// The kinds of image that model files carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Png,
    Jpeg,
    WebP,
    Ktx2,
    Bmp,
    Gif,
    Dds,
    Tga,
}

/// The media type of an image, told by its bytes: `image/png`, `image/jpeg`, `image/webp`,
/// `image/ktx2`, `image/bmp`, `image/gif`, `image/vnd-ms.dds` or `image/x-tga`.
///
/// TGA has no signature; it is what a plausible header is taken for when nothing else fits.
pub fn media_type(bytes: &[u8]) -> Option<&'static str> {
    kind(bytes).map(Kind::media_type)
}

/// Width and height of an image, from its header alone.
pub fn size(bytes: &[u8]) -> Option<(u32, u32)> {
    kind(bytes)?.size(bytes)
}

pub(super) const KTX2_SIGNATURE: &[u8] = b"\xabKTX 20\xbb\r\n\x1a\n";

pub(super) fn kind(bytes: &[u8]) -> Option<Kind> {
    let starts = |signature: &[u8]| bytes.starts_with(signature);
    if starts(b"\x89PNG\r\n\x1a\n") {
        Some(Kind::Png)
    } else if starts(b"\xff\xd8\xff") {
        Some(Kind::Jpeg)
    } else if starts(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Some(Kind::WebP)
    } else if starts(KTX2_SIGNATURE) {
        Some(Kind::Ktx2)
    } else if starts(b"GIF87a") || starts(b"GIF89a") {
        Some(Kind::Gif)
    } else if starts(b"DDS ") {
        Some(Kind::Dds)
    } else if starts(b"BM") && long(bytes, 14).is_some_and(|length| (12..=124).contains(&length)) {
        Some(Kind::Bmp)
    } else if seems_tga(bytes) {
        Some(Kind::Tga)
    } else {
        None
    }
}

impl Kind {
    pub(super) fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::WebP => "image/webp",
            Self::Ktx2 => "image/ktx2",
            Self::Bmp => "image/bmp",
            Self::Gif => "image/gif",
            Self::Dds => "image/vnd-ms.dds",
            Self::Tga => "image/x-tga",
        }
    }

    pub(super) fn size(self, bytes: &[u8]) -> Option<(u32, u32)> {
        let (width, height) = match self {
            Self::Png => (long(bytes, 16)?.swap_bytes(), long(bytes, 20)?.swap_bytes()),
            Self::Jpeg => jpeg_size(bytes)?,
            Self::WebP => webp_size(bytes)?,
            Self::Ktx2 => (long(bytes, 20)?, long(bytes, 24)?),
            // The oldest header has 12 bytes and short sizes; a negative height is top-down.
            Self::Bmp if long(bytes, 14)? == 12 => (word(bytes, 18)?, word(bytes, 20)?),
            Self::Bmp => (long(bytes, 18)?, long(bytes, 22)?.cast_signed().unsigned_abs()),
            Self::Gif => (word(bytes, 6)?, word(bytes, 8)?),
            Self::Dds => (long(bytes, 16)?, long(bytes, 12)?),
            Self::Tga => (word(bytes, 12)?, word(bytes, 14)?),
        };
        (width > 0 && height > 0).then_some((width, height))
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..)?.first_chunk()?;
    Some(u32::from(u16::from_le_bytes(*word)))
}

pub(super) fn long(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Walks the segments up to the frame header.
fn jpeg_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let big = |at| Some(u32::from(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?)));
    let mut at = 2;
    loop {
        if *bytes.get(at)? != 0xff {
            return None;
        }
        match *bytes.get(at + 1)? {
            // Any number of fill bytes may stand before a marker.
            0xff => at += 1,
            0x01 | 0xd0..=0xd7 => at += 2,
            // Tables and restart definitions share the range of frame headers.
            0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => {
                return Some((big(at + 7)?, big(at + 5)?));
            }
            0xd8..=0xda => return None,
            _ => at += 2 + big(at + 2)? as usize,
        }
    }
}

fn webp_size(bytes: &[u8]) -> Option<(u32, u32)> {
    match bytes.get(12..16)? {
        b"VP8 " if bytes.get(23..26)? == b"\x9d\x01\x2a" => {
            Some((word(bytes, 26)? & 0x3fff, word(bytes, 28)? & 0x3fff))
        }
        b"VP8L" if *bytes.get(20)? == 0x2f => {
            let packed = long(bytes, 21)?;
            Some(((packed & 0x3fff) + 1, (packed >> 14 & 0x3fff) + 1))
        }
        b"VP8X" => {
            let &[a, b, c, d, e, f] = bytes.get(24..)?.first_chunk()?;
            let [width, height] = [[a, b, c, 0], [d, e, f, 0]].map(u32::from_le_bytes);
            Some((width + 1, height + 1))
        }
        _ => None,
    }
}

/// Whether every field of a TGA header has a value the format knows.
fn seems_tga(bytes: &[u8]) -> bool {
    let Some(header) = bytes.first_chunk::<18>() else {
        return false;
    };
    let has_map = header[1] == 1;
    let known_type = match header[2] {
        1 | 9 => has_map,
        2 | 3 | 10 | 11 => header[1] <= 1,
        _ => false,
    };
    let known_map =
        if has_map { matches!(header[7], 15 | 16 | 24 | 32) } else { header[3..8] == [0; 5] };
    known_type
        && known_map
        && matches!(header[16], 8 | 15 | 16 | 24 | 32)
        && header[17] & 0xc0 == 0
        && header[12..14] != [0; 2]
        && header[14..16] != [0; 2]
}
