//! Run after run: make everything plain numbers, then go through its blocks.
//!
//! In:  a part's influences, the rest shape, morph weights, the table of matrices.
//! Out: vertices, eight at a time.
//!
//! All questions (how many influences, packed or not, morphed or not) are asked once for a run of blocks,
//! so the loop over blocks in `walk.rs` has none. Vertices go where a [`Goal`] writes them: into the
//! caches, or past them (`far.rs`).

use sinew_lanes::{Kernel, Wide};

use super::EIGHT;
use super::blend::{Any, Four, Fours, Influences, One, Two};
use super::influences::Part;
use super::morphs::Morphs;
use super::shape::Shape;
use super::space::{LONGEST, Space, front};
use super::table::Table;
use super::walk::Rest;

/// The most blocks that are walked over at once where nothing need be unpacked: so many are done again when a
/// normal among them has no length.
const LONGEST_READY: usize = 256;

/// Where a part's vertices go.
pub(super) trait Goal {
    /// Skins one run: the next blocks, as many as there are in `rest`. Normals that nobody asks for may go to `unasked`.
    /// `false` when some vector has no length to go by and was not mended.
    fn walk<W: Wide, P: Influences>(
        &mut self,
        rest: Rest<'_>,
        influences: P,
        table: &Table,
        unasked: &mut [[[f32; 3]; EIGHT]],
    ) -> bool;
}

/// Skins the blocks of one part; `false` when some vector has no length to go by and was not mended.
pub(super) struct Skin<'a, G> {
    pub(super) part: Part<'a>,
    /// Which block of the shape is the part's first.
    pub(super) first: usize,
    pub(super) shape: &'a Shape,
    pub(super) morphs: Morphs<'a>,
    pub(super) table: &'a Table,
    pub(super) space: &'a mut Space,
    pub(super) goal: G,
}

impl<G: Goal> Kernel for Skin<'_, G> {
    type Output = bool;
    const MANY: bool = true;

    #[inline(always)]
    fn run<W: Wide>(mut self) -> bool {
        let mut slots = self.part.slots;
        let mut at = self.first;
        let ready = self.shape.is_ready() && !self.morphs.any();
        let longest = if ready { LONGEST_READY } else { LONGEST };
        let runs = self.part.runs.iter();
        for run in runs.flat_map(|run| run.pieces(longest)) {
            let joints = front(&mut slots.joints, EIGHT * run.slots * run.blocks);
            let shape = (self.shape, self.morphs);
            let (rest, weights, unasked) = self.space.read::<W>(shape, (at, run), &mut slots);
            let influences = (joints, weights);
            if !skin::<W, G>(run.slots, rest, influences, self.table, &mut self.goal, unasked) {
                return false;
            }
            at += run.blocks;
        }
        true
    }
}

/// The usual counts are known when compiled, so that their loops are written out.
#[inline(always)]
fn skin<W: Wide, G: Goal>(
    slots: usize,
    rest: Rest<'_>,
    (joints, weights): (&[u8], &[f32]),
    table: &Table,
    goal: &mut G,
    unasked: &mut [[[f32; 3]; EIGHT]],
) -> bool {
    if W::PLAIN {
        return goal.walk::<W, _>(rest, Any { slots, joints, weights }, table, unasked);
    }
    match slots {
        1 => goal.walk::<W, _>(rest, One(joints.as_chunks().0), table, unasked),
        2 => {
            let (joints, weights) = (joints.as_chunks().0, weights.as_chunks().0);
            let influences = Two { joints: joints.as_chunks().0, weights: weights.as_chunks().0 };
            goal.walk::<W, _>(rest, influences, table, unasked)
        }
        4 => {
            let (joints, weights) = (joints.as_chunks().0, weights.as_chunks().0);
            let influences = Four { joints: joints.as_chunks().0, weights: weights.as_chunks().0 };
            goal.walk::<W, _>(rest, influences, table, unasked)
        }
        _ => {
            let (joints, weights) = (joints.as_chunks().0, weights.as_chunks().0);
            goal.walk::<W, _>(rest, Fours { times: slots / 4, joints, weights }, table, unasked)
        }
    }
}
