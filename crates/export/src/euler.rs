//! Rotations as three angles, chosen so that they run on from the angles before.
//!
//! In:  a rotation, an order of axes, and the angles of the key before.
//! Out: three angles in radians with `R = R(first) · R(second) · R(third)`.
//!
//! Every rotation has two such triples, each up to full circles; the one nearest to the key before is taken, so
//! that no angle jumps by 360° between two keys. Where two axes fall together, the third angle stays as it was.

use std::f64::consts::{PI, TAU};

use glam::{DMat3, DQuat};

/// Below this cosine of the middle angle the outer two cannot be told apart; single precision ends there.
const LOCKED: f64 = 1e-5;

/// The angles about `order`'s axes (0 for X) that give `rotation`, as near to `near` as any are.
pub(crate) fn angles_near(rotation: DQuat, order: [usize; 3], near: [f64; 3]) -> [f64; 3] {
    let [a, b, c] = order;
    let sense = if (a + 1) % 3 == b { 1.0 } else { -1.0 };
    let whole = DMat3::from_quat(rotation);
    let at = |matrix: &DMat3, row: usize, column: usize| matrix.col(column)[row];
    let (across, along) = (at(&whole, a, b), at(&whole, a, a));
    let locked = across.hypot(along) < LOCKED;
    let third = if locked { near[2] } else { f64::atan2(-sense * across, along) };
    // With the third rotation taken back, the other two can be read even where the axes nearly fall together.
    let rest = whole * about(c, -third);
    let first = f64::atan2(sense * at(&rest, c, b), at(&rest, b, b));
    let second = f64::atan2(sense * at(&rest, a, c), at(&rest, a, a));
    let one = unwrap([first, second, third], near);
    let other = unwrap([first + PI, PI - second, third + PI], near);
    if distance(other, near) < distance(one, near) { other } else { one }
}

/// The rotation of three angles.
pub(crate) fn rotation(angles: [f64; 3], order: [usize; 3]) -> DQuat {
    let step = |place: usize| {
        let (sin, cos) = (0.5 * angles[place]).sin_cos();
        let mut parts = [0.0, 0.0, 0.0, cos];
        parts[order[place]] = sin;
        DQuat::from_array(parts)
    };
    step(0) * step(1) * step(2)
}

fn about(axis: usize, angle: f64) -> DMat3 {
    match axis {
        0 => DMat3::from_rotation_x(angle),
        1 => DMat3::from_rotation_y(angle),
        _ => DMat3::from_rotation_z(angle),
    }
}

fn unwrap(angles: [f64; 3], near: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|at| angles[at] - ((angles[at] - near[at]) / TAU).round() * TAU)
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|at| (a[at] - b[at]).abs()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORDERS: [[usize; 3]; 6] =
        [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

    #[test]
    fn angles_give_the_rotation_back_in_every_order() {
        for order in ORDERS {
            for number in 0..200_u32 {
                let part = |factor: f64| (f64::from(number) * factor).sin();
                let made =
                    DQuat::from_xyzw(part(1.3), part(2.1), part(0.7), part(3.9) + 0.01).normalize();
                let found = rotation(angles_near(made, order, [0.0; 3]), order);
                let off = 1.0 - made.dot(found).abs();
                assert!(off < 1e-14, "{order:?} {number}: {off}");
            }
        }
    }

    #[test]
    fn a_full_spin_runs_on_without_a_jump() {
        for order in ORDERS {
            let mut before = [0.0; 3];
            for step in 0..=720 {
                let angle = f64::from(step).to_radians();
                let made = about(order[0], angle) * about(order[1], 1.2);
                let found = angles_near(DQuat::from_mat3(&made), order, before);
                assert!(distance(found, before) < 1.3, "{order:?} at {step}");
                before = found;
            }
            assert!((before[0] - 2.0 * TAU).abs() < 1e-9, "{order:?}: {before:?}");
        }
    }

    #[test]
    fn where_axes_fall_together_the_third_angle_stays() {
        for order in ORDERS {
            for side in [0.5 * PI, -0.5 * PI] {
                let made = rotation([0.3, side, 0.4], order);
                let found = angles_near(made, order, [0.3, side, 0.25]);
                assert_eq!(found[2], 0.25, "{order:?}");
                assert!(1.0 - rotation(found, order).dot(made).abs() < 1e-10, "{order:?}");
            }
        }
    }
}
