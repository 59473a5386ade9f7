//! A track at the times at which it is held to its curve, and how far off a value is there.
//!
//! In:  the keys of a track, and what its error does to the skin.
//! Out: samples: every key, and between the keys of a bent curve a few times more.
//!
//! A straight track differs most from another straight one at keys, so its samples are its keys.

use sinew_scene::Interpolation;

use crate::keys::Keys;
use crate::segment::{self, Arc};

/// Samples between two keys of a cubic curve.
const BETWEEN: usize = 3;

/// What an error of a value does to the skin.
#[derive(Clone, Debug)]
pub(super) enum Weighting {
    /// Metres for the length of the difference.
    Length(f64),
    /// Metres a radian.
    Angle(f64),
    /// Metres for a difference of each number; their sum counts.
    Each(Vec<f64>),
}

impl Weighting {
    /// Metres between two values.
    pub(super) fn apart(&self, a: &[f64], b: &[f64]) -> f64 {
        match self {
            Self::Length(metres) => metres * squares(a, b, 1.0).sqrt(),
            // The chord of unit quaternions is half of the angle; either sign is the same rotation.
            Self::Angle(metres) => {
                let sign = if segment::dot(a, b) < 0.0 { -1.0 } else { 1.0 };
                2.0 * metres * squares(a, b, sign).sqrt()
            }
            Self::Each(metres) => metres
                .iter()
                .zip(a.iter().zip(b))
                .map(|(metres, (a, b))| metres * (a - b).abs())
                .sum(),
        }
    }
}

fn squares(a: &[f64], b: &[f64], sign: f64) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - sign * b) * (a - sign * b)).sum()
}

/// A value while it is worked out: most have at most four numbers, and need no memory of their own.
#[derive(Default)]
struct Row {
    few: [f64; 4],
    many: Vec<f64>,
}

impl Row {
    fn of(&mut self, width: usize) -> &mut [f64] {
        if width <= self.few.len() {
            return &mut self.few[..width];
        }
        self.many.resize(width, 0.0);
        &mut self.many
    }
}

/// A track at many times.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    pub(super) keys: Keys,
    pub(super) times: Vec<f32>,
    values: Vec<f64>,
    /// How fast the value changes, where the curve is cubic: before and after each sample.
    rates: Vec<f64>,
    pub(super) weighting: Weighting,
}

impl Samples {
    pub(super) fn new(mut keys: Keys, weighting: Weighting) -> Self {
        if keys.rotates && keys.interpolation != Interpolation::Cubic {
            keep_signs(&mut keys);
        }
        let mut samples = Self {
            times: Vec::new(),
            values: Vec::new(),
            rates: Vec::new(),
            weighting,
            keys: keys.empty(keys.interpolation),
        };
        for key in 0..keys.len() {
            samples.push_key(&keys, key);
            if keys.interpolation == Interpolation::Cubic && key + 1 < keys.len() {
                samples.push_between(&keys, key);
            }
        }
        samples.keys = keys;
        samples
    }

    fn push_key(&mut self, keys: &Keys, key: usize) {
        self.times.push(keys.times[key]);
        self.values.extend_from_slice(keys.value(key));
        if keys.interpolation == Interpolation::Cubic {
            self.rates.extend_from_slice(keys.part(key, 0));
            self.rates.extend_from_slice(keys.part(key, 2));
        }
    }

    fn push_between(&mut self, keys: &Keys, key: usize) {
        let [from, to] = [keys.times[key], keys.times[key + 1]];
        let mut number = vec![0.0; keys.width];
        for at in 1..=BETWEEN {
            let time = from + (to - from) * at as f32 / (BETWEEN + 1) as f32;
            if time <= from || time >= to {
                continue;
            }
            self.times.push(time);
            keys.at(time, &mut number);
            self.values.extend_from_slice(&number);
            keys.rate(time, &mut number);
            self.rates.extend_from_slice(&number);
            self.rates.extend_from_slice(&number);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.times.len()
    }

    pub(super) fn width(&self) -> usize {
        self.keys.width
    }

    pub(super) fn value(&self, sample: usize) -> &[f64] {
        &self.values[sample * self.keys.width..][..self.keys.width]
    }

    /// How far the farthest sample is from a value, in metres; what is no number is infinitely far.
    pub(super) fn goes(&self, value: &[f64]) -> f64 {
        (0..self.len()).fold(0.0, |most, at| {
            let apart = self.weighting.apart(self.value(at), value);
            if apart.is_nan() { f64::INFINITY } else { apart.max(most) }
        })
    }

    /// How fast the value changes before (0) or after (1) a sample of a cubic curve.
    pub(super) fn rate(&self, sample: usize, side: usize) -> &[f64] {
        &self.rates[(2 * sample + side) * self.keys.width..][..self.keys.width]
    }

    /// Whether the value jumps from this sample to the next, which has the same time.
    pub(super) fn jumps(&self, sample: usize) -> bool {
        sample + 1 < self.len() && self.times[sample + 1] <= self.times[sample]
    }

    /// Whether a straight line from one sample to another is within `metres` of all between.
    pub(super) fn is_straight(&self, from: usize, to: usize, metres: f64) -> bool {
        if to <= from + 1 {
            return true;
        }
        let [a, b] = [self.value(from), self.value(to)];
        if let (true, Weighting::Angle(arm), Ok(a), Ok(b)) =
            (self.keys.rotates, &self.weighting, a.try_into(), b.try_into())
        {
            return self.is_arc([from, to], [a, b], metres / arm);
        }
        let mut row = Row::default();
        let found = row.of(self.width());
        self.all_between(from, to, |share, exact| {
            segment::lerp(a, b, share, found);
            self.weighting.apart(exact, found) <= metres
        })
    }

    /// The same of a rotation, within `angle` radians.
    fn is_arc(&self, [from, to]: [usize; 2], [a, b]: [&[f64; 4]; 2], angle: f64) -> bool {
        let arc = Arc::new(a, b);
        if arc.is_wide() {
            return false;
        }
        // The chord of unit quaternions is half of the angle.
        let chord = 0.25 * angle * angle;
        self.all_between(from, to, |share, exact| {
            let [from, to] = arc.weights(share);
            let Ok(exact) = <&[f64; 4]>::try_from(exact) else { return false };
            let (mut square, mut other) = (0.0, 0.0);
            for axis in 0..4 {
                let found = a[axis] * from + b[axis] * to;
                square += (exact[axis] - found) * (exact[axis] - found);
                other += (exact[axis] + found) * (exact[axis] + found);
            }
            // Either sign is the same rotation.
            square.min(other) <= chord
        })
    }

    /// Whether one cubic piece from one sample to another is within `metres` of all between.
    pub(super) fn is_cubic(&self, from: usize, to: usize, metres: f64) -> bool {
        let length = f64::from(self.times[to]) - f64::from(self.times[from]);
        let pieces = [self.value(from), self.rate(from, 1), self.rate(to, 0), self.value(to)];
        let mut row = Row::default();
        let found = row.of(self.width());
        self.all_between(from, to, |share, exact| {
            segment::hermite(pieces, length, share, found);
            if self.keys.rotates {
                segment::normalize(found);
            }
            self.weighting.apart(exact, found) <= metres
        })
    }

    /// Asks of all samples between two, from the middle out: most fail there.
    fn all_between(
        &self,
        from: usize,
        to: usize,
        mut holds: impl FnMut(f64, &[f64]) -> bool,
    ) -> bool {
        let start = f64::from(self.times[from]);
        let length = f64::from(self.times[to]) - start;
        let mut at = |sample: usize| {
            let share = (f64::from(self.times[sample]) - start) / length;
            holds(share, self.value(sample))
        };
        let middle = from + (to - from) / 2;
        (middle..to).filter(|&sample| sample > from).all(&mut at) && (from + 1..middle).all(&mut at)
    }
}

/// Of a rotation and its negative, which are the same, the one nearer to the key before: some players go the long way
/// round otherwise.
fn keep_signs(keys: &mut Keys) {
    for key in 1..keys.len() {
        let (before, after) = keys.values.split_at_mut(key * keys.width);
        let last = &before[before.len() - keys.width..];
        if segment::dot(last, &after[..keys.width]) < 0.0 {
            after[..keys.width].iter_mut().for_each(|number| *number = -*number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slope(values: &[f64]) -> Samples {
        let keys = Keys {
            times: (0..values.len()).map(|key| key as f32).collect(),
            values: values.to_vec(),
            width: 1,
            interpolation: Interpolation::Linear,
            rotates: false,
        };
        Samples::new(keys, Weighting::Each(vec![2.0]))
    }

    #[test]
    fn a_line_is_held_to_every_sample_between_its_ends() {
        // From 0 to 3 over 3 s: the third key is off by 0.5, which are 1 m.
        let samples = slope(&[0.0, 1.0, 2.5, 3.0]);
        assert!(samples.is_straight(0, 3, 1.0) && !samples.is_straight(0, 3, 0.99));
    }

    #[test]
    fn signs_of_rotations_follow_the_key_before() {
        let keys = Keys {
            times: vec![0.0, 1.0, 2.0],
            values: [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, -1.0], [0.0, 0.0, 0.0, -1.0]].concat(),
            width: 4,
            interpolation: Interpolation::Linear,
            rotates: true,
        };
        let samples = Samples::new(keys, Weighting::Angle(1.0));
        assert_eq!((samples.value(1)[3], samples.value(2)[3]), (1.0, 1.0));
    }

    #[test]
    fn an_angle_counts_by_its_arm() {
        let (sin, cos) = 0.005_f64.sin_cos();
        let turned = [0.0, 0.0, -sin, -cos];
        let metres = Weighting::Angle(2.0).apart(&[0.0, 0.0, 0.0, 1.0], &turned);
        // 0.01 rad at 2 m.
        assert!((metres - 0.02).abs() < 1e-6, "{metres}");
    }
}
