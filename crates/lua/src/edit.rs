//! How a script changes a joint after the clip has been sampled.
//!
//! An edit lasts until it is changed or reset: it is laid over every new pose.

use sinew::Transform;
use sinew::glam::{EulerRot, Quat, Vec3};

/// A change to a joint: first in the clip's place, then on top of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Edit {
    /// In the place of the clip's.
    pub(crate) rotation: Option<Quat>,
    /// In the place of the clip's.
    pub(crate) translation: Option<Vec3>,
    /// In the place of the clip's.
    pub(crate) scale: Option<Vec3>,
    /// About the joint's own axes, on top.
    pub(crate) turn: Quat,
    /// In the parent's axes, on top.
    pub(crate) shift: Vec3,
}

impl Default for Edit {
    fn default() -> Self {
        let (rotation, translation, scale) = (None, None, None);
        Self { rotation, translation, scale, turn: Quat::IDENTITY, shift: Vec3::ZERO }
    }
}

impl Edit {
    pub(crate) fn apply(&self, local: Transform) -> Transform {
        let rotation = self.rotation.unwrap_or(local.rotation) * self.turn;
        Transform {
            translation: self.translation.unwrap_or(local.translation) + self.shift,
            rotation: rotation.normalize(),
            scale: self.scale.unwrap_or(local.scale),
        }
    }
}

/// Turned about X, then Y, then Z, in degrees: as scene files have it.
pub(crate) fn turn(degrees: Vec3) -> Quat {
    let angles = degrees * (std::f32::consts::PI / 180.0);
    Quat::from_euler(EulerRot::XYZEx, angles.x, angles.y, angles.z).normalize()
}

/// The three angles of a rotation, in degrees.
pub(crate) fn degrees(rotation: Quat) -> Vec3 {
    let (x, y, z) = rotation.to_euler(EulerRot::XYZEx);
    Vec3::new(x, y, z) * (180.0 / std::f32::consts::PI)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_about_x_then_y_then_z() {
        // Y, a quarter about X, is Z; a quarter about Y makes that X; a quarter about Z makes that Y.
        let turned = turn(Vec3::splat(90.0)) * Vec3::Y;
        assert!(turned.abs_diff_eq(Vec3::Y, 1e-6), "{turned}");
        let back = degrees(turn(Vec3::new(10.0, 20.0, 30.0)));
        assert!(back.abs_diff_eq(Vec3::new(10.0, 20.0, 30.0), 1e-3), "{back}");
    }

    #[test]
    fn an_edit_lies_on_top_of_the_clip_or_in_its_place() {
        let local = Transform { rotation: turn(Vec3::new(0.0, 0.0, 30.0)), ..Transform::IDENTITY };
        let on_top =
            Edit { turn: turn(Vec3::new(0.0, 0.0, 15.0)), shift: Vec3::X, ..Edit::default() };
        let made = on_top.apply(local);
        assert!((degrees(made.rotation).z - 45.0).abs() < 1e-3);
        assert_eq!(made.translation, Vec3::X);
        let instead = Edit { rotation: Some(turn(Vec3::new(0.0, 0.0, -5.0))), ..Edit::default() };
        assert!((degrees(instead.apply(local).rotation).z + 5.0).abs() < 1e-3);
    }
}
