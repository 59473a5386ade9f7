//! The skin as a mesh: one vertex per sheet in a cell, a quad across every edge that the skin cuts.
//!
//! In:  the body.
//! Out: a closed mesh of even triangles whose vertices lie on the skin, with normals.
//!
//! Where the skin passes through a cell twice, each sheet has a vertex of its own. An edge belongs to the smallest cells around it, which makes the mesh closed where cells of
//! two sizes meet (the dual of an octree; Ju and others, "Dual contouring of Hermite data", 2002).

use glam::{IVec3, Vec3};

use super::body::Body;
use super::cells::{Cell, Cells, Map, Neighbour, UNIT, corner_of};

/// The skin.
pub(super) struct Surface {
    pub(super) positions: Vec<Vec3>,
    pub(super) normals: Vec<Vec3>,
    pub(super) indices: Vec<u32>,
    /// Per vertex, the parts that have a say there.
    pub(super) near: Vec<usize>,
    pub(super) lists: Vec<Vec<u16>>,
    /// The vertices next to each.
    pub(super) around: Vec<Vec<u32>>,
}

/// Rounds of evening out; more make no visible difference.
const ROUNDS: usize = 6;

pub(super) fn surface(body: &Body) -> Surface {
    let mut net = Net {
        cells: Cells::new(body),
        body,
        corners: Map::default(),
        sheets: Vec::new(),
        points: Vec::new(),
    };
    let faces = net.faces();
    let Net { cells, points, .. } = net;
    let mut found = Surface {
        positions: points.iter().map(|point| point.sum / point.count as f32).collect(),
        normals: Vec::new(),
        indices: Vec::new(),
        near: points.iter().map(|point| cells.cells[point.cell].near).collect(),
        lists: cells.lists,
        around: neighbours(&faces, points.len()),
    };
    for _ in 0..ROUNDS {
        found.even_out(body);
    }
    found.settle(body);
    found.indices = faces.iter().flat_map(|face| triangles(face, &found.positions)).collect();
    found
}

/// A vertex in the making: where the skin cuts the edges of its cell.
struct Point {
    sum: Vec3,
    count: u32,
    cell: usize,
}

/// Which corners of a cell hang together, and the vertex of each sheet between two such groups.
#[derive(Clone, Default)]
struct Sheets {
    groups: Option<[u8; 8]>,
    known: Vec<(u8, u8, u32)>,
}

struct Net<'a> {
    cells: Cells,
    body: &'a Body,
    /// The distance at each corner, by x without its sign.
    corners: Map<(i32, i32, i32), f32>,
    /// One per cell.
    sheets: Vec<Sheets>,
    points: Vec<Point>,
}

impl Net<'_> {
    fn corner(&mut self, at: IVec3, near: usize) -> f32 {
        let key = (at.x.abs(), at.y, at.z);
        let (body, lists) = (self.body, &self.cells.lists);
        *self
            .corners
            .entry(key)
            .or_insert_with(|| body.far(&lists[near], at.as_vec3() * UNIT).distance)
    }

    /// Three or four vertices a face, counter-clockwise from outside.
    fn faces(&mut self) -> Vec<Vec<u32>> {
        let mut faces = Vec::new();
        let mut cell = 0;
        while cell < self.cells.cells.len() {
            for axis in 0..3 {
                for side in 0..4 {
                    faces.extend(self.face(cell, axis, side));
                }
            }
            cell += 1;
        }
        faces
    }

    /// The face across one edge of a cell, if the skin cuts it and no other cell sees to it.
    fn face(&mut self, cell: usize, axis: usize, side: i32) -> Option<Vec<u32>> {
        let [along, u, v] = [0, 1, 2].map(|step| IVec3::AXES[(axis + step) % 3]);
        let of = self.cells.cells[cell];
        let from = of.low + (u * (side & 1) + v * (side >> 1)) * of.edge;
        let to = from + along * of.edge;
        let (a, b) = (self.corner(from, of.near), self.corner(to, of.near));
        if (a < 0.0) == (b < 0.0) {
            return None;
        }
        let mut ring = [0; 4];
        for (at, (du, dv)) in [(-1, -1), (0, -1), (0, 0), (-1, 0)].into_iter().enumerate() {
            let low = from + (u * du + v * dv) * of.edge;
            match self.cells.across(low, of.edge, cell) {
                Neighbour::Smaller => return None,
                Neighbour::Cell(other) => ring[at] = other,
            }
        }
        let first = ring.iter().find(|&&other| self.cells.cells[other].edge == of.edge);
        if first != Some(&cell) {
            return None;
        }
        let cut = from.as_vec3() + along.as_vec3() * of.edge as f32 * (a / (a - b));
        let mut face: Vec<u32> = ring.map(|other| self.vertex(other, from, to)).to_vec();
        face.dedup();
        if face.len() > 1 && face.first() == face.last() {
            face.pop();
        }
        for &vertex in &face {
            self.points[vertex as usize].sum += cut * UNIT;
            self.points[vertex as usize].count += 1;
        }
        if b < 0.0 {
            face.reverse();
        }
        (face.len() > 2).then_some(face)
    }

    /// The vertex of the sheet that cuts the edge between two corners. A cell beside
    /// smaller ones has but one: its edges may be cut where its own corners do not tell.
    fn vertex(&mut self, cell: usize, from: IVec3, to: IVec3) -> u32 {
        self.sheets.resize(self.cells.cells.len(), Sheets::default());
        let of = self.cells.cells[cell];
        let groups = match self.sheets[cell].groups {
            Some(groups) => groups,
            None if self.cells.beside_smaller(of) => [0; 8],
            None => self.groups(of),
        };
        self.sheets[cell].groups = Some(groups);
        // A larger cell than the edge's is beside smaller ones, so that any corner will do.
        let group = |at: IVec3| groups[number((at - of.low) / of.edge)];
        let (a, b) = (group(from).min(group(to)), group(from).max(group(to)));
        let sheets = &mut self.sheets[cell].known;
        if let Some(&(_, _, vertex)) = sheets.iter().find(|known| (known.0, known.1) == (a, b)) {
            return vertex;
        }
        let vertex = self.points.len() as u32;
        sheets.push((a, b, vertex));
        self.points.push(Point { sum: Vec3::ZERO, count: 0, cell });
        vertex
    }

    /// Numbers the groups of corners that hang together: inside along edges, outside also
    /// across faces, so that two cells agree on the face between them.
    fn groups(&mut self, cell: Cell) -> [u8; 8] {
        let inside: [bool; 8] = std::array::from_fn(|at| {
            self.corner(cell.low + corner_of(at as i32) * cell.edge, cell.near) < 0.0
        });
        let mut groups: [u8; 8] = std::array::from_fn(|at| at as u8);
        for _ in 0..8 {
            for a in 0..8_usize {
                for b in 0..8_usize {
                    let joined = match (a ^ b).count_ones() {
                        1 => inside[a] == inside[b],
                        // Across a face: when the other two corners of it are inside.
                        2 => {
                            !inside[a] && !inside[b] && {
                                let first = (a ^ b) & (a ^ b).wrapping_neg();
                                inside[a ^ first] && inside[b ^ first]
                            }
                        }
                        _ => false,
                    };
                    if joined {
                        groups[a] = groups[a].min(groups[b]);
                    }
                }
            }
        }
        groups
    }
}

/// The number of a corner of a unit cube; undoes `corner_of`.
fn number(corner: IVec3) -> usize {
    ((corner.x & 1) | (corner.y & 1) << 1 | (corner.z & 1) << 2) as usize
}

fn neighbours(faces: &[Vec<u32>], vertices: usize) -> Vec<Vec<u32>> {
    let mut around = vec![Vec::new(); vertices];
    for face in faces {
        for at in 0..face.len() {
            let (a, b) = (face[at], face[(at + 1) % face.len()]);
            for (from, to) in [(a, b), (b, a)] {
                if !around[from as usize].contains(&to) {
                    around[from as usize].push(to);
                }
            }
        }
    }
    around
}

/// Cut along the shorter diagonal.
fn triangles(face: &[u32], positions: &[Vec3]) -> Vec<u32> {
    let &[a, b, c, d] = face else { return face.to_vec() };
    let length = |from: u32, to: u32| positions[from as usize].distance(positions[to as usize]);
    // A hair's breadth decides the same way on the left and on the right.
    if length(a, c) < length(b, d) + 1e-6 { vec![a, b, c, a, c, d] } else { vec![a, b, d, b, c, d] }
}

impl Surface {
    /// Moves every vertex halfway to the middle of its neighbours, along the skin.
    fn even_out(&mut self, body: &Body) {
        let old = self.positions.clone();
        for (vertex, position) in self.positions.iter_mut().enumerate() {
            let around = &self.around[vertex];
            let sum: Vec3 = around.iter().map(|&other| old[other as usize]).sum();
            let middle = sum / around.len().max(1) as f32;
            let far = body.far(&self.lists[self.near[vertex]], *position);
            let step = (middle - *position) * 0.5;
            let within = step - far.out * step.dot(far.out) - far.out * far.distance;
            *position += within.clamp_length_max(1.5 * UNIT);
        }
    }

    /// Puts every vertex on the skin and reads the normals there.
    fn settle(&mut self, body: &Body) {
        for (vertex, position) in self.positions.iter_mut().enumerate() {
            let near = &self.lists[self.near[vertex]];
            for _ in 0..3 {
                let far = body.far(near, *position);
                *position -= far.out * far.distance;
            }
            self.normals.push(body.far(near, *position).out);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn the_skin_is_closed_and_nearly_every_edge_has_two_sides() {
        let skin = surface(&Body::new());
        let mut edges: HashMap<(u32, u32), i32> = HashMap::new();
        for triangle in skin.indices.chunks_exact(3) {
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                *edges.entry((triangle[a], triangle[b])).or_default() += 1;
            }
        }
        let mut shared = 0;
        for (&(a, b), &count) in &edges {
            let place = skin.positions[a as usize];
            assert_eq!(Some(&count), edges.get(&(b, a)), "a hole at the edge {a} {b} at {place}");
            shared += usize::from(count > 1);
        }
        // Between two fingers of a hand the skin touches itself.
        assert!(shared <= 8, "{shared} edges have more than two sides");
        let (vertices, faces) = (skin.positions.len(), skin.indices.len() / 3);
        // One piece without a handle: Euler's number is two.
        let euler = (vertices + faces).abs_diff(edges.len() / 2);
        assert!(euler.abs_diff(2) <= shared, "{euler}");
    }

    #[test]
    fn the_skin_is_the_same_on_both_sides() {
        let skin = surface(&Body::new());
        let grid = |p: Vec3| (p * 2e3).round().as_ivec3();
        let mut places: HashMap<IVec3, Vec<Vec3>> = HashMap::new();
        for &p in &skin.positions {
            places.entry(grid(p)).or_default().push(p);
        }
        for &p in &skin.positions {
            let mirrored = Vec3::new(-p.x, p.y, p.z);
            let around =
                (-1..=1).flat_map(|x| (-1..=1).flat_map(move |y| (-1..=1).map(move |z| (x, y, z))));
            let mut near = around
                .filter_map(|(x, y, z)| places.get(&(grid(mirrored) + IVec3::new(x, y, z))))
                .flatten();
            assert!(near.any(|other| other.distance(mirrored) < 2e-4), "{p} has no twin");
        }
    }

    #[test]
    fn triangles_are_even_and_face_outward() {
        let skin = surface(&Body::new());
        let (mut slim, mut inward) = (0, 0);
        for triangle in skin.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|at| skin.positions[triangle[at] as usize]);
            let cross = (b - a).cross(c - a);
            let out: Vec3 = triangle.iter().map(|&at| skin.normals[at as usize]).sum();
            inward += usize::from(cross.dot(out) <= 0.0);
            let longest = (b - a).length().max((c - b).length()).max((a - c).length());
            // Height over base; 0.87 when equilateral.
            slim += usize::from(cross.length() / (longest * longest) < 0.2);
        }
        let share = slim as f32 / (skin.indices.len() / 3) as f32;
        assert!(inward <= 4, "{inward} triangles face inward");
        assert!(share < 0.01, "{slim} slim triangles, {share}");
    }
}
