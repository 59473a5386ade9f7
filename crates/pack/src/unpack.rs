//! Fields of a few bits, eight tracks at a time.
//!
//! In:  where a segment tells the widths and bases of up to eight tracks, and where a frame lies.
//! Out: their values in that frame.
//!
//! A lane's field begins somewhere in a byte: the four bytes from there are fetched, and the field
//! is cut out of them.

use sinew_lanes::{Bytes, Ints, Wide};

use crate::group::{Group, order};

/// Every byte once.
const ONES: u64 = 0x0101_0101_0101_0101;

/// Which lanes a group has, and where its tracks go.
#[derive(Clone, Copy)]
pub(crate) struct Spread<W: Wide> {
    order: W::Ints,
    high: W::Ints,
    /// All bits in the lanes that have a track.
    mask: W::Ints,
    /// The bytes of a word that belong to tracks.
    keep: u64,
    /// Tracks, and those in lanes 0 to 3.
    pub(crate) tracks: usize,
    low: u32,
}

impl<W: Wide> Spread<W> {
    #[inline(always)]
    pub(crate) fn new(group: Group) -> Self {
        let tracks = group.tracks();
        Self {
            order: W::Ints::from_bytes(order(group.mask)),
            high: W::Ints::from_mask(0xf0),
            mask: W::Ints::from_mask(group.mask),
            keep: u64::MAX.checked_shr(64 - 8 * tracks as u32).unwrap_or(0),
            tracks,
            low: (group.mask & 15).count_ones(),
        }
    }

    /// From track order to lanes.
    #[inline(always)]
    pub(crate) fn out(&self, tracks: W::Ints) -> W::Ints {
        tracks.permute(self.order)
    }

    /// A byte of each track, in its lane.
    #[inline(always)]
    pub(crate) fn bytes(&self, bytes: Bytes<'_>, at: usize) -> W::Ints {
        self.out(W::Ints::from_bytes(bytes.eight(at)))
    }

    /// Four bytes of each track, in its lane.
    #[inline(always)]
    pub(crate) fn words(&self, bytes: Bytes<'_>, at: usize) -> W::Ints {
        self.out(W::Ints::load(bytes.some(at)))
    }

    /// `new` where there is a track, else `old`.
    #[inline(always)]
    pub(crate) fn put(&self, new: W, old: &mut [f32; 8]) {
        self.mask.pick(new, W::load(old)).store(old);
    }
}

/// One number of each of a group's tracks, in all frames of a segment.
#[derive(Clone, Copy)]
pub(crate) struct Fields<W: Wide> {
    at: W::Ints,
    shift: W::Ints,
    width: W::Ints,
    step: W,
    base: W,
    /// Where in a frame the bytes of lanes 0 to 3 and 4 to 7 begin.
    windows: [usize; 2],
}

impl<W: Wide> Fields<W> {
    /// Reads widths and bases at `head`; the fields begin at bit `bit` of a frame, which moves on.
    #[inline(always)]
    pub(crate) fn read(
        bytes: Bytes<'_>,
        head: usize,
        bit: &mut usize,
        spread: &Spread<W>,
        [step, unit]: [W; 2],
    ) -> Self {
        let widths = bytes.eight(head) & spread.keep;
        // Each byte of the product is the sum of the bytes up to it: at most 8 · 22.
        let ends = widths.wrapping_mul(ONES);
        let starts = ends << 8;
        let (byte, inner) = (*bit >> 3, *bit & 7);
        *bit += (ends >> 56) as usize;
        let second = (inner + (starts >> (8 * spread.low)) as usize % 256) >> 3;

        let place = spread.out(W::Ints::from_bytes(starts)) + W::Ints::splat(inner as i32);
        let bases = W::Ints::from_signed_bytes(bytes.eight(head + spread.tracks));
        Self {
            at: place.shift_right::<3>() - (spread.high & W::Ints::splat(second as i32)),
            shift: place & W::Ints::splat(7),
            width: spread.out(W::Ints::from_bytes(widths)),
            step,
            base: spread.out(bases).to_floats() * unit,
            windows: [byte, byte + second],
        }
    }

    /// The values in the frame that begins at `frame`.
    #[inline(always)]
    pub(crate) fn at(&self, bytes: Bytes<'_>, frame: usize) -> W {
        let [first, second] = self.windows;
        let windows = [bytes.some(frame + first), bytes.some(frame + second)];
        let steps = W::Ints::gather(windows, self.at).field(self.shift, self.width);
        steps.mul_add(self.step, self.base)
    }
}
