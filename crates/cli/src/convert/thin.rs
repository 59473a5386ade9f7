//! Clips with fewer keys, and with more again where a result was too far off.
//!
//! In:  what the skin may be off; then, for each try, how far off its result was.
//! Out: clips for the next try. Of what is made again after the first, only the clips that were too far off change.

use rayon::prelude::*;
use sinew::edit::{self, ReduceOptions, SkinPoints};
use sinew::{Clip, Scene};

use super::prove::Proof;

/// How often keys are thinned less where a result does not keep the bound, before all of them stay.
const MAX_TRIES: usize = 3;
/// Of what would just keep the bound, what is tried next.
const AGAIN: f32 = 0.85;

/// How keys are thinned in one try.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Thin {
    /// What the skin may be off.
    pub(super) error: f32,
    /// The clips as they were made last; none where all are to be made.
    pub(super) known: Vec<Clip>,
    /// Of those, the ones that are to be made again, with the share of the error that each may take.
    again: Vec<(usize, f32)>,
    tries: usize,
}

impl Thin {
    pub(super) fn new(error: f32) -> Self {
        Self { error, known: Vec::new(), again: Vec::new(), tries: 0 }
    }

    /// The clips of a scene for this try.
    pub(super) fn clips(
        &mut self,
        scene: &Scene,
        points: &SkinPoints,
        options: ReduceOptions,
    ) -> Vec<Clip> {
        if self.known.is_empty() {
            let all = edit::reduce_all_at(scene, points, &options);
            return all.into_iter().map(|reduced| reduced.clip).collect();
        }
        let again = self.again.par_iter().map(|&(at, share)| {
            let options = ReduceOptions { error: share * options.error, ..options };
            (at, edit::reduce(scene, points, &scene.clips[at], &options).clip)
        });
        let mut clips = std::mem::take(&mut self.known);
        for (at, clip) in again.collect::<Vec<_>>() {
            clips[at] = clip;
        }
        edit::keep_at_rest(scene, &mut clips.iter_mut().collect::<Vec<_>>());
        clips
    }

    /// What is to be tried after a result that does not keep the bound; nothing where all keys are to stay.
    pub(super) fn after(mut self, proof: &Proof, bound: f32) -> Option<Self> {
        let factor = |metres: f64| (AGAIN * bound / metres as f32).clamp(0.2, AGAIN);
        self.tries += 1;
        if self.tries == 1 && !proof.over.is_empty() {
            self.again = proof.over.iter().map(|&(at, metres)| (at, factor(metres))).collect();
        } else {
            // Not the keys of a clip alone are at fault, if they are.
            self.error *= factor(proof.metres);
            self.known.clear();
        }
        (self.tries < MAX_TRIES).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_clips_that_were_too_far_off_are_made_again_and_then_all() {
        let ossi = sinew::ossi();
        let points = SkinPoints::new(&ossi);
        let options = ReduceOptions { error: 1e-3, short_values: false };
        let mut thin = Thin::new(options.error);
        let first = thin.clips(&ossi, &points, options);
        thin.known.clone_from(&first);
        // The second clip was twice as far off as it may be.
        let proof = Proof { metres: 2e-3, over: vec![(1, 2e-3)], ..Proof::default() };
        let mut thin = thin.after(&proof, options.error).expect("another try");
        let second = thin.clips(&ossi, &points, options);
        let share = ReduceOptions { error: 0.425 * options.error, ..options };
        assert!(second[1].key_count() > first[1].key_count());
        let mut expected = first;
        expected[1] = edit::reduce(&ossi, &points, &ossi.clips[1], &share).clip;
        // What it moves now has its rest in the others.
        edit::keep_at_rest(&ossi, &mut expected.iter_mut().collect::<Vec<_>>());
        assert_eq!(second, expected);
        thin.known = second;
        let thin = thin.after(&proof, options.error).expect("a last try");
        assert_eq!((thin.error, thin.known.len()), (0.425 * options.error, 0));
        assert_eq!(thin.after(&proof, options.error), None);
    }
}
