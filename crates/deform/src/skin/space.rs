//! Room for one run, in the nearest cache: what is unpacked or morphed for it, and what is written
//! before it goes past the caches.

use sinew_lanes::Wide;

use super::EIGHT;
use super::morphs::{List, Morphs};
use super::packed;
use super::pulls::{MOST_PACKED, Run, Slots};
use super::shape::{Row, Shape};
use super::walk::{Out, Rest};

/// The most blocks there is room for.
pub(super) const LONGEST: usize = 16;

/// What is read.
pub(super) struct Space {
    positions: [[Row; 3]; LONGEST],
    normals: [[Row; 3]; LONGEST],
    tangents: [[Row; 4]; LONGEST],
    weights: [[f32; EIGHT]; LONGEST * MOST_PACKED],
}

impl Space {
    pub(super) fn new() -> Self {
        Self {
            positions: [[Row::ZERO; 3]; LONGEST],
            normals: [[Row::ZERO; 3]; LONGEST],
            tangents: [[Row::ZERO; 4]; LONGEST],
            weights: [[0.0; EIGHT]; LONGEST * MOST_PACKED],
        }
    }

    /// A run's rest shape from block `from` on and its weights, as plain numbers. Where the shape
    /// has no normals they are nothing.
    #[inline(always)]
    pub(super) fn read<'a, 'b: 'a, W: Wide>(
        &'a mut self,
        (shape, morphs): (&'a Shape, Morphs<'_>),
        (from, run): (usize, Run),
        slots: &mut Slots<'b>,
    ) -> (Rest<'a>, &'a [f32]) {
        let count = run.blocks;
        let Self { positions, normals, tangents, weights } = self;
        let positions = shape.positions.read::<W>(from, count, morphs, List::Positions, positions);
        let normals = shape.normals.read::<W>(from, count, morphs, List::Normals, normals);
        let tangents = match shape.tangents.is_empty() {
            true => &[],
            false => shape.tangents.read::<W>(from, count, morphs, List::Tangents, tangents),
        };
        (Rest { positions, normals, tangents }, read_weights::<W>(slots, run, weights))
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

/// What is written.
pub(super) struct Written {
    positions: [[[f32; 3]; EIGHT]; LONGEST],
    normals: [[[f32; 3]; EIGHT]; LONGEST],
    tangents: [[[f32; 4]; EIGHT]; LONGEST],
}

impl Written {
    pub(super) fn new() -> Self {
        Self {
            positions: [[[0.0; 3]; EIGHT]; LONGEST],
            normals: [[[0.0; 3]; EIGHT]; LONGEST],
            tangents: [[[0.0; 4]; EIGHT]; LONGEST],
        }
    }

    /// Where a run is written: straight to its place, or here first. Normals that nobody asked for
    /// stay here.
    pub(super) fn out<'a>(&'a mut self, place: &'a mut Out<'_>, stream: bool) -> Out<'a> {
        let count = place.positions.len();
        if stream {
            return Out {
                positions: &mut self.positions[..count],
                normals: &mut self.normals[..count],
                tangents: &mut self.tangents[..count],
            };
        }
        let asked = !place.normals.is_empty();
        Out {
            positions: place.positions,
            normals: if asked { place.normals } else { &mut self.normals[..count] },
            tangents: place.tangents,
        }
    }

    /// What was written, to its place.
    #[inline(always)]
    pub(super) fn stream<W: Wide>(&self, place: Out<'_>) {
        stream::<W, 3>(&self.positions, place.positions);
        stream::<W, 3>(&self.normals, place.normals);
        stream::<W, 4>(&self.tangents, place.tangents);
    }
}

#[inline(always)]
fn stream<W: Wide, const N: usize>(from: &[[[f32; N]; EIGHT]], to: &mut [[[f32; N]; EIGHT]]) {
    let from = from[..to.len()].as_flattened().as_flattened();
    W::stream(from, to.as_flattened_mut().as_flattened_mut());
}
