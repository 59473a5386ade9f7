//! Which vertices belong together.
//!
//! In:  two surfaces, and both models at rest.
//! Out: pairs of vertex numbers, and for each mesh how they were found.
//!
//! Where two meshes have as many vertices, the same number is the same vertex, unless the places at bind show that the
//! order is another: neighbours then lie in all directions from their partners, or a mesh's islands changed places as wholes, and each has a
//! partner elsewhere. Else every vertex of each has the nearest of the other as its partner; of several at one place
//! (lips that touch, seams) that with the most similar influences.

use std::cell::RefCell;

use sinew_scene::JointId;
use sinew_scene::glam::{DVec3, Vec3};

use super::joints::JointPairs;
use super::meshes::{Group, group, vertex_count};
use crate::kd_tree::KdTree;
use crate::posed::Posed;
use crate::report::{MeshMatch, MeshPair};
use crate::surface::Surface;

/// The share of a mesh's size by which partners of the same number may differ on average without a closer look.
const SAME_ORDER: f64 = 1e-6;
/// How differently neighbours may lie from their partners (0 alike, 1 in all directions) for the order to be the same.
const ROUGH: f64 = 0.25;
/// The share of the distance by number that the distance by place must stay below for the order to be another.
const CLOSER: f64 = 0.2;
/// The share of a mesh's size within which every vertex must have a partner for its islands to be in another order.
const ALL_THERE: f64 = 1e-3;
/// The share of a mesh's size within which two places are one.
const SAME_PLACE: f32 = 1e-5;

/// Pairs of vertices.
#[derive(Debug, Default)]
pub(crate) struct VertexPairs {
    pub(crate) pairs: Vec<(u32, u32)>,
    pub(crate) meshes: Vec<MeshPair>,
    /// Instances that are in one model alone.
    pub(crate) left: [Vec<usize>; 2],
}

/// Both surfaces, at rest.
pub(crate) struct Both<'a> {
    pub(crate) surfaces: [&'a Surface<'a>; 2],
    /// At rest, not skinned yet.
    pub(crate) posed: [RefCell<Posed<'a>>; 2],
    pub(crate) joints: &'a JointPairs,
}

impl VertexPairs {
    pub(crate) fn new(both: &Both<'_>) -> Self {
        let groups = group(both.surfaces[0], both.surfaces[1]);
        let mut found = Self { left: groups.left, ..Self::default() };
        for group in &groups.groups {
            let (pairs, how) = both.pair(group);
            let names = |side: usize, list: &[usize]| {
                let names: Vec<_> =
                    list.iter().map(|&at| both.surfaces[side].mesh_name(at)).collect();
                names.join(", ")
            };
            found.meshes.push(MeshPair {
                a: names(0, &group.a),
                b: names(1, &group.b),
                vertices: [both.count(0, &group.a), both.count(1, &group.b)],
                how,
            });
            if found.pairs.is_empty() {
                found.pairs = pairs;
            } else {
                found.pairs.extend(pairs);
            }
        }
        found
    }
}

impl Both<'_> {
    fn count(&self, side: usize, list: &[usize]) -> usize {
        list.iter().map(|&at| vertex_count(self.surfaces[side], at)).sum()
    }

    /// The numbers of all vertices of some instances.
    fn numbers(&self, side: usize, list: &[usize]) -> impl Iterator<Item = u32> {
        let surface = self.surfaces[side];
        let parts = list.iter().flat_map(|&at| surface.parts_of(at));
        let ranges =
            parts.flat_map(|part| part.first..part.first + surface.shape(part).1.positions.len());
        ranges.map(|number| number as u32)
    }

    /// Where all vertices of some instances are in the space of their mesh.
    fn positions(&self, side: usize, list: &[usize]) -> impl Iterator<Item = Vec3> {
        let surface = self.surfaces[side];
        let parts = list.iter().flat_map(|&at| surface.parts_of(at));
        parts.flat_map(|part| surface.shape(part).1.positions.iter().copied())
    }

    fn pair(&self, group: &Group) -> (Vec<(u32, u32)>, MeshMatch) {
        let by_index = || {
            let mut pairs = Vec::with_capacity(self.count(0, &group.a));
            pairs.extend(self.numbers(0, &group.a).zip(self.numbers(1, &group.b)));
            (pairs, MeshMatch::Index)
        };
        let as_many = self.count(0, &group.a) == self.count(1, &group.b);
        // At bind in the space of the mesh, or at rest in the model: wherever the two agree better.
        if as_many && self.is_same_at_bind(group) {
            return by_index();
        }
        let is_same =
            |places: &Places| as_many && places.index_mean() <= SAME_ORDER * f64::from(places.size);
        let numbers: [Vec<u32>; 2] =
            [self.numbers(0, &group.a).collect(), self.numbers(1, &group.b).collect()];
        let places = [self.bind(group), self.at_rest(&numbers)];
        let edges = if as_many { self.edges(group) } else { Vec::new() };
        if places.iter().any(is_same) {
            return by_index();
        }
        let smooth = as_many && places.iter().any(|places| places.roughness(&edges) <= ROUGH);
        let index_mean = places.iter().map(Places::index_mean).fold(f64::INFINITY, f64::min);
        let [bind, rest] =
            places.map(|places| (self.nearest(&numbers, &places), f64::from(places.size)));
        let ((pairs, mean, gap), size) = if bind.0.1 <= rest.0.1 { bind } else { rest };
        let lost = smooth && gap > ALL_THERE * size;
        if as_many && (lost || mean > CLOSER * index_mean) {
            return by_index();
        }
        (pairs, MeshMatch::Nearest { gap })
    }

    /// Neighbours among the vertices of A, by their places in the group.
    fn edges(&self, group: &Group) -> Vec<(u32, u32)> {
        let (mut edges, mut first) = (Vec::new(), 0);
        for part in group.a.iter().flat_map(|&at| self.surfaces[0].parts_of(at)) {
            let primitive = self.surfaces[0].shape(part).1;
            let pairs = primitive.indices.windows(2).map(|pair| (first + pair[0], first + pair[1]));
            edges.extend(pairs);
            first += primitive.positions.len() as u32;
        }
        edges
    }

    /// Whether the vertices of the same number are at one place in the space of their mesh; seen without a copy of them, as two files of
    /// one mesh mostly show it.
    fn is_same_at_bind(&self, group: &Group) -> bool {
        let [mut least, mut most] = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        let (mut sum, mut count) = (0.0, 0_usize);
        for (a, b) in self.positions(0, &group.a).zip(self.positions(1, &group.b)) {
            sum += f64::from(a.distance(b));
            count += 1;
            least = least.min(a);
            most = most.max(a);
        }
        let size = if count == 0 { 0.0 } else { least.distance(most) };
        sum / count.max(1) as f64 <= SAME_ORDER * f64::from(size)
    }

    /// Where vertices are in the space of their mesh.
    fn bind(&self, group: &Group) -> Places {
        let positions =
            [self.positions(0, &group.a).collect(), self.positions(1, &group.b).collect()];
        Places::new(positions)
    }

    /// Where vertices are in the model at rest.
    fn at_rest(&self, numbers: &[Vec<u32>; 2]) -> Places {
        let places: [Vec<DVec3>; 2] = [0, 1].map(|side| {
            let mut posed = self.posed[side].borrow_mut();
            if posed.vertices().is_empty() {
                posed.skin(self.surfaces[side]);
            }
            let vertices = posed.vertices();
            numbers[side].iter().map(|&number| vertices[number as usize]).collect()
        });
        // From the middle of A: single precision is enough near it.
        let middle = places[0].iter().sum::<DVec3>() / places[0].len().max(1) as f64;
        Places::new(places.map(|list| list.iter().map(|at| (*at - middle).as_vec3()).collect()))
    }

    /// Partners by place, with their mean and largest distance.
    fn nearest(&self, numbers: &[Vec<u32>; 2], places: &Places) -> (Vec<(u32, u32)>, f64, f64) {
        let mut pairs = Vec::with_capacity(numbers[0].len());
        let (mut sum, mut worst) = (0.0, 0.0_f64);
        let mut is_partner = vec![false; numbers[1].len()];
        let tree = KdTree::new(&places.of[1]);
        for (at, &place) in places.of[0].iter().enumerate() {
            let alike = |other: u32| self.unlike(numbers[0][at], numbers[1][other as usize]);
            let Some((other, distance)) = partner(&tree, place, places.size, alike) else {
                continue;
            };
            is_partner[other as usize] = true;
            pairs.push((numbers[0][at], numbers[1][other as usize]));
            sum += f64::from(distance);
            worst = worst.max(f64::from(distance));
        }
        // What only B has shall not go unseen.
        let tree = KdTree::new(&places.of[0]);
        for (at, &place) in places.of[1].iter().enumerate().filter(|(at, _)| !is_partner[*at]) {
            let alike = |other: u32| self.unlike(numbers[0][other as usize], numbers[1][at]);
            let Some((other, distance)) = partner(&tree, place, places.size, alike) else {
                continue;
            };
            pairs.push((numbers[0][other as usize], numbers[1][at]));
            sum += f64::from(distance);
            worst = worst.max(f64::from(distance));
        }
        let mean = sum / pairs.len().max(1) as f64;
        (pairs, mean, worst)
    }

    /// How unlike the influences on two vertices are: 0 for the same, 2 for none in common.
    fn unlike(&self, a: u32, b: u32) -> f32 {
        let of_a = self.surfaces[0].weights(a as usize);
        let mut of_b = self.surfaces[1].weights(b as usize);
        let mut sum = 0.0;
        for (joint, weight) in of_a {
            let partner: Option<JointId> = self.joints.partner(joint);
            let same = of_b.iter_mut().find(|(joint, _)| Some(*joint) == partner);
            let other = same.map_or(0.0, |(_, weight)| std::mem::take(weight));
            sum += (weight - other).abs();
        }
        sum + of_b.iter().map(|(_, weight)| weight.abs()).sum::<f32>()
    }
}

/// The nearest point; of those at one place, that which is least unlike.
fn partner(
    tree: &KdTree<'_>,
    place: Vec3,
    size: f32,
    unlike: impl Fn(u32) -> f32,
) -> Option<(u32, f32)> {
    let (nearest, distance) = tree.nearest(place)?;
    let near = tree.within(place, distance + SAME_PLACE * size);
    if near.len() < 2 {
        return Some((nearest, distance));
    }
    let scored = near.into_iter().map(|point| (point, unlike(point)));
    let best = scored.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    best.map(|(point, _)| (point, distance))
}

/// Where the vertices of a group are, of A and of B.
struct Places {
    of: [Vec<Vec3>; 2],
    /// The diagonal of a box around those of A.
    size: f32,
}

impl Places {
    fn new(of: [Vec<Vec3>; 2]) -> Self {
        let least = of[0].iter().copied().fold(Vec3::INFINITY, Vec3::min);
        let most = of[0].iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max);
        let size = if of[0].is_empty() { 0.0 } else { least.distance(most) };
        Self { of, size }
    }

    /// How far the vertices of the same number are apart on average.
    fn index_mean(&self) -> f64 {
        let distances = self.of[0].iter().zip(&self.of[1]).map(|(a, b)| f64::from(a.distance(*b)));
        distances.sum::<f64>() / self.of[0].len().max(1) as f64
    }

    /// How differently neighbours are moved from A to B: 0 where a mesh is moved or bent, about 1 where its vertices
    /// are in another order.
    fn roughness(&self, edges: &[(u32, u32)]) -> f64 {
        let moved = |vertex: u32| self.of[1][vertex as usize] - self.of[0][vertex as usize];
        let (mut apart, mut whole) = (0.0, 0.0);
        for &(from, to) in edges {
            let (from, to) = (moved(from), moved(to));
            apart += f64::from(from.distance(to));
            whole += f64::from(from.length() + to.length());
        }
        if whole > 0.0 { apart / whole } else { 1.0 }
    }
}
