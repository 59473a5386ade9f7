//! How coarse each track's step may be: tried out over the whole chain, quantisation included.
//!
//! First all steps are made finer together until the bound is kept. Then each track in turn is made
//! coarser as long as it still is, in strides that get smaller. Bits cost the same everywhere, so
//! every track is given the same chances.

use sinew_scene::glam::Affine3A;

use crate::chain::{Branch, Cell, frames};
use crate::measure::{Ground, Measured, Worst, measure};
use crate::plan::{Form, Plan};
use crate::step::code;

/// Strides of the search, in codes: eight are a factor of two.
const STRIDES: [u8; 3] = [6, 3, 1];
/// How fine all steps may get together, in halves of a factor of two.
const FINEST: i32 = 40;

struct Search<'a> {
    ground: &'a Ground<'a>,
    plan: Plan,
    /// Frame after frame.
    cells: Vec<Cell>,
    /// Time after time.
    models: Vec<Affine3A>,
    limit: f32,
}

/// The coarsest plan that keeps `limit`, or the smallest error there is.
pub(crate) fn search(
    ground: &Ground<'_>,
    plan: Plan,
    limit: f32,
    progress: &(dyn Fn(f32) + Sync),
) -> Result<Plan, Worst> {
    let mut search = Search { ground, plan, cells: Vec::new(), models: Vec::new(), limit };
    search.all_together()?;
    let tracks = search.plan.tracks_mut().count();
    let total = (tracks * STRIDES.len()).max(1) as f32;
    for (round, stride) in STRIDES.into_iter().enumerate() {
        let mut active: Vec<usize> = (0..tracks).collect();
        while !active.is_empty() {
            active.retain(|&track| search.coarser(track, stride));
            let done = round * tracks + tracks - active.len();
            progress(done as f32 / total);
        }
    }
    Ok(search.plan)
}

impl Search<'_> {
    /// Makes all steps finer until the bound is kept.
    fn all_together(&mut self) -> Result<(), Worst> {
        let mut best = Worst { error: f32::INFINITY, joint: 0 };
        for fine in -2..FINEST {
            self.set_all(0.5_f32.powf(fine as f32 / 2.0));
            let (measured, worst) = self.measure_all();
            if worst.error < best.error {
                best = worst;
            }
            if worst.error <= self.limit {
                self.models = measured;
                return Ok(());
            }
        }
        Err(best)
    }

    /// Steps that each make an error of about `share` of the bound.
    fn set_all(&mut self, share: f32) {
        let (near, limit) = (&self.ground.near, self.limit);
        for (joint, track) in self.plan.tracks_mut() {
            let size = match track.form {
                Form::Turn(_) | Form::Spin => limit / near[joint].max(1e-4),
                Form::Vector(_) => limit,
            };
            track.code = code(size * share).min(track.coarsest);
        }
    }

    fn measure_all(&mut self) -> (Vec<Affine3A>, Worst) {
        let branch = Branch::all(self.ground.parents.len());
        let rows = frames(self.ground, &self.plan, &branch, &[]);
        let measured = measure(self.ground, &self.plan, &branch, &rows, &[], f32::INFINITY);
        self.cells = rows.concat();
        let Some(Measured { models, worst, .. }) = measured else {
            return (Vec::new(), Worst { error: f32::INFINITY, joint: 0 });
        };
        (models.concat(), worst)
    }

    /// Tries a coarser step for one track; keeps it when the bound is kept.
    fn coarser(&mut self, index: usize, stride: u8) -> bool {
        let Some((joint, track)) = self.plan.tracks_mut().nth(index) else { return false };
        let before = track.code;
        if before >= track.coarsest {
            return false;
        }
        track.code = before.saturating_add(stride).min(track.coarsest);
        let branch = Branch::new(self.ground, joint);
        let rows = frames(self.ground, &self.plan, &branch, &self.cells);
        let measured = measure(self.ground, &self.plan, &branch, &rows, &self.models, self.limit);
        let Some(measured) = measured else {
            if let Some((_, track)) = self.plan.tracks_mut().nth(index) {
                track.code = before;
            }
            return false;
        };
        self.keep(&branch, &rows, &measured.models);
        true
    }

    fn keep(&mut self, branch: &Branch, rows: &[Vec<Cell>], models: &[Vec<Affine3A>]) {
        let count = self.ground.parents.len();
        for (frame, row) in rows.iter().enumerate() {
            for (&joint, cell) in branch.joints.iter().zip(row) {
                self.cells[frame * count + joint] = *cell;
            }
        }
        for (time, row) in models.iter().enumerate() {
            for (&joint, model) in branch.joints.iter().zip(row) {
                self.models[time * count + joint] = *model;
            }
        }
    }
}
