//! The camera that a person moves: around a point, nearer and farther, aside.
//!
//! In:  drags and wheel steps in pixels, boxes to look at.
//! Out: a [`Camera`].
//!
//! Two angles and a distance about a target; the horizon never tilts, and straight up or down is a view like any other.

use sinew::Bounds;
use sinew::glam::{Vec2, Vec3};
use sinew::render::{Camera, Lens};

/// Radians for each pixel of a drag.
const RADIANS_PER_PIXEL: f32 = 0.008;
/// How much nearer one notch of a wheel goes; a notch is about 50 pixels.
const NOTCH: f32 = 0.0022;

/// A camera about a target. At yaw and pitch zero it is on +Z: in front of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Orbit {
    pub(crate) target: Vec3,
    /// Radians about Y; positive is towards +X, the model's left.
    pub(crate) yaw: f32,
    /// Radians above the horizon, at most a right angle.
    pub(crate) pitch: f32,
    /// From camera to target, in metres.
    pub(crate) distance: f32,
    /// The whole vertical angle, in radians.
    pub(crate) fov_y: f32,
    /// Whether what is far is as large as what is near.
    pub(crate) flat: bool,
}

impl Default for Orbit {
    fn default() -> Self {
        let (yaw, pitch) = View::ThreeQuarter.angles();
        Self { target: Vec3::Y, yaw, pitch, distance: 4.0, fov_y: 0.6, flat: false }
    }
}

/// Views that a key leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    ThreeQuarter,
    Front,
    Back,
    Left,
    Right,
    Top,
    Bottom,
}

impl View {
    /// Yaw and pitch in radians.
    pub(crate) fn angles(self) -> (f32, f32) {
        let (yaw, pitch) = match self {
            Self::ThreeQuarter => (32.0_f32, 13.0_f32),
            Self::Front => (0.0, 0.0),
            Self::Back => (180.0, 0.0),
            Self::Left => (90.0, 0.0),
            Self::Right => (-90.0, 0.0),
            Self::Top => (0.0, 90.0),
            Self::Bottom => (0.0, -90.0),
        };
        (yaw.to_radians(), pitch.to_radians())
    }
}

impl Orbit {
    /// The view direction; unit length.
    pub(crate) fn forward(&self) -> Vec3 {
        let (sin, cos) = self.yaw.sin_cos();
        let (rise, level) = self.pitch.sin_cos();
        -Vec3::new(sin * level, rise, cos * level)
    }

    fn up(&self) -> Vec3 {
        let (sin, cos) = self.yaw.sin_cos();
        let (rise, level) = self.pitch.sin_cos();
        Vec3::new(-sin * rise, level, -cos * rise)
    }

    /// As the renderer takes it.
    pub(crate) fn camera(&self) -> Camera {
        let camera = Camera {
            position: self.target - self.forward() * self.distance,
            target: self.target,
            up: self.up(),
            lens: Lens::Perspective { fov_y: self.fov_y },
            near: self.distance * 0.01,
            far: None,
        };
        if self.flat { camera.orthographic() } else { camera }
    }

    /// Rotates about the target by a drag in pixels.
    pub(crate) fn rotate(&mut self, drag: Vec2) {
        let right_angle = std::f32::consts::FRAC_PI_2;
        self.yaw = wrapped(self.yaw - drag.x * RADIANS_PER_PIXEL);
        self.pitch = (self.pitch + drag.y * RADIANS_PER_PIXEL).clamp(-right_angle, right_angle);
    }

    /// Moves aside so that what was under the pointer stays under it; `height` is the image's, in the drag's pixels.
    pub(crate) fn pan(&mut self, drag: Vec2, height: f32) {
        let metres = self.metres_per_pixel(height);
        let up = self.up();
        let right = self.forward().cross(up);
        self.target += (up * drag.y - right * drag.x) * metres;
    }

    /// Goes nearer by a wheel's pixels (away when negative) and keeps the point under the pointer where it is seen.
    pub(crate) fn zoom(&mut self, wheel: f32, pointer: Vec2, size: Vec2) {
        let factor = (-wheel * NOTCH).exp();
        let nearest = 1e-4;
        let factor = factor.clamp(nearest / self.distance, 1e6 / self.distance);
        let from_middle = (pointer - size * 0.5) * self.metres_per_pixel(size.y);
        let up = self.up();
        let right = self.forward().cross(up);
        let under = self.target + right * from_middle.x - up * from_middle.y;
        self.target = under + (self.target - under) * factor;
        self.distance *= factor;
    }

    /// Takes the whole of a box into view, from where it looks now.
    pub(crate) fn frame(&mut self, bounds: Bounds, aspect: f32) {
        let camera = Camera::frame(bounds, self.forward(), self.fov_y, aspect);
        self.target = camera.target;
        self.distance = camera.position.distance(camera.target);
    }

    /// Looks from one place at another, whatever it looked at before.
    pub(crate) fn look_from(&mut self, position: Vec3, look_at: Vec3, fov_y: f32) {
        let away = position - look_at;
        self.target = look_at;
        self.distance = away.length().max(1e-4);
        self.yaw = away.x.atan2(away.z);
        self.pitch = (away.y / self.distance).clamp(-1.0, 1.0).asin();
        self.fov_y = fov_y;
    }

    /// Looks from a standard side at a model that faces `facing`.
    pub(crate) fn look(&mut self, view: View, facing: Vec3) {
        let (yaw, pitch) = view.angles();
        let turned =
            if matches!(view, View::Top | View::Bottom) { 0.0 } else { facing.x.atan2(facing.z) };
        (self.yaw, self.pitch) = (wrapped(yaw + turned), pitch);
    }

    /// A part of the path to another camera, the short way round; `part` from 0 to 1.
    pub(crate) fn towards(&self, goal: &Self, part: f32) -> Self {
        Self {
            target: self.target.lerp(goal.target, part),
            yaw: self.yaw + wrapped(goal.yaw - self.yaw) * part,
            pitch: self.pitch + (goal.pitch - self.pitch) * part,
            distance: self.distance * (goal.distance / self.distance).powf(part),
            ..*goal
        }
    }

    fn metres_per_pixel(&self, height: f32) -> f32 {
        2.0 * self.distance * (self.fov_y * 0.5).tan() / height.max(1.0)
    }
}

/// The same angle between minus and plus half a revolution.
fn wrapped(angle: f32) -> f32 {
    use std::f32::consts::{PI, TAU};
    (angle + PI).rem_euclid(TAU) - PI
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person() -> Bounds {
        Bounds { min: Vec3::new(-0.4, 0.0, -0.3), max: Vec3::new(0.4, 1.8, 0.3) }
    }

    const SIZE: Vec2 = Vec2::new(800.0, 600.0);

    #[test]
    fn at_no_angle_the_eye_stands_in_front_and_a_quarter_turn_leads_to_the_models_left() {
        let mut orbit = Orbit { target: Vec3::ZERO, distance: 2.0, ..Orbit::default() };
        orbit.look(View::Front, Vec3::Z);
        assert!(orbit.camera().position.abs_diff_eq(2.0 * Vec3::Z, 1e-6));
        orbit.look(View::Left, Vec3::Z);
        assert!(orbit.camera().position.abs_diff_eq(2.0 * Vec3::X, 1e-6));
        orbit.look(View::Top, Vec3::Z);
        assert!(orbit.camera().position.abs_diff_eq(2.0 * Vec3::Y, 1e-6));
        assert!(orbit.camera().up.abs_diff_eq(Vec3::NEG_Z, 1e-6), "front is below");
        orbit.look(View::Front, Vec3::NEG_Z);
        assert!(orbit.camera().position.abs_diff_eq(-2.0 * Vec3::Z, 1e-5), "it faces away");
    }

    #[test]
    fn a_drag_to_the_right_shows_more_of_the_left_hand_side_and_never_tips_over() {
        let mut orbit = Orbit::default();
        orbit.look(View::Front, Vec3::Z);
        orbit.rotate(Vec2::new(100.0, 0.0));
        assert!((orbit.yaw + 0.8).abs() < 1e-5, "{}", orbit.yaw);
        orbit.rotate(Vec2::new(0.0, 10_000.0));
        assert_eq!(orbit.pitch, std::f32::consts::FRAC_PI_2);
        assert!(orbit.camera().clip_from_world(1.0).is_finite());
    }

    #[test]
    fn a_wheel_keeps_what_is_under_the_pointer() {
        for flat in [false, true] {
            let mut orbit = Orbit { flat, ..Orbit::default() };
            let pointer = Vec2::new(620.0, 140.0);
            // A point on the plane through the target, seen under the pointer.
            let (from, along) = orbit.camera().ray(pointer, SIZE);
            let forward = orbit.forward();
            let gap = (orbit.target - from).dot(forward) / along.dot(forward);
            let point = from + along * gap;
            orbit.zoom(200.0, pointer, SIZE);
            assert!(orbit.distance < 3.0, "it came nearer: {}", orbit.distance);
            let seen = orbit.camera().project(point, SIZE).expect("in front");
            assert!(seen.distance(pointer) < 0.1, "{seen}");
        }
    }

    #[test]
    fn a_pan_moves_the_target_with_the_hand() {
        let mut orbit = Orbit::default();
        let point = orbit.target;
        orbit.pan(Vec2::new(30.0, -20.0), SIZE.y);
        let seen = orbit.camera().project(point, SIZE).expect("in front");
        assert!(seen.distance(SIZE * 0.5 + Vec2::new(30.0, -20.0)) < 0.1, "{seen}");
    }

    #[test]
    fn framing_keeps_the_side_and_has_everything_in_the_image() {
        let mut orbit = Orbit::default();
        let yaw = orbit.yaw;
        let pitch = orbit.pitch;
        orbit.frame(person(), SIZE.x / SIZE.y);
        assert_eq!((orbit.yaw, orbit.pitch), (yaw, pitch));
        for x in [-0.4, 0.4] {
            for y in [0.0, 1.8] {
                for z in [-0.3, 0.3] {
                    let seen = orbit.camera().project(Vec3::new(x, y, z), SIZE).expect("in front");
                    assert!(seen.cmpge(Vec2::ZERO).all() && seen.cmple(SIZE).all(), "{seen}");
                }
            }
        }
    }

    #[test]
    fn the_way_to_the_other_side_is_the_short_one() {
        let from = Orbit { yaw: 3.0, ..Orbit::default() };
        let to = Orbit { yaw: -3.0, ..Orbit::default() };
        let half = from.towards(&to, 0.5);
        assert!((wrapped(half.yaw).abs() - std::f32::consts::PI).abs() < 1e-4, "{}", half.yaw);
    }

    #[test]
    fn no_wheel_turn_leads_to_a_distance_of_nothing_or_without_end() {
        let mut orbit = Orbit::default();
        orbit.zoom(1e9, Vec2::ZERO, SIZE);
        assert!(orbit.distance >= 0.9e-4, "{}", orbit.distance);
        orbit.zoom(-1e9, Vec2::ZERO, SIZE);
        assert!(orbit.distance <= 1.1e6 && orbit.target.is_finite(), "{}", orbit.distance);
    }
}
