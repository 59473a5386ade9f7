//! A skeleton in a T-pose, whatever pose it came in: there two skeletons can be compared joint by joint.
//!
//! In:  a body and the pose that shows how it is built.
//! Out: the rotation of each joint when the body stands with its arms level, legs straight and feet flat, in
//! the body's own axes (X left, Y up, Z forward); how long its legs are, how high its ankles.
//!
//! A bone is swung to its place along the shorter arc, its parent's swing first, as a person would straighten an
//! elbow: so bones that were bent about their hinge are straightened about it, and nothing is twisted.

use std::collections::HashMap;

use glam::{Quat, Vec3};
use sinew_scene::JointId;

use crate::body::Body;
use crate::posture::Posture;
use crate::slot::{BodyPart, Side, Slot};
use crate::tree::arc;

/// A body in a T-pose.
#[derive(Clone, Debug)]
pub(crate) struct Stance {
    /// From the body's axes to the model's.
    pub(crate) model_from_body: Quat,
    /// Rotations of joints in the T-pose, in the body's axes.
    pub(crate) rotations: HashMap<JointId, Quat>,
}

/// Heights of an ankle and of the toes above the ground when a foot is flat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Flat {
    pub(crate) ankle: f32,
    pub(crate) toes: f32,
}

impl Stance {
    /// `flat` says how a foot stands where the pose does not.
    pub(crate) fn new(body: &Body, posture: &Posture, flat: Option<Flat>) -> Self {
        let straight = Straight {
            body,
            posture,
            body_from_pose: posture.pose_from_body.inverse(),
            flat,
            rotations: HashMap::new(),
        };
        Self { model_from_body: posture.model_from_body, rotations: straight.all() }
    }

    pub(crate) fn rotation(&self, joint: JointId) -> Quat {
        self.rotations.get(&joint).copied().unwrap_or(Quat::IDENTITY)
    }
}

/// Turns that are worked out from the middle of the body outward.
struct Straight<'a> {
    body: &'a Body,
    posture: &'a Posture,
    body_from_pose: Quat,
    flat: Option<Flat>,
    rotations: HashMap<JointId, Quat>,
}

impl Straight<'_> {
    fn all(mut self) -> HashMap<JointId, Quat> {
        let (hips, chest) = self.twists();
        let spine = self.body.joints(Slot::middle(BodyPart::Spine)).to_vec();
        self.put(Slot::middle(BodyPart::Root), Quat::IDENTITY);
        self.put(Slot::middle(BodyPart::Hips), hips);
        for (at, &joint) in spine.iter().enumerate() {
            let share = (at + 1) as f32 / spine.len() as f32;
            self.put_joint(joint, hips.slerp(chest, share));
        }
        self.put(Slot::middle(BodyPart::Neck), Quat::IDENTITY);
        self.put(Slot::middle(BodyPart::Head), Quat::IDENTITY);
        for side in Side::BOTH {
            self.arm(side, chest);
            self.leg(side, hips);
        }
        self.rotations
    }

    fn put_joint(&mut self, joint: JointId, moved: Quat) {
        let rotation = moved * self.body_from_pose * self.posture.stand.rotation(joint);
        self.rotations.insert(joint, rotation.normalize());
    }

    fn put(&mut self, slot: Slot, moved: Quat) {
        for joint in self.body.joints(slot).to_vec() {
            self.put_joint(joint, moved);
        }
    }

    fn way(&self, from: JointId, to: JointId) -> Option<Vec3> {
        (self.body_from_pose * self.posture.stand.way(from, to)).try_normalize()
    }

    /// In a pose of some motion, hips and shoulders are twisted: their lines are set level.
    fn twists(&self) -> (Quat, Quat) {
        let level = |part| {
            let (left, right) = (self.body.on(Side::Left, part)?, self.body.on(Side::Right, part)?);
            Some(arc(self.way(right, left)?, Vec3::X))
        };
        if self.posture.stands {
            return (Quat::IDENTITY, Quat::IDENTITY);
        }
        let hips = level(BodyPart::Thigh).unwrap_or(Quat::IDENTITY);
        (hips, level(BodyPart::UpperArm).unwrap_or(hips))
    }

    /// Swings a bone, already moved by its parent, to where it points in a T-pose.
    fn swing(&self, moved: Quat, from: Option<JointId>, to: Option<JointId>, aim: Vec3) -> Quat {
        let way = from.zip(to).and_then(|(from, to)| self.way(from, to));
        way.map_or(moved, |way| arc(moved * way, aim) * moved)
    }

    fn arm(&mut self, side: Side, chest: Quat) {
        let on = |part| self.body.on(side, part);
        let (upper, fore, hand) =
            (on(BodyPart::UpperArm), on(BodyPart::Forearm), on(BodyPart::Hand));
        let out = side.sign() * Vec3::X;
        let moved = self.swing(chest, upper, fore, out);
        let below = self.swing(moved, fore, hand, out);
        let palm = self.palm(side, below, out);
        let (axis, roll) = palm.to_axis_angle_about(out, below);
        self.put(Slot::of(side, BodyPart::Clavicle), chest);
        self.put(Slot::of(side, BodyPart::UpperArm), moved);
        // A forearm rotates half as far as its hand, as two bones that cross do.
        self.put(
            Slot::of(side, BodyPart::Forearm),
            Quat::from_axis_angle(axis, roll / 2.0) * below,
        );
        self.put(Slot::of(side, BodyPart::Hand), palm.0);
        self.put(Slot::of(side, BodyPart::Thumb), palm.0);
        for part in BodyPart::FINGERS.into_iter().skip(1) {
            let chain = self.body.joints(Slot::of(side, part)).to_vec();
            let mut moved = palm.0;
            for (at, &joint) in chain.iter().enumerate() {
                moved = self.swing(moved, Some(joint), chain.get(at + 1).copied(), out);
                self.put_joint(joint, moved);
            }
        }
    }

    /// The hand along the arm, its palm down: the little finger behind the index finger.
    fn palm(&self, side: Side, below: Quat, out: Vec3) -> Palm {
        let Some(hand) = self.body.on(side, BodyPart::Hand) else { return Palm(below) };
        let base = |part| self.body.on(side, part);
        let bases: Vec<JointId> = BodyPart::FINGERS.into_iter().skip(1).filter_map(base).collect();
        let ways: Vec<Vec3> = bases.iter().filter_map(|&base| self.way(hand, base)).collect();
        let along = ways.iter().sum::<Vec3>().try_normalize();
        let straight = along.map_or(below, |way| arc(below * way, out) * below);
        let (Some(&first), Some(&last)) = (bases.first(), bases.last()) else {
            return Palm(straight);
        };
        let row = if first == last { None } else { self.way(first, last) };
        let row = row.map(|row| straight * row).map(|row| row - out * out.dot(row));
        let level = row.and_then(Vec3::try_normalize).map_or(Quat::IDENTITY, |row| {
            let angle = row.angle_between(Vec3::NEG_Z) * row.cross(Vec3::NEG_Z).dot(out).signum();
            Quat::from_axis_angle(out, angle)
        });
        Palm(level * straight)
    }

    fn leg(&mut self, side: Side, hips: Quat) {
        let on = |part| self.body.on(side, part);
        let (thigh, shin, foot) = (on(BodyPart::Thigh), on(BodyPart::Shin), on(BodyPart::Foot));
        let moved = self.swing(hips, thigh, shin, Vec3::NEG_Y);
        let below = self.swing(moved, shin, foot, Vec3::NEG_Y);
        let sole = self.sole(side, below);
        self.put(Slot::of(side, BodyPart::Thigh), moved);
        self.put(Slot::of(side, BodyPart::Shin), below);
        self.put(Slot::of(side, BodyPart::Foot), sole);
        self.put(Slot::of(side, BodyPart::Toes), sole);
    }

    /// A foot that is flat stays as it is but for where it points: forward.
    fn sole(&self, side: Side, below: Quat) -> Quat {
        let on = |part| self.body.on(side, part);
        let way = on(BodyPart::Foot)
            .zip(on(BodyPart::Toes))
            .and_then(|(foot, toes)| self.way(foot, toes));
        let Some(way) = way else {
            return if self.posture.stands { Quat::IDENTITY } else { below };
        };
        let heading = Vec3::new(way.x, 0.0, way.z);
        let Some(heading) = heading.try_normalize().filter(|_| heading.length() > 0.2) else {
            return Quat::IDENTITY;
        };
        let yaw = Quat::from_rotation_y(-heading.x.atan2(heading.z));
        if self.posture.stands {
            return yaw;
        }
        // Nothing says how steep a flat foot is but the heights it had on the ground.
        let (Some(flat), Some(foot), Some(toes)) =
            (self.flat, on(BodyPart::Foot), on(BodyPart::Toes))
        else {
            return yaw;
        };
        let length = self.posture.stand.way(foot, toes).length().max(1e-9);
        let steep = ((flat.ankle - flat.toes) / length).clamp(-0.9, 0.9).asin();
        let now = (-(yaw * way).y).clamp(-1.0, 1.0).asin();
        Quat::from_rotation_x(steep - now) * yaw
    }
}

/// A hand's swing.
#[derive(Clone, Copy)]
struct Palm(Quat);

impl Palm {
    /// How far the hand is rolled about the arm against its forearm.
    fn to_axis_angle_about(self, axis: Vec3, below: Quat) -> (Vec3, f32) {
        let roll = self.0 * below.inverse();
        let along = Vec3::new(roll.x, roll.y, roll.z).dot(axis);
        let angle = 2.0 * along.atan2(roll.w);
        let pi = std::f32::consts::PI;
        (
            axis,
            if angle > pi {
                angle - 2.0 * pi
            } else if angle < -pi {
                angle + 2.0 * pi
            } else {
                angle
            },
        )
    }
}
