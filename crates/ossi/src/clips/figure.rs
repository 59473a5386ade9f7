//! A figure at one moment: how a person would say where trunk, arms and fingers are.
//!
//! In:  angles in degrees, as seen on the body.
//! Out: the turn of every joint.
//!
//! Arms are thought of as hanging: `hang` takes the arm of the rest pose there, and turns below
//! the shoulder are seen in the hanging arm, where the elbow's axis is X and -X is the palm.

use glam::{Quat, Vec3};

use crate::skeleton::{
    CHEST, CLAVICLE, COUNT, FINGER, FOREARM, HAND, HEAD, HIPS, NECK, SIDES, SPINE, Side, UPPER_ARM,
    UPPER_CHEST, finger, hang, on,
};

/// A figure at one moment.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    /// Where the root is, in metres.
    pub(super) root: Vec3,
    /// How far the hips are from their rest place, seen from the root.
    pub(super) hips: Vec3,
    /// Each joint in its parent.
    pub(super) turns: [Quat; COUNT],
}

/// A turn of the trunk. Degrees: `yaw` to the left, `lean` forward, `tilt` to the right.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turn {
    pub(super) yaw: f32,
    pub(super) lean: f32,
    pub(super) tilt: f32,
}

impl Turn {
    pub(super) fn quat(self) -> Quat {
        Quat::from_rotation_y(self.yaw.to_radians())
            * Quat::from_rotation_x(self.lean.to_radians())
            * Quat::from_rotation_z(self.tilt.to_radians())
    }

    fn share(self, share: f32) -> Quat {
        Self { yaw: self.yaw * share, lean: self.lean * share, tilt: self.tilt * share }.quat()
    }
}

/// An arm, in degrees, from hanging straight down with the palm to the thigh.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arm {
    /// Raised to the front.
    pub(super) swing: f32,
    /// Raised to the side.
    pub(super) out: f32,
    /// The upper arm about its own length, the elbow's crook to the outside.
    pub(super) twist: f32,
    pub(super) elbow: f32,
    /// The forearm about its own length, the thumb to the inside.
    pub(super) turn: f32,
    /// The hand to its palm.
    pub(super) wrist: f32,
    /// The collar bone up.
    pub(super) shrug: f32,
}

impl Default for Arm {
    /// As it hangs when nobody thinks of it.
    fn default() -> Self {
        Self { swing: 2.0, out: 9.0, twist: -8.0, elbow: 16.0, turn: 14.0, wrist: 4.0, shrug: -5.0 }
    }
}

fn x(degrees: f32) -> Quat {
    Quat::from_rotation_x(degrees.to_radians())
}

fn y(degrees: f32) -> Quat {
    Quat::from_rotation_y(degrees.to_radians())
}

fn z(degrees: f32) -> Quat {
    Quat::from_rotation_z(degrees.to_radians())
}

impl Figure {
    /// Upright with hanging arms and easy fingers, on its own feet.
    pub(super) fn new() -> Self {
        let mut figure =
            Self { root: Vec3::ZERO, hips: Vec3::ZERO, turns: [Quat::IDENTITY; COUNT] };
        for side in SIDES {
            figure.arm(side, Arm::default());
            figure.fingers(side, 22.0, 0.0);
        }
        figure
    }

    /// Turns the hips, the chest (as seen in the model, spread over the spine) and the head (the
    /// same, spread over neck and head).
    pub(super) fn trunk(&mut self, hips: Turn, chest: Turn, head: Turn) {
        self.turns[HIPS] = hips.quat();
        let bend = Turn {
            yaw: chest.yaw - hips.yaw,
            lean: chest.lean - hips.lean,
            tilt: chest.tilt - hips.tilt,
        };
        for (joint, share) in [(SPINE, 0.3), (CHEST, 0.4), (UPPER_CHEST, 0.3)] {
            self.turns[joint] = bend.share(share);
        }
        let model_from_chest = [HIPS, SPINE, CHEST, UPPER_CHEST]
            .iter()
            .fold(Quat::IDENTITY, |sum, &joint| sum * self.turns[joint]);
        let whole = model_from_chest.inverse() * head.quat();
        self.turns[NECK] = Quat::IDENTITY.slerp(whole, 0.45).normalize();
        self.turns[HEAD] = (self.turns[NECK].inverse() * whole).normalize();
    }

    pub(super) fn arm(&mut self, side: Side, arm: Arm) {
        let hung = |turn: Quat| (hang().inverse() * turn * hang()).normalize();
        let upper = x(-arm.swing) * z(arm.out - arm.shrug) * y(arm.twist) * hang();
        let mut set = |joint: usize, turn: Quat| {
            self.turns[on(side, joint)] = side.turn(turn.normalize());
        };
        set(CLAVICLE, z(arm.shrug));
        set(UPPER_ARM, upper);
        // A third of the forearm's turn is the elbow's, the rest the wrist's.
        set(FOREARM, hung(x(-arm.elbow) * y(-arm.turn * 0.5)));
        set(HAND, hung(y(-arm.turn * 0.5) * z(-arm.wrist)));
    }

    /// Curls the fingers by so many degrees at each joint, and spreads them.
    pub(super) fn fingers(&mut self, side: Side, curl: f32, spread: f32) {
        for (at, shape) in FINGER.iter().enumerate() {
            for bone in 0..3 {
                let turn = if at == 0 {
                    // The thumb closes over the palm.
                    let axis = shape.along.cross(Vec3::new(-0.8, 0.0, -0.6)).normalize_or(Vec3::Y);
                    Quat::from_axis_angle(axis, (curl * 0.45).to_radians())
                } else {
                    // The fingers beside the middle one open like a fan; the outer ones curl more.
                    let fan = if bone == 0 { spread * (2.0 - at as f32) } else { 0.0 };
                    let share = [0.8, 1.1, 0.8][bone] * (0.88 + 0.08 * at as f32);
                    z(-curl * share) * x(-fan)
                };
                let hung = (hang().inverse() * turn * hang()).normalize();
                self.turns[finger(side, at, bone)] = side.turn(hung);
            }
        }
    }
}
