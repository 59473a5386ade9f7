//! The fixed part of a file: what is where. `docs/pack.md` says it in words.

use crate::ReadError;

pub(crate) const MAGIC: &[u8; 8] = b"sinewclp";
pub(crate) const VERSION: u16 = 1;
/// Bytes of the fixed part.
pub(crate) const HEADER: usize = 88;
/// Flag: the motion is a cubic through four frames.
pub(crate) const SMOOTH: u32 = 1;
/// Flag: it is one for each three gaps between frames. Not both.
pub(crate) const SPANS: u32 = 2;
/// Flag: frames are not even, and gaps are told.
pub(crate) const UNEVEN: u32 = 4;
/// How far before the start the first frame lies is above the flags.
pub(crate) const PHASE: u32 = 16;
/// What the checksum covers begins here.
pub(crate) const CHECKED_FROM: usize = 24;
/// Zeros at the end, so that eight values can be read at once from any place before them.
pub(crate) const TAIL: usize = 32;

/// The fixed part.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Header {
    pub(crate) fingerprint: u64,
    pub(crate) joints: u32,
    pub(crate) weights: u32,
    pub(crate) properties: u32,
    pub(crate) frames: u32,
    /// Frames a second.
    pub(crate) rate: f32,
    pub(crate) duration: f32,
    pub(crate) start: f64,
    /// Metres asked for, and measured.
    pub(crate) bound: f32,
    pub(crate) measured: f32,
    pub(crate) segment: u16,
    pub(crate) name: u16,
    pub(crate) groups: u16,
    /// Constant rotations, translations and scales.
    pub(crate) constants: [u16; 3],
    pub(crate) flags: u32,
}

impl Header {
    pub(crate) fn segments(&self) -> usize {
        (self.frames as usize).div_ceil(usize::from(self.segment).max(1))
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend(MAGIC);
        out.extend(VERSION.to_le_bytes());
        // Two idle bytes, then length and checksum, which are known at the end.
        out.resize(CHECKED_FROM, 0);
        out.extend(self.fingerprint.to_le_bytes());
        for number in [self.joints, self.weights, self.properties, self.frames] {
            out.extend(number.to_le_bytes());
        }
        out.extend(self.rate.to_le_bytes());
        out.extend(self.duration.to_le_bytes());
        out.extend(self.start.to_le_bytes());
        out.extend(self.bound.to_le_bytes());
        out.extend(self.measured.to_le_bytes());
        let [a, b, c] = self.constants;
        for number in [self.segment, self.name, self.groups, a, b, c] {
            out.extend(number.to_le_bytes());
        }
        out.extend(self.flags.to_le_bytes());
    }

    pub(crate) fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        if !bytes.starts_with(MAGIC) {
            return Err(ReadError::NotPacked);
        }
        let early = ReadError::Length { expected: HEADER + TAIL, found: bytes.len() };
        if bytes.len() < HEADER + TAIL {
            return Err(early);
        }
        let version = read_u16(bytes, 8);
        if version != VERSION {
            return Err(ReadError::Newer { found: version });
        }
        let length = read_u32(bytes, 12) as usize;
        if length != bytes.len() {
            return Err(ReadError::Length { expected: length, found: bytes.len() });
        }
        if checksum(&bytes[CHECKED_FROM..]) != read_u64(bytes, 16) {
            return Err(ReadError::Checksum);
        }
        let number = |at: usize| read_u32(bytes, at);
        let real = |at: usize| f32::from_bits(read_u32(bytes, at));
        let short = |at: usize| read_u16(bytes, at);
        Ok(Self {
            fingerprint: read_u64(bytes, 24),
            joints: number(32),
            weights: number(36),
            properties: number(40),
            frames: number(44),
            rate: real(48),
            duration: real(52),
            start: f64::from_bits(read_u64(bytes, 56)),
            bound: real(64),
            measured: real(68),
            segment: short(72),
            name: short(74),
            groups: short(76),
            constants: [short(78), short(80), short(82)],
            flags: number(84),
        })
    }
}

/// Gives bytes the start, version, length and checksum of a packed clip, so that a test can alter the
/// rest of one.
pub fn mend(file: &mut [u8]) {
    if file.len() >= HEADER + TAIL {
        file[..8].copy_from_slice(MAGIC);
        file[8..10].copy_from_slice(&VERSION.to_le_bytes());
        seal(file);
    }
}

/// Writes length and checksum into a file that is otherwise whole.
pub(crate) fn seal(file: &mut [u8]) {
    let length = (file.len() as u32).to_le_bytes();
    file[12..16].copy_from_slice(&length);
    let sum = checksum(&file[CHECKED_FROM..]).to_le_bytes();
    file[16..24].copy_from_slice(&sum);
}

/// FNV-1a over words of eight bytes; the last is filled up with zeros.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    words.iter().chain([&last]).fold(0xcbf2_9ce4_8422_2325, |sum, word| {
        let mixed = (sum ^ u64::from_le_bytes(*word)).wrapping_mul(0x0000_0100_0000_01b3);
        mixed ^ mixed >> 29
    })
}

/// Numbers, least byte first. Places were checked when the file was read: zero past the end.
#[inline(always)]
pub(crate) fn read_u16(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |raw| u16::from_le_bytes(*raw))
}

#[inline(always)]
pub(crate) fn read_u32(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |raw| u32::from_le_bytes(*raw))
}

#[inline(always)]
pub(crate) fn read_u64(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |raw| u64::from_le_bytes(*raw))
}
