//! The pose that a packed clip is written into: first what does not move, then lanes of what does.

use sinew_lanes::{Ints, Wide};
use sinew_motion::{Lanes, Pose};

use crate::file::Constant;
use crate::table::{Numbers, Table, Tracks};

/// A pose to write, and what of it does not move.
pub(crate) struct Target<'a> {
    pub(crate) locals: &'a mut [Lanes],
    weights: &'a mut [f32],
    properties: &'a mut [f32],
    rest: &'a [Lanes],
    constants: &'a [Constant],
}

impl<'a> Target<'a> {
    /// Morph weights and driven values are at rest from here on.
    #[inline]
    pub(crate) fn new(pose: &'a mut Pose, constants: &'a [Constant]) -> Self {
        let (locals, weights, properties, rest) = pose.parts_and_rest();
        Self { locals, weights, properties: properties.as_flattened_mut(), rest, constants }
    }

    /// Writes all local transforms that do not move, but for what moving tracks write over.
    #[inline(always)]
    pub(crate) fn still<W: Wide>(&mut self, table: &Table) {
        let mut turning = table.turning.iter().copied();
        let mut next = turning.next();
        for (block, (to, from)) in self.locals.iter_mut().zip(self.rest).enumerate() {
            copy::<W>(&from.translation, &mut to.translation);
            if next == Some(block) {
                next = turning.next();
            } else {
                copy::<W>(&from.rotation, &mut to.rotation);
            }
            copy::<W>(&from.scale, &mut to.scale);
        }
        for constant in self.constants {
            constant.write(self.locals);
        }
    }
}

#[inline(always)]
fn copy<W: Wide>(from: &[[f32; 8]], to: &mut [[f32; 8]]) {
    for (from, to) in from.iter().zip(to) {
        W::load(from).store(to);
    }
}

/// `new` in the lanes that have a track; the others stay.
#[inline(always)]
pub(crate) fn put<W: Wide>(tracks: &Tracks, new: W, old: &mut [f32; 8]) {
    if tracks.full() { new.store(old) } else { new.store_some(W::Ints::load(&tracks.mask), old) }
}

/// Writes morph weights, or numbers of driven values.
#[inline(always)]
pub(crate) fn put_numbers<W: Wide>(numbers: &Numbers, mixed: W, to: &mut Target<'_>) {
    let mut eight = [0.0; 8];
    (mixed + W::load(&numbers.origin)).store(&mut eight);
    let values = if numbers.property { &mut *to.properties } else { &mut *to.weights };
    let block = values.iter_mut().skip(numbers.tracks.block * 8);
    for (lane, value) in block.take(8).enumerate() {
        if numbers.tracks.has(lane) {
            *value = eight[lane];
        }
    }
}
