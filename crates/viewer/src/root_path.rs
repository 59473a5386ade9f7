//! Where the root motion of a graph has led: its last seconds, seen from where the model is.
//!
//! In:  the root motion of each frame, and where the root joint is in the model.
//! Out: positions in equal steps of time, whatever the frames were.

use std::collections::VecDeque;

use sinew::glam::Vec3;
use sinew::motion::then;
use sinew::stage::Trail;
use sinew::{Actor, Animator, JointId, Pose, Transform};

/// Seconds from point to point.
const STEP: f32 = 1.0 / 30.0;
/// Ten seconds are remembered.
const MAX_POINTS: usize = 300;

/// Where a character has been.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RootPath {
    /// All root motion from the beginning to now.
    moved: Transform,
    points: VecDeque<Vec3>,
    last: Option<Vec3>,
    /// Seconds since the last of the points.
    since: f32,
}

impl RootPath {
    /// The path that leads to a time of a graph which was jumped to: the animator plays it again.
    pub(crate) fn replayed(actor: &Actor, root: JointId) -> Self {
        let mut animator = Animator::clone(actor);
        animator.modifiers_mut().clear();
        animator.set_speed(1.0);
        animator.resume();
        let time = animator.time();
        let span = time.min(STEP * MAX_POINTS as f32);
        animator.seek(time - span);
        let steps = (span / STEP).ceil();
        let mut path = Self::default();
        for _ in 0..steps as usize {
            animator.advance(span / steps);
            path.step(animator.root_motion(), position(animator.pose(), root), span / steps);
        }
        path
    }

    /// One frame: its root motion, and where the root joint is in the model.
    pub(crate) fn step(&mut self, root_motion: Transform, root: Vec3, seconds: f32) {
        let start = self.moved.to_affine().transform_point3(root);
        self.moved = then(self.moved, root_motion);
        let here = self.moved.to_affine().transform_point3(root);
        if !here.is_finite() || !seconds.is_finite() {
            return;
        }
        let before = self.last.replace(here).unwrap_or(start);
        if self.points.is_empty() {
            self.points.push_back(before);
        }
        self.since = (self.since + seconds.max(0.0)).min(STEP * MAX_POINTS as f32);
        while self.since >= STEP {
            self.since -= STEP;
            let share = (1.0 - self.since / seconds).clamp(0.0, 1.0);
            self.points.push_back(before.lerp(here, share));
        }
        while self.points.len() > MAX_POINTS {
            self.points.pop_front();
        }
    }

    /// The path up to now, in the model.
    pub(crate) fn trail(&self) -> Trail {
        let model_from_path = self.moved.to_affine().inverse();
        let points = self.points.iter().chain(&self.last);
        let seconds = STEP * self.points.len().saturating_sub(1) as f32;
        Trail::new(points.map(|point| model_from_path.transform_point3(*point)), seconds)
    }
}

/// Where a joint is in the model.
pub(crate) fn position(pose: &Pose, joint: JointId) -> Vec3 {
    pose.model_from_joint().get(joint.index()).map_or(Vec3::ZERO, |at| at.translation.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::glam::Quat;

    #[test]
    fn behind_whoever_walks_ahead_lies_a_straight_line_whatever_the_frames() {
        for frames in [3_u8, 30, 111] {
            let mut path = RootPath::default();
            let seconds = 1.0 / f32::from(frames);
            for _ in 0..frames {
                path.step(Transform::from_translation(Vec3::Z * 1.4 * seconds), Vec3::Y, seconds);
            }
            let trail = path.trail();
            let points = trail.points();
            assert!((31..=32).contains(&points.len()), "{frames}: {}", points.len());
            for (at, point) in points.iter().enumerate().take(30) {
                let expected = Vec3::new(0.0, 1.0, 1.4 * (at as f32 / 30.0 - 1.0));
                assert!(point.abs_diff_eq(expected, 0.03), "{frames} {at}: {point} for {expected}");
            }
            assert!(points[points.len() - 1].abs_diff_eq(Vec3::Y, 1e-5), "{points:?}");
        }
    }

    #[test]
    fn after_a_rotation_to_the_left_the_path_behind_lies_to_the_left() {
        let mut path = RootPath::default();
        path.step(Transform::from_translation(Vec3::Z), Vec3::ZERO, 0.1);
        path.step(
            Transform::from_rotation(Quat::from_rotation_y(90_f32.to_radians())),
            Vec3::ZERO,
            0.1,
        );
        // After a rotation from north to west the south is to the left: a metre, at +X.
        let first = path.trail().points()[0];
        assert!(first.abs_diff_eq(Vec3::X, 1e-5), "{first}");
    }

    #[test]
    fn only_the_last_ten_seconds_are_remembered_and_no_frame_breaks_it() {
        let mut path = RootPath::default();
        for seconds in [1e9, 0.0, -1.0, f32::NAN, 20.0] {
            path.step(Transform::IDENTITY, Vec3::ZERO, seconds);
        }
        assert_eq!(path.trail().points().len(), MAX_POINTS + 1);
    }
}
