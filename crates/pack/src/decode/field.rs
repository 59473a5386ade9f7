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
/// Bytes of a frame that eight fields may reach: 7 + 8 · 23 bits, and what is fetched after the last.
const WINDOW: usize = 32;

/// Goes through the fields of `N` frames of one segment: a number of up to eight tracks at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a, const N: usize> {
    bytes: &'a [u8],
    /// Where the next widths and bases are, and in each frame the byte and its bit where the next field begins.
    head: u32,
    frames: [u32; N],
    bit: u32,
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
        Self { bytes, head: head as u32, frames: starts.map(|start| start as u32), bit: 0 }
    }

    /// The next number of `count` tracks, in each frame.
    #[inline(always)]
    fn row<W: Wide>(&mut self, steps: &Steps<W>, count: usize) -> [W; N] {
        let mut spare = MaybeUninit::uninit();
        let heads: &[u8; 16] = reach(self.bytes, self.head, &mut spare);
        let lanes = Lanes::<W::Ints>::new(self.bit, first_bytes(word(heads, 0), count));
        let base = W::Ints::from_signed_bytes(word(heads, count)).to_floats() * steps.unit;
        let mut values = [base; N];
        // No loop, which would have its numbers in memory: there are one or two.
        values[0] = lanes.fields(self.bytes, self.frames[0]).mul_add(steps.step, base);
        self.frames[0] += lanes.end / 8;
        if N > 1 {
            values[N - 1] = lanes.fields(self.bytes, self.frames[N - 1]).mul_add(steps.step, base);
            self.frames[N - 1] += lanes.end / 8;
        }
        self.head += 2 * count as u32;
        self.bit = lanes.end & 7;
        values
    }
}

/// Where the fields of eight lanes lie, counted from the byte where the first begins.
#[derive(Clone, Copy)]
struct Lanes<I> {
    /// The byte where the second four lanes begin: at most twelve later.
    second: usize,
    /// The lanes' bytes from there or the first, how many bits of these are before a field, and ones for the bits of it.
    at: I,
    shift: I,
    mask: I,
    /// The bit after the last lane.
    end: u32,
}

impl<I: Ints> Lanes<I> {
    /// From the bit at which the first lane begins.
    #[inline(always)]
    fn new(bit: u32, widths: u64) -> Self {
        // Each lane's first bit. Up to 7 + 7 · 23: each fits in a byte.
        let starts = (widths << 8 | u64::from(bit)).wrapping_mul(ONES);
        // Those of the second four lanes are counted from the byte where the first of them begins.
        let later = (starts >> 35) & 15;
        let near = I::from_bytes(starts - 8 * later * (ONES << 32));
        Self {
            second: later as usize,
            at: near.shift_right::<3>(),
            shift: near & I::splat(7),
            // Ones, less than 32 of them: as many as a field is wide.
            mask: I::splat(i32::MAX).shift_right_by(I::splat(31) - I::from_bytes(widths)),
            end: ((starts >> 56) + (widths >> 56)) as u32,
        }
    }

    /// The fields of a frame, from a byte of the file on.
    #[inline(always)]
    fn fields(&self, bytes: &[u8], at: u32) -> I::Floats {
        let mut spare = MaybeUninit::uninit();
        let window: &[u8; WINDOW] = reach(bytes, at, &mut spare);
        let windows = [array(window, 0), array(window, self.second)];
        (I::gather(windows, self.at).shift_right_by(self.shift) & self.mask).to_floats()
    }
}

/// Two frames, gone through a number of eight tracks at a time.
pub(crate) trait Frames {
    /// The next number of `count` tracks in both.
    fn next<W: Wide>(&mut self, steps: &Steps<W>, count: usize) -> [W; 2];
}

/// Of one segment: their fields lie alike.
impl Frames for Fields<'_, 2> {
    #[inline(always)]
    fn next<W: Wide>(&mut self, steps: &Steps<W>, count: usize) -> [W; 2] {
        self.row(steps, count)
    }
}

/// The last of a segment and the first of the next.
impl Frames for [Fields<'_, 1>; 2] {
    #[inline(always)]
    fn next<W: Wide>(&mut self, steps: &Steps<W>, count: usize) -> [W; 2] {
        let [from, to] = self;
        let ([from], [to]) = (from.row(steps, count), to.row(steps, count));
        [from, to]
    }
}
