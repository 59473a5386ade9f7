//! A rotation in eight bytes: the three smaller numbers in 20 bits each, and which one is left out.
//!
//! The largest of a unit quaternion's numbers follows from the others, which lie within ±√½.

use sinew_lanes::one::{dot, unit};
use sinew_scene::glam::Quat;

const MAX_VALUE: f32 = ((1 << 19) - 1) as f32;

pub(crate) fn write(rotation: Quat) -> u64 {
    let numbers = unit(rotation).to_array();
    let mut largest = 0;
    for at in 1..4 {
        if numbers[at].abs() > numbers[largest].abs() {
            largest = at;
        }
    }
    let sign = numbers[largest].signum();
    let others = (0..4).filter(|&at| at != largest).map(|at| {
        let whole = (numbers[at] * sign * std::f32::consts::SQRT_2 * MAX_VALUE).round() as i32;
        u64::from(whole as u32 & 0xf_ffff)
    });
    others.fold(largest as u64, |packed, other| packed << 20 | other)
}

/// Any eight bytes are a unit quaternion.
pub(crate) fn read(packed: u64) -> Quat {
    let number = |at: u32| {
        let whole = ((packed >> (20 * at)) as u32) << 12;
        (whole as i32 >> 12) as f32 * (std::f32::consts::FRAC_1_SQRT_2 / MAX_VALUE)
    };
    let [a, b, c] = [number(2), number(1), number(0)];
    let rest = (1.0 - a * a - b * b - c * c).max(0.0).sqrt();
    let rotation = match packed >> 60 & 3 {
        0 => Quat::from_xyzw(rest, a, b, c),
        1 => Quat::from_xyzw(a, rest, b, c),
        2 => Quat::from_xyzw(a, b, rest, c),
        _ => Quat::from_xyzw(a, b, c, rest),
    };
    if dot(rotation, rotation) > 1e-6 { unit(rotation) } else { Quat::IDENTITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_comes_back_within_two_parts_in_a_million() {
        for step in 0..200 {
            let at = step as f32;
            let numbers = [at.sin(), (at * 1.7).cos(), (at * 0.3).sin(), (at * 2.9).cos()];
            let rotation = Quat::from_array(numbers).normalize();
            let back = read(write(rotation));
            assert!(back.angle_between(rotation) < 1e-3 && back.dot(rotation).abs() > 1.0 - 1e-6);
            let near = if back.dot(rotation) < 0.0 { -back } else { back };
            assert!(near.abs_diff_eq(rotation, 3e-6), "{rotation} came back as {back}");
        }
        assert!(read(0).is_normalized() && read(u64::MAX).is_normalized());
    }
}
