//! Legs from feet: where the foot is decides how hip, knee and ankle turn.
//!
//! In:  a figure with its hips in place, and where a foot is to be.
//! Out: turns of thigh, shin, foot and toes that put it there. The knee bends forward alone.

use glam::{Mat3, Quat, Vec3};

use super::figure::Figure;
use crate::skeleton::{FOOT, HIPS, SHIN, SIDES, Side, THIGH, TOES, on, places};

/// Where a foot is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Foot {
    /// How far from its rest place, in the model, in metres.
    pub(super) shift: Vec3,
    /// The toes to the outside, in degrees.
    pub(super) yaw: f32,
    /// Rolled back on the heel, in degrees.
    pub(super) heel: f32,
    /// Rolled forward on the ball, in degrees.
    pub(super) ball: f32,
    /// Of that roll, what the toes take back to stay flat, from zero to one.
    pub(super) flat: f32,
    /// The knee to the outside beyond the toes, in degrees.
    pub(super) knee: f32,
}

/// The hindmost place of the left heel that stands on the floor.
const HEEL: Vec3 = Vec3::new(0.100, 0.0, -0.058);

/// From the ball of the foot to the tip of the toes, in metres.
const TOE_LENGTH: f32 = 0.09;

fn about(pivot: Vec3, turn: Quat, p: Vec3) -> Vec3 {
    pivot + turn * (p - pivot)
}

/// Axes with the bone along the first and the hinge near the second.
fn frame(bone: Vec3, hinge: Vec3) -> Mat3 {
    let first = bone.normalize_or(Vec3::NEG_Y);
    let third = first.cross(hinge).normalize_or(Vec3::Z);
    Mat3::from_cols(first, third.cross(first), third)
}

impl Figure {
    /// Stands on its feet.
    pub(super) fn feet(&mut self, left: Foot, right: Foot) {
        for (side, foot) in SIDES.into_iter().zip([left, right]) {
            self.leg(side, foot);
        }
    }

    fn leg(&mut self, side: Side, foot: Foot) {
        let places = places();
        let rest = |joint: usize| places[on(side, joint)];
        let yaw = side.turn(Quat::from_rotation_y(foot.yaw.to_radians()));
        let roll = Quat::from_rotation_x(foot.ball.to_radians());
        let heel = Quat::from_rotation_x(-foot.heel.to_radians());
        let rolled = about(rest(TOES), roll, about(side.place(HEEL), heel, rest(FOOT)));
        // Toes that point down need room below them.
        let pointing = (foot.ball * (1.0 - foot.flat)).to_radians().max(0.0);
        let room = Vec3::Y * (TOE_LENGTH * pointing.sin());
        let ankle = about(rest(FOOT), yaw, rolled) + foot.shift + room;
        let foot_turn = yaw * roll * heel;

        let hips_turn = self.turns[HIPS];
        let hip = self.root + places[HIPS] + self.hips + hips_turn * (rest(THIGH) - places[HIPS]);
        let (upper, lower) = (rest(SHIN) - rest(THIGH), rest(FOOT) - rest(SHIN));
        let (thigh, shin) = (upper.length(), lower.length());
        // A leg is never quite straight, nor folded flat.
        let reach = (ankle - hip).clamp_length(0.3 * (thigh + shin), 0.9985 * (thigh + shin));
        let distance = reach.length();
        let down = reach / distance;
        let out = foot.yaw * 0.6 + foot.knee;
        let forward = side.turn(Quat::from_rotation_y(out.to_radians()))
            * (hips_turn.slerp(Quat::IDENTITY, 0.5) * Vec3::Z);
        let hinge = down.cross(forward).normalize_or(Vec3::NEG_X);
        let knee_forward = hinge.cross(down);
        // The law of cosines at the hip.
        let cos = (thigh * thigh + distance * distance - shin * shin) / (2.0 * thigh * distance);
        let cos = cos.clamp(-1.0, 1.0);
        let bone = (down * cos + knee_forward * (1.0 - cos * cos).sqrt()) * thigh;

        let rest_hinge = |bone: Vec3| bone.cross(Vec3::Z);
        let turn_of = |bone: Vec3, rest_bone: Vec3| {
            let from_rest =
                frame(bone, hinge) * frame(rest_bone, rest_hinge(rest_bone)).transpose();
            Quat::from_mat3(&from_rest).normalize()
        };
        let thigh_turn = turn_of(bone, upper);
        let shin_turn = turn_of(reach - bone, lower);
        self.turns[on(side, THIGH)] = (hips_turn.inverse() * thigh_turn).normalize();
        self.turns[on(side, SHIN)] = (thigh_turn.inverse() * shin_turn).normalize();
        self.turns[on(side, FOOT)] = (shin_turn.inverse() * foot_turn).normalize();
        self.turns[on(side, TOES)] = Quat::from_rotation_x(-(foot.ball * foot.flat).to_radians());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::parent;

    /// Where a joint is in the model.
    fn place_of(figure: &Figure, joint: usize) -> Vec3 {
        let places = places();
        let mut at = Vec3::ZERO;
        let mut up = Some(joint);
        while let Some(joint) = up {
            let from = parent(joint).map_or(Vec3::ZERO, |parent| places[parent]);
            let shift = if joint == HIPS { figure.hips } else { Vec3::ZERO };
            at = figure.turns[joint] * at + places[joint] - from + shift;
            up = parent(joint);
        }
        at + figure.root
    }

    #[test]
    fn the_foot_goes_where_it_is_told_and_the_knee_forward() {
        let mut figure = Figure::new();
        figure.hips = Vec3::new(0.02, -0.2, 0.0);
        figure.turns[HIPS] = Quat::from_rotation_y(0.2) * Quat::from_rotation_x(0.3);
        let step = Foot { shift: Vec3::new(0.05, 0.1, 0.2), ..Foot::default() };
        figure.feet(step, Foot::default());
        let left = place_of(&figure, on(Side::Left, FOOT));
        let expected = places()[on(Side::Left, FOOT)] + step.shift;
        assert!(left.abs_diff_eq(expected, 1e-4), "{left} is not {expected}");
        let [hip, knee, ankle] =
            [THIGH, SHIN, FOOT].map(|joint| place_of(&figure, on(Side::Right, joint)));
        assert!(ankle.abs_diff_eq(places()[on(Side::Right, FOOT)], 1e-4), "{ankle}");
        assert!(knee.z > hip.z.max(ankle.z), "hip {hip}, knee {knee}, ankle {ankle}");
    }

    #[test]
    fn toes_stay_where_they_are_while_the_foot_rolls_over_them() {
        let mut figure = Figure::new();
        figure.hips = Vec3::new(0.0, -0.1, 0.1);
        let rolled = Foot { ball: 40.0, flat: 1.0, ..Foot::default() };
        figure.feet(rolled, Foot::default());
        let toes = place_of(&figure, on(Side::Left, TOES));
        assert!(toes.abs_diff_eq(places()[on(Side::Left, TOES)], 1e-4), "{toes}");
        let heel = place_of(&figure, on(Side::Left, FOOT));
        assert!(heel.y > places()[on(Side::Left, FOOT)].y + 0.06, "{heel}");
    }
}
