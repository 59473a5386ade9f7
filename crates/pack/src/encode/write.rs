//! From whole steps to the bytes of a file.
//!
//! In:  tracks as whole steps, frame by frame.
//! Out: the file; segments are as long as makes it smallest.

use std::ops::Range;

use super::search::Track;
use crate::format::code::{MAX_COARSER, MAX_WIDTH};
use crate::format::header::{Header, seal};
use crate::format::{SEGMENT_FIXED, TAIL};

/// Lengths of segments that are tried, in frames.
const SEGMENTS: [usize; 10] = [8, 12, 16, 24, 32, 48, 64, 96, 128, 256];

/// A file, but for the counts in `header`, which are made here. Tracks are in order of kind and index. None where a track
/// has more than 23 bits, a frame more than 65535 bytes, or the file more than 4 GB.
pub(crate) fn write(
    mut header: Header,
    name: &str,
    times: &[f32],
    tracks: &[Track],
) -> Option<Vec<u8>> {
    let frames = times.len();
    let kinds = tracks.chunk_by(|a, b| a.kind == b.kind);
    let groups: Vec<&[Track]> = kinds.flat_map(|kind| kind.chunks(8)).collect();
    let single = (frames <= usize::from(u16::MAX)).then_some(frames);
    let lengths = SEGMENTS.into_iter().filter(|&length| length < frames).chain(single);
    let cuts = lengths.filter_map(|length| Some((length, cut(&groups, frames, length)?)));
    let bytes =
        |segments: &[Segment<'_>]| segments.iter().map(|one| 4 + one.bytes()).sum::<usize>();
    let (length, segments) = cuts.min_by_key(|(_, segments)| bytes(segments))?;
    header.frames = frames as u32;
    header.segment = length as u16;
    let name = &name[..name.floor_char_boundary(usize::from(u16::MAX))];
    header.name_bytes = name.len() as u16;
    for track in tracks {
        header.tracks[track.kind as usize] += 1;
    }
    let mut out = Vec::new();
    header.write(&mut out);
    out.extend(name.as_bytes());
    if !header.is_uniform() {
        out.extend(times.iter().flat_map(|time| time.to_le_bytes()));
    }
    for group in &groups {
        out.extend(group.iter().flat_map(|track| (track.index as u16).to_le_bytes()));
        if group[0].kind.numbers() > 0 {
            out.extend(group.iter().map(|track| track.code));
            out.extend(group.iter().map(|track| shift(track, length)));
        }
        let size = group[0].kind.own_number_bytes();
        for at in (0..group[0].own.len()).step_by(size) {
            out.extend(group.iter().flat_map(|track| &track.own[at..at + size]));
        }
    }
    u32::try_from(out.len() + bytes(&segments) + TAIL).ok()?;
    let mut place = out.len() + 4 * segments.len();
    for segment in &segments {
        out.extend((place as u32).to_le_bytes());
        place += segment.bytes();
    }
    for segment in &segments {
        segment.write(&mut out);
    }
    out.resize(out.len() + TAIL, 0);
    seal(&mut out);
    Some(out)
}

/// By how many bits bases are coarser than steps, so that all of a track's fit in a signed byte.
fn shift(track: &Track, length: usize) -> u8 {
    let segments = track.steps.chunks(length);
    let lows =
        segments.flat_map(|steps| (0..track.kind.numbers()).map(|axis| range(steps, axis)[0]));
    let lows: Vec<i32> = lows.collect();
    let fits = |by: &u8| lows.iter().all(|low| i8::try_from(low >> by).is_ok());
    (0..MAX_COARSER).find(fits).unwrap_or(MAX_COARSER)
}

/// The least and the most of a number.
fn range(steps: &[[i32; 3]], axis: usize) -> [i32; 2] {
    let numbers = steps.iter().map(|steps| steps[axis]);
    numbers.fold([i32::MAX, i32::MIN], |[low, high], step| [low.min(step), high.max(step)])
}

/// All frames in segments of one length. None where a field or a frame is too large.
fn cut<'a>(groups: &[&'a [Track]], frames: usize, length: usize) -> Option<Vec<Segment<'a>>> {
    let starts = (0..frames).step_by(length);
    let new = |start| Segment { frames: start..frames.min(start + length), rows: Vec::new() };
    let mut segments: Vec<Segment<'_>> = starts.map(new).collect();
    for group in groups {
        let shifts: Vec<u8> = group.iter().map(|track| shift(track, length)).collect();
        for axis in 0..group[0].kind.numbers() {
            for segment in &mut segments {
                let fields = group.iter().zip(&shifts);
                let fields = fields.map(|(track, shift)| segment.field(track, axis, *shift));
                let fields = fields.collect::<Option<Vec<Field<'_>>>>()?;
                segment.rows.push(fields);
            }
        }
    }
    let fits = |segment: &Segment<'_>| segment.stride() <= usize::from(u16::MAX);
    segments.iter().all(fits).then_some(segments)
}

/// Some frames. A row has a number of all tracks of a group: first of one group, then of the next.
struct Segment<'a> {
    frames: Range<usize>,
    rows: Vec<Vec<Field<'a>>>,
}

/// A number of a track in each frame of a segment: its base, and in steps, and how many bits it has beside.
struct Field<'a> {
    steps: &'a [[i32; 3]],
    axis: usize,
    base: i8,
    low: i32,
    width: u32,
}

impl Segment<'_> {
    fn field<'a>(&self, track: &'a Track, axis: usize, shift: u8) -> Option<Field<'a>> {
        let steps = &track.steps[self.frames.clone()];
        let [low, high] = range(steps, axis);
        let base = low >> shift;
        let low = base << shift;
        let width = 64 - (i64::from(high) - i64::from(low)).leading_zeros();
        let base = i8::try_from(base).ok().filter(|_| width <= MAX_WIDTH)?;
        Some(Field { steps, axis, base, low, width })
    }

    /// Bytes of a frame.
    fn stride(&self) -> usize {
        let bits: u32 = self.rows.iter().flatten().map(|field| field.width).sum();
        bits.div_ceil(8) as usize
    }

    fn bytes(&self) -> usize {
        let fields: usize = self.rows.iter().map(Vec::len).sum();
        SEGMENT_FIXED + 2 * fields + self.stride() * self.frames.len()
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend((self.stride() as u16).to_le_bytes());
        for row in &self.rows {
            out.extend(row.iter().map(|field| field.width as u8));
            out.extend(row.iter().map(|field| field.base as u8));
        }
        for frame in 0..self.frames.len() {
            // Bits after each other, the least of a number first; the last byte is filled up with zeros.
            let (mut held, mut count) = (0_u64, 0);
            for field in self.rows.iter().flatten() {
                held |= ((field.steps[frame][field.axis] - field.low) as u64) << count;
                count += field.width;
                while count >= 8 {
                    out.push(held as u8);
                    held >>= 8;
                    count -= 8;
                }
            }
            if count > 0 {
                out.push(held as u8);
            }
        }
    }
}
