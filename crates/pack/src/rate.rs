//! How many frames a second: as few as keep a share of the bound before any is rounded.
//!
//! In:  the clip's own keys, and how it moves between them.
//! Out: exact frames that are straight between, or else cubics, and how far off the times between are.

use rayon::prelude::*;

use crate::Course;
use crate::beats::{Beat, beats, whole};
use crate::block::{Block, Known};
use crate::chain::{Branch, exact};
use crate::clock::{Clock, gaps};
use crate::ground::{Ground, Worst};
use crate::jump::{WORTH, is_dense};
use crate::measure::{Look, Measured, measure};
use crate::pack::{Job, PROGRESS_OF_RATES, WORTH_A_LOOK};
use crate::plan::Plan;
use crate::source::{Source, Truth};
use crate::sphere::above;
use crate::uneven::MOST_OFTEN;
use crate::window::LEAST_CUBIC;

/// A joint that jumps is nearer to one of two frames than this part of their distance; what moves evenly is so at no time
/// that is measured between dense frames.
const JUMP: f32 = 0.1;
/// Joints times frames: no rate but the first is tried that has more.
const MOST_FRAMES: f32 = (1 << 24) as f32;

/// Frames that are not rounded, and how far off they are at each measured time, where it is worth a look.
pub(crate) struct Unrounded {
    pub(crate) source: Source,
    /// Where they are denser than what is measured of every clip, what is measured of this one.
    pub(crate) truth: Option<Truth>,
    pub(crate) errors: Vec<f32>,
    /// Between how many frames and the next the clip jumps: times there are not measured.
    pub(crate) jumps: usize,
    /// How many of these are steps that could be at a frame.
    pub(crate) late: usize,
    /// Whether driven values are followed as well.
    pub(crate) values: bool,
}

/// How far off frames are that are not rounded.
struct Off {
    errors: Vec<f32>,
    /// Between how many frames and the next a step lies.
    late: usize,
    /// At the skin: joints and morphs together.
    worst: Worst,
    /// Whether driven values are followed.
    values: bool,
}

impl Unrounded {
    /// In frames: steps that are late are worth some.
    fn cost(&self) -> usize {
        self.source.clock.frames + self.late * WORTH as usize
    }
}

impl Job<'_> {
    /// The fewest frames that keep a share of the bound, if there are any.
    pub(crate) fn fewest(&self, share: f32, progress: &(dyn Fn(f32) + Sync)) -> Option<Unrounded> {
        Some(self.measured_between(self.fewest_of_all(share * self.options.error, progress)?))
    }

    /// The same of frames that are even.
    pub(crate) fn fewest_if_even(&self, share: f32) -> Option<Unrounded> {
        Some(self.measured_between(self.fewest_even(&self.beats(), share * self.options.error)?))
    }

    /// Looks between frames as well where they are dense.
    fn measured_between(&self, mut found: Unrounded) -> Unrounded {
        let denser = self.truth.denser(self.scene, self.clip, &found.source.clock);
        // Without more times those are left out that jumps lie at.
        let truth = denser.or_else(|| (found.jumps > 0).then(|| self.truth.clone()));
        if let Some(mut truth) = truth {
            let errors = self.off_each(&truth, &found.source);
            let good: Vec<bool> = errors.iter().map(Option::is_some).collect();
            let jump =
                |at: usize| (!good[at]).then(|| found.source.clock.place(truth.times[at]).first);
            let mut jumps: Vec<usize> = (0..good.len()).filter_map(jump).collect();
            jumps.dedup();
            found.jumps = jumps.len();
            truth.retain(&good);
            found.errors = errors.into_iter().flatten().map(|worst| worst.error).collect();
            found.truth = Some(truth);
        }
        found
    }

    /// Whether every joint is where it is in the frame before a time or in the frame after it, or so much nearer to one than
    /// these are to each other that it must have jumped. Frames must be dense.
    fn jumps(&self, truth: &Truth, at: usize, source: &Source) -> bool {
        let (count, place) = (self.shells.len(), source.clock.place(truth.times[at]));
        if !is_dense(&source.clock, place.first) {
            return false;
        }
        let there = &truth.models[at * count..];
        // A hair before a frame counts as at it.
        let before = if place.fraction > 0.0 { place.first } else { place.first.saturating_sub(1) };
        let frames = [before, place.second(source.clock.frames)];
        (0..count).all(|joint| {
            let [from, to] = frames.map(|frame| &source.models[frame * count + joint]);
            let far = |a, b| above(a, b, self.shells[joint], 0.0).unwrap_or(0.0);
            let nearer = far(from, &there[joint]).min(far(to, &there[joint]));
            nearer <= self.options.error.max(JUMP * far(from, to))
        })
    }

    fn fewest_of_all(&self, limit: f32, progress: &(dyn Fn(f32) + Sync)) -> Option<Unrounded> {
        let beats = self.beats();
        if self.options.rate.is_some() {
            return self.fewest_even(&beats, limit);
        }
        let (slow, fast) = beats.split_at(beats.partition_point(|beat| beat.rate <= MOST_OFTEN));
        let slow = self.fewest_even(slow, limit);
        progress(PROGRESS_OF_RATES / 3.0);
        let cost = |found: &Option<Unrounded>| match found {
            Some(found) if found.values => found.cost(),
            _ => usize::MAX,
        };
        let few = self.fewest_uneven(limit, cost(&slow)).or(slow);
        progress(PROGRESS_OF_RATES * 2.0 / 3.0);
        let fewer = |beat: &Beat| gaps(beat.rate, beat.phase, self.clip.duration) + 1 < cost(&few);
        let fast = &fast[..fast.partition_point(fewer)];
        let fast = self.fewest_even(fast, limit);
        if cost(&fast) < cost(&few) { fast } else { few.or(fast) }
    }

    fn fewest_even(&self, beats: &[Beat], limit: f32) -> Option<Unrounded> {
        let mut best: Option<Unrounded> = None;
        for &beat in beats {
            let mut source = self.even(beat);
            if best.as_ref().is_some_and(|best| best.values && best.cost() <= source.clock.frames) {
                break;
            }
            for &course in courses(&source) {
                source.course = course;
                let Some(off) = self.off(&source, limit) else { continue };
                let Off { errors, late, values, .. } = off;
                let (source, jumps) = (source.clone(), late);
                let found = Unrounded { source, truth: None, errors, jumps, late, values };
                if values && late == 0 {
                    return Some(found);
                }
                // One that follows driven values is better than any that does not, and then the cheaper one.
                let rank = |found: &Unrounded| (!found.values, found.cost());
                if best.as_ref().is_none_or(|best| found.values && rank(&found) < rank(best)) {
                    best = Some(found);
                }
            }
        }
        best
    }

    /// The least error of any rate.
    pub(crate) fn closest(&self) -> Worst {
        let mut best = Worst { error: f32::INFINITY, joint: 0 };
        for beat in self.beats() {
            let mut source = self.even(beat);
            for &course in courses(&source) {
                source.course = course;
                best = self.off(&source, best.error).map_or(best, |off| off.worst);
            }
        }
        best
    }

    fn even(&self, Beat { rate, phase }: Beat) -> Source {
        self.source(Clock::even(rate, phase, self.clip.duration))
    }

    pub(crate) fn source(&self, clock: Clock) -> Source {
        let keys = self.keys_for(&clock);
        Source::new(self.scene, self.clip, keys.as_ref().unwrap_or(&self.keys), clock)
    }

    /// All that may do, slow ones first.
    pub(crate) fn beats(&self) -> Vec<Beat> {
        let (duration, joints) = (self.clip.duration, self.shells.len() as f32);
        let mut beats = match self.options.rate {
            Some(rate) if duration > 0.0 => vec![Beat { rate: whole(rate, duration), phase: 0 }],
            _ => beats(self.clip, &self.keys, &self.steps),
        };
        let few = beats.partition_point(|beat| duration * beat.rate * joints <= MOST_FRAMES);
        beats.truncate(few.max(1));
        beats
    }

    /// The error of frames that are not rounded, if it is no more than `limit`.
    fn off(&self, source: &Source, limit: f32) -> Option<Off> {
        if !self.steps.is_empty() && is_dense(&source.clock, 0) {
            return self.off_but_jumps(source, limit);
        }
        let numbers = self.numbers.error(&self.truth, source, &source.numbers);
        let limit = limit - numbers.skin;
        if limit < 0.0 {
            return None;
        }
        let measured = self.unrounded(&self.truth, source, limit)?;
        let mut worst =
            measured.iter().fold(Worst::default(), |worst, block| worst.larger(block.worst));
        worst.error += numbers.skin;
        let errors = measured.into_iter().flat_map(|block| block.errors);
        let errors = errors.map(|worst| worst.error).collect();
        Some(Off { errors, late: 0, worst, values: numbers.values_good() })
    }

    /// The same of frames that are so dense that steps may take place between them.
    fn off_but_jumps(&self, source: &Source, limit: f32) -> Option<Off> {
        let each = self.off_each(&self.truth, source);
        let worst = each.iter().flatten().fold(Worst::default(), |worst, at| worst.larger(*at));
        if worst.error > limit {
            return None;
        }
        let late = self.late_gaps(&each, source);
        let errors = each.into_iter().map(|at| at.unwrap_or_default().error).collect();
        Some(Off { errors, late, worst, values: true })
    }

    /// Between how many frames and the next a step is late, of what was measured of frames.
    pub(crate) fn late_gaps(&self, each: &[Option<Worst>], source: &Source) -> usize {
        if self.steps.is_empty() {
            return 0;
        }
        let left_out = self.truth.times.iter().zip(each).filter(|(_, off)| off.is_none());
        let late = left_out.filter(|(time, _)| self.late(**time, &source.clock));
        let mut gaps: Vec<usize> = late.map(|(&time, _)| source.clock.place(time).first).collect();
        gaps.dedup();
        gaps.len()
    }

    /// How far frames that are not rounded are off at each time, morphs and all; endlessly where driven values are. `None`
    /// between two frames that a jump lies between: it takes place there, however dense they are.
    pub(crate) fn off_each(&self, truth: &Truth, source: &Source) -> Vec<Option<Worst>> {
        let measured = self.unrounded(truth, source, f32::INFINITY).unwrap_or_default();
        let mut errors: Vec<Worst> = measured.into_iter().flat_map(|block| block.errors).collect();
        let numbers = self.numbers.errors(truth, source, &source.numbers);
        for (error, number) in errors.iter_mut().zip(numbers) {
            let skin = if number.values_good() { number.skin } else { f32::INFINITY };
            error.error += skin;
        }
        let jump = |at: usize, off: Worst| {
            self.late(truth.times[at], &source.clock)
                || off.error > self.options.error && self.jumps(truth, at, source)
        };
        errors.into_iter().enumerate().map(|(at, off)| (!jump(at, off)).then_some(off)).collect()
    }

    /// Measures frames as they are; `None` once the error is above the limit.
    fn unrounded(&self, truth: &Truth, source: &Source, limit: f32) -> Option<Vec<Measured>> {
        let ground = Ground::new(self.scene, truth, source, &self.shells);
        // The steps that hold are known to the plan; at a vanishing bound nothing is left out.
        let plan = Plan::new(self.scene, self.clip, &ground, 0.0);
        let branch = Branch::all(self.shells.len());
        self.effort.spend(self.shells.len(), truth.times.len());
        let look = Look { floor: limit.min(WORTH_A_LOOK * self.options.error), limit };
        let blocks = Block::all(&ground).into_par_iter();
        let measured = blocks.map(|block| {
            let rows = exact(&ground, &plan, block.needs(&ground));
            measure(&ground, &plan, &branch, &rows, block.times, &Known::default(), look)
        });
        measured.collect()
    }
}

/// Straight between frames, and cubics where there are enough.
fn courses(source: &Source) -> &'static [Course] {
    let all = &[Course::Straight, Course::Smooth, Course::Spans];
    if source.clock.frames >= LEAST_CUBIC { all } else { &all[..1] }
}
