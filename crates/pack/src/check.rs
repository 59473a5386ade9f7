//! A file's bytes, walked through once from end to end, and none of them believed.
//!
//! In:  any bytes that begin as a packed clip does and carry its checksum.
//! Out: where the parts lie and what they hold, in ranges that sampling never has to ask about again.

use sinew_scene::JointId;
use sinew_scene::glam::Vec3;

use crate::clock::Clock;
use crate::file::{Constant, Parts};
use crate::group::{GROUP, Group, Kind};
use crate::layout::{
    HEADER, Header, NUMBERS, SMOOTH, SPANS, STARTS, UNEVEN, read_u16, read_u32, read_u64,
};
use crate::step::WIDEST;
use crate::table::Table;
use crate::window::{Course, LEAST_CUBIC};
use crate::{ReadError, constant};

/// Finds all parts of a file.
pub(crate) fn check(bytes: &[u8]) -> Result<Parts, ReadError> {
    let mut header = Header::read(bytes)?;
    let mut check = Check { bytes, at: HEADER };
    check.header(&header)?;
    check.told(&mut header)?;
    let name = check.take(u64::from(header.name), "the clip's name")?;
    if std::str::from_utf8(&bytes[name..check.at]).is_err() {
        return Err(ReadError::Broken { at: name, expected: "a name in UTF-8" });
    }
    let groups = check.take(u64::from(header.groups) * GROUP as u64, "groups of tracks")?;
    let found = check.groups(&header, groups)?;
    let fixed = check.at;
    check.fixed(&found)?;
    let mut table = Table::new(&found, &bytes[fixed..check.at]);
    let constants = check.constants(&header)?;
    let clock = check.clock(&header)?;
    let segments = check.take(4 * header.segments() as u64, "a table of segments")?;
    let head = check.segments(&header, &found, segments, &mut table)?;
    Ok(Parts { header, clock, name, groups, fixed, segments, head, constants, table })
}

const FLAGS: &str = "a smooth clip, or spans, with gaps or without, and no other flag";

/// Walks through a file's bytes and believes none of them.
struct Check<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Check<'_> {
    /// Passes so many bytes, which must be there, and tells where they begin.
    fn take(&mut self, count: u64, expected: &'static str) -> Result<usize, ReadError> {
        let from = self.at;
        if from as u64 + count > self.bytes.len() as u64 {
            return Err(ReadError::Broken { at: from, expected });
        }
        self.at = from + count as usize;
        Ok(from)
    }

    fn header(&self, header: &Header) -> Result<(), ReadError> {
        let good = |number: f32| number.is_finite() && number >= 0.0;
        let (flags, frames) = (header.flags & !(STARTS | NUMBERS), header.frames as usize);
        for (at, good, expected) in [
            (24, header.frames > 0 && header.frames < 1 << 24, "between 1 and 16 million frames"),
            (28, good(header.rate), "a number of frames a second"),
            (32, good(header.duration), "a length in seconds"),
            (44, flags <= SPANS || flags == UNEVEN || flags == UNEVEN | SPANS, FLAGS),
            (44, flags & (SMOOTH | SPANS) == 0 || frames >= LEAST_CUBIC, "four frames or more"),
            (50, header.segment > 0, "a segment of at least one frame"),
        ] {
            if !good {
                return Err(ReadError::Broken { at, expected });
            }
        }
        Ok(())
    }

    /// What follows the fixed part where the flags say so.
    fn told(&mut self, header: &mut Header) -> Result<(), ReadError> {
        if header.flags & STARTS != 0 {
            let expected = "a start in seconds";
            let at = self.take(8, expected)?;
            header.start = f64::from_bits(read_u64(self.bytes, at));
            if !header.start.is_finite() {
                return Err(ReadError::Broken { at, expected });
            }
        }
        if header.flags & NUMBERS != 0 {
            let at = self.take(8, "how many morph weights and driven values there are")?;
            header.weights = read_u32(self.bytes, at);
            header.properties = read_u32(self.bytes, at + 4);
        }
        Ok(())
    }

    fn groups(&self, header: &Header, from: usize) -> Result<Vec<Group>, ReadError> {
        let mut groups: Vec<Group> = Vec::with_capacity(usize::from(header.groups));
        let (raw, _) = self.bytes[from..self.at].as_chunks::<GROUP>();
        for (index, raw) in raw.iter().enumerate() {
            let broken = ReadError::Broken {
                at: from + index * GROUP,
                expected: "a group of tracks, in order, for something that the skeleton has",
            };
            let Some(group) = Group::read(*raw).filter(|group| group.mask != 0) else {
                return Err(broken);
            };
            let count = match group.kind {
                Kind::Weight => u64::from(header.weights),
                Kind::Property => 4 * u64::from(header.properties),
                _ => u64::from(header.joints),
            };
            let highest = u64::from(group.block) * 8 + u64::from(group.mask.ilog2());
            let after = groups
                .last()
                .is_none_or(|last| (last.kind, last.block) < (group.kind, group.block));
            if highest >= count || !after {
                return Err(broken);
            }
            groups.push(group);
        }
        Ok(groups)
    }

    /// What holds for all frames: turns that have a length, origins that are numbers.
    fn fixed(&mut self, groups: &[Group]) -> Result<(), ReadError> {
        for group in groups {
            let tracks = group.tracks();
            let from = self.take((tracks * group.kind.fixed()) as u64, "tracks")?;
            let rest = &self.bytes[from + 2 * tracks..self.at];
            let (words, _) = rest.as_chunks::<4>();
            let good = |word: &[u8; 4]| match group.kind {
                Kind::Turn => {
                    let square = |byte: u8| i32::from(byte as i8) * i32::from(byte as i8);
                    word.iter().map(|&byte| square(byte)).sum::<i32>() >= 4096
                }
                _ => f32::from_le_bytes(*word).abs() < 1e30,
            };
            if let Some(word) = words.iter().position(|word| !good(word)) {
                let at = from + 2 * tracks + 4 * word;
                return Err(ReadError::Broken { at, expected: "a turn, or an origin" });
            }
        }
        Ok(())
    }

    fn constants(&mut self, header: &Header) -> Result<Vec<Constant>, ReadError> {
        let mut constants = Vec::new();
        for (which, &count) in header.constants.iter().enumerate() {
            let size = if which == 0 { 10 } else { 14 };
            let from = self.take(u64::from(count) * size as u64, "constant tracks")?;
            for at in (from..self.at).step_by(size) {
                let index = usize::from(read_u16(self.bytes, at));
                let number = |step: usize| f32::from_bits(read_u32(self.bytes, at + 2 + 4 * step));
                let value = Vec3::new(number(0), number(1), number(2));
                let good = which == 0 || value.to_array().iter().all(|part| part.abs() < 1e30);
                if index >= usize::from(header.joints) || !good {
                    return Err(ReadError::Broken {
                        at,
                        expected: "a node and its constant value",
                    });
                }
                let joint = JointId::new(index);
                constants.push(match which {
                    0 => Constant::Rotation(joint, constant::read(read_u64(self.bytes, at + 2))),
                    1 => Constant::Translation(joint, value),
                    _ => Constant::Scale(joint, value),
                });
            }
        }
        Ok(constants)
    }

    /// Where frames are: even, or as many in each gap as is told.
    fn clock(&mut self, header: &Header) -> Result<Clock, ReadError> {
        let Header { rate, duration, frames, flags, phase, .. } = *header;
        if flags & UNEVEN == 0 {
            return Ok(Clock::of_frames(rate, phase, duration, frames as usize));
        }
        let from = self.take(4, "how many gaps there are")?;
        let table =
            self.take(u64::from(read_u32(self.bytes, from)), "how many frames gaps have")?;
        let counts: Vec<u32> = self.bytes[table..self.at]
            .iter()
            .map(|&count| u32::from(count) * Course::of_flags(flags).each())
            .collect();
        let sum: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        if counts.contains(&0) || sum + 1 != u64::from(frames) || counts.is_empty() {
            return Err(ReadError::Broken { at: from, expected: "gaps that have all frames" });
        }
        Ok(Clock::uneven(rate, phase, duration, &counts))
    }

    /// Every segment lies in the file, and its widths fit its frames. Gives back the bytes of a
    /// segment before its first frame.
    fn segments(
        &mut self,
        header: &Header,
        groups: &[Group],
        starts: usize,
        table: &mut Table,
    ) -> Result<usize, ReadError> {
        let widths: usize =
            groups.iter().map(|group| group.tracks() * group.kind.components()).sum();
        let head = 2 + 2 * widths;
        for segment in 0..header.segments() {
            let at = read_u32(self.bytes, starts + 4 * segment) as usize;
            if at < self.at {
                let at = starts + 4 * segment;
                return Err(ReadError::Broken { at, expected: "segments after each other" });
            }
            self.at = at;
            self.take(head as u64, "a segment's widths and bases")?;
            let stride = usize::from(read_u16(self.bytes, at));
            let (mut place, mut bits) = (at + 2, 0);
            for group in groups {
                for _ in 0..group.kind.components() {
                    let row = &self.bytes[place..place + group.tracks()];
                    if row.iter().any(|&width| u32::from(width) > WIDEST) {
                        let expected = "fields of at most 22 bits";
                        return Err(ReadError::Broken { at: place, expected });
                    }
                    bits += row.iter().map(|&width| usize::from(width)).sum::<usize>();
                    place += 2 * group.tracks();
                }
            }
            if bits > 8 * stride {
                return Err(ReadError::Broken { at, expected: "frames that hold their fields" });
            }
            table.push(groups, &self.bytes[at + 2..at + head], stride);
            let first = segment * usize::from(header.segment);
            let frames = (header.frames as usize - first).min(usize::from(header.segment));
            self.take(stride as u64 * frames as u64, "a segment's frames")?;
        }
        Ok(head)
    }
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::Quat;
    use sinew_scene::{Clip, Curve, Interpolation, Node, Scene, SceneParts, Track, Transform};

    use super::*;
    use crate::{Options, mend, pack};

    /// Ten nodes, of which the last moves and turns over twelve frames.
    fn packed() -> Vec<u8> {
        let nodes = (0..10).map(|_| Node::new("", None, Transform::IDENTITY)).collect();
        let scene = Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("plain nodes");
        let times: Vec<f32> = (0..12).map(|key| key as f32 / 30.0).collect();
        let turns = (0..12).map(|key| Quat::from_rotation_x((key as f32).sin())).collect();
        let moves = (0..12).map(|key| Vec3::X * (key as f32).cos()).collect();
        let (joint, linear) = (JointId::new(9), Interpolation::Linear);
        let turns = Curve::new(times.clone(), turns, linear).expect("12 keys");
        let moves = Curve::new(times, moves, linear).expect("12 keys");
        let clip = Clip {
            duration: 11.0 / 30.0,
            rotations: vec![Track { joint, curve: turns }],
            translations: vec![
                Track { joint: JointId::new(0), curve: Curve::constant(Vec3::X) },
                Track { joint, curve: moves },
            ],
            ..Clip::default()
        };
        pack(&scene, &clip, &Options::default(), &|_| {}).expect("it packs").0.bytes().to_vec()
    }

    /// Where the file with other bytes at one place is said to be broken.
    fn broken(at: usize, with: &[u8]) -> usize {
        broken_of(packed(), at, with)
    }

    fn broken_of(mut bytes: Vec<u8>, at: usize, with: &[u8]) -> usize {
        bytes[at..at + with.len()].copy_from_slice(with);
        mend(&mut bytes);
        match check(&bytes) {
            Err(ReadError::Broken { at, .. }) => at,
            other => panic!("{other:?} with {with:?} at {at}"),
        }
    }

    #[test]
    fn what_passes_the_checksum_is_checked_part_by_part() {
        let bytes = packed();
        let good = check(&bytes).expect("it is good");
        assert_eq!((good.header.frames, good.header.groups), (12, 2));
        let mut same = bytes.clone();
        mend(&mut same);
        assert_eq!(same, bytes);
        // Nodes: nine are too few for the tenth's track.
        assert_eq!(broken(48, &9_u16.to_le_bytes()), good.groups);
        // Frames, rate, length, frames of a segment, flags.
        assert_eq!(broken(24, &0_u32.to_le_bytes()), 24);
        assert_eq!(broken(24, &(1_u32 << 24).to_le_bytes()), 24);
        assert_eq!(broken(28, &f32::NAN.to_le_bytes()), 28);
        assert_eq!(broken(32, &(-1.0_f32).to_le_bytes()), 32);
        assert_eq!(broken(50, &0_u16.to_le_bytes()), 50);
        // Smooth and spans, smooth with gaps, all three, and a flag that is none.
        for flags in [3_u16, 5, 7, 32] {
            assert_eq!(broken(44, &flags.to_le_bytes()), 44);
        }
        let mut three = packed();
        three[24..28].copy_from_slice(&3_u32.to_le_bytes());
        assert_eq!(broken_of(three, 44, &[1]), 44, "three frames for a cubic");
        // Groups: an unknown kind, no track, out of order.
        assert_eq!(broken(good.groups + 2, &[6]), good.groups);
        assert_eq!(broken(good.groups + 3, &[0]), good.groups);
        assert_eq!(broken(good.groups + 4, &[0, 0, 0, 1]), good.groups + 4);
        // What holds for all frames: a turn without length, an origin that is no number.
        assert_eq!(broken(good.fixed + 2, &[0; 4]), good.fixed + 2);
        let origin = good.fixed + 10 + 2;
        assert_eq!(broken(origin, &f32::NAN.to_le_bytes()), origin);
        // The constant translation, before the table of segments: a node that is not there, no number in y.
        let constant = good.segments - 14;
        assert_eq!(broken(constant, &10_u16.to_le_bytes()), constant);
        assert_eq!(broken(constant + 6, &f32::NAN.to_le_bytes()), constant);
        // Segments: one that begins before the table ends, a wide field, a frame that is too short.
        assert_eq!(broken(good.segments, &0_u32.to_le_bytes()), good.segments);
        let segment = read_u32(&bytes, good.segments) as usize;
        assert_eq!(broken(segment + 2, &[23]), segment + 2);
        let stride = read_u16(&bytes, segment);
        assert_eq!(broken(segment, &(stride - 1).to_le_bytes()), segment);
    }

    #[test]
    fn a_start_and_numbers_are_told_where_the_flags_say_so() {
        let mut bytes = packed();
        let good = check(&bytes).expect("it is good");
        assert_eq!((good.header.start, good.header.weights, good.name), (0.0, 0, HEADER));
        // A start of 2.5 s, then three weights and one value; segments lie 16 bytes later.
        bytes[44] |= (STARTS | NUMBERS) as u8;
        let told = [2.5_f64.to_le_bytes(), (3_u64 | 1 << 32).to_le_bytes()];
        bytes.splice(HEADER..HEADER, told.concat());
        let segment = read_u32(&bytes, good.segments + 16) + 16;
        bytes[good.segments + 16..][..4].copy_from_slice(&segment.to_le_bytes());
        mend(&mut bytes);
        let found = check(&bytes).expect("it is good as well");
        let Header { start, weights, properties, .. } = found.header;
        assert_eq!((start, weights, properties, found.name), (2.5, 3, 1, HEADER + 16));
        let nan = f64::NAN.to_le_bytes();
        assert_eq!(broken_of(bytes.clone(), HEADER, &nan), HEADER);
        // Cut short behind the fixed part.
        for (flag, rest) in [(STARTS, 7), (NUMBERS, 0)] {
            let mut short = bytes[..HEADER + rest].to_vec();
            short[44] = flag as u8;
            assert_eq!(broken_of(short, 0, &[]), HEADER);
        }
    }

    #[test]
    fn gaps_have_all_frames_and_none_is_empty() {
        // Twelve even frames, told as eleven gaps of one frame.
        let mut bytes = packed();
        let table = check(&bytes).expect("it is good").segments;
        let told = [11, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];
        bytes.splice(table..table, told);
        bytes[44..46].copy_from_slice(&UNEVEN.to_le_bytes());
        let after = table + told.len();
        let first = read_u32(&bytes, after) + told.len() as u32;
        bytes[after..after + 4].copy_from_slice(&first.to_le_bytes());
        mend(&mut bytes);
        let good = check(&bytes).expect("it is good as well");
        assert_eq!((good.clock.frames, good.clock.counts().count()), (12, 11));
        let broken = |at: usize, with: &[u8]| broken_of(bytes.clone(), at, with);
        // An empty gap beside a fuller one, one frame too many, no gaps, more than there is file; spans are three each.
        assert_eq!(broken(table + 4, &[0, 2]), table);
        assert_eq!(broken(table + 4, &[2]), table);
        assert_eq!(broken(table, &[0; 4]), table);
        assert_eq!(broken(table, &[255; 4]), table + 4);
        let mut one = bytes.clone();
        one[24..28].copy_from_slice(&1_u32.to_le_bytes());
        assert_eq!(broken_of(one, table, &[0; 4]), table, "one frame has no gaps to tell of");
        assert_eq!(broken(44, &(UNEVEN | SPANS).to_le_bytes()), table);
    }
}
