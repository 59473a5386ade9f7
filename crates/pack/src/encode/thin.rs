//! Fewer frames where a clip moves evenly enough between them.
//!
//! In:  the samples of a clip, and the error that is allowed.
//! Out: a lower rate whose frames keep all samples within a share of that error, if there is one.
//!
//! The samples stay what the error is stated of; every one of them is looked at.

use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::{Clip, Scene};

use super::measure::Measure;
use super::samples::Samples;

/// The share of the bound that leaving out frames may take.
const SHARE_OF_THINNING: f64 = 0.45;
/// How many times fewer frames are tried.
const FACTORS: [f64; 14] =
    [32.0, 24.0, 20.0, 16.0, 12.0, 10.0, 8.0, 6.0, 5.0, 4.0, 3.0, 2.5, 2.0, 1.5];
/// Gaps that are looked at first: most rates fail there.
const FIRST_LOOKS: usize = 16;

/// Frames a second, how many frames, and how far off the samples are by that.
pub(crate) fn thinned(
    scene: &Scene,
    clip: &Clip,
    measure: &Measure<'_>,
    samples: &Samples,
    bound: f32,
) -> Option<(f64, usize, f64)> {
    let mut thin = Thin {
        clip,
        measure,
        samples,
        limit: SHARE_OF_THINNING * f64::from(bound),
        cursor: Cursor::new(),
        poses: [(); 3].map(|()| Pose::new(scene)),
    };
    let all = samples.frames() - 1;
    let mut last = 0;
    for factor in FACTORS {
        let gaps = (all as f64 / factor).round() as usize;
        if gaps > last {
            last = gaps;
            if let Some(error) = thin.error(gaps) {
                return Some((gaps as f64 / f64::from(clip.duration), gaps + 1, error));
            }
        }
    }
    None
}

struct Thin<'a> {
    clip: &'a Clip,
    measure: &'a Measure<'a>,
    samples: &'a Samples,
    limit: f64,
    cursor: Cursor,
    poses: [Pose; 3],
}

impl Thin<'_> {
    /// How far off samples are between so many gaps; none when that is too much.
    fn error(&mut self, gaps: usize) -> Option<f64> {
        let stride = gaps.div_ceil(FIRST_LOOKS);
        let mut worst = 0.0_f64;
        for first in 0..stride {
            for gap in (first..gaps).step_by(stride) {
                worst = worst.max(self.gap_error(gap, gaps)?);
            }
        }
        Some(worst)
    }

    fn gap_error(&mut self, gap: usize, gaps: usize) -> Option<f64> {
        let rate = gaps as f64 / f64::from(self.clip.duration);
        let [start, end] = [gap, gap + 1].map(|frame| (frame as f64 / rate) as f32);
        let times = &self.samples.times;
        let within =
            times.partition_point(|time| *time <= start)..times.partition_point(|time| *time < end);
        let [from, middle, to] = &mut self.poses;
        sample(self.clip, start, &mut self.cursor, from);
        sample(self.clip, end, &mut self.cursor, to);
        let mut worst = 0.0_f64;
        for &time in &times[within] {
            sample(self.clip, time, &mut self.cursor, middle);
            let share = f64::from(time - start) / f64::from(end - start);
            let error = self.measure.straight([from, middle, to], share);
            if error > self.limit {
                return None;
            }
            worst = worst.max(error);
        }
        Some(worst)
    }
}
