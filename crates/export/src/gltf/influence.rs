//! Which joints influence each vertex, as sets of four.
//!
//! In:  the influences of a primitive. Out: `JOINTS_n` and `WEIGHTS_n`, as many sets as the fullest vertex needs.
//!
//! A slot that is not used is joint 0 with weight 0, and weights sum to one as closely as single precision adds up. A vertex
//! of more than four influences has the largest first, for readers of one set alone.

use rayon::prelude::*;
use sinew_scene::{Influence, Influences};

use super::elements::{Elements, Use};
use super::note::Notes;
use super::precision::round16;
use crate::ExportError;

/// Vertices that are written together.
const CHUNK: usize = 4_096;

/// Influences as they are to be written.
pub(super) struct Source<'a> {
    pub(super) vertices: usize,
    /// Of every vertex, or none at all.
    pub(super) influences: &'a Influences,
    /// The joint of vertices without influences.
    pub(super) follower: Option<u32>,
    /// Whether weights are rounded to 65,535ths.
    pub(super) rounds: bool,
}

/// Whole numbers that weights are written as, where every bit comes back and each vertex sums to the whole.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Bytes,
    Shorts,
    Floats,
}

impl Kind {
    fn size(self) -> usize {
        match self {
            Self::Bytes => 1,
            Self::Shorts => 2,
            Self::Floats => 4,
        }
    }

    /// The largest number that there is.
    fn whole(self) -> f32 {
        if self == Self::Bytes { 255.0 } else { 65_535.0 }
    }
}

/// The sets, by the names of their attributes.
pub(super) fn attributes(
    source: &Source<'_>,
    notes: &mut Notes,
) -> Result<Vec<(String, Elements<'static>)>, ExportError> {
    let is_negative = |one: &Influence| one.weight < 0.0;
    if source.influences.all().iter().any(is_negative) {
        let all = source.influences.iter();
        notes.add_times(
            "a vertex has weights below zero, which glTF does not have: the others are made to sum to one",
            all.filter(|of_vertex| of_vertex.iter().any(is_negative)).count(),
        );
    }
    let sets = source.influences.most().div_ceil(4).max(1);
    let (short_joints, joints) = match source.all_joints(sets, 1) {
        Some(bytes) => (false, bytes),
        None => (true, source.all_joints(sets, 2).ok_or_else(|| source.too_many())?),
    };
    let joints = joints.into_iter().map(|bytes| match short_joints {
        false => Elements::bytes(Use::Vertex, 4, bytes),
        true => Elements::short_bytes(Use::Vertex, 4, bytes),
    });
    let weights = [Kind::Bytes, Kind::Shorts].into_iter();
    let found = weights.filter_map(|kind| Some((kind, source.all_weights(sets, kind)?))).next();
    let (kind, weights) = found.unwrap_or_else(|| {
        (Kind::Floats, source.all_weights(sets, Kind::Floats).unwrap_or_default())
    });
    let weights = weights.into_iter().map(|bytes| match kind {
        Kind::Bytes => Elements::bytes(Use::Vertex, 4, bytes).normalized(),
        Kind::Shorts => Elements::short_bytes(Use::Vertex, 4, bytes).normalized(),
        Kind::Floats => Elements::float_bytes(Use::Vertex, 4, bytes),
    });
    let joints = joints.enumerate().map(|(set, all)| (format!("JOINTS_{set}"), all));
    let weights = weights.enumerate().map(|(set, all)| (format!("WEIGHTS_{set}"), all));
    Ok(joints.chain(weights).collect())
}

impl Source<'_> {
    /// The joints of every set in numbers of so many bytes; nothing where one is too large for that.
    fn all_joints(&self, sets: usize, size: usize) -> Option<Vec<Vec<u8>>> {
        let write = |of_vertex: &[Influence], set: usize, out: &mut [u8]| {
            let out = out.chunks_exact_mut(size);
            of_vertex.iter().skip(4 * set).zip(out).all(|(one, out)| {
                let bytes = one.joint.to_le_bytes();
                out.copy_from_slice(&bytes[..size]);
                bytes[size..] == [0; 4][size..]
            })
        };
        self.all_sets(sets, size, write)
    }

    /// The weights of every set; nothing where they are not all of this kind.
    fn all_weights(&self, sets: usize, kind: Kind) -> Option<Vec<Vec<u8>>> {
        let whole = kind.whole();
        let write = |of_vertex: &[Influence], set: usize, out: &mut [u8]| {
            let mut sum = 0;
            for (slot, one) in of_vertex.iter().enumerate() {
                let number = (one.weight * whole + 0.5) as u32;
                let is_exact = number as f32 / whole == one.weight;
                if kind != Kind::Floats && !is_exact {
                    return false;
                }
                sum += number;
                if slot / 4 == set {
                    let out = &mut out[slot % 4 * kind.size()..][..kind.size()];
                    match kind {
                        Kind::Floats => out.copy_from_slice(&one.weight.to_le_bytes()),
                        _ => out.copy_from_slice(&number.to_le_bytes()[..kind.size()]),
                    }
                }
            }
            kind == Kind::Floats || sum == whole as u32
        };
        self.all_sets(sets, kind.size(), write)
    }

    /// The bytes of every set, four numbers of so many bytes for each vertex, as `write` fills them; nothing once it cannot.
    fn all_sets(
        &self,
        sets: usize,
        size: usize,
        write: impl Fn(&[Influence], usize, &mut [u8]) -> bool + Sync,
    ) -> Option<Vec<Vec<u8>>> {
        let of_set = |set: usize| {
            let mut bytes = vec![0; self.vertices * 4 * size];
            // Most lists that cannot be written so show it at once.
            let first = (self.vertices > 0).then(|| &mut bytes[..4 * size]);
            let mut fitter = Fitter::default();
            if !first.is_none_or(|first| write(fitter.fit(self, 0, sets), set, first)) {
                return None;
            }
            let chunks = bytes.par_chunks_mut(CHUNK * 4 * size).enumerate();
            let done = chunks.all(|(chunk, bytes)| {
                let mut fitter = Fitter::default();
                bytes.chunks_exact_mut(4 * size).enumerate().all(|(at, out)| {
                    write(fitter.fit(self, chunk * CHUNK + at, sets), set, out)
                })
            });
            done.then_some(bytes)
        };
        (0..sets).map(of_set).collect()
    }

    fn too_many(&self) -> ExportError {
        let joints = self.influences.all().iter().map(|one| one.joint).chain(self.follower);
        let found = joints.max().unwrap_or(0) as usize + 1;
        ExportError::TooMany { what: "joints in a skin", most: usize::from(u16::MAX) + 1, found }
    }
}

/// Fits one vertex after another, in memory that is used again.
#[derive(Default)]
struct Fitter {
    fitted: Vec<Influence>,
    wholes: Vec<i32>,
}

impl Fitter {
    /// The influences of a vertex as they are written.
    fn fit(&mut self, source: &Source<'_>, vertex: usize, sets: usize) -> &[Influence] {
        let filed: &[Influence] = match source.influences.is_empty() {
            true => &[],
            false => source.influences.of(vertex),
        };
        fit(filed, source.follower, sets, &mut self.fitted);
        if source.rounds {
            round16(&mut self.fitted, &mut self.wholes);
        }
        &self.fitted
    }
}

/// The influences of one vertex as glTF may have them.
fn fit(filed: &[Influence], follower: Option<u32>, sets: usize, kept: &mut Vec<Influence>) {
    kept.clear();
    kept.extend(filed.iter().copied().filter(|influence| influence.weight > 0.0));
    if kept.is_empty() {
        return kept.push(Influence { joint: follower.unwrap_or(0), weight: 1.0 });
    }
    if kept.len() > 4 {
        kept.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    }
    if kept.len() < filed.len() {
        let sum: f32 = kept.iter().map(|influence| influence.weight).sum();
        kept.iter_mut().for_each(|influence| influence.weight /= sum);
    }
    to_one(kept, sets);
}

/// Readers add up in single precision, slot by slot through all sets, and want one within 2e-7 a weight.
fn to_one(influences: &mut [Influence], sets: usize) {
    let allowed = 1.5e-7 * influences.len() as f32;
    for _ in 0..8 {
        let off = 1.0 - sum(influences, sets);
        if off.abs() <= allowed {
            return;
        }
        let largest = influences.iter_mut().max_by(|a, b| a.weight.total_cmp(&b.weight));
        if let Some(largest) = largest {
            largest.weight += off;
        }
    }
}

fn sum(influences: &[Influence], sets: usize) -> f32 {
    let mut sum = 0.0;
    for slot in 0..4 {
        for set in 0..sets {
            sum += influences.get(set * 4 + slot).map_or(0.0, |influence| influence.weight);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn influence(joint: u32, weight: f32) -> Influence {
        Influence { joint, weight }
    }

    fn fitted(filed: &[Influence], follower: Option<u32>, sets: usize) -> Vec<Influence> {
        let mut kept = Vec::new();
        fit(filed, follower, sets, &mut kept);
        kept
    }

    #[test]
    fn good_weights_stay_to_the_last_bit_and_others_are_made_to_sum_to_one() {
        let good = [influence(3, 0.25), influence(1, 0.75)];
        assert_eq!(fitted(&good, None, 1), good);
        let short = fitted(&[influence(3, 0.25), influence(1, 0.749_999_1)], None, 1);
        assert!((sum(&short, 1) - 1.0).abs() <= 2e-7, "{short:?}");
        assert_eq!(short[0].weight, 0.25);
    }

    #[test]
    fn a_vertex_without_influences_follows_and_a_weight_below_zero_is_left_out() {
        assert_eq!(fitted(&[], Some(7), 1), [influence(7, 1.0)]);
        let found = fitted(&[influence(0, 1.5), influence(2, -0.5)], None, 1);
        assert_eq!(found, [influence(0, 1.0)]);
    }

    #[test]
    fn of_more_than_four_the_largest_come_first() {
        let filed: Vec<Influence> =
            (0..5).map(|at| influence(at, (at + 1) as f32 / 15.0)).collect();
        let found: Vec<u32> = fitted(&filed, None, 2).iter().map(|found| found.joint).collect();
        assert_eq!(found, [4, 3, 2, 1, 0]);
    }
}
