//! Which times of a clip become frames.
//!
//! In:  the samples of a clip, and the error that is allowed.
//! Out: the few of them from which all others follow by straight lines, where that is worth it.
//!
//! Where the error is stated of the clip's curves, the samples are every key, the last moment before every jump, and
//! as many between them as it takes until a straight line from one to the next is near enough.

use sinew_scene::{Clip, Interpolation, Transform};

use super::measure::Measure;
use super::samples::{Samples, check_size};
use super::times::each_track;
use crate::PackError;

/// The share of the bound that straight lines between frames may take, where samples are left out.
const SHARE_OF_GAPS: f64 = 0.45;
/// The share of the bound that a curve may be off between two of its samples.
const SHARE_OF_CURVES: f64 = 0.2;
/// Samples are left out where no more than this share of them is left.
const WORTH: f64 = 0.7;
/// The cosine of half the largest angle between two frames: farther apart there may be no short way.
const LEAST_NEAR: f32 = 0.7;

/// The times of samples that are kept, and how far off in metres anything is between them; `None` where that would be
/// nearly all.
pub(crate) fn chosen(
    measure: &Measure<'_>,
    samples: &Samples,
    bound: f32,
) -> Option<(Vec<f32>, f64)> {
    let limit = SHARE_OF_GAPS * f64::from(bound);
    let last = samples.frames() - 1;
    let (mut kept, mut error) = (vec![0], 0.0_f64);
    while kept[kept.len() - 1] < last {
        let from = kept[kept.len() - 1];
        // The last sample that a line from here leads to, and the first that it does not.
        let (mut good, mut bad, mut step, mut known) = (from + 1, last + 1, 1, 0.0);
        while bad - good > 1 {
            let next = if bad > last { (good + step).min(last) } else { good.midpoint(bad) };
            let off = off_between(measure, samples, [from, next], limit);
            if off <= limit {
                (good, known, step) = (next, off, 2 * step);
            } else {
                bad = next;
            }
        }
        kept.push(good);
        error = error.max(known);
        if kept.len() as f64 > WORTH * samples.frames() as f64 {
            return None;
        }
    }
    let times = kept.into_iter().map(|sample| samples.times[sample]).collect();
    (last > 1).then_some((times, error))
}

/// Times between which a clip's curves are as good as straight, and how far off they are there; `rounding` is what
/// single precision puts any of them off, in metres.
pub(crate) fn curve_times(
    measure: &Measure<'_>,
    clip: &Clip,
    keys: &[f32],
    bound: f32,
    rounding: f32,
) -> Result<(Vec<f32>, f64), PackError> {
    let mut ends = [keys, &jumps(clip), &[0.0, clip.duration]].concat();
    ends.sort_by(f32::total_cmp);
    // `total_cmp` tells zeros apart.
    ends[0] = 0.0;
    ends.dedup();
    let limit = SHARE_OF_CURVES * f64::from(bound) + f64::from(rounding);
    let (mut times, mut worst) = (vec![0.0], 0.0_f64);
    // The next gap is the last.
    let mut gaps: Vec<[f32; 2]> = ends.windows(2).rev().map(|gap| [gap[0], gap[1]]).collect();
    while let Some([start, end]) = gaps.pop() {
        check_size(clip, measure.scene, times.len())?;
        let middle = start.midpoint(end);
        let looks = vec![start, start.midpoint(middle), middle, middle.midpoint(end), end];
        let samples = Samples::new(measure.scene, clip, 0.0, looks)?;
        let error = off_between(measure, &samples, [0, 4], limit);
        if error > limit && start < middle && middle < end {
            gaps.extend([[middle, end], [start, middle]]);
        } else {
            worst = worst.max(error.min(limit));
            times.push(end);
        }
    }
    Ok((times, worst))
}

/// How far off samples are from a straight line from one to another; any number above the limit when that is too much.
fn off_between(measure: &Measure<'_>, samples: &Samples, ends: [usize; 2], limit: f64) -> f64 {
    let [from, to] = ends;
    let far = |node: &[Transform]| node[from].rotation.dot(node[to].rotation).abs() < LEAST_NEAR;
    if to > from + 1 && samples.locals.chunks(samples.frames()).any(far) {
        return f64::INFINITY;
    }
    let (mut worst, mut poses) = (0.0_f64, [measure.pose(), measure.pose()]);
    // The middle first: most lines fail there.
    let middle = from.midpoint(to);
    for at in (middle..to).chain(from + 1..middle) {
        worst = worst.max(measure.off_between(samples, at, ends, &mut poses));
        if worst > limit {
            break;
        }
    }
    worst
}

/// When a value changes at once, and the moment before.
fn jumps(clip: &Clip) -> Vec<f32> {
    let mut jumps = Vec::new();
    each_track(clip, |keys, interpolation| {
        let step = interpolation == Interpolation::Step;
        let pairs = keys.windows(2).filter(|pair| step || pair[0] == pair[1]);
        jumps.extend(pairs.map(|pair| pair[1]));
    });
    jumps.retain(|time| (f32::MIN_POSITIVE..=clip.duration).contains(time));
    jumps.iter().flat_map(|time| [time.next_down(), *time]).collect()
}
