//! Somebody who walks where a path leads, as the text of a BVH file: steps that stand, feet that pivot on their balls.
//!
//! The body, the pose it rests in, the order of angles and the path are chosen; so what a clip of a stranger would do is
//! known exactly.

use std::f32::consts::PI;
use std::fmt::Write as _;

use glam::{EulerRot, Mat3, Quat, Vec3};

/// How somebody is built, rests and walks. Lengths are in centimetres, as in most files.
pub(crate) struct Walker {
    pub(crate) thigh: f32,
    pub(crate) shin: f32,
    /// From the middle of the pelvis to a hip.
    pub(crate) hip: f32,
    /// The ankle's height, and how far the ball of the foot is ahead of it.
    pub(crate) ankle: f32,
    pub(crate) ball: f32,
    /// How a joint's bone is rotated in the file's rest pose, away from standing with level arms; by its name.
    pub(crate) rest: fn(&str) -> Quat,
    pub(crate) order: EulerRot,
    pub(crate) rate: f32,
    /// Seconds.
    pub(crate) length: f32,
    /// Metres a second, and heading in radians, at a time.
    pub(crate) path: fn(f32) -> (f32, f32),
    /// Seconds from step to step, of which both feet stand for a part; and how high a foot is lifted.
    pub(crate) step: f32,
    pub(crate) lift: f32,
    /// Whether the file has toes.
    pub(crate) toes: bool,
    /// The first frame is the rest pose, at the origin.
    pub(crate) starts_at_rest: bool,
    /// A joint on the ground below the hips has the path and the heading; the hips move in it.
    pub(crate) root: bool,
}

impl Default for Walker {
    fn default() -> Self {
        Self {
            thigh: 43.0,
            shin: 40.0,
            hip: 9.0,
            ankle: 8.0,
            ball: 13.0,
            rest: |_| Quat::IDENTITY,
            order: EulerRot::ZXY,
            rate: 30.0,
            length: 8.0,
            path: |_| (1.2, 0.0),
            step: 0.55,
            lift: 9.0,
            toes: true,
            starts_at_rest: false,
            root: false,
        }
    }
}

/// A foot on its ground: from when to when, where its ball is, and where it points at both ends.
#[derive(Clone, Copy)]
struct Step {
    land: f32,
    lift: f32,
    ball: Vec3,
    heading: [f32; 2],
}

/// Both feet stand for this share of a step.
const BOTH: f32 = 0.22;

/// Name, parent, place in the parent when standing.
type Bone = (String, Option<usize>, Vec3);

impl Walker {
    fn leg(&self) -> f32 {
        self.thigh + self.shin
    }

    fn bones(&self) -> Vec<Bone> {
        // In the order of the file: a joint, then all that hangs below it.
        let mut bones: Vec<Bone> = Vec::new();
        if self.root {
            bones.push(("Root".into(), None, Vec3::ZERO));
        }
        bones.push(("Hips".into(), self.root.then_some(0), Vec3::ZERO));
        let mut add = |name: &str, parent: &str, place: [f32; 3]| {
            let parent = bones.iter().position(|bone| bone.0 == parent);
            bones.push((name.to_owned(), parent, place.into()));
        };
        add("Spine", "Hips", [0.0, 10.0, 0.0]);
        add("Spine1", "Spine", [0.0, 20.0, 0.0]);
        add("Neck", "Spine1", [0.0, 22.0, 0.0]);
        add("Head", "Neck", [0.0, 10.0, 0.0]);
        for (side, sign) in [("Left", 1.0), ("Right", -1.0)] {
            let name = |part: &str| format!("{side}{part}");
            add(&name("Shoulder"), "Spine1", [sign * 3.0, 18.0, 0.0]);
            add(&name("Arm"), &name("Shoulder"), [sign * 14.0, 0.0, 0.0]);
            add(&name("ForeArm"), &name("Arm"), [sign * 28.0, 0.0, 0.0]);
            add(&name("Hand"), &name("ForeArm"), [sign * 25.0, 0.0, 0.0]);
        }
        for (side, sign) in [("Left", 1.0), ("Right", -1.0)] {
            let name = |part: &str| format!("{side}{part}");
            add(&name("UpLeg"), "Hips", [sign * self.hip, -4.0, 0.0]);
            add(&name("Leg"), &name("UpLeg"), [0.0, -self.thigh, 0.0]);
            add(&name("Foot"), &name("Leg"), [0.0, -self.shin, 0.0]);
            if self.toes {
                add(&name("ToeBase"), &name("Foot"), [0.0, 2.0 - self.ankle, self.ball]);
            }
        }
        bones
    }

    /// Where the middle of the body is over the ground at each 240th of a second, and its heading.
    fn walked(&self) -> Vec<(Vec3, f32)> {
        let count = (240.0 * (self.length + 4.0 * self.step)) as usize;
        let mut place = Vec3::ZERO;
        (0..count)
            .map(|at| {
                let (speed, heading) = (self.path)(at as f32 / 240.0);
                let here = (place, heading);
                place += ahead(heading) * (100.0 * speed / 240.0);
                here
            })
            .collect()
    }

    fn steps(&self, walked: &[(Vec3, f32)], side: usize) -> Vec<Step> {
        let at = |time: f32| walked[((240.0 * time.max(0.0)) as usize).min(walked.len() - 1)];
        let sign = if side == 0 { 1.0 } else { -1.0 };
        let mut steps = Vec::new();
        let mut number = side as f32 - 2.0;
        while number * self.step < self.length + 2.0 * self.step {
            let (land, lift) = (number * self.step, (number + 1.0 + BOTH) * self.step);
            let (place, heading) = at((land + lift) / 2.0);
            let left = ahead(heading + PI / 2.0);
            let ball = place + left * (sign * self.hip) + ahead(heading) * (0.5 * self.ball);
            let ends = [at(land).1, at(lift).1];
            // Somebody who turns sets the foot down half-way and lets it pivot a little.
            let heading = ends.map(|end| heading + 0.4 * (end - heading));
            steps.push(Step { land, lift, ball: ball + 2.0 * Vec3::Y, heading });
            number += 2.0;
        }
        steps
    }

    /// Where the ball of a foot is at a time, and how the foot is rotated.
    fn foot(&self, steps: &[Step], time: f32) -> (Vec3, Quat) {
        let turned = |heading: f32, pitch: f32| {
            Quat::from_rotation_y(heading) * Quat::from_rotation_x(pitch)
        };
        let now = steps.iter().rposition(|step| step.land <= time).unwrap_or(0);
        let step = steps[now];
        let along = |from: f32, to: f32| ((time - from) / (to - from)).clamp(0.0, 1.0);
        let heading = |share: f32| step.heading[0] + share * (step.heading[1] - step.heading[0]);
        if time <= step.lift || now + 1 == steps.len() {
            let heel = smooth(along(step.lift - 0.18, step.lift));
            let heading = heading(smooth(along(step.land, step.lift)));
            return (step.ball, turned(heading, 0.6 * heel));
        }
        let next = steps[now + 1];
        let share = smooth(along(step.lift, next.land));
        let place = step.ball.lerp(next.ball, share) + Vec3::Y * self.lift * (share * PI).sin();
        let heading = step.heading[1] + share * (next.heading[0] - step.heading[1]);
        (place, turned(heading, 0.6 * (1.0 - smooth(share * 1.5))))
    }

    /// Where the hips are at a time, and how each bone is rotated away from standing, in the model.
    fn pose(
        &self,
        bones: &[Bone],
        walked: &[(Vec3, f32)],
        steps: &[Vec<Step>; 2],
        time: f32,
    ) -> (Vec3, Vec<Quat>) {
        let (mut hips, heading) = walked[(240.0 * time) as usize];
        let body = Quat::from_rotation_y(heading);
        let feet = [0, 1].map(|side| {
            let (ball, rotation) = self.foot(&steps[side], time);
            (ball - rotation * Vec3::new(0.0, 2.0 - self.ankle, self.ball), rotation)
        });
        let joint = |side: usize| body * Vec3::new([self.hip, -self.hip][side], -4.0, 0.0);
        hips.y = 4.0 + self.ankle + 0.985 * self.leg();
        for (side, (ankle, _)) in feet.iter().enumerate() {
            let way = ankle - (hips + joint(side));
            let level = Vec3::new(way.x, 0.0, way.z).length();
            let reach = ((0.99 * self.leg()).powi(2) - level * level).max(0.0).sqrt();
            hips.y = hips.y.min(ankle.y + reach + 4.0);
        }
        let swing = 0.4 * (PI * time / self.step).sin();
        let mut rotations = vec![body; bones.len()];
        for (at, (name, _, _)) in bones.iter().enumerate() {
            let side = usize::from(name.starts_with("Right"));
            let sign = [1.0, -1.0][side];
            let hang = Quat::from_rotation_z(-sign * 1.35);
            let arm = body * Quat::from_rotation_x(sign * swing) * hang;
            let (ankle, foot) = feet[side];
            let [thigh, shin] =
                self.bend(hips + joint(side), ankle, (body * Vec3::Z + foot * Vec3::Z).normalize());
            rotations[at] = match name.trim_start_matches("Left").trim_start_matches("Right") {
                "Arm" => arm,
                "ForeArm" | "Hand" => body * Quat::from_rotation_x(sign * swing - 0.4) * hang,
                "UpLeg" => thigh,
                "Leg" => shin,
                "Foot" | "ToeBase" => foot,
                _ => body,
            };
        }
        (hips, rotations)
    }

    /// How thigh and shin are rotated so that the ankle is where it belongs.
    fn bend(&self, hip: Vec3, ankle: Vec3, forward: Vec3) -> [Quat; 2] {
        let way = ankle - hip;
        let far = way.length().min(0.9999 * self.leg());
        let along = way.normalize();
        let cosine =
            (self.thigh.powi(2) + far * far - self.shin.powi(2)) / (2.0 * self.thigh * far);
        let side = (forward - along * along.dot(forward)).normalize();
        let knee = self.thigh * (cosine * along + (1.0 - cosine * cosine).max(0.0).sqrt() * side);
        [knee, far * along - knee].map(|bone| {
            let up = -bone.normalize();
            let left = up.cross(forward).normalize();
            Quat::from_mat3(&Mat3::from_cols(left, up, left.cross(up)))
        })
    }

    /// The file.
    pub(crate) fn bvh(&self) -> String {
        let bones = self.bones();
        let rest: Vec<Quat> = bones.iter().map(|bone| (self.rest)(&bone.0)).collect();
        let mut text = String::from("HIERARCHY\n");
        self.hierarchy(&bones, &rest, 0, &mut text);
        let walked = self.walked();
        let steps = [self.steps(&walked, 0), self.steps(&walked, 1)];
        let frames = (self.length * self.rate) as usize;
        let _ = writeln!(text, "MOTION\nFrames: {frames}\nFrame Time: {:.7}", 1.0 / self.rate);
        for frame in 0..frames {
            let (hips, posed) = self.pose(&bones, &walked, &steps, frame as f32 / self.rate);
            let is_rest = self.starts_at_rest && frame == 0;
            let hips = if is_rest { Vec3::ZERO } else { hips };
            let file =
                |at: usize| if is_rest { Quat::IDENTITY } else { posed[at] * rest[at].inverse() };
            let ground = if self.root { hips.with_y(0.0) } else { hips };
            for (at, (name, parent, _)) in bones.iter().enumerate() {
                let above = parent.map_or(Quat::IDENTITY, file);
                if moves(name, *parent) {
                    let place = parent.map_or(ground, |_| above.inverse() * (hips - ground));
                    let _ = write!(text, " {:.5} {:.5} {:.5}", place.x, place.y, place.z);
                }
                let (a, b, c) = (above.inverse() * file(at)).normalize().to_euler(self.order);
                for angle in [a, b, c] {
                    let _ = write!(text, " {:.5}", angle.to_degrees());
                }
            }
            text.push('\n');
        }
        text
    }

    fn hierarchy(&self, bones: &[Bone], rest: &[Quat], at: usize, text: &mut String) {
        let (name, parent, place) = &bones[at];
        let place = parent.map_or(Quat::IDENTITY, |parent| rest[parent]) * *place;
        let axes = match self.order {
            EulerRot::XYZ => "Xrotation Yrotation Zrotation",
            EulerRot::YXZ => "Yrotation Xrotation Zrotation",
            EulerRot::ZYX => "Zrotation Yrotation Xrotation",
            EulerRot::XZY => "Xrotation Zrotation Yrotation",
            EulerRot::YZX => "Yrotation Zrotation Xrotation",
            _ => "Zrotation Xrotation Yrotation",
        };
        let kind = if parent.is_none() { "ROOT" } else { "JOINT" };
        let moves = if moves(name, *parent) { "6 Xposition Yposition Zposition" } else { "3" };
        let _ = writeln!(
            text,
            "{kind} {name}\n{{\nOFFSET {:.5} {:.5} {:.5}\nCHANNELS {moves} {axes}",
            place.x, place.y, place.z
        );
        let children: Vec<usize> =
            (0..bones.len()).filter(|&child| bones[child].1 == Some(at)).collect();
        for &child in &children {
            self.hierarchy(bones, rest, child, text);
        }
        if children.is_empty() {
            text.push_str("End Site\n{\nOFFSET 0 0 5\n}\n");
        }
        text.push_str("}\n");
    }
}

/// Whether a joint has translations in the file.
fn moves(name: &str, parent: Option<usize>) -> bool {
    parent.is_none() || name == "Hips"
}

/// The direction of a heading, over the ground.
fn ahead(heading: f32) -> Vec3 {
    Vec3::new(heading.sin(), 0.0, heading.cos())
}

fn smooth(share: f32) -> f32 {
    let share = share.clamp(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}
