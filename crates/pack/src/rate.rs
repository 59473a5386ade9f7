//! How many frames a second: as few as keep a share of the bound before any is rounded.
//!
//! In:  the clip's own keys, and how it moves between them.
//! Out: exact frames that are straight between, or else cubics, and how far off the times between are.

use rayon::prelude::*;
use sinew_scene::Clip;

use crate::Course;
use crate::block::{Block, Known};
use crate::chain::{Branch, exact};
use crate::clock::{Clock, PHASES, gaps};
use crate::ground::{Ground, Worst};
use crate::jump::{WORTH, is_dense};
use crate::measure::{Look, Measured, measure};
use crate::pack::{Job, PROGRESS_OF_RATES, WORTH_A_LOOK};
use crate::plan::Plan;
use crate::source::{Source, Truth};
use crate::sphere::above;
use crate::uneven::MOST_OFTEN;
use crate::window::LEAST_CUBIC;

/// Frames a second that keys are made at, whether or not a clip ends with one.
const USUAL: [f32; 3] = [24.0, 25.0, 30.0];
/// Gaps a second that steps at whole hundredths or thousandths of a second are frames of.
const ROUND: [f32; 4] = [10.0, 20.0, 50.0, 60.0];
/// Frames a second for motion that needs many.
const FAST: [f32; 8] = [30.0, 60.0, 90.0, 120.0, 180.0, 240.0, 480.0, 960.0];
/// What may do, in parts of the rate of the keys: a third has a span from key to key, three has three frames to one.
const PARTS: [f32; 13] =
    [0.125, 0.25, 1.0 / 3.0, 0.375, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0];
/// The shortest gap between keys that begin between frames, in seconds.
const SHORTEST_GAP: f64 = 1.0 / 960.0;
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

/// How often there are frames or gaps, and how far before the start the first is, in parts of a gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Beat {
    pub(crate) rate: f32,
    pub(crate) phase: u16,
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

/// How many frames a second may do, few first: the keys' own rate and its parts, then more.
fn beats(clip: &Clip, keys: &[f32], steps: &[f32]) -> Vec<Beat> {
    if clip.duration <= 0.0 {
        return vec![Beat { rate: 0.0, phase: 0 }];
    }
    let mut rates = Vec::new();
    for own in own_rates(keys) {
        rates.extend(PARTS.map(|part| own * part));
    }
    if !steps.is_empty() {
        rates.extend(own_rates(steps).iter().chain(&ROUND));
    }
    rates.extend(USUAL.iter().filter(|rate| **rate * clip.duration > 1.0));
    rates.extend([10.0, 15.0, 20.0].iter().chain(&FAST).map(|&rate| whole(rate, clip.duration)));
    // One that is whole but for rounding is meant to end with the clip.
    for rate in &mut rates {
        let near = whole(*rate, clip.duration);
        if (near - *rate).abs() * clip.duration < 0.01 {
            *rate = near;
        }
    }
    rates.sort_by(f32::total_cmp);
    // The first is as few as there can be, however short the clip is.
    let few = rates.partition_point(|&rate| rate <= FAST[FAST.len() - 1] * 1.01);
    rates.truncate(few.max(1));
    rates.dedup();
    let mut beats: Vec<Beat> = rates.into_iter().map(|rate| Beat { rate, phase: 0 }).collect();
    beats.extend(shifted_beats(keys));
    // No frame may be after its step.
    let early = |beat: Beat| Beat { phase: beat.phase.saturating_add(1), ..beat };
    beats.extend(shifted_beats(steps).into_iter().map(early));
    beats.sort_by(|a, b| a.rate.total_cmp(&b.rate));
    beats.dedup();
    beats
}

/// The nearest rate that has whole frames over a length.
fn whole(rate: f32, duration: f32) -> f32 {
    (duration * rate).round().max(1.0) / duration
}

/// The rates whose frames the keys stand on: by the gap that is in the middle of all, and by the least.
fn own_rates(keys: &[f32]) -> Vec<f32> {
    gaps_of(keys).into_iter().map(|gap| 1.0 / fitted(gap, keys)).collect()
}

/// The middle one of all gaps between keys, and the least.
fn gaps_of(keys: &[f32]) -> Vec<f32> {
    let mut gaps: Vec<f32> =
        keys.windows(2).map(|pair| pair[1] - pair[0]).filter(|&gap| gap > 1e-3).collect();
    gaps.sort_by(f32::total_cmp);
    [gaps.first(), gaps.get(gaps.len() / 2)].into_iter().flatten().copied().collect()
}

/// Rates with a frame on every key of keys that are even, but do not begin at a whole gap.
fn shifted_beats(keys: &[f32]) -> Vec<Beat> {
    let beat = |gap: f32| {
        let (first, gap) = shifted(gap, keys);
        // How far the first frame is before the start.
        let phase = (-first / gap).rem_euclid(1.0);
        let whole = phase.min(1.0 - phase) < 0.01;
        let phase = (phase * f64::from(PHASES)).round() as u16;
        (!whole && gap > SHORTEST_GAP).then_some(Beat { rate: (1.0 / gap) as f32, phase })
    };
    gaps_of(keys).into_iter().filter_map(beat).collect()
}

/// The straight line that even keys lie on, by the least squares: the first, and the gap.
fn shifted(gap: f32, keys: &[f32]) -> (f64, f64) {
    let mut gap = f64::from(gap);
    let [mut frames, mut times, mut squares, mut products, mut count] = [0.0; 5];
    for &key in keys {
        // From the first key on, the same gap fits whatever the start.
        let since = f64::from(key) - f64::from(keys[0]);
        let frame = (since / gap).round();
        if (since - frame * gap).abs() < 0.2 * gap {
            (frames, times, count) = (frames + frame, times + since, count + 1.0);
            (squares, products) = (squares + frame * frame, products + frame * since);
            let spread = count * squares - frames * frames;
            gap = if spread > 0.0 { (count * products - frames * times) / spread } else { gap };
        }
    }
    (f64::from(keys[0]) + (times - gap * frames) / count, gap)
}

/// A gap that was rounded in single precision, made exact by the keys far from the start.
fn fitted(gap: f32, keys: &[f32]) -> f32 {
    let mut gap = f64::from(gap);
    let (mut over, mut under) = (0.0, 0.0);
    for &key in keys {
        let key = f64::from(key);
        let frame = (key / gap).round();
        if frame > 0.0 && (key - frame * gap).abs() < 0.2 * gap {
            (over, under) = (over + frame * key, under + frame * frame);
            gap = over / under;
        }
    }
    gap as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_own_rate_is_among_the_rates_and_even_ones_end_with_the_clip() {
        let clip = Clip { duration: 1.3, ..Clip::default() };
        let keys: Vec<f32> = (0..40).map(|key| key as f32 / 30.0).collect();
        let rates: Vec<f32> = beats(&clip, &keys, &[]).iter().map(|beat| beat.rate).collect();
        for own in [7.5, 10.0, 15.0, 30.0, 60.0, 120.0, 240.0] {
            assert!(rates.iter().any(|rate| (rate - own).abs() < 1e-4 * own), "{own}: {rates:?}");
        }
        // 1.3 s have 19.5 frames at 15 a second; 20 are the nearest that end with the clip.
        assert!(rates.iter().any(|rate| (rate * 1.3 - 20.0).abs() < 1e-4), "{rates:?}");
        assert!(rates.is_sorted());
    }

    #[test]
    fn a_rate_is_found_from_all_keys_although_each_is_rounded() {
        let keys: Vec<f32> = (0..5000).map(|key| (f64::from(key) * 0.008_333_33) as f32).collect();
        let gap = fitted(keys[4001] - keys[4000], &keys);
        assert!((f64::from(gap) / 0.008_333_33 - 1.0).abs() < 1e-7, "{gap}");
        // The gap alone is 0.02 % off, which is a frame at the end.
        let alone = f64::from(keys[4001] - keys[4000]);
        assert!((alone / 0.008_333_33 - 1.0).abs() > 1e-5, "{alone}");
    }

    #[test]
    fn keys_that_begin_between_frames_find_a_rate_that_has_them_all() {
        // 0.85 of a frame late.
        let keys: Vec<f32> = (0..600).map(|key| (f64::from(key) + 0.85) as f32 / 60.0).collect();
        let (first, gap) = shifted(1.0 / 60.0, &keys);
        assert!((first * 60.0 - 0.85).abs() < 1e-5 && (gap * 60.0 - 1.0).abs() < 1e-7);
        // The first frame is 0.15 of a gap before the start: 9830.4 parts.
        let beats = shifted_beats(&keys);
        assert!(beats.len() == 2 && beats.iter().all(|beat| (beat.rate - 60.0).abs() < 1e-3));
        assert!(beats.iter().all(|beat| beat.phase.abs_diff(9830) <= 1), "{beats:?}");
        // Keys on whole frames need none.
        let whole: Vec<f32> = (3..600).map(|key| key as f32 / 60.0).collect();
        assert_eq!(shifted_beats(&whole), []);
    }

    #[test]
    fn a_clip_shorter_than_any_frame_has_a_rate() {
        let clip = Clip { duration: 1e-4, ..Clip::default() };
        assert_eq!(beats(&clip, &[], &[]).len(), 1);
    }

    #[test]
    fn a_key_counts_for_the_frame_that_is_nearest() {
        // A tenth of a frame early: 0.09, 0.19 … fit a gap of 0.1 - 0.01 · Σn / Σn² = 0.0997 best.
        let keys: Vec<f32> = (1..=50).map(|key| key as f32 * 0.1 - 0.01).collect();
        let gap = fitted(0.1, &keys);
        assert!((gap - 0.0997).abs() < 1e-5, "{gap}");
    }
}
