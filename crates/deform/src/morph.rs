//! Morph targets: a weighted sum of differences, added to the mesh.
//!
//! In:  a primitive and one weight per morph target; any weight is good, also negative or above one.
//! Out: positions, normals and tangents before skinning; normals are not yet of unit length.

use sinew_scene::Primitive;
use sinew_scene::glam::Vec3;

use crate::Vertices;

/// Fills `out` with the primitive's own vertices, moved by its morph targets.
pub(crate) fn morph(primitive: &Primitive, weights: &[f32], out: &mut Vertices) {
    assert_eq!(weights.len(), primitive.morphs.len(), "one weight per morph target");
    out.positions.clear();
    out.positions.extend_from_slice(&primitive.positions);
    out.normals.clear();
    out.normals.extend_from_slice(&primitive.normals);
    out.tangents.clear();
    out.tangents.extend_from_slice(&primitive.tangents);
    for (target, &weight) in primitive.morphs.iter().zip(weights) {
        if weight == 0.0 {
            continue;
        }
        add(&mut out.positions, &target.positions, weight);
        add(&mut out.normals, &target.normals, weight);
        for (tangent, change) in out.tangents.iter_mut().zip(&target.tangents) {
            *tangent += (*change * weight).extend(0.0);
        }
    }
}

fn add(values: &mut [Vec3], changes: &[Vec3], weight: f32) {
    for (value, change) in values.iter_mut().zip(changes) {
        *value += *change * weight;
    }
}

#[cfg(test)]
mod tests {
    use sinew_scene::Geometry;
    use sinew_scene::MorphTarget;

    use super::*;

    #[test]
    fn weights_add_up_and_may_be_negative_or_above_one() {
        let target = |direction: Vec3| MorphTarget {
            positions: vec![direction],
            normals: vec![direction],
            tangents: vec![direction],
        };
        let primitive = Primitive::from(Geometry {
            positions: vec![Vec3::ONE],
            normals: vec![Vec3::Z],
            tangents: vec![Vec3::X.extend(-1.0)],
            morphs: vec![target(Vec3::X), target(Vec3::Y), MorphTarget::default()],
            ..Geometry::default()
        });
        let mut out = Vertices::default();
        morph(&primitive, &[2.0, -0.5, 1.0], &mut out);
        assert_eq!(out.positions, [Vec3::new(3.0, 0.5, 1.0)]);
        assert_eq!(out.normals, [Vec3::new(2.0, -0.5, 1.0)]);
        assert_eq!(out.tangents, [Vec3::new(3.0, -0.5, 0.0).extend(-1.0)]);
    }
}
