//! Between two keys, in double precision: straight, along an arc, or along a cubic Hermite spline.
//!
//! Formulas are those of the glTF 2.0 specification, appendix C.

pub(crate) fn lerp(a: &[f64], b: &[f64], share: f64, out: &mut [f64]) {
    for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
        *out = a + (b - a) * share;
    }
}

pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// To unit length; what has none stays.
pub(crate) fn normalize(value: &mut [f64]) {
    let length = dot(value, value).sqrt();
    if length > 1e-30 {
        value.iter_mut().for_each(|number| *number /= length);
    }
}

/// Rotates from `a` to `b` at an even rate, along the shorter arc.
pub(crate) fn slerp(a: &[f64], b: &[f64], share: f64, out: &mut [f64]) {
    Arc::new(a, b).at(a, b, share, out);
}

/// The shorter arc between two unit quaternions; made once, followed at many shares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arc {
    /// -1 where the other sign of `b` is nearer.
    sign: f64,
    /// Half of the rotation's angle, and one over its sine; the latter is 0 for arcs as good as straight.
    angle: f64,
    one_over_sine: f64,
}

impl Arc {
    pub(crate) fn new(a: &[f64], b: &[f64]) -> Self {
        let cosine = dot(a, b);
        let sign = if cosine < 0.0 { -1.0 } else { 1.0 };
        let angle = cosine.abs().min(1.0).acos();
        // Below a hundredth of a radian a straight line, made unit, is the arc within 1e-8.
        let one_over_sine = if angle < 0.01 { 0.0 } else { 1.0 / angle.sin() };
        Self { sign, angle, one_over_sine }
    }

    /// Whether the two are so far apart that which way is shorter is nearly a matter of rounding: beyond 150°.
    pub(crate) fn is_wide(&self) -> bool {
        self.angle > 75_f64.to_radians()
    }

    pub(crate) fn at(&self, a: &[f64], b: &[f64], share: f64, out: &mut [f64]) {
        let [from, to] = if self.one_over_sine == 0.0 {
            [1.0 - share, share]
        } else {
            [1.0 - share, share].map(|share| sine(share * self.angle) * self.one_over_sine)
        };
        for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
            *out = a * from + b * (to * self.sign);
        }
        normalize(out);
    }
}

/// The sine of an angle, of small ones by its series within 1e-10.
fn sine(angle: f64) -> f64 {
    if angle.abs() > 0.4 {
        return angle.sin();
    }
    let square = angle * angle;
    let inner = 1.0 - square / 42.0 * (1.0 - square / 72.0);
    angle * (1.0 - square / 6.0 * (1.0 - square / 20.0 * inner))
}

/// A spline through value, out-tangent, next in-tangent and next value; tangents are per second.
pub(crate) fn hermite(pieces: [&[f64]; 4], length: f64, share: f64, out: &mut [f64]) {
    let t = share;
    let (t2, t3) = (t * t, t * t * t);
    let weights = [
        2.0 * t3 - 3.0 * t2 + 1.0,
        length * (t3 - 2.0 * t2 + t),
        length * (t3 - t2),
        3.0 * t2 - 2.0 * t3,
    ];
    mix(pieces, weights, out);
}

/// How fast that spline changes, per second.
pub(crate) fn hermite_rate(pieces: [&[f64]; 4], length: f64, share: f64, out: &mut [f64]) {
    let t = share;
    let bend = (6.0 * t * t - 6.0 * t) / length;
    let weights = [bend, 3.0 * t * t - 4.0 * t + 1.0, 3.0 * t * t - 2.0 * t, -bend];
    mix(pieces, weights, out);
}

fn mix(pieces: [&[f64]; 4], weights: [f64; 4], out: &mut [f64]) {
    for (at, out) in out.iter_mut().enumerate() {
        *out = pieces.iter().zip(weights).map(|(piece, weight)| piece[at] * weight).sum();
    }
}

/// How a unit quaternion changes that is `value` made unit, when `value` changes by `rate`.
pub(crate) fn unit_rate(value: &[f64], rate: &mut [f64]) {
    let length = dot(value, value).sqrt().max(1e-30);
    let along = dot(value, rate) / (length * length);
    for (rate, value) in rate.iter_mut().zip(value) {
        *rate = (*rate - value * along) / length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arc_goes_the_short_way_at_an_even_rate() {
        // 90° about z, filed with the other sign: a third of the way is 30°, whose half has the sine 0.2588.
        let (sin, cos) = 45_f64.to_radians().sin_cos();
        let mut found = [0.0; 4];
        slerp(&[0.0, 0.0, 0.0, 1.0], &[0.0, 0.0, -sin, -cos], 1.0 / 3.0, &mut found);
        assert!((found[2] - 15_f64.to_radians().sin()).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn small_sines_are_those_of_all_angles() {
        for step in 0..200 {
            let angle = f64::from(step) * 0.005 - 0.3;
            assert!((sine(angle) - angle.sin()).abs() < 1e-10, "{angle}");
        }
    }

    #[test]
    fn a_spline_of_a_cube_is_that_cube() {
        // x = t³ from 0 to 2: tangents 0 and 12; at 1 it is 1 and grows by 3 a second.
        let pieces: [&[f64]; 4] = [&[0.0], &[0.0], &[12.0], &[8.0]];
        let mut found = [0.0];
        hermite(pieces, 2.0, 0.5, &mut found);
        assert!((found[0] - 1.0).abs() < 1e-12, "{found:?}");
        hermite_rate(pieces, 2.0, 0.5, &mut found);
        assert!((found[0] - 3.0).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn a_unit_value_changes_across_itself() {
        let mut rate = [3.0, 4.0];
        unit_rate(&[2.0, 0.0], &mut rate);
        assert_eq!(rate, [0.0, 2.0]);
    }
}
