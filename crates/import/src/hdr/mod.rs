//! HDR images: Radiance (`.hdr`) and OpenEXR (`.exr`), for light.
//!
//! In:  the bytes of a file, whatever its name.
//! Out: linear red, green and blue as 32-bit floats, rows from the top; every number is finite and none below zero.
//!
//! A few bytes can claim an image of any size: sides are limited to 16384 pixels, the whole to 2²⁵ (8192 × 4096), and
//! memory is taken only for pixels whose bytes are there.

mod exr;
mod piz;
mod radiance;
#[cfg(test)]
mod tests;

/// The longest side that is read.
const LONGEST_SIDE: usize = 1 << 14;
/// The most pixels that are read.
const MAX_PIXELS: usize = 1 << 25;

/// An image whose numbers are light.
#[derive(Clone, PartialEq)]
pub struct HdrImage {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `width * height * 3` numbers: linear red, green, blue.
    pub rgb: Vec<f32>,
}

impl std::fmt::Debug for HdrImage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "HdrImage({} × {})", self.width, self.height)
    }
}

/// Why an HDR image cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HdrError {
    /// Where in the file, in bytes from its start.
    pub offset: usize,
    /// What was expected, and what was found.
    pub message: String,
}

impl HdrError {
    fn new(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, message: message.into() }
    }
}

impl std::fmt::Display for HdrError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for HdrError {}

/// Whether the bytes begin as a Radiance or OpenEXR file does.
#[must_use]
pub fn is_hdr(bytes: &[u8]) -> bool {
    bytes.starts_with(b"#?") || bytes.starts_with(&exr::MAGIC)
}

/// Reads a Radiance or OpenEXR image.
///
/// Radiance: RGBE, flat or run-length encoded, old and new. OpenEXR: one part of scan lines with half or float channels
/// `R`, `G`, `B` or `Y`, without compression or with RLE, ZIPS or ZIP.
///
/// # Errors
/// When the bytes are neither, are cut short, or use another feature of their format.
///
/// ```
/// let file = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n\x80\x40\x00\x81";
/// let image = sinew_import::hdr::decode(file)?;
/// assert_eq!(image.rgb, [1.0, 0.5, 0.0]);
/// # Ok::<(), sinew_import::hdr::HdrError>(())
/// ```
pub fn decode(bytes: &[u8]) -> Result<HdrImage, HdrError> {
    let mut image = if bytes.starts_with(b"#?") {
        radiance::decode(bytes)?
    } else if bytes.starts_with(&exr::MAGIC) {
        exr::decode(bytes)?
    } else {
        let message = "expected a Radiance (#?RADIANCE) or OpenEXR image, found neither";
        return Err(HdrError::new(0, message));
    };
    for number in &mut image.rgb {
        *number = if number.is_finite() { number.max(0.0) } else { 0.0 };
    }
    Ok(image)
}

/// How many pixels there are, where there are not too many.
fn pixels(width: usize, height: usize, offset: usize) -> Result<usize, HdrError> {
    let fits = |side: usize| (1..=LONGEST_SIDE).contains(&side);
    let all = width.saturating_mul(height);
    if fits(width) && fits(height) && all <= MAX_PIXELS {
        return Ok(all);
    }
    let message = format!(
        "expected an image of 1 to {LONGEST_SIDE} pixels a side and at most {MAX_PIXELS} in all, found {width} × {height}"
    );
    Err(HdrError::new(offset, message))
}
