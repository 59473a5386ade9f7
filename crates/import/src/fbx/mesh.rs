//! Polygons to triangles, and corners to vertices.
//!
//! In:  a ufbx mesh: control points, polygons, and attributes for each corner of each polygon.
//! Out: one part for each material that the mesh uses.
//!
//! Corners of one control point whose attributes are all equal are one vertex; the others split.
//! Control points stay in geometry space, so that skins and geometric transforms apply unchanged.

use glam::{DVec3, Vec2, Vec3, Vec4};
use sinew_scene::{Geometry, Primitive, Topology};

use super::number::{dvec3, vec2, vec3, vec4};
use crate::open::Context;
use crate::{ImportError, Place};

/// What is drawn with one material.
pub(super) struct Part {
    pub(super) primitive: Primitive,
    /// The control point of each vertex.
    pub(super) points: Vec<u32>,
    /// Which of the node's materials.
    pub(super) slot: usize,
}

pub(super) fn parts(
    mesh: &ufbx::Mesh,
    context: &mut Context<'_>,
) -> Result<Vec<Part>, ImportError> {
    let place = Place::part(format!("geometry \"{}\"", name_of(mesh)));
    if mesh.num_vertices == 0 {
        return Ok(Vec::new());
    }
    let corners = Corners::new(mesh);
    // Positions, normals and what the sets hold, for as many vertices as there are corners.
    let each = 40 + 16 * (corners.uvs.len() + corners.colors.len()) + 16;
    context.budget.take(mesh.num_indices, each, &place)?;
    let mut heads = vec![NONE; mesh.num_vertices];
    let mut broken = 0;
    let mut parts = Vec::new();
    for part in &mesh.material_parts {
        for topology in [Topology::Triangles, Topology::Lines, Topology::Points] {
            let some = match topology {
                Topology::Triangles => part.num_triangles,
                Topology::Lines => part.num_line_faces,
                Topology::Points => part.num_point_faces,
            };
            if some == 0 {
                continue;
            }
            let mut builder = Builder::new(&corners, topology, &mut heads);
            builder.faces(part);
            let (primitive, points, bad) = builder.finish();
            broken += bad;
            parts.push(Part { primitive, points, slot: part.index as usize });
        }
    }
    if broken > 0 {
        let text = format!("{broken} numbers of vertices are not finite and are taken as zero");
        context.notes.add(place.clone(), text);
    }
    remark(mesh, &place, context);
    Ok(parts)
}

/// The name of the mesh, or of the node that has it.
pub(super) fn name_of(mesh: &ufbx::Mesh) -> &str {
    match mesh.element.instances.iter().next() {
        Some(node) if mesh.element.name.is_empty() => &node.element.name,
        _ => &mesh.element.name,
    }
}

fn remark(mesh: &ufbx::Mesh, place: &Place, context: &mut Context<'_>) {
    if !mesh.cache_deformers.is_empty() {
        context.notes.add(place.clone(), "a vertex cache is not supported; the mesh does not move");
    }
    use ufbx::SubdivisionDisplayMode as Mode;
    if matches!(mesh.subdivision_display_mode, Mode::HullAndSmooth | Mode::Smooth) {
        context.notes.add(place.clone(), "a subdivision surface is drawn as its cage");
    }
}

const NONE: u32 = u32::MAX;

/// The attributes of a mesh's corners.
struct Corners<'a> {
    mesh: &'a ufbx::Mesh,
    normals: Option<&'a ufbx::VertexVec3>,
    tangents: Option<[&'a ufbx::VertexVec3; 2]>,
    uvs: Vec<&'a ufbx::VertexVec2>,
    colors: Vec<&'a ufbx::VertexVec4>,
}

impl<'a> Corners<'a> {
    fn new(mesh: &'a ufbx::Mesh) -> Self {
        let has = |attribute: &ufbx::VertexVec3| attribute.exists;
        let normals = has(&mesh.vertex_normal).then_some(&mesh.vertex_normal);
        let both = has(&mesh.vertex_tangent) && has(&mesh.vertex_bitangent) && normals.is_some();
        Self {
            mesh,
            normals,
            tangents: both.then_some([&mesh.vertex_tangent, &mesh.vertex_bitangent]),
            uvs: mesh.uv_sets.iter().map(|set| &set.vertex_uv).filter(|uv| uv.exists).collect(),
            colors: mesh
                .color_sets
                .iter()
                .map(|set| &set.vertex_color)
                .filter(|color| color.exists)
                .collect(),
        }
    }
}

/// Grows a primitive corner by corner.
struct Builder<'a, 'h> {
    corners: &'a Corners<'a>,
    made: Geometry,
    points: Vec<u32>,
    /// For each control point the vertex made of it last, and for each vertex the one before.
    heads: &'h mut [u32],
    before: Vec<u32>,
    broken: usize,
}

impl<'a, 'h> Builder<'a, 'h> {
    fn new(corners: &'a Corners<'a>, topology: Topology, heads: &'h mut [u32]) -> Self {
        let made = Geometry {
            topology,
            uvs: vec![Vec::new(); corners.uvs.len()],
            colors: vec![Vec::new(); corners.colors.len()],
            ..Geometry::default()
        };
        let (points, before) = (Vec::new(), Vec::new());
        Self { corners, made, points, heads, before, broken: 0 }
    }

    fn faces(&mut self, part: &ufbx::MeshPart) {
        let mesh = self.corners.mesh;
        let mut triangles = vec![0; mesh.max_face_triangles * 3];
        let mut vertices = Vec::new();
        self.made.indices.reserve(part.num_triangles * 3);
        for &number in &part.face_indices {
            let Some(&face) = mesh.faces.get(number as usize) else { continue };
            let hole = mesh.face_hole.get(number as usize).copied().unwrap_or(false);
            let topology = match face.num_indices {
                0 => continue,
                1 => Topology::Points,
                2 => Topology::Lines,
                _ => Topology::Triangles,
            };
            if hole || topology != self.made.topology {
                continue;
            }
            let first = face.index_begin as usize;
            vertices.clear();
            vertices.extend((first..first + face.num_indices as usize).map(|at| self.vertex(at)));
            if face.num_indices <= 3 {
                self.made.indices.extend_from_slice(&vertices);
                continue;
            }
            if let ([a, b, c, d], Some(cut)) = (&vertices[..], plain_quad(mesh, face)) {
                self.made.indices.extend(match cut {
                    Cut::FromFirst => [*a, *b, *c, *c, *d, *a],
                    Cut::FromSecond => [*b, *c, *d, *d, *a, *b],
                });
                continue;
            }
            let count = ufbx::triangulate_face(&mut triangles, mesh, face) as usize * 3;
            let inside = triangles[..count].iter().map(|&at| vertices[at as usize - first]);
            self.made.indices.extend(inside);
        }
    }

    fn vertex(&mut self, corner: usize) -> u32 {
        let corners = self.corners;
        let point = corners.mesh.vertex_indices[corner];
        let normal = corners.normals.map(|normals| vec3(normals[corner]));
        let tangent = corners.tangents.map(|tangents| tangent(tangents, normal, corner));
        let mut candidate = self.heads[point as usize];
        while candidate != NONE {
            if self.equals(candidate as usize, corner, normal, tangent) {
                return candidate;
            }
            candidate = self.before[candidate as usize];
        }
        self.push(point, corner, normal, tangent)
    }

    fn equals(
        &self,
        vertex: usize,
        corner: usize,
        normal: Option<Vec3>,
        tangent: Option<Vec4>,
    ) -> bool {
        let made = &self.made;
        normal.is_none_or(|normal| made.normals[vertex] == normal)
            && tangent.is_none_or(|tangent| made.tangents[vertex] == tangent)
            && made
                .uvs
                .iter()
                .zip(&self.corners.uvs)
                .all(|(made, uv)| made[vertex] == flipped(uv[corner]))
            && made
                .colors
                .iter()
                .zip(&self.corners.colors)
                .all(|(made, color)| made[vertex] == vec4(color[corner]))
    }

    fn push(
        &mut self,
        point: u32,
        corner: usize,
        normal: Option<Vec3>,
        tangent: Option<Vec4>,
    ) -> u32 {
        let made = &mut self.made;
        let vertex = made.positions.len() as u32;
        made.positions.push(vec3(self.corners.mesh.vertices[point as usize]));
        made.normals.extend(normal);
        made.tangents.extend(tangent);
        for (made, uv) in made.uvs.iter_mut().zip(&self.corners.uvs) {
            made.push(flipped(uv[corner]));
        }
        for (made, color) in made.colors.iter_mut().zip(&self.corners.colors) {
            made.push(vec4(color[corner]));
        }
        self.points.push(point);
        self.before.push(self.heads[point as usize]);
        self.heads[point as usize] = vertex;
        vertex
    }

    fn finish(mut self) -> (Primitive, Vec<u32>, usize) {
        for &point in &self.points {
            self.heads[point as usize] = NONE;
        }
        let made = &mut self.made;
        let mut bad = 0;
        made.positions.iter_mut().filter(|at| !at.is_finite()).for_each(|at| {
            *at = Vec3::ZERO;
            bad += 1;
        });
        for normal in &mut made.normals {
            *normal = normal.normalize_or(Vec3::Y);
        }
        for tangent in &mut made.tangents {
            let side = tangent.w;
            *tangent = tangent.truncate().normalize_or(Vec3::X).extend(side);
        }
        for uv in made.uvs.iter_mut().flatten().filter(|uv| !uv.is_finite()) {
            *uv = Vec2::ZERO;
            bad += 1;
        }
        for color in made.colors.iter_mut().flatten().filter(|color| !color.is_finite()) {
            *color = Vec4::ONE;
            bad += 1;
        }
        self.broken += bad;
        (self.made.into(), self.points, self.broken)
    }
}

/// From which corner a quad is cut to the one across.
enum Cut {
    FromFirst,
    FromSecond,
}

/// Along the shorter diagonal, as ufbx has it, for a quad in which neither leaves it; others are ufbx's own.
fn plain_quad(mesh: &ufbx::Mesh, face: ufbx::Face) -> Option<Cut> {
    let first = face.index_begin as usize;
    let points: &[u32; 4] = mesh.vertex_indices.get(first..first + 4)?.as_array()?;
    let [a, b, c, d] = points.map(|point| mesh.vertices.get(point as usize));
    let [a, b, c, d] = [dvec3(*a?), dvec3(*b?), dvec3(*c?), dvec3(*d?)];
    let (ac, bd) = (c - a, d - b);
    let both_sides = |diagonal: DVec3, one: DVec3, other: DVec3| {
        diagonal.cross(one).dot(diagonal.cross(other)) > 0.0
    };
    if !both_sides(ac, b - a, a - d) || !both_sides(bd, b - a, c - b) {
        return None;
    }
    let is_first = ac.length_squared() <= bd.length_squared();
    Some(if is_first { Cut::FromFirst } else { Cut::FromSecond })
}

/// FBX has (0, 0) at the bottom left, we have it at the top left.
fn flipped(uv: ufbx::Vec2) -> Vec2 {
    let uv = vec2(uv);
    Vec2::new(uv.x, 1.0 - uv.y)
}

fn tangent(tangents: [&ufbx::VertexVec3; 2], normal: Option<Vec3>, corner: usize) -> Vec4 {
    let [along, across] = tangents.map(|values| vec3(values[corner]));
    let normal = normal.unwrap_or(Vec3::Y);
    let side = if normal.cross(along).dot(across) < 0.0 { -1.0 } else { 1.0 };
    along.extend(side)
}

/// A line curve as a mesh of lines.
pub(super) fn line(line: &ufbx::LineCurve, context: &mut Context<'_>) -> Result<Part, ImportError> {
    let place = Place::part(format!("line \"{}\"", line.element.name));
    context.budget.take(line.control_points.len() + line.point_indices.len(), 16, &place)?;
    let finite = |point: Vec3| if point.is_finite() { point } else { Vec3::ZERO };
    let positions: Vec<Vec3> =
        line.control_points.iter().map(|&point| finite(vec3(point))).collect();
    let mut indices = Vec::new();
    for segment in &line.segments {
        let (from, count) = (segment.index_begin as usize, segment.num_indices as usize);
        let points = line.point_indices.get(from..from.saturating_add(count)).unwrap_or(&[]);
        for pair in points.windows(2) {
            if pair.iter().all(|&point| (point as usize) < positions.len()) {
                indices.extend_from_slice(pair);
            }
        }
    }
    let points = (0..positions.len() as u32).collect();
    let primitive = Primitive::from(Geometry {
        topology: Topology::Lines,
        indices,
        positions,
        ..Geometry::default()
    });
    Ok(Part { primitive, points, slot: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fbx::tests::ARM;

    #[test]
    fn a_quad_is_cut_as_ufbx_cuts_it() {
        let mut state = 1_u32;
        let mut number = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 16) / 65_536.0
        };
        let [mut cut_here, mut first] = [0, 0];
        for _ in 0..200 {
            // A square of which each corner is moved, also so far that it is no longer convex.
            let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 2.0], [0.0, 2.0]];
            let moved =
                corners.map(|[x, y]| format!("{},{},{}", x + number(), y + number(), number()));
            let text = ARM.replacen("0,0,0, 1,0,0, 1,2,0, 0,2,0", &moved.join(","), 1);
            let scene = ufbx::load_memory(text.as_bytes(), ufbx::LoadOpts::default());
            let scene = scene.unwrap_or_else(|_| panic!("{text}"));
            let mesh = &scene.meshes[0];
            let mut expected = [0; 6];
            ufbx::triangulate_face(&mut expected, mesh, mesh.faces[0]);
            let Some(cut) = plain_quad(mesh, mesh.faces[0]) else { continue };
            cut_here += 1;
            let is_first = matches!(cut, Cut::FromFirst);
            first += usize::from(is_first);
            let found = if is_first { [0, 1, 2, 2, 3, 0] } else { [1, 2, 3, 3, 0, 1] };
            assert_eq!(found, expected, "{moved:?}");
        }
        assert!(
            (20..200).contains(&cut_here) && (5..cut_here - 5).contains(&first),
            "{cut_here} {first}"
        );
    }
}
