//! Which times of a clip become frames.
//!
//! In:  the samples of a clip, and the error that is allowed.
//! Out: the few of them from which all others follow by straight lines, where that is worth it.
//!
//! Where the error is stated of the clip's curves, the samples are every key, the last moment before every jump, and
//! as many between them as it takes until a straight line from one to the next is near enough.

use sinew_scene::{Clip, Interpolation, Transform};

use super::measure::{Exact, Measure};
use super::samples::{Samples, check_size};
use super::times::{each_track, key_times};
use crate::PackError;

/// The share of the bound that straight lines between frames may take, where samples are left out.
const SHARE_OF_GAPS: f64 = 0.45;
/// The share of the bound that a curve may be off between two of its samples.
const SHARE_OF_CURVES: f64 = 0.2;
/// Samples are left out where no more than this share of them is left.
const WORTH: f64 = 0.7;
/// The cosine of half the largest angle between two samples: farther apart there may be no short way.
const LEAST_NEAR: f32 = 0.7;

/// Times, and how far off in metres anything is between them.
pub(crate) struct Chosen<T> {
    pub(crate) times: Vec<T>,
    pub(crate) error: f64,
}

/// The samples that are kept, by number; `None` where that would be nearly all.
pub(crate) fn chosen(
    measure: &Measure<'_>,
    samples: &Samples,
    bound: f32,
) -> Option<Chosen<usize>> {
    let last = samples.frames() - 1;
    if last < 2 {
        return None;
    }
    let mut lines = Lines::new(measure, SHARE_OF_GAPS * f64::from(bound));
    let (mut times, mut error) = (vec![0], 0.0_f64);
    while times[times.len() - 1] < last {
        let (next, off) = lines.farthest(samples, times[times.len() - 1]);
        times.push(next);
        error = error.max(off);
        if times.len() as f64 > WORTH * samples.frames() as f64 {
            return None;
        }
    }
    Some(Chosen { times, error })
}

/// Straight lines from one sample to another.
struct Lines<'a> {
    measure: &'a Measure<'a>,
    limit: f64,
    poses: [Exact; 2],
}

impl<'a> Lines<'a> {
    fn new(measure: &'a Measure<'a>, limit: f64) -> Self {
        Self { measure, limit, poses: [(); 2].map(|()| measure.pose()) }
    }

    /// The last sample that a line from this one leads to within the limit, and how far off it is between.
    fn farthest(&mut self, samples: &Samples, from: usize) -> (usize, f64) {
        let (mut good, mut error) = (from + 1, 0.0);
        let mut bad = samples.frames();
        let mut step = 1;
        while bad - good > 1 {
            let far = bad == samples.frames();
            let next = if far { (good + step).min(bad - 1) } else { good.midpoint(bad) };
            let off = self.error(samples, from, next);
            if off <= self.limit {
                (good, error) = (next, off);
                step *= 2;
            } else {
                bad = next;
            }
        }
        (good, error)
    }

    /// How far off samples are between two; any number above the limit when that is too much.
    fn error(&mut self, samples: &Samples, from: usize, to: usize) -> f64 {
        let [start, end] = [from, to].map(|at| f64::from(samples.times[at]));
        let local = |sample: usize| move |node: usize| samples.local(node, sample);
        let weights = |sample: usize| samples.numbers_at(sample);
        let [should, found] = &mut self.poses;
        let mut worst = 0.0_f64;
        // The middle first: most lines fail there.
        let middle = from.midpoint(to);
        for at in (middle..to).chain(from + 1..middle) {
            let share = (f64::from(samples.times[at]) - start) / (end - start);
            should.set(local(at), weights(at));
            let ends = [local(from), local(to)];
            found.set_between(ends, [weights(from), weights(to)], share, |node| {
                samples.local(node, at).rotation
            });
            worst = worst.max(self.measure.apart(should, found));
            if worst > self.limit {
                break;
            }
        }
        worst
    }
}

/// Times between which a clip's curves are as good as straight; `rounding` is what single precision puts any of them
/// off, in metres.
pub(crate) fn curve_times(
    clip: &Clip,
    measure: &Measure<'_>,
    bound: f32,
    rounding: f32,
) -> Result<Chosen<f32>, PackError> {
    let mut times = key_times(clip);
    times.extend([0.0, clip.duration]);
    times.extend(jumps(clip).into_iter().map(f32::next_down));
    times.retain(|time| (0.0..=clip.duration).contains(time));
    times.sort_by(f32::total_cmp);
    // `total_cmp` tells zeros apart.
    times[0] = 0.0;
    times.dedup();
    let limit = SHARE_OF_CURVES * f64::from(bound) + f64::from(rounding);
    let mut lines = Lines::new(measure, limit);
    let mut found = Chosen { times: vec![0.0], error: 0.0 };
    // The next gap is the last.
    let mut gaps: Vec<[f32; 2]> = times.windows(2).rev().map(|gap| [gap[0], gap[1]]).collect();
    while let Some([start, end]) = gaps.pop() {
        check_size(clip, measure.scene.skeleton().len(), found.times.len())?;
        let middle = start.midpoint(end);
        let looks = vec![start, start.midpoint(middle), middle, middle.midpoint(end), end];
        let samples = Samples::new(measure.scene, clip, 0.0, looks)?;
        let near = |node: &[Transform]| node[0].rotation.dot(node[4].rotation).abs() >= LEAST_NEAR;
        let short = samples.locals.chunks(5).all(near);
        let error = if short { lines.error(&samples, 0, 4) } else { f64::INFINITY };
        if error > limit && start < middle && middle < end {
            gaps.extend([[middle, end], [start, middle]]);
        } else {
            found.error = found.error.max(error.min(limit));
            found.times.push(end);
        }
    }
    Ok(found)
}

/// When a value changes at once.
fn jumps(clip: &Clip) -> Vec<f32> {
    let mut jumps = Vec::new();
    each_track(clip, |keys, interpolation| {
        if interpolation == Interpolation::Step {
            jumps.extend(keys.iter().skip(1));
        } else {
            jumps.extend(keys.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]));
        }
    });
    jumps.retain(|time| *time > 0.0);
    jumps
}
