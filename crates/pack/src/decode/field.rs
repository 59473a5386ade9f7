//! Fields of a few bits, eight tracks at a time.
//!
//! In:  the widths and bases of up to eight tracks in a segment, and where two frames lie.
//! Out: one number of each track in both frames.
//!
//! Fields lie one after the other without gaps, so a lane's first bit is the sum of the widths before it. Eight
//! widths of a byte each are summed by one product of 64 bits. The four bytes from a field's first byte are
//! fetched, moved down, and all other bits cleared.

use sinew_lanes::{Ints, Wide};

use crate::format::code::CODE_BASE;
use crate::format::{array, reach};

const ONES: u64 = 0x0101_0101_0101_0101;

/// Goes through the fields of a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<'a> {
    /// Widths and bases from the first group's on, and where the next group's are.
    heads: &'a [u8],
    head: u32,
    /// The frame and what follows, and the next field's first bit in it.
    fields: &'a [u8],
    bit: u32,
}

/// Where the fields of eight lanes lie.
#[derive(Clone, Copy)]
struct Fields<I> {
    /// The byte of a frame where the window of four lanes begins, and how many bytes later that of the others does:
    /// at most twelve.
    first: u32,
    second: usize,
    /// The lanes' bytes in them, and how many bits of these are before a field.
    at: I,
    shift: I,
    mask: I,
    base: I,
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

impl<'a> Frame<'a> {
    /// From where in a file the segment's widths and bases and the frame's own bytes begin.
    pub(crate) fn new(bytes: &'a [u8], head: usize, start: usize) -> Self {
        let [heads, fields] = [head, start].map(|at| bytes.get(at..).unwrap_or_default());
        Self { heads, head: 0, fields, bit: 0 }
    }

    #[inline(always)]
    fn next<I: Ints>(&mut self, count: usize) -> Fields<I> {
        let mut spare = None;
        let head: &[u8; 16] = reach(self.heads, self.head, &mut spare);
        let widths = first_bytes(word(head, 0), count);
        self.head += 2 * count as u32;
        let sums = widths.wrapping_mul(ONES);
        // Up to 7 + 7 · 23 bits: each fits in a byte.
        let starts = (sums << 8) + u64::from(self.bit & 7) * ONES;
        // The second four lanes' bits are counted from the byte where the first of them begins.
        let second = (starts >> 35) & 15;
        let starts = I::from_bytes(starts - 8 * second * (ONES << 32));
        let first = self.bit / 8;
        self.bit += (sums >> 56) as u32;
        // Ones, less than 32 of them: as many as a field is wide.
        let others = I::from_bytes((31 * ONES - widths) & (31 * ONES));
        Fields {
            first,
            second: second as usize,
            at: starts.shift_right::<3>(),
            shift: starts & I::splat(7),
            mask: I::splat(i32::MAX).shift_right_by(others),
            base: I::from_signed_bytes(word(head, count)),
        }
    }

    /// The values of fields in this frame.
    #[inline(always)]
    fn values<I: Ints>(&self, fields: &Fields<I>, steps: &Steps<I::Floats>) -> I::Floats {
        let mut spare = None;
        let all: &[u8; 32] = reach(self.fields, fields.first, &mut spare);
        let four = I::gather([array(all, 0), array(all, fields.second)], fields.at);
        let field = four.shift_right_by(fields.shift) & fields.mask;
        field.to_floats().mul_add(steps.step, fields.base.to_floats() * steps.unit)
    }
}

/// Two frames; `SAME` where they are of one segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frames<'a, const SAME: bool> {
    first: Frame<'a>,
    second: Frame<'a>,
}

impl<'a, const SAME: bool> Frames<'a, SAME> {
    pub(crate) fn new(first: Frame<'a>, second: Frame<'a>) -> Self {
        Self { first, second }
    }

    /// The next number of `count` tracks in both frames.
    #[inline(always)]
    pub(crate) fn next<W: Wide>(&mut self, steps: &Steps<W>, count: usize) -> [W; 2] {
        let fields = self.first.next::<W::Ints>(count);
        let from = self.first.values(&fields, steps);
        if SAME {
            return [from, self.second.values(&fields, steps)];
        }
        let fields = self.second.next::<W::Ints>(count);
        [from, self.second.values(&fields, steps)]
    }
}
