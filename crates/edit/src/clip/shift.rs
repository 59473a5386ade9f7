//! A clip that begins with its first key.

use sinew_scene::Clip;

use crate::cut;

/// The clip without what comes before its first key: many exporters count frames from 1, and leave a frame of nothing.
/// Gives back the seconds that were taken off beside it.
#[must_use]
pub fn shift_start(clip: &Clip) -> (Clip, f32) {
    let moving = clip.all_times().filter(|times| times.len() > 1);
    let first = moving.filter_map(|times| times.first().copied()).fold(f32::INFINITY, f32::min);
    if first > 0.0
        && first < clip.duration
        && let Ok(part) = cut(clip, first, clip.duration)
    {
        return (part, first);
    }
    (clip.clone(), 0.0)
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::Vec3;
    use sinew_scene::{Curve, Interpolation, JointId, Track};

    use super::*;

    #[test]
    fn the_first_key_comes_to_the_start() {
        let track = |times: &[f32]| {
            let values = vec![Vec3::ZERO, Vec3::X];
            let curve = Curve::new(times, values, Interpolation::Linear).expect("two keys");
            Track { joint: JointId::new(0), curve }
        };
        let translations = vec![track(&[0.25, 1.0]), track(&[0.5, 1.0])];
        let clip = Clip { duration: 1.0, translations, ..Clip::default() };
        let (shifted, by) = shift_start(&clip);
        assert_eq!((by, shifted.duration, shifted.start), (0.25, 0.75, 0.25));
        assert_eq!(shifted.translations[0].curve.times()[..], [0.0, 0.75]);
        assert_eq!(shifted.translations[1].curve.times()[..], [0.25, 0.75]);
        assert_eq!(shift_start(&shifted), (shifted.clone(), 0.0));
    }
}
