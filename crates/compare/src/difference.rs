//! How far apart the pairs of two skins are, without skinning either: quickly, and to a millionth of what is found.
//!
//! In:  pairs of vertices, once; then the matrices of their joints, pose after pose.
//! Out: the farthest that any pair is apart.
//!
//! The terms are those of `bound.rs`: `Σ vⱼ (Aⱼ - Bⱼ) p + Σ vⱼ Bⱼ (p - q) - Σ (wⱼ - vⱼ) Bⱼ q`. Each is as small as what is measured, so that
//! single precision is enough where two skinned places, subtracted, would leave nothing but rounding.

use sinew_scene::glam::{Affine3A, DAffine3, DMat3, DVec3, Vec3, Vec3A};

use crate::posed::single;

/// What a term's matrices are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pair {
    /// A handle of A and its partner of B, by the number of the pair.
    Both(usize),
    /// A handle of B that no handle of A goes with.
    OnlyB(usize),
}

/// How a pair of handles influences a pair of vertices: by A's weight, and by how much more B's is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    pub(crate) pair: Pair,
    pub(crate) weight: f64,
    pub(crate) more: f64,
}

/// A term as it is kept; `pair` counts handles of B alone after the pairs, from the end.
#[derive(Clone, Copy, Debug)]
struct Kept {
    pair: u32,
    weight: f32,
    more: f32,
}

/// All pairs of vertices.
#[derive(Debug, Default)]
pub(crate) struct Differences {
    ends: Vec<u32>,
    terms: Vec<Kept>,
    /// Where A has each vertex at bind, and how far from it B has it.
    places: Vec<Vec3A>,
    moved: Vec<Vec3A>,
    any_moved: bool,
    radius: f32,
    /// Handles of B that terms have alone.
    only_b: Vec<usize>,
}

/// Terms of handles of B alone are numbered from here on.
const ONLY_B: u32 = 1 << 31;

impl Differences {
    /// Adds the next pair of vertices, by where they are at bind and their terms.
    pub(crate) fn push(&mut self, [a, b]: [Vec3; 2], terms: impl Iterator<Item = Term>) {
        for term in terms {
            let pair = match term.pair {
                Pair::Both(pair) => pair as u32,
                Pair::OnlyB(handle) => ONLY_B + self.only(handle),
            };
            self.terms.push(Kept { pair, weight: term.weight as f32, more: term.more as f32 });
        }
        self.ends.push(self.terms.len() as u32);
        self.places.push(a.into());
        self.moved.push((b - a).into());
        self.any_moved |= a != b;
        self.radius = self.radius.max(a.length()).max(b.length());
    }

    fn only(&mut self, handle: usize) -> u32 {
        let known = self.only_b.iter().position(|known| *known == handle);
        known.unwrap_or_else(|| {
            self.only_b.push(handle);
            self.only_b.len() - 1
        }) as u32
    }

    /// The farthest that a vertex is from the origin at bind.
    pub(crate) fn radius(&self) -> f64 {
        f64::from(self.radius)
    }

    /// The farthest that any pair is apart, about.
    pub(crate) fn most(
        &self,
        pairs: impl Iterator<Item = (usize, usize)>,
        [of_a, of_b]: [&[DAffine3]; 2],
    ) -> f64 {
        let both = pairs.map(|(a, b)| Matrices {
            apart: single(&minus(&of_a[a], &of_b[b])),
            of_b: single(&of_b[b]),
        });
        let mut matrices: Vec<Matrices> = both.collect();
        let first_only = matrices.len();
        let none = DAffine3 { matrix3: DMat3::ZERO, translation: DVec3::ZERO };
        matrices.extend(
            self.only_b.iter().map(|&b| Matrices { apart: single(&none), of_b: single(&of_b[b]) }),
        );
        let mut most = 0.0_f32;
        let mut is_number = true;
        let mut from = 0;
        for (at, &end) in self.ends.iter().enumerate() {
            let terms = &self.terms[from..end as usize];
            from = end as usize;
            let place = self.places[at];
            let there = place + self.moved[at];
            let mut sum = Vec3A::ZERO;
            for term in terms {
                let number = match term.pair.checked_sub(ONLY_B) {
                    Some(only) => first_only + only as usize,
                    None => term.pair as usize,
                };
                let Matrices { apart, of_b } = &matrices[number];
                sum += apart.transform_point3a(place) * term.weight;
                if term.more != 0.0 {
                    sum -= of_b.transform_point3a(there) * term.more;
                }
                if self.any_moved {
                    sum -= of_b.transform_vector3a(self.moved[at]) * term.weight;
                }
            }
            let apart = sum.length_squared();
            is_number &= !apart.is_nan();
            most = most.max(apart);
        }
        if is_number { f64::from(most).sqrt() } else { f64::NAN }
    }
}

/// What takes a vertex of A away from its partner, and where B takes it.
struct Matrices {
    apart: Affine3A,
    of_b: Affine3A,
}

fn minus(a: &DAffine3, b: &DAffine3) -> DAffine3 {
    DAffine3 { matrix3: a.matrix3 - b.matrix3, translation: a.translation - b.translation }
}
