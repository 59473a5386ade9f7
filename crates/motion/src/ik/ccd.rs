//! Any chain of joints, each within its limits: cyclic coordinate descent.
//!
//! In:  a chain with a [`Limit`] per joint, and a place for its end.
//! Out: rotated joints. None ever leaves its limit, and no round takes the end further away.
//!
//! From the last joint to the first, each turns so that the end comes as near as that joint alone
//! can bring it; a few rounds of this are enough (Wang and Chen 1991).

use sinew_scene::glam::{Quat, Vec3, Vec3A};
use sinew_scene::{JointId, Skeleton};

use super::two_bone::clean_weight;
use super::{Above, IkError, Limit, Outcome, path, unit_or};
use crate::Pose;

/// Of a chain of so many joints it is known how it was before it was bent; of longer ones not.
const KEPT: usize = 64;

/// A chain whose end reaches for a place, each joint within its limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Ccd {
    /// What turns, and how far it may; parents before children, gaps allowed.
    pub joints: Vec<(JointId, Limit)>,
    /// What should be at the target, somewhere below the last joint.
    pub end: JointId,
    /// Near enough, as a part of the chain's length.
    pub tolerance: f32,
    /// The most rounds. Each costs about as much as all joints of the chain.
    pub rounds: usize,
    /// How much of the distance to the target to go, 0 to 1.
    pub weight: f32,
}

impl Ccd {
    /// From `first` down to the parent of `end`, all free.
    ///
    /// # Errors
    /// When `end` is not below `first`.
    pub fn new(skeleton: &Skeleton, first: JointId, end: JointId) -> Result<Self, IkError> {
        let joints = path(skeleton, first, end)?;
        let joints = joints[..joints.len() - 1].iter().map(|&joint| (joint, Limit::Free));
        Ok(Self { joints: joints.collect(), end, tolerance: 1e-3, rounds: 16, weight: 1.0 })
    }

    /// Rotates the chain until its end is at `target`, in model space, or as near as it comes, and
    /// brings all below its first joint up to date.
    ///
    /// Joints that the pose has outside their limits are brought back first, whatever the target.
    /// A target that is not finite, an empty chain or one of no length changes nothing.
    pub fn apply(&self, pose: &mut Pose, skeleton: &Skeleton, target: Vec3) -> Outcome {
        let Some(&(first, _)) = self.joints.first() else { return Outcome::Unchanged };
        let length = self.length(pose);
        let goal = self.place(pose).lerp(target.into(), clean_weight(self.weight));
        if !(length > 1e-12 && length < 1e15 && goal.length_squared() < 1e30) {
            return Outcome::Unchanged;
        }
        self.hold_all(pose, skeleton);
        let near = self.tolerance.max(1e-6) * length;
        let mut missing = self.place(pose).distance(goal);
        // How it was before it was bent, and how far off.
        let mut kept = ([Quat::IDENTITY; KEPT], f32::INFINITY);
        let mut bent = false;
        for _ in 0..self.rounds {
            if missing <= near {
                break;
            }
            let before = missing;
            for &(joint, limit) in self.joints.iter().rev() {
                missing = self.step(pose, skeleton, joint, limit, goal, missing);
            }
            if before - missing > 1e-3 * near {
                continue;
            }
            // In line with the target no joint sees a way: bend once, then go on.
            if bent || missing <= near {
                break;
            }
            bent = true;
            for (kept, &(joint, _)) in kept.0.iter_mut().zip(&self.joints) {
                *kept = pose.rotation(joint);
            }
            kept.1 = missing;
            missing = self.bend(pose, skeleton, goal);
        }
        if missing > kept.1 && self.joints.len() <= KEPT {
            for (kept, &(joint, _)) in kept.0.iter().zip(&self.joints) {
                pose.set_rotation(joint, *kept);
            }
        }
        pose.to_model_from(skeleton, first);
        let missing = self.place(pose).distance(target.into());
        if missing <= near { Outcome::Reached } else { Outcome::Short(missing) }
    }

    fn place(&self, pose: &Pose) -> Vec3A {
        pose.model_from_joint()[self.end.index()].translation
    }

    fn length(&self, pose: &Pose) -> f32 {
        let places = self.joints.iter().map(|(joint, _)| *joint).chain([self.end]);
        let mut places = places.map(|joint| pose.model_from_joint()[joint.index()].translation);
        let mut last = places.next().unwrap_or_default();
        places.map(|place| std::mem::replace(&mut last, place).distance(place)).sum()
    }

    fn hold_all(&self, pose: &mut Pose, skeleton: &Skeleton) {
        for &(joint, limit) in &self.joints {
            let rest = skeleton.node(joint).rest.rotation;
            pose.set_rotation(joint, limit.hold(rest, pose.rotation(joint)));
        }
        pose.to_model_between(skeleton, self.joints[0].0, self.end);
    }

    /// Turns one joint towards the goal, if that brings the end nearer; how far off the end is then.
    fn step(
        &self,
        pose: &mut Pose,
        skeleton: &Skeleton,
        joint: JointId,
        limit: Limit,
        goal: Vec3A,
        missing: f32,
    ) -> f32 {
        let at = pose.model_from_joint()[joint.index()].translation;
        let (from, to) = (self.place(pose) - at, goal - at);
        if !(from.length_squared() > 1e-20 && to.length_squared() > 1e-20) {
            return missing;
        }
        let before = pose.rotation(joint);
        let parent = skeleton.parents()[joint.index()];
        let above = Above::new(parent.map(|up| &pose.model_from_joint()[up.index()]));
        let after = unit_or(above.arc(from, to) * before, before);
        pose.set_rotation(joint, limit.hold(skeleton.node(joint).rest.rotation, after));
        pose.to_model_between(skeleton, joint, self.end);
        let now = self.place(pose).distance(goal);
        // False, too, for what is not a number.
        if now <= missing {
            return now;
        }
        pose.set_rotation(joint, before);
        pose.to_model_between(skeleton, joint, self.end);
        missing
    }

    /// Bends every joint a little, whether that helps at once or not.
    fn bend(&self, pose: &mut Pose, skeleton: &Skeleton, goal: Vec3A) -> f32 {
        for &(joint, limit) in &self.joints {
            let axis = limit.bend_axis(skeleton.node(self.end).rest.translation);
            let before = pose.rotation(joint);
            let after = unit_or(before * Quat::from_axis_angle(axis, 0.2), before);
            pose.set_rotation(joint, limit.hold(skeleton.node(joint).rest.rotation, after));
        }
        pose.to_model_between(skeleton, self.joints[0].0, self.end);
        self.place(pose).distance(goal)
    }
}
