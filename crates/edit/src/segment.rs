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
    let arc = Arc::new(a, b);
    let [from, to] = arc.weights(share);
    for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
        *out = a * from + b * to;
    }
}

/// The cosine above which angles are small, to 0.4 radians: their sines are worked out by series, within 1e-10.
const SMALL: f64 = 0.921_061;

/// The shorter arc between two unit quaternions; made once, followed at many shares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arc {
    /// -1 where the other sign of `b` is nearer.
    sign: f64,
    /// The square of half of the rotation's angle.
    square: f64,
    /// One over the sine of that half, and for small ones the half over its sine.
    scale: f64,
    is_small: bool,
}

impl Arc {
    pub(crate) fn new(a: &[f64], b: &[f64]) -> Self {
        let cosine = dot(a, b);
        let sign = if cosine < 0.0 { -1.0 } else { 1.0 };
        let cosine = cosine.abs().min(1.0);
        if cosine > SMALL {
            let square = arc_cosine_squared(1.0 - cosine);
            return Self { sign, square, scale: 1.0 / sine_over_angle(square), is_small: true };
        }
        let angle = cosine.acos();
        Self { sign, square: angle * angle, scale: 1.0 / angle.sin(), is_small: false }
    }

    /// Whether the two are so far apart that which way is shorter is nearly a matter of rounding: beyond 150°.
    pub(crate) fn is_wide(&self) -> bool {
        const WIDEST: f64 = 75.0 * std::f64::consts::PI / 180.0;
        self.square > WIDEST * WIDEST
    }

    /// How much of each end there is at a share of the way; of unit quaternions their sum is one, too.
    pub(crate) fn weights(&self, share: f64) -> [f64; 2] {
        let weight = |share: f64| match self.is_small {
            true => share * sine_over_angle(share * share * self.square) * self.scale,
            false => (share * self.square.sqrt()).sin() * self.scale,
        };
        [weight(1.0 - share), weight(share) * self.sign]
    }
}

/// The square of the angle whose cosine is so much less than one.
fn arc_cosine_squared(less: f64) -> f64 {
    let far = less * (16.0 / 1575.0 + less * (8.0 / 2079.0));
    less * (2.0 + less * (1.0 / 3.0 + less * (4.0 / 45.0 + less * (1.0 / 35.0 + far))))
}

/// The sine of a small angle over that angle, by its square.
fn sine_over_angle(square: f64) -> f64 {
    let inner = 1.0 - square / 42.0 * (1.0 - square / 72.0);
    1.0 - square / 6.0 * (1.0 - square / 20.0 * inner)
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
    fn small_angles_and_wide_ones_are_those_of_the_library() {
        for step in 1..300 {
            // From none to 1.5, past where series end.
            let angle = f64::from(step) * 0.005;
            let arc = Arc::new(&[0.0, 0.0, 0.0, 1.0], &[0.0, 0.0, angle.sin(), angle.cos()]);
            assert_eq!(arc.is_small, angle < 0.4, "{angle}");
            for share in [0.0, 0.2, 0.7, 1.0] {
                let [from, to] = arc.weights(share);
                let expected = [1.0 - share, share].map(|it| (it * angle).sin() / angle.sin());
                assert!((from - expected[0]).abs() < 1e-9, "{angle} {share}");
                assert!((to - expected[1]).abs() < 1e-9, "{angle} {share}");
            }
            assert_eq!(arc.is_wide(), angle > 75_f64.to_radians(), "{angle}");
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
