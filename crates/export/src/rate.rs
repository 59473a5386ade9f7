//! The frame rate that a clip was made at, read off its keys: formats that count in frames want one.

use sinew_scene::Clip;

/// Rates that motion is made at, the likeliest first.
const RATES: [f64; 10] = [30.0, 24.0, 25.0, 60.0, 50.0, 120.0, 100.0, 90.0, 48.0, 240.0];

/// How far from a whole frame a key may lie, in frames: times are in single precision.
const OFF: f64 = 0.01;

/// The first usual rate at which every key of the clip, and its end, lies on a frame.
pub(crate) fn frame_rate(clip: &Clip) -> Option<f64> {
    let fits = |rate: &f64| {
        clip.all_times().flatten().chain([&clip.duration]).all(|&time| {
            let frames = f64::from(time) * rate;
            (frames - frames.round()).abs() < OFF
        })
    };
    RATES.into_iter().find(fits)
}
