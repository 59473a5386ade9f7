//! Keys as glTF can have them.
//!
//! In:  a curve of a scene: times that never fall, perhaps from before the clip's start.
//! Out: times from zero up that always rise, one value a key, or three for a cubic spline of at least two keys.
//!
//! Nearly every curve is handed on as it is. A jump (two keys at one time) becomes two keys a rounding step apart. Only a
//! cubic rotation that begins before its clip has to be sampled: no spline of unit keys is the rest of it.

use sinew_scene::Interpolation;

/// Largest difference of a sampled rotation from its spline, as a quaternion's components: 0.0006 degrees.
pub(super) const SAMPLED_ERROR: f64 = 5e-6;

/// Keys of `width` numbers each.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Keys {
    pub(super) times: Vec<f32>,
    pub(super) values: Vec<f32>,
    pub(super) width: usize,
    pub(super) interpolation: Interpolation,
    /// Whether values are unit quaternions.
    pub(super) rotation: bool,
}

impl Keys {
    fn each(&self) -> usize {
        self.width * self.interpolation.values_per_key()
    }

    /// All numbers of a key.
    fn key(&self, at: usize) -> &[f32] {
        &self.values[at * self.each()..][..self.each()]
    }

    /// The value of a key, without tangents.
    fn value(&self, at: usize) -> &[f32] {
        let start = (self.interpolation.values_per_key() / 2) * self.width;
        &self.key(at)[start..start + self.width]
    }

    fn tangent_in(&self, at: usize) -> &[f32] {
        &self.key(at)[..self.width]
    }

    fn tangent_out(&self, at: usize) -> &[f32] {
        &self.key(at)[2 * self.width..]
    }

    /// The same motion from zero on, with times that rise. Whether it had to be sampled comes with it.
    pub(super) fn sayable(self) -> (Self, bool) {
        let sampled = self.times[0] < 0.0
            && self.rotation
            && self.interpolation == Interpolation::Cubic
            && self.times.len() > 1;
        let mut keys = if sampled { self.sampled() } else { self };
        if keys.times[0] < 0.0 {
            keys = keys.from_zero();
        }
        if keys.times.windows(2).any(|pair| pair[1] <= pair[0]) {
            keys = keys.rising();
        }
        if keys.interpolation == Interpolation::Cubic && keys.times.len() == 1 {
            keys.values = keys.value(0).to_vec();
            keys.interpolation = Interpolation::Linear;
        }
        (keys, sampled)
    }

    /// With a key at `end` that holds the last value, for clips that are longer than their keys.
    pub(super) fn held_to(mut self, end: f32) -> Self {
        let last = self.value(self.times.len() - 1).to_vec();
        if self.interpolation == Interpolation::Cubic {
            let leave = self.values.len() - self.width;
            self.values[leave..].fill(0.0);
            self.values.extend(std::iter::repeat_n(0.0, self.width));
            self.values.extend(last);
            self.values.extend(std::iter::repeat_n(0.0, self.width));
        } else {
            self.values.extend(last);
        }
        self.times.push(end);
        self
    }

    /// Cut at zero: what comes before it is not played.
    fn from_zero(self) -> Self {
        let first = self.times.partition_point(|&time| time <= 0.0);
        if first == self.times.len() {
            let value = self.value(first - 1).to_vec();
            let interpolation = Interpolation::Step;
            return Self { times: vec![0.0], values: value, interpolation, ..self };
        }
        let before = first - 1;
        if self.times[before] == 0.0 {
            let values = self.values[before * self.each()..].to_vec();
            return Self { times: self.times[before..].to_vec(), values, ..self };
        }
        let mut values: Vec<f32> = self.at(before, 0.0).into_iter().map(|v| v as f32).collect();
        if self.interpolation == Interpolation::Cubic {
            let leave = self.slope(before, 0.0).into_iter().map(|v| v as f32);
            values = [vec![0.0; self.width], values, leave.collect()].concat();
        }
        values.extend_from_slice(&self.values[first * self.each()..]);
        let mut times = vec![0.0];
        times.extend_from_slice(&self.times[first..]);
        Self { times, values, ..self }
    }

    /// Times made to rise: of keys at one time the first and the last stay, the first a rounding step earlier.
    fn rising(self) -> Self {
        let mut kept = Self { times: Vec::new(), values: Vec::new(), ..self };
        let mut at = 0;
        while at < self.times.len() {
            let time = self.times[at];
            let end = at + self.times[at..].partition_point(|&other| other <= time);
            let just_before = time.next_down();
            let after = kept.times.last().is_none_or(|&last| last < just_before);
            // At its time the later key of a jump holds; before the first key of all nothing is seen.
            if end - at > 1 && at > 0 && after && just_before >= 0.0 {
                kept.times.push(just_before);
                kept.values.extend_from_slice(self.key(at));
            }
            kept.times.push(time);
            kept.values.extend_from_slice(self.key(end - 1));
            at = end;
        }
        kept
    }

    /// Straight keys along a cubic rotation, as many as [`SAMPLED_ERROR`] needs.
    fn sampled(self) -> Self {
        let mut times = vec![self.times[0]];
        let mut values: Vec<f64> = self.at(0, self.times[0]);
        for key in 0..self.times.len() - 1 {
            self.sample_span(key, self.times[key], self.times[key + 1], &mut times, &mut values);
        }
        let values = values.into_iter().map(|value| value as f32).collect();
        Self { times, values, interpolation: Interpolation::Linear, ..self }
    }

    /// Adds the end of a span of time, and what is needed within it. Halves at most down to rounding.
    fn sample_span(
        &self,
        key: usize,
        from: f32,
        to: f32,
        times: &mut Vec<f32>,
        values: &mut Vec<f64>,
    ) {
        let middle = f32::midpoint(from, to);
        let (start, end) = (self.at(key, from), self.at(key, to));
        let off = |part: f64| {
            let time = f64::from(from) + (f64::from(to) - f64::from(from)) * part;
            let true_value = self.at(key, time as f32);
            let straight = slerp(&start, &end, part);
            let cosine: f64 = true_value.iter().zip(&straight).map(|(a, b)| a * b).sum();
            (2.0 - 2.0 * cosine.abs()).max(0.0).sqrt()
        };
        let coarse = [0.25, 0.5, 0.75].into_iter().any(|part| off(part) > SAMPLED_ERROR);
        if coarse && from < middle && middle < to && to - from > 1e-4 {
            self.sample_span(key, from, middle, times, values);
            self.sample_span(key, middle, to, times, values);
            return;
        }
        if to > from {
            times.push(to);
            values.extend(end);
        }
    }

    /// The value at a time between a key and the next.
    fn at(&self, key: usize, time: f32) -> Vec<f64> {
        let (length, part) = self.span(key, time);
        let from: Vec<f64> = self.value(key).iter().copied().map(f64::from).collect();
        if length <= 0.0 {
            return from;
        }
        let to: Vec<f64> = self.value(key + 1).iter().copied().map(f64::from).collect();
        match self.interpolation {
            Interpolation::Step => from,
            Interpolation::Linear if self.rotation => slerp(&from, &to, part),
            Interpolation::Linear => {
                from.iter().zip(&to).map(|(a, b)| a + (b - a) * part).collect()
            }
            Interpolation::Cubic => {
                let (t2, t3) = (part * part, part * part * part);
                let shares = [
                    2.0 * t3 - 3.0 * t2 + 1.0,
                    length * (t3 - 2.0 * t2 + part),
                    3.0 * t2 - 2.0 * t3,
                    length * (t3 - t2),
                ];
                let value = self.mixed(key, shares);
                if self.rotation { unit(value) } else { value }
            }
        }
    }

    /// The speed of a cubic curve at a time between a key and the next, per second.
    fn slope(&self, key: usize, time: f32) -> Vec<f64> {
        let (length, part) = self.span(key, time);
        let rise = (6.0 * part * part - 6.0 * part) / length;
        let leave = 3.0 * part * part - 4.0 * part + 1.0;
        let arrive = 3.0 * part * part - 2.0 * part;
        self.mixed(key, [rise, leave, -rise, arrive])
    }

    /// Shares of a key's value and out-tangent, the next value and its in-tangent.
    fn mixed(&self, key: usize, shares: [f64; 4]) -> Vec<f64> {
        let [a, b, c, d] = shares;
        let four = |at: usize| {
            let [from, leave] = [self.value(key)[at], self.tangent_out(key)[at]].map(f64::from);
            let [to, arrive] =
                [self.value(key + 1)[at], self.tangent_in(key + 1)[at]].map(f64::from);
            from * a + leave * b + to * c + arrive * d
        };
        (0..self.width).map(four).collect()
    }

    fn span(&self, key: usize, time: f32) -> (f64, f64) {
        let from = f64::from(self.times[key]);
        let Some(&to) = self.times.get(key + 1) else { return (0.0, 0.0) };
        let length = f64::from(to) - from;
        let part = if length > 0.0 { (f64::from(time) - from) / length } else { 0.0 };
        (length, part)
    }
}

fn unit(value: Vec<f64>) -> Vec<f64> {
    let length = value.iter().map(|v| v * v).sum::<f64>().sqrt();
    value.into_iter().map(|v| v / length).collect()
}

/// Along the shorter arc at an even rate.
fn slerp(from: &[f64], to: &[f64], part: f64) -> Vec<f64> {
    let cosine: f64 = from.iter().zip(to).map(|(a, b)| a * b).sum();
    let sign = if cosine < 0.0 { -1.0 } else { 1.0 };
    let angle = cosine.abs().min(1.0).acos();
    let (a, b) = match angle.sin() {
        sine if sine > 1e-9 => (((1.0 - part) * angle).sin() / sine, (part * angle).sin() / sine),
        _ => (1.0 - part, part),
    };
    unit(from.iter().zip(to).map(|(from, to)| from * a + sign * to * b).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(times: &[f32], values: &[f32], interpolation: Interpolation) -> Keys {
        let (times, values) = (times.to_vec(), values.to_vec());
        Keys { times, values, width: 1, interpolation, rotation: false }
    }

    #[test]
    fn what_rises_from_zero_is_handed_on_as_it_is() {
        let filed = keys(&[0.0, 1.0], &[3.0, 4.0], Interpolation::Linear);
        assert_eq!(filed.clone().sayable(), (filed, false));
    }

    #[test]
    fn a_jump_is_two_keys_a_rounding_step_apart() {
        let jump = keys(
            &[0.0, 0.0, 1.0, 1.0, 1.0, 2.0],
            &[9.0, 0.0, 5.0, 6.0, 7.0, 8.0],
            Interpolation::Linear,
        );
        let (found, _) = jump.sayable();
        assert_eq!(found.times, [0.0, 1.0_f32.next_down(), 1.0, 2.0]);
        assert_eq!(found.values, [0.0, 5.0, 7.0, 8.0]);
    }

    #[test]
    fn what_comes_before_the_clip_is_cut_and_the_rest_stays() {
        let (found, _) = keys(&[-1.0, 3.0], &[0.0, 8.0], Interpolation::Linear).sayable();
        assert_eq!((found.times, found.values), (vec![0.0, 3.0], vec![2.0, 8.0]));
        let (found, _) = keys(&[-2.0, -1.0], &[4.0, 5.0], Interpolation::Linear).sayable();
        assert_eq!((found.times, found.values), (vec![0.0], vec![5.0]));
        // x = t³ on [-1, 1]: the value 0 and the slope 0 in the middle, the slope 3 at the ends.
        let cubic = keys(&[-1.0, 1.0], &[0.0, -1.0, 3.0, 3.0, 1.0, 0.0], Interpolation::Cubic);
        let (found, _) = cubic.sayable();
        assert_eq!(found.times, [0.0, 1.0]);
        assert_eq!(found.values, [0.0, 0.0, 0.0, 3.0, 1.0, 0.0]);
    }

    #[test]
    fn a_cubic_key_alone_is_its_value() {
        let (found, _) = keys(&[0.5], &[7.0, 1.0, 9.0], Interpolation::Cubic).sayable();
        assert_eq!((found.values, found.interpolation), (vec![1.0], Interpolation::Linear));
    }

    #[test]
    fn a_held_end_does_not_move() {
        let found = keys(&[0.0, 1.0], &[0.0, 1.0], Interpolation::Linear).held_to(2.0);
        assert_eq!((found.times, found.values), (vec![0.0, 1.0, 2.0], vec![0.0, 1.0, 1.0]));
        let cubic = keys(&[0.0, 1.0], &[0.0, 1.0, 5.0, 5.0, 2.0, 5.0], Interpolation::Cubic);
        let found = cubic.held_to(2.0);
        assert_eq!(found.values, [0.0, 1.0, 5.0, 5.0, 2.0, 0.0, 0.0, 2.0, 0.0]);
    }

    #[test]
    fn a_cubic_rotation_from_before_the_clip_is_sampled_to_its_bound() {
        let (sine, cosine) = 0.6_f32.sin_cos();
        let speed = [0.0, 0.0, 1.5, 0.0];
        let values =
            [[0.0; 4], [0.0, 0.0, 0.0, 1.0], speed, speed, [0.0, 0.0, sine, cosine], [0.0; 4]];
        let filed = Keys {
            times: vec![-1.0, 1.0],
            values: values.concat(),
            width: 4,
            interpolation: Interpolation::Cubic,
            rotation: true,
        };
        let (found, sampled) = filed.clone().sayable();
        assert!(sampled && found.times[0] == 0.0 && found.interpolation == Interpolation::Linear);
        for step in 0..=50 {
            let time = step as f32 / 50.0;
            let key =
                found.times.partition_point(|&key| key <= time).clamp(1, found.times.len() - 1) - 1;
            let off =
                filed.at(0, time).into_iter().zip(found.at(key, time)).map(|(a, b)| (a - b).abs());
            let off = off.fold(0.0, f64::max);
            assert!(off < 1e-5, "off by {off} at {time} s");
        }
    }
}
