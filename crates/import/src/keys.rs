//! A key for every frame, as captured and exported motion has it.
#![allow(dead_code, reason = "each format uses its own few of these")]

use std::sync::Arc;

use sinew_scene::{Curve, Interpolation};

use crate::{ImportError, Place};

/// When each of `frames` frames is, in seconds. A frame's number times its length is rounded once.
pub(crate) fn frame_times(
    frames: usize,
    seconds_each: f64,
    place: &Place,
) -> Result<Arc<[f32]>, ImportError> {
    #[allow(clippy::cast_precision_loss, reason = "a frame's number is exact in a double")]
    #[allow(clippy::cast_possible_truncation, reason = "rounding is meant")]
    let time = |frame: usize| (frame as f64 * seconds_each) as f32;
    if frames > 0 && !time(frames - 1).is_finite() {
        let text = format!(
            "{frames} frames of {seconds_each} s take longer than a clock in single precision reaches"
        );
        return Err(ImportError::out_of_range(place.clone(), text));
    }
    Ok((0..frames).map(time).collect())
}

/// A linear curve with a key per frame, or with a single one when nothing changes.
pub(crate) fn curve<V: PartialEq + Copy>(
    times: &Arc<[f32]>,
    keys: Vec<V>,
    place: &Place,
) -> Result<Curve<V>, ImportError> {
    match keys.as_slice() {
        [first, rest @ ..] if rest.iter().all(|key| key == first) => Ok(Curve::constant(*first)),
        _ => Curve::new(times.clone(), keys, Interpolation::Linear)
            .map_err(|text| ImportError::malformed(place.clone(), text)),
    }
}
