//! Tangents of triangles as MikkTSpace defines them (Morten S. Mikkelsen, 2011): what normal maps are
//! baked for, so that every program must agree on them.
//!
//! In:  triangles of three distinct positions, with normals and texture coordinates.
//! Out: for each corner a tangent and the side of the bitangent; zero where texture coordinates have
//! no area all around.
//!
//! Vertices that are equal in everything are one. Around it, faces that follow each other over
//! edges and have the same orientation in the texture are a group, and share one tangent: the
//! faces' own, laid into the plane of the normal and weighted by the angle that each face has there.
//! A face without area in the texture joins any group and adds nothing.

use std::collections::HashMap;

use glam::{Vec2, Vec3, Vec4};

use super::angle::angle_of;
use super::buckets::Buckets;
use super::hash::Seed;

/// What decides the tangent of a vertex.
#[derive(Clone, Copy)]
pub(super) struct Vertex {
    pub(super) position: Vec3,
    pub(super) normal: Vec3,
    pub(super) uv: Vec2,
}

impl Vertex {
    pub(super) fn is_finite(&self) -> bool {
        self.position.is_finite() && self.normal.is_finite() && self.uv.is_finite()
    }

    fn bits(&self) -> [u32; 8] {
        let ([a, b, c], [d, e, f], [g, h]) =
            (self.position.to_array(), self.normal.to_array(), self.uv.to_array());
        [a, b, c, d, e, f, g, h].map(f32::to_bits)
    }
}

/// For each vertex, the first one that is equal to it in everything.
pub(super) fn welded(vertices: &[Vertex]) -> Vec<u32> {
    let mut known: HashMap<[u32; 8], u32, Seed> =
        HashMap::with_capacity_and_hasher(vertices.len(), Seed::new());
    let each = vertices.iter().enumerate();
    each.map(|(at, vertex)| *known.entry(vertex.bits()).or_insert(at as u32)).collect()
}

/// No face, or no group.
const NONE: u32 = u32::MAX;

/// What a face says by itself.
struct Face {
    /// Where u grows, of unit length.
    s: Vec3,
    /// Where v grows, of unit length.
    t: Vec3,
    /// Without area in the texture: it joins any group.
    joins_any: bool,
    /// Whether the texture is seen from its front.
    is_front: bool,
}

impl Face {
    fn new([a, b, c]: [Vertex; 3]) -> Self {
        let sides = [b.position - a.position, c.position - a.position];
        let uvs = [b.uv - a.uv, c.uv - a.uv];
        let area = uvs[0].x * uvs[1].y - uvs[0].y * uvs[1].x;
        let is_front = area > 0.0;
        let sign = if is_front { 1.0 } else { -1.0 };
        let s = uvs[1].y * sides[0] - uvs[0].y * sides[1];
        let t = uvs[0].x * sides[1] - uvs[1].x * sides[0];
        let has_area = not_zero(area)
            && not_zero(s.length() / area.abs())
            && not_zero(t.length() / area.abs());
        Self { s: unit(s) * sign, t: unit(t) * sign, joins_any: !has_area, is_front }
    }
}

fn not_zero(number: f32) -> bool {
    number.abs() > f32::MIN_POSITIVE
}

/// The direction, or the vector itself where it has none.
fn unit(vector: Vec3) -> Vec3 {
    let length = vector.length();
    if not_zero(length) { vector * length.recip() } else { vector }
}

/// The part of a direction that lies in the plane of a normal.
fn flattened(direction: Vec3, normal: Vec3) -> Vec3 {
    direction - normal * normal.dot(direction)
}

/// The same, of unit length.
fn laid(direction: Vec3, normal: Vec3) -> Vec3 {
    unit(flattened(direction, normal))
}

fn next(corner: u32) -> u32 {
    if corner % 3 == 2 { corner - 2 } else { corner + 1 }
}

fn previous(corner: u32) -> u32 {
    if corner.is_multiple_of(3) { corner + 2 } else { corner - 1 }
}

/// The tangent of each corner; three corners in a row are a face. `corners` holds a vertex for each,
/// the same one where vertices are equal.
pub(super) fn tangents(vertices: &[Vertex], corners: &[u32]) -> Vec<Vec4> {
    let of = |corner: u32| vertices[corner as usize];
    let faces =
        corners.chunks_exact(3).map(|face| Face::new([of(face[0]), of(face[1]), of(face[2])]));
    let mut spaces = Spaces {
        vertices,
        corners,
        faces: faces.collect(),
        neighbors: neighbors(corners, vertices.len()),
        is_grouped: vec![false; corners.len()],
    };
    let mut tangents = vec![Vec4::ZERO; corners.len()];
    let mut group = Vec::new();
    let mut members = Vec::new();
    for corner in 0..corners.len() as u32 {
        let is_new = !spaces.is_grouped[corner as usize];
        if is_new && !spaces.face(corner).joins_any {
            spaces.gather(corner, &mut group);
            members.clear();
            members.extend(group.iter().map(|&corner| spaces.member(corner)));
            spaces.evaluate(&members, &mut tangents);
        }
    }
    tangents
}

/// The face on the other side of each edge; an edge has the number of the corner it begins at.
fn neighbors(corners: &[u32], vertices: usize) -> Vec<u32> {
    let edges = || {
        (0..corners.len() as u32).map(|corner| {
            let ends = [corners[corner as usize], corners[next(corner) as usize]];
            (ends[0].min(ends[1]), ends[0].max(ends[1]), corner)
        })
    };
    let mut buckets = Buckets::new(vertices, edges().map(|(low, ..)| low));
    for (low, high, corner) in edges() {
        buckets.put(low, (high, corner));
    }
    let mut neighbors = vec![NONE; corners.len()];
    let sorted = buckets.each().map(|edges| {
        edges.sort_unstable();
        &*edges
    });
    for run in sorted.flat_map(|edges| edges.chunk_by(|one, other| one.0 == other.0)) {
        for (at, &(_, one)) in run.iter().enumerate() {
            if neighbors[one as usize] != NONE {
                continue;
            }
            // Two faces with the same winding pass their common edge in opposite directions.
            let fits = |&&(_, other): &&(u32, u32)| {
                neighbors[other as usize] == NONE
                    && corners[other as usize] != corners[one as usize]
            };
            if let Some(&(_, other)) = run[at + 1..].iter().find(fits) {
                neighbors[one as usize] = other / 3;
                neighbors[other as usize] = one / 3;
            }
        }
    }
    neighbors
}

struct Spaces<'a> {
    vertices: &'a [Vertex],
    corners: &'a [u32],
    faces: Vec<Face>,
    neighbors: Vec<u32>,
    /// For each corner.
    is_grouped: Vec<bool>,
}

/// A corner of a group.
struct Member {
    corner: u32,
    /// Where u grows in the plane of the normal, of unit length.
    s: Vec3,
    /// Where v grows in that plane, no longer than one.
    t: Vec3,
    /// Of the face at this corner, in radians, seen along the normal.
    angle: f32,
    joins_any: bool,
}

impl Member {
    /// MikkTSpace with its usual threshold of 180 degrees parts what points in opposite directions.
    fn agrees(&self, other: &Self) -> bool {
        let any = self.joins_any || other.joins_any || self.corner == other.corner;
        any || (self.s.dot(other.s) > -1.0 && unit(self.t).dot(unit(other.t)) > -1.0)
    }
}

impl Spaces<'_> {
    fn face(&self, corner: u32) -> &Face {
        &self.faces[corner as usize / 3]
    }

    fn vertex(&self, corner: u32) -> Vertex {
        self.vertices[self.corners[corner as usize] as usize]
    }

    /// The corners around a vertex that are reached from `first` over edges.
    fn gather(&mut self, first: u32, group: &mut Vec<u32>) {
        let vertex = self.corners[first as usize];
        let is_front = self.face(first).is_front;
        group.clear();
        group.push(first);
        self.is_grouped[first as usize] = true;
        let mut at = 0;
        while let Some(&corner) = group.get(at) {
            at += 1;
            for edge in [previous(corner), corner] {
                let face = self.neighbors[edge as usize];
                if face == NONE {
                    continue;
                }
                let [a, b, c] = [3 * face, 3 * face + 1, 3 * face + 2];
                let of_vertex = |corner: &u32| self.corners[*corner as usize] == vertex;
                let Some(other) = [a, b, c].into_iter().find(of_vertex) else { continue };
                if self.is_grouped[other as usize] {
                    continue;
                }
                let is_free = [a, b, c].iter().all(|&corner| !self.is_grouped[corner as usize]);
                let face = &mut self.faces[face as usize];
                if face.joins_any && is_free {
                    face.is_front = is_front;
                }
                if face.is_front == is_front {
                    self.is_grouped[other as usize] = true;
                    group.push(other);
                }
            }
        }
        // Sums do not depend on where a group was entered.
        group.sort_unstable();
    }

    fn member(&self, corner: u32) -> Member {
        let face = self.face(corner);
        let Vertex { position: here, normal, .. } = self.vertex(corner);
        let side = |other: u32| laid(self.vertex(other).position - here, normal);
        let cosine = side(next(corner)).dot(side(previous(corner))).clamp(-1.0, 1.0);
        Member {
            corner,
            s: laid(face.s, normal),
            t: flattened(face.t, normal),
            angle: angle_of(f64::from(cosine)) as f32,
            joins_any: face.joins_any,
        }
    }

    fn evaluate(&self, members: &[Member], tangents: &mut [Vec4]) {
        let Some(first) = members.first().map(|member| member.corner) else { return };
        let side = if self.face(first).is_front { 1.0 } else { -1.0 };
        let put = |tangents: &mut [Vec4], corner: u32, sum: Vec3| {
            let tangent = unit(sum);
            if tangent.is_finite() && tangent.is_normalized() {
                tangents[corner as usize] = tangent.extend(side);
            }
        };
        if all_agree(members) {
            let sum = sum(members.iter());
            members.iter().for_each(|member| put(tangents, member.corner, sum));
            return;
        }
        for member in members {
            let sum = sum(members.iter().filter(|other| member.agrees(other)));
            put(tangents, member.corner, sum);
        }
    }
}

/// Whether members certainly agree with each other, as nearly all do: each is less than a right angle
/// away from one of them, so that no two are opposite.
fn all_agree(members: &[Member]) -> bool {
    let mut valid = members.iter().filter(|member| !member.joins_any);
    let Some(one) = valid.next() else { return true };
    valid.all(|other| one.s.dot(other.s) > 0.01 && one.t.dot(other.t) > 0.01)
}

fn sum<'a>(members: impl Iterator<Item = &'a Member>) -> Vec3 {
    let valid = members.filter(|member| !member.joins_any);
    valid.map(|member| member.angle * member.s).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};

    /// The same mesh for the reference.
    struct Reference<'a> {
        vertices: &'a [Vertex],
        corners: &'a [u32],
        found: Vec<Option<Vec4>>,
    }

    impl Reference<'_> {
        fn vertex(&self, face: usize, at: usize) -> Vertex {
            self.vertices[self.corners[face * 3 + at] as usize]
        }
    }

    impl Geometry for Reference<'_> {
        fn num_faces(&self) -> usize {
            self.corners.len() / 3
        }

        fn num_vertices_of_face(&self, _: usize) -> usize {
            3
        }

        fn position(&self, face: usize, at: usize) -> [f32; 3] {
            self.vertex(face, at).position.to_array()
        }

        fn normal(&self, face: usize, at: usize) -> [f32; 3] {
            self.vertex(face, at).normal.to_array()
        }

        fn tex_coord(&self, face: usize, at: usize) -> [f32; 2] {
            self.vertex(face, at).uv.to_array()
        }

        fn set_tangent(&mut self, space: Option<TangentSpace>, face: usize, at: usize) {
            self.found[face * 3 + at] = space.map(|space| Vec4::from(space.tangent_encoded()));
        }
    }

    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as usize % limit
        }

        fn part(&mut self) -> f32 {
            self.below(2001) as f32 / 1000.0 - 1.0
        }
    }

    /// A bumpy sheet with holes, mirrored parts, seams and faces without area in the texture.
    fn sheet(random: &mut Random) -> (Vec<Vertex>, Vec<u32>) {
        let side = 7;
        let mut vertices = Vec::new();
        for at in 0..side * side {
            let (x, y) = ((at % side) as f32, (at / side) as f32);
            let bump = Vec3::new(random.part(), random.part(), 2.0 * random.part());
            let normal = Vec3::new(random.part(), random.part(), 2.0).normalize();
            let mirrored = if random.below(4) == 0 { 6.0 - x } else { x };
            let uv = if random.below(9) == 0 { Vec2::ZERO } else { Vec2::new(mirrored, y) / 6.0 };
            vertices.push(Vertex { position: Vec3::new(x, y, 0.0) + 0.3 * bump, normal, uv });
        }
        let mut corners = Vec::new();
        for at in (0..side * (side - 1)).filter(|at| at % side != side - 1) {
            let [a, b, c, d] = [at, at + 1, at + side, at + side + 1].map(|at| at as u32);
            for face in [[a, b, c], [c, b, d]] {
                match random.below(12) {
                    0 => {}
                    1 => corners.extend([face[1], face[0], face[2]]),
                    _ => corners.extend(face),
                }
            }
        }
        (vertices, corners)
    }

    #[test]
    fn tangents_are_those_of_the_reference() {
        let mut random = Random(0x2545_f491_4f6c_dd1d);
        let mut compared = 0;
        for _ in 0..200 {
            let (vertices, corners) = sheet(&mut random);
            let found = tangents(&vertices, &corners);
            let mut reference = Reference {
                vertices: &vertices,
                corners: &corners,
                found: vec![None; corners.len()],
            };
            generate_tangents(&mut reference).expect("a good sheet");
            for (at, (found, expected)) in found.iter().zip(&reference.found).enumerate() {
                // What the reference leaves without length is no tangent here.
                let expected = expected.filter(|expected| expected.truncate().is_normalized());
                let expected = expected.unwrap_or(Vec4::ZERO);
                assert!(found.abs_diff_eq(expected, 1e-4), "{at}: {found} {expected}");
                compared += usize::from(expected != Vec4::ZERO);
            }
        }
        assert!(compared > 20_000, "{compared}");
    }
}
