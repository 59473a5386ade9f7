//! How far a joint may rotate from how it stands at rest.
//!
//! In:  a rest rotation and a rotation, both in the parent.
//! Out: the rotation, or the nearest one that the limit lets through.
//!
//! Any turn is a twist about an axis and then a swing of that axis elsewhere; each is held alone.

use std::f32::consts::{PI, TAU};

use sinew_scene::glam::{Quat, Vec3};

use super::{part_of, unit_or};

/// How far a joint may rotate, counted from rest, about axes of the joint itself, in radians.
///
/// ```
/// use sinew_motion::ik::Limit;
/// use sinew_scene::glam::{Quat, Vec3};
/// let knee = Limit::Hinge { axis: Vec3::X, from: 0.0, to: 2.5 };
/// let bent = knee.hold(Quat::IDENTITY, Quat::from_rotation_x(3.0));
/// assert!(bent.abs_diff_eq(Quat::from_rotation_x(2.5), 1e-6));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Limit {
    /// Any way.
    #[default]
    Free,
    /// About one axis only, between two angles: a knee.
    Hinge {
        /// In the joint's own space.
        axis: Vec3,
        /// The least angle; at least minus half a turn.
        from: f32,
        /// The most; at most half a turn.
        to: f32,
    },
    /// The axis stays in a cone around where it is at rest, and the joint twists about it between
    /// two angles: a shoulder, a vertebra.
    Cone {
        /// Along the bone, in the joint's own space.
        axis: Vec3,
        /// The most that the axis may lean, up to half a turn.
        swing: f32,
        /// The least and the most twist.
        twist: [f32; 2],
    },
}

impl Limit {
    /// The rotation itself when the limit lets it through, or else one that it does.
    ///
    /// An axis of no length, or numbers that are not finite, limit nothing.
    #[must_use]
    pub fn hold(self, rest: Quat, rotation: Quat) -> Quat {
        let (axis, most, range) = match self {
            Self::Free => return rotation,
            Self::Hinge { axis, from, to } => (axis, 0.0, [from, to]),
            Self::Cone { axis, swing, twist } => (axis, swing, twist),
        };
        let Some(axis) = axis.try_normalize() else { return rotation };
        if !(most.is_finite() && range[0].is_finite() && range[1].is_finite()) {
            return rotation;
        }
        let turned = rest.conjugate() * rotation;
        let (swing, angle) = apart(turned, axis);
        let held_angle = hold_angle(angle, range);
        let (held_swing, leans) = hold_swing(swing, most.max(0.0));
        if held_angle == angle && !leans {
            return rotation;
        }
        unit_or(rest * held_swing * Quat::from_axis_angle(axis, held_angle), rest)
    }

    /// By how much the limit is broken, in radians; 0 when it holds.
    #[must_use]
    pub fn broken_by(self, rest: Quat, rotation: Quat) -> f32 {
        let held = self.hold(rest, rotation);
        let between = held.conjugate() * rotation;
        2.0 * f32::atan2(between.xyz().length(), between.w.abs())
    }

    /// An axis to bend a straight chain about, in the joint's own space.
    pub(super) fn bend_axis(self, along: Vec3) -> Vec3 {
        match self {
            Self::Hinge { axis, from, to } => axis.normalize_or(Vec3::X) * (from + to).signum(),
            _ => along.normalize_or(Vec3::Y).any_orthonormal_vector(),
        }
    }
}

/// The swing, and the angle of the twist that goes before it, from minus to plus half a turn.
fn apart(turned: Quat, axis: Vec3) -> (Quat, f32) {
    let along = turned.xyz().dot(axis);
    // A half-turn swing hides the twist: any will do, so none.
    if along * along + turned.w * turned.w < 1e-12 {
        return (turned, 0.0);
    }
    let mut angle = 2.0 * f32::atan2(along, turned.w);
    angle -= TAU * (angle / TAU).round();
    let twist = unit_or(
        Quat::from_xyzw(axis.x * along, axis.y * along, axis.z * along, turned.w),
        Quat::IDENTITY,
    );
    (turned * twist.conjugate(), angle)
}

/// The nearer end, the shorter way round the circle, when the angle is outside.
fn hold_angle(angle: f32, [a, b]: [f32; 2]) -> f32 {
    let (least, most) = (a.min(b).clamp(-PI, PI), a.max(b).clamp(-PI, PI));
    // A little room for rounding, so that what was held stays held.
    if angle >= least - 1e-5 && angle <= most + 1e-5 {
        return angle;
    }
    let away = |end: f32| {
        let off = (angle - end).abs();
        off.min(TAU - off)
    };
    if away(least) < away(most) { least } else { most }
}

fn hold_swing(swing: Quat, most: f32) -> (Quat, bool) {
    let angle = 2.0 * f32::atan2(swing.xyz().length(), swing.w.abs());
    if angle <= most + 1e-5 {
        return (swing, false);
    }
    (part_of(swing, most / angle), true)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rotation_about_x(degrees: f32) -> Quat {
        Quat::from_rotation_x(degrees.to_radians())
    }

    #[test]
    fn a_hinge_lets_nothing_but_its_own_turn_through() {
        let knee = Limit::Hinge { axis: 2.0 * Vec3::X, from: 0.0, to: 150_f32.to_radians() };
        let rest = Quat::from_rotation_y(0.3);
        let within = rest * rotation_about_x(40.0);
        assert_eq!(knee.hold(rest, within), within);
        let sideways = rest * Quat::from_rotation_y(0.2) * rotation_about_x(40.0);
        assert!(knee.hold(rest, sideways).abs_diff_eq(within, 1e-6));
        let back = knee.hold(rest, rest * rotation_about_x(-30.0));
        assert!(back.abs_diff_eq(rest, 1e-6), "{back}");
        // 200° is -160°: 150° is nearer than 0°.
        let over = knee.hold(rest, rest * rotation_about_x(200.0));
        assert!(over.abs_diff_eq(rest * rotation_about_x(150.0), 1e-6), "{over}");
    }

    #[test]
    fn a_cone_holds_swing_and_twist_each_alone() {
        let quarter = 90_f32.to_radians();
        let limit = Limit::Cone { axis: Vec3::Y, swing: quarter / 2.0, twist: [-0.1, 0.2] };
        let turned = rotation_about_x(90.0) * Quat::from_rotation_y(0.5);
        let held = limit.hold(Quat::IDENTITY, turned);
        let expected = rotation_about_x(45.0) * Quat::from_rotation_y(0.2);
        assert!(held.abs_diff_eq(expected, 1e-6), "{held} is not {expected}");
    }

    #[test]
    fn a_limit_that_says_nothing_limits_nothing() {
        let turned = rotation_about_x(170.0);
        for limit in [
            Limit::Free,
            Limit::Hinge { axis: Vec3::ZERO, from: 0.0, to: 0.0 },
            Limit::Cone { axis: Vec3::NAN, swing: 0.0, twist: [0.0; 2] },
            Limit::Cone { axis: Vec3::X, swing: f32::NAN, twist: [0.0; 2] },
        ] {
            assert_eq!(limit.hold(Quat::IDENTITY, turned), turned, "{limit:?}");
        }
    }

    fn rotations() -> impl Strategy<Value = Quat> {
        prop::array::uniform4(-1.0_f32..1.0)
            .prop_map(|v| unit_or(Quat::from_array(v), Quat::IDENTITY))
    }

    proptest! {
        #[test]
        fn what_is_held_stays_held(
            rest in rotations(),
            rotation in rotations(),
            axis in prop::array::uniform3(-1.0_f32..1.0),
            swing in 0.0_f32..3.2,
            a in -4.0_f32..4.0,
            b in -4.0_f32..4.0,
            hinge: bool,
        ) {
            let axis = Vec3::from(axis);
            let limit = match hinge {
                true => Limit::Hinge { axis, from: a, to: b },
                false => Limit::Cone { axis, swing, twist: [a, b] },
            };
            let held = limit.hold(rest, rotation);
            prop_assert!(held.is_normalized(), "{held}");
            let over = limit.broken_by(rest, held);
            prop_assert!(over < 2e-3, "{held} is still broken by {over}");
        }
    }
}
