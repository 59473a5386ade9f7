//! From whole steps to the bytes of a file.
//!
//! In:  tracks as whole steps, frame by frame.
//! Out: the file; segments are as long as makes it smallest.

use super::stored::{Extra, Moving, Stored};
use crate::PackError;
use crate::format::code::{MAX_COARSER, MAX_WIDTH};
use crate::format::header::{Header, seal};
use crate::format::kind::Kind;
use crate::format::{SEGMENT_FIXED, TAIL};

/// Lengths of segments that are tried, in frames.
const SEGMENTS: [usize; 10] = [8, 12, 16, 24, 32, 48, 64, 96, 128, 256];

/// A file, but for the counts in `header`, which are made here.
pub(crate) fn write(
    mut header: Header,
    name: &str,
    times: &[f32],
    stored: &Stored,
) -> Result<Vec<u8>, PackError> {
    let frames = times.len();
    let tracks = &stored.moving;
    let segment = best_segment(tracks, frames)?;
    header.frames = frames as u32;
    header.segment = segment as u16;
    let name = &name[..name.floor_char_boundary(usize::from(u16::MAX))];
    header.name_bytes = name.len() as u16;
    let counts = [stored.rotations.len(), stored.translations.len(), stored.scales.len()];
    header.constants = counts.map(|count| count as u16);
    for track in tracks {
        header.tracks[track.kind as usize] += 1;
    }
    let mut out = Vec::new();
    header.write(&mut out);
    out.extend(name.as_bytes());
    if !header.is_uniform() {
        out.extend(times.iter().flat_map(|time| time.to_le_bytes()));
    }
    write_constants(&mut out, stored);
    let groups = groups(tracks);
    let shifts: Vec<u8> = tracks.iter().map(|track| base_shift(track, segment)).collect();
    let mut first = 0;
    for group in &groups {
        write_group(&mut out, group, &shifts[first..first + group.len()]);
        first += group.len();
    }
    let table = out.len();
    out.resize(table + 4 * frames.div_ceil(segment), 0);
    for (at, start) in (0..frames).step_by(segment).enumerate() {
        let place = u32::try_from(out.len()).map_err(|_| PackError::TooLarge("more than 4 GB"))?;
        out[table + 4 * at..][..4].copy_from_slice(&place.to_le_bytes());
        write_segment(&mut out, &groups, &shifts, start..frames.min(start + segment))?;
    }
    out.resize(out.len() + TAIL, 0);
    if u32::try_from(out.len()).is_err() {
        return Err(PackError::TooLarge("more than 4 GB"));
    }
    seal(&mut out);
    Ok(out)
}

/// Up to eight tracks of one kind.
fn groups(tracks: &[Moving]) -> Vec<&[Moving]> {
    tracks.chunk_by(|a, b| a.kind == b.kind).flat_map(|kind| kind.chunks(8)).collect()
}

/// The length of segments that makes the smallest file.
fn best_segment(tracks: &[Moving], frames: usize) -> Result<usize, PackError> {
    let fixed: usize = tracks.iter().map(|track| 2 * track.kind.components()).sum();
    let size = |segment: usize| {
        let mut bytes = 0;
        let shifts: Vec<u8> = tracks.iter().map(|track| base_shift(track, segment)).collect();
        for start in (0..frames).step_by(segment) {
            let range = start..frames.min(start + segment);
            let mut bits = 0;
            for (track, &shift) in tracks.iter().zip(&shifts) {
                for axis in 0..track.kind.components() {
                    bits += field(track, axis, shift, range.clone()).1 as usize;
                }
            }
            let stride = bits.div_ceil(8);
            if stride > usize::from(u16::MAX) {
                return usize::MAX;
            }
            bytes += 4 + SEGMENT_FIXED + fixed + stride * range.len();
        }
        bytes
    };
    let single = (frames <= usize::from(u16::MAX)).then_some(frames);
    let lengths = SEGMENTS.into_iter().filter(|&length| length < frames).chain(single);
    let best = lengths.map(|length| (size(length), length)).min().unwrap_or((0, frames));
    if best.0 == usize::MAX {
        return Err(PackError::TooLarge("more than 65535 bytes a frame"));
    }
    Ok(best.1)
}

/// The base and the width of a field in some frames.
fn field(track: &Moving, axis: usize, shift: u8, frames: std::ops::Range<usize>) -> (i32, u32) {
    let steps = track.steps[frames].iter().map(|steps| steps[axis]);
    let low = steps.clone().min().unwrap_or(0);
    let high = steps.max().unwrap_or(0);
    let base = low >> shift;
    let range = (i64::from(high) - (i64::from(base) << shift)) as u64;
    (base, 64 - range.leading_zeros())
}

/// By how many bits bases are coarser than steps, so that all of them fit in a signed byte.
fn base_shift(track: &Moving, segment: usize) -> u8 {
    let (mut low, mut high) = (0, 0);
    for steps in track.steps.chunks(segment) {
        for axis in 0..track.kind.components() {
            let least = steps.iter().map(|steps| steps[axis]).min().unwrap_or(0);
            (low, high) = (low.min(least), high.max(least));
        }
    }
    let fits =
        |shift: &u8| i8::try_from(low >> shift).is_ok() && i8::try_from(high >> shift).is_ok();
    (0..=MAX_COARSER).find(fits).unwrap_or(MAX_COARSER)
}

fn write_constants(out: &mut Vec<u8>, stored: &Stored) {
    for group in stored.rotations.chunks(8) {
        out.extend(group.iter().flat_map(|(node, _)| (*node as u16).to_le_bytes()));
        let whole = |axis: usize| {
            group.iter().map(move |(_, rotation)| {
                (f64::from(rotation.to_array()[axis]) * f64::from((1 << 23) - 1)).round() as i32
            })
        };
        for axis in 0..4 {
            out.extend(whole(axis).flat_map(|number| ((number >> 8) as i16).to_le_bytes()));
        }
        for axis in 0..4 {
            out.extend(whole(axis).map(|number| number as u8));
        }
    }
    for vectors in [&stored.translations, &stored.scales] {
        out.extend(vectors.iter().flat_map(|(node, _)| (*node as u16).to_le_bytes()));
        let numbers = vectors.iter().flat_map(|(_, vector)| vector.to_array());
        out.extend(numbers.flat_map(f32::to_le_bytes));
    }
}

fn write_group(out: &mut Vec<u8>, group: &[Moving], shifts: &[u8]) {
    out.extend(group.iter().flat_map(|track| (track.index as u16).to_le_bytes()));
    out.extend(group.iter().map(|track| track.code));
    out.extend(shifts);
    for side in 0..2 {
        for axis in 0..4 {
            for track in group {
                if let Extra::Basis(sides) = track.extra {
                    out.push(sides[side][axis] as u8);
                }
            }
        }
    }
    let origins = if group[0].kind < Kind::Weight { 3 } else { 1 };
    for axis in 0..origins {
        for track in group {
            if let Extra::Origin(origin) = track.extra {
                out.extend(origin[axis].to_le_bytes());
            }
        }
    }
}

fn write_segment(
    out: &mut Vec<u8>,
    groups: &[&[Moving]],
    shifts: &[u8],
    frames: std::ops::Range<usize>,
) -> Result<(), PackError> {
    let start = out.len();
    out.resize(start + SEGMENT_FIXED, 0);
    let mut fields = Vec::new();
    let mut first = 0;
    for group in groups {
        for axis in 0..group[0].kind.components() {
            let own = group.iter().zip(&shifts[first..]);
            let found =
                own.map(|(track, shift)| (field(track, axis, *shift, frames.clone()), shift));
            let found: Vec<((i32, u32), &u8)> = found.collect();
            if found.iter().any(|((_, width), _)| *width > MAX_WIDTH) {
                return Err(PackError::TooLarge("a track needs more than 23 bits a frame"));
            }
            out.extend(found.iter().map(|((_, width), _)| *width as u8));
            out.extend(found.iter().map(|((base, _), _)| *base as i8 as u8));
            for (track, ((base, width), shift)) in group.iter().zip(found) {
                fields.push((track, axis, base << shift, width));
            }
        }
        first += group.len();
    }
    let bits: u32 = fields.iter().map(|(.., width)| width).sum();
    let stride = bits.div_ceil(8) as usize;
    out[start..start + SEGMENT_FIXED].copy_from_slice(&(stride as u16).to_le_bytes());
    for frame in frames {
        let mut bits = Bits { out, held: 0, count: 0 };
        for &(track, axis, base, width) in &fields {
            bits.put((track.steps[frame][axis] - base) as u64, width);
        }
        bits.end();
    }
    Ok(())
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
