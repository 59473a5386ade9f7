//! What one joint makes of its partner's transform.
//!
//! With `R` the reference rotation of a joint in the model, `U` that of its parent and `m` the mirror,
//! a local rotation `L` of joint j becomes `U_k⁻¹ m(U_j) · m(L) · m(R_j)⁻¹ R_k` at its partner k.

use sinew_scene::glam::{Affine3A, Mat3, Mat3A, Quat, Vec3, Vec3A};
use sinew_scene::{JointId, Skeleton, Transform};

use super::{Plane, solid};
use crate::ik::{rotation_of, unit_or};

/// What one joint makes of its partner's transform.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reflection {
    plane: Plane,
    before: Quat,
    after: Quat,
    /// How the partner's moves, in its parent, look in this joint's parent.
    moves: Mat3A,
    /// Where both stand at rest in their parents: this joint, and its partner.
    stands: [Vec3A; 2],
    /// Which of the partner's axes is which of this joint's, and by what its scale counts.
    axes: [u8; 3],
    factors: Vec3,
}

/// Makes the reflection that gives a joint (first) its partner's (second) transform.
pub(super) fn maker(
    skeleton: &Skeleton,
    plane: Plane,
    reference: &[Affine3A],
) -> impl Fn(JointId, JointId) -> Reflection {
    let mut rotations: Vec<Quat> = Vec::with_capacity(reference.len());
    for (node, matrix) in skeleton.nodes().iter().zip(reference) {
        let parent = node.parent.map_or(Quat::IDENTITY, |up| rotations[up.index()]);
        rotations.push(rotation_of(&matrix.matrix3).unwrap_or(parent * node.rest.rotation));
    }
    let solids: Vec<Mat3A> = reference.iter().map(|matrix| solid(&matrix.matrix3)).collect();
    move |to, from| {
        let [up, other_up] = [to, from].map(|joint| skeleton.node(joint).parent);
        let rotation =
            |joint: Option<JointId>| joint.map_or(Quat::IDENTITY, |up| rotations[up.index()]);
        let linear =
            |joint: Option<JointId>| joint.map_or(Mat3A::IDENTITY, |up| solids[up.index()]);
        let after = plane.rotation(rotations[from.index()]).conjugate() * rotations[to.index()];
        let [rest, other_rest] = [to, from].map(|joint| skeleton.node(joint).rest);
        let axes = axes(rotations[to.index()], plane, rotations[from.index()]);
        let factor = |axis: usize| match (rest.scale[axis], other_rest.scale[axes[axis] as usize]) {
            (own, other) if own != 0.0 && other != 0.0 => own / other,
            _ => 1.0,
        };
        Reflection {
            plane,
            before: unit_or(
                rotation(up).conjugate() * plane.rotation(rotation(other_up)),
                Quat::IDENTITY,
            ),
            after: unit_or(after, Quat::IDENTITY),
            moves: linear(up).inverse() * plane.matrix() * linear(other_up),
            stands: [rest.translation.into(), other_rest.translation.into()],
            axes,
            factors: Vec3::new(factor(0), factor(1), factor(2)),
        }
    }
}

/// Which of the partner's axes is which of this joint's; each its own unless all are plain to see.
fn axes(own: Quat, plane: Plane, other: Quat) -> [u8; 3] {
    let seen =
        Mat3::from(Mat3A::from_quat(own).transpose() * plane.matrix() * Mat3A::from_quat(other));
    let found = [0, 1, 2].map(|axis| (0..3).find(|&from| seen.col(from)[axis].abs() > 0.9));
    match found {
        [Some(x), Some(y), Some(z)] if x + y + z == 3 && x != y => [x as u8, y as u8, z as u8],
        _ => [0, 1, 2],
    }
}

impl Reflection {
    #[inline]
    pub(super) fn transform(&self, other: Transform) -> Transform {
        Transform {
            translation: self.translation(other.translation),
            rotation: unit_or(self.rotation(other.rotation), other.rotation),
            scale: self.scale(other.scale),
        }
    }

    /// Linear, so tangents go the same way.
    #[inline]
    pub(super) fn rotation(&self, other: Quat) -> Quat {
        self.before * self.plane.rotation(other) * self.after
    }

    #[inline]
    pub(super) fn translation(&self, other: Vec3) -> Vec3 {
        (self.stands[0] + self.moves * (Vec3A::from(other) - self.stands[1])).into()
    }

    /// A move, without where both stand.
    pub(super) fn shift(&self, other: Vec3) -> Vec3 {
        (self.moves * Vec3A::from(other)).into()
    }

    #[inline]
    pub(super) fn scale(&self, other: Vec3) -> Vec3 {
        let [x, y, z] = self.axes.map(|axis| other[axis as usize]);
        Vec3::new(x, y, z) * self.factors
    }
}
