//! The fixed part of a file.

use super::kind::Kind;
use super::{array, read_f32, read_u16, read_u32};
use crate::ReadError;

pub(crate) const MAGIC: &[u8; 6] = b"sinewc";
pub(crate) const VERSION: u16 = 3;
/// What the checksum covers begins here.
const CHECKED_FROM: usize = 16;

/// The fixed part, less what is known to every reader.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Header {
    /// Of the skeleton.
    pub(crate) fingerprint: u64,
    /// Where the clip begins on its file's clock, in seconds.
    pub(crate) start: f64,
    /// Frames a second; 0 where frames have times of their own.
    pub(crate) rate: f64,
    pub(crate) duration: f32,
    /// Metres asked for, measured, and measured against the clip itself between samples.
    pub(crate) bound: f32,
    pub(crate) error: f32,
    pub(crate) loss: f32,
    pub(crate) frames: u32,
    /// Samples that the error is stated of; 0 where it is the clip's curves.
    pub(crate) samples: u32,
    /// Morph weights and driven values of a pose.
    pub(crate) weights: u32,
    pub(crate) properties: u32,
    pub(crate) nodes: u16,
    /// Frames of a segment.
    pub(crate) segment: u16,
    pub(crate) name_bytes: u16,
    /// Tracks of each kind.
    pub(crate) tracks: [u16; Kind::COUNT],
}

impl Header {
    /// Bytes of it.
    pub(crate) const SIZE: usize = 94;

    pub(crate) fn is_uniform(&self) -> bool {
        self.rate != 0.0
    }

    pub(crate) fn segment_count(&self) -> usize {
        (self.frames as usize).div_ceil(usize::from(self.segment).max(1))
    }

    pub(crate) fn count(&self, kind: Kind) -> usize {
        usize::from(self.tracks[kind as usize])
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend(MAGIC);
        out.extend(VERSION.to_le_bytes());
        // Length and checksum are known at the end.
        out.resize(CHECKED_FROM, 0);
        out.extend(self.fingerprint.to_le_bytes());
        out.extend(self.start.to_le_bytes());
        out.extend(self.rate.to_le_bytes());
        for number in [self.duration, self.bound, self.error, self.loss] {
            out.extend(number.to_le_bytes());
        }
        for number in [self.frames, self.samples, self.weights, self.properties] {
            out.extend(number.to_le_bytes());
        }
        let counts = [self.nodes, self.segment, self.name_bytes];
        for number in counts.into_iter().chain(self.tracks) {
            out.extend(number.to_le_bytes());
        }
    }

    pub(crate) fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        if !bytes.starts_with(MAGIC) {
            return Err(ReadError::NotPacked);
        }
        let version = read_u16(bytes, 6);
        if bytes.len() >= 8 && version != VERSION {
            return Err(ReadError::Version(version));
        }
        let short = bytes.len() < Self::SIZE;
        let expected = if short { Self::SIZE } else { read_u32(bytes, 8) as usize };
        if expected != bytes.len() {
            return Err(ReadError::Length { expected, found: bytes.len() });
        }
        if checksum(&bytes[CHECKED_FROM..]) != read_u32(bytes, 12) {
            return Err(ReadError::Checksum);
        }
        let short = |at: usize| read_u16(bytes, at);
        Ok(Self {
            fingerprint: u64::from_le_bytes(*array(bytes, 16)),
            start: f64::from_le_bytes(*array(bytes, 24)),
            rate: f64::from_le_bytes(*array(bytes, 32)),
            duration: read_f32(bytes, 40),
            bound: read_f32(bytes, 44),
            error: read_f32(bytes, 48),
            loss: read_f32(bytes, 52),
            frames: read_u32(bytes, 56),
            samples: read_u32(bytes, 60),
            weights: read_u32(bytes, 64),
            properties: read_u32(bytes, 68),
            nodes: short(72),
            segment: short(74),
            name_bytes: short(76),
            tracks: Kind::ALL.map(|kind| short(78 + 2 * kind as usize)),
        })
    }
}

/// Gives bytes the start, version, length and checksum of a packed clip, so that a test can alter the
/// rest of one.
pub fn mend(file: &mut [u8]) {
    if file.len() >= Header::SIZE {
        file[..6].copy_from_slice(MAGIC);
        file[6..8].copy_from_slice(&VERSION.to_le_bytes());
        seal(file);
    }
}

/// Writes the stated error and loss into a complete file.
pub(crate) fn state_errors(file: &mut [u8], error: f32, loss: f32) {
    file[48..52].copy_from_slice(&error.to_le_bytes());
    file[52..56].copy_from_slice(&loss.to_le_bytes());
    seal(file);
}

/// Writes length and checksum into a file that is otherwise complete.
pub(crate) fn seal(file: &mut [u8]) {
    let length = (file.len() as u32).to_le_bytes();
    file[8..12].copy_from_slice(&length);
    let sum = checksum(&file[CHECKED_FROM..]).to_le_bytes();
    file[12..16].copy_from_slice(&sum);
}

/// Both halves of the [`hash`] in one.
fn checksum(bytes: &[u8]) -> u32 {
    let hash = hash(bytes);
    (hash ^ hash >> 32) as u32
}

/// FNV-1a over words of eight bytes; the last is filled up with zeros.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    words.iter().chain([&last]).fold(0xcbf2_9ce4_8422_2325, |sum, word| {
        let mixed = (sum ^ u64::from_le_bytes(*word)).wrapping_mul(0x0000_0100_0000_01b3);
        mixed ^ mixed >> 29
    })
}
