//! Working memory for one run that is morphed, small enough for the nearest cache.
//!
//! In:  the rest shape and morph weights.
//! Out: the run's positions, normals and tangents as they are skinned.

use sinew_lanes::Wide;

use super::EIGHT;
use super::morphs::{List, Morphs};
use super::shape::{Row, Shape};
use super::walk::Rest;

/// How many blocks fit.
pub(super) const MAX_MORPHED_BLOCKS: usize = 16;

/// A run's numbers.
pub(super) struct Space {
    positions: [[Row; 3]; MAX_MORPHED_BLOCKS],
    normals: [[Row; 3]; MAX_MORPHED_BLOCKS],
    tangents: [[Row; 4]; MAX_MORPHED_BLOCKS],
    /// Where normals go that nobody asks for.
    unasked: [[[f32; 3]; EIGHT]; MAX_MORPHED_BLOCKS],
}

impl Space {
    pub(super) const fn new() -> Self {
        Self {
            positions: [[Row::ZERO; 3]; MAX_MORPHED_BLOCKS],
            normals: [[Row::ZERO; 3]; MAX_MORPHED_BLOCKS],
            tangents: [[Row::ZERO; 4]; MAX_MORPHED_BLOCKS],
            unasked: [[[0.0; 3]; EIGHT]; MAX_MORPHED_BLOCKS],
        }
    }

    /// A run's rest shape from block `from` on. Where the shape has no normals they are any, and what becomes of
    /// them goes to the place given last.
    #[inline(always)]
    pub(super) fn read<'a, W: Wide>(
        &'a mut self,
        (shape, morphs): (&'a Shape, Morphs<'_>),
        from: usize,
        count: usize,
    ) -> (Rest<'a>, &'a mut [[[f32; 3]; EIGHT]]) {
        let Self { positions, normals, tangents, unasked } = self;
        let positions = shape.positions.read::<W>(from, count, morphs, List::Positions, positions);
        let normals = shape.normals.read::<W>(from, count, morphs, List::Normals, normals);
        let tangents = if shape.tangents.is_empty() {
            &[]
        } else {
            shape.tangents.read::<W>(from, count, morphs, List::Tangents, tangents)
        };
        (Rest { positions, normals, tangents }, unasked)
    }
}

/// Takes the first `count` off the front.
#[inline(always)]
pub(super) fn front<'a, T>(all: &mut &'a [T], count: usize) -> &'a [T] {
    let (mine, rest) = all.split_at(count);
    *all = rest;
    mine
}
