//! What sampling needs, worked out once when a file is read.
//!
//! In:  bytes that were checked.
//! Out: groups with their numbers in lanes, and where each lane's field lies in a frame of each segment.
//!
//! The file tells tracks one after the other and is small; the table has eight lanes side by side, those without
//! a track at nothing, so that sampling loads what it needs and asks nothing. Frames stay in the file.

use crate::group::{Group, Kind};
use crate::step::{COARSER, HOLDS, step};

/// Bytes of a window. The last of a frame end with it, so that nothing is read beyond the file, and may begin so many before it: every
/// frame has the file's fixed part before it.
pub(crate) const BEFORE: usize = 16;

/// One number of up to eight tracks in all frames of a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Field {
    /// Which bits of the four bytes that are fetched for a lane are its field.
    pub(crate) mask: [u8; 32],
    /// The byte of its window from which on four are fetched for a lane, and the bit of them where its field begins. What
    /// lies beyond the window is none of the field.
    pub(crate) at: [u8; 8],
    pub(crate) shift: [u8; 8],
    /// Signed.
    pub(crate) base: [u8; 8],
    /// Where the windows of lanes 0 to 3 and 4 to 7 begin, from [`BEFORE`] a frame on.
    pub(crate) windows: [u32; 2],
}

/// What holds for all frames of a group's tracks.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Tracks {
    /// All bits in the lanes that have a track.
    pub(crate) mask: [u8; 32],
    /// The bits of single-precision numbers.
    pub(crate) step: [u8; 32],
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
    /// Blocks of the pose of which all rotations move, in order.
    pub(crate) turning: Vec<usize>,
    /// Segment after segment.
    fields: Vec<Field>,
    /// Fields of a segment.
    each: usize,
    /// Whether one window holds all lanes of every field.
    pub(crate) narrow: bool,
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
    pub(crate) fn new(groups: &[Group], mut fixed: &[u8]) -> Self {
        let mut table = Self { narrow: true, ..Self::default() };
        for group in groups {
            let (own, after) = fixed.split_at(group.tracks() * group.kind.fixed());
            fixed = after;
            table.each += group.kind.components();
            let tracks = Tracks::new(*group, own);
            if group.kind <= Kind::Spin && tracks.full() {
                table.turning.push(tracks.block);
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
        table.turning.sort_unstable();
        table.turning.dedup();
        table
    }

    /// The next segment, from its widths and bases, and the bytes of a frame.
    pub(crate) fn push(&mut self, groups: &[Group], mut head: &[u8], stride: usize) {
        let mut bit = 0;
        for group in groups {
            for _ in 0..group.kind.components() {
                let (own, after) = head.split_at(2 * group.tracks());
                head = after;
                let (widths, bases) = own.split_at(group.tracks());
                let field = Field::new(*group, widths, bases, &mut bit, stride);
                self.narrow &= field.windows[0] == field.windows[1];
                self.fields.push(field);
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
            + size_of_val(&self.turning[..])
            + size_of_val(&self.fields[..])
    }
}

impl Tracks {
    fn new(group: Group, fixed: &[u8]) -> Self {
        let steps = group.spread(fixed, 0).map(step);
        let coarser = group.spread(&fixed[group.tracks()..], 0);
        let mut tracks = Self {
            mask: [0; 32],
            step: [0; 32],
            unit: [0.0; 8],
            moves: coarser.map(|byte| if byte & HOLDS == 0 { 1.0 } else { 0.0 }),
            block: usize::from(group.block),
            holds: coarser.iter().any(|byte| byte & HOLDS != 0),
            lanes: group.mask,
        };
        for lane in 0..8 {
            let word = 4 * lane..4 * lane + 4;
            if group.mask >> lane & 1 == 1 {
                tracks.mask[word.clone()].fill(0xff);
            }
            tracks.step[word].copy_from_slice(&steps[lane].to_le_bytes());
            let power = f32::from_bits((127 + u32::from(coarser[lane] & COARSER)) << 23);
            tracks.unit[lane] = steps[lane] * power;
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
        for lane in 0..8 {
            let [left, right] =
                [left[lane], right[lane]].map(|four| four.map(|b| i32::from(b as i8)));
            let length = (square(left) * square(right)).sqrt();
            for column in 0..4 {
                let mut axis = [0; 4];
                axis[column] = 1;
                for (row, number) in product(product(left, axis), right).into_iter().enumerate() {
                    // Lanes without a track have no length.
                    let unit = f64::from(number) / length.max(1.0);
                    meant_from_stored[4 * row + column][lane] = unit as f32;
                }
            }
        }
        Self { tracks, meant_from_stored }
    }
}

fn square(four: [i32; 4]) -> f64 {
    f64::from(four.iter().map(|number| number * number).sum::<i32>())
}

/// Of quaternions, x y z w.
fn product([a, b, c, d]: [i32; 4], [x, y, z, w]: [i32; 4]) -> [i32; 4] {
    [
        d * x + a * w + b * z - c * y,
        d * y + b * w + c * x - a * z,
        d * z + c * w + a * y - b * x,
        d * w - a * x - b * y - c * z,
    ]
}

impl Field {
    /// The fields begin at bit `bit` of a frame of `stride` bytes, which moves on; widths are at most 22.
    fn new(group: Group, widths: &[u8], bases: &[u8], bit: &mut usize, stride: usize) -> Self {
        let widths = group.spread(widths, 0);
        let mut field = Self { base: group.spread(bases, 0), ..Self::default() };
        let mut starts = [*bit; 9];
        for lane in 0..8 {
            starts[lane + 1] = starts[lane] + usize::from(widths[lane]);
        }
        *bit = starts[8];
        // From `BEFORE` the frame on. A window that begins at the frame's end ends there.
        let window = |lane: usize| (starts[lane] / 8 + BEFORE).min(stride);
        // One window for all lanes where it is wide enough.
        let wide_enough = starts[8].div_ceil(8) - starts[0] / 8 <= BEFORE;
        let windows = [window(0), window(if wide_enough { 0 } else { 4 })];
        field.windows = windows.map(|window| window as u32);
        for lane in 0..8 {
            let mask = ((1_u32 << widths[lane]) - 1) << (starts[lane] % 8);
            field.mask[4 * lane..4 * lane + 4].copy_from_slice(&mask.to_le_bytes());
            field.at[lane] = (starts[lane] / 8 + BEFORE - windows[lane / 4]) as u8;
            field.shift[lane] = (starts[lane] % 8) as u8;
        }
        field
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masks(field: &Field) -> [u32; 8] {
        let (words, _) = field.mask.as_chunks::<4>();
        std::array::from_fn(|lane| u32::from_le_bytes(words[lane]))
    }

    #[test]
    fn fields_are_told_lane_by_lane_and_go_on_where_the_last_ended() {
        let group = Group { block: 0, kind: Kind::Weight, mask: 0b1000_0011 };
        let mut bit = 3;
        let field = Field::new(group, &[5, 9, 22], &[1, 255, 3], &mut bit, 100);
        // Lane 0 has bits 3 to 7, lane 1 bits 8 to 16, lane 7 bits 17 to 38.
        assert_eq!(bit, 39);
        assert_eq!(masks(&field), [0xf8, 0x1ff, 0, 0, 0, 0, 0, 0x3f_ffff << 1]);
        assert_eq!((field.at[0], field.at[1], field.at[7]), (0, 1, 2));
        assert_eq!((field.shift[0], field.shift[1], field.shift[7]), (3, 0, 1));
        assert_eq!(field.base, [1, 255, 0, 0, 0, 0, 0, 3]);
        assert_eq!(field.windows, [16, 16]);
        // The next begins in byte 4.
        assert_eq!(Field::new(group, &[1, 1, 1], &[0; 3], &mut bit, 100).windows, [20, 20]);
    }

    #[test]
    fn the_last_window_of_a_frame_ends_with_it() {
        let group = Group { block: 0, kind: Kind::Weight, mask: 0b1000_0011 };
        // Of five bytes: the window begins eleven before the frame, and lanes as far beyond it.
        let field = Field::new(group, &[5, 9, 22], &[0; 3], &mut 3, 5);
        assert_eq!(field.windows, [5, 5]);
        assert_eq!((field.at[0], field.at[1], field.at[7]), (11, 12, 13));
        // A field of nothing at the end of the frame, and a frame of nothing.
        let field = Field::new(group, &[8, 8, 0], &[0; 3], &mut 0, 2);
        assert_eq!((field.windows, field.at[7]), ([2, 2], 16));
        assert_eq!(Field::new(group, &[0; 3], &[0; 3], &mut 0, 0).windows, [0, 0]);
        // Both halves, of 22 bytes.
        let group = Group { block: 0, kind: Kind::Turn, mask: 255 };
        let field = Field::new(group, &[22; 8], &[0; 8], &mut 0, 22);
        assert_eq!((field.windows, field.at), ([16, 22], [0, 2, 5, 8, 5, 7, 10, 13]));
    }

    #[test]
    fn wide_fields_have_a_window_for_each_half() {
        let group = Group { block: 0, kind: Kind::Turn, mask: 255 };
        let field = Field::new(group, &[22; 8], &[0; 8], &mut 0, 100);
        // Lane 4 begins at bit 88: byte 11.
        assert_eq!(field.windows, [16, 27]);
        assert_eq!(field.at, [0, 2, 5, 8, 0, 2, 5, 8]);
        assert_eq!(field.shift, [0, 6, 4, 2, 0, 6, 4, 2]);
        // One window does when the last field ends with bit 128, and not with bit 129.
        let widths = |first: u8| [first, 15, 15, 15, 15, 15, 17, 22];
        assert_eq!(Field::new(group, &widths(14), &[0; 8], &mut 0, 100).windows, [16, 16]);
        assert_eq!(Field::new(group, &widths(15), &[0; 8], &mut 0, 100).windows, [16, 23]);
    }

    #[test]
    fn a_turn_is_meant_between_its_left_and_its_right() {
        let group = Group { block: 3, kind: Kind::Turn, mask: 0b10 };
        // A step of 2⁻²⁰, and bases that count two of them and do not hold; left is z, right is x.
        let fixed = [64, 1, 0, 0, 100, 0, 50, 0, 0, 0];
        let table = Table::new(&[group], &fixed);
        let Turn { tracks, meant_from_stored: matrix } = &table.turns[0];
        let column = |at: usize| [0, 1, 2, 3].map(|row| matrix[4 * row + at][1]);
        // k·i·i = -k, k·j·i = -i·i = 1, k·k·i = -i, k·1·i = j.
        assert_eq!(column(0), [0.0, 0.0, -1.0, 0.0]);
        assert_eq!(column(1), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(column(2), [-1.0, 0.0, 0.0, 0.0]);
        assert_eq!(column(3), [0.0, 1.0, 0.0, 0.0]);
        assert_eq!((tracks.block, tracks.full(), tracks.holds), (3, false, false));
        assert_eq!((tracks.has(1), tracks.has(0)), (true, false));
        assert_eq!(tracks.step[4..8], 2.0_f32.powi(-20).to_le_bytes());
        assert_eq!((tracks.unit[1], tracks.moves), (2.0_f32.powi(-19), [1.0; 8]));
        assert_eq!(tracks.mask[..12], [0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0]);
    }

    #[test]
    fn what_can_be_done_faster_is_known() {
        let group = |kind: Kind, block: u16, mask: u8| Group { kind, block, mask };
        let groups = [
            group(Kind::Turn, 5, 255),
            group(Kind::Turn, 6, 127),
            group(Kind::Spin, 2, 255),
            group(Kind::Scale, 3, 255),
        ];
        let table = Table::new(&groups, &[1; 15 * 10 + 8 * 2 + 8 * 14]);
        assert_eq!(table.turning, [2, 5]);
        assert!(table.turns[0].tracks.full() && !table.turns[1].tracks.full());
        let mut table = Table::new(&groups[..1], &[1; 80]);
        table.push(&groups[..1], &[14; 48], 100);
        assert!(table.narrow);
        table.push(&groups[..1], &[22; 48], 100);
        table.push(&groups[..1], &[14; 48], 100);
        assert!(!table.narrow);
    }

    #[test]
    fn what_is_ready_is_small_beside_the_file() {
        let group = |block: u16| Group { block, kind: Kind::Turn, mask: 1 };
        let groups: Vec<Group> = (0..100).map(group).collect();
        let mut table = Table::new(&groups, &[1; 1000]);
        table.push(&groups, &[1; 600], 38);
        // The worst: groups of one turn in one segment, 4 + 10 + 6 bytes each.
        assert_eq!(table.size(), 100 * (672 + 3 * 64));
        assert!(table.size() <= 44 * 100 * 20);
        assert_eq!(table.segment(0).turns.len(), 100);
    }
}
