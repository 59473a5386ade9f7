//! A scene's primitives as one list of vertices, one of indices, and one of texels.
//!
//! A vertex says where its influences and its morph changes begin among the texels and how many there are, so
//! that it may have any number of either. A morph target costs only where it changes something.

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3, Vec4};
use sinew_lod::Level;
use sinew_scene::{Mesh, Primitive, Scene, Topology};

use super::{Detail, Part, middle};

/// A vertex as vertex.wgsl reads it.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Vertex {
    pub(crate) position: Vec4,
    pub(crate) normal: Vec3,
    pub(crate) tangent: [f32; 4],
    pub(crate) uv: [f32; 4],
    pub(crate) color: [f32; 4],
    pub(crate) ranges: [u32; 4],
    /// `Vec4` lies on multiples of 16; this fills the last.
    pub(crate) rest: u32,
}

impl Vertex {
    pub(crate) const ATTRIBUTES: [wgpu::VertexAttribute; 6] = wgpu::vertex_attr_array![
        0 => Float32x4, 1 => Float32x3, 2 => Float32x4, 3 => Float32x4, 4 => Float32x4, 5 => Uint32x4
    ];
}

/// Everything that a scene draws.
#[derive(Debug, Default)]
pub(super) struct Packed {
    pub(super) vertices: Vec<Vertex>,
    pub(super) indices: Vec<u32>,
    pub(super) texels: Vec<[f32; 4]>,
    pub(super) meshes: Vec<Vec<Detail>>,
    /// Vertices of whole meshes; those of levels follow.
    pub(super) whole: usize,
}

pub(super) fn pack(scene: &Scene, levels: &[Vec<Level>]) -> Packed {
    let mut packed = Packed::default();
    let mut edges = 0;
    for mesh in &scene.meshes {
        let mut parts = Vec::with_capacity(mesh.primitives.len());
        let first_vertex = packed.vertices.len() as u32;
        for primitive in &mesh.primitives {
            let first_index = packed.indices.len() as u32;
            packed.add(primitive);
            let indices = first_index..packed.indices.len() as u32;
            let is_surface = primitive.topology == Topology::Triangles;
            let edge_count = if is_surface { 2 * indices.len() as u32 } else { 0 };
            // The default material is the last.
            let filed = primitive.material.map_or(scene.materials.len(), |id| id.index());
            let variants = primitive.variants.iter();
            parts.push(Part {
                indices,
                topology: primitive.topology,
                material: filed,
                filed,
                variants: variants.map(|(id, material)| (*id, material.index())).collect(),
                middle: middle(&primitive.positions),
                edges: edges..edges + edge_count,
            });
            edges += edge_count;
        }
        let vertices = first_vertex..packed.vertices.len() as u32;
        packed.meshes.push(vec![Detail { parts, error: 0.0, vertices }]);
    }
    packed.whole = packed.vertices.len();
    for (index, mesh) in scene.meshes.iter().enumerate() {
        for level in levels.get(index).map_or(&[][..], Vec::as_slice) {
            packed.add_level(index, mesh, level);
        }
    }
    packed
}

impl Packed {
    /// Copies of the vertices that a level uses, and its triangles between them.
    fn add_level(&mut self, index: usize, mesh: &Mesh, level: &Level) {
        let whole = &self.meshes[index][0];
        let mut parts = whole.parts.clone();
        let mut first = whole.vertices.start;
        let start = self.vertices.len() as u32;
        for ((part, primitive), indices) in
            parts.iter_mut().zip(&mesh.primitives).zip(&level.primitives)
        {
            let mut copies = vec![u32::MAX; primitive.positions.len()];
            part.indices = self.indices.len() as u32..(self.indices.len() + indices.len()) as u32;
            for own in indices {
                let copy = &mut copies[*own as usize];
                if *copy == u32::MAX {
                    *copy = self.vertices.len() as u32;
                    let vertex = self.vertices[(first + own) as usize];
                    self.vertices.push(vertex);
                }
                self.indices.push(*copy);
            }
            // Edges are drawn of whole meshes alone.
            part.edges = 0..0;
            first += primitive.positions.len() as u32;
        }
        let vertices = start..self.vertices.len() as u32;
        self.meshes[index].push(Detail { parts, error: level.error, vertices });
    }

    fn add(&mut self, primitive: &Primitive) {
        let first = self.vertices.len() as u32;
        self.indices.extend(primitive.indices.iter().map(|index| first + index));
        let set = |set: usize, vertex: usize| {
            let uv = primitive.uvs.get(set).and_then(|uvs| uvs.get(vertex)).copied();
            uv.unwrap_or(Vec2::ZERO)
        };
        let colors = primitive.colors.first();
        for (vertex, &position) in primitive.positions.iter().enumerate() {
            let (uv0, uv1) = (set(0, vertex), set(1, vertex));
            let color = colors.and_then(|colors| colors.get(vertex)).copied().unwrap_or(Vec4::ONE);
            let share = primitive.dual_weights.get(vertex).copied().unwrap_or(0.0);
            let influences = self.influences(primitive, vertex);
            let changes = self.changes(primitive, vertex);
            self.vertices.push(Vertex {
                position: position.extend(share),
                normal: primitive.normals.get(vertex).copied().unwrap_or(Vec3::ZERO),
                tangent: primitive.tangents.get(vertex).copied().unwrap_or(Vec4::ZERO).to_array(),
                uv: [uv0.x, uv0.y, uv1.x, uv1.y],
                color: color.to_array(),
                ranges: [influences[0], influences[1], changes[0], changes[1]],
                rest: 0,
            });
        }
    }

    /// Two influences to a texel: joint, weight, joint, weight.
    fn influences(&mut self, primitive: &Primitive, vertex: usize) -> [u32; 2] {
        if primitive.influences.is_empty() {
            return [0, 0];
        }
        let influences = primitive.influences.of(vertex);
        let first = self.texels.len() as u32;
        for pair in influences.chunks(2) {
            let second = pair
                .get(1)
                .map_or([0.0, 0.0], |influence| [influence.joint as f32, influence.weight]);
            self.texels.push([pair[0].joint as f32, pair[0].weight, second[0], second[1]]);
        }
        [first, influences.len() as u32]
    }

    /// Three texels for each morph target that changes this vertex.
    fn changes(&mut self, primitive: &Primitive, vertex: usize) -> [u32; 2] {
        let first = self.texels.len() as u32;
        let mut count = 0;
        for (target, morph) in primitive.morphs.iter().enumerate() {
            let of = |list: &[Vec3]| list.get(vertex).copied().unwrap_or(Vec3::ZERO);
            let changes = [&morph.positions, &morph.normals, &morph.tangents].map(|l| of(l));
            if changes.iter().all(|change| *change == Vec3::ZERO) {
                continue;
            }
            let [position, normal, tangent] = changes;
            self.texels.push(position.extend(target as f32).to_array());
            self.texels.push(normal.extend(0.0).to_array());
            self.texels.push(tangent.extend(0.0).to_array());
            count += 1;
        }
        [first, count]
    }
}

/// Adds both ends of every triangle's three edges.
pub(crate) fn edges(indices: &[u32], out: &mut Vec<u32>) {
    for corner in indices.chunks_exact(3) {
        out.extend([corner[0], corner[1], corner[1], corner[2], corner[2], corner[0]]);
    }
}
