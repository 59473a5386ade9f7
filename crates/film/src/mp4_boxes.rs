//! The boxes of an MP4 file with one H.264 track (ISO/IEC 14496-12 and -15).
//!
//! The index comes first, so that a film begins to play before all of it has arrived.

/// One frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sample {
    pub(super) size: u32,
    /// Needs no other frame.
    pub(super) whole: bool,
}

/// One film.
#[derive(Debug)]
pub(super) struct Track {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) fps: f64,
    /// The sequence parameter set.
    pub(super) sequence: Vec<u8>,
    /// The image parameter set.
    pub(super) image: Vec<u8>,
    pub(super) samples: Vec<Sample>,
    /// All frames, one after the other, each unit after its length.
    pub(super) data: Vec<u8>,
}

/// Ticks of one frame; the clock runs `fps` times as fast.
const TICKS: u32 = 1000;
/// No turn, no scale: a matrix of 16.16 and 2.30 fixed point numbers.
const IDENTITY: [u32; 9] = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000];

/// The whole file; `None` when a size does not fit its field.
pub(super) fn file(track: &Track) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    boxed(&mut head, b"ftyp", |out| out.extend_from_slice(b"isom\0\0\x02\0isomiso2avc1mp41"));
    // The index says where the data begins, which depends on the index's own size alone.
    let size = index(track, 0)?.len();
    let start = u32::try_from(head.len() + size + 8).ok()?;
    head.extend(index(track, start)?);
    let data = u32::try_from(track.data.len() + 8).ok()?;
    start.checked_add(data)?;
    word(&mut head, data);
    head.extend_from_slice(b"mdat");
    head.extend_from_slice(&track.data);
    Some(head)
}

fn index(track: &Track, start: u32) -> Option<Vec<u8>> {
    let clock = (track.fps * f64::from(TICKS)).round() as u32;
    let length = u32::try_from(track.samples.len()).ok()?.checked_mul(TICKS)?;
    let mut out = Vec::new();
    boxed(&mut out, b"moov", |out| {
        full(out, b"mvhd", 0, |out| {
            words(out, &[0, 0, clock, length, 0x1_0000, 0x100_0000, 0, 0]);
            words(out, &IDENTITY);
            words(out, &[0, 0, 0, 0, 0, 0, 2]);
        });
        boxed(out, b"trak", |out| {
            // Enabled, in the film, in its preview.
            full(out, b"tkhd", 7, |out| {
                words(out, &[0, 0, 1, 0, length, 0, 0, 0, 0]);
                words(out, &IDENTITY);
                words(out, &[track.width << 16, track.height << 16]);
            });
            boxed(out, b"mdia", |out| media(out, track, [clock, length, start]));
        });
    });
    Some(out)
}

fn media(out: &mut Vec<u8>, track: &Track, [clock, length, start]: [u32; 3]) {
    // The language is "und", three letters of five bits.
    full(out, b"mdhd", 0, |out| words(out, &[0, 0, clock, length, 0x55c4_0000]));
    full(out, b"hdlr", 0, |out| {
        out.extend_from_slice(b"\0\0\0\0vide\0\0\0\0\0\0\0\0\0\0\0\0video\0");
    });
    boxed(out, b"minf", |out| {
        full(out, b"vmhd", 1, |out| words(out, &[0, 0]));
        boxed(out, b"dinf", |out| {
            full(out, b"dref", 0, |out| {
                word(out, 1);
                // In this very file.
                full(out, b"url ", 1, |_| {});
            });
        });
        boxed(out, b"stbl", |out| table(out, track, start));
    });
}

fn table(out: &mut Vec<u8>, track: &Track, start: u32) {
    let count = track.samples.len() as u32;
    full(out, b"stsd", 0, |out| {
        word(out, 1);
        boxed(out, b"avc1", |out| image(out, track));
    });
    full(out, b"stts", 0, |out| words(out, &[1, count, TICKS]));
    let whole: Vec<u32> = (1..)
        .zip(&track.samples)
        .filter(|(_, sample)| sample.whole)
        .map(|(place, _)| place)
        .collect();
    full(out, b"stss", 0, |out| {
        word(out, whole.len() as u32);
        words(out, &whole);
    });
    // All frames in one chunk.
    full(out, b"stsc", 0, |out| words(out, &[1, 1, count, 1]));
    full(out, b"stsz", 0, |out| {
        words(out, &[0, count]);
        track.samples.iter().for_each(|sample| word(out, sample.size));
    });
    full(out, b"stco", 0, |out| words(out, &[1, start]));
}

fn image(out: &mut Vec<u8>, track: &Track) {
    words(out, &[0, 1, 0, 0, 0, 0]);
    words(out, &[track.width << 16 | track.height, 0x48_0000, 0x48_0000, 0]);
    out.extend_from_slice(&[0, 1]);
    out.extend_from_slice(&[0; 32]);
    out.extend_from_slice(&[0, 24, 0xff, 0xff]);
    boxed(out, b"avcC", |out| {
        let profile = |place: usize| track.sequence.get(place).copied().unwrap_or(0);
        // Lengths of four bytes; one set of each kind.
        out.extend_from_slice(&[1, profile(1), profile(2), profile(3), 0xff, 0xe1]);
        out.extend_from_slice(&(track.sequence.len() as u16).to_be_bytes());
        out.extend_from_slice(&track.sequence);
        out.push(1);
        out.extend_from_slice(&(track.image.len() as u16).to_be_bytes());
        out.extend_from_slice(&track.image);
    });
}

fn word(out: &mut Vec<u8>, word: u32) {
    out.extend_from_slice(&word.to_be_bytes());
}

fn words(out: &mut Vec<u8>, all: &[u32]) {
    all.iter().for_each(|each| word(out, *each));
}

fn boxed(out: &mut Vec<u8>, kind: &[u8; 4], fill: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    word(out, 0);
    out.extend_from_slice(kind);
    fill(out);
    let size = ((out.len() - start) as u32).to_be_bytes();
    out[start..start + 4].copy_from_slice(&size);
}

/// A box with a version (0) and flags.
fn full(out: &mut Vec<u8>, kind: &[u8; 4], flags: u32, fill: impl FnOnce(&mut Vec<u8>)) {
    boxed(out, kind, |out| {
        word(out, flags);
        fill(out);
    });
}
