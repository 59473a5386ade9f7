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
        return Err(PackError::TooLarge("a track of more than 23 bits or 65535 bytes a frame"));
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
    for group in &groups {
        write_group(&mut out, group, cut.length);
    }
    let mut place = out.len() + 4 * cut.segments.len();
    if u32::try_from(place + cut.bytes + TAIL).is_err() {
        return Err(PackError::TooLarge("more than 4 GB"));
    }
    for segment in &cut.segments {
        out.extend((place as u32).to_le_bytes());
        place += segment.bytes;
    }
    for segment in &cut.segments {
        segment.write(&mut out, &groups, cut.length.min(frames - segment.start));
    }
    out.resize(out.len() + TAIL, 0);
    seal(&mut out);
    Ok(out)
}

fn write_group(out: &mut Vec<u8>, group: &[Track], length: usize) {
    let kind = group[0].kind;
    out.extend(group.iter().flat_map(|track| (track.index as u16).to_le_bytes()));
    if kind.numbers() > 0 {
        out.extend(group.iter().map(|track| track.code));
        out.extend(group.iter().map(|track| base_shift(track, length)));
    }
    let size = kind.own_number_bytes();
    for at in (0..group[0].own.len()).step_by(size) {
        out.extend(group.iter().flat_map(|track| &track.own[at..at + size]));
    }
}

/// By how many bits bases are coarser than steps, so that all of them fit in a signed byte.
fn base_shift(track: &Track, length: usize) -> u8 {
    let (mut low, mut high) = (0, 0);
    for steps in track.steps.chunks(length) {
        for axis in 0..track.kind.numbers() {
            let least = steps.iter().map(|steps| steps[axis]).min().unwrap_or(0);
            (low, high) = (low.min(least), high.max(least));
        }
    }
    let fits =
        |shift: &u8| i8::try_from(low >> shift).is_ok() && i8::try_from(high >> shift).is_ok();
    (0..=MAX_COARSER).find(fits).unwrap_or(MAX_COARSER)
}

/// All frames, cut into segments of one length.
struct Cut {
    length: usize,
    segments: Vec<Segment>,
    bytes: usize,
}

impl Cut {
    /// None where a field or a frame is too large.
    fn new(groups: &[&[Track]], frames: usize, length: usize) -> Option<Self> {
        let starts = (0..frames).step_by(length);
        let mut segments: Vec<Segment> = starts.map(Segment::new).collect();
        for group in groups {
            let shifts: Vec<u8> = group.iter().map(|track| base_shift(track, length)).collect();
            for axis in 0..group[0].kind.numbers() {
                for (track, &shift) in group.iter().zip(&shifts) {
                    for (segment, steps) in segments.iter_mut().zip(track.steps.chunks(length)) {
                        segment.fields.push(Field::new(steps, axis, shift)?);
                    }
                }
            }
        }
        let mut bytes = 0;
        for segment in &mut segments {
            let bits: usize = segment.fields.iter().map(|field| usize::from(field.width)).sum();
            segment.stride = u16::try_from(bits.div_ceil(8)).ok()?;
            segment.bytes = SEGMENT_FIXED
                + 2 * segment.fields.len()
                + usize::from(segment.stride) * length.min(frames - segment.start);
            bytes += 4 + segment.bytes;
        }
        Some(Self { length, segments, bytes })
    }
}

/// A field of each frame of a segment: the value of its base in steps, and how many bits it has.
struct Field {
    base: i32,
    shift: u8,
    width: u8,
}

impl Field {
    fn new(steps: &[[i32; 3]], axis: usize, shift: u8) -> Option<Self> {
        let (mut low, mut high) = (i32::MAX, i32::MIN);
        for steps in steps {
            (low, high) = (low.min(steps[axis]), high.max(steps[axis]));
        }
        let base = low >> shift << shift;
        let width = 64 - (i64::from(high) - i64::from(base)).leading_zeros();
        (width <= MAX_WIDTH).then_some(Self { base, shift, width: width as u8 })
    }
}

/// Some frames, with a field for every number of every group, all tracks' after each other.
struct Segment {
    start: usize,
    fields: Vec<Field>,
    stride: u16,
    bytes: usize,
}

impl Segment {
    fn new(start: usize) -> Self {
        Self { start, fields: Vec::new(), stride: 0, bytes: 0 }
    }

    fn write(&self, out: &mut Vec<u8>, groups: &[&[Track]], frames: usize) {
        out.extend(self.stride.to_le_bytes());
        let axes = |group: &[Track]| 0..group[0].kind.numbers();
        let mut fields = self.fields.iter();
        for group in groups {
            for _ in axes(group) {
                out.extend(fields.clone().take(group.len()).map(|field| field.width));
                let own = fields.by_ref().take(group.len());
                out.extend(own.map(|field| (field.base >> field.shift) as u8));
            }
        }
        for frame in self.start..self.start + frames {
            let mut bits = Bits { out, held: 0, count: 0 };
            let mut fields = self.fields.iter();
            for group in groups {
                for axis in axes(group) {
                    for (track, field) in group.iter().zip(&mut fields) {
                        let number = track.steps[frame][axis] - field.base;
                        bits.put(number as u64, field.width.into());
                    }
                }
            }
            bits.end();
        }
    }
}

/// Bits after each other, the least of a number first.
struct Bits<'a> {
    out: &'a mut Vec<u8>,
    held: u64,
    count: u32,
}

impl Bits<'_> {
    fn put(&mut self, number: u64, width: u32) {
        self.held |= number << self.count;
        self.count += width;
        while self.count >= 8 {
            self.out.push(self.held as u8);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    /// Fills up the last byte with zeros.
    fn end(self) {
        if self.count > 0 {
            self.out.push(self.held as u8);
        }
    }
}
