//! A leg that reaches for a place: two bones and a knee.
//!
//! In:  hip, knee and ankle as they are, where the ankle shall be, the direction in which the knee points.
//! Out: swings of thigh and shin, in the model's axes. The knee stays in its plane.
//!
//! Places and swings alone, since some rigs hang their feet elsewhere than on their shins; limbs of a pose are
//! [`sinew_motion::ik`]'s. The law of cosines gives the knee; a place out of reach is reached for as far as the leg goes.

use glam::{Quat, Vec3};

use crate::tree::arc;

/// How straight a leg may become, as a share of its length: beyond this a knee would jump.
pub(crate) const STRAIGHT: f32 = 0.9995;

/// Swings for the thigh, then for the shin (which the thigh's swing has carried).
pub(crate) fn reach(hip: Vec3, knee: Vec3, ankle: Vec3, goal: Vec3, forward: Vec3) -> [Quat; 2] {
    let (upper, lower) = (hip.distance(knee), knee.distance(ankle));
    let whole = upper + lower;
    let Some(along) = (goal - hip).try_normalize().filter(|_| whole > 1e-9) else {
        return [Quat::IDENTITY; 2];
    };
    let far = STRAIGHT * whole;
    let near = (upper - lower).abs() + 1e-4 * whole;
    let distance = goal.distance(hip).min(far.max(near)).max(near);
    let cosine = (upper * upper + distance * distance - lower * lower) / (2.0 * upper * distance);
    let cosine = cosine.clamp(-1.0, 1.0);
    // The knee's own side, with a little of where it looks for a leg that is straight.
    let bent = knee - hip + 0.02 * whole * forward;
    let side = (bent - along * along.dot(bent)).try_normalize();
    let side = side.unwrap_or_else(|| along.any_orthonormal_vector());
    let new_knee = hip + upper * (cosine * along + (1.0 - cosine * cosine).max(0.0).sqrt() * side);
    let new_ankle = hip + distance * along;
    let swing = |from: Vec3, to: Vec3| match (from.try_normalize(), to.try_normalize()) {
        (Some(from), Some(to)) => arc(from, to),
        _ => Quat::IDENTITY,
    };
    let thigh = swing(knee - hip, new_knee - hip);
    let shin = swing(thigh * (ankle - knee), new_ankle - new_knee);
    [thigh, shin]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ankle_after(goal: Vec3) -> (Vec3, Vec3) {
        let (hip, knee, ankle) = (Vec3::Y * 2.0, Vec3::Y, Vec3::ZERO);
        let [thigh, shin] = reach(hip, knee, ankle, goal, Vec3::Z);
        let new_knee = hip + thigh * (knee - hip);
        (new_knee, new_knee + shin * (thigh * (ankle - knee)))
    }

    #[test]
    fn a_leg_of_two_metres_reaches_a_place_at_root_two_with_a_right_angle() {
        let (knee, ankle) = ankle_after(Vec3::new(0.0, 2.0 - 2_f32.sqrt(), 0.0));
        assert!(ankle.abs_diff_eq(Vec3::new(0.0, 2.0 - 2_f32.sqrt(), 0.0), 1e-5), "{ankle}");
        // A right angle at the knee: it is 0.5·√2 below and before the hip.
        let half = 0.5 * 2_f32.sqrt();
        assert!(knee.abs_diff_eq(Vec3::new(0.0, 2.0 - half, half), 1e-3), "{knee}");
    }

    #[test]
    fn a_foot_moves_by_a_tenth_of_a_millimetre_when_asked_to() {
        let goal = Vec3::new(1e-4, 0.1, 0.0);
        let (_, ankle) = ankle_after(goal);
        assert!(ankle.distance(goal) < 2e-6, "{ankle}");
    }

    #[test]
    fn a_place_out_of_reach_is_reached_for_and_one_at_the_hip_is_finite() {
        let (_, ankle) = ankle_after(Vec3::new(0.0, -3.0, 0.0));
        assert!(ankle.abs_diff_eq(Vec3::new(0.0, 0.001, 0.0), 1e-3), "{ankle}");
        for goal in [Vec3::Y * 2.0, Vec3::splat(f32::MAX), Vec3::ZERO] {
            let (knee, ankle) = ankle_after(goal);
            assert!(knee.is_finite() && ankle.is_finite(), "{goal}");
        }
    }
}
