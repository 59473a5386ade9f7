//! The frame of reference in which a track's rotations are smallest.
//!
//! Rotations are told relative to their middle, and their axes along those of the motion: a knee
//! then moves one number and leaves two still. `rotation = left · stored · right`.

use sinew_scene::glam::{DMat3, DQuat, DVec3, Quat, Vec3};

use crate::sphere::eigen;

/// What rotations are multiplied by, in the very bytes of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) left: [i8; 4],
    pub(crate) right: [i8; 4],
    /// The rotations that they stand for.
    turns: [Quat; 2],
}

impl Frame {
    /// Of a track's rotations, one a frame.
    pub(crate) fn new(rotations: &[Quat]) -> Self {
        let first = rotations[0].as_dquat();
        let sum = rotations.iter().fold(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, turn| {
            let turn = turn.as_dquat();
            sum + if turn.dot(first) < 0.0 { -turn } else { turn }
        });
        let middle = if sum.length() > 1e-6 { sum.normalize() } else { first };
        let mut spread = DMat3::ZERO;
        for turn in rotations {
            let small = middle.conjugate() * turn.as_dquat();
            let axis = DVec3::new(small.x, small.y, small.z);
            spread += DMat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z);
        }
        let axes = DQuat::from_mat3(&eigen(spread).1).normalize();
        let [left, right] = [bytes(middle * axes), bytes(axes.conjugate())];
        Self { left, right, turns: [number(left), number(right)] }
    }

    pub(crate) fn left(self) -> Quat {
        self.turns[0]
    }

    pub(crate) fn right(self) -> Quat {
        self.turns[1]
    }

    /// The rotation that three stored numbers stand for.
    pub(crate) fn turn(self, stored: Vec3) -> Quat {
        let w = (1.0 - stored.length_squared()).max(0.0).sqrt();
        (self.left() * Quat::from_vec4(stored.extend(w)) * self.right()).normalize()
    }

    /// What is stored for a rotation: its fourth number is not negative.
    pub(crate) fn stored(self, rotation: Quat) -> Quat {
        let stored = self.left().conjugate() * rotation * self.right().conjugate();
        if stored.w < 0.0 { -stored } else { stored }
    }
}

fn bytes(rotation: DQuat) -> [i8; 4] {
    let numbers = rotation.to_array();
    let largest = numbers.iter().fold(0.0, |most: f64, number| most.max(number.abs()));
    numbers.map(|number| (number / largest * 127.0).round() as i8)
}

fn number(bytes: [i8; 4]) -> Quat {
    Quat::from_array(bytes.map(f32::from)).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hinge_moves_one_number_alone() {
        let axis = Vec3::new(1.0, 2.0, -0.5).normalize();
        let stand = Quat::from_rotation_y(1.0);
        let hinge: Vec<Quat> =
            (0..20).map(|step| stand * Quat::from_axis_angle(axis, 0.05 * step as f32)).collect();
        let frame = Frame::new(&hinge);
        let mut most = [0.0_f32; 3];
        for turn in &hinge {
            let stored = frame.stored(*turn);
            let back = frame.left() * stored * frame.right();
            assert!(back.dot(*turn).abs() > 1.0 - 1e-6);
            for (most, number) in most.iter_mut().zip(stored.to_array()) {
                *most = most.max(number.abs());
            }
        }
        most.sort_by(f32::total_cmp);
        // A byte tells a direction to half a degree: 1 % of the motion leaks, and the middle is as far off.
        assert!(most[1] < 0.02 && most[2] > 0.2, "{most:?}");
    }

    #[test]
    fn a_rotation_and_its_negative_are_stored_alike() {
        let turns = [0.1, 0.2, 0.4].map(Quat::from_rotation_x);
        let frame = Frame::new(&turns);
        for turn in turns {
            assert_eq!(frame.stored(turn), frame.stored(-turn));
            assert!(frame.stored(turn).w > 0.0);
        }
    }
}
