//! Fields of a few bits, eight tracks at a time.
//!
//! In:  where a segment tells the widths and bases of up to eight tracks, and where a frame lies.
//! Out: their values in that frame.
//!
//! A lane's field begins somewhere in a byte. Its four bytes are fetched, the field is cut out where
//! it stands and turned into a number there; multiplying by a power of two moves it down. So no
//! machine needs to shift each lane by its own amount.

use sinew_lanes::{Ints, Wide};

use crate::group::{Group, order};
use crate::layout::read_u64;

/// Every byte once.
const ONES: u64 = 0x0101_0101_0101_0101;

/// Which lanes a group has, and where its tracks go.
#[derive(Clone, Copy)]
pub(crate) struct Spread<W: Wide> {
    order: W::Ints,
    high: W::Ints,
    /// All bits in the lanes that have a track.
    pub(crate) mask: W::Ints,
    /// The bytes of a word that belong to tracks.
    keep: u64,
    /// Tracks, and those in lanes 0 to 3.
    pub(crate) tracks: usize,
    low: u32,
    /// Whether every lane has a track.
    pub(crate) full: bool,
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
            full: group.mask == 255,
        }
    }

    /// From track order to lanes.
    #[inline(always)]
    pub(crate) fn out(&self, tracks: W::Ints) -> W::Ints {
        if self.full { tracks } else { tracks.permute(self.order) }
    }

    /// A byte of each track, in its lane.
    #[inline(always)]
    pub(crate) fn bytes(&self, bytes: &[u8], at: usize) -> W::Ints {
        self.out(W::Ints::from_bytes(read_u64(bytes, at)))
    }

    /// Four bytes of each track, in its lane.
    #[inline(always)]
    pub(crate) fn words(&self, bytes: &[u8], at: usize) -> W::Ints {
        let zeros = [0; 32];
        let words = bytes.get(at..).and_then(<[u8]>::first_chunk).unwrap_or(&zeros);
        self.out(W::Ints::load(words))
    }

    /// `new` where there is a track, else `old`.
    #[inline(always)]
    pub(crate) fn put(&self, new: W, old: &mut [f32; 8]) {
        let new = if self.full { new } else { self.mask.pick(new, W::load(old)) };
        new.store(old);
    }
}

/// One number of each of a group's tracks, in all frames of a segment.
#[derive(Clone, Copy)]
pub(crate) struct Fields<W: Wide> {
    at: W::Ints,
    mask: W::Ints,
    scale: W,
    base: W,
    /// Where in a frame the bytes of lanes 0 to 3 and 4 to 7 begin.
    windows: [usize; 2],
}

impl<W: Wide> Fields<W> {
    /// Reads widths and bases at `head`; the fields begin at bit `bit` of a frame, which moves on.
    #[inline(always)]
    pub(crate) fn read(
        bytes: &[u8],
        head: usize,
        bit: &mut usize,
        spread: &Spread<W>,
        [step, unit]: [W; 2],
    ) -> Self {
        let widths = read_u64(bytes, head) & spread.keep;
        // Each byte of the product is the sum of the bytes up to it: at most 8 · 22.
        let ends = widths.wrapping_mul(ONES);
        let starts = ends << 8;
        let (byte, inner) = (*bit >> 3, *bit & 7);
        *bit += (ends >> 56) as usize;
        let second = (inner + (starts >> (8 * spread.low)) as usize % 256) >> 3;

        let place = spread.out(W::Ints::from_bytes(starts)) + W::Ints::splat(inner as i32);
        let shift = place & W::Ints::splat(7);
        let end = shift + spread.out(W::Ints::from_bytes(widths));
        let bases = W::Ints::from_signed_bytes(read_u64(bytes, head + spread.tracks));
        Self {
            at: place.shift_right::<3>() - (spread.high & W::Ints::splat(second as i32)),
            mask: end.exp2().to_ints() - shift.exp2().to_ints(),
            scale: (W::Ints::splat(0) - shift).exp2() * step,
            base: spread.out(bases).to_floats() * unit,
            windows: [byte, byte + second],
        }
    }

    /// The values in the frame that begins at `frame`.
    #[inline(always)]
    pub(crate) fn at(&self, bytes: &[u8], frame: usize) -> W {
        let zeros = [0; 16];
        let [first, second] = self.windows;
        let first = bytes.get(frame + first..).and_then(<[u8]>::first_chunk).unwrap_or(&zeros);
        let second = bytes.get(frame + second..).and_then(<[u8]>::first_chunk).unwrap_or(&zeros);
        let fields = W::Ints::gather([first, second], self.at) & self.mask;
        fields.to_floats().mul_add(self.scale, self.base)
    }
}
