//! Fields of a few bits, eight tracks at a time.
//!
//! In:  the widths and bases of up to eight tracks in a segment, and where its frames lie.
//! Out: the numbers of each track in two frames.
//!
//! Fields lie one after the other without gaps, so a lane's first bit is the sum of the widths before it. Eight
//! widths of a byte each are summed by one product of 64 bits. The four bytes from a field's first byte are
//! fetched, moved down, and all other bits cleared.

use std::mem::MaybeUninit;

use sinew_lanes::{Ints, Wide};

use crate::format::code::CODE_BASE;
use crate::format::{array, reach};

const ONES: u64 = 0x0101_0101_0101_0101;
/// Bytes of widths and bases that a group may have: four numbers of eight tracks.
const HEADS: usize = 64;
/// Bytes of a frame that a group's fields may reach: 7 + 4 · 8 · 23 bits, and what is fetched after the last.
const WINDOW: usize = 128;

/// Goes through the fields of `N` frames of one segment, group by group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a, const N: usize> {
    /// Widths and bases from the first group's on, and where the next group's are.
    heads: &'a [u8],
    head: u32,
    /// Each frame and what follows, and the byte of it and that byte's bit where the next field begins.
    frames: [&'a [u8]; N],
    byte: u32,
    bit: usize,
}

/// Steps of eight lanes.
#[derive(Clone, Copy)]
pub(crate) struct Steps<W: Wide> {
    step: W,
    /// What a base counts.
    unit: W,
}

impl<W: Wide> Steps<W> {
    /// From step codes and base shifts, a byte each.
    #[inline(always)]
    pub(crate) fn new(codes: u64, shifts: u64) -> Self {
        let step = (W::Ints::from_bytes(codes) + W::Ints::splat(CODE_BASE)).shift_left::<20>();
        let unit = (step + W::Ints::from_bytes(shifts).shift_left::<23>()).as_floats();
        Self { step: step.as_floats(), unit }
    }
}

/// Eight bytes as one number.
#[inline(always)]
pub(crate) fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(*array(bytes, at))
}

/// The first `count` of eight bytes; zeros for the others.
#[inline(always)]
fn first_bytes(eight: u64, count: usize) -> u64 {
    eight & (u64::MAX >> (64 - 8 * count))
}

impl<'a, const N: usize> Fields<'a, N> {
    /// From where in a file the segment's widths and bases and the frames' own bytes begin.
    pub(crate) fn new(bytes: &'a [u8], head: usize, starts: [usize; N]) -> Self {
        let from = |at: usize| bytes.get(at..).unwrap_or_default();
        Self { heads: from(head), head: 0, frames: starts.map(from), byte: 0, bit: 0 }
    }

    #[inline(always)]
    fn rows<W: Wide, const ROWS: usize>(
        &mut self,
        steps: &Steps<W>,
        count: usize,
    ) -> [[W; N]; ROWS] {
        let mut spare = MaybeUninit::uninit();
        let heads: &[u8; HEADS] = reach(self.heads, self.head, &mut spare);
        let mut spares = [const { MaybeUninit::<[u8; WINDOW]>::uninit() }; N];
        let mut windows = [&[0; WINDOW]; N];
        for ((window, frame), spare) in windows.iter_mut().zip(self.frames).zip(&mut spares) {
            *window = reach(frame, self.byte, spare);
        }
        let mut values = [[W::splat(0.0); N]; ROWS];
        let mut byte = 0;
        for (row, values) in values.iter_mut().enumerate() {
            let head = 2 * count * row;
            let widths = first_bytes(word(heads, head), count);
            let lanes = Lanes::<W::Ints>::new(byte, self.bit, widths);
            let base = W::Ints::from_signed_bytes(word(heads, head + count)).to_floats();
            let base = base * steps.unit;
            for (value, window) in values.iter_mut().zip(windows) {
                *value = lanes.fields(window).to_floats().mul_add(steps.step, base);
            }
            byte += lanes.end / 8;
            self.bit = lanes.end & 7;
        }
        self.head += (2 * count * ROWS) as u32;
        self.byte += byte as u32;
        values
    }
}

/// Where the fields of eight lanes lie.
#[derive(Clone, Copy)]
struct Lanes<I> {
    /// The byte of a window where four lanes begin, and where the others do: at most twelve later.
    first: usize,
    second: usize,
    /// The lanes' bytes from there, how many bits of these are before a field, and ones for the bits of it.
    at: I,
    shift: I,
    mask: I,
    /// The bit after the last lane, counted from the first byte.
    end: usize,
}

impl<I: Ints> Lanes<I> {
    /// From the byte and its bit at which the first lane begins.
    #[inline(always)]
    fn new(byte: usize, bit: usize, widths: u64) -> Self {
        // Each lane's first bit. Up to 7 + 7 · 23: each fits in a byte.
        let starts = (widths << 8 | bit as u64).wrapping_mul(ONES);
        // Those of the second four lanes are counted from the byte where the first of them begins.
        let later = (starts >> 35) & 15;
        let near = I::from_bytes(starts - 8 * later * (ONES << 32));
        // Ones, less than 32 of them: as many as a field is wide.
        let others = I::from_bytes(31 * ONES - widths) & I::splat(31);
        Self {
            first: byte,
            second: byte + later as usize,
            at: near.shift_right::<3>(),
            shift: near & I::splat(7),
            mask: I::splat(i32::MAX).shift_right_by(others),
            end: ((starts >> 56) + (widths >> 56)) as usize,
        }
    }

    #[inline(always)]
    fn fields(&self, window: &[u8; WINDOW]) -> I {
        let windows = [array(window, self.first), array(window, self.second)];
        I::gather(windows, self.at).shift_right_by(self.shift) & self.mask
    }
}

/// Two frames, gone through group by group.
pub(crate) trait Frames {
    /// The next `ROWS` numbers of `count` tracks in both.
    fn next<W: Wide, const ROWS: usize>(
        &mut self,
        steps: &Steps<W>,
        count: usize,
    ) -> [[W; 2]; ROWS];
}

/// Of one segment: their fields lie alike.
impl Frames for Fields<'_, 2> {
    #[inline(always)]
    fn next<W: Wide, const ROWS: usize>(
        &mut self,
        steps: &Steps<W>,
        count: usize,
    ) -> [[W; 2]; ROWS] {
        self.rows(steps, count)
    }
}

/// The last of a segment and the first of the next.
impl Frames for [Fields<'_, 1>; 2] {
    #[inline(always)]
    fn next<W: Wide, const ROWS: usize>(
        &mut self,
        steps: &Steps<W>,
        count: usize,
    ) -> [[W; 2]; ROWS] {
        let mut values = [[W::splat(0.0); 2]; ROWS];
        for (which, fields) in self.iter_mut().enumerate() {
            let rows: [[W; 1]; ROWS] = fields.rows(steps, count);
            for (value, [found]) in values.iter_mut().zip(rows) {
                value[which] = found;
            }
        }
        values
    }
}
