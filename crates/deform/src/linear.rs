//! Linear blend skinning: each vertex goes by the weighted sum of its joints' matrices.

use sinew_scene::Influence;
use sinew_scene::glam::{Affine3A, Mat3A, Vec3A};

/// The weighted sum of the palette's matrices for one vertex.
#[inline]
pub(crate) fn blend(influences: &[Influence], model_from_mesh: &[Affine3A]) -> Affine3A {
    if let [only] = influences {
        return model_from_mesh[only.joint as usize];
    }
    let mut sum = Affine3A { matrix3: Mat3A::ZERO, translation: Vec3A::ZERO };
    for influence in influences {
        let matrix = &model_from_mesh[influence.joint as usize];
        sum.matrix3.x_axis += matrix.matrix3.x_axis * influence.weight;
        sum.matrix3.y_axis += matrix.matrix3.y_axis * influence.weight;
        sum.matrix3.z_axis += matrix.matrix3.z_axis * influence.weight;
        sum.translation += matrix.translation * influence.weight;
    }
    sum
}
