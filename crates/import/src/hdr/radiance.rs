//! Radiance RGBE: three mantissas that share an exponent.
//!
//! In:  lines of text, an empty one, a line with the size, then scan lines: flat, or with runs as of 1985 or 1991.
//! Out: an [`HdrImage`]; a pixel is `mantissa · 2^(exponent - 136)`.

use super::{HdrError, HdrImage, pixels};

pub(super) fn decode(bytes: &[u8]) -> Result<HdrImage, HdrError> {
    let mut reader = Reader { bytes, at: 0 };
    let scale = 1.0 / reader.header()?;
    let size_at = reader.at;
    let size = Size::parse(reader.line()?, size_at)?;
    let count = pixels(size.width, size.height, size_at)?;
    // A run holds at most 127 pixels of a channel in two bytes.
    let least = count / 127 * 2;
    if bytes.len() - reader.at < least / 2 {
        return Err(reader.short(&format!("{} × {} pixels", size.width, size.height)));
    }
    let mut rgb = vec![0.0; count * 3];
    let mut line = vec![[0; 4]; size.width];
    for row in 0..size.height {
        reader.scan_line(&mut line)?;
        let row = if size.from_below { size.height - 1 - row } else { row };
        let out = &mut rgb[row * size.width * 3..(row + 1) * size.width * 3];
        for (column, pixel) in line.iter().enumerate() {
            let column = if size.from_right { size.width - 1 - column } else { column };
            out[column * 3..column * 3 + 3].copy_from_slice(&light(*pixel, scale));
        }
    }
    Ok(HdrImage { width: size.width as u32, height: size.height as u32, rgb })
}

fn light([red, green, blue, exponent]: [u8; 4], scale: f32) -> [f32; 3] {
    if exponent == 0 {
        return [0.0; 3];
    }
    let unit = scale * f32::from(i16::from(exponent) - 136).exp2();
    [red, green, blue].map(|mantissa| f32::from(mantissa) * unit)
}

struct Size {
    width: usize,
    height: usize,
    from_below: bool,
    from_right: bool,
}

impl Size {
    /// `-Y 256 +X 512`: rows from the top, columns from the left.
    fn parse(line: &str, at: usize) -> Result<Self, HdrError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let [y @ ("-Y" | "+Y"), height, x @ ("-X" | "+X"), width] = words[..]
            && let (Ok(height), Ok(width)) = (height.parse(), width.parse())
        {
            return Ok(Self { width, height, from_below: y == "+Y", from_right: x == "-X" });
        }
        let shown: String = line.chars().take(40).collect();
        let message = format!("expected a size like \"-Y 256 +X 512\", found \"{shown}\"");
        Err(HdrError::new(at, message))
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn short(&self, wanted: &str) -> HdrError {
        HdrError::new(self.at, format!("expected {wanted}, found the end of the file"))
    }

    fn line(&mut self) -> Result<&'a str, HdrError> {
        let rest = &self.bytes[self.at..];
        let Some(end) = rest.iter().take(4096).position(|byte| *byte == b'\n') else {
            return Err(self.short("a line of the header"));
        };
        let text = std::str::from_utf8(&rest[..end]).unwrap_or("").trim_end_matches('\r');
        self.at += end + 1;
        Ok(text)
    }

    /// Reads up to the empty line; gives the factor that the numbers were multiplied with.
    fn header(&mut self) -> Result<f32, HdrError> {
        let mut exposure = 1.0_f32;
        loop {
            let at = self.at;
            let line = self.line()?;
            if line.is_empty() {
                let usable = exposure.is_normal() && exposure > 0.0;
                return Ok(if usable { exposure } else { 1.0 });
            }
            if let Some(format) = line.strip_prefix("FORMAT=")
                && format.trim() != "32-bit_rle_rgbe"
            {
                let shown: String = format.chars().take(40).collect();
                let message = format!("expected FORMAT=32-bit_rle_rgbe, found \"{shown}\"");
                return Err(HdrError::new(at, message));
            }
            if let Some(factor) = line.strip_prefix("EXPOSURE=") {
                exposure *= factor.trim().parse().unwrap_or(1.0);
            }
        }
    }

    fn four(&mut self) -> Result<[u8; 4], HdrError> {
        let found = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<4>());
        let four = *found.ok_or_else(|| self.short("a pixel"))?;
        self.at += 4;
        Ok(four)
    }

    fn byte(&mut self) -> Result<u8, HdrError> {
        let byte = *self.bytes.get(self.at).ok_or_else(|| self.short("a run of pixels"))?;
        self.at += 1;
        Ok(byte)
    }

    fn scan_line(&mut self, line: &mut [[u8; 4]]) -> Result<(), HdrError> {
        let start = self.at;
        let first = self.four()?;
        let is_new = first[0] == 2 && first[1] == 2 && first[2] < 128 && line.len() >= 8;
        if !is_new {
            self.at = start;
            return self.old_line(line);
        }
        let said = usize::from(first[2]) << 8 | usize::from(first[3]);
        if said != line.len() {
            let message = format!("expected a scan line of {} pixels, found {said}", line.len());
            return Err(HdrError::new(start, message));
        }
        for channel in 0..4 {
            self.channel(line, channel)?;
        }
        Ok(())
    }

    /// One channel of a whole line: runs of one value, and values one by one.
    fn channel(&mut self, line: &mut [[u8; 4]], channel: usize) -> Result<(), HdrError> {
        let mut column = 0;
        while column < line.len() {
            let at = self.at;
            let count = self.byte()?;
            let is_run = count > 128;
            let length = usize::from(if is_run { count - 128 } else { count });
            if length == 0 || length > line.len() - column {
                let room = line.len() - column;
                let message = format!("expected a run of 1 to {room} pixels, found {length}");
                return Err(HdrError::new(at, message));
            }
            let value = if is_run { self.byte()? } else { 0 };
            for pixel in &mut line[column..column + length] {
                pixel[channel] = if is_run { value } else { self.byte()? };
            }
            column += length;
        }
        Ok(())
    }

    /// Flat pixels; one of (1, 1, 1, n) repeats the one before, n growing by bytes where several follow.
    fn old_line(&mut self, line: &mut [[u8; 4]]) -> Result<(), HdrError> {
        let mut column = 0;
        let mut shift = 0;
        while column < line.len() {
            let at = self.at;
            let pixel = self.four()?;
            if pixel[..3] != [1, 1, 1] || column == 0 {
                line[column] = pixel;
                (column, shift) = (column + 1, 0);
                continue;
            }
            let length = usize::from(pixel[3]) << shift;
            if shift > 16 || length > line.len() - column {
                let room = line.len() - column;
                let message = format!("expected a run of at most {room} pixels, found {length}");
                return Err(HdrError::new(at, message));
            }
            let before = line[column - 1];
            line[column..column + length].fill(before);
            (column, shift) = (column + length, shift + 8);
        }
        Ok(())
    }
}
