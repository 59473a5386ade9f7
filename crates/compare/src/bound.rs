//! The worst of two skins in a pose, without skinning either.
//!
//! In:  pairs of vertices, once; then both models in a pose, and how far apart some pair is known to be already.
//! Out: the clusters of vertices that may have a pair farther apart than that. A pose with none need not be skinned.
//!
//! Groups of clusters and then clusters whose bound is below what is known are passed over; of the others every pair is measured in single precision, and those within
//! rounding of the farthest are left to be measured in double.

use std::sync::atomic::{AtomicU64, Ordering};

use sinew_scene::glam::{Affine3A, DAffine3, DMat3, DVec3};

use crate::clusters::{Clusters, PairMatrices};
use crate::pairs::joints::JointPairs;
use crate::posed::{Posed, single};
use crate::surface::Surface;
use crate::terms::{NONE, Term, Terms};

/// Metres that are as good as none.
const NO_DIFFERENCE: f64 = 1e-11;
/// More clusters of one pose than these are not told apart: all of it is measured.
const MAX_CLUSTERS: usize = 1_024;

/// What finds the worst of two skins.
#[derive(Debug, Default)]
pub(crate) struct SkinBound<'a> {
    terms: Terms<'a>,
    clusters: Clusters,
}

/// Metres that some pair of vertices is known to be apart: rises while poses are looked at.
#[derive(Debug, Default)]
pub(crate) struct Least<'a> {
    own: AtomicU64,
    /// What is known of all clips, and up to what it counts here.
    of_all: Option<(&'a AtomicU64, f64)>,
}

impl<'a> Least<'a> {
    /// Of one clip of several, of which up to `below` metres the worst of all is enough.
    pub(crate) fn among(all: &'a AtomicU64, below: f64) -> Self {
        Self { own: AtomicU64::new(0), of_all: Some((all, below)) }
    }

    pub(crate) fn get(&self) -> f64 {
        let metres = |bits: &AtomicU64| f64::from_bits(bits.load(Ordering::Relaxed));
        let of_all = self.of_all.map_or(0.0, |(all, below)| metres(all).min(below));
        metres(&self.own).max(of_all)
    }

    fn raise(&self, metres: f64) {
        // Numbers from zero up are in the order of their bits.
        if metres > 0.0 {
            for known in [Some(&self.own), self.of_all.map(|(all, _)| all)].into_iter().flatten() {
                known.fetch_max(metres.to_bits(), Ordering::Relaxed);
            }
        }
    }
}

/// A moment whose skin may have the worst pair of vertices.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    pub(crate) moment: usize,
    /// How far apart the farthest pair may be.
    pub(crate) most: f64,
    /// Clusters that may have it, with how far apart theirs may be; none where all of the skin is to be measured.
    pub(crate) clusters: Vec<(u32, f64)>,
}

/// Memory that is used again from pose to pose.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    matrices: Vec<PairMatrices>,
    spread: Vec<(Affine3A, f32)>,
    groups: Vec<(f32, std::ops::Range<usize>)>,
    sides: [Vec<DAffine3>; 2],
    terms: Vec<Term>,
}

impl<'a> SkinBound<'a> {
    /// What can be said of these pairs of vertices; nothing where a mesh morphs, is not skinned linearly, or follows a joint
    /// that has no partner.
    pub(crate) fn new(
        surfaces: [&Surface<'a>; 2],
        joints: &JointPairs,
        vertices: &[(u32, u32)],
    ) -> Option<Self> {
        let mut terms = Terms::new(surfaces, joints, vertices)?;
        let clusters = Clusters::new(&mut terms)?;
        Some(Self { terms, clusters })
    }

    /// The numbers of the pairs of vertices in a cluster.
    pub(crate) fn numbers(&self, cluster: u32) -> &[u32] {
        self.clusters.numbers(cluster as usize)
    }

    /// Looks for pairs of vertices that are farther apart in these poses than what is known. `None` where there is none.
    pub(crate) fn look(
        &self,
        moment: usize,
        a: &Posed<'_>,
        b: &Posed<'_>,
        least: &Least<'_>,
        scratch: &mut Scratch,
    ) -> Option<Look> {
        let far = self.pose([a, b], scratch);
        let Scratch { matrices, spread, groups, terms, .. } = scratch;
        // Differences of matrices are exact; what weights and places leave over is as large as the model.
        let rounding = 8.0 * f64::from(f32::EPSILON);
        let [weights, moved] = [self.clusters.weights, self.clusters.moved].map(f64::from);
        let fixed = rounding * (weights * far + moved * far.max(1.0));
        let most_of = |metres: f32| {
            let metres = f64::from(metres);
            if metres.is_nan() { f64::INFINITY } else { metres + fixed + 4.0 * rounding * metres }
        };
        let mut look = Look { moment, most: 0.0, clusters: Vec::new() };
        let is_near = |bound: f32| most_of(bound) <= NO_DIFFERENCE.max(least.get());
        let mut see = |cluster: usize| {
            if is_near(self.clusters.bound(cluster, matrices, spread)) {
                return;
            }
            let apart = self.clusters.apart(cluster, &self.terms, matrices, terms);
            let most = most_of(apart);
            look.most = look.most.max(most);
            least.raise(most - 2.0 * (most - f64::from(apart)));
            if most > NO_DIFFERENCE && most >= least.get() {
                look.clusters.push((cluster as u32, most));
            }
        };
        // What is likely to be the worst comes first, so that most of the others need not be looked at.
        groups.clear();
        let all = self.clusters.groups().enumerate();
        groups.extend(all.map(|(group, clusters)| {
            (self.clusters.group_bound(group, matrices, spread), clusters.clone())
        }));
        groups.retain(|(bound, _)| !is_near(*bound));
        groups.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        for (bound, clusters) in groups.iter() {
            if !is_near(*bound) {
                clusters.clone().for_each(&mut see);
            }
        }
        look.clusters.retain(|(_, most)| *most >= least.get());
        if look.clusters.is_empty() {
            return None;
        }
        if look.clusters.len() > MAX_CLUSTERS {
            look.clusters = Vec::new();
        }
        Some(look)
    }

    /// Works out the matrices of all pairs in these poses; how far anything of B is from the origin.
    fn pose(&self, posed: [&Posed<'_>; 2], scratch: &mut Scratch) -> f64 {
        for ((posed, handles), side) in
            posed.iter().zip(&self.terms.handles).zip(&mut scratch.sides)
        {
            let joints = posed.joints();
            side.clear();
            side.extend(handles.iter().map(|(node, bind)| joints[*node] * *bind));
        }
        let [of_a, of_b] = &scratch.sides;
        scratch.matrices.clear();
        scratch.matrices.extend(self.terms.pairs.iter().map(|&[a, b]| {
            let of_b = &of_b[b as usize];
            let apart = if a == NONE { ZERO } else { minus(&of_a[a as usize], of_b) };
            PairMatrices::new(single(&apart), single(of_b))
        }));
        self.clusters.spread(&scratch.matrices, &mut scratch.spread);
        let pairs = scratch.matrices.iter();
        let radius = f64::from(self.clusters.radius);
        let far = pairs.map(|pair| {
            f64::from(pair.of_b_norm) * radius + f64::from(pair.of_b.translation.length())
        });
        far.fold(0.0, f64::max)
    }
}

const ZERO: DAffine3 = DAffine3 { matrix3: DMat3::ZERO, translation: DVec3::ZERO };

fn minus(a: &DAffine3, b: &DAffine3) -> DAffine3 {
    DAffine3 { matrix3: a.matrix3 - b.matrix3, translation: a.translation - b.translation }
}
