//! OpenEXR: one part of scan lines, half or float, without compression or with RLE, ZIPS, ZIP or PIZ.
//!
//! In:  attributes up to an empty name, a table of offsets, then blocks of 1, 16 or 32 lines.
//! Out: an [`HdrImage`] of the channels `R`, `G` and `B`, or `Y` as all three.
//!
//! After "OpenEXR file layout" and "Technical introduction" (Academy Software Foundation).

use super::{HdrError, HdrImage, pixels, piz};

pub(super) const MAGIC: [u8; 4] = [0x76, 0x2f, 0x31, 0x01];
/// More attributes than any program writes.
const MAX_ATTRIBUTES: usize = 1024;
/// More channels than any program draws from one part.
const MAX_CHANNELS: usize = 64;

pub(super) fn decode(bytes: &[u8]) -> Result<HdrImage, HdrError> {
    let mut reader = Reader { bytes, at: 4 };
    let header = Header::read(&mut reader)?;
    let count = pixels(header.width, header.height, 4)?;
    let lines = header.compression.lines();
    let blocks = header.height.div_ceil(lines);
    header.expect_room(&reader, blocks)?;
    let mut rgb = vec![0.0; count * 3];
    for block in 0..blocks {
        let offset = reader.number::<8>().map(u64::from_le_bytes)?;
        let at = usize::try_from(offset).unwrap_or(usize::MAX);
        header.block(&mut Reader { bytes, at }, block, &mut rgb)?;
    }
    Ok(HdrImage { width: header.width as u32, height: header.height as u32, rgb })
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], HdrError> {
        let end = self.at.checked_add(count);
        let found = end.and_then(|end| self.bytes.get(self.at..end));
        let Some(found) = found else {
            let message = format!("expected {count} more bytes, found the end of the file");
            return Err(HdrError::new(self.at.min(self.bytes.len()), message));
        };
        self.at += count;
        Ok(found)
    }

    fn number<const N: usize>(&mut self) -> Result<[u8; N], HdrError> {
        self.take(N).map(|bytes| std::array::from_fn(|index| bytes[index]))
    }

    fn int(&mut self) -> Result<i32, HdrError> {
        self.number::<4>().map(i32::from_le_bytes)
    }

    /// Text up to a zero.
    fn name(&mut self) -> Result<String, HdrError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let end = rest.iter().take(256).position(|byte| *byte == 0);
        let end = end.ok_or_else(|| HdrError::new(self.at, "expected a name that ends with 0"))?;
        self.at += end + 1;
        Ok(String::from_utf8_lossy(&rest[..end]).into_owned())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compression {
    None,
    Rle,
    /// Deflated, this many lines at a time.
    Zip(usize),
    /// Wavelets.
    Piz,
}

impl Compression {
    fn of(code: u8, at: usize) -> Result<Self, HdrError> {
        const NAMES: [&str; 10] =
            ["none", "RLE", "ZIPS", "ZIP", "PIZ", "PXR24", "B44", "B44A", "DWAA", "DWAB"];
        match code {
            0 => Ok(Self::None),
            1 => Ok(Self::Rle),
            2 => Ok(Self::Zip(1)),
            3 => Ok(Self::Zip(16)),
            4 => Ok(Self::Piz),
            other => {
                let name = NAMES.get(usize::from(other)).copied().unwrap_or("an unknown one");
                let message =
                    format!("expected the compression none, RLE, ZIPS, ZIP or PIZ, found {name}");
                Err(HdrError::new(at, message))
            }
        }
    }

    fn lines(self) -> usize {
        match self {
            Self::None | Self::Rle => 1,
            Self::Zip(lines) => lines,
            Self::Piz => 32,
        }
    }

    /// How many times smaller than its pixels a file can be at most.
    fn most(self) -> usize {
        match self {
            Self::None => 1,
            // Two bytes stand for 128.
            Self::Rle => 64,
            Self::Zip(_) => 1032,
            // Nine bits stand for 255 numbers of 16.
            Self::Piz => 454,
        }
    }
}

struct Channel {
    /// Which of red, green and blue it is, where it is any.
    colors: Vec<usize>,
    is_half: bool,
}

struct Header {
    channels: Vec<Channel>,
    compression: Compression,
    top: i32,
    width: usize,
    height: usize,
}

impl Header {
    fn read(reader: &mut Reader<'_>) -> Result<Self, HdrError> {
        let version = reader.int()?;
        // Bits for tiles, deep data and several parts.
        if version & 0x1a00 != 0 {
            let message =
                "expected one part of scan lines, found tiles, deep data or several parts";
            return Err(HdrError::new(4, message));
        }
        let mut channels = Vec::new();
        let mut compression = Compression::None;
        let mut window: Option<[i32; 4]> = None;
        for _ in 0..MAX_ATTRIBUTES {
            let name = reader.name()?;
            if name.is_empty() {
                let Some([left, top, right, bottom]) = window else { break };
                let side =
                    |from: i32, to: i32| usize::try_from(i64::from(to) - i64::from(from) + 1);
                let (width, height) = (side(left, right), side(top, bottom));
                let (width, height) = (width.unwrap_or(0), height.unwrap_or(0));
                return Ok(Self { channels, compression, top, width, height });
            }
            reader.name()?;
            let size = usize::try_from(reader.int()?).unwrap_or(usize::MAX);
            let at = reader.at;
            let value = reader.take(size)?;
            let mut value = Reader { bytes: value, at: 0 };
            match name.as_str() {
                "channels" => channels = read_channels(&mut value, at)?,
                "compression" => {
                    compression = Compression::of(value.number::<1>()?[0], at)?;
                }
                "dataWindow" => {
                    let bytes = value.number::<16>()?;
                    let (ints, _) = bytes.as_chunks::<4>();
                    window = Some(std::array::from_fn(|index| i32::from_le_bytes(ints[index])));
                }
                _ => {}
            }
        }
        Err(HdrError::new(reader.at, "expected the attribute dataWindow, found none"))
    }

    fn row_bytes(&self) -> usize {
        self.channels.iter().map(|channel| self.width * channel.bytes()).sum()
    }

    /// Refuses a file that is too short for its size in pixels, before memory is taken for them.
    fn expect_room(&self, reader: &Reader<'_>, blocks: usize) -> Result<(), HdrError> {
        let packed = self.row_bytes().saturating_mul(self.height) / self.compression.most();
        let least = packed.saturating_add(blocks.saturating_mul(16));
        let found = reader.bytes.len() - reader.at.min(reader.bytes.len());
        if found >= least {
            return Ok(());
        }
        let (width, height) = (self.width, self.height);
        let message = format!(
            "expected at least {least} bytes for {width} × {height} pixels, found {found} to the end of the file"
        );
        Err(HdrError::new(reader.at, message))
    }

    /// Reads one block of lines into the image.
    fn block(
        &self,
        reader: &mut Reader<'_>,
        index: usize,
        rgb: &mut [f32],
    ) -> Result<(), HdrError> {
        let at = reader.at;
        let line = i64::from(reader.int()?) - i64::from(self.top);
        let first = index * self.compression.lines();
        // Files whose lines run upwards list their blocks by place all the same.
        let first =
            usize::try_from(line).ok().filter(|line| *line < self.height).ok_or_else(|| {
                HdrError::new(at, format!("expected a block at line {first}, found line {line}"))
            })?;
        let lines = self.compression.lines().min(self.height - first);
        let wanted = lines * self.row_bytes();
        let size = usize::try_from(reader.int()?).unwrap_or(usize::MAX);
        let packed = reader.take(size)?;
        let raw = self.unpacked(packed, wanted, lines, at)?;
        for (row, bytes) in raw.chunks_exact(self.row_bytes().max(1)).enumerate() {
            let start = (first + row) * self.width * 3;
            self.row(bytes, &mut rgb[start..start + self.width * 3]);
        }
        Ok(())
    }

    fn unpacked(
        &self,
        packed: &[u8],
        wanted: usize,
        lines: usize,
        at: usize,
    ) -> Result<Vec<u8>, HdrError> {
        // What would not become smaller is filed as it is.
        if packed.len() == wanted {
            return Ok(packed.to_vec());
        }
        let out = match self.compression {
            Compression::None => None,
            Compression::Rle => runs(packed, wanted).map(unpredicted),
            Compression::Zip(_) => {
                let out = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(packed, wanted);
                out.ok().map(unpredicted)
            }
            Compression::Piz => {
                let sizes: Vec<usize> =
                    self.channels.iter().map(|channel| channel.bytes() / 2).collect();
                piz::unpack(packed, self.width, lines, &sizes)
            }
        };
        let message = || format!("expected a block that unpacks to {wanted} bytes, found another");
        out.filter(|out| out.len() == wanted).ok_or_else(|| HdrError::new(at, message()))
    }

    fn row(&self, mut bytes: &[u8], out: &mut [f32]) {
        for channel in &self.channels {
            let (own, rest) = bytes.split_at(self.width * channel.bytes());
            for &color in &channel.colors {
                for (column, value) in own.chunks_exact(channel.bytes()).enumerate() {
                    out[column * 3 + color] = match *value {
                        [a, b] => half(u16::from_le_bytes([a, b])),
                        [a, b, c, d] => f32::from_le_bytes([a, b, c, d]),
                        _ => 0.0,
                    };
                }
            }
            bytes = rest;
        }
    }
}

impl Channel {
    fn bytes(&self) -> usize {
        if self.is_half { 2 } else { 4 }
    }
}

fn read_channels(reader: &mut Reader<'_>, at: usize) -> Result<Vec<Channel>, HdrError> {
    let mut channels = Vec::new();
    let mut seen = 0;
    loop {
        let name =
            reader.name().map_err(|error| HdrError::new(at + error.offset, error.message))?;
        if name.is_empty() {
            break;
        }
        let kind = reader.int()?;
        reader.take(4)?;
        let sampling = [reader.int()?, reader.int()?];
        let colors = match name.as_str() {
            "R" => vec![0],
            "G" => vec![1],
            "B" => vec![2],
            "Y" => vec![0, 1, 2],
            _ => Vec::new(),
        };
        seen += colors.len();
        if sampling != [1, 1] || (kind == 0 && !colors.is_empty()) || !(0..=2).contains(&kind) {
            let message = format!("channel {name}: expected half or float for every pixel");
            return Err(HdrError::new(at, message));
        }
        if channels.len() == MAX_CHANNELS {
            let message = format!("expected at most {MAX_CHANNELS} channels, found more");
            return Err(HdrError::new(at, message));
        }
        channels.push(Channel { colors, is_half: kind == 1 });
    }
    if seen != 3 {
        return Err(HdrError::new(at, "expected the channels R, G and B, or Y alone"));
    }
    Ok(channels)
}

/// Runs of bytes: a negative count of plain ones, or how often one more repeats.
fn runs(packed: &[u8], wanted: usize) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(wanted);
    let mut rest = packed;
    while let Some((&count, after)) = rest.split_first() {
        let count = i8::from_le_bytes([count]);
        if count < 0 {
            let plain = after.get(..usize::from(count.unsigned_abs()))?;
            out.extend_from_slice(plain);
            rest = &after[plain.len()..];
        } else {
            let (&value, after) = after.split_first()?;
            out.resize(out.len() + usize::from(count.unsigned_abs()) + 1, value);
            rest = after;
        }
        if out.len() > wanted {
            return None;
        }
    }
    Some(out)
}

/// Undoes the differences between bytes, then the split into even and odd ones.
fn unpredicted(mut bytes: Vec<u8>) -> Vec<u8> {
    for index in 1..bytes.len() {
        bytes[index] = bytes[index].wrapping_add(bytes[index - 1]).wrapping_sub(128);
    }
    let middle = bytes.len().div_ceil(2);
    (0..bytes.len()).map(|index| bytes[index % 2 * middle + index / 2]).collect()
}

/// A half float as a float.
fn half(bits: u16) -> f32 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let mantissa = f32::from(bits & 0x3ff);
    match i32::from(bits >> 10 & 0x1f) {
        0 => sign * mantissa * (-24_f32).exp2(),
        31 => f32::INFINITY * sign,
        exponent => sign * (1.0 + mantissa / 1024.0) * ((exponent - 15) as f32).exp2(),
    }
}
