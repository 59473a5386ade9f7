//! Run after run: make everything plain numbers, then go through its blocks.
//!
//! In:  a part's pulls, the rest shape, morph weights, the table of matrices.
//! Out: vertices, eight at a time.
//!
//! All questions (how many pulls, packed or not, morphed or not, past the caches or not) are asked
//! once for a run of blocks, so the loop over blocks in `walk.rs` has none.

use sinew_lanes::{Kernel, Wide};

use super::EIGHT;
use super::blend::{Any, Four, Fours, One, Two};
use super::morphs::Morphs;
use super::pulls::Part;
use super::shape::Shape;
use super::space::{LONGEST, Space, Written, front};
use super::table::Table;
use super::walk::{Out, Rest, walk};

/// Skins the blocks of one part.
pub(super) struct Skin<'a> {
    pub(super) part: Part<'a>,
    /// Which block of the shape is the part's first.
    pub(super) first: usize,
    pub(super) shape: &'a Shape,
    pub(super) morphs: Morphs<'a>,
    pub(super) table: &'a Table,
    pub(super) out: Out<'a>,
    /// Whether to write past the caches.
    pub(super) stream: bool,
}

impl Kernel for Skin<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: Wide>(mut self) {
        let (mut space, mut written) = (Space::new(), Written::new());
        let mut slots = self.part.slots;
        let mut at = self.first;
        let direct = !self.stream && !self.morphs.any() && self.shape.is_exact();
        let longest = if direct { usize::MAX } else { LONGEST };
        let runs = self.part.runs.iter();
        for run in runs.flat_map(|run| run.pieces(longest)) {
            let joints = front(&mut slots.joints, EIGHT * run.slots * run.blocks);
            let (rest, weights) = space.read::<W>((self.shape, self.morphs), (at, run), &mut slots);
            let mut place = self.out.front(run.blocks);
            let out = written.out(&mut place, self.stream);
            skin::<W>(run.slots, rest, (joints, weights), self.table, out);
            if self.stream {
                written.stream::<W>(place);
            }
            at += run.blocks;
        }
        if self.stream {
            W::fence();
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
    out: Out<'_>,
) {
    if W::PLAIN {
        return walk::<W, _>(rest, Any { slots, joints, weights }, table, out);
    }
    match slots {
        1 => walk::<W, _>(rest, One(joints.as_chunks().0), table, out),
        2 => {
            let (joints, weights) = (joints.as_chunks().0, weights.as_chunks().0);
            let pulls = Two { joints: joints.as_chunks().0, weights: weights.as_chunks().0 };
            walk::<W, _>(rest, pulls, table, out);
        }
        4 => {
            let (joints, weights) = (joints.as_chunks().0, weights.as_chunks().0);
            let pulls = Four { joints: joints.as_chunks().0, weights: weights.as_chunks().0 };
            walk::<W, _>(rest, pulls, table, out);
        }
        _ => {
            let (joints, weights) = (joints.as_chunks().0, weights.as_chunks().0);
            walk::<W, _>(rest, Fours { times: slots / 4, joints, weights }, table, out);
        }
    }
}
