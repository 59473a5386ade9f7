//! Run after run: make everything plain numbers, then go through its blocks.
//!
//! In:  a part's influences, the rest shape, morph weights, the table of matrices.
//! Out: vertices, eight at a time.
//!
//! All questions (how many influences, morphed or not) are asked once for a run of blocks,
//! so the loop over blocks in `walk.rs` has none.

use sinew_lanes::{Kernel, Wide};

use super::EIGHT;
use super::blend::{Any, Four, Fours, One, Two};
use super::influences::Part;
use super::morphs::Morphs;
use super::shape::Shape;
use super::space::{MAX_MORPHED_BLOCKS, Space, front};
use super::table::Table;
use super::walk::{Out, Rest};

/// How many blocks are skinned at once at most where nothing is morphed: so many are done again when a normal among
/// them has no length.
const MAX_READY_BLOCKS: usize = 256;

/// Skins the blocks of one part.
pub(super) struct Skin<'a> {
    pub(super) part: Part<'a>,
    /// Which block of the shape is the part's first.
    pub(super) first: usize,
    pub(super) shape: &'a Shape,
    pub(super) morphs: Morphs<'a>,
    pub(super) table: &'a Table,
    pub(super) space: &'a mut Space,
    pub(super) out: Out<'a>,
}

impl Kernel for Skin<'_> {
    type Output = ();
    const MANY: bool = true;

    #[inline(always)]
    fn run<W: Wide>(mut self) {
        let mut slots = self.part.slots;
        let mut at = self.first;
        let ready = !self.shape.normals.is_empty() && !self.morphs.any();
        let longest = if ready { MAX_READY_BLOCKS } else { MAX_MORPHED_BLOCKS };
        let runs = self.part.runs.iter();
        for run in runs.flat_map(|run| run.pieces(longest)) {
            let joints = front(&mut slots.joints, EIGHT * run.slots * run.blocks);
            let shape = (self.shape, self.morphs);
            let (rest, unasked) = self.space.read::<W>(shape, at, run.blocks);
            let weights = slots.take_weights(run);
            skin::<W>(run.slots, rest, (joints, weights), self.table, &mut self.out, unasked);
            at += run.blocks;
        }
    }
}

/// The usual counts are known when compiled, so that their loops are written out.
#[inline(always)]
fn skin<W: Wide>(
    slots: usize,
    rest: Rest<'_>,
    (joints, weights): (&[u8], &[f32]),
    table: &Table,
    out: &mut Out<'_>,
    unasked: &mut [[[f32; 3]; EIGHT]],
) {
    if W::PLAIN {
        return out.walk::<W, _>(rest, Any { slots, joints, weights }, table, unasked);
    }
    match slots {
        1 => out.walk::<W, _>(rest, One(joints.as_chunks().0), table, unasked),
        2 => {
            let (joints, weights) = (joints.as_chunks().0, weights.as_chunks().0);
            let influences = Two { joints: joints.as_chunks().0, weights: weights.as_chunks().0 };
            out.walk::<W, _>(rest, influences, table, unasked);
        }
        4 => {
            let (joints, weights) = (joints.as_chunks().0, weights.as_chunks().0);
            let influences = Four { joints: joints.as_chunks().0, weights: weights.as_chunks().0 };
            out.walk::<W, _>(rest, influences, table, unasked);
        }
        _ => {
            let (joints, weights) = (joints.as_chunks().0, weights.as_chunks().0);
            out.walk::<W, _>(rest, Fours { times: slots / 4, joints, weights }, table, unasked);
        }
    }
}
