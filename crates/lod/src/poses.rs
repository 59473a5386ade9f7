//! A mesh in several poses: what a level must look like in all of them.
//!
//! In:  a mesh; palettes, node and morph weights of each pose.
//! Out: where each vertex is in each pose.

use glam::{Affine3A, Vec3};
use sinew_scene::{Mesh, Primitive};

/// One pose of a mesh. All lead into one space, in which errors are measured.
#[derive(Clone, Debug, Default)]
pub struct Pose {
    /// A matrix for each joint of the skin; empty for a rigid mesh.
    pub palette: Vec<Affine3A>,
    /// Carries what no joint influences.
    pub node: Affine3A,
    /// Of the morph targets; those that are not there are zero.
    pub weights: Vec<f32>,
}

impl Pose {
    /// Where the vertices of a primitive are. Skins are added up linearly, whatever their method.
    pub(crate) fn positions<'a>(
        &'a self,
        primitive: &'a Primitive,
    ) -> impl Iterator<Item = Vec3> + 'a {
        primitive.positions.iter().enumerate().map(move |(vertex, &position)| {
            let point = position + self.morphed(primitive, vertex);
            let influences = match primitive.influences.is_empty() {
                true => &[],
                false => primitive.influences.of(vertex),
            };
            if influences.is_empty() || self.palette.is_empty() {
                return self.node.transform_point3(point);
            }
            let mut sum = Vec3::ZERO;
            for influence in influences {
                let matrix = self.palette.get(influence.joint as usize).unwrap_or(&self.node);
                sum += matrix.transform_point3(point) * influence.weight;
            }
            sum
        })
    }

    fn morphed(&self, primitive: &Primitive, vertex: usize) -> Vec3 {
        let change = |(morph, weight): (&sinew_scene::MorphTarget, &f32)| {
            morph.positions.get(vertex).copied().unwrap_or(Vec3::ZERO) * *weight
        };
        primitive.morphs.iter().zip(&self.weights).map(change).sum()
    }
}

/// All vertices of a mesh's surfaces in a pose, as [`Corners`](crate::corners::Corners) counts them.
pub(crate) fn all_positions(mesh: &Mesh, pose: &Pose) -> Vec<Vec3> {
    let surfaces = mesh.primitives.iter();
    let surfaces = surfaces.filter(|one| one.topology == sinew_scene::Topology::Triangles);
    surfaces.flat_map(|primitive| pose.positions(primitive)).collect()
}
