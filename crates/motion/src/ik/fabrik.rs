//! Any chain of free joints: forward and backward reaching.
//!
//! In:  a chain and a place for its end.
//! Out: rotated joints. The chain bends evenly, as a tail or a tentacle does.
//!
//! Works on places alone: from the end to the root, then from the root to the end, each place is
//! pulled to its bone's length from the one before; the joints are turned once, when the places fit
//! (Aristidou and Lasenby 2011). For joints with limits see [`Ccd`](super::Ccd).

use sinew_scene::glam::{Vec3, Vec3A};
use sinew_scene::{JointId, Skeleton};

use super::two_bone::clean_weight;
use super::{Above, IkError, Outcome, path, unit_or};
use crate::Pose;

/// A chain of free joints whose end reaches for a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Fabrik {
    /// Near enough, as a part of the chain's length.
    pub tolerance: f32,
    /// The most rounds.
    pub rounds: usize,
    /// How much of the distance to the target to go, 0 to 1.
    pub weight: f32,
    /// From the root to the end.
    joints: Vec<JointId>,
    places: Vec<Vec3A>,
    lengths: Vec<f32>,
}

impl Fabrik {
    /// From `first` down to `end`.
    ///
    /// # Errors
    /// When `end` is not below `first`.
    pub fn new(skeleton: &Skeleton, first: JointId, end: JointId) -> Result<Self, IkError> {
        let joints = path(skeleton, first, end)?;
        let count = joints.len();
        Ok(Self {
            tolerance: 1e-3,
            rounds: 16,
            weight: 1.0,
            joints,
            places: vec![Vec3A::ZERO; count],
            lengths: vec![0.0; count - 1],
        })
    }

    /// The chain, from its root to its end.
    #[must_use]
    pub fn joints(&self) -> &[JointId] {
        &self.joints
    }

    /// Rotates the chain until its end is at `target`, in model space, or as near as it comes, and
    /// brings all below its first joint up to date.
    ///
    /// Out of reach, the chain is stretched towards the target. A target that is not finite or a
    /// chain of no length changes nothing; bones of no length are passed over.
    pub fn apply(&mut self, pose: &mut Pose, skeleton: &Skeleton, target: Vec3) -> Outcome {
        let length = self.measure(pose);
        let last = self.places.len() - 1;
        let goal = self.places[last].lerp(target.into(), clean_weight(self.weight));
        if !(length > 1e-12 && length < 1e15 && goal.length_squared() < 1e30) {
            return Outcome::Unchanged;
        }
        let near = self.tolerance.max(1e-6) * length;
        let end = self.joints[last].index();
        // Bones under an unevenly scaled joint change their length as they turn: then once more.
        for _ in 0..4 {
            // A little nearer than asked, since turning rounds.
            let missing = self.reach(goal, length, 0.9 * near);
            self.rotation(pose, skeleton);
            let off = pose.model_from_joint()[end].translation.distance(goal);
            if off <= missing.max(near) * 1.01 {
                break;
            }
            self.measure(pose);
        }
        pose.to_model_from(skeleton, self.joints[0]);
        let missing = pose.model_from_joint()[end].translation.distance(target.into());
        if missing <= near { Outcome::Reached } else { Outcome::Short(missing) }
    }

    /// Takes places and lengths from the pose; the length of the whole.
    fn measure(&mut self, pose: &Pose) -> f32 {
        for (place, joint) in self.places.iter_mut().zip(&self.joints) {
            *place = pose.model_from_joint()[joint.index()].translation;
        }
        for (length, pair) in self.lengths.iter_mut().zip(self.places.windows(2)) {
            *length = pair[0].distance(pair[1]);
        }
        self.lengths.iter().sum()
    }

    /// Moves the places until the last is at the goal; by how much it misses.
    fn reach(&mut self, goal: Vec3A, length: f32, near: f32) -> f32 {
        let (root, last) = (self.places[0], self.places.len() - 1);
        let far = root.distance(goal);
        if far >= length {
            let along = (goal - root) / far;
            for index in 0..last {
                self.places[index + 1] = self.places[index] + along * self.lengths[index];
            }
            return far - length;
        }
        // A straight chain in line with its goal could only slide along the line; and rarely one
        // gets stuck elsewhere. A bow to the side frees it.
        if self.in_line(goal, length) {
            self.bow(goal, length);
        }
        let missing = self.rounds(root, goal, near);
        if missing <= near {
            return missing;
        }
        self.bow(goal, length);
        self.rounds(root, goal, near)
    }

    /// To the end and back until the goal is near; by how much it is missed.
    fn rounds(&mut self, root: Vec3A, goal: Vec3A, near: f32) -> f32 {
        let last = self.places.len() - 1;
        for _ in 0..self.rounds {
            if self.places[last].distance(goal) <= near {
                break;
            }
            self.places[last] = goal;
            for index in (0..last).rev() {
                let [to, from] = [self.places[index + 1], self.places[index]];
                self.places[index] = pulled(from, to, self.lengths[index]);
            }
            self.places[0] = root;
            for index in 0..last {
                let [to, from] = [self.places[index], self.places[index + 1]];
                self.places[index + 1] = pulled(from, to, self.lengths[index]);
            }
        }
        self.places[last].distance(goal)
    }

    fn in_line(&self, goal: Vec3A, length: f32) -> bool {
        let root = self.places[0];
        let along = (goal - root).normalize_or_zero();
        let off = |place: &Vec3A| (*place - root).cross(along).length();
        self.places.iter().all(|place| off(place) <= 1e-3 * length)
    }

    /// Pulls the middle of the chain to the side.
    fn bow(&mut self, goal: Vec3A, length: f32) {
        let (root, last) = (self.places[0], self.places.len() - 1);
        let along = (goal - root).normalize_or(Vec3A::Y);
        let side = along.any_orthonormal_vector() * (0.05 * length);
        for (index, place) in self.places.iter_mut().enumerate() {
            let fraction = index as f32 / last as f32;
            *place += side * (4.0 * fraction * (1.0 - fraction));
        }
    }

    /// Turns each joint so that the next is in the direction that its place says.
    fn rotation(&self, pose: &mut Pose, skeleton: &Skeleton) {
        for (index, pair) in self.joints.windows(2).enumerate() {
            let matrices = pose.model_from_joint();
            let from =
                matrices[pair[1].index()].translation - matrices[pair[0].index()].translation;
            let to = self.places[index + 1] - self.places[index];
            if from.length_squared() > 1e-24 && to.length_squared() > 1e-24 {
                let parent = skeleton.parents()[pair[0].index()];
                let above = Above::new(parent.map(|up| &matrices[up.index()]));
                let rotation = above.arc(from, to);
                let before = pose.rotation(pair[0]);
                pose.set_rotation(pair[0], unit_or(rotation * before, before));
            }
            pose.to_model_between(skeleton, pair[0], pair[1]);
            if let Some(next) = self.joints.get(index + 2) {
                pose.to_model_between(skeleton, pair[1], *next);
            }
        }
    }
}

/// `from`, brought to this distance from `to`.
fn pulled(from: Vec3A, to: Vec3A, length: f32) -> Vec3A {
    to + (from - to).try_normalize().unwrap_or(Vec3A::Y) * length
}
