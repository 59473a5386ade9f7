//! Images: what kind a file is, how large, and its pixels.
//!
//! In:  the bytes of an image file, whatever their name or stated media type.
//! Out: a media type and a size from the header alone; with the feature `images`, RGBA pixels.
//!
//! A few bytes can claim, and honestly compress, an image of any size, so [`decode`] takes at most
//! 16384 pixels on a side and 2²⁶ (8192 × 8192) in all: 256 MiB of pixels. A decoder's own
//! memory is limited to three times that, as far as `image` keeps count of it.

mod header;
#[cfg(feature = "images")]
mod ktx2;
#[cfg(all(test, feature = "images"))]
mod tests;

pub use header::{media_type, size};

/// A decoded image: 8-bit RGBA, rows from the top down.
#[cfg(feature = "images")]
#[derive(Clone, PartialEq, Eq)]
pub struct Pixels {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `width * height * 4` bytes, not premultiplied.
    pub rgba: Vec<u8>,
}

#[cfg(feature = "images")]
impl std::fmt::Debug for Pixels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pixels({} × {})", self.width, self.height)
    }
}

/// The longest side [`decode`] takes.
#[cfg(feature = "images")]
const LONGEST_SIDE: u32 = 1 << 14;
/// The most pixels [`decode`] takes.
#[cfg(feature = "images")]
const MOST_PIXELS: u64 = 1 << 26;

/// Decodes a PNG, JPEG, WebP, TGA or BMP, or the first level of a KTX2 texture: Basis Universal
/// (ETC1S or UASTC) or plain 8-bit channels.
#[cfg(feature = "images")]
pub fn decode(bytes: &[u8]) -> Result<Pixels, String> {
    use ::image::ImageFormat;
    use header::Kind;

    let kind = header::kind(bytes).ok_or("image is of no known kind")?;
    let format = match kind {
        Kind::Ktx2 => return ktx2::decode(bytes),
        Kind::Png => ImageFormat::Png,
        Kind::Jpeg => ImageFormat::Jpeg,
        Kind::WebP => ImageFormat::WebP,
        Kind::Tga => ImageFormat::Tga,
        Kind::Bmp => ImageFormat::Bmp,
        Kind::Gif | Kind::Dds => {
            return Err(format!("image is {}, which is not decoded", kind.media_type()));
        }
    };
    if let Some((width, height)) = kind.size(bytes) {
        check_size(width, height)?;
    }

    let mut limits = ::image::Limits::default();
    limits.max_image_width = Some(LONGEST_SIDE);
    limits.max_image_height = Some(LONGEST_SIDE);
    // Up to 8 bytes a pixel when channels have 16 bits, and as much again for the decoder's work.
    limits.max_alloc = Some(12 * MOST_PIXELS);
    let mut reader = ::image::ImageReader::with_format(std::io::Cursor::new(bytes), format);
    reader.limits(limits);
    let decoded = reader
        .decode()
        .map_err(|error| format!("image of {}: {error}", kind.media_type()))?
        .into_rgba8();
    Ok(Pixels { width: decoded.width(), height: decoded.height(), rgba: decoded.into_raw() })
}

#[cfg(feature = "images")]
fn check_size(width: u32, height: u32) -> Result<(), String> {
    let within = width <= LONGEST_SIDE
        && height <= LONGEST_SIDE
        && u64::from(width) * u64::from(height) <= MOST_PIXELS;
    if within {
        Ok(())
    } else {
        Err(format!(
            "image must have at most {LONGEST_SIDE} pixels on a side and {MOST_PIXELS} in all, \
             found {width} × {height}"
        ))
    }
}
