//! Frames where a clip's curves need them, for who wants the curves themselves.
//!
//! In:  a clip, and the error that is allowed.
//! Out: frame times: every key, the last moment before every jump, and between them as many as it takes until a
//! straight line from frame to frame is near enough.

use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::{Clip, Interpolation, JointId, Scene};

use super::measure::Measure;
use super::samples::check_size;
use super::times::{each_track, key_times};
use crate::PackError;

/// The share of the bound that straight lines between frames may take.
pub(crate) const SHARE_OF_CURVES: f32 = 0.4;
/// Where between two frames it is looked.
const LOOKS: [f32; 3] = [0.25, 0.5, 0.75];
/// The cosine of half the largest angle between two frames: farther apart there may be no short way.
const LEAST_NEAR: f32 = 0.7;
/// Seconds between which no frame is put.
const LEAST_GAP: f32 = 2e-5;

pub(crate) fn curve_times(
    scene: &Scene,
    clip: &Clip,
    measure: &Measure<'_>,
    bound: f32,
) -> Result<Vec<f32>, PackError> {
    let mut times = key_times(clip);
    times.extend([0.0, clip.duration]);
    times.extend(jumps(clip).into_iter().map(f32::next_down));
    times.retain(|time| (0.0..=clip.duration).contains(time));
    times.sort_by(f32::total_cmp);
    times.dedup();
    // `total_cmp` tells zeros apart.
    times[0] = 0.0;
    let mut gaps = Gaps { clip, measure, cursor: Cursor::new(), limit: SHARE_OF_CURVES * bound };
    let mut all = vec![times[0]];
    let mut from = gaps.pose(scene, times[0]);
    for pair in times.windows(2).filter(|pair| pair[0] < pair[1]) {
        let to = gaps.pose(scene, pair[1]);
        gaps.split(scene, [pair[0], pair[1]], [&from, &to], &mut all)?;
        all.push(pair[1]);
        check_size(clip, scene.skeleton().len(), all.len())?;
        from = to;
    }
    Ok(all)
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
    jumps.sort_by(f32::total_cmp);
    jumps.dedup();
    jumps
}

struct Gaps<'a> {
    clip: &'a Clip,
    measure: &'a Measure<'a>,
    cursor: Cursor,
    limit: f32,
}

impl Gaps<'_> {
    fn pose(&mut self, scene: &Scene, time: f32) -> Pose {
        let mut pose = Pose::new(scene);
        sample(self.clip, time, &mut self.cursor, &mut pose);
        pose
    }

    /// Adds the times between two frames that are needed, in order.
    fn split(
        &mut self,
        scene: &Scene,
        [start, end]: [f32; 2],
        [from, to]: [&Pose; 2],
        all: &mut Vec<f32>,
    ) -> Result<(), PackError> {
        check_size(self.clip, scene.skeleton().len(), all.len())?;
        if end - start < LEAST_GAP {
            return Ok(());
        }
        let limit = f64::from(self.limit);
        let turns_over = (0..from.len())
            .map(JointId::new)
            .any(|node| from.rotation(node).dot(to.rotation(node)).abs() < LEAST_NEAR);
        let bends = turns_over
            || LOOKS.into_iter().any(|share| {
                let time = start + (end - start) * share;
                let pose = self.pose(scene, time);
                let share = f64::from(time - start) / f64::from(end - start);
                self.measure.straight([from, &pose, to], share) > limit
            });
        if bends {
            let middle = start.midpoint(end);
            let pose = self.pose(scene, middle);
            self.split(scene, [start, middle], [from, &pose], all)?;
            all.push(middle);
            self.split(scene, [middle, end], [&pose, to], all)?;
        }
        Ok(())
    }
}
