//! The basis in which a track's rotations are smallest.
//!
//! Rotations are stored relative to their middle, and with their axes along those of the motion: a knee
//! then moves one number and leaves two still. `rotation = left · stored · right`.

use sinew_scene::glam::{DMat3, DQuat, DVec3, Quat, Vec3A};

use super::sphere::eigen;

/// What rotations are multiplied by, in the very bytes of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Basis {
    pub(crate) bytes: [i8; 8],
    left: Quat,
    right: Quat,
}

impl Basis {
    /// Of a track's rotations, one a frame.
    pub(crate) fn new(rotations: impl Iterator<Item = Quat> + Clone) -> Self {
        let near = |sum: DQuat, next: DQuat| if next.dot(sum) < 0.0 { -next } else { next };
        let all = rotations.clone().map(|rotation| rotation.as_dquat());
        let sum = all.reduce(|sum, next| sum + near(sum, next)).unwrap_or(DQuat::IDENTITY);
        let middle = if sum.length() > 1e-6 { sum.normalize() } else { DQuat::IDENTITY };
        let mut spread = DMat3::ZERO;
        for rotation in rotations {
            let small = middle.conjugate() * rotation.as_dquat();
            let axis = DVec3::new(small.x, small.y, small.z);
            spread += DMat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z);
        }
        let axes = DQuat::from_mat3(&eigen(spread).1).normalize();
        let sides = [bytes(middle * axes), bytes(axes.conjugate())];
        let [left, right] = sides.map(|side| Quat::from_array(side.map(f32::from)).normalize());
        let [[a, b, c, d], [e, f, g, h]] = sides;
        Self { bytes: [a, b, c, d, e, f, g, h], left, right }
    }

    /// The rotation that three stored numbers stand for.
    #[inline]
    pub(crate) fn rotation(&self, stored: Vec3A) -> Quat {
        self.left * whole(stored) * self.right
    }

    /// The three numbers that are stored for a rotation.
    #[inline]
    pub(crate) fn stored(&self, rotation: Quat) -> Vec3A {
        three(self.left.conjugate() * rotation * self.right.conjugate())
    }
}

/// A rotation in three numbers, as the document has it: none is larger than 2.
#[inline]
pub(crate) fn three(rotation: Quat) -> Vec3A {
    let scale = 2.0_f32.copysign(rotation.w) / (1.0 + rotation.w.abs());
    Vec3A::from_vec4(rotation.into()) * scale
}

#[inline]
fn whole(three: Vec3A) -> Quat {
    let square = 0.25 * three.length_squared();
    Quat::from_vec4(three.extend(1.0 - square) / (1.0 + square))
}

fn bytes(rotation: DQuat) -> [i8; 4] {
    let numbers = rotation.to_array();
    let largest = numbers.iter().fold(0.0, |most: f64, number| most.max(number.abs()));
    numbers.map(|number| (number / largest * 127.0).round() as i8)
}
