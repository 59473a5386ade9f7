//! The bytes of a packed clip: what is where. `docs/pack.md` says the same in words.
//!
//! In:  a file's bytes.
//! Out: a [`Layout`], after every count, offset and number has been checked.
//!
//! Sampling reads the file itself and asks nothing again: what [`check`](check::check) let pass can be
//! sampled at any time.

pub(crate) mod check;
pub(crate) mod code;
pub(crate) mod header;
pub(crate) mod kind;

use std::mem::MaybeUninit;

use self::header::Header;
use self::kind::Kind;

/// Zero bytes after the last frame, so that sixteen bytes can be read from any byte of it.
pub(crate) const TAIL: usize = 16;

/// Where the parts of a file begin.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) header: Header,
    /// Frame times, where they are not uniform.
    pub(crate) times: usize,
    /// The tracks of each kind.
    pub(crate) tracks: [usize; Kind::COUNT],
    /// The table of segments.
    pub(crate) segments: usize,
    /// Where the first segment begins.
    pub(crate) first_segment: usize,
    /// Bytes of a segment before its first frame.
    pub(crate) segment_head: usize,
}

impl Layout {
    /// Where everything is, from the counts of the header; nothing is read.
    pub(crate) fn new(header: Header) -> Self {
        let times = Header::SIZE + usize::from(header.name_bytes);
        let mut at = times + if header.is_uniform() { 0 } else { 4 * header.frames as usize };
        let mut segment_head = SEGMENT_FIXED;
        let tracks = Kind::ALL.map(|kind| {
            let (start, count) = (at, header.count(kind));
            at += count * kind.track_bytes();
            segment_head += 2 * count * kind.numbers();
            start
        });
        let first_segment = at + 4 * header.segment_count();
        let segments = at;
        Self { header, times, tracks, segments, first_segment, segment_head }
    }

    /// A group of a kind: where it begins, and how many tracks it has.
    #[inline]
    pub(crate) fn group(&self, kind: Kind, group: usize) -> (usize, usize) {
        let start = self.tracks[kind as usize] + 8 * group * kind.track_bytes();
        (start, (self.header.count(kind) - 8 * group).min(8))
    }

    /// All groups of a kind.
    #[inline]
    pub(crate) fn groups(&self, kind: Kind) -> impl Iterator<Item = (usize, usize)> {
        (0..self.header.count(kind).div_ceil(8)).map(move |group| self.group(kind, group))
    }
}

/// Bytes of a segment before its widths and bases: the bytes of a frame.
pub(crate) const SEGMENT_FIXED: usize = 2;

/// `N` bytes from `at` on. Places were checked when the file was read: zeros outside.
#[inline(always)]
pub(crate) fn array<const N: usize>(bytes: &[u8], at: usize) -> &[u8; N] {
    bytes.get(at..).and_then(<[u8]>::first_chunk).unwrap_or(&[0; N])
}

/// `N` bytes from `at` on, whatever follows a group in them; after the file's end zeros, which are put into `spare`.
#[inline(always)]
pub(crate) fn reach<'a, const N: usize>(
    bytes: &'a [u8],
    at: u32,
    spare: &'a mut MaybeUninit<[u8; N]>,
) -> &'a [u8; N] {
    let at = at as usize;
    match bytes.get(at..at + N).and_then(<[u8]>::first_chunk) {
        Some(all) => all,
        None => spare.write(at_end(bytes, at)),
    }
}

#[cold]
fn at_end<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    let mut found = [0; N];
    let left = bytes.get(at..).unwrap_or_default();
    let left = &left[..left.len().min(N)];
    found[..left.len()].copy_from_slice(left);
    found
}

#[inline(always)]
pub(crate) fn read_u16(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(*array(bytes, at))
}

#[inline(always)]
pub(crate) fn read_u32(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(*array(bytes, at))
}

#[inline(always)]
pub(crate) fn read_f32(bytes: &[u8], at: usize) -> f32 {
    f32::from_le_bytes(*array(bytes, at))
}
