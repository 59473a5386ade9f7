//! A smooth clip at a time: as [`sample`](crate::Packed::sample) does it, with a cubic through four frames.
//!
//! A turn's three stored numbers are mixed and the fourth follows from them once, so four frames cost
//! less than twice what two do.

use sinew_lanes::{Bytes, Ints, Kernel, Wide};
use sinew_motion::Lanes;

use crate::group::{GROUP, Group, Kind};
use crate::sample::{fourth, product, put, quaternion};
use crate::step::{COARSER, steps};
use crate::unpack::{Fields, Spread};

/// Four frames: where the widths of their segments are told, where they begin, and their shares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Four {
    pub(crate) heads: [usize; 4],
    pub(crate) frames: [usize; 4],
    pub(crate) shares: [f32; 4],
    /// The shares of tracks that hold until the next frame.
    pub(crate) holding: [f32; 4],
}

pub(crate) struct Smooth<'a> {
    pub(crate) bytes: Bytes<'a>,
    pub(crate) four: Four,
    pub(crate) groups: &'a [[u8; GROUP]],
    pub(crate) fixed: usize,
    pub(crate) locals: &'a mut [Lanes],
    pub(crate) weights: &'a mut [f32],
    pub(crate) properties: &'a mut [f32],
}

/// How far the reading of four frames is.
struct Place<'a> {
    bytes: Bytes<'a>,
    fixed: usize,
    heads: [usize; 4],
    bits: [usize; 4],
    frames: [usize; 4],
}

/// What holds for all numbers of a group: which lanes, step and base unit, shares.
struct Common<W: Wide> {
    spread: Spread<W>,
    scales: [W; 2],
    shares: [W; 4],
}

impl Kernel for Smooth<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: Wide>(self) {
        let [head, rest @ ..] = self.four.heads;
        if rest == [head; 3] { self.all::<W, true>() } else { self.all::<W, false>() }
    }
}

impl Smooth<'_> {
    #[inline(always)]
    fn all<W: Wide, const SAME: bool>(self) {
        let Four { heads, frames, .. } = self.four;
        let mut place = Place { bytes: self.bytes, fixed: self.fixed, heads, bits: [0; 4], frames };
        for group in self.groups {
            let Some(group) = Group::read(*group) else { return };
            let common = place.common::<W>(group, &self.four);
            let words = place.fixed + 2 * common.spread.tracks;
            place.fixed += common.spread.tracks * group.kind.fixed();
            if group.kind >= Kind::Weight {
                let origin = common.spread.words(self.bytes, words).as_floats();
                let mut eight = [0.0; 8];
                (place.next::<W, SAME>(&common) + origin).store(&mut eight);
                let values = match group.kind {
                    Kind::Weight => &mut *self.weights,
                    _ => &mut *self.properties,
                };
                let block = values.iter_mut().skip(usize::from(group.block) * 8);
                for (lane, value) in block.take(8).enumerate() {
                    if group.mask >> lane & 1 == 1 {
                        *value = eight[lane];
                    }
                }
                continue;
            }
            let Some(block) = self.locals.get_mut(usize::from(group.block)) else { return };
            let [x, y, z] = [(); 3].map(|()| place.next::<W, SAME>(&common));
            match group.kind {
                Kind::Turn => {
                    let left = quaternion(common.spread.words(self.bytes, words));
                    let after = words + 4 * common.spread.tracks;
                    let right = quaternion(common.spread.words(self.bytes, after));
                    let turn = product(product(left, [x, y, z, fourth(x, y, z)]), right);
                    put(turn, &common.spread, &mut block.rotation);
                }
                Kind::Spin => {
                    let w = place.next::<W, SAME>(&common);
                    put([x, y, z, w], &common.spread, &mut block.rotation);
                }
                _ => {
                    let rows = match group.kind {
                        Kind::Translation => &mut block.translation,
                        _ => &mut block.scale,
                    };
                    for (axis, (row, value)) in rows.iter_mut().zip([x, y, z]).enumerate() {
                        let at = words + 4 * axis * common.spread.tracks;
                        let origin = common.spread.words(self.bytes, at).as_floats();
                        common.spread.put(value + origin, row);
                    }
                }
            }
        }
    }
}

impl Place<'_> {
    #[inline(always)]
    fn common<W: Wide>(&self, group: Group, four: &Four) -> Common<W> {
        let spread = Spread::<W>::new(group);
        let step = steps(spread.bytes(self.bytes, self.fixed));
        let coarser = spread.bytes(self.bytes, self.fixed + spread.tracks);
        let unit = step * (coarser & W::Ints::splat(i32::from(COARSER))).exp2();
        let holds = coarser.to_floats().above(W::splat(127.5));
        let share = |at: usize| holds.pick(W::splat(four.holding[at]), W::splat(four.shares[at]));
        Common { spread, scales: [step, unit], shares: [share(0), share(1), share(2), share(3)] }
    }

    /// One number of each track, mixed from the four frames.
    #[inline(always)]
    fn next<W: Wide, const SAME: bool>(&mut self, common: &Common<W>) -> W {
        let Common { spread, scales, shares } = common;
        let mut sum = W::splat(0.0);
        let mut fields = None;
        for (at, &share) in shares.iter().enumerate() {
            let known = fields.filter(|_| SAME);
            let read = known.unwrap_or_else(|| {
                let head = self.heads[at];
                Fields::read(self.bytes, head, &mut self.bits[at], spread, *scales)
            });
            fields = Some(read);
            sum = read.at(self.bytes, self.frames[at]).mul_add(share, sum);
        }
        self.heads = self.heads.map(|head| head + 2 * spread.tracks);
        sum
    }
}
