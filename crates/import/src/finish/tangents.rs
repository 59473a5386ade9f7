//! Tangents by MikkTSpace, as normal maps are baked for.
//!
//! In:  triangles with normals and the texture coordinates that the normal map uses.
//! Out: a unit tangent per vertex, with the bitangent's side in `w`; vertices are split where
//! tangents differ.
//!
//! A normal map's green points up in the picture, while `v` grows downwards. MikkTSpace makes the
//! bitangent follow its second coordinate, so it is handed `1 - v`: then
//! `bitangent = cross(normal, tangent) · w` points up in the picture, as in glTF files that carry
//! tangents (glTF 2.0, 3.7.2.1; Blender bakes and exports so).

use std::collections::HashMap;

use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};
use glam::{Vec2, Vec3, Vec4};
use sinew_scene::{Material, Primitive, SceneParts, Topology};

use super::hash::Seed;
use super::vertices::{is_sound, split_by_corner};
use crate::note::Notes;
use crate::{Place, Tangents};

/// Makes missing tangents in all meshes, as `wanted` says.
pub(super) fn make_all(parts: &mut SceneParts, wanted: Tangents, notes: &mut Notes) {
    if wanted == Tangents::Keep {
        return;
    }
    for (mesh_at, mesh) in parts.meshes.iter_mut().enumerate() {
        for (at, primitive) in mesh.primitives.iter_mut().enumerate() {
            let material = primitive.material.and_then(|id| parts.materials.get(id.index()));
            let Some(set) = uv_set(primitive, material, wanted) else { continue };
            if let Err(text) = make(primitive, set) {
                notes.add(Place::part(format!("meshes[{mesh_at}].primitives[{at}]")), text);
            }
        }
    }
}

/// The set of texture coordinates to make tangents from; `None` when none are to be made.
fn uv_set(primitive: &Primitive, material: Option<&Material>, wanted: Tangents) -> Option<usize> {
    let mapped = material.and_then(|material| material.normal_texture);
    let set = match (mapped, wanted) {
        (Some(mapped), _) => mapped.uv_set as usize,
        (None, Tangents::Everywhere) => 0,
        (None, _) => return None,
    };
    let has_uvs = primitive.uvs.get(set).is_some_and(|uvs| !uvs.is_empty());
    let good = primitive.topology == Topology::Triangles
        && primitive.tangents.is_empty()
        && !primitive.normals.is_empty()
        && has_uvs
        && is_sound(primitive);
    good.then_some(set)
}

/// Where more triangles than this meet in one vertex, MikkTSpace takes their square in time.
const MOST_AT_VERTEX: usize = 2048;

fn make(primitive: &mut Primitive, set: usize) -> Result<(), String> {
    let vertices = Corner::all(primitive, set);
    if !vertices.iter().all(Corner::is_finite) {
        return Err("no tangents are made: there are numbers that are not finite".into());
    }
    let busiest = most_at_a_vertex(primitive, &vertices);
    if busiest > MOST_AT_VERTEX {
        return Err(format!("no tangents are made: {busiest} triangles meet in one vertex"));
    }
    let mut work = Work {
        vertices: &vertices,
        indices: &primitive.indices,
        faces: real_faces(&primitive.indices, &vertices),
        tangents: vec![None; primitive.indices.len()],
    };
    let Ok(()) = generate_tangents(&mut work) else {
        return Err("no tangents are made: MikkTSpace does not take this mesh".into());
    };
    let tangents = work.tangents;
    primitive.tangents = split_by_corner(primitive, &tangents, |primitive, at| {
        primitive.normals[at].any_orthonormal_vector().extend(1.0)
    });
    Ok(())
}

/// What MikkTSpace reads of a vertex.
#[derive(Clone, Copy)]
struct Corner {
    position: Vec3,
    normal: Vec3,
    uv: Vec2,
}

impl Corner {
    fn all(primitive: &Primitive, set: usize) -> Vec<Self> {
        let uvs = &primitive.uvs[set];
        (0..primitive.positions.len())
            .map(|at| Self {
                position: primitive.positions[at],
                normal: primitive.normals[at],
                uv: Vec2::new(uvs[at].x, 1.0 - uvs[at].y),
            })
            .collect()
    }

    fn is_finite(&self) -> bool {
        self.position.is_finite() && self.normal.is_finite() && self.uv.is_finite()
    }

    fn bits(&self) -> [u32; 8] {
        let ([a, b, c], [d, e, f], [g, h]) =
            (self.position.to_array(), self.normal.to_array(), self.uv.to_array());
        [a, b, c, d, e, f, g, h].map(f32::to_bits)
    }
}

fn most_at_a_vertex(primitive: &Primitive, vertices: &[Corner]) -> usize {
    let mut uses = vec![0_usize; vertices.len()];
    for &index in &primitive.indices {
        uses[index as usize] += 1;
    }
    let mut counts: HashMap<[u32; 8], usize, Seed> = HashMap::with_hasher(Seed::new());
    for (vertex, uses) in vertices.iter().zip(uses) {
        *counts.entry(vertex.bits()).or_default() += uses;
    }
    counts.into_values().max().unwrap_or(0)
}

/// Where each triangle with three distinct positions begins. Others have no say in tangents, and
/// MikkTSpace compares each of them with all the rest.
fn real_faces(indices: &[u32], vertices: &[Corner]) -> Vec<u32> {
    let is_real = |start: usize| {
        let [a, b, c] = [0, 1, 2].map(|at| vertices[indices[start + at] as usize].position);
        a != b && b != c && c != a
    };
    (0..indices.len())
        .step_by(3)
        .filter(|&start| is_real(start))
        .map(|start| start as u32)
        .collect()
}

struct Work<'a> {
    vertices: &'a [Corner],
    indices: &'a [u32],
    faces: Vec<u32>,
    /// For each corner.
    tangents: Vec<Option<Vec4>>,
}

impl Work<'_> {
    fn corner(&self, face: usize, at: usize) -> Corner {
        self.vertices[self.indices[self.faces[face] as usize + at] as usize]
    }
}

impl Geometry for Work<'_> {
    fn num_faces(&self) -> usize {
        self.faces.len()
    }

    fn num_vertices_of_face(&self, _: usize) -> usize {
        3
    }

    fn position(&self, face: usize, at: usize) -> [f32; 3] {
        self.corner(face, at).position.to_array()
    }

    fn normal(&self, face: usize, at: usize) -> [f32; 3] {
        self.corner(face, at).normal.to_array()
    }

    fn tex_coord(&self, face: usize, at: usize) -> [f32; 2] {
        self.corner(face, at).uv.to_array()
    }

    fn set_tangent(&mut self, space: Option<TangentSpace>, face: usize, at: usize) {
        let Some(found) = space.map(|space| Vec4::from(space.tangent_encoded())) else { return };
        // Without area in the texture there is no direction; the vertex gets one that fits its normal.
        if found.is_finite() && found.truncate().is_normalized() {
            self.tangents[self.faces[face] as usize + at] = Some(found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_scene::{MaterialId, Mesh, TextureId, TextureUse, UvTransform};

    /// A square facing +Z, from the lower left corner counter-clockwise.
    fn square(uvs: [[f32; 2]; 4]) -> Primitive {
        Primitive {
            positions: [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
                .map(|[x, y]| Vec3::new(x, y, 0.0))
                .to_vec(),
            normals: vec![Vec3::Z; 4],
            uvs: vec![uvs.map(Vec2::from).to_vec()],
            indices: vec![0, 1, 2, 0, 2, 3],
            ..Primitive::default()
        }
    }

    /// The picture as it hangs on a wall: v grows downwards.
    const UPRIGHT: [[f32; 2]; 4] = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
    /// The same seen in a mirror: u grows to the left.
    const MIRRORED: [[f32; 2]; 4] = [[1.0, 1.0], [0.0, 1.0], [0.0, 0.0], [1.0, 0.0]];

    fn bitangent(primitive: &Primitive, at: usize) -> Vec3 {
        let tangent = primitive.tangents[at];
        primitive.normals[at].cross(tangent.truncate()) * tangent.w
    }

    #[test]
    fn an_upright_picture_has_its_tangent_right_and_its_bitangent_up() {
        let mut primitive = square(UPRIGHT);
        make(&mut primitive, 0).expect("a good square");
        assert_eq!(primitive.tangents, [Vec4::new(1.0, 0.0, 0.0, 1.0); 4]);
        assert_eq!(bitangent(&primitive, 0), Vec3::Y);
    }

    #[test]
    fn a_mirrored_picture_still_has_its_bitangent_up() {
        let mut primitive = square(MIRRORED);
        make(&mut primitive, 0).expect("a good square");
        assert_eq!(primitive.tangents, [Vec4::new(-1.0, 0.0, 0.0, -1.0); 4]);
        assert_eq!(bitangent(&primitive, 0), Vec3::Y);
    }

    /// A butterfly: two squares with one picture, the left one mirrored at their common edge.
    #[test]
    fn a_vertex_on_the_line_of_a_mirror_is_split() {
        let mut primitive = square(UPRIGHT);
        primitive.positions.extend([Vec3::new(-1.0, 0.0, 0.0), Vec3::new(-1.0, 1.0, 0.0)]);
        primitive.normals.extend([Vec3::Z; 2]);
        primitive.uvs[0].extend([Vec2::new(1.0, 1.0), Vec2::new(1.0, 0.0)]);
        primitive.indices.extend([4, 0, 3, 4, 3, 5]);
        make(&mut primitive, 0).expect("a good butterfly");
        assert_eq!(primitive.positions.len(), 8);
        assert_eq!(primitive.tangents[0], Vec4::new(1.0, 0.0, 0.0, 1.0));
        let split = primitive.indices[7] as usize;
        assert_eq!(primitive.positions[split], Vec3::ZERO);
        assert_eq!(primitive.tangents[split], Vec4::new(-1.0, 0.0, 0.0, -1.0));
        assert!(is_sound(&primitive));
    }

    fn scene(with_map: bool) -> SceneParts {
        let map =
            TextureUse { texture: TextureId::new(0), uv_set: 0, transform: UvTransform::default() };
        let primitive = Primitive { material: Some(MaterialId::new(0)), ..square(UPRIGHT) };
        SceneParts {
            materials: vec![Material {
                normal_texture: with_map.then_some(map),
                ..Material::default()
            }],
            meshes: vec![Mesh { primitives: vec![primitive], ..Mesh::default() }],
            ..SceneParts::default()
        }
    }

    #[test]
    fn tangents_are_made_where_they_are_wanted_alone() {
        for (wanted, with_map, expected) in [
            (Tangents::Keep, true, 0),
            (Tangents::WhereNeeded, true, 4),
            (Tangents::WhereNeeded, false, 0),
            (Tangents::Everywhere, false, 4),
        ] {
            let mut parts = scene(with_map);
            make_all(&mut parts, wanted, &mut Notes::default());
            assert_eq!(parts.meshes[0].primitives[0].tangents.len(), expected, "{wanted:?}");
        }
        let mut given = scene(true);
        given.meshes[0].primitives[0].tangents = vec![Vec4::Y; 4];
        make_all(&mut given, Tangents::Everywhere, &mut Notes::default());
        assert_eq!(given.meshes[0].primitives[0].tangents, [Vec4::Y; 4]);
    }

    #[test]
    fn pictures_without_area_and_wild_numbers_give_unit_tangents_or_a_note() {
        let mut empty = square([[0.5, 0.5]; 4]);
        empty.indices.extend([0, 0, 1]);
        make(&mut empty, 0).expect("a good square");
        for (tangent, normal) in empty.tangents.iter().zip(&empty.normals) {
            assert!(tangent.truncate().is_normalized(), "{tangent}");
            assert!(tangent.truncate().dot(*normal).abs() < 1e-6);
        }
        let mut huge = square(UPRIGHT);
        huge.positions[2] = Vec3::splat(f32::MAX);
        huge.uvs[0][1] = Vec2::splat(-1e-40);
        make(&mut huge, 0).expect("finite");
        assert!(huge.tangents.iter().all(|tangent| tangent.truncate().is_normalized()));
        let mut lost = square(UPRIGHT);
        lost.positions[2].x = f32::NAN;
        assert!(make(&mut lost, 0).is_err() && lost.tangents.is_empty());
        let mut wheel = square(UPRIGHT);
        wheel.indices = [0, 1, 2].repeat(MOST_AT_VERTEX + 1);
        assert!(make(&mut wheel, 0).expect_err("too many").contains("2049 triangles"));
    }
}
