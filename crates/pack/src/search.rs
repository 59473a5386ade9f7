//! How coarse each track's step may be: tried out over the whole chain, quantisation included.
//!
//! First all steps are made finer together until the bound is kept. Then each track in turn is made
//! coarser as long as it still is, in strides that get smaller. Bits cost the same everywhere, so
//! every track is given the same chances.
//!
//! Most tries fail in the end, so a track is tried first where it failed before. Long clips are tried in
//! parts until the last stride, which looks at all of it.

use rayon::prelude::*;

use crate::block::{Block, Known, LENGTH, Rows};
use crate::chain::{Branch, rows};
use crate::effort::Effort;
use crate::ground::{Ground, Worst};
use crate::measure::{Look, Measured, measure};
use crate::plan::{Form, Plan};
use crate::step::code;

/// Strides of the search, in codes (eight are a factor of two), and the frames that are looked at.
const STRIDES: [(u8, usize); 3] = [(6, 256), (3, 512), (1, usize::MAX)];
/// How fine all steps may get together, in halves of a factor of two.
const FINEST: i32 = 40;

struct Search<'a> {
    ground: &'a Ground<'a>,
    plan: Plan,
    /// What is looked at, and how it has come out so far.
    blocks: Vec<(Block, Known)>,
    /// For each track, the block in which it failed last; and for all together.
    failed: Vec<usize>,
    all_failed: usize,
    limit: f32,
    effort: &'a Effort,
    /// How many times are looked at.
    times: usize,
}

/// A block as it comes out.
struct Tried {
    rows: Rows,
    measured: Measured,
}

/// The coarsest plan that keeps `limit`, or the smallest error there is. `again`: the plan is as good as found.
pub(crate) fn search(
    ground: &Ground<'_>,
    plan: Plan,
    limit: f32,
    again: bool,
    effort: &Effort,
    progress: &(dyn Fn(f32) + Sync),
) -> Result<Plan, Worst> {
    let (blocks, failed) = (Vec::new(), Vec::new());
    let mut search =
        Search { ground, plan, blocks, failed, all_failed: 0, limit, effort, times: 0 };
    let strides = if again { &STRIDES[2..] } else { &STRIDES };
    let tracks = search.plan.tracks_mut().count();
    let total = (tracks * strides.len()).max(1) as f32;
    for (round, &(stride, frames)) in strides.iter().enumerate() {
        search.look_at(frames);
        (search.failed, search.all_failed) = (vec![0; tracks], 0);
        if round == 0 && !again {
            search.all_together()?;
        } else {
            search.finer_until_kept()?;
        }
        let mut active: Vec<usize> = (0..tracks).collect();
        let mut done = round * tracks;
        while !active.is_empty() {
            active.retain(|&track| {
                let more = search.coarser(track, stride);
                done += usize::from(!more);
                progress(done as f32 / total);
                more
            });
        }
    }
    Ok(search.plan)
}

impl Search<'_> {
    /// Looks at about so many frames, in blocks that are spread evenly.
    fn look_at(&mut self, frames: usize) {
        let all = Block::all(self.ground);
        let every = all.len().div_ceil((frames / LENGTH).max(1));
        let some = all.into_iter().skip(every / 2).step_by(every);
        self.blocks = some.map(|block| (block.clone(), Known::new(self.ground, &block))).collect();
        self.times = self.blocks.iter().map(|(block, _)| block.times.len()).sum();
    }

    /// Makes all steps finer, from very coarse ones, until the bound is kept.
    fn all_together(&mut self) -> Result<(), Worst> {
        for fine in -2..FINEST {
            self.set_all(0.5_f32.powf(fine as f32 / 2.0));
            if self.kept() {
                return Ok(());
            }
        }
        Err(self.worst())
    }

    /// Makes all steps finer, from what they are, until the bound is kept.
    fn finer_until_kept(&mut self) -> Result<(), Worst> {
        // A little at first; by more and more where a little does not help.
        let mut codes = [1; 4].into_iter().chain((1..8).map(|power| 1 << power));
        while !self.kept() {
            if !codes.next().is_some_and(|codes| self.plan.finer(codes)) {
                return Err(self.worst());
            }
        }
        Ok(())
    }

    /// Steps that each make an error of about `share` of the bound.
    fn set_all(&mut self, share: f32) {
        let (near, sizes, limit) = (&self.ground.near, &self.ground.sizes, self.limit);
        for (joint, track) in self.plan.tracks_mut() {
            let size = match track.form {
                Form::Turn(_) | Form::Spin => limit / near[joint].max(1e-4),
                Form::Vector(_) => limit / sizes[joint].max(1e-6),
            };
            track.code = code(size * share).min(track.coarsest);
        }
    }

    /// Whether the plan as it is keeps the bound.
    fn kept(&mut self) -> bool {
        let branch = Branch::all(self.ground.parents.len());
        match self.attempt(&branch, self.all_failed) {
            Ok(tried) => self.keep(&branch, tried),
            Err(block) => {
                self.all_failed = block;
                return false;
            }
        }
        true
    }

    /// The error of the plan as it is.
    fn worst(&self) -> Worst {
        let each = self.each(Look { floor: 0.0, limit: f32::INFINITY });
        each.into_iter().fold(Worst::default(), Worst::larger)
    }

    /// The largest error of each time.
    fn each(&self, look: Look) -> Vec<Worst> {
        let branch = Branch::all(self.ground.parents.len());
        self.effort.spend(branch.joints.len(), self.times);
        let tried = self.blocks.par_iter().filter_map(|block| self.block(&branch, block, look));
        tried.flat_map_iter(|tried| tried.measured.errors).collect()
    }

    /// Tries a coarser step for one track; keeps it when the bound is kept.
    fn coarser(&mut self, index: usize, stride: u8) -> bool {
        let Some((joint, track)) = self.plan.tracks_mut().nth(index) else { return false };
        let before = track.code;
        if before >= track.coarsest || self.effort.is_spent(1.0) {
            return false;
        }
        track.code = before.saturating_add(stride).min(track.coarsest);
        let branch = Branch::new(self.ground, joint);
        match self.attempt(&branch, self.failed[index]) {
            Ok(tried) => {
                self.keep(&branch, tried);
                true
            }
            Err(block) => {
                self.failed[index] = block;
                if let Some((_, track)) = self.plan.tracks_mut().nth(index) {
                    track.code = before;
                }
                false
            }
        }
    }

    /// All blocks with the plan as it is; or one that is off by more than the limit. `first` is tried first.
    fn attempt(&self, branch: &Branch, first: usize) -> Result<Vec<Tried>, usize> {
        self.effort.spend(branch.joints.len(), self.times);
        let look = Look { floor: self.limit, limit: self.limit };
        let block = |at: usize| self.block(branch, &self.blocks[at], look).ok_or(at);
        let known = block(first)?;
        let (before, after) = ((0..first), (first + 1..self.blocks.len()));
        let before = before.into_par_iter().map(block);
        let after = after.into_par_iter().map(block);
        before.chain([Ok(known)]).chain(after).collect()
    }

    fn block(&self, branch: &Branch, (block, known): &(Block, Known), look: Look) -> Option<Tried> {
        let (ground, plan) = (self.ground, &self.plan);
        let rows = rows(ground, plan, branch, &known.cells, block.needs(ground));
        let times = block.times.clone();
        let measured = measure(ground, plan, branch, &rows, times, known, look)?;
        Some(Tried { rows, measured })
    }

    fn keep(&mut self, branch: &Branch, tried: Vec<Tried>) {
        let blocks = self.blocks.par_iter_mut().zip(tried);
        blocks.for_each(|((_, known), Tried { rows, measured })| {
            known.keep(branch, &rows.cells, &measured.models);
        });
    }
}
