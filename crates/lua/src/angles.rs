//! Rotations as scripts write them: three angles in degrees, about X, then Y, then Z, as in scene files.

use sinew::glam::{EulerRot, Quat, Vec3};

/// The rotation of three angles in degrees.
pub(crate) fn rotation(degrees: Vec3) -> Quat {
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
    fn a_rotation_is_about_x_then_y_then_z() {
        // Y, a quarter about X, is Z; a quarter about Y makes that X; a quarter about Z makes that Y.
        let rotated = rotation(Vec3::splat(90.0)) * Vec3::Y;
        assert!(rotated.abs_diff_eq(Vec3::Y, 1e-6), "{rotated}");
        let back = degrees(rotation(Vec3::new(10.0, 20.0, 30.0)));
        assert!(back.abs_diff_eq(Vec3::new(10.0, 20.0, 30.0), 1e-3), "{back}");
    }
}
