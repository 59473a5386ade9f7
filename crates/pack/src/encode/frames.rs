//! Which times of a clip become frames.
//!
//! In:  the samples of a clip, and the error that is allowed.
//! Out: the few of them from which all others follow by straight lines, where that is worth it.
//!
//! Where the error is stated of the clip's curves, the samples are every key, the last moment before every jump, and
//! as many between them as it takes until a straight line from one to the next is near enough.

use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::{Clip, Interpolation, JointId, Scene, Transform};

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
/// Where between two samples a curve is looked at.
const LOOKS: [f32; 3] = [0.25, 0.5, 0.75];
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
    let limit = SHARE_OF_GAPS * f64::from(bound);
    let mut gaps = Gaps { samples, limit, line: Line::new(measure) };
    let (mut times, mut error) = (vec![0], 0.0_f64);
    while times[times.len() - 1] < last {
        let (next, off) = gaps.farthest(times[times.len() - 1], last);
        times.push(next);
        error = error.max(off);
        if times.len() as f64 > WORTH * samples.frames() as f64 {
            return None;
        }
    }
    Some(Chosen { times, error })
}

struct Gaps<'a> {
    samples: &'a Samples,
    limit: f64,
    line: Line<'a>,
}

impl Gaps<'_> {
    /// The last sample that a straight line from this one leads to within the limit, and how far off it is between.
    fn farthest(&mut self, from: usize, last: usize) -> (usize, f64) {
        let (mut good, mut error) = (from + 1, 0.0);
        let mut bad = last + 1;
        let mut step = 1;
        while bad - good > 1 {
            let next = if bad > last { (good + step).min(last) } else { good.midpoint(bad) };
            match self.error(from, next) {
                Some(off) => {
                    (good, error) = (next, off);
                    step *= 2;
                }
                None => bad = next,
            }
        }
        (good, error)
    }

    /// How far off samples are between two; none when that is too much.
    fn error(&mut self, from: usize, to: usize) -> Option<f64> {
        let samples = self.samples;
        let times = &samples.times;
        let gap = f64::from(times[to]) - f64::from(times[from]);
        let mut worst = 0.0_f64;
        // The middle first: most lines fail there.
        let middle = from.midpoint(to);
        for at in (middle..to).chain(from + 1..middle) {
            let share = (f64::from(times[at]) - f64::from(times[from])) / gap;
            let local = |sample: usize| move |node: usize| samples.local(node, sample);
            let weights = [from, at, to].map(|sample| samples.numbers_at(sample));
            let error = self.line.error([local(from), local(at), local(to)], weights, share);
            if error > self.limit {
                return None;
            }
            worst = worst.max(error);
        }
        Some(worst)
    }
}

/// How far a straight line between two poses is from a third.
struct Line<'a> {
    measure: &'a Measure<'a>,
    poses: [Exact; 2],
}

impl<'a> Line<'a> {
    fn new(measure: &'a Measure<'a>) -> Self {
        Self { measure, poses: [(); 2].map(|()| measure.pose()) }
    }

    /// The poses are at the line's start, at `share` of it, and at its end.
    fn error<L: Fn(usize) -> Transform>(
        &mut self,
        [from, middle, to]: [L; 3],
        weights: [&[f32]; 3],
        share: f64,
    ) -> f64 {
        let [should, found] = &mut self.poses;
        should.set(&middle, weights[1]);
        found.set_between([&from, &to], [weights[0], weights[2]], share, |node| {
            middle(node).rotation
        });
        self.measure.apart(should, found)
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
    let mut curves = Curves {
        scene: measure.scene,
        clip,
        line: Line::new(measure),
        cursor: Cursor::new(),
        limit: SHARE_OF_CURVES * f64::from(bound) + f64::from(rounding),
        found: Chosen { times: vec![0.0], error: 0.0 },
    };
    let mut from = curves.pose(0.0);
    for pair in times.windows(2) {
        let to = curves.pose(pair[1]);
        curves.split([pair[0], pair[1]], [&from, &to])?;
        from = to;
    }
    Ok(curves.found)
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

struct Curves<'a> {
    scene: &'a Scene,
    clip: &'a Clip,
    line: Line<'a>,
    cursor: Cursor,
    limit: f64,
    found: Chosen<f32>,
}

impl Curves<'_> {
    fn pose(&mut self, time: f32) -> Pose {
        let mut pose = Pose::new(self.scene);
        sample(self.clip, time, &mut self.cursor, &mut pose);
        pose
    }

    /// Adds the times between two that are needed, in order, and the second.
    fn split(&mut self, [start, end]: [f32; 2], [from, to]: [&Pose; 2]) -> Result<(), PackError> {
        check_size(self.clip, self.scene.skeleton().len(), self.found.times.len())?;
        let middle = start.midpoint(end);
        let error = self.error([start, end], [from, to]);
        if middle <= start || middle >= end || error <= self.limit {
            self.found.error = self.found.error.max(error.min(self.limit));
            self.found.times.push(end);
            return Ok(());
        }
        let pose = self.pose(middle);
        self.split([start, middle], [from, &pose])?;
        self.split([middle, end], [&pose, to])
    }

    /// How far off the clip is between two times.
    fn error(&mut self, [start, end]: [f32; 2], [from, to]: [&Pose; 2]) -> f64 {
        let ids = || (0..from.len()).map(JointId::new);
        if ids().any(|node| from.rotation(node).dot(to.rotation(node)).abs() < LEAST_NEAR) {
            return f64::INFINITY;
        }
        let mut worst = 0.0_f64;
        for share in LOOKS {
            let time = start + (end - start) * share;
            let middle = self.pose(time);
            let share = f64::from(time - start) / f64::from(end - start);
            let local = |pose| move |node| Pose::local(pose, JointId::new(node));
            let weights = [from, &middle, to].map(Pose::all_weights);
            let error = self.line.error([local(from), local(&middle), local(to)], weights, share);
            worst = worst.max(error);
            if worst > self.limit {
                break;
            }
        }
        worst
    }
}
