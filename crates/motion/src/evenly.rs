//! A clip with keys at even times instead of its own.

use std::sync::Arc;

use sinew_scene::{Clip, Curve, Interpolation, PropertyTrack, Rows, Track, WeightTrack};

use crate::cursor::find;
use crate::interpolate;

/// The most keys of a track: nearly five hours at 60 a second.
const MAX_KEYS: f32 = (1 << 20) as f32;

/// The share of a gap by which a jump may come after an even time and still count as there.
const LATE: f32 = 1e-3;

/// The same clip with about `rate` keys a second, straight between them: what most programs make of
/// curves when they play them. Both ends are keys and all gaps are the same, so the rate is the nearest
/// that ends with the clip: at 30 a second 5.792 s have 174 gaps, which are 30.04. Tracks that hold from
/// key to key have a key at each even time at which they have jumped.
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
    let rate = if rate > 0.0 { rate.min(MAX_KEYS / duration.max(1.0)) } else { 1.0 };
    let times = times(duration, rate);
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
        *rows = resample_rows(rows, &times);
    }
    for PropertyTrack { rows, .. } in &mut even.properties {
        *rows = resample_rows(rows, &times);
    }
    even
}

/// From the start to the end, both included, with gaps that are all the same.
fn times(duration: f32, rate: f32) -> Arc<[f32]> {
    let gaps = if duration > 0.0 { (duration * rate).round().max(1.0) } else { 0.0 };
    let gap = f64::from(duration) / f64::from(gaps.max(1.0));
    (0..=gaps as usize).map(|key| (key as f64 * gap) as f32).collect()
}

/// How keys at even times go on, and when to look for the value of each.
fn looked_at(
    interpolation: Interpolation,
    times: &[f32],
) -> (Interpolation, impl Iterator<Item = f32>) {
    // A jump that lies on an even time but for rounding is not a whole gap late.
    let (kept, after) = match interpolation {
        Interpolation::Step => (Interpolation::Step, LATE * times.get(1).copied().unwrap_or(0.0)),
        _ => (Interpolation::Linear, 0.0),
    };
    (kept, times.iter().map(move |time| time + after))
}

/// The keys of what holds: the first, and each that differs from the one before.
fn jumps<'a, V: PartialEq + ?Sized + 'a>(values: impl Iterator<Item = &'a V>) -> Vec<usize> {
    let mut last = None;
    let jumped = values.enumerate().filter(|(_, value)| last.replace(*value) != Some(*value));
    jumped.map(|(key, _)| key).collect()
}

fn resample<V: Copy + PartialEq>(
    track: &mut Track<V>,
    times: &Arc<[f32]>,
    at: impl Fn(&Curve<V>, f32) -> V,
) {
    let (kept, looked_at) = looked_at(track.curve.interpolation(), times);
    let values: Vec<V> = looked_at.map(|time| at(&track.curve, time)).collect();
    let curve = if kept == Interpolation::Step {
        let keys = jumps(values.iter());
        let at_keys: Vec<f32> = keys.iter().map(|&key| times[key]).collect();
        Curve::new(at_keys, keys.iter().map(|&key| values[key]).collect(), kept)
    } else {
        Curve::new(times.clone(), values, kept)
    };
    // Times that rise, a value for each: always a curve.
    if let Ok(curve) = curve {
        track.curve = curve;
    }
}

fn resample_rows(rows: &Rows, times: &Arc<[f32]>) -> Rows {
    let width = rows.width();
    let mut values = vec![0.0; times.len() * width];
    let (kept, looked_at) = looked_at(rows.interpolation(), times);
    for (time, out) in looked_at.zip(values.chunks_mut(width.max(1))) {
        interpolate::row(rows, find(rows.times(), time), out);
    }
    let made = if kept == Interpolation::Step {
        let keys = jumps(values.chunks(width.max(1)));
        let at_keys: Vec<f32> = keys.iter().map(|&key| times[key]).collect();
        let row = |key: &usize| values[key * width..(key + 1) * width].iter().copied();
        Rows::new(at_keys, keys.iter().flat_map(row).collect(), width, kept)
    } else {
        Rows::new(times.clone(), values, width, kept)
    };
    made.unwrap_or_else(|_| rows.clone())
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
        let rotations = vec![Quat::IDENTITY, Quat::from_rotation_z(1.0)];
        let rotations =
            Curve::new(vec![0.0, 1.0], rotations, Interpolation::Linear).expect("two keys");
        let joint = JointId::new(0);
        let rows = Rows::new(vec![0.0, 1.0], vec![0.0, 2.0], 1, Interpolation::Linear);
        let rows = rows.expect("two rows");
        Clip {
            duration: 1.0,
            translations: vec![Track { joint, curve }],
            rotations: vec![Track { joint, curve: rotations }],
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

    fn close(found: &[f32], expected: &[f32]) {
        let off = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(found.len() == expected.len() && off < 1e-6, "{found:?}, not {expected:?}");
    }

    #[test]
    fn both_ends_are_keys_and_all_gaps_are_the_same() {
        // 4.4 gaps are nearest to 4, of 0.275 s each; 4.6 to 5, of 0.23 s.
        for (duration, expected) in [
            (1.1, &[0.0, 0.275, 0.55, 0.825, 1.1][..]),
            (1.15, &[0.0, 0.23, 0.46, 0.69, 0.92, 1.15]),
            (0.01, &[0.0, 0.01]),
        ] {
            let long = Clip { duration, ..clip(Interpolation::Linear) };
            let even = evenly(&long, 4.0);
            close(even.rotations[0].curve.times(), expected);
            assert_eq!(even.rotations[0].curve.times().last(), Some(&duration));
        }
        let bob = Clip { duration: 139.0 / 24.0, ..clip(Interpolation::Linear) };
        assert_eq!(evenly(&bob, 30.0).rotations[0].curve.times().len(), 175);
    }

    #[test]
    fn what_holds_jumps_at_even_times_and_has_no_other_keys() {
        let mut steps = clip(Interpolation::Linear);
        let values = vec![Vec3::ZERO, Vec3::X, 2.0 * Vec3::X, 3.0 * Vec3::X];
        // One between even times, one a rounding after ½, one that no even time sees.
        let times = vec![0.0, 0.3, 0.500_001, 0.98];
        let curve = Curve::new(times.clone(), values, Interpolation::Step).expect("four keys");
        steps.translations[0].curve = curve;
        let rows = Rows::new(times, vec![0.0, 1.0, 2.0, 3.0], 1, Interpolation::Step);
        steps.weights[0].rows = rows.expect("four rows");
        let even = evenly(&steps, 4.0);
        let moves = &even.translations[0].curve;
        close(moves.times(), &[0.0, 0.5, 1.0]);
        let found: Vec<f32> = moves.values().iter().map(|value| value.x).collect();
        assert_eq!(found, [0.0, 2.0, 3.0]);
        assert_eq!(moves.interpolation(), Interpolation::Step);
        let rows = &even.weights[0].rows;
        close(rows.times(), &[0.0, 0.5, 1.0]);
        assert_eq!((rows.row(1), rows.row(2)), (&[2.0][..], &[3.0][..]));
        assert_eq!(rows.interpolation(), Interpolation::Step);
    }

    #[test]
    fn rates_and_lengths_that_make_no_sense_give_few_keys() {
        for (rate, duration, expected) in
            [(f32::NAN, 1.0, 2), (-1.0, 1.0, 2), (30.0, 0.0, 1), (30.0, f32::NAN, 1)]
        {
            let strange = Clip { duration, ..clip(Interpolation::Linear) };
            let keys = evenly(&strange, rate).rotations[0].curve.times().len();
            assert_eq!(keys, expected, "keys at {rate} for {duration}");
        }
    }
}
