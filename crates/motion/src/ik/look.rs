//! A spine, a neck and a head that look at a place together.
//!
//! In:  joints with shares, the direction in which the last one looks, a target or none, and seconds.
//! Out: rotated joints, and a [`LookAtState`] that remembers where they looked.
//!
//! First the direction is decided: held in the field of view, then brought nearer to the last one
//! by a half-life, which is the same however the time is cut into frames. Then the joints turn, each
//! by its share of what is left.

use std::f32::consts::PI;

use sinew_scene::glam::{Vec3, Vec3A};
use sinew_scene::{JointId, Skeleton};

use super::two_bone::clean_weight;
use super::{Above, Aim, IkError, Outcome, arc, part_of, unit_or};
use crate::Pose;

/// Joints that look at a place together.
#[derive(Clone, Debug, PartialEq)]
pub struct LookAt {
    /// What turns before the eyes do, parents before children: the joint, its share (0 to 1) of what
    /// is left to rotate, and the most it may rotate from how the pose has it, in radians.
    pub helpers: Vec<(JointId, f32, f32)>,
    /// The last joint, with the eyes. Its target and weight are not used: see `weight`.
    pub eyes: Aim,
    /// The direction that is up for the eyes' joint, in its own space.
    pub up: Vec3,
    /// The most that the gaze goes to either side of where the pose looks, in radians.
    pub yaw: f32,
    /// The most that the gaze goes up or down from there, in radians.
    pub pitch: f32,
    /// Seconds in which half of the rotation to a new target is done; 0 rotates at once.
    pub half_life: f32,
    /// How much of it to do, 0 to 1.
    pub weight: f32,
}

/// Where somebody looks, from frame to frame: a direction in the model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LookAtState {
    direction: Option<Vec3A>,
}

impl LookAtState {
    /// Looks nowhere yet: the first time there is nothing to turn from.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// As four flat numbers, for a snapshot.
    #[must_use]
    pub fn save(&self) -> [f32; 4] {
        self.direction.map_or([0.0; 4], |at| [at.x, at.y, at.z, 1.0])
    }

    /// As [`save`](Self::save) had it. Numbers that are no direction are as [`new`](Self::new).
    #[must_use]
    pub fn load([x, y, z, on]: [f32; 4]) -> Self {
        let direction = Vec3A::new(x, y, z);
        let unit = (direction.length_squared() - 1.0).abs() < 1e-3;
        Self { direction: (on == 1.0 && unit).then_some(direction) }
    }
}

impl LookAt {
    /// `joints` from the base to the eyes' joint share the rotation evenly; 80° to the sides, 50° up and
    /// down, a half-life of a tenth of a second. `forward` and `up` are in the last joint's space.
    ///
    /// # Errors
    /// When there is no joint.
    pub fn new(joints: &[JointId], forward: Vec3, up: Vec3) -> Result<Self, IkError> {
        let (&eyes, helpers) = joints.split_last().ok_or(IkError::NoJoints)?;
        let share =
            |(index, &joint): (usize, &JointId)| (joint, 1.0 / (joints.len() - index) as f32, PI);
        Ok(Self {
            helpers: helpers.iter().enumerate().map(share).collect(),
            eyes: Aim::new(eyes, forward),
            up,
            yaw: 80_f32.to_radians(),
            pitch: 50_f32.to_radians(),
            half_life: 0.1,
            weight: 1.0,
        })
    }

    /// Rotates the joints towards `target`, in model space, as far as `seconds` let them; without a
    /// target, or one that is not finite, back to how the pose looks. All below the first joint is up
    /// to date then.
    ///
    /// The outcome is short by the angle that is missing to the target. A forward of no length
    /// changes nothing.
    pub fn apply(
        &self,
        pose: &mut Pose,
        skeleton: &Skeleton,
        target: Option<Vec3>,
        gaze: &mut LookAtState,
        seconds: f32,
    ) -> Outcome {
        let target = target.map(Vec3A::from).filter(|target| target.length_squared() < 1e30);
        let Some((eyes, ahead)) = self.sight(pose) else { return Outcome::Unchanged };
        let to = target.map(|target| target - eyes).filter(|to| to.length_squared() > 1e-12);
        let wanted = to.map_or(ahead, |to| self.in_field(pose, ahead, to));
        let direction = self.follow(gaze, ahead, wanted, seconds);
        let weight = clean_weight(self.weight);
        let direction = part_of(arc(ahead, direction, self.spare(pose, ahead)), weight) * ahead;
        let place = eyes + direction * to.map_or(10.0, Vec3A::length);
        self.rotation(pose, skeleton, place);
        match (target, self.sight(pose)) {
            (Some(target), Some((eyes, sight))) => {
                let missing = sight.angle_between(target - eyes);
                if missing > 1e-3 { Outcome::Short(missing) } else { Outcome::Reached }
            }
            _ => Outcome::Reached,
        }
    }

    /// Where the eyes are and the direction in which they look now.
    fn sight(&self, pose: &Pose) -> Option<(Vec3A, Vec3A)> {
        let matrix = &pose.model_from_joint()[self.eyes.joint.index()];
        let place = matrix.transform_point3a(self.eyes.offset.into());
        let forward = (matrix.matrix3 * Vec3A::from(self.eyes.forward)).try_normalize()?;
        place.is_finite().then_some((place, forward))
    }

    /// The eyes' up, made upright on where they look.
    fn spare(&self, pose: &Pose, ahead: Vec3A) -> Vec3A {
        let up = pose.model_from_joint()[self.eyes.joint.index()].matrix3 * Vec3A::from(self.up);
        let across = up - ahead * up.dot(ahead);
        across.try_normalize().unwrap_or_else(|| ahead.any_orthonormal_vector())
    }

    /// The direction to the target, held in the field of view.
    fn in_field(&self, pose: &Pose, ahead: Vec3A, to: Vec3A) -> Vec3A {
        let up = self.spare(pose, ahead);
        let side = up.cross(ahead);
        let to = to.normalize_or(ahead);
        let yaw = f32::atan2(to.dot(side), to.dot(ahead));
        let pitch = to.dot(up).clamp(-1.0, 1.0).asin();
        let (most_yaw, most_pitch) = (self.yaw.max(0.0), self.pitch.max(0.0));
        if yaw.abs() <= most_yaw && pitch.abs() <= most_pitch {
            return to;
        }
        let (sin_yaw, cos_yaw) = yaw.clamp(-most_yaw, most_yaw).sin_cos();
        let (sin_pitch, cos_pitch) = pitch.clamp(-most_pitch, most_pitch).sin_cos();
        (ahead * cos_yaw + side * sin_yaw) * cos_pitch + up * sin_pitch
    }

    /// Goes part of the way from where they looked last.
    fn follow(&self, gaze: &mut LookAtState, ahead: Vec3A, wanted: Vec3A, seconds: f32) -> Vec3A {
        // Whoever looked nowhere begins with where the pose looks.
        let last = gaze.direction.unwrap_or(ahead);
        let seconds = if seconds.is_nan() { 0.0 } else { seconds.max(0.0) };
        let at_once = self.half_life.is_nan() || self.half_life <= 0.0;
        let share = if at_once { 1.0 } else { 1.0 - (-seconds / self.half_life).exp2() };
        let spare = last.any_orthonormal_vector();
        let rotation = part_of(arc(last, wanted, spare), if share.is_nan() { 1.0 } else { share });
        let direction = (rotation * last).normalize_or(wanted);
        gaze.direction = Some(direction);
        direction
    }

    /// Each helper its share, then the eyes the rest.
    fn rotation(&self, pose: &mut Pose, skeleton: &Skeleton, place: Vec3A) {
        let eyes = self.eyes.joint;
        for &(joint, share, most) in &self.helpers {
            let Some((at, sight)) = self.sight(pose) else { return };
            let parent = skeleton.parents()[joint.index()];
            let above = Above::new(parent.map(|up| &pose.model_from_joint()[up.index()]));
            let whole = above.arc(sight, place - at);
            let angle = 2.0 * f32::atan2(whole.xyz().length(), whole.w.abs());
            let share = clean_weight(share).min(most.max(0.0) / angle.max(1e-6));
            let before = pose.rotation(joint);
            pose.set_rotation(joint, unit_or(part_of(whole, share) * before, before));
            pose.to_model_between(skeleton, joint, eyes);
        }
        Aim { weight: 1.0, ..self.eyes }.apply(pose, skeleton, place.into());
        pose.to_model_from(skeleton, self.helpers.first().map_or(eyes, |helper| helper.0));
    }
}
