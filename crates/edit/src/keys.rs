//! Any track as rows of numbers, so that one function edits them all.
//!
//! In:  a curve of vectors or rotations, or rows of numbers.
//! Out: times and values in double precision, and the curve again.
//!
//! Keys that an edit leaves alone come back with the same bits.

use std::collections::HashMap;
use std::sync::Arc;

use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{Clip, Curve, Interpolation, Rows};

use crate::segment;

/// The keys of a track.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Keys {
    /// Seconds from the clip's start; never empty, never falling.
    pub(crate) times: Vec<f32>,
    /// One row per key, three for a cubic curve: in-tangent, value, out-tangent.
    pub(crate) values: Vec<f64>,
    /// Numbers in a row.
    pub(crate) width: usize,
    pub(crate) interpolation: Interpolation,
    /// Whether values are unit quaternions, which go the short way round.
    pub(crate) rotates: bool,
}

impl Keys {
    pub(crate) fn len(&self) -> usize {
        self.times.len()
    }

    /// A part of a key: of a cubic one, 0 is the in-tangent, 1 the value, 2 the out-tangent.
    pub(crate) fn part(&self, key: usize, part: usize) -> &[f64] {
        let each = self.interpolation.values_per_key();
        let part = if each == 3 { part } else { 0 };
        &self.values[(key * each + part) * self.width..][..self.width]
    }

    /// The value at a key.
    pub(crate) fn value(&self, key: usize) -> &[f64] {
        self.part(key, 1)
    }

    /// The same kind of track without keys.
    pub(crate) fn empty(&self, interpolation: Interpolation) -> Self {
        Self { times: Vec::new(), values: Vec::new(), interpolation, ..*self }
    }

    /// Adds the key of another track of the same kind and interpolation, with its tangents.
    pub(crate) fn push_key_of(&mut self, from: &Self, key: usize, time: f32) {
        let each = self.interpolation.values_per_key() * self.width;
        self.times.push(time);
        self.values.extend_from_slice(&from.values[key * each..][..each]);
    }

    /// Adds a key; a cubic one has the same tangent on both sides.
    pub(crate) fn push(&mut self, time: f32, value: &[f64], tangent: &[f64]) {
        self.times.push(time);
        let cubic = self.interpolation == Interpolation::Cubic;
        if cubic {
            self.values.extend_from_slice(tangent);
        }
        self.values.extend_from_slice(value);
        if cubic {
            self.values.extend_from_slice(tangent);
        }
    }

    /// The key at or before a time, or `None` outside of the keys. Of keys at one time, the last.
    pub(crate) fn span(&self, time: f32) -> Option<usize> {
        let after = self.times.partition_point(|&key| key <= time);
        (after > 0 && after < self.times.len()).then(|| after - 1)
    }

    /// The value at a time; the ends hold.
    pub(crate) fn at(&self, time: f32, out: &mut [f64]) {
        self.in_span(self.span(time), time, out);
    }

    /// The same at one time after another: `after` begins as 0, and is left at the first key after the time.
    pub(crate) fn at_next(&self, after: &mut usize, time: f32, out: &mut [f64]) {
        while *after < self.times.len() && self.times[*after] <= time {
            *after += 1;
        }
        let inside = *after > 0 && *after < self.times.len();
        self.in_span(inside.then(|| *after - 1), time, out);
    }

    fn in_span(&self, span: Option<usize>, time: f32, out: &mut [f64]) {
        let Some(key) = span else {
            let last = if time < self.times[0] { 0 } else { self.len() - 1 };
            return out.copy_from_slice(self.value(last));
        };
        let from = f64::from(self.times[key]);
        let length = f64::from(self.times[key + 1]) - from;
        let share = (f64::from(time) - from) / length;
        let [a, b] = [self.value(key), self.value(key + 1)];
        if share == 0.0 {
            return out.copy_from_slice(a);
        }
        match self.interpolation {
            Interpolation::Step => out.copy_from_slice(a),
            Interpolation::Linear if self.rotates => segment::slerp(a, b, share, out),
            Interpolation::Linear => segment::lerp(a, b, share, out),
            Interpolation::Cubic => {
                segment::hermite(self.pieces(key), length, share, out);
                if self.rotates {
                    segment::normalize(out);
                }
            }
        }
    }

    /// How fast the value changes at a time, per second; for a cubic curve alone. Of a rotation, how its unit
    /// quaternion changes.
    pub(crate) fn rate(&self, time: f32, out: &mut [f64]) {
        let Some(key) = self.span(time) else { return out.fill(0.0) };
        let from = f64::from(self.times[key]);
        let length = f64::from(self.times[key + 1]) - from;
        let share = (f64::from(time) - from) / length;
        segment::hermite_rate(self.pieces(key), length, share, out);
        if self.rotates {
            let mut value = [0.0; 4];
            segment::hermite(self.pieces(key), length, share, &mut value);
            segment::unit_rate(&value, out);
        }
    }

    /// Value, out-tangent, next in-tangent and next value of the piece after a key.
    pub(crate) fn pieces(&self, key: usize) -> [&[f64]; 4] {
        [self.part(key, 1), self.part(key, 2), self.part(key + 1, 0), self.part(key + 1, 1)]
    }
}

/// Key times by their bits, so that tracks with the same times share them.
#[derive(Debug, Default)]
pub(crate) struct SharedTimes {
    known: HashMap<Vec<u32>, Arc<[f32]>>,
}

impl SharedTimes {
    pub(crate) fn share(&mut self, times: Vec<f32>) -> Arc<[f32]> {
        let bits = times.iter().map(|time| time.to_bits()).collect();
        self.known.entry(bits).or_insert_with(|| times.into()).clone()
    }
}

/// A curve that can be taken apart to rows of numbers and made again.
pub(crate) trait Keyed: Sized {
    fn keys(&self) -> Keys;
    /// `None` when the keys make no curve: no key, or a number that is not finite.
    fn from_keys(keys: Keys, times: &mut SharedTimes) -> Option<Self>;
}

impl Keyed for Curve<Vec3> {
    fn keys(&self) -> Keys {
        let numbers = self.values().iter().flat_map(|value| value.to_array());
        Keys {
            times: self.times().to_vec(),
            values: numbers.map(f64::from).collect(),
            width: 3,
            interpolation: self.interpolation(),
            rotates: false,
        }
    }

    fn from_keys(keys: Keys, times: &mut SharedTimes) -> Option<Self> {
        let (rows, _) = keys.values.as_chunks::<3>();
        let values: Vec<Vec3> =
            rows.iter().map(|row| Vec3::from_array(row.map(|number| number as f32))).collect();
        let finite = values.iter().all(|value| value.is_finite());
        let interpolation = keys.interpolation;
        finite.then(|| Self::new(times.share(keys.times), values, interpolation).ok())?
    }
}

impl Keyed for Curve<Quat> {
    fn keys(&self) -> Keys {
        let numbers = self.values().iter().flat_map(|value| value.to_array());
        Keys {
            times: self.times().to_vec(),
            values: numbers.map(f64::from).collect(),
            width: 4,
            interpolation: self.interpolation(),
            rotates: true,
        }
    }

    fn from_keys(keys: Keys, times: &mut SharedTimes) -> Option<Self> {
        let (rows, _) = keys.values.as_chunks::<4>();
        let values: Vec<Quat> =
            rows.iter().map(|row| Quat::from_array(row.map(|number| number as f32))).collect();
        let finite = values.iter().all(|value| value.is_finite());
        let interpolation = keys.interpolation;
        finite.then(|| Self::new(times.share(keys.times), values, interpolation).ok())?
    }
}

impl Keyed for Rows {
    fn keys(&self) -> Keys {
        Keys {
            times: self.times().to_vec(),
            values: self.values().iter().map(|&number| f64::from(number)).collect(),
            width: self.width(),
            interpolation: self.interpolation(),
            rotates: false,
        }
    }

    fn from_keys(keys: Keys, times: &mut SharedTimes) -> Option<Self> {
        let values: Vec<f32> = keys.values.iter().map(|&number| number as f32).collect();
        let finite = values.iter().all(|value| value.is_finite());
        let Keys { width, interpolation, .. } = keys;
        finite.then(|| Self::new(times.share(keys.times), values, width, interpolation).ok())?
    }
}

/// Edits every track of a clip by one function; equal times are shared afterwards. A track whose edited keys make no
/// curve stays as it was.
pub(crate) fn edit_tracks(clip: &mut Clip, edit: impl Fn(Keys) -> Keys) {
    let mut times = SharedTimes::default();
    fn edit_one<C: Keyed>(curve: &mut C, edit: &impl Fn(Keys) -> Keys, times: &mut SharedTimes) {
        if let Some(edited) = C::from_keys(edit(curve.keys()), times) {
            *curve = edited;
        }
    }
    clip.translations.iter_mut().for_each(|track| edit_one(&mut track.curve, &edit, &mut times));
    clip.rotations.iter_mut().for_each(|track| edit_one(&mut track.curve, &edit, &mut times));
    clip.scales.iter_mut().for_each(|track| edit_one(&mut track.curve, &edit, &mut times));
    clip.weights.iter_mut().for_each(|track| edit_one(&mut track.rows, &edit, &mut times));
    clip.properties.iter_mut().for_each(|track| edit_one(&mut track.rows, &edit, &mut times));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_back_with_the_same_bits() {
        let values = vec![Quat::from_rotation_x(0.3), Quat::from_rotation_y(-2.1)];
        let curve = Curve::new(vec![0.1, 0.7], values, Interpolation::Linear).expect("two keys");
        let mut times = SharedTimes::default();
        assert_eq!(Curve::from_keys(curve.keys(), &mut times), Some(curve));
    }

    #[test]
    fn a_cubic_curve_has_its_value_and_rate_between_keys() {
        // From 0 at 4 m/s to 1 at rest over a second: x(½) = ½ + 4/8 = 1, x'(½) = 1.5 - 4/4 = 0.5.
        let values = vec![Vec3::ZERO, Vec3::ZERO, 4.0 * Vec3::X, Vec3::ZERO, Vec3::X, Vec3::ZERO];
        let curve = Curve::new(vec![0.0, 1.0], values, Interpolation::Cubic).expect("two keys");
        let keys = curve.keys();
        let mut found = [0.0; 3];
        keys.at(0.5, &mut found);
        assert_eq!(found, [1.0, 0.0, 0.0]);
        keys.rate(0.5, &mut found);
        assert_eq!(found, [0.5, 0.0, 0.0]);
    }

    #[test]
    fn outside_of_the_keys_the_ends_hold() {
        let curve = Curve::new(vec![1.0, 2.0], vec![Vec3::X, Vec3::Y], Interpolation::Linear);
        let keys = curve.expect("two keys").keys();
        let mut found = [0.0; 3];
        for (time, expected) in [(0.0, [1.0, 0.0, 0.0]), (3.0, [0.0, 1.0, 0.0])] {
            keys.at(time, &mut found);
            assert_eq!(found, expected, "at {time} s");
        }
    }
}
