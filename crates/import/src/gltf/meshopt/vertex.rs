//! The attribute codec, versions 0 and 1: deltas between neighbours, byte by byte.
//!
//! In:  a header byte, blocks of at most 256 elements, a tail with the first element's baseline.
//! Out: the elements, interleaved as they were.
//!
//! Inside a block, every byte position of the element is a plane of its own: groups of 16 deltas
//! packed in 0, 1, 2, 4 or 8 bits. The tail is never shorter than the longest group (24 bytes), so
//! a group that begins inside the data can always be read as one fixed window; running into the
//! tail is noticed once, at the end.

use super::unpack::{GROUP, unpack};
use super::{left_over, too_short};

const BLOCK_ELEMENTS: usize = 256;
const BLOCK_BYTES: usize = 8192;

/// One byte position of every element in a block.
type Plane = [u8; BLOCK_ELEMENTS];

/// Decodes `count` elements; `stride` is a multiple of 4 from 4 to 256.
pub(super) fn decode(count: usize, stride: usize, source: &[u8]) -> Result<Vec<u8>, String> {
    let version = match source.first() {
        Some(0xa0) => 0,
        Some(0xa1) => 1,
        Some(other) => {
            return Err(format!("vertex stream must begin with 0xa0 or 0xa1, found {other:#04x}"));
        }
        None => return Err("vertex stream is empty".into()),
    };
    let least = least_bytes(count, stride, version);
    if (source.len() as u64) < least {
        return Err(too_short("vertex", source.len(), count, stride, least));
    }
    let size = count
        .checked_mul(stride)
        .ok_or_else(|| format!("{count} elements of {stride} bytes are beyond memory"))?;

    let channels = Channels::from_tail(stride, version, source)?;
    let mut blocks = Blocks { source, at: 1, version, channels, planes: [[0; BLOCK_ELEMENTS]; 4] };
    let mut elements = vec![0; size];
    for block in elements.chunks_mut(block_elements(stride) * stride) {
        blocks.decode(block, stride)?;
    }
    let end = source.len() - tail_bytes(stride, version);
    if blocks.at == end { Ok(elements) } else { Err(left_over("vertex", blocks.at, end)) }
}

fn block_elements(stride: usize) -> usize {
    ((BLOCK_BYTES / stride) & !(GROUP - 1)).min(BLOCK_ELEMENTS)
}

fn tail_bytes(stride: usize, version: u8) -> usize {
    if version == 0 { stride.max(32) } else { (stride + stride / 4).max(24) }
}

/// The fewest bytes `count` elements can take: every delta zero, so that only the headers are left.
fn least_bytes(count: usize, stride: usize, version: u8) -> u64 {
    let (count, stride_wide) = (count as u64, stride as u64);
    let per_block = block_elements(stride) as u64;
    let blocks = if version == 0 {
        let headers = |elements: u64| elements.div_ceil(4 * GROUP as u64);
        (count / per_block)
            .saturating_mul(headers(per_block))
            .saturating_add(headers(count % per_block))
            .saturating_mul(stride_wide)
    } else {
        count.div_ceil(per_block).saturating_mul(stride_wide / 4)
    };
    blocks.saturating_add(1 + tail_bytes(stride, version) as u64)
}

/// How the deltas of four neighbouring bytes add up.
#[derive(Clone, Copy)]
enum Delta {
    Bytes,
    Words,
    Xor { rotated: u32 },
}

/// The last value and the kind of delta of each four bytes of the element.
struct Channels {
    last: [u32; 64],
    delta: [Delta; 64],
}

impl Channels {
    fn from_tail(stride: usize, version: u8, source: &[u8]) -> Result<Self, String> {
        let mut channels = Self { last: [0; 64], delta: [Delta::Bytes; 64] };
        let modes = if version == 0 { 0 } else { stride / 4 };
        let (_, tail) = source.split_at(source.len() - stride - modes);
        let (baseline, modes) = tail.split_at(stride);
        for (last, bytes) in channels.last.iter_mut().zip(baseline.as_chunks::<4>().0) {
            *last = u32::from_le_bytes(*bytes);
        }
        for (channel, (delta, &mode)) in channels.delta.iter_mut().zip(modes).enumerate() {
            *delta = match (mode & 15, mode >> 4) {
                (0, 0) => Delta::Bytes,
                (1, 0) => Delta::Words,
                (2, rotated) => Delta::Xor { rotated: u32::from(rotated) },
                _ => {
                    return Err(format!(
                        "vertex stream has the unknown mode {mode:#04x} for channel {channel}"
                    ));
                }
            };
        }
        Ok(channels)
    }
}

struct Blocks<'a> {
    source: &'a [u8],
    at: usize,
    version: u8,
    channels: Channels,
    planes: [Plane; 4],
}

impl Blocks<'_> {
    fn decode(&mut self, block: &mut [u8], stride: usize) -> Result<(), String> {
        let count = block.len() / stride;
        let controls = if self.version == 0 { None } else { Some(self.take(stride / 4)?) };
        for channel in 0..stride / 4 {
            for byte in 0..4 {
                let bits: [u8; 4] = match controls.map(|c| c[channel] >> (2 * byte) & 3) {
                    None => [0, 2, 4, 8],
                    Some(0) => [0, 1, 2, 4],
                    Some(1) => [1, 2, 4, 8],
                    Some(2) => {
                        self.planes[byte][..count].fill(0);
                        continue;
                    }
                    Some(_) => {
                        let literal = self.take(count)?;
                        self.planes[byte][..count].copy_from_slice(literal);
                        continue;
                    }
                };
                self.packed_plane(byte, count.div_ceil(GROUP), bits)?;
            }
            self.add_up(block, stride, channel);
        }
        Ok(())
    }

    fn packed_plane(&mut self, byte: usize, groups: usize, bits: [u8; 4]) -> Result<(), String> {
        let headers = self.take(groups.div_ceil(4))?;
        let plane = self.planes[byte].as_chunks_mut::<GROUP>().0;
        for (group, deltas) in plane[..groups].iter_mut().enumerate() {
            let header = headers[group / 4] >> (2 * (group % 4)) & 3;
            let window = self
                .source
                .get(self.at..)
                .and_then(<[u8]>::first_chunk)
                .ok_or_else(|| ends(self.source))?;
            self.at += unpack(bits[usize::from(header)], window, deltas);
        }
        Ok(())
    }

    /// Writes one channel of every element of the block.
    fn add_up(&mut self, block: &mut [u8], stride: usize, channel: usize) {
        let count = block.len() / stride;
        let mut deltas = [0; BLOCK_ELEMENTS];
        let [a, b, c, d] = &self.planes;
        let low = a[..count].iter().zip(&b[..count]);
        let high = c[..count].iter().zip(&d[..count]);
        for (delta, ((&a, &b), (&c, &d))) in deltas.iter_mut().zip(low.zip(high)) {
            *delta = u32::from_le_bytes([a, b, c, d]);
        }
        let deltas = &mut deltas[..count];
        let last = &mut self.channels.last[channel];
        match self.channels.delta[channel] {
            Delta::Bytes => accumulate(block, stride, channel, deltas, last, |last, delta| {
                add_bytes(last, unzigzag_bytes(delta))
            }),
            Delta::Words => accumulate(block, stride, channel, deltas, last, |last, delta| {
                add_words(last, unzigzag_words(delta))
            }),
            Delta::Xor { rotated } => {
                accumulate(block, stride, channel, deltas, last, |last, delta| {
                    last ^ delta.rotate_right(rotated)
                });
            }
        }
    }
}

impl<'a> Blocks<'a> {
    fn take(&mut self, bytes: usize) -> Result<&'a [u8], String> {
        let taken = self.source.get(self.at..self.at + bytes);
        self.at += bytes;
        taken.ok_or_else(|| ends(self.source))
    }
}

fn ends(source: &[u8]) -> String {
    format!("vertex stream ends after {} bytes, in the middle of a block", source.len())
}

fn accumulate(
    block: &mut [u8],
    stride: usize,
    channel: usize,
    deltas: &[u32],
    last: &mut u32,
    add: impl Fn(u32, u32) -> u32,
) {
    let mut value = *last;
    for (element, &delta) in block.chunks_exact_mut(stride).zip(deltas) {
        value = add(value, delta);
        element[4 * channel..4 * channel + 4].copy_from_slice(&value.to_le_bytes());
    }
    *last = value;
}

// Four bytes or two words in one register: lanes never carry into each other.

fn unzigzag_bytes(v: u32) -> u32 {
    (v >> 1 & 0x7f7f_7f7f) ^ ((v & 0x0101_0101) * 0xff)
}

fn unzigzag_words(v: u32) -> u32 {
    (v >> 1 & 0x7fff_7fff) ^ ((v & 0x0001_0001) * 0xffff)
}

fn add_bytes(a: u32, b: u32) -> u32 {
    ((a & 0x7f7f_7f7f) + (b & 0x7f7f_7f7f)) ^ ((a ^ b) & 0x8080_8080)
}

fn add_words(a: u32, b: u32) -> u32 {
    ((a & 0x7fff_7fff) + (b & 0x7fff_7fff)) ^ ((a ^ b) & 0x8000_8000)
}
