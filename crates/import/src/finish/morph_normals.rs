//! Normals of morph targets whose mesh had none: what is made for the shape at rest is made for each target as well.
//!
//! In:  triangles with normals that were made, and morph targets without.
//! Out: how each target turns them. With a target's weight at one they are the normals of its shape; between, they are blended.

use std::collections::HashMap;

use glam::{DVec3, Vec3};
use sinew_scene::Geometry;

use super::hash::Seed;

/// Makes the normals of all targets that move vertices and say nothing of normals; of flat ones, whose faces share no vertex, each
/// face's own.
pub(super) fn make(primitive: &mut Geometry, flat: bool) {
    let wants = |primitive: &Geometry, at: usize| {
        let target = &primitive.morphs[at];
        target.normals.is_empty() && target.positions.iter().any(|moved| *moved != Vec3::ZERO)
    };
    let wanting: Vec<usize> =
        (0..primitive.morphs.len()).filter(|&at| wants(primitive, at)).collect();
    if wanting.is_empty() || primitive.normals.len() != primitive.positions.len() {
        return;
    }
    let count = primitive.positions.len();
    let (groups, count) =
        if flat { ((0..count as u32).collect(), count) } else { groups(primitive) };
    for at in wanting {
        primitive.morphs[at].normals = turned(primitive, at, &groups, count);
    }
}

/// Vertices at one place with one normal are one, whatever else they carry: the number of each, and how many there are.
fn groups(primitive: &Geometry) -> (Vec<u32>, usize) {
    let mut known: HashMap<[u32; 6], u32, Seed> = HashMap::with_hasher(Seed::new());
    let of_vertex = |(position, normal): (&Vec3, &Vec3)| {
        let [a, b, c] = position.to_array().map(|number| (number + 0.0).to_bits());
        let [d, e, f] = normal.to_array().map(|number| (number + 0.0).to_bits());
        let next = known.len() as u32;
        *known.entry([a, b, c, d, e, f]).or_insert(next)
    };
    let groups = primitive.positions.iter().zip(&primitive.normals).map(of_vertex).collect();
    (groups, known.len())
}

/// What one target adds to each normal.
fn turned(primitive: &Geometry, target: usize, groups: &[u32], count: usize) -> Vec<Vec3> {
    let moved = &primitive.morphs[target].positions;
    let place = |vertex: usize| (primitive.positions[vertex] + moved[vertex]).as_dvec3();
    let mut sums = vec![DVec3::ZERO; count];
    let mut is_moved = vec![false; count];
    for triangle in primitive.indices.chunks_exact(3) {
        let vertices = [0, 1, 2].map(|at| triangle[at] as usize);
        let points = vertices.map(place);
        let face = (points[1] - points[0]).cross(points[2] - points[1]).normalize_or_zero();
        let stirred = vertices.iter().any(|&vertex| moved[vertex] != Vec3::ZERO);
        for (at, &vertex) in vertices.iter().enumerate() {
            let [one, other] = [1, 2].map(|step| points[(at + step) % 3] - points[at]);
            let group = groups[vertex] as usize;
            sums[group] += one.angle_between(other) * face;
            is_moved[group] |= stirred;
        }
    }
    let of_vertex = |(group, normal): (&u32, &Vec3)| {
        let group = *group as usize;
        let sum = sums[group].try_normalize().filter(|_| is_moved[group]);
        sum.map_or(Vec3::ZERO, |sum| sum.as_vec3() - *normal)
    };
    groups.iter().zip(&primitive.normals).map(of_vertex).collect()
}

#[cfg(test)]
mod tests {
    use sinew_scene::{Mesh, MorphTarget};

    use super::super::normals;
    use super::*;
    use sinew_scene::Primitive;

    /// A square of two triangles, whose last corner a target lifts; flat.
    fn lifted(crease_angle: f32) -> Primitive {
        let positions = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let positions = positions.map(|[x, y]| Vec3::new(x, y, 0.0)).to_vec();
        let mut moved = vec![Vec3::ZERO; 4];
        moved[3] = Vec3::Z;
        let morphs = vec![MorphTarget { positions: moved, ..MorphTarget::default() }];
        let indices = vec![0, 1, 2, 0, 2, 3];
        let primitive =
            Primitive::from(Geometry { positions, indices, morphs, ..Geometry::default() });
        let mut mesh = Mesh { primitives: vec![primitive], ..Mesh::default() };
        normals::make(&mut mesh, crease_angle);
        mesh.primitives.remove(0)
    }

    #[test]
    fn flat_faces_are_flat_after_morphing() {
        let primitive = lifted(0.0);
        for triangle in primitive.indices.chunks_exact(3) {
            let at = |corner: usize| triangle[corner] as usize;
            let place = |v: usize| primitive.positions[v] + primitive.morphs[0].positions[v];
            let [a, b, c] = [0, 1, 2].map(|corner| place(at(corner)));
            let face = (b - a).cross(c - b).normalize();
            for corner in 0..3 {
                let vertex = at(corner);
                let normal = primitive.normals[vertex] + primitive.morphs[0].normals[vertex];
                assert!(normal.abs_diff_eq(face, 1e-6), "{normal} for {face}");
            }
        }
    }

    #[test]
    fn a_smooth_edge_stays_smooth_and_what_is_far_from_it_stays() {
        let primitive = lifted(1.0);
        assert_eq!(primitive.positions.len(), 4);
        let turned = &primitive.morphs[0].normals;
        // The corner that only the still triangle has.
        assert_eq!(turned[1], Vec3::ZERO);
        let shared = Vec3::Z + turned[0];
        assert!((shared.length() - 1.0).abs() < 1e-6 && shared.z < 0.99, "{shared}");
    }
}
