//! A mesh as one surface: which vertices of its primitives are one place.
//!
//! Files split a vertex where texture coordinates, normals or materials change. Its parts are apart in the
//! lists and one on the surface; a *place* is all of them. Parts that different joints move are different places.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use glam::Vec3;
use sinew_scene::{Influence, Mesh, Topology};

use crate::poses::{Pose, all_positions};

/// Vertices of all primitives in one list, and the triangles between them.
#[derive(Debug)]
pub(crate) struct Corners {
    /// Where each primitive's vertices begin.
    first: Vec<u32>,
    /// By vertex.
    pub(crate) place_of: Vec<u32>,
    /// By pose and place.
    pub(crate) positions: Vec<Vec<Vec3>>,
    /// Of vertices; those with two corners in one place are left out.
    pub(crate) triangles: Vec<[u32; 3]>,
    /// By vertex.
    primitive_of: Vec<u32>,
}

impl Corners {
    pub(crate) fn new(mesh: &Mesh, poses: &[Pose]) -> Self {
        let mut corners = Self {
            first: Vec::new(),
            place_of: Vec::new(),
            positions: Vec::new(),
            triangles: Vec::new(),
            primitive_of: Vec::new(),
        };
        let mut known = HashMap::new();
        // By place.
        let mut some_vertex = Vec::new();
        for (index, primitive) in mesh.primitives.iter().enumerate() {
            let first = corners.place_of.len() as u32;
            corners.first.push(first);
            if primitive.topology != Topology::Triangles {
                continue;
            }
            for (vertex, &position) in primitive.positions.iter().enumerate() {
                let influences = influences(mesh, index, vertex);
                let key = (position.to_array().map(f32::to_bits), hash_of(influences));
                let place = *known.entry(key).or_insert_with(|| {
                    some_vertex.push(first as usize + vertex);
                    some_vertex.len() as u32 - 1
                });
                corners.place_of.push(place);
                corners.primitive_of.push(index as u32);
            }
            for three in primitive.indices.chunks_exact(3) {
                corners.triangles.push([three[0] + first, three[1] + first, three[2] + first]);
            }
        }
        for pose in poses {
            let all = all_positions(mesh, pose);
            corners.positions.push(some_vertex.iter().map(|vertex| all[*vertex]).collect());
        }
        let place_of = &corners.place_of;
        corners.triangles.retain(|three| {
            let [a, b, c] = three.map(|vertex| place_of[vertex as usize]);
            a != b && b != c && c != a
        });
        corners
    }

    /// The three places of a triangle.
    pub(crate) fn places(&self, three: [u32; 3]) -> [u32; 3] {
        three.map(|vertex| self.place_of[vertex as usize])
    }

    /// Triangles as lists of indices, one for each primitive.
    pub(crate) fn indices(&self, mesh: &Mesh, triangles: &[[u32; 3]]) -> Vec<Vec<u32>> {
        let kept = |primitive: &sinew_scene::Primitive| match primitive.topology {
            Topology::Triangles => Vec::new(),
            _ => primitive.indices.clone(),
        };
        let mut lists: Vec<Vec<u32>> = mesh.primitives.iter().map(kept).collect();
        for three in triangles {
            let primitive = self.primitive_of[three[0] as usize] as usize;
            lists[primitive].extend(three.map(|vertex| vertex - self.first[primitive]));
        }
        lists
    }
}

fn influences(mesh: &Mesh, primitive: usize, vertex: usize) -> &[Influence] {
    let influences = &mesh.primitives[primitive].influences;
    if influences.is_empty() { &[] } else { influences.of(vertex) }
}

fn hash_of(influences: &[Influence]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for influence in influences {
        (influence.joint, influence.weight.to_bits()).hash(&mut hasher);
    }
    hasher.finish()
}
