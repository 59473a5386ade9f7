//! Angles of corners, which weigh what faces say there: quicker than by the inverse functions of the standard library.
//!
//! In:  a cosine, from -1 to 1. Out: its angle in radians, within 1e-7.

/// The angle of a cosine (Abramowitz and Stegun, 4.4.46).
#[inline]
pub(super) fn angle_of(cosine: f64) -> f64 {
    const PARTS: [f64; 8] = [
        1.570_796_305_0,
        -0.214_598_801_6,
        0.088_978_987_4,
        -0.050_174_304_6,
        0.030_891_881_0,
        -0.017_088_125_6,
        0.006_670_090_1,
        -0.001_262_491_1,
    ];
    let x = cosine.abs().min(1.0);
    let sum = PARTS.iter().rev().fold(0.0, |sum, part| sum * x + part);
    let angle = (1.0 - x).sqrt() * sum;
    if cosine < 0.0 { std::f64::consts::PI - angle } else { angle }
}

/// The angles of many cosines: the same numbers, several at once.
pub(super) fn angles_of<const N: usize>(cosines: [f64; N]) -> [f64; N] {
    let mut angles = cosines;
    for angle in &mut angles {
        *angle = angle_of(*angle);
    }
    angles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_those_of_their_cosines() {
        for step in -100_000..=100_000 {
            let cosine = f64::from(step) / 100_000.0;
            let off = (angle_of(cosine) - cosine.acos()).abs();
            assert!(off < 1e-7, "{cosine}: {off}");
        }
    }
}
