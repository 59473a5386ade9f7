//! When two clips are compared: at every key of both, and evenly in between.
//!
//! In:  two clips and a rate.
//! Out: moments in order, up to the end of the shorter clip.
//!
//! Moments that lie within rounding of each other become one, the last of them: two files that hold a value up to the
//! same frame then both have jumped, or neither.

use sinew_scene::Clip;

/// Seconds within which two times are one.
const SAME: f64 = 1e-5;
/// The most moments that are evenly spaced; a longer clip is sampled less often.
const MAX_EVEN: f64 = (1 << 20) as f64;

/// A moment of both clips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Moment {
    /// Seconds from the start of each clip.
    pub(crate) time: f32,
    /// Whether it is one of those that are evenly spaced: speeds are measured between these.
    pub(crate) even: bool,
}

/// The seconds that both clips last.
pub(crate) fn common(a: &Clip, b: &Clip) -> f32 {
    a.duration.min(b.duration)
}

/// Moments from the start to the end of the shorter clip.
pub(crate) fn moments(a: &Clip, b: &Clip, rate: f64) -> Vec<Moment> {
    let end = common(a, b);
    let rate = rate.min(MAX_EVEN / f64::from(end).max(1.0));
    let steps = (f64::from(end) * rate + 1e-6).floor() as usize;
    let even = (0..=steps).map(|step| (step as f64 / rate).min(f64::from(end)) as f32);
    let mut found: Vec<Moment> = even.map(|time| Moment { time, even: true }).collect();
    let mut keys = key_times(a, end);
    keys.extend(key_times(b, end));
    keys.push(end);
    found.extend(keys.into_iter().map(|time| Moment { time, even: false }));
    found.sort_by(|a, b| a.time.total_cmp(&b.time));
    join(&found)
}

/// The key times of all tracks, from the start to `end`.
fn key_times(clip: &Clip, end: f32) -> Vec<f32> {
    let mut times = Vec::new();
    let mut last: *const f32 = std::ptr::null();
    for keys in clip.all_times() {
        // Most tracks of a file share their times.
        if keys.as_ptr() != last {
            times.extend(keys.iter().copied().filter(|time| (0.0..=end).contains(time)));
            last = keys.as_ptr();
        }
    }
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}

/// Makes one of moments that are the same within rounding.
fn join(moments: &[Moment]) -> Vec<Moment> {
    let mut joined: Vec<Moment> = Vec::with_capacity(moments.len());
    let mut first = f64::NEG_INFINITY;
    for moment in moments {
        let time = f64::from(moment.time);
        let same = SAME.max(4.0 * f64::from(f32::EPSILON) * time);
        match joined.last_mut() {
            Some(last) if time - first <= same => {
                *last = Moment { time: moment.time, even: last.even || moment.even };
            }
            _ => {
                first = time;
                joined.push(*moment);
            }
        }
    }
    joined
}

/// Every so many of the moments, with the first and the last: at most `most` of them, or two.
pub(crate) fn thin(moments: Vec<Moment>, most: usize) -> Vec<Moment> {
    let most = most.max(2);
    if moments.len() <= most {
        return moments;
    }
    let last = moments.len() - 1;
    let chosen = (0..most).map(|at| (at as u128 * last as u128 / (most as u128 - 1)) as usize);
    chosen.map(|at| Moment { even: true, ..moments[at] }).collect()
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::Vec3;
    use sinew_scene::{Curve, Interpolation, JointId, Track};

    use super::*;

    fn clip(times: &[f32], duration: f32) -> Clip {
        let values = vec![Vec3::ZERO; times.len()];
        let curve = Curve::new(times.to_vec(), values, Interpolation::Linear).expect("keys");
        let translations = vec![Track { joint: JointId::new(0), curve }];
        Clip { duration, translations, ..Clip::default() }
    }

    fn times(moments: &[Moment]) -> Vec<f32> {
        moments.iter().map(|moment| moment.time).collect()
    }

    #[test]
    fn keys_of_both_and_an_even_rate_up_to_the_shorter_end() {
        let found = moments(&clip(&[0.0, 0.3, 1.0], 1.0), &clip(&[0.1, 0.9], 0.6), 2.0);
        assert_eq!(times(&found), [0.0, 0.1, 0.3, 0.5, 0.6]);
        let even: Vec<bool> = found.iter().map(|moment| moment.even).collect();
        assert_eq!(even, [true, false, false, true, false]);
    }

    #[test]
    fn times_within_rounding_are_one_and_the_last_of_them() {
        let later = 0.5_f32.next_up();
        let found = moments(&clip(&[0.0, 0.5], 1.0), &clip(&[later], 1.0), 2.0);
        assert_eq!(times(&found), [0.0, later, 1.0]);
        assert!(found[1].even);
    }

    #[test]
    fn a_still_clip_has_one_moment() {
        assert_eq!(times(&moments(&clip(&[0.0], 0.0), &clip(&[0.0], 2.0), 60.0)), [0.0]);
    }

    #[test]
    fn thinned_moments_keep_both_ends() {
        let all = moments(&clip(&[0.0], 1.0), &clip(&[0.0], 1.0), 100.0);
        let found = thin(all, 5);
        assert_eq!(times(&found), [0.0, 0.25, 0.5, 0.75, 1.0]);
    }
}
