//! Between two keys: held, straight, or along a cubic Hermite spline.
//!
//! Formulas are those of the glTF 2.0 specification, appendix C.

use sinew_lanes::one::dot;
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{Curve, Interpolation, Rows};

use crate::cursor::Span;

/// A translation or a scale.
#[inline]
pub(crate) fn vector(curve: &Curve<Vec3>, span: Span) -> Vec3 {
    let values = curve.values();
    match curve.interpolation() {
        Interpolation::Step => values[span.key],
        Interpolation::Linear if span.length == 0.0 => values[span.key],
        Interpolation::Linear => values[span.key].lerp(values[span.key + 1], span.fraction),
        Interpolation::Cubic if span.length == 0.0 => values[3 * span.key + 1],
        Interpolation::Cubic => {
            let keys = &values[3 * span.key..3 * span.key + 6];
            let [a, b, c, d] = hermite(span);
            keys[1] * a + keys[2] * b + keys[4] * c + keys[3] * d
        }
    }
}

/// A rotation: along the shorter arc, and of unit length.
#[inline]
pub(crate) fn rotation(curve: &Curve<Quat>, span: Span) -> Quat {
    let values = curve.values();
    match curve.interpolation() {
        Interpolation::Step => values[span.key],
        Interpolation::Linear if span.length == 0.0 => values[span.key],
        Interpolation::Linear => slerp(values[span.key], values[span.key + 1], span.fraction),
        Interpolation::Cubic if span.length == 0.0 => values[3 * span.key + 1],
        Interpolation::Cubic => {
            let keys = &values[3 * span.key..3 * span.key + 6];
            let [a, b, c, d] = hermite(span);
            let sum = keys[1] * a + keys[2] * b + keys[4] * c + keys[3] * d;
            unit_or(sum, keys[1])
        }
    }
}

/// A row of numbers.
#[inline]
pub(crate) fn row(rows: &Rows, span: Span, out: &mut [f32]) {
    match rows.interpolation() {
        Interpolation::Step => out.copy_from_slice(rows.row(span.key)),
        Interpolation::Linear if span.length == 0.0 => out.copy_from_slice(rows.row(span.key)),
        Interpolation::Linear => {
            let pairs = rows.row(span.key).iter().zip(rows.row(span.key + 1));
            for (out, (from, to)) in out.iter_mut().zip(pairs) {
                *out = from + (to - from) * span.fraction;
            }
        }
        Interpolation::Cubic if span.length == 0.0 => {
            out.copy_from_slice(rows.row(3 * span.key + 1));
        }
        Interpolation::Cubic => {
            let [a, b, c, d] = hermite(span);
            let [value, leave, arrive, next] = [1, 2, 3, 4].map(|at| rows.row(3 * span.key + at));
            for (at, out) in out.iter_mut().enumerate() {
                *out = value[at] * a + leave[at] * b + next[at] * c + arrive[at] * d;
            }
        }
    }
}

/// The weights of value, out-tangent, next value and next in-tangent. Tangents are per second,
/// so theirs carry the distance of the keys.
#[inline]
fn hermite(span: Span) -> [f32; 4] {
    let t = span.fraction;
    let (t2, t3) = (t * t, t * t * t);
    [
        2.0 * t3 - 3.0 * t2 + 1.0,
        span.length * (t3 - 2.0 * t2 + t),
        3.0 * t2 - 2.0 * t3,
        span.length * (t3 - t2),
    ]
}

/// Rotates from `from` to `to` at an even rate, along the shorter arc.
#[inline]
pub(crate) fn slerp(from: Quat, to: Quat, fraction: f32) -> Quat {
    // At a key the key itself, to the last bit: far down a chain of joints the bit shows.
    if fraction == 0.0 {
        return from;
    }
    if fraction == 1.0 {
        return to;
    }
    let cosine = dot(from, to);
    let to = if cosine < 0.0 { -to } else { to };
    let (a, b) = if cosine.abs() > NEAR {
        (share(1.0 - fraction, cosine.abs()), share(fraction, cosine.abs()))
    } else {
        wide_shares(from, to, fraction)
    };
    unit_or(from * a + to * b, from)
}

/// Cosines of half angles above which keys are near: up to 51° from each other, as most are.
pub(crate) const NEAR: f32 = 0.9;

/// `1 / (i (2 i + 1))` and `i / (2 i + 1)` for i from 1 to 6.
pub(crate) const SERIES: [(f32, f32); 6] = {
    let mut series = [(0.0, 0.0); 6];
    let mut at = 0;
    while at < 6 {
        let i = (at + 1) as f32;
        series[at] = (1.0 / (i * (2.0 * i + 1.0)), i / (2.0 * i + 1.0));
        at += 1;
    }
    series
};

/// `sin(t θ) / sin θ` from `cos θ`, for angles up to 26°: no sine is needed.
///
/// The power series in `cos θ - 1` (Eberly, "A fast and accurate algorithm for computing slerp",
/// 2011). Each further term is below a twentieth of the one before, so six leave an error below 1e-8.
#[inline]
fn share(t: f32, cosine: f32) -> f32 {
    let (x, t2) = (cosine - 1.0, t * t);
    let term = |sum: f32, (u, v): &(f32, f32)| (t2 * u - v) * x * sum + 1.0;
    t * SERIES.iter().rev().fold(1.0, term)
}

/// The series again, as long as half of a right angle needs it: the rest is below 1e-10.
const LONG_SERIES: [(f64, f64); 13] = {
    let mut series = [(0.0, 0.0); 13];
    let mut at = 0;
    while at < 13 {
        let i = (at + 1) as f64;
        series[at] = (1.0 / (i * (2.0 * i + 1.0)), i / (2.0 * i + 1.0));
        at += 1;
    }
    series
};

/// The same for angles up to 90°, from roots alone: all machines round those alike, but not sines.
///
/// `sin tθ / sin θ` of half the angle, doubled by `sin 2x = 2 sin x cos x`.
#[cold]
fn wide_shares(from: Quat, to: Quat, fraction: f32) -> (f32, f32) {
    let [from, to] = [from, to].map(|key| key.to_array().map(f64::from));
    let dot = |a: [f64; 4], b: [f64; 4]| (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
    let cosine = (dot(from, to) / (dot(from, from) * dot(to, to)).sqrt()).clamp(0.0, 1.0);
    let (half_cosine, half_sine2) = ((0.5 + 0.5 * cosine).sqrt(), 0.5 - 0.5 * cosine);
    let share = |t: f64| {
        let (x, t2) = (half_cosine - 1.0, t * t);
        let term = |sum: f64, (u, v): &(f64, f64)| (t2 * u - v) * x * sum + 1.0;
        let part = t * LONG_SERIES.iter().rev().fold(1.0, term);
        (part * (1.0 - part * part * half_sine2).sqrt() / half_cosine) as f32
    };
    let fraction = f64::from(fraction);
    (share(1.0 - fraction), share(fraction))
}

/// A cubic may pass through zero, where no direction is right: then the key holds.
#[inline]
fn unit_or(rotation: Quat, fallback: Quat) -> Quat {
    let length = dot(rotation, rotation).sqrt();
    if length > 1e-12 && length.is_finite() { rotation * (1.0 / length) } else { fallback }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn degrees(angle: f32) -> Quat {
        Quat::from_rotation_z(angle.to_radians())
    }

    #[test]
    fn a_rotation_takes_the_shorter_arc_whatever_the_sign_of_its_keys() {
        let half = slerp(degrees(170.0), -degrees(-170.0), 0.5);
        assert!(half.dot(degrees(180.0)).abs() > 1.0 - 1e-6, "{half}");
        let half = slerp(degrees(0.0), -degrees(90.0), 0.5);
        assert!(half.dot(degrees(45.0)).abs() > 1.0 - 1e-6, "{half}");
    }

    #[test]
    fn at_a_key_a_rotation_is_the_key_to_the_last_bit() {
        // A length that single precision can only round to just below or just above one.
        let key = Quat::from_xyzw(0.544_642_03, -0.516_683_8, -0.419_422_98, 0.510_379_5);
        assert_ne!(key * (1.0 / key.length()), key);
        assert_eq!(slerp(key, degrees(30.0), 0.0), key);
        assert_eq!(slerp(degrees(30.0), key, 1.0), key);
    }

    #[test]
    fn a_rotation_goes_at_an_even_rate() {
        for step in 0..=10 {
            let fraction = step as f32 / 10.0;
            let found = slerp(degrees(10.0), degrees(150.0), fraction);
            let expected = degrees(10.0 + 140.0 * fraction);
            assert!(found.abs_diff_eq(expected, 3e-7), "{found} is not {expected} at {fraction}");
        }
    }

    #[test]
    fn near_and_wide_rotations_agree_with_double_precision() {
        for degrees in [0.01_f64, 1.0, 10.0, 40.0, 51.0, 53.0, 90.0, 179.0] {
            for step in 0..=20 {
                let fraction = f64::from(step) / 20.0;
                let angle = degrees.to_radians();
                let to = Quat::from_xyzw(
                    0.0,
                    (angle / 2.0).sin() as f32,
                    0.0,
                    (angle / 2.0).cos() as f32,
                );
                let found = slerp(Quat::IDENTITY, to, fraction as f32);
                let expected = (fraction * angle / 2.0).sin();
                let error = (f64::from(found.y) - expected).abs();
                assert!(error < 1.5e-7, "{degrees}° at {fraction}: off by {error:e}");
            }
        }
    }

    #[test]
    fn a_tiny_rotation_is_not_lost() {
        let found = slerp(Quat::IDENTITY, Quat::from_rotation_z(2e-5), 0.25);
        assert!((found.z - 0.25e-5).abs() < 1e-10, "{found}");
    }

    #[test]
    fn tangents_scale_with_the_distance_of_the_keys() {
        // One metre in two seconds, leaving and arriving at 3 m/s: p(½) = 0.5 + 2·(3 - 3)/8.
        let keys = |leave: f32, arrive: f32| {
            let key = |a: f32, v: f32, b: f32| [Vec3::X * a, Vec3::X * v, Vec3::X * b];
            let values = [key(0.0, 0.0, leave), key(arrive, 1.0, 0.0)].concat();
            Curve::new(vec![0.0, 2.0], values, Interpolation::Cubic).expect("two keys")
        };
        let span = Span { key: 0, fraction: 0.5, length: 2.0 };
        assert_eq!(vector(&keys(3.0, 3.0), span).x, 0.5);
        // Leaving at 3 m/s and arriving at rest: 0.5 + 2·3/8.
        assert_eq!(vector(&keys(3.0, 0.0), span).x, 1.25);
    }

    #[test]
    fn a_cubic_rotation_has_unit_length() {
        let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        let values = vec![zero, degrees(0.0), zero, zero, degrees(160.0), zero];
        let curve = Curve::new(vec![0.0, 1.0], values, Interpolation::Cubic).expect("two keys");
        let found = rotation(&curve, Span { key: 0, fraction: 0.5, length: 1.0 });
        assert!(found.is_normalized(), "{found}");
        assert!(found.abs_diff_eq(degrees(80.0), 1e-6), "{found}");
    }
}
