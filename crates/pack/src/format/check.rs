//! A file's bytes, read once from end to end, and none of them trusted.
//!
//! In:  any bytes that begin as a packed clip does and carry its checksum.
//! Out: where the parts lie, in ranges that sampling never has to ask about again.

use super::code::{MAX_COARSER, MAX_WIDTH};
use super::header::Header;
use super::kind::{Kind, group_sizes};
use super::{CONSTANT_BYTES, Layout, SEGMENT_FIXED, TAIL, read_f32, read_u16, read_u32};
use crate::ReadError;

/// Most frames of a clip.
pub(crate) const MAX_FRAMES: u32 = (1 << 24) - 1;

type Checked = Result<(), ReadError>;

/// Finds all parts of a file.
pub(crate) fn check(bytes: &[u8]) -> Result<Layout, ReadError> {
    let header = Header::read(bytes)?;
    check_header(&header)?;
    let layout = Layout::new(header);
    let check = Check { bytes, layout: &layout };
    if layout.first_segment + TAIL > bytes.len() {
        return broken(bytes.len(), "tracks and a table of segments");
    }
    check.name()?;
    check.times()?;
    check.constants()?;
    for kind in Kind::ALL {
        check.tracks(kind)?;
    }
    check.segments()?;
    Ok(layout)
}

fn broken<T>(at: usize, expected: &'static str) -> Result<T, ReadError> {
    Err(ReadError::Broken { at, expected })
}

fn check_header(header: &Header) -> Checked {
    let length = |number: f32| number.is_finite() && number >= 0.0;
    let rate = header.rate.is_finite() && header.rate >= 0.0;
    for (at, good, expected) in [
        (24, header.start.is_finite(), "a start in seconds"),
        (32, rate, "a number of frames a second"),
        (40, length(header.duration), "a duration in seconds"),
        (44, length(header.bound), "an error in metres"),
        (48, length(header.error), "an error in metres"),
        (52, length(header.loss), "an error in metres"),
        (56, (1..=MAX_FRAMES).contains(&header.frames), "between 1 and 16 million frames"),
        (74, header.segment > 0, "a segment of at least one frame"),
    ] {
        if !good {
            return broken(at, expected);
        }
    }
    Ok(())
}

struct Check<'a> {
    bytes: &'a [u8],
    layout: &'a Layout,
}

impl Check<'_> {
    fn name(&self) -> Checked {
        match std::str::from_utf8(&self.bytes[self.layout.name..self.layout.times]) {
            Ok(_) => Ok(()),
            Err(_) => broken(self.layout.name, "a name in UTF-8"),
        }
    }

    /// Times that rise, from 0 on.
    fn times(&self) -> Checked {
        let (times, _) = self.bytes[self.layout.times..self.layout.constants[0]].as_chunks::<4>();
        let mut last = -1.0;
        for (frame, time) in times.iter().map(|raw| f32::from_le_bytes(*raw)).enumerate() {
            if !(time.is_finite() && time > last && (frame > 0 || time == 0.0)) {
                return broken(self.layout.times + 4 * frame, "times that rise from 0 on");
            }
            last = time;
        }
        Ok(())
    }

    fn constants(&self) -> Checked {
        let Layout { header, constants, .. } = self.layout;
        let [rotations, translations, scales] = header.constants.map(usize::from);
        let mut last = None;
        for (group, count) in group_sizes(rotations).enumerate() {
            self.nodes(constants[0] + 8 * CONSTANT_BYTES * group, count, &mut last)?;
        }
        for (at, count) in [(constants[1], translations), (constants[2], scales)] {
            self.nodes(at, count, &mut None)?;
            self.finite(at + 2 * count..at + CONSTANT_BYTES * count)?;
        }
        Ok(())
    }

    /// Nodes of the skeleton, each after the `last`.
    fn nodes(&self, at: usize, count: usize, last: &mut Option<u16>) -> Checked {
        for at in (at..at + 2 * count).step_by(2) {
            let node = read_u16(self.bytes, at);
            if node >= self.layout.header.nodes || *last >= Some(node) {
                return broken(at, "nodes in order, of those that the skeleton has");
            }
            *last = Some(node);
        }
        Ok(())
    }

    fn finite(&self, range: std::ops::Range<usize>) -> Checked {
        for at in range.step_by(4) {
            if !read_f32(self.bytes, at).is_finite() {
                return broken(at, "a finite number");
            }
        }
        Ok(())
    }

    /// What each track drives, and what it has for all frames.
    fn tracks(&self, kind: Kind) -> Checked {
        let header = &self.layout.header;
        let driven = match kind {
            Kind::Weight => u64::from(header.weights),
            Kind::Property => 4 * u64::from(header.properties),
            _ => u64::from(header.nodes),
        };
        let mut last = None;
        for (at, tracks) in self.layout.groups(kind) {
            for track in 0..tracks {
                let index = read_u16(self.bytes, at + 2 * track);
                if u64::from(index) >= driven || last >= Some(index) {
                    return broken(at + 2 * track, "tracks in order, of what the skeleton has");
                }
                last = Some(index);
                if self.bytes[at + 3 * tracks + track] > MAX_COARSER {
                    return broken(at + 3 * tracks + track, "a base shift of up to 31");
                }
            }
            let (own, end) = (at + 4 * tracks, at + tracks * kind.track_bytes());
            match kind {
                Kind::Rotation => self.rotations(own, tracks)?,
                Kind::FullRotation => {}
                _ => self.finite(own..end)?,
            }
        }
        Ok(())
    }

    /// *Left* and *right* of each track have a length.
    fn rotations(&self, at: usize, tracks: usize) -> Checked {
        for first in [at, at + 4 * tracks] {
            for track in 0..tracks {
                let zero = |axis: usize| self.bytes[first + axis * tracks + track] == 0;
                if (0..4).all(zero) {
                    return broken(first + track, "a rotation");
                }
            }
        }
        Ok(())
    }

    /// One after the other, with fields that fit their frames, and nothing but zeros after the last.
    fn segments(&self) -> Checked {
        let Layout { header, segments, first_segment, segment_head, .. } = self.layout;
        let (mut at, end) = (*first_segment, self.bytes.len() - TAIL);
        for segment in 0..header.segment_count() {
            let entry = segments + 4 * segment;
            if read_u32(self.bytes, entry) as usize != at {
                return broken(entry, "segments one after the other");
            }
            if at + segment_head > end {
                return broken(at, "a segment");
            }
            let stride = usize::from(read_u16(self.bytes, at));
            if stride != self.widths(at + SEGMENT_FIXED)?.div_ceil(8) {
                return broken(at, "the bytes of a frame");
            }
            let length = usize::from(header.segment);
            let frames = (header.frames as usize - segment * length).min(length);
            at += segment_head + frames * stride;
        }
        if at != end || self.bytes[end..] != [0; TAIL] {
            return broken(at.min(end), "sixteen zeros at the end");
        }
        Ok(())
    }

    /// The bits of a frame.
    fn widths(&self, mut at: usize) -> Result<usize, ReadError> {
        let mut bits = 0;
        for kind in Kind::ALL {
            for tracks in group_sizes(self.layout.header.count(kind)) {
                for _ in 0..kind.components() {
                    for (track, &width) in self.bytes[at..at + tracks].iter().enumerate() {
                        if u32::from(width) > MAX_WIDTH {
                            return broken(at + track, "a width of up to 23 bits");
                        }
                        bits += usize::from(width);
                    }
                    at += 2 * tracks;
                }
            }
        }
        Ok(bits)
    }
}
