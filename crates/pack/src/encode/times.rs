//! When frames are.
//!
//! In:  a clip, and the rate that was asked for, if any.
//! Out: frame times: at one rate from the clip's start to its end.
//!
//! A clip whose keys lie on an even grid keeps that grid: between linear keys nothing is lost then. Curves are
//! sampled at the multiple of the grid that is nearest to 30 Hz, everything else at 30 Hz. The rate is always the
//! nearest that ends with the clip: 1.16667 s at 30 Hz have 35 gaps.

use sinew_scene::{Clip, Interpolation, Scene};

use super::samples::check_size;
use crate::PackError;

/// Frames a second where a clip has no grid of its own.
pub(crate) const DEFAULT_RATE: f64 = 30.0;
/// The highest rate that is taken from a clip's keys.
const MAX_OWN_RATE: f64 = 120.5;
/// Rates that keys are tried against when their smallest gap is not one.
const USUAL_RATES: [f64; 5] = [30.0, 60.0, 24.0, 25.0, 120.0];
/// How far from the grid a key may be, in gaps.
const OFF_GRID: f64 = 0.01;

/// Every time at which a track has a key, in order, within the clip.
pub(crate) fn key_times(clip: &Clip) -> Vec<f32> {
    let mut times = Vec::new();
    let mut last: *const f32 = std::ptr::null();
    each_track(clip, |keys, _| {
        // Most tracks of a file share their times.
        if keys.as_ptr() != last {
            times.extend(keys.iter().filter(|time| (0.0..=clip.duration).contains(*time)));
            last = keys.as_ptr();
        }
    });
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}

pub(crate) fn each_track(clip: &Clip, mut take: impl FnMut(&[f32], Interpolation)) {
    for track in &clip.rotations {
        take(track.curve.times(), track.curve.interpolation());
    }
    for track in clip.translations.iter().chain(&clip.scales) {
        take(track.curve.times(), track.curve.interpolation());
    }
    let weights = clip.weights.iter().map(|track| &track.rows);
    for rows in weights.chain(clip.properties.iter().map(|track| &track.rows)) {
        take(rows.times(), rows.interpolation());
    }
}

/// Frames a second, and how many there are.
pub(crate) fn uniform(
    scene: &Scene,
    clip: &Clip,
    asked: Option<f32>,
    keys: &[f32],
) -> Result<(f64, usize), PackError> {
    let wanted = asked.map_or_else(|| usual_rate(clip, keys), f64::from);
    let duration = f64::from(clip.duration);
    if duration == 0.0 {
        return Ok((wanted, 1));
    }
    let gaps = (duration * wanted).round().max(1.0);
    check_size(clip, scene, (gaps as usize).saturating_add(1))?;
    Ok((gaps / duration, gaps as usize + 1))
}

/// The rate that is nearest to how the clip was made.
fn usual_rate(clip: &Clip, keys: &[f32]) -> f64 {
    let Some(grid) = grid(keys, f64::from(clip.duration)) else { return DEFAULT_RATE };
    let mut curved = false;
    each_track(clip, |keys, interpolation| {
        curved |= interpolation == Interpolation::Cubic && keys.len() > 1;
    });
    if curved { grid * (DEFAULT_RATE / grid).round().max(1.0) } else { grid }
}

/// The lowest rate at which every key is at a frame, if there is one.
fn grid(keys: &[f32], duration: f64) -> Option<f64> {
    let gaps = keys.windows(2).map(|pair| f64::from(pair[1] - pair[0]));
    let least = gaps.filter(|gap| *gap > 0.5 / MAX_OWN_RATE).fold(f64::INFINITY, f64::min);
    let own = (duration / least).round() / duration;
    std::iter::once(own).chain(USUAL_RATES).find(|&rate| {
        let on_grid = |time: f64| (time * rate - (time * rate).round()).abs() < OFF_GRID;
        rate.is_finite()
            && rate > 0.0
            && rate <= MAX_OWN_RATE
            && on_grid(duration)
            && keys.iter().all(|&key| on_grid(f64::from(key)))
    })
}
