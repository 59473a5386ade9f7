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

/// Finds all parts of a file.
pub(crate) fn check(bytes: &[u8]) -> Result<Layout, ReadError> {
    let header = Header::read(bytes)?;
    check_header(&header)?;
    let layout = Layout::new(header);
    let enough = layout.first_segment + TAIL <= bytes.len();
    expect(enough, bytes.len(), "tracks and a table of segments")?;
    let name = std::str::from_utf8(&bytes[Header::SIZE..layout.times]);
    expect(name.is_ok(), Header::SIZE, "a name in UTF-8")?;
    let mut last = None;
    for at in (layout.times..layout.tracks[0]).step_by(4) {
        let time = read_f32(bytes, at);
        let rises = last.map_or(time == 0.0, |last| time > last);
        expect(rises && time.is_finite(), at, "times that rise from 0 on")?;
        last = Some(time);
    }
    for kind in Kind::ALL {
        check_tracks(bytes, &layout, kind)?;
    }
    check_segments(bytes, &layout)?;
    Ok(layout)
}

fn expect(good: bool, at: usize, expected: &'static str) -> Result<(), ReadError> {
    if good { Ok(()) } else { Err(ReadError::Broken { at, expected }) }
}

fn check_header(header: &Header) -> Result<(), ReadError> {
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

/// What each track of a kind drives, and what it has for all frames.
fn check_tracks(bytes: &[u8], layout: &Layout, kind: Kind) -> Result<(), ReadError> {
    let driven = match kind {
        Kind::Weight => u64::from(layout.header.weights),
        Kind::Property => 4 * u64::from(layout.header.properties),
        _ => u64::from(layout.header.nodes),
    };
    let mut last = None;
    for (group, tracks) in layout.groups(kind) {
        for at in (group..group + 2 * tracks).step_by(2) {
            let index = read_u16(bytes, at);
            let good = u64::from(index) < driven && last < Some(index);
            expect(good, at, "tracks in order, of what the skeleton has")?;
            last = Some(index);
        }
        let own = group + tracks * kind.own_at()..group + tracks * kind.track_bytes();
        for at in (group + 2 * tracks..own.start).take(tracks) {
            let [code, shift] = [bytes[at], bytes[at + tracks]];
            expect(shift <= MAX_COARSER, at + tracks, "a base shift of up to 31")?;
            let fine = u32::from(code) + 8 * u32::from(shift) <= u32::from(COARSEST_ROTATION);
            expect(kind != Kind::Rotation || fine, at, "steps of a rotation of up to 1/8")?;
        }
        if kind == Kind::Rotation {
            // *Left* and *right* have a length.
            for at in
                (own.start..own.start + tracks).chain(own.end - 4 * tracks..own.end - 3 * tracks)
            {
                let zero = (0..4).all(|axis| bytes[at + axis * tracks] == 0);
                expect(!zero, at, "a rotation")?;
            }
            continue;
        }
        let most = if kind == Kind::ConstantRotation { 2.0 } else { f32::MAX };
        for at in own.step_by(4) {
            let number = read_f32(bytes, at).abs();
            expect(number <= most, at, "a finite number, of a rotation up to 2")?;
        }
    }
    Ok(())
}

/// Segments one after the other, with fields that fit their frames, and nothing but zeros after the last.
fn check_segments(bytes: &[u8], layout: &Layout) -> Result<(), ReadError> {
    let (mut at, end) = (layout.first_segment, bytes.len() - TAIL);
    for segment in 0..layout.header.segment_count() {
        let entry = layout.segments + 4 * segment;
        expect(read_u32(bytes, entry) as usize == at, entry, "segments one after the other")?;
        expect(at + layout.segment_head <= end, at, "a segment")?;
        let (mut bits, mut head) = (0, at + SEGMENT_FIXED);
        for kind in Kind::ALL {
            for (_, tracks) in layout.groups(kind) {
                for _ in 0..kind.numbers() {
                    for (track, width) in bytes[head..head + tracks].iter().enumerate() {
                        let fits = u32::from(*width) <= MAX_WIDTH;
                        expect(fits, head + track, "a width of up to 23 bits")?;
                        bits += usize::from(*width);
                    }
                    head += 2 * tracks;
                }
            }
        }
        let stride = usize::from(read_u16(bytes, at));
        expect(stride == bits.div_ceil(8), at, "the bytes of a frame")?;
        let length = usize::from(layout.header.segment);
        let frames = (layout.header.frames as usize - segment * length).min(length);
        at += layout.segment_head + frames * stride;
    }
    let ends = at == end && bytes[end..] == [0; TAIL];
    expect(ends, at.min(end), "sixteen zeros at the end")
}
