//! From whole steps to the bytes of a file.
//!
//! In:  tracks as whole steps, frame by frame.
//! Out: the file; segments are as long as makes it smallest.

use super::stored::Track;
use crate::PackError;
use crate::format::code::{MAX_COARSER, MAX_WIDTH};
use crate::format::header::{Header, seal};
use crate::format::{SEGMENT_FIXED, TAIL};

/// Lengths of segments that are tried, in frames.
const SEGMENTS: [usize; 10] = [8, 12, 16, 24, 32, 48, 64, 96, 128, 256];

/// A file, but for the counts in `header`, which are made here. Tracks are in order of kind and index.
pub(crate) fn write(
    mut header: Header,
    name: &str,
    times: &[f32],
    tracks: &[Track],
) -> Result<Vec<u8>, PackError> {
    let frames = times.len();
    let kinds = tracks.chunk_by(|a, b| a.kind == b.kind);
    let groups: Vec<&[Track]> = kinds.flat_map(|kind| kind.chunks(8)).collect();
    let single = (frames <= usize::from(u16::MAX)).then_some(frames);
    let lengths = SEGMENTS.into_iter().filter(|&length| length < frames).chain(single);
    let cuts = lengths.filter_map(|length| Cut::new(&groups, frames, length));
    let Some(cut) = cuts.min_by_key(|cut| cut.bytes) else {
        let why = "a track of more than 23 bits or 65535 bytes a frame";
        return Err(PackError::Unfit(why.into()));
    };
    header.frames = frames as u32;
    header.segment = cut.length as u16;
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
    let mut shifts = cut.shifts.iter();
    for group in &groups {
        out.extend(group.iter().flat_map(|track| (track.index as u16).to_le_bytes()));
        let kind = group[0].kind;
        if kind.numbers() > 0 {
            out.extend(group.iter().map(|track| track.code));
            out.extend(shifts.by_ref().take(group.len()));
        }
        let size = kind.own_number_bytes();
        for at in (0..group[0].own.len()).step_by(size) {
            out.extend(group.iter().flat_map(|track| &track.own[at..at + size]));
        }
    }
    let mut place = out.len() + 4 * cut.segments.len();
    if u32::try_from(place + cut.bytes + TAIL).is_err() {
        return Err(PackError::Unfit("more than 4 GB".into()));
    }
    for (at, fields) in cut.segments.iter().enumerate() {
        out.extend((place as u32).to_le_bytes());
        place += segment_bytes(fields, cut.frames(at, frames));
    }
    for (at, fields) in cut.segments.iter().enumerate() {
        let first = at * cut.length;
        write_segment(&mut out, &groups, fields, first..first + cut.frames(at, frames));
    }
    out.resize(out.len() + TAIL, 0);
    seal(&mut out);
    Ok(out)
}

/// All frames, cut into segments of one length.
struct Cut {
    length: usize,
    /// By how many bits each moving track's bases are coarser than its steps, so that all of them fit in a signed byte.
    shifts: Vec<u8>,
    /// A field for every number of every group: the first of all its tracks, then the second.
    segments: Vec<Vec<Field>>,
    bytes: usize,
}

/// A number of each frame of a segment: what is taken from it, as whole steps and as its base, and how many bits it has.
struct Field {
    low: i32,
    base: i8,
    width: u8,
}

impl Cut {
    /// None where a field or a frame is too large.
    fn new(groups: &[&[Track]], frames: usize, length: usize) -> Option<Self> {
        let mut segments: Vec<Vec<Field>> = Vec::new();
        segments.resize_with(frames.div_ceil(length), Vec::new);
        let mut shifts = Vec::new();
        for group in groups.iter().filter(|group| group[0].kind.numbers() > 0) {
            let ranges: Vec<Vec<[[i32; 2]; 3]>> =
                group.iter().map(|track| track.steps.chunks(length).map(range).collect()).collect();
            let first = shifts.len();
            shifts.extend(ranges.iter().map(|ranges| shift(ranges)));
            for axis in 0..group[0].kind.numbers() {
                for (ranges, shift) in ranges.iter().zip(&shifts[first..]) {
                    for (segment, range) in segments.iter_mut().zip(ranges) {
                        let [low, high] = range[axis];
                        let base = low >> shift;
                        let low = base << shift;
                        let width = 32 - high.wrapping_sub(low).leading_zeros();
                        let fits = width <= MAX_WIDTH;
                        let base = i8::try_from(base).ok().filter(|_| fits)?;
                        segment.push(Field { low, base, width: width as u8 });
                    }
                }
            }
        }
        let mut cut = Self { length, shifts, segments, bytes: 0 };
        for (at, fields) in cut.segments.iter().enumerate() {
            u16::try_from(stride(fields)).ok()?;
            cut.bytes += 4 + segment_bytes(fields, cut.frames(at, frames));
        }
        Some(cut)
    }

    /// How many frames a segment has.
    fn frames(&self, segment: usize, all: usize) -> usize {
        self.length.min(all - segment * self.length)
    }
}

/// The least and the most of each number.
fn range(steps: &[[i32; 3]]) -> [[i32; 2]; 3] {
    let mut range = [[i32::MAX, i32::MIN]; 3];
    for steps in steps {
        for ([low, high], step) in range.iter_mut().zip(steps) {
            (*low, *high) = ((*low).min(*step), (*high).max(*step));
        }
    }
    range
}

/// By how many bits bases are coarser than steps.
fn shift(ranges: &[[[i32; 2]; 3]]) -> u8 {
    let lows = || ranges.iter().flatten().map(|[low, _]| *low);
    (0..MAX_COARSER)
        .find(|shift| lows().all(|low| i8::try_from(low >> shift).is_ok()))
        .unwrap_or(MAX_COARSER)
}

/// Bytes of a frame.
fn stride(fields: &[Field]) -> usize {
    fields.iter().map(|field| usize::from(field.width)).sum::<usize>().div_ceil(8)
}

fn segment_bytes(fields: &[Field], frames: usize) -> usize {
    SEGMENT_FIXED + 2 * fields.len() + stride(fields) * frames
}

fn write_segment(
    out: &mut Vec<u8>,
    groups: &[&[Track]],
    fields: &[Field],
    frames: std::ops::Range<usize>,
) {
    out.extend((stride(fields) as u16).to_le_bytes());
    // Of each field the track, and which of its numbers.
    let rows =
        groups.iter().flat_map(|group| (0..group[0].kind.numbers()).map(move |axis| (group, axis)));
    let mut left = fields;
    for (group, _) in rows.clone() {
        let row;
        (row, left) = left.split_at(group.len());
        out.extend(row.iter().map(|field| field.width));
        out.extend(row.iter().map(|field| field.base as u8));
    }
    for frame in frames {
        // Bits after each other, the least of a number first; the last byte is filled up with zeros.
        let (mut held, mut count) = (0_u64, 0);
        let tracks =
            rows.clone().flat_map(|(group, axis)| group.iter().map(move |track| (track, axis)));
        for ((track, axis), field) in tracks.zip(fields) {
            held |= ((track.steps[frame][axis] - field.low) as u64) << count;
            count += u32::from(field.width);
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
