//! Numbers of an image as OpenEXR: 32-bit floats, one part, rows without compression.
//!
//! In:  channels of one size.
//! Out: the bytes of a file that every reader of OpenEXR takes.
//!
//! The layout is that of "OpenEXR file layout" (openexr.com): a header of attributes, the place of every row, then rows, in
//! each of which channels follow each other by name.

use super::FilmError;

/// One number for each pixel, rows from the top.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Channel<'a> {
    /// Such as `Z`, `R`, `normal.X`.
    pub name: &'a str,
    /// As many as the image has pixels.
    pub values: &'a [f32],
}

const MAGIC: u32 = 20_000_630;
const FLOAT: u32 = 2;

/// The bytes of an EXR file.
///
/// ```
/// let depth = [1.0, 2.5];
/// let bytes = sinew_film::exr(2, 1, &[sinew_film::Channel { name: "Z", values: &depth }])?;
/// assert_eq!(bytes[..4], [0x76, 0x2f, 0x31, 0x01]);
/// # Ok::<(), sinew_film::FilmError>(())
/// ```
///
/// # Errors
/// When there is no pixel or channel, a channel has another size, or names are missing, too long or there twice.
pub fn exr(width: u32, height: u32, channels: &[Channel<'_>]) -> Result<Vec<u8>, FilmError> {
    let pixels = width as usize * height as usize;
    let refuse = |why: &str| Err(FilmError(format!("cannot write EXR: {why}")));
    if pixels == 0 || channels.is_empty() {
        return refuse("expected at least one pixel and one channel");
    }
    let mut sorted: Vec<&Channel<'_>> = channels.iter().collect();
    sorted.sort_by_key(|channel| channel.name);
    if sorted.windows(2).any(|pair| pair[0].name == pair[1].name) {
        return refuse("expected each channel's name once");
    }
    for channel in &sorted {
        if channel.name.is_empty() || channel.name.len() > 31 || channel.name.contains('\0') {
            return refuse("expected names of channels with 1 to 31 bytes");
        }
        if channel.values.len() != pixels {
            return refuse("expected as many values in every channel as the image has pixels");
        }
    }
    let mut bytes = header(width, height, &sorted);
    rows(&mut bytes, width, height, &sorted);
    Ok(bytes)
}

fn header(width: u32, height: u32, channels: &[&Channel<'_>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend(MAGIC.to_le_bytes());
    // Version 2: one part of scan lines, names of up to 31 bytes.
    bytes.extend(2_u32.to_le_bytes());
    let mut list = Vec::new();
    for channel in channels {
        list.extend(channel.name.as_bytes());
        list.push(0);
        // The type; not perceptual; every column and every row.
        for number in [FLOAT, 0, 1, 1] {
            list.extend(number.to_le_bytes());
        }
    }
    list.push(0);
    let mut window = Vec::new();
    for corner in [0, 0, width - 1, height - 1] {
        window.extend(corner.to_le_bytes());
    }
    attribute(&mut bytes, "channels", "chlist", &list);
    attribute(&mut bytes, "compression", "compression", &[0]);
    attribute(&mut bytes, "dataWindow", "box2i", &window);
    attribute(&mut bytes, "displayWindow", "box2i", &window);
    attribute(&mut bytes, "lineOrder", "lineOrder", &[0]);
    attribute(&mut bytes, "pixelAspectRatio", "float", &1_f32.to_le_bytes());
    attribute(&mut bytes, "screenWindowCenter", "v2f", &[0; 8]);
    attribute(&mut bytes, "screenWindowWidth", "float", &1_f32.to_le_bytes());
    bytes.push(0);
    bytes
}

fn attribute(bytes: &mut Vec<u8>, name: &str, kind: &str, value: &[u8]) {
    for word in [name, kind] {
        bytes.extend(word.as_bytes());
        bytes.push(0);
    }
    bytes.extend((value.len() as u32).to_le_bytes());
    bytes.extend(value);
}

fn rows(bytes: &mut Vec<u8>, width: u32, height: u32, channels: &[&Channel<'_>]) {
    let width = width as usize;
    let row = width * 4 * channels.len();
    let first = bytes.len() as u64 + u64::from(height) * 8;
    for y in 0..u64::from(height) {
        bytes.extend((first + y * (row as u64 + 8)).to_le_bytes());
    }
    for y in 0..height {
        bytes.extend(y.to_le_bytes());
        bytes.extend((row as u32).to_le_bytes());
        for channel in channels {
            let start = y as usize * width;
            let values = &channel.values[start..start + width];
            bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(bytes: &[u8], at: usize) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]))
    }

    #[test]
    fn rows_are_where_the_table_says_and_channels_follow_by_name() {
        let (red, depth) = ([1.0, 2.0], [0.25, 0.5]);
        let channels = [Channel { name: "Z", values: &depth }, Channel { name: "R", values: &red }];
        let bytes = exr(1, 2, &channels).expect("two pixels");
        // Each row: its number, its length in bytes, one R, one Z.
        let last = bytes.len() - 16;
        assert_eq!([number(&bytes, last), number(&bytes, last + 4)], [1, 8]);
        assert_eq!(number(&bytes, last + 8), 2_f32.to_bits());
        assert_eq!(number(&bytes, last + 12), 0.5_f32.to_bits());
        let table = bytes.len() - 32 - 16;
        assert_eq!(number(&bytes, table) as usize, bytes.len() - 32);
        assert_eq!(number(&bytes, table + 8) as usize, last);
    }

    #[test]
    fn what_is_no_image_is_refused_in_words() {
        let values = [0.0; 3];
        let one = |name| exr(2, 1, &[Channel { name, values: &values }]);
        assert!(one("Z").expect_err("three of two").to_string().contains("as many values"));
        assert!(one("").expect_err("no name").to_string().contains("1 to 31"));
        assert!(exr(0, 1, &[]).is_err());
        let twice = [Channel { name: "Z", values: &values[..2] }; 2];
        assert!(exr(2, 1, &twice).expect_err("twice").to_string().contains("once"));
    }
}
