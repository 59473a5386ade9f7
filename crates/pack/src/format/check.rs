//! A file's bytes, read once from end to end, and none of them trusted.
//!
//! In:  any bytes that begin as a packed clip does and carry its checksum.
//! Out: where the parts lie, in ranges that sampling never has to ask about again.

use super::code::{COARSEST_ROTATION, MAX_COARSER, MAX_WIDTH};
use super::header::Header;
use super::kind::Kind;
use super::{Layout, SEGMENT_FIXED, TAIL, read_f32, read_u16, read_u32};
use crate::ReadError;

/// Most frames of a clip.
const MAX_FRAMES: u32 = (1 << 24) - 1;

type Checked = Result<(), ReadError>;

/// Finds all parts of a file.
pub(crate) fn check(bytes: &[u8]) -> Result<Layout, ReadError> {
    let header = Header::read(bytes)?;
    check_header(&header)?;
    let layout = Layout::new(header);
    let check = Check { bytes, layout: &layout };
    expect(
        layout.first_segment + TAIL <= bytes.len(),
        bytes.len(),
        "tracks and a table of segments",
    )?;
    let name = std::str::from_utf8(&bytes[layout.name..layout.times]);
    expect(name.is_ok(), layout.name, "a name in UTF-8")?;
    check.times()?;
    for kind in Kind::ALL {
        check.tracks(kind)?;
    }
    check.segments()?;
    Ok(layout)
}

fn expect(good: bool, at: usize, expected: &'static str) -> Checked {
    if good { Ok(()) } else { Err(ReadError::Broken { at, expected }) }
}

fn check_header(header: &Header) -> Checked {
    let length = |number: f32| number.is_finite() && number >= 0.0;
    let rate = header.rate.is_finite() && header.rate >= 0.0;
    expect(header.start.is_finite(), 24, "a start in seconds")?;
    expect(rate, 32, "a number of frames a second")?;
    expect(length(header.duration), 40, "a duration in seconds")?;
    for (at, error) in [(44, header.bound), (48, header.error), (52, header.loss)] {
        expect(length(error), at, "an error in metres")?;
    }
    expect((1..=MAX_FRAMES).contains(&header.frames), 56, "between 1 and 16 million frames")?;
    expect(header.segment > 0, 74, "a segment of at least one frame")
}

struct Check<'a> {
    bytes: &'a [u8],
    layout: &'a Layout,
}

impl Check<'_> {
    /// Times that rise, from 0 on.
    fn times(&self) -> Checked {
        let mut last = -1.0;
        for at in (self.layout.times..self.layout.tracks[0]).step_by(4) {
            let time = read_f32(self.bytes, at);
            let rises = time.is_finite() && time > last && (last >= 0.0 || time == 0.0);
            expect(rises, at, "times that rise from 0 on")?;
            last = time;
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
            for at in (at..at + 2 * tracks).step_by(2) {
                let index = read_u16(self.bytes, at);
                let good = u64::from(index) < driven && last < Some(index);
                expect(good, at, "tracks in order, of what the skeleton has")?;
                last = Some(index);
            }
            if kind.numbers() > 0 {
                self.steps(kind, at + 2 * tracks, tracks)?;
            }
            let own = at + tracks * kind.own_at()..at + tracks * kind.track_bytes();
            if kind == Kind::Rotation {
                self.sides(own.start, tracks)?;
                continue;
            }
            let most = if kind == Kind::ConstantRotation { 2.0 } else { f32::MAX };
            for at in own.step_by(4) {
                let number = read_f32(self.bytes, at).abs();
                expect(number <= most, at, "a finite number, of a rotation up to 2")?;
            }
        }
        Ok(())
    }

    /// Steps, and what bases count in.
    fn steps(&self, kind: Kind, at: usize, tracks: usize) -> Checked {
        for at in at..at + tracks {
            let [code, shift] = [self.bytes[at], self.bytes[at + tracks]];
            expect(shift <= MAX_COARSER, at + tracks, "a base shift of up to 31")?;
            let fine = u32::from(code) + 8 * u32::from(shift) <= u32::from(COARSEST_ROTATION);
            expect(kind != Kind::Rotation || fine, at, "steps of a rotation of up to 1/8")?;
        }
        Ok(())
    }

    /// *Left* and *right* of each track have a length.
    fn sides(&self, at: usize, tracks: usize) -> Checked {
        for first in [at, at + 4 * tracks] {
            for track in first..first + tracks {
                let zero = (0..4).all(|axis| self.bytes[track + axis * tracks] == 0);
                expect(!zero, track, "a rotation")?;
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
            let place = read_u32(self.bytes, entry) as usize;
            expect(place == at, entry, "segments one after the other")?;
            expect(at + segment_head <= end, at, "a segment")?;
            let stride = usize::from(read_u16(self.bytes, at));
            let bits = self.widths(at + SEGMENT_FIXED)?;
            expect(stride == bits.div_ceil(8), at, "the bytes of a frame")?;
            let length = usize::from(header.segment);
            let frames = (header.frames as usize - segment * length).min(length);
            at += segment_head + frames * stride;
        }
        let ends = at == end && self.bytes[end..] == [0; TAIL];
        expect(ends, at.min(end), "sixteen zeros at the end")
    }

    /// The bits of a frame.
    fn widths(&self, mut at: usize) -> Result<usize, ReadError> {
        let mut bits = 0;
        for kind in Kind::ALL {
            for (_, tracks) in self.layout.groups(kind) {
                for _ in 0..kind.numbers() {
                    for at in at..at + tracks {
                        let width = u32::from(self.bytes[at]);
                        expect(width <= MAX_WIDTH, at, "a width of up to 23 bits")?;
                        bits += width as usize;
                    }
                    at += 2 * tracks;
                }
            }
        }
        Ok(bits)
    }
}
