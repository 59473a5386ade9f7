//! A clip with keys at even times instead of its own.

use std::sync::Arc;

use sinew_scene::{Clip, Curve, Interpolation, PropertyTrack, Rows, Track, WeightTrack};

use crate::cursor::find;
use crate::interpolate;

/// The most keys of a track: nearly five hours at 60 a second.
const MOST: f32 = (1 << 20) as f32;

/// The same clip with `rate` keys a second, straight between them: what most programs make of curves
/// when they play them. Tracks that hold from key to key keep their own keys.
///
/// ```
/// use sinew_motion::evenly;
/// # use sinew_scene::{Clip, Curve, Interpolation, JointId, Track, glam::Vec3};
/// # let values = vec![Vec3::ZERO, Vec3::ZERO, Vec3::X, Vec3::X, Vec3::X, Vec3::ZERO];
/// # let curve = Curve::new(vec![0.0, 1.0], values, Interpolation::Cubic).unwrap();
/// # let clip = Clip { duration: 1.0, translations: vec![Track { joint: JointId::new(0), curve }], ..Clip::default() };
/// let even = evenly(&clip, 30.0);
/// assert_eq!(even.translations[0].curve.times().len(), 31);
/// assert_eq!(even.translations[0].curve.interpolation(), Interpolation::Linear);
/// ```
#[must_use]
pub fn evenly(clip: &Clip, rate: f32) -> Clip {
    let duration = if clip.duration.is_finite() { clip.duration.max(0.0) } else { 0.0 };
    let rate = if rate > 0.0 { rate.min(MOST / duration.max(1.0)) } else { 1.0 };
    let last = (duration * rate - 1e-3).ceil().max(0.0) as usize;
    let times: Arc<[f32]> = (0..=last).map(|key| (key as f32 / rate).min(duration)).collect();
    let held = |interpolation| interpolation == Interpolation::Step;
    let mut even = clip.clone();
    for track in &mut even.translations {
        resample(track, &times, |curve, time| {
            interpolate::vector(curve, find(curve.times(), time))
        });
    }
    for track in &mut even.scales {
        resample(track, &times, |curve, time| {
            interpolate::vector(curve, find(curve.times(), time))
        });
    }
    for track in &mut even.rotations {
        resample(track, &times, |curve, time| {
            interpolate::rotation(curve, find(curve.times(), time))
        });
    }
    for WeightTrack { rows, .. } in &mut even.weights {
        if !held(rows.interpolation()) {
            *rows = resample_rows(rows, &times);
        }
    }
    for PropertyTrack { rows, .. } in &mut even.properties {
        if !held(rows.interpolation()) {
            *rows = resample_rows(rows, &times);
        }
    }
    even
}

fn resample<V>(track: &mut Track<V>, times: &Arc<[f32]>, at: impl Fn(&Curve<V>, f32) -> V) {
    if track.curve.interpolation() == Interpolation::Step {
        return;
    }
    let values = times.iter().map(|&time| at(&track.curve, time)).collect();
    // Times that rise, a value for each: always a curve.
    if let Ok(curve) = Curve::new(times.clone(), values, Interpolation::Linear) {
        track.curve = curve;
    }
}

fn resample_rows(rows: &Rows, times: &Arc<[f32]>) -> Rows {
    let width = rows.width();
    let mut values = vec![0.0; times.len() * width];
    for (time, out) in times.iter().zip(values.chunks_mut(width.max(1))) {
        interpolate::row(rows, find(rows.times(), *time), out);
    }
    Rows::new(times.clone(), values, width, Interpolation::Linear).unwrap_or_else(|_| rows.clone())
}

#[cfg(test)]
mod tests {
    use sinew_scene::JointId;
    use sinew_scene::glam::{Quat, Vec3};

    use super::*;

    fn clip(interpolation: Interpolation) -> Clip {
        let values = match interpolation {
            // Leaves at 4 m/s, arrives at rest: x(½) = ½ + 4/8 = 1.
            Interpolation::Cubic => {
                vec![Vec3::ZERO, Vec3::ZERO, 4.0 * Vec3::X, Vec3::ZERO, Vec3::X, Vec3::ZERO]
            }
            _ => vec![Vec3::ZERO, Vec3::X],
        };
        let curve = Curve::new(vec![0.0, 1.0], values, interpolation).expect("two keys");
        let turns = vec![Quat::IDENTITY, Quat::from_rotation_z(1.0)];
        let turns = Curve::new(vec![0.0, 1.0], turns, Interpolation::Linear).expect("two keys");
        let joint = JointId::new(0);
        let rows = Rows::new(vec![0.0, 1.0], vec![0.0, 2.0], 1, Interpolation::Linear);
        let rows = rows.expect("two rows");
        Clip {
            duration: 1.0,
            translations: vec![Track { joint, curve }],
            rotations: vec![Track { joint, curve: turns }],
            weights: vec![WeightTrack { instance: sinew_scene::InstanceId::new(0), rows }],
            ..Clip::default()
        }
    }

    #[test]
    fn even_keys_lie_on_the_curve() {
        let even = evenly(&clip(Interpolation::Cubic), 4.0);
        let moves = &even.translations[0].curve;
        assert_eq!(moves.times()[..], [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!((moves.values()[2].x, moves.values()[4].x), (1.0, 1.0));
        let angle = even.rotations[0].curve.values()[1].to_axis_angle().1;
        assert!((angle - 0.25).abs() < 1e-6, "{angle}");
        assert_eq!(even.weights[0].rows.row(3), [1.5]);
    }

    #[test]
    fn the_end_is_a_key_and_steps_stay() {
        let mut long = clip(Interpolation::Step);
        long.duration = 1.1;
        let even = evenly(&long, 4.0);
        assert_eq!(even.rotations[0].curve.times()[..], [0.0, 0.25, 0.5, 0.75, 1.0, 1.1]);
        assert_eq!(even.translations, long.translations);
    }

    #[test]
    fn rates_and_lengths_that_make_no_sense_give_few_keys() {
        for (rate, duration) in [(f32::NAN, 1.0), (-1.0, 1.0), (30.0, 0.0), (30.0, f32::NAN)] {
            let strange = Clip { duration, ..clip(Interpolation::Linear) };
            let keys = evenly(&strange, rate).rotations[0].curve.times().len();
            assert!((1..=2).contains(&keys), "{keys} keys at {rate} for {duration}");
        }
    }
}
