//! Sines and cosines of three angles at once: quicker than one after the other.
//!
//! In:  angles in radians. Out: their sines, and their cosines, within two units of the last place of one.
//!
//! An angle is brought to within an eighth of a circle by quarters; there the polynomials of fdlibm's `__kernel_sin` and
//! `__kernel_cos` (Sun Microsystems, 1993) are exact to the last bit or so. Without a branch for each, several go
//! through at once.

use std::f64::consts::FRAC_2_PI;

/// Larger angles, of which quarters cannot be counted exactly, are left to the standard library.
const MAX_ANGLE: f64 = 1e5;

pub(super) fn sin_cos(angles: [f64; 3]) -> ([f64; 3], [f64; 3]) {
    let [a, b, c] = angles;
    if !angles.iter().all(|angle| angle.abs() < MAX_ANGLE) {
        let [a, b, c] = [a.sin_cos(), b.sin_cos(), c.sin_cos()];
        return ([a.0, b.0, c.0], [a.1, b.1, c.1]);
    }
    let ([a, b, c, _], [d, e, f, _]) = at_once([a, b, c, 0.0]);
    ([a, b, c], [d, e, f])
}

/// The same of two times three angles, which take little longer than three.
pub(super) fn sin_cos_of_both(angles: [[f64; 3]; 2]) -> [([f64; 3], [f64; 3]); 2] {
    if !angles.iter().flatten().all(|angle| angle.abs() < MAX_ANGLE) {
        return angles.map(sin_cos);
    }
    let [[a, b, c], [d, e, f]] = angles;
    let (sines, cosines) = at_once([a, b, c, d, e, f]);
    let half = |of: [f64; 6]| ([of[0], of[1], of[2]], [of[3], of[4], of[5]]);
    let (sines, cosines) = (half(sines), half(cosines));
    [(sines.0, cosines.0), (sines.1, cosines.1)]
}

/// An even number of angles, since two go into a register.
#[inline]
fn at_once<const N: usize>(angles: [f64; N]) -> ([f64; N], [f64; N]) {
    /// Added to a number and taken away again, leaves the nearest whole one, which is then in its lowest bits.
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    /// A quarter of a circle in two parts: the first has 33 bits, so that its multiples are exact.
    const QUARTER: [f64; 2] = [1.570_796_326_734_125_6, 6.077_100_506_506_192e-11];
    let (mut sines, mut cosines) = ([0.0; N], [0.0; N]);
    for at in 0..N {
        let shifted = angles[at] * FRAC_2_PI + WHOLE;
        let quarters = shifted - WHOLE;
        let rest = (angles[at] - quarters * QUARTER[0]) - quarters * QUARTER[1];
        let (sine, cosine) = near_zero(rest);
        // Odd quarters swap both; of four, the sine is reversed in the last two and the cosine in the middle two.
        let number = shifted.to_bits();
        let odd = (number & 1).wrapping_neg();
        let swapped = (sine.to_bits() ^ cosine.to_bits()) & odd;
        let sine_sign = (number & 2) << 62;
        let cosine_sign = (number.wrapping_add(1) & 2) << 62;
        sines[at] = f64::from_bits(sine.to_bits() ^ swapped ^ sine_sign);
        cosines[at] = f64::from_bits(cosine.to_bits() ^ swapped ^ cosine_sign);
    }
    (sines, cosines)
}

/// Sine and cosine of an angle of at most an eighth of a circle.
#[inline]
fn near_zero(angle: f64) -> (f64, f64) {
    let z = angle * angle;
    let zz = z * z;
    // In pairs, so that few terms wait for another.
    let sine = (8.333_333_333_322_49e-3 - z * 1.984_126_982_985_795e-4)
        + zz * ((2.755_731_370_707_006_8e-6 - z * 2.505_076_025_340_686_3e-8)
            + zz * 1.589_690_995_211_55e-10);
    let sine = angle + angle * z * (z * sine - 1.666_666_666_666_663_2e-1);
    let cosine = (4.166_666_666_666_66e-2 - z * 1.388_888_888_887_411e-3)
        + zz * ((2.480_158_728_947_673e-5 - z * 2.755_731_435_139_066_3e-7)
            + zz * (2.087_572_321_298_175e-9 - z * 1.135_964_755_778_819_5e-11));
    let half = 0.5 * z;
    let most = 1.0 - half;
    // A zero keeps its sign.
    (sine.copysign(angle), most + ((1.0 - most - half) + zz * cosine))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sines_and_cosines_are_those_of_the_standard_library() {
        let mut angles: Vec<f64> =
            (-200_000..200_000).map(|at| f64::from(at) * 1.234_567e-4).collect();
        angles.extend((-40..40).map(|at| f64::from(at) * std::f64::consts::FRAC_PI_4));
        angles.extend([0.0, -0.0, 1e-9, 1e-300, 99_999.0, 1e5, 1e12, 1e300]);
        for angle in angles {
            let (sines, cosines) = sin_cos([angle, 0.5, -angle]);
            let (sine, cosine) = angle.sin_cos();
            for (found, expected) in [(sines[0], sine), (cosines[0], cosine), (sines[2], -sine)] {
                assert!((found - expected).abs() <= f64::EPSILON, "{angle}: {found}, {expected}");
            }
            assert_eq!(cosines[2], cosines[0]);
            let angles = [[angle, 0.5, -angle], [2.0, -angle, 1.0]];
            assert_eq!(sin_cos_of_both(angles), angles.map(sin_cos));
        }
        let (sines, _) = sin_cos([-0.0, 0.0, 0.0]);
        assert!(sines[0].is_sign_negative() && sines[1].is_sign_positive());
        let (sines, _) = sin_cos([f64::NAN, f64::INFINITY, 0.0]);
        assert!(sines[0].is_nan() && sines[1].is_nan());
    }
}
