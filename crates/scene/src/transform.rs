//! Translation, rotation and scale: where a node sits in its parent.
//!
//! Reads from right to left, as a matrix would: a point is scaled, then turned, then moved.

use glam::{Affine3A, Mat3A, Quat, Vec3};

/// Where a node sits in its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// In metres.
    pub translation: Vec3,
    /// A unit quaternion.
    pub rotation: Quat,
    /// Along the node's own axes; may be negative or zero.
    pub scale: Vec3,
}

impl Transform {
    /// At the parent's origin, neither turned nor scaled.
    pub const IDENTITY: Self =
        Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// Moved only.
    #[must_use]
    pub fn from_translation(translation: Vec3) -> Self {
        Self { translation, ..Self::IDENTITY }
    }

    /// Turned only.
    #[must_use]
    pub fn from_rotation(rotation: Quat) -> Self {
        Self { rotation, ..Self::IDENTITY }
    }

    /// The same as a matrix.
    #[must_use]
    pub fn to_affine(self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// The transform that a matrix stands for, or `None` when no translation, rotation and scale
    /// give it: when it is sheared, or flat.
    ///
    /// ```
    /// use sinew_scene::{Transform, glam::{Affine3A, Mat3, Vec3}};
    /// let squash = Affine3A::from_scale(Vec3::new(1.0, -2.0, 3.0));
    /// assert!(Transform::from_affine(squash).is_some());
    /// let shear = Affine3A::from_mat3(Mat3::from_cols(Vec3::X, Vec3::new(0.5, 1.0, 0.0), Vec3::Z));
    /// assert!(Transform::from_affine(shear).is_none());
    /// ```
    #[must_use]
    pub fn from_affine(matrix: Affine3A) -> Option<Self> {
        let linear = matrix.matrix3;
        let mut scale =
            Vec3::new(linear.x_axis.length(), linear.y_axis.length(), linear.z_axis.length());
        if linear.determinant() < 0.0 {
            scale.x = -scale.x;
        }
        let turn = Mat3A::from_cols(
            linear.x_axis / scale.x,
            linear.y_axis / scale.y,
            linear.z_axis / scale.z,
        );
        let rotation = Quat::from_mat3a(&turn);
        // Added up in an order of our own: glam's depends on the machine, and bits shall not.
        let [x, y, z, w] = rotation.to_array().map(|number| number * number);
        let rotation = rotation * (1.0 / ((x + y) + (z + w)).sqrt());
        let back = Mat3A::from_quat(rotation);
        // A flat matrix has divided by zero and is not finite now. The bound is a few times the
        // rounding of single precision, on axes of unit length.
        (rotation.is_finite() && back.abs_diff_eq(turn, 5e-6)).then(|| Self {
            translation: matrix.translation.into(),
            rotation,
            scale,
        })
    }

    /// Whether every number is finite.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mirrored_matrix_comes_back_as_it_was() {
        let made = Transform {
            translation: Vec3::new(1.0, 2.0, 3.0),
            rotation: Quat::from_rotation_y(0.7) * Quat::from_rotation_x(-1.2),
            scale: Vec3::new(2.0, -3.0, 0.5),
        };
        let found = Transform::from_affine(made.to_affine()).expect("it is made of the three");
        assert!(found.to_affine().abs_diff_eq(made.to_affine(), 1e-5), "{found:?}");
    }

    #[test]
    fn a_flat_matrix_is_not_taken_apart() {
        let flat = Affine3A::from_scale(Vec3::new(1.0, 0.0, 1.0));
        assert_eq!(Transform::from_affine(flat), None);
    }
}
