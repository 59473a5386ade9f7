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

use std::collections::HashMap;

use sinew_scene::glam::{DAffine3, DMat3, DVec3};
use sinew_scene::{JointId, SkinMethod};

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
}

/// Handles while they are gathered.
#[derive(Default)]
struct Gathered {
    numbers: HashMap<(usize, usize), usize>,
    handles: Vec<Handle>,
}

impl Gathered {
    /// The number of a handle: a joint of the skin of an instance, or the node that carries it.
    fn number(&mut self, surface: &Surface<'_>, instance: usize, slot: Option<usize>) -> usize {
        let key = (instance, slot.map_or(usize::MAX, |slot| slot));
        if let Some(known) = self.numbers.get(&key) {
            return *known;
        }
        let drawn = surface.instance(instance);
        let handle = match surface.skin(instance).zip(slot) {
            Some((skin, slot)) => (skin.joints[slot].index(), double(&skin.joint_from_mesh[slot])),
            None => (drawn.joint.index(), DAffine3::IDENTITY),
        };
        self.handles.push(handle);
        self.numbers.insert(key, self.handles.len() - 1);
        self.handles.len() - 1
    }
}

/// A vertex: where it is at bind, and its joints by number in the skin with their weights.
struct Vertex {
    instance: usize,
    place: DVec3,
    terms: Vec<(Option<usize>, f64)>,
}

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
        let mut gathered = [Gathered::default(), Gathered::default()];
        let mut pairs: HashMap<(usize, usize), Box3> = HashMap::new();
        let mut spread: HashMap<(usize, usize), Box3> = HashMap::new();
        for (a, b) in vertices {
            let a = vertex(surfaces[0], *a as usize);
            let b = vertex(surfaces[1], *b as usize);
            bound.places = bound.places.max(a.place.distance(b.place));
            let mut left: Vec<(usize, f64)> = Vec::with_capacity(b.terms.len());
            for (slot, weight) in &b.terms {
                left.push((gathered[1].number(surfaces[1], b.instance, *slot), *weight));
            }
            for (slot, weight) in &a.terms {
                let own = gathered[0].number(surfaces[0], a.instance, *slot);
                let node = JointId::new(gathered[0].handles[own].0);
                let slot = partner(surfaces[1], b.instance, joints.partner(node)?)?;
                let other = gathered[1].number(surfaces[1], b.instance, slot);
                pairs.entry((own, other)).or_insert(Box3::EMPTY).add(a.place);
                match left.iter_mut().find(|(known, _)| *known == other) {
                    Some((_, known)) => *known -= weight,
                    None => left.push((other, -weight)),
                }
            }
            bound.sums = bound.sums.max(left.iter().map(|(_, weight)| weight).sum::<f64>().abs());
            let apart = left.iter().map(|(_, weight)| weight.abs()).sum::<f64>();
            bound.weights = bound.weights.max(apart);
            for pair in left.iter().skip(1) {
                spread.entry((left[0].0, pair.0)).or_insert(Box3::EMPTY).add(b.place);
            }
        }
        bound.pairs = pairs.into_iter().map(|((a, b), places)| (a, b, places)).collect();
        bound.spread = spread.into_iter().map(|((a, b), places)| (a, b, places)).collect();
        bound.handles = gathered.map(|gathered| gathered.handles);
        Some(bound)
    }

    /// Metres that no pair of vertices exceeds in these poses.
    pub(crate) fn at(&self, a: &Posed<'_>, b: &Posed<'_>) -> f64 {
        let matrices = |side: usize, posed: &Posed<'_>| -> Vec<DAffine3> {
            let handles = self.handles[side].iter();
            handles.map(|(node, bind)| posed.joints()[*node] * *bind).collect()
        };
        let (of_a, of_b) = (matrices(0, a), matrices(1, b));
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
    Vertex { instance: part.instance, place: primitive.positions[at].as_dvec3(), terms }
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
