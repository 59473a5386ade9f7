//! Run after run: make everything plain numbers, then go through its blocks.
//!
//! In:  a part's pulls, the rest shape, morph weights, the table of matrices.
//! Out: vertices, eight at a time.
//!
//! All questions (how many pulls, packed or not, morphed or not) are asked once for a run of blocks,
//! so the loop over blocks in `walk.rs` has none. Writing past the caches was tried and left out
//! (`benches/README.md` has the numbers).

use sinew_lanes::{Kernel, Wide};

use super::EIGHT;
use super::blend::{Any, Four, Fours, One, Two};
use super::morphs::Morphs;
use super::pulls::Part;
use super::shape::Shape;
use super::space::{LONGEST, Space, front};
use super::table::Table;
use super::walk::{Out, Rest, walk};

/// The most blocks that are walked over at once where nothing need be unpacked: so many are done again when a
/// normal among them has no length.
const LONGEST_READY: usize = 256;

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
        let ready = self.shape.is_ready() && !self.morphs.any();
        let longest = if ready { LONGEST_READY } else { LONGEST };
        let runs = self.part.runs.iter();
        for run in runs.flat_map(|run| run.pieces(longest)) {
            let joints = front(&mut slots.joints, EIGHT * run.slots * run.blocks);
            let shape = (self.shape, self.morphs);
            let (rest, weights, unasked) = self.space.read::<W>(shape, (at, run), &mut slots);
            let mut out = self.out.front(run.blocks);
            if out.normals.is_empty() {
                out.normals = &mut unasked[..run.blocks];
            }
            skin::<W>(run.slots, rest, (joints, weights), self.table, out);
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
