//! Room for what is unpacked or morphed for one run, in the nearest cache.

use sinew_lanes::Wide;

use super::EIGHT;
use super::influences::{MOST_PACKED, Run, Slots};
use super::morphs::{List, Morphs};
use super::packed;
use super::shape::{Row, Shape};
use super::walk::Rest;

/// The most blocks there is room for.
pub(super) const LONGEST: usize = 16;

/// A run's numbers.
pub(super) struct Space {
    positions: [[Row; 3]; LONGEST],
    normals: [[Row; 3]; LONGEST],
    tangents: [[Row; 4]; LONGEST],
    weights: [[f32; EIGHT]; LONGEST * MOST_PACKED],
    /// Where normals go that nobody asks for.
    unasked: [[[f32; 3]; EIGHT]; LONGEST],
}

impl Space {
    pub(super) const fn new() -> Self {
        Self {
            positions: [[Row::ZERO; 3]; LONGEST],
            normals: [[Row::ZERO; 3]; LONGEST],
            tangents: [[Row::ZERO; 4]; LONGEST],
            weights: [[0.0; EIGHT]; LONGEST * MOST_PACKED],
            unasked: [[[0.0; 3]; EIGHT]; LONGEST],
        }
    }

    /// A run's rest shape from block `from` on and its weights, as plain numbers. Where the shape
    /// has no normals they are nothing, and what becomes of them goes to the place given last.
    #[inline(always)]
    pub(super) fn read<'a, 'b: 'a, W: Wide>(
        &'a mut self,
        (shape, morphs): (&'a Shape, Morphs<'_>),
        (from, run): (usize, Run),
        slots: &mut Slots<'b>,
    ) -> (Rest<'a>, &'a [f32], &'a mut [[[f32; 3]; EIGHT]]) {
        let count = run.blocks;
        let Self { positions, normals, tangents, weights, unasked } = self;
        let positions = shape.positions.read::<W>(from, count, morphs, List::Positions, positions);
        let normals = shape.normals.read::<W>(from, count, morphs, List::Normals, normals);
        let tangents = match shape.tangents.is_empty() {
            true => &[],
            false => shape.tangents.read::<W>(from, count, morphs, List::Tangents, tangents),
        };
        let weights = read_weights::<W>(slots, run, weights);
        (Rest { positions, normals, tangents }, weights, unasked)
    }
}

#[inline(always)]
fn read_weights<'a, 'b: 'a, W: Wide>(
    slots: &mut Slots<'b>,
    run: Run,
    space: &'a mut [[f32; EIGHT]; LONGEST * MOST_PACKED],
) -> &'a [f32] {
    let rows = run.blocks * run.slots;
    if run.slots == 1 {
        return &[];
    }
    if slots.packed.is_empty() || run.slots > MOST_PACKED {
        return front(&mut slots.exact, EIGHT * rows);
    }
    for (to, words) in space.iter_mut().zip(front(&mut slots.packed, rows)) {
        packed::weights::<W>(words).store(to);
    }
    space[..rows].as_flattened()
}

/// Takes the first `count` off the front.
#[inline(always)]
pub(super) fn front<'a, T>(all: &mut &'a [T], count: usize) -> &'a [T] {
    let (mine, rest) = all.split_at(count);
    *all = rest;
    mine
}
