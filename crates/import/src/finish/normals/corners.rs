//! The corners of triangles, and the normal of each.
//!
//! In:  triangles, and the angle from which an edge is sharp. Out: a normal for each corner.

use std::collections::HashMap;

use glam::{DVec3, Vec3, Vec4};
use sinew_scene::Geometry;

use super::SAME_PLANE;
use super::fans::Fans;
use crate::finish::angle::angles_of;
use crate::finish::buckets::Buckets;
use crate::finish::hash::Seed;

/// The corners of all triangles: three in a row are a face.
#[derive(Default)]
pub(super) struct Corners {
    /// The number of each corner's position.
    place: Vec<u32>,
    /// Each position once.
    points: Vec<Vec3>,
    /// Each face's unit normal; zero where it has no area.
    face: Vec<Vec3>,
}

impl Corners {
    pub(super) fn add(&mut self, primitive: &Geometry, places: &mut HashMap<[u32; 3], u32, Seed>) {
        places.reserve(primitive.positions.len());
        self.place.reserve(primitive.indices.len());
        self.face.reserve(primitive.indices.len() / 3);
        let place_of: Vec<u32> = primitive
            .positions
            .iter()
            .map(|position| {
                // Adding zero makes -0 the 0 it is equal to.
                let bits = position.to_array().map(|number| (number + 0.0).to_bits());
                let next = places.len() as u32;
                *places.entry(bits).or_insert_with(|| {
                    self.points.push(*position);
                    next
                })
            })
            .collect();
        for triangle in primitive.indices.chunks_exact(3) {
            let points = [0, 1, 2].map(|at| primitive.positions[triangle[at] as usize]);
            self.place.extend(triangle.iter().map(|&index| place_of[index as usize]));
            self.face.push(face(points));
        }
    }

    pub(super) fn normals(&self, crease_angle: f32) -> CornerNormals {
        let roots = self.fans(crease_angle).roots();
        let count = roots.len();
        // A fan of one has its face's normal, whatever its angle: flat faces are nothing else.
        let mut alone = vec![true; count];
        for (corner, &root) in roots.iter().enumerate() {
            if corner != root as usize {
                (alone[corner], alone[root as usize]) = (false, false);
            }
        }
        let mut sums = vec![Vec3::ZERO; count];
        self.add_by_angle(&roots, &alone, &mut sums);
        // Only those of roots are asked for.
        for (corner, sum) in sums.iter_mut().enumerate() {
            if roots[corner] as usize == corner {
                let unit = if alone[corner] { None } else { sum.try_normalize() };
                *sum = unit.unwrap_or(self.face[corner / 3]);
            }
        }
        CornerNormals { roots, sums }
    }

    /// Adds each face's normal to the sums of its corners' fans, by its angles; not where a fan is one corner.
    fn add_by_angle(&self, roots: &[u32], alone: &[bool], sums: &mut [Vec3]) {
        let in_fans = alone.as_chunks::<3>().0.iter().map(|alone| *alone != [true; 3]);
        let faces: Vec<usize> = in_fans.enumerate().filter(|one| one.1).map(|one| one.0).collect();
        let mut block = AngleBlock::default();
        for faces in faces.chunks(FACES_AT_ONCE) {
            for (at, face) in faces.iter().enumerate() {
                let place = |corner: usize| self.place[3 * face + corner] as usize;
                block.set(at, [0, 1, 2].map(|corner| self.points[place(corner)].as_dvec3()));
            }
            for (face, angles) in faces.iter().zip(block.angles().as_chunks::<3>().0) {
                for (corner, angle) in (3 * face..).zip(angles) {
                    if !alone[corner] {
                        sums[roots[corner] as usize] += *angle * self.face[*face];
                    }
                }
            }
        }
    }

    /// Corners of one position, joined over gentle edges.
    fn fans(&self, crease_angle: f32) -> Fans {
        // Flat is flat within rounding, also where every edge is sharp.
        let gentle = crease_angle.clamp(0.0, std::f32::consts::PI).cos() - (1.0 - SAME_PLANE);
        let mut fans = Fans::new(self.place.len());
        let mut join_all = |edges: &[(u32, u32)]| {
            for (at, &(end, one)) in edges.iter().enumerate() {
                let same = edges[at + 1..].iter().filter(|(other_end, _)| *other_end == end);
                for &(_, other) in same.take(MAX_FACES_AT_EDGE) {
                    let bend = self.face[one as usize / 3].dot(self.face[other as usize / 3]);
                    if bend >= gentle {
                        self.join_edge(&mut fans, one, other);
                    }
                }
            }
        };
        for edges in self.edges().each() {
            // A few are quicker looked through than sorted; corners come in order either way.
            if edges.len() <= MAX_SEARCHED {
                join_all(edges);
            } else {
                edges.sort_unstable();
                edges.chunk_by(|one, other| one.0 == other.0).for_each(&mut join_all);
            }
        }
        fans
    }

    /// Each side of each face, under the lower of the two positions that it joins: the higher one,
    /// and the corner that the side starts from.
    fn edges(&self) -> Buckets {
        let mut buckets = Buckets::new(self.points.len(), self.sides().map(|(low, ..)| low));
        for (low, high, corner) in self.sides() {
            buckets.put(low, (high, corner));
        }
        buckets
    }

    fn sides(&self) -> impl Iterator<Item = (u32, u32, u32)> {
        let faces = self.place.as_chunks::<3>().0.iter().zip((0..).step_by(3));
        faces.flat_map(|(&[a, b, c], first)| {
            let side = |a: u32, b: u32, corner: u32| (a.min(b), a.max(b), corner);
            [side(a, b, first), side(b, c, first + 1), side(c, a, first + 2)]
        })
    }

    fn join_edge(&self, fans: &mut Fans, one: u32, other: u32) {
        let (mut a, mut b) = (other, next(other));
        if self.place[one as usize] != self.place[a as usize] {
            (a, b) = (b, a);
        }
        fans.join(one, a);
        fans.join(next(one), b);
    }
}

/// The normal of each corner: that of the first corner of its fan.
pub(super) struct CornerNormals {
    roots: Vec<u32>,
    sums: Vec<Vec3>,
}

impl CornerNormals {
    /// `None` where the faces have no area.
    pub(super) fn of_corners(&self) -> impl Iterator<Item = Option<Vec4>> {
        self.roots.iter().map(|&root| {
            let normal = self.sums[root as usize];
            (normal != Vec3::ZERO).then(|| normal.extend(0.0))
        })
    }
}

/// So many edges at a position are looked through; few positions have more.
const MAX_SEARCHED: usize = 16;
/// In a proper mesh two faces meet at an edge; where thousands do, not all are compared.
const MAX_FACES_AT_EDGE: usize = 8;

/// The corner after this one in its face.
fn next(corner: u32) -> u32 {
    if corner % 3 == 2 { corner - 2 } else { corner + 1 }
}

/// So many faces have their angles taken together.
const FACES_AT_ONCE: usize = 32;

/// The sides of some triangles: what their angles are made of.
struct AngleBlock {
    /// At each corner, between the side that leads away and the one that leads to it.
    dots: [f64; 3 * FACES_AT_ONCE],
    /// The product of the squares of their lengths.
    squares: [f64; 3 * FACES_AT_ONCE],
    angles: [f32; 3 * FACES_AT_ONCE],
}

impl Default for AngleBlock {
    fn default() -> Self {
        let zeros = [0.0; 3 * FACES_AT_ONCE];
        Self { dots: zeros, squares: zeros, angles: [0.0; 3 * FACES_AT_ONCE] }
    }
}

impl AngleBlock {
    fn set(&mut self, at: usize, [a, b, c]: [DVec3; 3]) {
        let (ab, bc, ca) = (b - a, c - b, a - c);
        let (of_ab, of_bc, of_ca) = (ab.length_squared(), bc.length_squared(), ca.length_squared());
        self.dots[3 * at..][..3].copy_from_slice(&[ab.dot(ca), bc.dot(ab), ca.dot(bc)]);
        let squares = [of_ab * of_ca, of_bc * of_ab, of_ca * of_bc];
        self.squares[3 * at..][..3].copy_from_slice(&squares);
    }

    /// In radians; zero at the ends of a side without length.
    fn angles(&mut self) -> &[f32] {
        let mut cosines = self.dots;
        for (cosine, square) in cosines.iter_mut().zip(&self.squares) {
            *cosine = -*cosine / square.sqrt();
        }
        let angles = angles_of(cosines);
        for ((angle, of), square) in self.angles.iter_mut().zip(angles).zip(&self.squares) {
            *angle = if *square > 0.0 { of as f32 } else { 0.0 };
        }
        &self.angles
    }
}

/// The unit normal of a triangle; zero where it has no area.
pub(super) fn face([a, b, c]: [Vec3; 3]) -> Vec3 {
    let sides = [b - a, c - b].map(|side| side.as_dvec3());
    sides[0].cross(sides[1]).normalize_or_zero().as_vec3()
}
