//! Translation, rotation and scale in double precision, and the nearest ones to a matrix.

use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3};
use sinew_scene::Transform;

use crate::shear::Split;

/// Where a node sits in its parent, in double precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Trs {
    pub(super) translation: DVec3,
    pub(super) rotation: DQuat,
    pub(super) scale: DVec3,
}

impl Trs {
    pub(super) const IDENTITY: Self =
        Self { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ONE };

    /// The nearest there are, and how far they miss: the largest error on an axis of unit length.
    pub(super) fn nearest(matrix: DAffine3) -> (Self, f64) {
        let found = Self::closest(matrix);
        let linear = matrix.matrix3;
        let back = found.to_affine().matrix3;
        let length = [linear.x_axis, linear.y_axis, linear.z_axis].map(DVec3::length);
        let size = length.into_iter().fold(f64::MIN_POSITIVE, f64::max);
        let miss =
            [back.x_axis - linear.x_axis, back.y_axis - linear.y_axis, back.z_axis - linear.z_axis];
        let miss = miss.iter().map(|axis| axis.length()).fold(0.0, f64::max) / size;
        (found, miss)
    }

    /// The nearest there are.
    pub(super) fn closest(matrix: DAffine3) -> Self {
        let linear = matrix.matrix3;
        let mut length =
            DVec3::new(linear.x_axis.length(), linear.y_axis.length(), linear.z_axis.length());
        if linear.determinant() < 0.0 {
            length.x = -length.x;
        }
        let axes = straighten(completed(linear, length));
        let scale = DVec3::new(
            axes.x_axis.dot(linear.x_axis),
            axes.y_axis.dot(linear.y_axis),
            axes.z_axis.dot(linear.z_axis),
        );
        let rotation = DQuat::from_mat3(&axes).normalize();
        let rotation = if rotation.is_finite() { rotation } else { DQuat::IDENTITY };
        Self { translation: matrix.translation, rotation, scale }
    }

    /// Any matrix, sheared or not, as two nodes: the outer, and the rotation of the inner, which is as
    /// near as may be to `near`.
    pub(super) fn halves(matrix: DAffine3, near: DQuat) -> (Self, DQuat) {
        let [halves] = Self::halves_of(&[matrix], near);
        halves
    }

    /// The same of several matrices.
    pub(super) fn halves_of<const N: usize>(
        matrices: &[DAffine3; N],
        near: DQuat,
    ) -> [(Self, DQuat); N] {
        let mut halves = [(Self::IDENTITY, near); N];
        let splits = Split::several(matrices.each_ref().map(|matrix| &matrix.matrix3), near);
        for ((to, split), matrix) in halves.iter_mut().zip(&splits).zip(matrices) {
            let translation = matrix.translation;
            *to = (Self { translation, rotation: split.outer, scale: split.scale }, split.inner);
        }
        halves
    }

    pub(super) fn to_affine(self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    pub(super) fn to_transform(self) -> Transform {
        Transform {
            translation: self.translation.as_vec3(),
            rotation: self.rotation.as_quat().normalize(),
            scale: self.scale.as_vec3(),
        }
    }
}

/// Axes of unit length; a lost one is made square to the others.
fn completed(linear: DMat3, length: DVec3) -> DMat3 {
    let axis = |at: usize| {
        let unit = linear.col(at) * length[at].recip();
        (length[at].abs() > 1e-12 && unit.is_finite()).then_some(unit)
    };
    match [axis(0), axis(1), axis(2)] {
        [Some(x), Some(y), Some(z)] => DMat3::from_cols(x, y, z),
        [None, Some(y), Some(z)] => DMat3::from_cols(y.cross(z).normalize_or(DVec3::X), y, z),
        [Some(x), None, Some(z)] => DMat3::from_cols(x, z.cross(x).normalize_or(DVec3::Y), z),
        [Some(x), Some(y), None] => DMat3::from_cols(x, y, x.cross(y).normalize_or(DVec3::Z)),
        [Some(x), None, None] => {
            let y = x.any_orthonormal_vector();
            DMat3::from_cols(x, y, x.cross(y))
        }
        [None, Some(y), None] => {
            let z = y.any_orthonormal_vector();
            DMat3::from_cols(y.cross(z), y, z)
        }
        [None, None, Some(z)] => {
            let x = z.any_orthonormal_vector();
            DMat3::from_cols(x, z.cross(x), z)
        }
        [None, None, None] => DMat3::IDENTITY,
    }
}

/// Cosines between axes below this are the rounding of a file's six digits.
const ROUNDING: f64 = 1e-5;

/// The rotation nearest to a matrix of unit axes: its polar factor, by Newton's iteration
/// (Higham 1986).
fn straighten(mut rotation: DMat3) -> DMat3 {
    let DMat3 { x_axis: x, y_axis: y, z_axis: z } = rotation;
    let (xy, xz, yz) = (x.dot(y), x.dot(z), y.dot(z));
    // Each two axes give way by half; what is left is of the order of the cosines' squares.
    if [xy, xz, yz].iter().all(|cosine| cosine.abs() < ROUNDING) {
        let (xy, xz, yz) = (0.5 * xy, 0.5 * xz, 0.5 * yz);
        return DMat3::from_cols(x - y * xy - z * xz, y - x * xy - z * yz, z - x * xz - y * yz);
    }
    for _ in 0..20 {
        if rotation.determinant().abs() < 1e-9 {
            return DMat3::IDENTITY;
        }
        let next = (rotation + rotation.inverse().transpose()) * 0.5;
        let change = next - rotation;
        rotation = next;
        // The error is squared every time: what is left is a millionth of this change at most.
        if change.abs_diff_eq(DMat3::ZERO, 1e-6) {
            break;
        }
    }
    rotation
}

/// In single precision, as scenes have it.
pub(super) fn single(matrix: DAffine3) -> Affine3A {
    let matrix = matrix.as_affine3a();
    if matrix.is_finite() { matrix } else { Affine3A::IDENTITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_of_the_three_comes_back() {
        let made = Trs {
            translation: DVec3::new(1.0, 2.0, 3.0),
            rotation: DQuat::from_rotation_x(1.0) * DQuat::from_rotation_z(2.0),
            scale: DVec3::new(-2.0, 3.0, 0.5),
        };
        let (found, miss) = Trs::nearest(made.to_affine());
        assert!(miss < 1e-12, "{miss}");
        assert!(found.to_affine().abs_diff_eq(made.to_affine(), 1e-12), "{found:?}");
    }

    #[test]
    fn a_rotation_filed_with_six_digits_is_one_again() {
        let whole = DMat3::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 1.1);
        let filed = |at: usize| ((whole.col(at) * 1e6).round() / 1e6).normalize();
        let filed = DMat3::from_cols(filed(0), filed(1), filed(2));
        let off = |axes: DMat3| axes.transpose() * axes;
        assert!(!off(filed).abs_diff_eq(DMat3::IDENTITY, 1e-8), "digits are lost");
        let found = straighten(filed);
        assert!(off(found).abs_diff_eq(DMat3::IDENTITY, 1e-11), "{found}");
        assert!(found.abs_diff_eq(whole, 1e-6), "{found}");
    }

    #[test]
    fn a_flat_matrix_keeps_its_other_axes() {
        let flat = DAffine3::from_rotation_y(0.5) * DAffine3::from_scale(DVec3::new(2.0, 0.0, 1.0));
        let (found, miss) = Trs::nearest(flat);
        assert!(miss < 1e-12 && found.scale.abs_diff_eq(DVec3::new(2.0, 0.0, 1.0), 1e-12));
        assert!(Trs::nearest(DAffine3::from_scale(DVec3::ZERO)).1 < 1e-12);
    }

    #[test]
    fn halfway_between_two_rotations_there_is_a_shear_that_two_nodes_keep() {
        let far = DMat3::from_axis_angle(DVec3::ONE.normalize(), 1.5);
        let matrix = DAffine3::from_mat3((DMat3::from_rotation_x(0.2) + far) * 0.5);
        assert!(Trs::nearest(matrix).1 > 1e-2);
        let (outer, inner) = Trs::halves(matrix, DQuat::IDENTITY);
        assert!((outer.to_affine() * DAffine3::from_quat(inner)).abs_diff_eq(matrix, 1e-6));
    }

    #[test]
    fn a_shear_is_missed_by_what_no_rotation_and_scale_can_give() {
        let shear = DMat3::from_cols(DVec3::X, DVec3::new(0.5, 1.0, 0.0), DVec3::Z);
        let (_, miss) = Trs::nearest(DAffine3::from_mat3(shear));
        assert!(miss > 0.1, "{miss}");
    }
}
