//! The way that a model has gone by its graph: the last seconds of it, seen from where it stands.
//!
//! In:  how far each frame moved it, and where the joint stands that is moved.
//! Out: places in equal steps of time, whatever the frames were.

use std::collections::VecDeque;

use sinew::Transform;
use sinew::glam::Vec3;
use sinew::motion::then;
use sinew::stage::Trail;

/// Seconds from place to place.
const STEP: f32 = 1.0 / 30.0;
/// Ten seconds are remembered.
const KEPT: usize = 300;

/// Where somebody has been.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Walk {
    /// From the beginning to now.
    gone: Transform,
    points: VecDeque<Vec3>,
    last: Option<Vec3>,
    /// Seconds since the last of the points.
    since: f32,
}

impl Walk {
    /// One frame: how far it went, and where it stands in itself.
    pub(crate) fn step(&mut self, way: Transform, place: Vec3, seconds: f32) {
        let start = self.gone.to_affine().transform_point3(place);
        self.gone = then(self.gone, way);
        let here = self.gone.to_affine().transform_point3(place);
        if !here.is_finite() || !seconds.is_finite() {
            return;
        }
        let before = self.last.replace(here).unwrap_or(start);
        if self.points.is_empty() {
            self.points.push_back(before);
        }
        self.since = (self.since + seconds.max(0.0)).min(STEP * KEPT as f32);
        while self.since >= STEP {
            self.since -= STEP;
            let share = (1.0 - self.since / seconds).clamp(0.0, 1.0);
            self.points.push_back(before.lerp(here, share));
        }
        while self.points.len() > KEPT {
            self.points.pop_front();
        }
    }

    /// The way up to now, in the model.
    pub(crate) fn trail(&self) -> Trail {
        let back = self.gone.to_affine().inverse();
        let points = self.points.iter().chain(&self.last);
        let seconds = STEP * self.points.len().saturating_sub(1) as f32;
        Trail::new(points.map(|point| back.transform_point3(*point)), seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::glam::Quat;

    #[test]
    fn behind_whoever_walks_ahead_lies_a_straight_line_whatever_the_frames() {
        for frames in [3_u8, 30, 111] {
            let mut walk = Walk::default();
            let seconds = 1.0 / f32::from(frames);
            for _ in 0..frames {
                walk.step(Transform::from_translation(Vec3::Z * 1.4 * seconds), Vec3::Y, seconds);
            }
            let trail = walk.trail();
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
    fn after_a_turn_to_the_left_the_way_behind_lies_to_the_left() {
        let mut walk = Walk::default();
        walk.step(Transform::from_translation(Vec3::Z), Vec3::ZERO, 0.1);
        walk.step(
            Transform::from_rotation(Quat::from_rotation_y(90_f32.to_radians())),
            Vec3::ZERO,
            0.1,
        );
        // Who turns from north to west has the south to the left: a metre, at +X.
        let first = walk.trail().points()[0];
        assert!(first.abs_diff_eq(Vec3::X, 1e-5), "{first}");
    }

    #[test]
    fn only_the_last_ten_seconds_are_remembered_and_no_frame_breaks_it() {
        let mut walk = Walk::default();
        for seconds in [1e9, 0.0, -1.0, f32::NAN, 20.0] {
            walk.step(Transform::IDENTITY, Vec3::ZERO, seconds);
        }
        assert_eq!(walk.trail().points().len(), KEPT + 1);
    }
}
