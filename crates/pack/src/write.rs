//! A plan as bytes: segments as long as makes the file smallest, fields as narrow as they can be.

use rayon::prelude::*;
use sinew_scene::glam::{Quat, Vec3};

use crate::bits::{Bits, width};
use crate::chain::{Branch, one};
use crate::ground::Ground;
use crate::group::{Group, Kind};
use crate::layout::{Header, seal};
use crate::plan::{Channel, Form, Plan, Track};
use crate::step::{COARSER, HOLDS, WIDEST};
use crate::{PackError, constant};

/// How long segments may be, in frames.
const LENGTHS: [usize; 9] = [8, 12, 16, 24, 32, 48, 64, 128, 256];

/// A track with its whole steps, frame after frame.
#[derive(Clone, Debug)]
pub(crate) struct Moving {
    pub(crate) kind: Kind,
    /// Of the joint, weight or number that it drives.
    pub(crate) index: usize,
    pub(crate) code: u8,
    pub(crate) holds: bool,
    /// What follows step and base in the file, in words of four bytes.
    pub(crate) fixed: Vec<[u8; 4]>,
    pub(crate) steps: Vec<[i32; 4]>,
}

/// Constant tracks, by joint.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constants {
    pub(crate) rotations: Vec<(usize, Quat)>,
    pub(crate) translations: Vec<(usize, Vec3)>,
    pub(crate) scales: Vec<(usize, Vec3)>,
}

/// The whole steps of every moving track, and what is constant.
pub(crate) fn tracks(ground: &Ground<'_>, plan: &Plan) -> (Vec<Moving>, Constants) {
    let joints = ground.parents.len();
    let branch = Branch::all(joints);
    let told: Vec<Vec<(usize, Kind, [i32; 4])>> = (0..ground.source.clock.frames)
        .into_par_iter()
        .map(|frame| {
            let (mut cells, mut told) = (Vec::with_capacity(joints), Vec::new());
            one(ground, plan, &branch, &[], frame, &mut cells, |joint, kind, steps| {
                told.push((joint, kind, steps));
            });
            told
        })
        .collect();
    let mut moving: Vec<Moving> = told[0]
        .iter()
        .enumerate()
        .map(|(at, &(index, kind, _))| {
            let track = track(plan, index, kind);
            let fixed = match track.form {
                Form::Turn(frame) => {
                    vec![frame.left.map(|byte| byte as u8), frame.right.map(|byte| byte as u8)]
                }
                Form::Spin => Vec::new(),
                Form::Vector(origin) => origin.to_array().map(f32::to_le_bytes).to_vec(),
            };
            let steps = told.iter().map(|frame| frame[at].2).collect();
            Moving { kind, index, code: track.code, holds: track.holds, fixed, steps }
        })
        .collect();
    moving.sort_by_key(|track| (track.kind, track.index));
    (moving, constants(plan))
}

fn track(plan: &Plan, joint: usize, kind: Kind) -> Track {
    let found = match kind {
        Kind::Translation => moving(&plan.translations[joint]),
        Kind::Scale => moving(&plan.scales[joint]),
        _ => moving(&plan.rotations[joint]),
    };
    found.expect("the chain tells of moving tracks alone")
}

fn moving<V>(channel: &Channel<V>) -> Option<Track> {
    match channel {
        Channel::Moving(track) => Some(*track),
        _ => None,
    }
}

fn constants(plan: &Plan) -> Constants {
    fn all<V: Copy>(channels: &[Channel<V>]) -> Vec<(usize, V)> {
        let constant = |(joint, channel): (usize, &Channel<V>)| match channel {
            Channel::Constant(value) => Some((joint, *value)),
            _ => None,
        };
        channels.iter().enumerate().filter_map(constant).collect()
    }
    Constants {
        rotations: all(&plan.rotations),
        translations: all(&plan.translations),
        scales: all(&plan.scales),
    }
}

/// Width and base of one number of one track in one segment.
fn field(steps: &[[i32; 4]], component: usize, coarser: u32) -> (u32, i8) {
    let numbers = steps.iter().map(|steps| steps[component]);
    let (low, high) = numbers
        .fold((i32::MAX, i32::MIN), |(low, high), number| (low.min(number), high.max(number)));
    let base = low >> coarser;
    (width((high - (base << coarser)) as u32), base as i8)
}

/// How much coarser a track's bases must be to fit in a byte each.
fn coarser(track: &Moving) -> u32 {
    let numbers = track.steps.iter().flatten();
    let (low, high) = numbers.fold((0, 0), |(low, high), &n| (i32::min(low, n), i32::max(high, n)));
    (0..32).find(|&by| low >> by >= -128 && high >> by <= 127).unwrap_or(31)
}

/// Bytes of all segments of a length, or `None` when a field is wider than can be read.
fn size(tracks: &[Moving], coarsers: &[u32], length: usize, frames: usize) -> Option<usize> {
    let fields: usize = tracks.iter().map(|track| track.kind.components()).sum();
    let sizes: Option<Vec<usize>> = (0..frames.div_ceil(length))
        .into_par_iter()
        .map(|segment| {
            let (from, to) = (segment * length, (segment * length + length).min(frames));
            let mut bits = 0;
            for (track, &coarser) in tracks.iter().zip(coarsers) {
                for component in 0..track.kind.components() {
                    let (width, _) = field(&track.steps[from..to], component, coarser);
                    if width > WIDEST {
                        return None;
                    }
                    bits += width as usize;
                }
            }
            Some(4 + 2 + 2 * fields + bits.div_ceil(8) * (to - from))
        })
        .collect();
    Some(sizes?.into_iter().sum())
}

/// The file. `header` is filled in; `gaps` has how many frames each has, or spans, where they are not even.
pub(crate) fn write(
    mut header: Header,
    name: &str,
    gaps: &[u8],
    tracks: &[Moving],
    constants: &Constants,
) -> Result<(Vec<u8>, usize), PackError> {
    let frames = header.frames as usize;
    let coarsers: Vec<u32> = tracks.iter().map(coarser).collect();
    let lengths = LENGTHS.into_iter().chain([frames.min(60_000)]).map(|length| length.min(frames));
    let best =
        lengths.filter_map(|length| Some((size(tracks, &coarsers, length, frames)?, length))).min();
    let too_large = PackError::TooLarge("a track is too long and too fine for its fields");
    let (_, length) = best.ok_or(too_large)?;
    let groups = groups(tracks);
    let short = |count: usize, what| u16::try_from(count).map_err(|_| PackError::TooLarge(what));
    header.segment = short(length, "segments of more than 65535 frames")?;
    header.name = short(name.len(), "a name of more than 65535 bytes")?;
    header.groups = short(groups.len(), "more than 65535 groups of tracks")?;
    header.constants = [
        short(constants.rotations.len(), "more than 65535 constant rotations")?,
        short(constants.translations.len(), "more than 65535 constant translations")?,
        short(constants.scales.len(), "more than 65535 constant scales")?,
    ];
    let mut out = Vec::new();
    header.write(&mut out);
    out.extend(name.as_bytes());
    out.extend(groups.iter().flat_map(|(group, _)| group.write()));
    for (_, range) in &groups {
        write_fixed(&tracks[range.clone()], &coarsers[range.clone()], &mut out);
    }
    write_constants(constants, &mut out);
    if !gaps.is_empty() {
        out.extend((gaps.len() as u32).to_le_bytes());
        out.extend(gaps);
    }
    write_segments(&header, tracks, &coarsers, &groups, &mut out)?;
    seal(&mut out);
    Ok((out, length))
}

/// Groups, and which tracks are theirs.
fn groups(tracks: &[Moving]) -> Vec<(Group, std::ops::Range<usize>)> {
    let mut groups: Vec<(Group, std::ops::Range<usize>)> = Vec::new();
    for (at, track) in tracks.iter().enumerate() {
        let (block, mask) = ((track.index / 8) as u16, 1 << (track.index % 8));
        match groups.last_mut() {
            Some((group, range)) if (group.kind, group.block) == (track.kind, block) => {
                group.mask |= mask;
                range.end = at + 1;
            }
            _ => groups.push((Group { block, kind: track.kind, mask }, at..at + 1)),
        }
    }
    groups
}

/// Byte after byte of all tracks of a group: what is read at once lies together.
fn write_fixed(tracks: &[Moving], coarsers: &[u32], out: &mut Vec<u8>) {
    out.extend(tracks.iter().map(|track| track.code));
    for (track, &coarser) in tracks.iter().zip(coarsers) {
        out.push(coarser as u8 & COARSER | if track.holds { HOLDS } else { 0 });
    }
    for word in 0..tracks[0].fixed.len() {
        out.extend(tracks.iter().flat_map(|track| track.fixed[word]));
    }
}

fn write_constants(constants: &Constants, out: &mut Vec<u8>) {
    for &(joint, value) in &constants.rotations {
        out.extend((joint as u16).to_le_bytes());
        out.extend(constant::write(value).to_le_bytes());
    }
    for &(joint, value) in constants.translations.iter().chain(&constants.scales) {
        out.extend((joint as u16).to_le_bytes());
        out.extend(value.to_array().into_iter().flat_map(f32::to_le_bytes));
    }
}

fn write_segments(
    header: &Header,
    tracks: &[Moving],
    coarsers: &[u32],
    groups: &[(Group, std::ops::Range<usize>)],
    out: &mut Vec<u8>,
) -> Result<(), PackError> {
    let (frames, length) = (header.frames as usize, usize::from(header.segment));
    let table = out.len();
    out.resize(table + 4 * header.segments(), 0);
    for segment in 0..header.segments() {
        let (from, to) = (segment * length, (segment * length + length).min(frames));
        let place = u32::try_from(out.len());
        let place = place.map_err(|_| PackError::TooLarge("more than 4 GB of frames"))?;
        out[table + 4 * segment..][..4].copy_from_slice(&place.to_le_bytes());
        // In the order of the fields: group, component, track.
        let mut fields = Vec::new();
        for (group, range) in groups {
            for component in 0..group.kind.components() {
                for at in range.clone() {
                    let (width, base) = field(&tracks[at].steps[from..to], component, coarsers[at]);
                    fields.push((at, component, width, base));
                }
            }
        }
        let bits: u32 = fields.iter().map(|field| field.2).sum();
        let stride = u16::try_from(bits.div_ceil(8));
        let stride = stride.map_err(|_| PackError::TooLarge("frames of more than 65535 bytes"))?;
        out.extend(stride.to_le_bytes());
        let mut rest = &fields[..];
        for (group, range) in groups {
            for _ in 0..group.kind.components() {
                let (row, after) = rest.split_at(range.len());
                rest = after;
                out.extend(row.iter().map(|field| field.2 as u8));
                out.extend(row.iter().map(|field| field.3 as u8));
            }
        }
        for frame in from..to {
            let mut packed = Bits::default();
            for &(at, component, width, base) in &fields {
                let above = tracks[at].steps[frame][component] - (i32::from(base) << coarsers[at]);
                packed.push(above as u32, width);
            }
            out.extend(packed.into_bytes());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases_are_as_fine_as_a_signed_byte_can_tell() {
        let track = |steps: [i32; 2]| Moving {
            kind: Kind::Weight,
            index: 0,
            code: 0,
            holds: false,
            fixed: Vec::new(),
            steps: steps.map(|steps| [steps, 0, 0, 0]).to_vec(),
        };
        let found =
            [[-128, 127], [-129, 0], [0, 128], [-5000, 0]].map(|steps| coarser(&track(steps)));
        assert_eq!(found, [0, 1, 1, 6]);
        // -5000 in units of 64 is -79, which is 56 below; with 1000 more above it takes 11 bits.
        assert_eq!(field(&[[-5000, 0, 0, 0], [-4000, 0, 0, 0]], 0, 6), (11, -79));
    }
}
