//! How often frames may be: the rates and phases that are worth a try.
//!
//! In:  a clip's length, its keys, and its steps.
//! Out: beats, few frames first, from the keys' own rate down and up.

use sinew_scene::Clip;

use crate::clock::PHASES;

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

/// How often there are frames or gaps, and how far before the start the first is, in parts of a gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Beat {
    pub(crate) rate: f32,
    pub(crate) phase: u16,
}

/// How many frames a second may do, few first: the keys' own rate and its parts, then more.
pub(crate) fn beats(clip: &Clip, keys: &[f32], steps: &[f32]) -> Vec<Beat> {
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
pub(crate) fn whole(rate: f32, duration: f32) -> f32 {
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
