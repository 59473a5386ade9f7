//! The corners of triangles, and the normal of each.
//!
//! In:  triangles, and the angle from which an edge is sharp. Out: a normal for each corner.

use std::collections::HashMap;

use glam::{DVec3, Vec3};
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
                let Vec3 { x, y, z } = *position + Vec3::ZERO;
                let bits = [x.to_bits(), y.to_bits(), z.to_bits()];
                let next = places.len() as u32;
                *places.entry(bits).or_insert_with(|| {
                    self.points.push(*position);
                    next
                })
            })
            .collect();
        let point = |index: u32| primitive.positions[index as usize];
        let place = |index: u32| place_of[index as usize];
        for &[a, b, c] in primitive.indices.as_chunks::<3>().0 {
            self.place.extend_from_slice(&[place(a), place(b), place(c)]);
            self.face.push(face([point(a), point(b), point(c)]));
        }
    }

    /// The normal of each corner: that of the first corner of its fan; zero where the faces have no area.
    pub(super) fn normals(&self, crease_angle: f32) -> Vec<Vec3> {
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
        roots.iter().map(|&root| sums[root as usize]).collect()
    }

    /// Adds each face's normal to the sums of its corners' fans, by its angles; not where a fan is one corner.
    fn add_by_angle(&self, roots: &[u32], alone: &[bool], sums: &mut [Vec3]) {
        let mut block = AngleBlock::default();
        let faces = self.place.as_chunks::<3>().0.iter().zip(alone.as_chunks::<3>().0);
        for (face, (&[a, b, c], alone_there)) in faces.enumerate() {
            if alone_there[0] & alone_there[1] & alone_there[2] {
                continue;
            }
            let point = |place: u32| self.points[place as usize].as_dvec3();
            block.add(face, [point(a), point(b), point(c)]);
            if block.count == FACES_AT_ONCE {
                self.empty(&mut block, roots, alone, sums);
            }
        }
        self.empty(&mut block, roots, alone, sums);
    }

    fn empty(&self, block: &mut AngleBlock, roots: &[u32], alone: &[bool], sums: &mut [Vec3]) {
        let count = std::mem::take(&mut block.count);
        let angles = block.angles();
        for (&face, angles) in block.faces[..count].iter().zip(angles.as_chunks::<3>().0) {
            let normal = self.face[face];
            for (corner, angle) in (3 * face..).zip(angles) {
                if !alone[corner] {
                    sums[roots[corner] as usize] += *angle * normal;
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
    /// How many triangles there are, and which.
    count: usize,
    faces: [usize; FACES_AT_ONCE],
    /// At each corner, between the side that leads away and the one that leads to it.
    dots: [f64; 3 * FACES_AT_ONCE],
    /// The product of the squares of their lengths.
    squares: [f64; 3 * FACES_AT_ONCE],
}

impl Default for AngleBlock {
    fn default() -> Self {
        let zeros = [0.0; 3 * FACES_AT_ONCE];
        Self { count: 0, faces: [0; FACES_AT_ONCE], dots: zeros, squares: zeros }
    }
}

impl AngleBlock {
    #[inline]
    fn add(&mut self, face: usize, [a, b, c]: [DVec3; 3]) {
        let (ab, bc, ca) = (b - a, c - b, a - c);
        let (of_ab, of_bc, of_ca) = (ab.length_squared(), bc.length_squared(), ca.length_squared());
        let at = 3 * self.count;
        self.dots[at..at + 3].copy_from_slice(&[ab.dot(ca), bc.dot(ab), ca.dot(bc)]);
        let squares = [of_ab * of_ca, of_bc * of_ab, of_ca * of_bc];
        self.squares[at..at + 3].copy_from_slice(&squares);
        self.faces[self.count] = face;
        self.count += 1;
    }

    /// In radians; zero at the ends of a side without length.
    fn angles(&self) -> [f32; 3 * FACES_AT_ONCE] {
        let mut cosines = self.dots;
        for (cosine, square) in cosines.iter_mut().zip(&self.squares) {
            *cosine = -*cosine / square.sqrt();
        }
        let mut angles = [0.0; 3 * FACES_AT_ONCE];
        for ((angle, of), square) in angles.iter_mut().zip(angles_of(cosines)).zip(&self.squares) {
            *angle = if *square > 0.0 { of as f32 } else { 0.0 };
        }
        angles
    }
}

/// The unit normal of a triangle; zero where it has no area.
#[inline]
pub(super) fn face([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).as_dvec3().cross((c - b).as_dvec3()).normalize_or_zero().as_vec3()
}
