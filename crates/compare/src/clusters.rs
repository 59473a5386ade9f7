//! Pairs of vertices in clusters, each with metres that none of its pairs exceeds in a pose.
//!
//! In:  clusters of vertices that follow the same joints and lie near each other, and groups of such clusters, from `cluster_runs.rs`.
//! Out: bounds of each in a pose; of a cluster also the farthest pair itself.
//!
//! The three sums of `terms.rs` are bounded one by one. With c the middle of a cluster and r how far its vertices are from it, no place is
//! moved by more than `|(A - B) c| + ‖A - B‖ r`, where the norm is the root of the squares of all numbers. The first sum is at most that of the joint
//! with the most, and at most the sum of all by their largest weights. Weights of a vertex sum to one in A as in B, so in the third sum where a
//! joint takes a vertex may be seen from where the first joint takes it, which is near.

use std::collections::HashMap;
use std::ops::Range;

use rayon::prelude::*;
use sinew_scene::glam::{Affine3A, Vec3A};

use crate::cluster_runs::RunClusters;
use crate::terms::{NONE, Term, Terms};

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
    let axes = &matrix.matrix3;
    let squares = axes.x_axis * axes.x_axis + axes.y_axis * axes.y_axis + axes.z_axis * axes.z_axis;
    squares.element_sum().sqrt()
}

/// A pair of handles in a cluster.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Used {
    pub(crate) pair: u32,
    /// The difference of B's matrices of this pair and of the cluster's first; [`NONE`] for that one.
    pub(crate) spread: u32,
    /// The largest weight of A, and the most that B's differs from it.
    pub(crate) weight: f32,
    pub(crate) more: f32,
}

/// Vertices that follow the same joints and lie near each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cluster {
    /// Where the numbers of its pairs of vertices are.
    pub(crate) vertices: Range<u32>,
    pub(crate) used: Range<u32>,
    pub(crate) middle: Vec3A,
    pub(crate) radius: f32,
    /// The most that the weights of a vertex of A sum to.
    pub(crate) whole: f32,
    /// The most that the sums of the weights in A and B differ.
    pub(crate) sums: f32,
    /// The farthest that two partners are apart at bind.
    pub(crate) moved: f32,
}

/// All pairs of vertices.
#[derive(Debug, Default)]
pub(crate) struct Clusters {
    list: Vec<Cluster>,
    /// Clusters that follow each other in the list, as if they were one.
    groups: Vec<(Cluster, Range<usize>)>,
    used: Vec<Used>,
    /// Two pairs of handles that influence the same vertices.
    spreads: Vec<[u32; 2]>,
    /// The numbers of the pairs of vertices, by cluster.
    numbers: Vec<u32>,
    /// The first cluster of each run.
    firsts: Vec<usize>,
    /// The most that the weights of a vertex of A and B differ in all, the farthest that two partners are apart at bind, and the farthest
    /// that any is from the origin there.
    pub(crate) weights: f32,
    pub(crate) moved: f32,
    pub(crate) radius: f32,
}

impl Clusters {
    /// All pairs of vertices in clusters; nothing where one follows a joint that has no partner. Pairs of handles that none follows are
    /// left out of the terms.
    pub(crate) fn new(terms: &mut Terms<'_>) -> Option<Self> {
        let of_runs: Option<Vec<RunClusters>> =
            terms.runs.par_iter().map(|run| RunClusters::new(terms, run)).collect();
        let of_runs = of_runs?;
        let mut used = vec![false; terms.pairs.len()];
        let all = of_runs.iter().flat_map(|run| &run.used);
        all.for_each(|one| used[one.pair as usize] = true);
        let now = terms.keep(&used);
        let mut made = Self::default();
        made.numbers.reserve_exact(of_runs.iter().map(|run| run.numbers.len()).sum());
        let mut spreads = HashMap::new();
        of_runs.into_iter().for_each(|run| made.append(run, &now, &mut spreads));
        Some(made)
    }

    /// Takes in the clusters of the next run, whose pairs of handles have these numbers now.
    fn append(&mut self, run: RunClusters, now: &[u32], known: &mut HashMap<[u32; 2], u32>) {
        let spread = |pairs: &[u32; 2]| {
            let pairs = pairs.map(|pair| now[pair as usize]);
            *known.entry(pairs).or_insert_with(|| {
                self.spreads.push(pairs);
                self.spreads.len() as u32 - 1
            })
        };
        let spreads: Vec<u32> = run.spreads.iter().map(spread).collect();
        let [vertices, used, first] = [self.numbers.len(), self.used.len(), self.list.len()];
        let moved = |range: &Range<u32>, by: usize| {
            let by = by as u32;
            range.start + by..range.end + by
        };
        let here = |cluster: Cluster| Cluster {
            vertices: moved(&cluster.vertices, vertices),
            used: moved(&cluster.used, used),
            ..cluster
        };
        self.firsts.push(first);
        self.used.extend(run.used.iter().map(|one| Used {
            pair: now[one.pair as usize],
            spread: spreads.get(one.spread as usize).copied().unwrap_or(NONE),
            ..*one
        }));
        self.groups.extend(
            run.groups.into_iter().map(|(whole, clusters)| {
                (here(whole), clusters.start + first..clusters.end + first)
            }),
        );
        self.list.extend(run.list.into_iter().map(here));
        self.numbers.extend(run.numbers);
        self.weights = self.weights.max(run.weights);
        self.moved = self.moved.max(run.moved);
        self.radius = self.radius.max(run.radius);
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

    /// The differences of B's matrices in a pose, with their norms.
    pub(crate) fn spread(&self, matrices: &[PairMatrices], out: &mut Vec<(Affine3A, f32)>) {
        out.clear();
        out.extend(self.spreads.iter().map(|&[first, second]| {
            let a = &matrices[first as usize].of_b;
            let b = &matrices[second as usize].of_b;
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
                && let Some((matrix, norm)) = spread.get(one.spread as usize)
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
    pub(crate) fn apart(
        &self,
        cluster: usize,
        terms: &Terms<'_>,
        matrices: &[PairMatrices],
        own: &mut Vec<Term>,
    ) -> f32 {
        // Runs without clusters there are none.
        let run = &terms.runs[self.firsts.partition_point(|first| *first <= cluster) - 1];
        let mut most = 0.0_f32;
        for &number in self.numbers(cluster) {
            let Some(places) = terms.gather(run, number as usize, own) else { return f32::NAN };
            let place = Vec3A::from(places[0]);
            let there = Vec3A::from(places[1]);
            let moved = there - place;
            let any_moved = moved != Vec3A::ZERO;
            let mut sum = Vec3A::ZERO;
            for term in own.iter() {
                let PairMatrices { apart, of_b, .. } = &matrices[term.pair as usize];
                sum += apart.transform_point3a(place) * term.weight;
                if term.more != 0.0 {
                    sum -= of_b.transform_point3a(there) * term.more;
                }
                if any_moved {
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
