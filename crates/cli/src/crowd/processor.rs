//! A crowd on the processor: posed by all cores, with levels of detail and a checksum.
//!
//! In:  a cast and its sampled clips.
//! Out: everyone's matrices, and numbers about them.

use std::ops::Range;
use std::time::{Duration, Instant};

use sinew::Scene;
use sinew::crowd::{Crowd, Detail};
use sinew::motion::SampledClip;

use super::cast::Cast;
use super::report::LevelRow;

/// Seconds from a frame to the next.
const FRAME: f32 = 1.0 / 60.0;
/// Frames over which levels of detail are measured.
const FRAMES: usize = 60;
/// How long poses are timed at least.
const PATIENCE: Duration = Duration::from_millis(200);

/// A crowd as it was cast.
pub(crate) fn crowd(scene: &Scene, sampled_clips: &[SampledClip], cast: &Cast) -> Crowd {
    let mut crowd = Crowd::new(scene.skeleton(), sampled_clips.to_vec());
    crowd.resize(cast.parts.len());
    crowd.states_mut().copy_from_slice(&cast.parts);
    crowd
}

/// Which characters of a crowd in line have which level: as many each. Eight neighbours share a level.
pub(crate) fn shares(count: usize, levels: usize) -> Vec<Range<usize>> {
    let end = |level: usize| match level == levels {
        true => count,
        false => (count * level / levels).next_multiple_of(8).min(count),
    };
    (0..levels).map(|level| end(level)..end(level + 1)).collect()
}

pub(crate) fn set_levels(crowd: &mut Crowd, details: &[Detail]) {
    crowd.set_details(details);
    for (level, range) in shares(crowd.len(), details.len()).into_iter().enumerate() {
        crowd.levels_mut()[range].fill(level.min(255) as u8);
    }
}

/// Milliseconds for a frame: the fastest of several rounds, each of so many frames that everyone had a turn.
pub(crate) fn pose_ms(crowd: &mut Crowd, round: u32) -> f64 {
    let (begun, mut best) = (Instant::now(), f64::INFINITY);
    loop {
        let start = Instant::now();
        for _ in 0..round {
            crowd.pose();
        }
        best = best.min(start.elapsed().as_secs_f64() * 1e3 / f64::from(round));
        if begun.elapsed() > PATIENCE {
            return best;
        }
    }
}

/// What each level leaves out, and how far off that makes anybody: as stated, and as seen beside a crowd at full detail.
pub(crate) fn measure(coarse: &mut Crowd, exact: &mut Crowd, details: &[Detail]) -> Vec<LevelRow> {
    let shares = shares(coarse.len(), details.len());
    let mut seen = vec![0.0_f32; details.len()];
    for _ in 0..FRAMES {
        for crowd in [&mut *coarse, &mut *exact] {
            crowd.advance(FRAME);
            crowd.pose();
        }
        for (seen, range) in seen.iter_mut().zip(&shares) {
            *seen = seen.max(coarse.farthest_from(exact, range.clone()));
        }
    }
    let rows = details.iter().zip(shares).zip(seen).enumerate();
    rows.map(|(level, ((detail, range), seen))| LevelRow {
        every: detail.every,
        reach: detail.reach,
        characters: range.len(),
        joints_moved: coarse.joints_moved(level),
        error_mm: f64::from(coarse.error_of(level, FRAME)) * 1e3,
        measured_mm: f64::from(seen) * 1e3,
    })
    .collect()
}

/// A checksum of all matrices, character after character as they were cast: FNV-1a, 64 wide, over four bytes at a time.
pub(crate) fn checksum(crowd: &Crowd, seeds: &[usize]) -> u64 {
    let joints = crowd.models().len() / crowd.len().max(1);
    let mut order: Vec<usize> = (0..seeds.len()).collect();
    order.sort_unstable_by_key(|at| seeds[*at]);
    let matrices = order.iter().flat_map(|at| &crowd.models()[at * joints..(at + 1) * joints]);
    matrices.flatten().flatten().fold(0xcbf2_9ce4_8422_2325, |sum, number| {
        (sum ^ u64::from(number.to_bits())).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_as_many_and_no_eight_are_divided() {
        assert_eq!(shares(100, 3), [0..40, 40..72, 72..100]);
        assert_eq!(shares(5, 2), [0..5, 5..5]);
        assert_eq!(shares(7, 1).first(), Some(&(0..7)));
    }
}
