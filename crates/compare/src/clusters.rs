//! Pairs of vertices in clusters, each with metres that none of its pairs exceeds in a pose.
//!
//! In:  the terms of all pairs of vertices, once.
//! Out: clusters of vertices that follow the same joints and lie near each other, and groups of such clusters.
//!
//! The three sums of `terms.rs` are bounded one by one. With c the middle of a cluster and r how far its vertices are from it, no place is
//! moved by more than `|(A - B) c| + ‖A - B‖ r`, where the norm is the root of the squares of all numbers. The first sum is at most that of the joint
//! with the most, and at most the sum of all by their largest weights. Weights of a vertex sum to one in A as in B, so in the third sum where a
//! joint takes a vertex may be seen from where the first joint takes it, which is near.

use std::ops::Range;

use rayon::prelude::*;
use sinew_scene::glam::{Affine3A, Vec3A};

use crate::terms::{Term, Terms};

/// The most vertices of a cluster, and the most pairs of joints that they follow.
const MAX_VERTICES: usize = 32;
const MAX_PAIRS: usize = 6;
/// The same of groups of clusters.
const MAX_CLUSTERS: usize = 16;
const MAX_GROUP_PAIRS: usize = 10;
/// What makes up for rounding in a bound: far more than single precision loses.
const SLACK: f32 = 1.0001;

/// What a pair of handles does in a pose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairMatrices {
    /// What takes a vertex of A away from its partner.
    pub(crate) apart: Affine3A,
    pub(crate) apart_norm: f32,
    /// Where B takes it.
    pub(crate) of_b: Affine3A,
    pub(crate) of_b_norm: f32,
}

impl PairMatrices {
    pub(crate) fn new(apart: Affine3A, of_b: Affine3A) -> Self {
        Self { apart, apart_norm: norm(&apart), of_b, of_b_norm: norm(&of_b) }
    }
}

/// The most that a matrix stretches anything, or more.
fn norm(matrix: &Affine3A) -> f32 {
    let [x, y, z] = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis]
        .map(Vec3A::length_squared);
    (x + y + z).sqrt()
}

/// A pair of handles in a cluster.
#[derive(Clone, Copy, Debug)]
struct Used {
    pair: u32,
    /// The difference of B's matrices of this pair and of the cluster's first; nothing for that one.
    spread: Option<u32>,
    /// The largest weight of A, and the most that B's differs from it.
    weight: f32,
    more: f32,
}

/// Vertices that follow the same joints and lie near each other.
#[derive(Clone, Debug)]
struct Cluster {
    vertices: Range<u32>,
    used: Range<u32>,
    middle: Vec3A,
    radius: f32,
    /// The most that the weights of a vertex of A sum to.
    whole: f32,
    /// The most that the sums of the weights in A and B differ.
    sums: f32,
    /// The farthest that two partners are apart at bind.
    moved: f32,
}

/// The numbers of two pairs of handles among all spreads.
type Spreads = std::collections::HashMap<[u32; 2], u32>;

/// All pairs of vertices.
#[derive(Debug, Default)]
pub(crate) struct Clusters {
    list: Vec<Cluster>,
    /// Clusters that follow each other in the list, as if they were one.
    groups: Vec<(Cluster, Range<usize>)>,
    used: Vec<Used>,
    /// Two pairs of handles that influence the same vertices.
    spreads: Vec<[u32; 2]>,
    /// By cluster: the number of each pair of vertices, where A has it at bind, and how far from there B has it where any is elsewhere.
    numbers: Vec<u32>,
    places: Vec<Vec3A>,
    moved: Vec<Vec3A>,
    any_moved: bool,
    ends: Vec<u32>,
    terms: Vec<Term>,
}

impl Clusters {
    pub(crate) fn new(terms: &Terms) -> Self {
        let mut made = Self::with_capacity(terms);
        let mut spreads = Spreads::new();
        let mut cluster: Vec<u32> = Vec::with_capacity(MAX_VERTICES);
        let mut pairs: Vec<u32> = Vec::new();
        for number in order(terms) {
            let own = of(terms, number as usize);
            let new = own.iter().filter(|term| !pairs.contains(&term.pair)).count();
            if cluster.len() == MAX_VERTICES
                || (!cluster.is_empty() && pairs.len() + new > MAX_PAIRS)
            {
                made.push(terms, &cluster, &pairs, &mut spreads);
                cluster.clear();
                pairs.clear();
            }
            for term in own {
                if !pairs.contains(&term.pair) {
                    pairs.push(term.pair);
                }
            }
            cluster.push(number);
        }
        if !cluster.is_empty() {
            made.push(terms, &cluster, &pairs, &mut spreads);
        }
        made.make_groups(&mut spreads);
        made
    }

    /// With room for all of these, and no more: they are what takes memory in a proof.
    fn with_capacity(terms: &Terms) -> Self {
        let count = terms.ends.len();
        let any_moved = terms.places.iter().any(|[a, b]| a != b);
        Self {
            numbers: Vec::with_capacity(count),
            places: Vec::with_capacity(count),
            moved: Vec::with_capacity(if any_moved { count } else { 0 }),
            ends: Vec::with_capacity(count),
            terms: Vec::with_capacity(terms.terms.len()),
            any_moved,
            ..Self::default()
        }
    }

    fn push(&mut self, terms: &Terms, numbers: &[u32], pairs: &[u32], spreads: &mut Spreads) {
        let first = self.numbers.len() as u32;
        for &number in numbers {
            let [a, b] = terms.places[number as usize].map(Vec3A::from);
            self.numbers.push(number);
            self.places.push(a);
            if self.any_moved {
                self.moved.push(b - a);
            }
            self.terms.extend_from_slice(of(terms, number as usize));
            self.ends.push(self.terms.len() as u32);
        }
        let cluster = self.around(first..self.numbers.len() as u32, pairs, spreads);
        self.list.push(cluster);
    }

    /// Clusters one after the other that follow much the same joints, as if they were one.
    fn make_groups(&mut self, spreads: &mut Spreads) {
        let mut first = 0;
        let mut pairs: Vec<u32> = Vec::new();
        for at in 0..=self.list.len() {
            let own = self.list.get(at).map_or(0..0, |cluster| cluster.used.clone());
            let own: Vec<u32> = self.used(&own).iter().map(|used| used.pair).collect();
            let new: Vec<u32> = own.iter().copied().filter(|pair| !pairs.contains(pair)).collect();
            let is_full = at - first == MAX_CLUSTERS || pairs.len() + new.len() > MAX_GROUP_PAIRS;
            if at > first && (is_full || at == self.list.len()) {
                let vertices = self.list[first].vertices.start..self.list[at - 1].vertices.end;
                let whole = self.around(vertices, &pairs, spreads);
                self.groups.push((whole, first..at));
                first = at;
                pairs = own;
            } else {
                pairs.extend(new);
            }
        }
    }

    /// What is true of all of these vertices, that follow no other pairs than these.
    fn around(&mut self, vertices: Range<u32>, pairs: &[u32], spreads: &mut Spreads) -> Cluster {
        let first_used = self.used.len();
        for (at, &pair) in pairs.iter().enumerate() {
            let spread = (at > 0).then(|| {
                *spreads.entry([pairs[0], pair]).or_insert_with(|| {
                    self.spreads.push([pairs[0], pair]);
                    self.spreads.len() as u32 - 1
                })
            });
            self.used.push(Used { pair, spread, weight: 0.0, more: 0.0 });
        }
        let range = vertices.start as usize..vertices.end as usize;
        let [mut whole, mut sums, mut farthest] = [0.0_f32; 3];
        let [mut low, mut high] = [Vec3A::INFINITY, Vec3A::NEG_INFINITY];
        let mut from = if range.start == 0 { 0 } else { self.ends[range.start - 1] as usize };
        for at in range.clone() {
            let own = &self.terms[from..self.ends[at] as usize];
            from = self.ends[at] as usize;
            let used = &mut self.used[first_used..];
            for term in own {
                if let Some(used) = used.iter_mut().find(|used| used.pair == term.pair) {
                    used.weight = used.weight.max(term.weight.abs());
                    used.more = used.more.max(term.more.abs());
                }
            }
            whole = whole.max(own.iter().map(|term| term.weight.abs()).sum());
            sums = sums.max(own.iter().map(|term| term.more).sum::<f32>().abs());
            farthest = farthest.max(self.moved.get(at).map_or(0.0, |moved| moved.length()));
            low = low.min(self.places[at]);
            high = high.max(self.places[at]);
        }
        let middle = 0.5 * (low + high);
        let places = self.places[range].iter();
        let radius = places.map(|place| place.distance(middle)).fold(0.0, f32::max);
        let used = first_used as u32..self.used.len() as u32;
        Cluster { vertices, used, middle, radius, whole, sums, moved: farthest }
    }

    fn used(&self, range: &Range<u32>) -> &[Used] {
        &self.used[range.start as usize..range.end as usize]
    }

    /// The clusters of each group, by their numbers.
    pub(crate) fn groups(&self) -> impl Iterator<Item = &Range<usize>> {
        self.groups.iter().map(|(_, clusters)| clusters)
    }

    /// The numbers of the pairs of vertices in a cluster.
    pub(crate) fn numbers(&self, cluster: usize) -> &[u32] {
        let Range { start, end } = self.list[cluster].vertices;
        &self.numbers[start as usize..end as usize]
    }

    /// The most that the weights of a vertex of A and B differ in all, and the farthest that two partners are apart at bind.
    pub(crate) fn off(&self) -> [f32; 2] {
        let mut weights = 0.0_f32;
        let mut from = 0;
        for &end in &self.ends {
            let own = &self.terms[from..end as usize];
            from = end as usize;
            weights = weights.max(own.iter().map(|term| term.more.abs()).sum());
        }
        [weights, self.list.iter().map(|cluster| cluster.moved).fold(0.0, f32::max)]
    }

    /// The differences of B's matrices in a pose, with their norms.
    pub(crate) fn spread(&self, matrices: &[PairMatrices], out: &mut Vec<(Affine3A, f32)>) {
        out.clear();
        out.extend(self.spreads.iter().map(|&[first, second]| {
            let [a, b] = [first, second].map(|pair| &matrices[pair as usize].of_b);
            let apart = Affine3A {
                matrix3: b.matrix3 - a.matrix3,
                translation: b.translation - a.translation,
            };
            (apart, norm(&apart))
        }));
    }

    /// Metres that no pair of vertices of a cluster exceeds in a pose.
    pub(crate) fn bound(
        &self,
        cluster: usize,
        matrices: &[PairMatrices],
        spread: &[(Affine3A, f32)],
    ) -> f32 {
        self.bound_of(&self.list[cluster], matrices, spread)
    }

    /// The same of all clusters of a group.
    pub(crate) fn group_bound(
        &self,
        group: usize,
        matrices: &[PairMatrices],
        spread: &[(Affine3A, f32)],
    ) -> f32 {
        self.bound_of(&self.groups[group].0, matrices, spread)
    }

    fn bound_of(
        &self,
        cluster: &Cluster,
        matrices: &[PairMatrices],
        spread: &[(Affine3A, f32)],
    ) -> f32 {
        let used = self.used(&cluster.used);
        let [mut most, mut by_weight, mut by_more, mut stretch] = [0.0_f32; 4];
        for one in used {
            let pair = &matrices[one.pair as usize];
            let apart = pair.apart.transform_point3a(cluster.middle).length()
                + pair.apart_norm * cluster.radius;
            // What is not a number stays none in a sum.
            most = if apart > most || apart.is_nan() { apart } else { most };
            by_weight += one.weight * apart;
            stretch = stretch.max(pair.of_b_norm);
            if one.more > 0.0
                && let Some((matrix, norm)) = one.spread.map(|at| &spread[at as usize])
            {
                let near = matrix.transform_point3a(cluster.middle).length();
                by_more += one.more * (near + norm * (cluster.radius + cluster.moved));
            }
        }
        if cluster.sums > 0.0 {
            let first = &matrices[used[0].pair as usize];
            let far = first.of_b.transform_point3a(cluster.middle).length();
            by_more += cluster.sums * (far + first.of_b_norm * (cluster.radius + cluster.moved));
        }
        let first = if by_weight < cluster.whole * most { by_weight } else { cluster.whole * most };
        SLACK * (first + by_more + cluster.whole * cluster.moved * stretch)
    }

    /// How far the farthest pair of vertices of a cluster is apart in a pose, about; not a number where one is not.
    pub(crate) fn apart(&self, cluster: usize, matrices: &[PairMatrices]) -> f32 {
        let Range { start, end } = self.list[cluster].vertices;
        let mut from = if start == 0 { 0 } else { self.ends[start as usize - 1] as usize };
        let mut most = 0.0_f32;
        for at in start as usize..end as usize {
            let terms = &self.terms[from..self.ends[at] as usize];
            from = self.ends[at] as usize;
            let place = self.places[at];
            let moved = if self.any_moved { self.moved[at] } else { Vec3A::ZERO };
            let there = place + moved;
            let mut sum = Vec3A::ZERO;
            for term in terms {
                let PairMatrices { apart, of_b, .. } = &matrices[term.pair as usize];
                sum += apart.transform_point3a(place) * term.weight;
                if term.more != 0.0 {
                    sum -= of_b.transform_point3a(there) * term.more;
                }
                if self.any_moved {
                    sum -= of_b.transform_vector3a(moved) * term.weight;
                }
            }
            let square = sum.length_squared();
            most = if square > most || square.is_nan() { square } else { most };
            if most.is_nan() {
                return most;
            }
        }
        most.sqrt()
    }
}

/// The terms of a pair of vertices.
fn of(terms: &Terms, number: usize) -> &[Term] {
    let from = if number == 0 { 0 } else { terms.ends[number - 1] as usize };
    &terms.terms[from..terms.ends[number] as usize]
}

/// Pairs of vertices by the joints that they follow, strongest first; of the same joints in their order in the mesh, where neighbours
/// are near each other.
fn order(terms: &Terms) -> Vec<u32> {
    let count = terms.ends.len() as u32;
    let key = |number: u32| {
        let mut strongest = [(f32::NEG_INFINITY, u16::MAX); 4];
        for term in of(terms, number as usize) {
            let pair = term.pair.min(u32::from(u16::MAX)) as u16;
            let mut new = (term.weight + term.more.max(0.0), pair);
            for known in &mut strongest {
                if new.0 > known.0 {
                    std::mem::swap(known, &mut new);
                }
            }
        }
        let [a, b, c, d] = strongest.map(|(_, pair)| u64::from(pair));
        (a << 48 | b << 32 | c << 16 | d, number)
    };
    let mut keys: Vec<(u64, u32)> = (0..count).into_par_iter().map(key).collect();
    keys.par_sort_unstable();
    keys.into_iter().map(|(_, number)| number).collect()
}
