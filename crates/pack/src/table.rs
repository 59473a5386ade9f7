//! What sampling needs, worked out once when a file is read.
//!
//! In:  bytes that were checked.
//! Out: groups with their numbers in lanes, and where each lane's field lies in a frame of each segment.
//!
//! The file tells tracks one after the other and is small; the table has eight lanes side by side, those without
//! a track at nothing, so that sampling loads what it needs and asks nothing. Frames stay in the file.

use sinew_scene::glam::DQuat;

use crate::group::{Group, Kind};
use crate::step::{COARSER, HOLDS, step};

/// One number of up to eight tracks in all frames of a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Field {
    pub(crate) at: [u8; 32],
    pub(crate) mask: [u8; 32],
    pub(crate) scale: [f32; 8],
    pub(crate) base: [f32; 8],
    /// Where in a frame the bytes of lanes 0 to 3 and 4 to 7 begin.
    pub(crate) windows: [u32; 2],
}

/// What holds for all frames of a group's tracks.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Tracks {
    /// All bits in the lanes that have a track.
    pub(crate) mask: [u8; 32],
    pub(crate) step: [f32; 8],
    /// What a base counts.
    pub(crate) unit: [f32; 8],
    /// 1 where values move on between frames, 0 where they hold.
    pub(crate) moves: [f32; 8],
    pub(crate) block: usize,
    /// Whether any holds.
    pub(crate) holds: bool,
    lanes: u8,
}

/// A group of turns: what is stored, four numbers, is turned into what was meant by a matrix, row by row.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(crate) struct Turn {
    pub(crate) tracks: Tracks,
    pub(crate) meant_from_stored: [[f32; 8]; 16],
}

/// A group of translations or scales.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(crate) struct Vector {
    pub(crate) tracks: Tracks,
    pub(crate) origin: [[f32; 8]; 3],
    pub(crate) scale: bool,
}

/// A group of morph weights or of driven values' numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(crate) struct Numbers {
    pub(crate) tracks: Tracks,
    pub(crate) origin: [f32; 8],
    pub(crate) property: bool,
}

/// All groups, and their fields in each segment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) turns: Vec<Turn>,
    pub(crate) spins: Vec<Tracks>,
    pub(crate) vectors: Vec<Vector>,
    pub(crate) numbers: Vec<Numbers>,
    /// For each block of the pose, whether all its rotations move.
    pub(crate) turning: Vec<bool>,
    /// Segment after segment.
    fields: Vec<Field>,
    /// Fields of a segment.
    each: usize,
}

/// The fields of one segment, by group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment<'a> {
    pub(crate) turns: &'a [[Field; 3]],
    pub(crate) spins: &'a [[Field; 4]],
    pub(crate) vectors: &'a [[Field; 3]],
    pub(crate) numbers: &'a [Field],
}

impl Table {
    /// A table of no segment yet, from what holds for all frames.
    pub(crate) fn new(joints: usize, groups: &[Group], mut fixed: &[u8]) -> Self {
        let mut table = Self { turning: vec![false; joints.div_ceil(8)], ..Self::default() };
        for group in groups {
            let (own, after) = fixed.split_at(group.tracks() * group.kind.fixed());
            fixed = after;
            table.each += group.kind.components();
            let tracks = Tracks::new(*group, own);
            if group.kind <= Kind::Spin && tracks.full() {
                table.turning[tracks.block] = true;
            }
            let (words, _) = own[2 * group.tracks()..].as_chunks::<4>();
            let word = |which: usize| group.spread(&words[which * group.tracks()..], [0; 4]);
            let floats = |which: usize| word(which).map(f32::from_le_bytes);
            match group.kind {
                Kind::Turn => table.turns.push(Turn::new(tracks, word(0), word(1))),
                Kind::Spin => table.spins.push(tracks),
                Kind::Translation | Kind::Scale => table.vectors.push(Vector {
                    tracks,
                    origin: [floats(0), floats(1), floats(2)],
                    scale: group.kind == Kind::Scale,
                }),
                Kind::Weight | Kind::Property => table.numbers.push(Numbers {
                    tracks,
                    origin: floats(0),
                    property: group.kind == Kind::Property,
                }),
            }
        }
        table
    }

    /// The next segment, from its widths and bases.
    pub(crate) fn push(&mut self, groups: &[Group], mut head: &[u8]) {
        let mut bit = 0;
        let all: Vec<Tracks> = self
            .turns
            .iter()
            .map(|turn| turn.tracks)
            .chain(self.spins.iter().copied())
            .chain(self.vectors.iter().map(|v| v.tracks))
            .chain(self.numbers.iter().map(|n| n.tracks))
            .collect();
        for (index, group) in groups.iter().enumerate() {
            for _ in 0..group.kind.components() {
                let (own, after) = head.split_at(2 * group.tracks());
                head = after;
                let (widths, bases) = own.split_at(group.tracks());
                let tracks = all[index];
                self.fields.push(Field::new(*group, &tracks, widths, bases, &mut bit));
            }
        }
    }

    /// The fields of a segment that there is.
    #[inline(always)]
    pub(crate) fn segment(&self, segment: usize) -> Segment<'_> {
        let fields = &self.fields[segment * self.each..][..self.each];
        let (turns, fields) = fields.split_at(3 * self.turns.len());
        let (spins, fields) = fields.split_at(4 * self.spins.len());
        let (vectors, numbers) = fields.split_at(3 * self.vectors.len());
        Segment {
            turns: turns.as_chunks().0,
            spins: spins.as_chunks().0,
            vectors: vectors.as_chunks().0,
            numbers,
        }
    }

    /// Bytes that the table takes.
    pub(crate) fn size(&self) -> usize {
        size_of_val(&self.turns[..])
            + size_of_val(&self.spins[..])
            + size_of_val(&self.vectors[..])
            + size_of_val(&self.numbers[..])
            + size_of_val(&self.fields[..])
    }
}

impl Tracks {
    fn new(group: Group, fixed: &[u8]) -> Self {
        let codes = group.spread(fixed, 0).map(step);
        let coarser = group.spread(&fixed[group.tracks()..], 0);
        let mut tracks = Self {
            mask: [0; 32],
            step: codes,
            unit: [0.0; 8],
            moves: coarser.map(|byte| if byte & HOLDS == 0 { 1.0 } else { 0.0 }),
            block: usize::from(group.block),
            holds: coarser.iter().any(|byte| byte & HOLDS != 0),
            lanes: group.mask,
        };
        for lane in 0..8 {
            let power = f32::from_bits((127 + u32::from(coarser[lane] & COARSER)) << 23);
            tracks.unit[lane] = codes[lane] * power;
            if group.mask >> lane & 1 == 1 {
                tracks.mask[4 * lane..4 * lane + 4].fill(0xff);
            }
        }
        tracks
    }

    /// Whether every lane has a track.
    #[inline(always)]
    pub(crate) fn full(&self) -> bool {
        self.lanes == 255
    }

    /// Whether a lane has a track.
    #[inline(always)]
    pub(crate) fn has(&self, lane: usize) -> bool {
        self.lanes >> lane & 1 == 1
    }
}

impl Turn {
    /// `left` and `right`, four signed bytes each, of any length.
    fn new(tracks: Tracks, left: [[u8; 4]; 8], right: [[u8; 4]; 8]) -> Self {
        let mut meant_from_stored = [[0.0; 8]; 16];
        let unit = |bytes: [u8; 4]| {
            let turn = DQuat::from_array(bytes.map(|byte| f64::from(byte as i8)));
            if bytes == [0; 4] { DQuat::IDENTITY } else { turn.normalize() }
        };
        for lane in 0..8 {
            let (left, right) = (unit(left[lane]), unit(right[lane]));
            for column in 0..4 {
                let mut axis = [0.0; 4];
                axis[column] = 1.0;
                let meant = (left * DQuat::from_array(axis) * right).to_array();
                for (row, number) in meant.into_iter().enumerate() {
                    meant_from_stored[4 * row + column][lane] = number as f32;
                }
            }
        }
        Self { tracks, meant_from_stored }
    }
}

impl Field {
    /// The fields begin at bit `bit` of a frame, which moves on.
    fn new(group: Group, tracks: &Tracks, widths: &[u8], bases: &[u8], bit: &mut usize) -> Self {
        let mut starts = *bit;
        let begins: Vec<usize> = widths
            .iter()
            .map(|&width| {
                let start = starts;
                starts += usize::from(width);
                start
            })
            .collect();
        let first = *bit / 8;
        let low = (group.mask & 15).count_ones() as usize;
        let second = begins.get(low).unwrap_or(bit) / 8;
        *bit = starts;
        let begins = group.spread(&begins, 0);
        let mut field = Self { windows: [first as u32, second as u32], ..Self::default() };
        let bases = group.spread(bases, 0);
        let widths = group.spread(widths, 0);
        for lane in (0..8).filter(|lane| group.mask >> lane & 1 == 1) {
            let window = if lane < 4 { first } else { second };
            let at = begins[lane] / 8 - window;
            let shift = begins[lane] % 8;
            for k in 0..4 {
                field.at[4 * lane + k] = (at + k) as u8;
            }
            let mask: u32 = ((1 << widths[lane]) - 1) << shift;
            field.mask[4 * lane..][..4].copy_from_slice(&mask.to_le_bytes());
            field.scale[lane] = tracks.step[lane] / (1 << shift) as f32;
            field.base[lane] = f32::from(bases[lane] as i8) * tracks.unit[lane];
        }
        field
    }
}
