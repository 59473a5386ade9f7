//! An upper bound on how far apart two skins can be at a moment, from their joints alone.
//!
//! In:  pairs of vertices, once; then both models in a pose.
//! Out: metres that no pair of vertices exceeds. A moment whose bound is below what was found already need not be skinned.
//!
//! A vertex is a mean of where its joints take it. With p and q its places in the two meshes, v and w its weights, A and B
//! the matrices of its joints: `Σ vⱼ Aⱼ p - Σ wⱼ Bⱼ q = Σ vⱼ (Aⱼ - Bⱼ) p + Σ vⱼ Bⱼ (p - q) + Σ (vⱼ - wⱼ) Bⱼ q`. The length of an
//! affine map is largest at a corner of a box, so the first sum is at most the largest `|(Aⱼ - Bⱼ) c|` over the corners c of
//! the box of all vertices of a joint. Weights sum to one, so in the third sum `Bⱼ q` may be taken relative to where the first
//! joint takes the vertex, which is near.

use sinew_scene::glam::{DAffine3, DMat3, DVec3, Vec3};
use sinew_scene::{JointId, SkinMethod};

use crate::difference::{Differences, Pair, Term};
use crate::pairs::joints::JointPairs;
use crate::posed::{Posed, double};
use crate::surface::Surface;

/// What carries vertices: a node, and where the mesh is seen from it.
type Handle = (usize, DAffine3);

/// A box of places at bind.
#[derive(Clone, Copy, Debug)]
struct Box3 {
    low: DVec3,
    high: DVec3,
}

impl Box3 {
    const EMPTY: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    fn add(&mut self, place: DVec3) {
        self.low = self.low.min(place);
        self.high = self.high.max(place);
    }

    /// The farthest that two matrices put any place of the box apart.
    fn apart(&self, a: &DAffine3, b: &DAffine3) -> f64 {
        let corner = |at: usize| {
            let pick = |bit: usize, low: f64, high: f64| if at & bit == 0 { low } else { high };
            let place = DVec3::new(
                pick(1, self.low.x, self.high.x),
                pick(2, self.low.y, self.high.y),
                pick(4, self.low.z, self.high.z),
            );
            (a.transform_point3(place) - b.transform_point3(place)).length()
        };
        (0..8).map(corner).fold(0.0, f64::max)
    }
}

/// What bounds the distance of two skins.
#[derive(Debug, Default)]
pub(crate) struct SkinBound {
    handles: [Vec<Handle>; 2],
    /// A handle of A with its partner of B, and the vertices that it influences.
    pairs: Vec<(usize, usize, Box3)>,
    /// Two handles of B that influence the same vertices, and these.
    spread: Vec<(usize, usize, Box3)>,
    /// The most that the weights of a vertex differ, summed up.
    weights: f64,
    /// The most that the sums of two weights differ.
    sums: f64,
    /// The farthest that two partners are apart at bind.
    places: f64,
    /// Every pair of vertices, for what is nearer than a bound.
    differences: Differences,
}

/// Handles while they are gathered.
#[derive(Default)]
struct Gathered {
    /// By instance, then by joint of its skin; the node that carries it comes first.
    numbers: Vec<Vec<Option<usize>>>,
    handles: Vec<Handle>,
}

impl Gathered {
    /// The number of a handle: a joint of the skin of an instance, or the node that carries it.
    fn number(&mut self, surface: &Surface<'_>, instance: usize, slot: Option<usize>) -> usize {
        if self.numbers.len() <= instance {
            self.numbers.resize(instance + 1, Vec::new());
        }
        let at = slot.map_or(0, |slot| slot + 1);
        let of = &mut self.numbers[instance];
        if of.len() <= at {
            of.resize(at + 1, None);
        }
        if let Some(known) = of[at] {
            return known;
        }
        let drawn = surface.instance(instance);
        let handle = match surface.skin(instance).zip(slot) {
            Some((skin, slot)) => (skin.joints[slot].index(), double(&skin.joint_from_mesh[slot])),
            None => (drawn.joint.index(), DAffine3::IDENTITY),
        };
        of[at] = Some(self.handles.len());
        self.handles.push(handle);
        self.handles.len() - 1
    }
}

/// A vertex: where it is at bind, and its joints by number in the skin with their weights.
struct Vertex {
    instance: usize,
    place: Vec3,
    terms: Vec<(Option<usize>, f64)>,
}

/// The partners of a handle of A: the instance of B, its handle there, and the number of the pair.
type Partners = Vec<(usize, usize, usize)>;

impl SkinBound {
    /// What can be said of these pairs of vertices; nothing where a mesh morphs, is not skinned linearly, or follows a joint
    /// that has no partner.
    pub(crate) fn new(
        surfaces: [&Surface<'_>; 2],
        joints: &JointPairs,
        vertices: &[(u32, u32)],
    ) -> Option<Self> {
        if surfaces.iter().any(|surface| !is_linear(surface)) {
            return None;
        }
        let mut bound = Self::default();
        let [mut of_a, mut of_b] = [Gathered::default(), Gathered::default()];
        let mut partners: Vec<Partners> = Vec::new();
        let mut spread: Vec<Vec<(usize, Box3)>> = Vec::new();
        // What of B's handles is left once A's weights are taken away, with the number of the pair.
        let mut left: Vec<(usize, Term)> = Vec::new();
        for (a, b) in vertices {
            let a = vertex(surfaces[0], *a as usize);
            let b = vertex(surfaces[1], *b as usize);
            let (place_a, place_b) = (a.place.as_dvec3(), b.place.as_dvec3());
            bound.places = bound.places.max(place_a.distance(place_b));
            left.clear();
            for (slot, weight) in &a.terms {
                let own = of_a.number(surfaces[0], a.instance, *slot);
                partners.resize(partners.len().max(own + 1), Partners::new());
                let known = partners[own].iter().find(|known| known.0 == b.instance).copied();
                let (_, other, pair) = match known {
                    Some(known) => known,
                    None => {
                        let node = JointId::new(of_a.handles[own].0);
                        let slot = partner(surfaces[1], b.instance, joints.partner(node)?)?;
                        let other = of_b.number(surfaces[1], b.instance, slot);
                        bound.pairs.push((own, other, Box3::EMPTY));
                        let new = (b.instance, other, bound.pairs.len() - 1);
                        partners[own].push(new);
                        new
                    }
                };
                bound.pairs[pair].2.add(place_a);
                let pair = Pair::Both(pair);
                left.push((other, Term { pair, weight: *weight, more: -*weight }));
            }
            for (slot, weight) in &b.terms {
                let other = of_b.number(surfaces[1], b.instance, *slot);
                match left.iter_mut().find(|(known, _)| *known == other) {
                    Some((_, term)) => term.more += weight,
                    None => {
                        let pair = Pair::OnlyB(other);
                        left.push((other, Term { pair, weight: 0.0, more: *weight }));
                    }
                }
            }
            let sum: f64 = left.iter().map(|(_, term)| term.more).sum();
            let apart: f64 = left.iter().map(|(_, term)| term.more.abs()).sum();
            bound.sums = bound.sums.max(sum.abs());
            bound.weights = bound.weights.max(apart);
            if let Some((&(first, _), rest)) = left.split_first() {
                spread.resize(spread.len().max(first + 1), Vec::new());
                for (other, _) in rest {
                    let near = &mut spread[first];
                    match near.iter_mut().find(|(known, _)| known == other) {
                        Some((_, places)) => places.add(place_b),
                        None => near.push((*other, Box3 { low: place_b, high: place_b })),
                    }
                }
            }
            let terms = left.iter().map(|(_, term)| *term);
            bound.differences.push([a.place, b.place], terms);
        }
        let near = spread.into_iter().enumerate();
        let near =
            near.flat_map(|(first, all)| all.into_iter().map(move |(b, box3)| (first, b, box3)));
        bound.spread = near.collect();
        bound.handles = [of_a.handles, of_b.handles];
        Some(bound)
    }

    /// Where the handles of both take their meshes.
    fn matrices(&self, posed: [&Posed<'_>; 2]) -> [Vec<DAffine3>; 2] {
        [0, 1].map(|side| {
            let handles = self.handles[side].iter();
            handles.map(|(node, bind)| posed[side].joints()[*node] * *bind).collect()
        })
    }

    /// Metres that no pair of vertices exceeds in these poses.
    pub(crate) fn at(&self, a: &Posed<'_>, b: &Posed<'_>) -> f64 {
        let [of_a, of_b] = self.matrices([a, b]);
        let joints = self.pairs.iter().map(|(a, b, places)| places.apart(&of_a[*a], &of_b[*b]));
        let mut most = joints.fold(0.0, f64::max);
        if self.places > 0.0 {
            let stretch = of_b.iter().map(|matrix| norm(&matrix.matrix3)).fold(0.0, f64::max);
            most += self.places * stretch;
        }
        if self.weights > 0.0 {
            let near = self.spread.iter().map(|(a, b, box3)| box3.apart(&of_b[*a], &of_b[*b]));
            most += self.weights * near.fold(0.0, f64::max);
            let nothing = DAffine3 { matrix3: DMat3::ZERO, translation: DVec3::ZERO };
            let far = self.pairs.iter().map(|(_, b, box3)| box3.apart(&of_b[*b], &nothing));
            most += self.sums * (far.fold(0.0, f64::max) + self.places);
        }
        // What is too far for numbers is infinitely far; rounding is of no account beside a thousandth.
        if most.is_nan() { f64::INFINITY } else { most * 1.001 + 1e-12 }
    }

    /// How far the farthest pair of vertices is apart in these poses, about; and by how much that may be off.
    pub(crate) fn about(&self, a: &Posed<'_>, b: &Posed<'_>) -> [f64; 2] {
        let [of_a, of_b] = self.matrices([a, b]);
        let pairs = self.pairs.iter().map(|(a, b, _)| (*a, *b));
        let most = self.differences.most(pairs, [&of_a, &of_b]);
        // Differences of matrices are exact; what weights and places leave over is as large as the model.
        let far = of_b.iter().map(|matrix| {
            norm(&matrix.matrix3) * self.differences.radius() + matrix.translation.length()
        });
        let far = far.fold(0.0, f64::max);
        let rounding = 8.0 * f64::from(f32::EPSILON);
        let off = rounding * (self.weights * far + self.places * far.max(1.0) + 4.0 * most);
        if (most + off).is_nan() { [f64::INFINITY, 0.0] } else { [most, off] }
    }
}

/// The most that a matrix stretches anything, or more.
fn norm(matrix: &DMat3) -> f64 {
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(DVec3::length_squared);
    (x + y + z).sqrt()
}

/// Whether every vertex is a mean of where its joints take it.
fn is_linear(surface: &Surface<'_>) -> bool {
    surface.parts().iter().all(|part| {
        let linear =
            surface.skin(part.instance).is_none_or(|skin| skin.method == SkinMethod::Linear);
        linear && surface.shape(part).1.morphs.is_empty()
    })
}

fn vertex(surface: &Surface<'_>, number: usize) -> Vertex {
    let (part, at) = surface.find(number);
    let primitive = surface.shape(&part).1;
    let skinned = surface.skin(part.instance).is_some() && at < primitive.influences.len();
    let influences = if skinned { primitive.influences.of(at) } else { &[] };
    let of_joints = influences.iter().map(|one| (Some(one.joint as usize), f64::from(one.weight)));
    let mut terms: Vec<(Option<usize>, f64)> = of_joints.collect();
    if terms.is_empty() {
        terms.push((None, 1.0));
    }
    Vertex { instance: part.instance, place: primitive.positions[at], terms }
}

/// A node among the joints of the skin of an instance, or as what carries it.
fn partner(surface: &Surface<'_>, instance: usize, node: JointId) -> Option<Option<usize>> {
    let slot =
        surface.skin(instance).and_then(|skin| skin.joints.iter().position(|at| *at == node));
    match slot {
        Some(slot) => Some(Some(slot)),
        None if surface.instance(instance).joint == node => Some(None),
        None => None,
    }
}
