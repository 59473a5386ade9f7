//! Tangents by MikkTSpace, as normal maps are baked for.
//!
//! In:  triangles with normals and the texture coordinates that the normal map uses.
//! Out: a unit tangent per vertex, with the bitangent's side in `w`; vertices are split where
//! tangents differ.
//!
//! A normal map's green points up in the image, while `v` grows downwards. MikkTSpace makes the
//! bitangent follow its second coordinate, so it is handed `1 - v`: then
//! `bitangent = cross(normal, tangent) · w` points up in the image, as in glTF files that have
//! tangents (glTF 2.0, 3.7.2.1; Blender bakes and exports so).

use glam::{Vec2, Vec4};
use sinew_scene::{Geometry, Material, Primitive, SceneParts, Topology};

use super::tangent_space::{self, Vertex};
use super::vertices::{is_sound, split_by_corner};
use crate::note::Notes;
use crate::parallel;
use crate::{Place, Tangents};

/// Makes missing tangents in all meshes, as `wanted` says.
pub(super) fn make_all(parts: &mut SceneParts, wanted: Tangents, notes: &mut Notes) {
    if wanted == Tangents::Keep {
        return;
    }
    let materials = &parts.materials;
    let all = parts.meshes.iter_mut().enumerate().flat_map(|(mesh_at, mesh)| {
        mesh.primitives.iter_mut().enumerate().map(move |(at, primitive)| (mesh_at, at, primitive))
    });
    let wanting: Vec<_> = all
        .filter_map(|(mesh_at, at, primitive)| {
            let material = mapped(primitive, materials);
            let set = uv_set(primitive, material, wanted)?;
            Some((mesh_at, at, primitive, set))
        })
        .collect();
    let weigh = |(_, _, primitive, _): &(_, _, &mut Primitive, _)| primitive.indices.len();
    let failures = parallel::map(wanting, weigh, |(mesh_at, at, primitive, set)| {
        make(primitive, set).err().map(|text| (mesh_at, at, text))
    });
    for (mesh_at, at, text) in failures.into_iter().flatten() {
        notes.add(Place::part(format!("meshes[{mesh_at}].primitives[{at}]")), text);
    }
}

/// The material with a normal map that it has, always or in a variant.
fn mapped<'a>(primitive: &Primitive, materials: &'a [Material]) -> Option<&'a Material> {
    let mut all = primitive.materials().filter_map(|id| materials.get(id.index()));
    all.find(|material| material.normal_texture.is_some())
}

/// The set of texture coordinates that the normal map uses, where there are both.
pub(super) fn mapped_set(primitive: &Primitive, materials: &[Material]) -> Option<usize> {
    let set = mapped(primitive, materials)?.normal_texture?.uv_set as usize;
    (set < primitive.uvs.len()).then_some(set)
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

/// Where more triangles than this meet in one vertex, comparing them takes their square in time.
const MAX_FACES_AT_VERTEX: usize = 2048;

fn make(primitive: &mut Geometry, set: usize) -> Result<(), String> {
    let vertices = vertices(primitive, set);
    if !vertices.iter().all(Vertex::is_finite) {
        return Err("no tangents are made: there are numbers that are not finite".into());
    }
    let welded = tangent_space::welded(&vertices);
    let busiest = most_at_a_vertex(&primitive.indices, &welded);
    if busiest > MAX_FACES_AT_VERTEX {
        return Err(format!("no tangents are made: {busiest} triangles meet in one vertex"));
    }
    let faces = real_faces(&primitive.indices, &vertices);
    let corner = |start: u32| [0, 1, 2].map(|at| primitive.indices[start as usize + at]);
    let corners: Vec<u32> =
        faces.iter().flat_map(|&start| corner(start)).map(|index| welded[index as usize]).collect();
    let found = tangent_space::tangents(&vertices, &corners);
    let tangents = if found.len() == primitive.indices.len() {
        found
    } else {
        let mut tangents = vec![Vec4::ZERO; primitive.indices.len()];
        for (&start, found) in faces.iter().zip(found.chunks_exact(3)) {
            tangents[start as usize..start as usize + 3].copy_from_slice(found);
        }
        tangents
    };
    primitive.tangents = split_by_corner(primitive, &tangents, |primitive, at| {
        primitive.normals[at].any_orthonormal_vector().extend(1.0)
    });
    Ok(())
}

fn vertices(primitive: &Geometry, set: usize) -> Vec<Vertex> {
    let uvs = &primitive.uvs[set];
    let vertex = |at: usize| Vertex {
        position: primitive.positions[at],
        normal: primitive.normals[at],
        uv: Vec2::new(uvs[at].x, 1.0 - uvs[at].y),
    };
    (0..primitive.positions.len()).map(vertex).collect()
}

fn most_at_a_vertex(indices: &[u32], welded: &[u32]) -> usize {
    let mut uses = vec![0_usize; welded.len()];
    for &index in indices {
        uses[welded[index as usize] as usize] += 1;
    }
    uses.into_iter().max().unwrap_or(0)
}

/// Where each triangle with three distinct positions begins. Others have no say in tangents.
fn real_faces(indices: &[u32], vertices: &[Vertex]) -> Vec<u32> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use sinew_scene::{MaterialId, Mesh, TextureId, TextureUse, UvTransform};

    /// A square facing +Z, from the lower left corner counter-clockwise.
    fn square(uvs: [[f32; 2]; 4]) -> Primitive {
        Primitive::from(Geometry {
            positions: [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
                .map(|[x, y]| Vec3::new(x, y, 0.0))
                .to_vec(),
            normals: vec![Vec3::Z; 4],
            uvs: vec![uvs.map(Vec2::from).to_vec()],
            indices: vec![0, 1, 2, 0, 2, 3],
            ..Geometry::default()
        })
    }

    /// The image as it hangs on a wall: v grows downwards.
    const UPRIGHT: [[f32; 2]; 4] = [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
    /// The same seen in a mirror: u grows to the left.
    const MIRRORED: [[f32; 2]; 4] = [[1.0, 1.0], [0.0, 1.0], [0.0, 0.0], [1.0, 0.0]];

    fn bitangent(primitive: &Primitive, at: usize) -> Vec3 {
        let tangent = primitive.tangents[at];
        primitive.normals[at].cross(tangent.truncate()) * tangent.w
    }

    #[test]
    fn an_upright_image_has_its_tangent_right_and_its_bitangent_up() {
        let mut primitive = square(UPRIGHT);
        make(&mut primitive, 0).expect("a good square");
        assert_eq!(primitive.tangents, [Vec4::new(1.0, 0.0, 0.0, 1.0); 4]);
        assert_eq!(bitangent(&primitive, 0), Vec3::Y);
    }

    #[test]
    fn a_mirrored_image_still_has_its_bitangent_up() {
        let mut primitive = square(MIRRORED);
        make(&mut primitive, 0).expect("a good square");
        assert_eq!(primitive.tangents, [Vec4::new(-1.0, 0.0, 0.0, -1.0); 4]);
        assert_eq!(bitangent(&primitive, 0), Vec3::Y);
    }

    /// A butterfly: two squares with one image, the left one mirrored at their common edge.
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
    fn images_without_area_and_wild_numbers_give_unit_tangents_or_a_note() {
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
        wheel.indices = [0, 1, 2].repeat(MAX_FACES_AT_VERTEX + 1);
        assert!(make(&mut wheel, 0).expect_err("too many").contains("2049 triangles"));
    }
}
