//! A clip, sampled: where the points of the skin are over time.
//!
//! In:  a clip of a scene. Out: evenly spaced moments, the points and the nodes at each.
//!
//! Long clips and files with many clips are sampled more coarsely: a check is to take seconds.

use glam::{Affine3A, Vec3A};
use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::{Clip, JointId, Scene};

use crate::probes::Probes;

/// The most moments of one clip, and of all clips of a file.
const MOMENTS: usize = 400;
const ALL_MOMENTS: usize = 5000;
/// Few enough clips have at least so many.
const FEWEST: usize = 24;
/// Where a file gives no rate: moments a second.
const USUAL_RATE: f32 = 30.0;

/// A clip, sampled.
#[derive(Debug)]
pub(crate) struct Motion {
    pub(crate) times: Vec<f32>,
    /// Moment after moment, one for each probe.
    points: Vec<Vec3A>,
    /// Moment after moment, where each followed node is.
    nodes: Vec<Affine3A>,
    followed: Vec<JointId>,
    count: usize,
}

impl Motion {
    /// `followed` are nodes whose matrices are kept.
    pub(crate) fn new(scene: &Scene, clip: &Clip, probes: &Probes, followed: &[JointId]) -> Self {
        let most = (ALL_MOMENTS / scene.clips.len().max(1)).clamp(FEWEST, MOMENTS);
        let gap = median_gap(clip).unwrap_or(1.0 / USUAL_RATE).clamp(1.0 / 60.0, 1.0 / 12.0);
        let steps = ((clip.duration / gap).round().max(1.0) as usize).min(most - 1);
        let times: Vec<f32> =
            (0..=steps).map(|at| clip.duration * at as f32 / steps as f32).collect();
        let mut pose = Pose::new(scene);
        let mut cursor = Cursor::new();
        let mut motion = Self {
            points: Vec::with_capacity(times.len() * probes.all.len()),
            nodes: Vec::with_capacity(times.len() * followed.len()),
            followed: followed.to_vec(),
            count: probes.all.len(),
            times: Vec::new(),
        };
        for &time in &times {
            sample(clip, time, &mut cursor, &mut pose);
            pose.to_model(scene.skeleton());
            let model_from_joint = pose.model_from_joint();
            probes.place(model_from_joint, &mut motion.points);
            motion.nodes.extend(followed.iter().map(|joint| model_from_joint[joint.index()]));
        }
        motion.times = times;
        motion
    }

    pub(crate) fn len(&self) -> usize {
        self.times.len()
    }

    /// The points at a moment.
    pub(crate) fn points(&self, moment: usize) -> &[Vec3A] {
        &self.points[moment * self.count..][..self.count]
    }

    /// Where a followed node is at a moment.
    pub(crate) fn node(&self, joint: JointId, moment: usize) -> Option<Affine3A> {
        let at = self.followed.iter().position(|&known| known == joint)?;
        Some(self.nodes[moment * self.followed.len() + at])
    }

    /// The largest distance that a point has between two moments, and which point.
    pub(crate) fn apart(&self, one: usize, other: usize) -> (f32, usize) {
        let pairs = self.points(one).iter().zip(self.points(other));
        let far = pairs.map(|(a, b)| a.distance(*b)).enumerate();
        far.fold((0.0, 0), |worst, (at, far)| if far > worst.0 { (far, at) } else { worst })
    }

    /// The same after both moments' points are moved level so that their middles agree: without root motion.
    pub(crate) fn apart_in_place(&self, one: usize, other: usize) -> (f32, usize) {
        let middle = |moment: usize| {
            let sum: Vec3A = self.points(moment).iter().sum();
            let middle = sum / self.count.max(1) as f32;
            Vec3A::new(middle.x, 0.0, middle.z)
        };
        let shift = middle(other) - middle(one);
        let pairs = self.points(one).iter().zip(self.points(other));
        let far = pairs.map(|(a, b)| (*a + shift).distance(*b)).enumerate();
        far.fold((0.0, 0), |worst, (at, far)| if far > worst.0 { (far, at) } else { worst })
    }

    /// Whether anything goes away from where it is at a time, before another.
    pub(crate) fn moves_between(&self, from: f32, to: f32, size: f32) -> bool {
        let inside = |at: &usize| (from..=to).contains(&self.times[*at]);
        let Some(first) = (0..self.len()).find(inside) else { return false };
        let mut moments = (0..self.len()).filter(inside);
        moments.any(|at| self.apart(first, at).0 > crate::rules::FAR_SHARE * size)
    }

    /// The largest distance of any point from moment to moment.
    pub(crate) fn steps(&self) -> Vec<f32> {
        (1..self.len()).map(|at| self.apart(at - 1, at).0).collect()
    }
}

/// The median time between neighbouring keys, over all tracks; `None` without two keys.
pub(crate) fn median_gap(clip: &Clip) -> Option<f32> {
    let gaps = clip.all_times().flat_map(|times| times.windows(2).map(|pair| pair[1] - pair[0]));
    median(gaps.filter(|&gap| gap > 0.0).collect())
}

/// The middle one; `None` of none.
pub(crate) fn median(mut values: Vec<f32>) -> Option<f32> {
    if values.is_empty() {
        return None;
    }
    let middle = values.len() / 2;
    Some(*values.select_nth_unstable_by(middle, f32::total_cmp).1)
}
