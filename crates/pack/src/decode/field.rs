//! Fields of a few bits, eight tracks at a time.
//!
//! In:  the widths and bases of up to eight tracks in a segment, and where two frames lie.
//! Out: one number of each track in both frames.
//!
//! Fields lie one after the other without gaps, so a lane's first bit is the sum of the widths before it. Eight
//! widths of a byte each are summed by one product of 64 bits. The four bytes from a field's first byte are
//! fetched, and all other bits cleared; where in that byte it began is made good by the step, whose exponent is as
//! much smaller: no bit is moved.

use sinew_lanes::{Ints, Wide};

use crate::format::array;
use crate::format::code::CODE_BASE;

const ONES: u64 = 0x0101_0101_0101_0101;

/// Goes through the fields of a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<'a> {
    bytes: &'a [u8],
    /// The next group's widths.
    head: usize,
    /// Where the frame begins, and the next field's first bit in it.
    start: usize,
    bit: usize,
}

/// Where the fields of eight lanes lie.
#[derive(Clone, Copy)]
struct Fields<'a, I> {
    /// Sixteen bytes for each four lanes, and the lanes' bytes in them.
    windows: [usize; 2],
    at: I,
    mask: I,
    /// How many bits of its first byte are before a field, as an exponent.
    shift: I,
    base: I,
    bytes: &'a [u8],
}

/// Steps of eight lanes.
#[derive(Clone, Copy)]
pub(crate) struct Steps<W: Wide> {
    /// As bits of single-precision numbers.
    step: W::Ints,
    /// What a base counts.
    unit: W,
}

impl<W: Wide> Steps<W> {
    /// From step codes and base shifts, a byte each.
    #[inline(always)]
    pub(crate) fn new(codes: u64, shifts: u64) -> Self {
        let step = (W::Ints::from_bytes(codes) + W::Ints::splat(CODE_BASE)).shift_left::<20>();
        let unit = (step + W::Ints::from_bytes(shifts).shift_left::<23>()).as_floats();
        Self { step, unit }
    }
}

/// The first `count` of eight bytes as one number; zeros for the others.
#[inline(always)]
pub(crate) fn word(bytes: &[u8], at: usize, count: usize) -> u64 {
    u64::from_le_bytes(*array(bytes, at)) & (u64::MAX >> (64 - 8 * count))
}

impl<'a> Frame<'a> {
    pub(crate) fn new(bytes: &'a [u8], head: usize, start: usize) -> Self {
        Self { bytes, head, start, bit: 0 }
    }

    #[inline(always)]
    fn next<I: Ints>(&mut self, count: usize) -> Fields<'a, I> {
        let widths = word(self.bytes, self.head, count);
        let bases = word(self.bytes, self.head + count, count);
        self.head += 2 * count;
        let sums = widths.wrapping_mul(ONES);
        // Up to 7 + 7 · 23 bits: each fits in a byte.
        let starts = (sums << 8) + (self.bit as u64 & 7) * ONES;
        let at = (starts >> 3) & (0x1f * ONES);
        let shift = starts & (7 * ONES);
        let first = self.start + self.bit / 8;
        let second = (at >> 32) & 0xff;
        self.bit += (sums >> 56) as usize;
        // 2 to the power of the bit after a field, less that of its first.
        let bit =
            |bits: u64| I::from_bytes(bits + 127 * ONES).shift_left::<23>().as_floats().to_ints();
        Fields {
            windows: [first, first + second as usize],
            at: I::from_bytes(at - second * (ONES << 32)),
            mask: bit(shift + widths) - bit(shift),
            shift: I::from_bytes(shift).shift_left::<23>(),
            base: I::from_signed_bytes(bases),
            bytes: self.bytes,
        }
    }
}

impl<I: Ints> Fields<'_, I> {
    /// The values in the frame that begins so many bytes after the fields' own.
    #[inline(always)]
    fn values(&self, steps: &Steps<I::Floats>, after: usize) -> I::Floats {
        let windows = [
            array(self.bytes, self.windows[0] + after),
            array(self.bytes, self.windows[1] + after),
        ];
        let four = I::gather(windows, self.at) & self.mask;
        let step = (steps.step - self.shift).as_floats();
        four.to_floats().mul_add(step, self.base.to_floats() * steps.unit)
    }
}

/// Two frames; `SAME` where they are of one segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frames<'a, const SAME: bool> {
    first: Frame<'a>,
    second: Frame<'a>,
    /// Bytes from the first to the second.
    apart: usize,
}

impl<'a, const SAME: bool> Frames<'a, SAME> {
    pub(crate) fn new(first: Frame<'a>, second: Frame<'a>) -> Self {
        Self { first, second, apart: second.start.wrapping_sub(first.start) }
    }

    /// The next number of `count` tracks in both frames.
    #[inline(always)]
    pub(crate) fn next<W: Wide>(&mut self, steps: &Steps<W>, count: usize) -> [W; 2] {
        let first = self.first.next::<W::Ints>(count);
        let from = first.values(steps, 0);
        if SAME {
            return [from, first.values(steps, self.apart)];
        }
        [from, self.second.next::<W::Ints>(count).values(steps, 0)]
    }
}
