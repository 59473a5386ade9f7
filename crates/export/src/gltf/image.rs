//! Images as glTF may have them: PNG and JPEG, or WebP and KTX2 by extensions.
//!
//! In:  an image of the scene. Out: its file as it is, or as PNG where it is of another kind or has no file.

use std::io::Cursor;

use image::{ImageFormat, ImageReader, Limits};
use sinew_scene::ImageData;

use super::bin::Bytes;
use crate::png::png;

/// The kinds of image that glTF knows, with or without an extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Png,
    Jpeg,
    WebP,
    Ktx2,
}

impl Kind {
    pub(super) fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::WebP => "image/webp",
            Self::Ktx2 => "image/ktx2",
        }
    }

    pub(super) fn ending(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::WebP => "webp",
            Self::Ktx2 => "ktx2",
        }
    }

    fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x89, b'P', b'N', b'G', ..] => Some(Self::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::WebP),
            [0xab, b'K', b'T', b'X', b' ', b'2', b'0', ..] => Some(Self::Ktx2),
            _ => None,
        }
    }
}

/// The image's file and its kind, or why there is none.
pub(super) fn file(data: &ImageData) -> Result<(Kind, Bytes<'static>), String> {
    match data {
        ImageData::Missing => Err("it is missing".into()),
        ImageData::Pixels { width, height, rgba } => {
            Ok((Kind::Png, Bytes::Own(png(*width, *height, rgba)?)))
        }
        ImageData::Encoded { media_type, bytes } => match Kind::of(bytes) {
            Some(kind) => Ok((kind, Bytes::Shared(bytes.clone()))),
            None => Ok((Kind::Png, Bytes::Own(converted(media_type, bytes)?))),
        },
    }
}

/// The most memory that an image of another kind may take while it is converted.
const MAX_BYTES: u64 = 1 << 30;

fn converted(media_type: &str, bytes: &[u8]) -> Result<Vec<u8>, String> {
    let format = match media_type {
        _ if bytes.starts_with(b"BM") => ImageFormat::Bmp,
        "image/x-tga" | "image/tga" | "image/x-targa" => ImageFormat::Tga,
        other => return Err(format!("its kind, \"{other}\", is not converted")),
    };
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_BYTES);
    reader.limits(limits);
    let pixels = reader.decode().map_err(|error| error.to_string())?.into_rgba8();
    png(pixels.width(), pixels.height(), &pixels)
}
