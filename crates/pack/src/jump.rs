//! Where a clip steps from one value to the next, and whether a frame stands there.
//!
//! In:  the keys of what holds until the next key.
//! Out: the steps that show, how many frames a gap needs for them, and which times a step is late at.
//!
//! What holds in a packed clip changes at frames alone. A step between two frames comes with the second, so it is
//! late by less than their gap.

use sinew_scene::{Clip, Interpolation};

use crate::clock::{Clock, PHASES};
use crate::pack::{Job, WORTH_A_LOOK};
use crate::source::{DENSE, NEAR, Truth};
use crate::sphere::above;

/// How many seconds before a step a frame may be that counts as at it; and parts of the step's own time, for
/// the rounding of both.
const EARLY: f64 = 2e-6;
const ROUNDING: f64 = 2.4e-7;
/// How many frames it is worth that a step is not late.
pub(crate) const WORTH: u32 = 60;
/// The most frames that a gap may have for the sake of its steps.
const MAX_STEPS: u32 = 64;
/// Steps that are looked at together: they need memory.
const TOGETHER: usize = 256;

/// What the steps of a gap ask of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Need {
    /// How many frames, or spans.
    pub(crate) count: u32,
    /// Whether all steps are at frames then; so they are for its multiples.
    pub(crate) exact: bool,
}

/// The times at which what holds until then changes, in order.
pub(crate) fn step_times(clip: &Clip) -> Vec<f32> {
    fn changes<'a, V: PartialEq>(
        times: &'a [f32],
        values: &'a [V],
        width: usize,
    ) -> impl Iterator<Item = f32> + 'a {
        let rows = values.chunks(width.max(1));
        let pairs = rows.clone().zip(rows.skip(1)).zip(&times[1..]);
        pairs.filter(|((a, b), _)| a != b).map(|(_, &time)| time)
    }
    let steps = |interpolation| interpolation == Interpolation::Step;
    let mut found = Vec::new();
    for track in clip.rotations.iter().filter(|track| steps(track.curve.interpolation())) {
        found.extend(changes(track.curve.times(), track.curve.values(), 1));
    }
    for track in clip.translations.iter().chain(&clip.scales) {
        if steps(track.curve.interpolation()) {
            found.extend(changes(track.curve.times(), track.curve.values(), 1));
        }
    }
    let weights = clip.weights.iter().map(|track| &track.rows);
    for rows in weights.chain(clip.properties.iter().map(|track| &track.rows)) {
        if steps(rows.interpolation()) {
            found.extend(changes(rows.times(), rows.values(), rows.width()));
        }
    }
    found.retain(|&time| time > 0.0 && time <= clip.duration);
    found.sort_by(f32::total_cmp);
    found.dedup();
    found
}

/// Whether a frame stands at a step: not after it, and no more than a rounding before it.
pub(crate) fn on_frame(clock: &Clock, step: f32) -> bool {
    let place = clock.place(step);
    let since = f64::from(step) - f64::from(clock.time(place.first));
    place.fraction <= 0.0 || since <= early(step)
}

fn early(step: f32) -> f64 {
    EARLY + ROUNDING * f64::from(step)
}

/// The fewest frames of a gap that stand at all of its steps; `each` is what their number must be a multiple of.
fn exact_count(rate: f32, phase: u16, gap: usize, steps: &[f32], each: u32) -> Option<u32> {
    let stands = |count: u32, step: f32| {
        let at = f64::from(step) * f64::from(rate) + f64::from(phase) / f64::from(PHASES);
        let (frames, hair) = (f64::from(count * each), 3e-7 * at);
        let within = (at - gap as f64) * frames;
        let since = within - (within + hair * frames).floor();
        since <= 0.0 || since / (frames * f64::from(rate)) <= early(step)
    };
    (1..=MAX_STEPS).find(|&count| steps.iter().all(|&step| stands(count, step)))
}

/// The fewest frames of a gap between which a jump may take place.
fn dense_count(rate: f32, each: u32) -> u32 {
    ((0.999 / (rate * DENSE)) / each as f32).ceil().max(1.0) as u32
}

impl Job<'_> {
    /// The steps that show at the skin or in a driven value.
    pub(crate) fn find_steps(&mut self) {
        let all = step_times(self.clip);
        let ranges = self.numbers.ranges(&self.truth.numbers);
        let (joints, much) = (self.shells.len(), WORTH_A_LOOK * self.options.error);
        let shows = |steps: &[f32]| {
            let both = steps.iter().flat_map(|step| [step.next_down(), *step]).collect();
            let truth = Truth::at(self.scene, self.clip, both);
            let count = truth.numbers.len() / truth.times.len();
            let shows = |at: usize| {
                let [from, to] = [2 * at, 2 * at + 1];
                let models = |row: usize| truth.models[row * joints..(row + 1) * joints].iter();
                let mut pairs = models(from).zip(models(to)).zip(&self.shells);
                let numbers = |row: usize| &truth.numbers[row * count..(row + 1) * count];
                let off = self.numbers.apart(&ranges, numbers(from), numbers(to));
                off.skin > much
                    || !off.values_good()
                    || pairs.any(|((from, to), &shell)| above(from, to, shell, much).is_some())
            };
            (0..steps.len()).filter(|&at| shows(at)).map(|at| steps[at]).collect::<Vec<f32>>()
        };
        self.steps = all.chunks(TOGETHER).flat_map(shows).collect();
    }

    /// Whether a step between this time and the frame before it is late: it comes with the next frame, which is near.
    pub(crate) fn late(&self, time: f32, clock: &Clock) -> bool {
        let before = self.steps.partition_point(|&step| step <= time);
        let first = clock.place(time).first;
        let here = |step: &&f32| clock.place(**step).first == first;
        let last = before.checked_sub(1).and_then(|at| self.steps.get(at)).filter(here);
        let late = last.is_some_and(|&step| is_dense(clock, first) && !on_frame(clock, step));
        // Or it is early by a rounding.
        let next = self.steps.get(before).filter(here);
        late || next.is_some_and(|&step| on_frame(clock, step))
    }

    /// The keys that frames may be taken for which are near: not steps that no frame stands at. Nothing where it is all.
    pub(crate) fn keys_for(&self, clock: &Clock) -> Option<Vec<f32>> {
        let near = |step: f32| {
            let first = clock.place(step).first;
            (step - clock.time(first)).abs() < NEAR || (clock.time(first + 1) - step).abs() < NEAR
        };
        let mut keys = None;
        for &step in self.steps.iter().filter(|step| near(**step)) {
            let keys = keys.get_or_insert_with(|| self.keys.clone());
            if on_frame(clock, step) {
                // The step's own value, although another key may be as near.
                let first = keys.partition_point(|&key| key <= step - NEAR);
                keys.drain(first..keys.partition_point(|&key| key < step));
            } else if let Ok(at) = keys.binary_search_by(|key| key.total_cmp(&step)) {
                keys.remove(at);
            }
        }
        keys
    }

    /// What the steps of each gap ask of it; nothing where they ask for one frame.
    pub(crate) fn needs(&self, rate: f32, phase: u16, gaps: usize, each: u32) -> Vec<Option<Need>> {
        let mut needs = vec![None; gaps];
        let at = |step: f32| {
            let at = f64::from(step) * f64::from(rate) + f64::from(phase) / f64::from(PHASES);
            ((at * (1.0 + 3e-7)) as usize).min(gaps.saturating_sub(1))
        };
        for steps in self.steps.chunk_by(|a, b| at(*a) == at(*b)) {
            let gap = at(steps[0]);
            let dense = dense_count(rate, each);
            let exact = exact_count(rate, phase, gap, steps, each);
            needs[gap] = match exact.filter(|exact| *exact * each <= dense * each + WORTH) {
                Some(1) => None,
                Some(count) => Some(Need { count, exact: true }),
                None => Some(Need { count: dense, exact: false }),
            };
        }
        needs
    }
}

/// Whether a jump may take place between a frame and the next.
pub(crate) fn is_dense(clock: &Clock, frame: usize) -> bool {
    clock.rate_after(frame) * DENSE >= 0.999
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_has_a_frame_at_every_step_of_it_where_that_is_so_many() {
        // Tenths of a second: 0.37 is seven tenths of the fourth, 0.35 half of it.
        assert_eq!(exact_count(10.0, 0, 3, &[0.37], 1), Some(10));
        assert_eq!(exact_count(10.0, 0, 3, &[0.35], 1), Some(2));
        assert_eq!(exact_count(10.0, 0, 3, &[0.3, 0.35, 0.375], 1), Some(4));
        // Spans have three frames each: ten of them have thirty, and the 21st is there.
        assert_eq!(exact_count(10.0, 0, 3, &[0.37], 3), Some(10));
        assert_eq!(exact_count(10.0, 0, 3, &[0.366_666_67], 3), Some(1));
        // A gap that begins a quarter of itself early.
        assert_eq!(exact_count(10.0, 16384, 4, &[0.38], 1), Some(20));
        assert_eq!(exact_count(10.0, 0, 3, &[0.371_234_5], 1), None);
        // Twelve of a tenth are 1/120 s, and four spans of three.
        assert_eq!((dense_count(10.0, 1), dense_count(10.0, 3)), (12, 4));
        assert_eq!((dense_count(60.0, 1), dense_count(240.0, 1)), (2, 1));
    }

    #[test]
    fn a_frame_stands_at_a_step_that_is_a_rounding_after_it_and_at_no_other() {
        let clock = Clock::even(10.0, 0, 10.0);
        for step in [0.1, 0.3, 0.7, 5.1, 9.9] {
            assert!(on_frame(&clock, step), "{step}");
        }
        for step in [0.100_02, 0.099_98, 5.05, 9.899_9] {
            assert!(!on_frame(&clock, step), "{step}");
        }
    }
}
