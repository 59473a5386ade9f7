//! Morph targets: how far each vertex moves when a shape is fully on.

use glam::Vec3;

/// One shape to blend to, as differences from the mesh. A list is empty when nothing of its kind
/// moves, else as long as the primitive's `positions`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphTarget {
    /// Added to positions, times the weight.
    pub positions: Vec<Vec3>,
    /// Added to normals, times the weight.
    pub normals: Vec<Vec3>,
    /// Added to tangents, times the weight; the bitangent's side stays.
    pub tangents: Vec<Vec3>,
}
