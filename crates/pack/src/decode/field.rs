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

/// Goes through the fields of two frames, a number of up to eight tracks at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a> {
    bytes: &'a [u8],
    first: Frame,
    second: Frame,
    /// Bytes from the one to the other where both are of one segment: their fields lie alike.
    apart: Option<u32>,
}

/// Where the next widths and bases are, and the byte and its bit where the next field of a frame begins.
#[derive(Clone, Copy, Debug)]
struct Frame {
    head: u32,
    at: u32,
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

impl<'a> Fields<'a> {
    /// From where in a file each frame's segment has its widths and bases, and the frame its own bytes.
    pub(crate) fn new(bytes: &'a [u8], places: [(usize, usize); 2]) -> Self {
        let [first, second] =
            places.map(|(head, at)| Frame { head: head as u32, at: at as u32, bit: 0 });
        let apart = (first.head == second.head).then(|| second.at - first.at);
        Self { bytes, first, second, apart }
    }

    /// The next number of `count` tracks, in both frames.
    #[inline(always)]
    pub(crate) fn next<W: Wide>(&mut self, steps: &Steps<W>, count: usize) -> [W; 2] {
        let Self { bytes, first, second, apart } = self;
        let (lanes, base) = first.lanes(bytes, steps, count);
        let from = lanes.fields(bytes, first.at).mul_add(steps.step, base);
        let to = match apart {
            Some(apart) => lanes.fields(bytes, first.at + *apart).mul_add(steps.step, base),
            None => {
                let (lanes, base) = second.lanes(bytes, steps, count);
                let to = lanes.fields(bytes, second.at).mul_add(steps.step, base);
                second.pass(&lanes, count);
                to
            }
        };
        first.pass(&lanes, count);
        [from, to]
    }
}

impl Frame {
    /// Where the next fields lie, and their bases.
    #[inline(always)]
    fn lanes<W: Wide>(&self, bytes: &[u8], steps: &Steps<W>, count: usize) -> (Lanes<W::Ints>, W) {
        let mut spare = MaybeUninit::uninit();
        let heads: &[u8; 16] = reach(bytes, self.head, &mut spare);
        // Of the next tracks' widths none is wanted.
        let widths = word(heads, 0) & (u64::MAX >> (64 - 8 * count));
        let lanes = Lanes::new(self.bit, widths);
        (lanes, W::Ints::from_signed_bytes(word(heads, count)).to_floats() * steps.unit)
    }

    /// On to the next fields.
    #[inline(always)]
    fn pass<I: Ints>(&mut self, lanes: &Lanes<I>, count: usize) {
        self.head += 2 * count as u32;
        self.at += lanes.end / 8;
        self.bit = lanes.end & 7;
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
