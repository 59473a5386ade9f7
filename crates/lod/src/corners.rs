//! A mesh as one surface: which vertices of its primitives are one place.
//!
//! Files split a vertex where texture coordinates, normals or materials change. Its parts are apart in the
//! lists and one on the surface; a *place* is all of them. Parts that different joints move are different places.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use glam::Vec3;
use sinew_scene::{Influence, Mesh, Topology};

/// Vertices of all primitives in one list, and the triangles between them.
#[derive(Debug)]
pub(crate) struct Corners<'a> {
    mesh: &'a Mesh,
    /// Where each primitive's vertices begin.
    first: Vec<u32>,
    /// By vertex.
    pub(crate) place_of: Vec<u32>,
    /// By place.
    pub(crate) positions: Vec<Vec3>,
    /// By place: one of its vertices.
    pub(crate) vertex_of: Vec<u32>,
    /// Of vertices; those with two corners in one place are left out.
    pub(crate) triangles: Vec<[u32; 3]>,
    /// By vertex.
    primitive_of: Vec<u32>,
}

impl<'a> Corners<'a> {
    pub(crate) fn new(mesh: &'a Mesh) -> Self {
        let mut corners = Self {
            mesh,
            first: Vec::new(),
            place_of: Vec::new(),
            positions: Vec::new(),
            vertex_of: Vec::new(),
            triangles: Vec::new(),
            primitive_of: Vec::new(),
        };
        let mut known = HashMap::new();
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
                    corners.positions.push(position);
                    corners.vertex_of.push(first + vertex as u32);
                    corners.positions.len() as u32 - 1
                });
                corners.place_of.push(place);
                corners.primitive_of.push(index as u32);
            }
            for three in primitive.indices.chunks_exact(3) {
                corners.triangles.push([three[0] + first, three[1] + first, three[2] + first]);
            }
        }
        let place_of = &corners.place_of;
        corners.triangles.retain(|three| {
            let [a, b, c] = three.map(|vertex| place_of[vertex as usize]);
            a != b && b != c && c != a
        });
        corners
    }

    fn own(&self, vertex: u32) -> (usize, usize) {
        let primitive = self.primitive_of[vertex as usize] as usize;
        (primitive, (vertex - self.first[primitive]) as usize)
    }

    pub(crate) fn influences(&self, vertex: u32) -> &'a [Influence] {
        let (primitive, own) = self.own(vertex);
        influences(self.mesh, primitive, own)
    }

    pub(crate) fn position(&self, vertex: u32) -> Vec3 {
        self.positions[self.place_of[vertex as usize] as usize]
    }

    pub(crate) fn morph_count(&self) -> usize {
        self.mesh.primitives.iter().map(|primitive| primitive.morphs.len()).max().unwrap_or(0)
    }

    /// What a morph target adds to a vertex.
    pub(crate) fn morph(&self, vertex: u32, target: usize) -> Vec3 {
        let (primitive, own) = self.own(vertex);
        let morph = self.mesh.primitives[primitive].morphs.get(target);
        morph.and_then(|morph| morph.positions.get(own)).copied().unwrap_or(Vec3::ZERO)
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
