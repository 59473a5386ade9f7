//! The fixed part of a file: what is where. `docs/pack.md` says it in words.

use crate::ReadError;

pub(crate) const MAGIC: &[u8; 6] = b"sinewc";
pub(crate) const VERSION: u16 = 1;
/// Bytes of the fixed part.
pub(crate) const HEADER: usize = 62;
/// Flag: the motion is a cubic through four frames.
pub(crate) const SMOOTH: u16 = 1;
/// Flag: it is one for each three gaps between frames. Not both.
pub(crate) const SPANS: u16 = 2;
/// Flag: frames are not even, and gaps are told.
pub(crate) const UNEVEN: u16 = 4;
/// Flag: where the clip begins on its file's clock is told.
pub(crate) const STARTS: u16 = 8;
/// Flag: how many morph weights and driven values there are is told.
pub(crate) const NUMBERS: u16 = 16;
/// What the checksum covers begins here.
pub(crate) const CHECKED_FROM: usize = 16;

/// The fixed part, and what follows it by the flags.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Header {
    pub(crate) fingerprint: u64,
    pub(crate) frames: u32,
    /// Frames a second.
    pub(crate) rate: f32,
    pub(crate) duration: f32,
    /// Metres asked for, and measured.
    pub(crate) bound: f32,
    pub(crate) measured: f32,
    pub(crate) flags: u16,
    /// How far before the start the first frame lies, in 65536ths of a gap.
    pub(crate) phase: u16,
    pub(crate) joints: u16,
    pub(crate) segment: u16,
    pub(crate) name: u16,
    pub(crate) groups: u16,
    /// Constant rotations, translations and scales.
    pub(crate) constants: [u16; 3],
    pub(crate) start: f64,
    pub(crate) weights: u32,
    pub(crate) properties: u32,
}

impl Header {
    pub(crate) fn segments(&self) -> usize {
        (self.frames as usize).div_ceil(usize::from(self.segment).max(1))
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend(MAGIC);
        out.extend(VERSION.to_le_bytes());
        // Length and checksum are known at the end.
        out.resize(CHECKED_FROM, 0);
        out.extend(self.fingerprint.to_le_bytes());
        out.extend(self.frames.to_le_bytes());
        for number in [self.rate, self.duration, self.bound, self.measured] {
            out.extend(number.to_le_bytes());
        }
        let starts = if self.start == 0.0 { 0 } else { STARTS };
        let numbers = if self.weights == 0 && self.properties == 0 { 0 } else { NUMBERS };
        let flags = self.flags | starts | numbers;
        let [a, b, c] = self.constants;
        let shorts = [self.phase, self.joints, self.segment, self.name, self.groups, a, b, c];
        for number in [flags].into_iter().chain(shorts) {
            out.extend(number.to_le_bytes());
        }
        if starts != 0 {
            out.extend(self.start.to_le_bytes());
        }
        if numbers != 0 {
            out.extend(self.weights.to_le_bytes());
            out.extend(self.properties.to_le_bytes());
        }
    }

    /// The fixed part; what follows it by the flags is as if not told.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        if !bytes.starts_with(MAGIC) {
            return Err(ReadError::NotPacked);
        }
        if bytes.len() < HEADER {
            return Err(ReadError::Length { expected: HEADER, found: bytes.len() });
        }
        let version = read_u16(bytes, 6);
        if version != VERSION {
            return Err(ReadError::Newer { found: version });
        }
        let length = read_u32(bytes, 8) as usize;
        if length != bytes.len() {
            return Err(ReadError::Length { expected: length, found: bytes.len() });
        }
        if checksum(&bytes[CHECKED_FROM..]) != read_u32(bytes, 12) {
            return Err(ReadError::Checksum);
        }
        let real = |at: usize| f32::from_bits(read_u32(bytes, at));
        let short = |at: usize| read_u16(bytes, at);
        Ok(Self {
            fingerprint: read_u64(bytes, 16),
            frames: read_u32(bytes, 24),
            rate: real(28),
            duration: real(32),
            bound: real(36),
            measured: real(40),
            flags: short(44),
            phase: short(46),
            joints: short(48),
            segment: short(50),
            name: short(52),
            groups: short(54),
            constants: [short(56), short(58), short(60)],
            ..Self::default()
        })
    }
}

/// Gives bytes the start, version, length and checksum of a packed clip, so that a test can alter the
/// rest of one.
pub fn mend(file: &mut [u8]) {
    if file.len() >= HEADER {
        file[..6].copy_from_slice(MAGIC);
        file[6..8].copy_from_slice(&VERSION.to_le_bytes());
        seal(file);
    }
}

/// Writes length and checksum into a file that is otherwise whole.
pub(crate) fn seal(file: &mut [u8]) {
    let length = (file.len() as u32).to_le_bytes();
    file[8..12].copy_from_slice(&length);
    let sum = checksum(&file[CHECKED_FROM..]).to_le_bytes();
    file[12..16].copy_from_slice(&sum);
}

/// Whether a file is as it was written: both halves of its [`hash`] as one.
pub(crate) fn checksum(bytes: &[u8]) -> u32 {
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
