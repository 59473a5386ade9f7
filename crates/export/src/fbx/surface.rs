//! A mesh's vertices as control points, and its polygons between them.
//!
//! In:  primitives, whose vertices are split wherever a normal or a texture coordinate is.
//! Out: control points, and for each corner of each polygon its point and its vertex.
//!
//! Vertices that are at one place and move as one are one control point again, so that programs see a closed surface. Polygons of
//! one set of points come in as many copies as there are, since programs drop the second of two equal polygons.

use std::collections::HashMap;

use sinew_scene::glam::Vec3;
use sinew_scene::{Instance, Mesh, Primitive, Topology};

/// A vertex: the number of its primitive, and its own.
pub(super) type Vertex = (usize, usize);

/// The control points of a mesh and the polygons between them.
pub(super) struct Surface {
    /// A vertex that is each point.
    pub(super) points: Vec<Vertex>,
    /// The primitive of each polygon.
    pub(super) parts: Vec<usize>,
    /// The points of each corner; the last of a polygon has its bits inverted.
    pub(super) corners: Vec<i32>,
    /// The vertex of each corner, counted through all primitives.
    pub(super) vertices: Vec<i32>,
}

pub(super) fn surface(mesh: &Mesh, instance: &Instance) -> Surface {
    let mut surface = Surface { points: vec![], parts: vec![], corners: vec![], vertices: vec![] };
    let mut weld = Weld { mesh, skinned: instance.skin.is_some(), at: HashMap::new() };
    let mut seen: HashMap<[u32; 3], u32> = HashMap::new();
    let mut copies: HashMap<(u32, u32), u32> = HashMap::new();
    let mut first = 0;
    for (part, primitive) in mesh.primitives.iter().enumerate() {
        for polygon in primitive.indices.chunks(corners_of(primitive.topology)) {
            let mut points: Vec<u32> = polygon
                .iter()
                .map(|&vertex| weld.point((part, vertex as usize), &mut surface.points))
                .collect();
            if let &[a, b, c] = points.as_slice() {
                let mut set = [a, b, c];
                set.sort_unstable();
                let times = seen.entry(set).or_default();
                if *times > 0 {
                    for (point, &vertex) in points.iter_mut().zip(polygon) {
                        *point = *copies.entry((*point, *times)).or_insert_with(|| {
                            surface.points.push((part, vertex as usize));
                            surface.points.len() as u32 - 1
                        });
                    }
                }
                *times += 1;
            }
            surface.parts.push(part);
            surface.corners.extend(points.iter().map(|&point| point as i32));
            if let Some(last) = surface.corners.last_mut() {
                *last = !*last;
            }
            surface.vertices.extend(polygon.iter().map(|&vertex| first + vertex as i32));
        }
        first += primitive.positions.len() as i32;
    }
    surface
}

fn corners_of(topology: Topology) -> usize {
    match topology {
        Topology::Triangles => 3,
        Topology::Lines => 2,
        Topology::Points => 1,
    }
}

/// Finds the vertices that are one control point.
struct Weld<'a> {
    mesh: &'a Mesh,
    skinned: bool,
    /// The points at each place.
    at: HashMap<[u32; 3], Vec<u32>>,
}

impl Weld<'_> {
    fn point(&mut self, vertex: Vertex, points: &mut Vec<Vertex>) -> u32 {
        let position = self.mesh.primitives[vertex.0].positions[vertex.1];
        // Adding zero makes a plain zero of a negative one.
        let key = position.to_array().map(|number| (number + 0.0).to_bits());
        let (mesh, skinned) = (self.mesh, self.skinned);
        let here = self.at.entry(key).or_default();
        let known =
            here.iter().find(|&&point| moves_as(mesh, skinned, points[point as usize], vertex));
        if let Some(&known) = known {
            return known;
        }
        points.push(vertex);
        let point = points.len() as u32 - 1;
        here.push(point);
        point
    }
}

/// Whether two vertices at one place stay together whatever the joints and the shapes do.
fn moves_as(mesh: &Mesh, skinned: bool, a: Vertex, b: Vertex) -> bool {
    if a == b {
        return true;
    }
    let (one, other) = (&mesh.primitives[a.0], &mesh.primitives[b.0]);
    let same = |of: &dyn Fn(&Primitive, usize) -> Vec3| of(one, a.1) == of(other, b.1);
    let bent = |part: &Primitive| skinned && !part.influences.is_empty();
    let joints = match (bent(one), bent(other)) {
        (true, true) => one.influences.of(a.1) == other.influences.of(b.1),
        (false, false) => true,
        _ => false,
    };
    let dual = one.dual_weights.get(a.1) == other.dual_weights.get(b.1);
    joints
        && dual
        && (0..mesh.morph_count()).all(|morph| {
            same(&|part, at| offset(&part.morphs[morph].positions, at))
                && same(&|part, at| offset(&part.morphs[morph].normals, at))
        })
}

/// What a morph target adds to a vertex.
pub(super) fn offset(list: &[Vec3], vertex: usize) -> Vec3 {
    list.get(vertex).copied().unwrap_or(Vec3::ZERO)
}
