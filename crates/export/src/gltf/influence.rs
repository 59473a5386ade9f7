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
    let mut form = Form { joint_size: 1, kind: Kind::Bytes };
    let all = loop {
        match source.written(sets, form) {
            Ok(all) => break all,
            Err(Misfit::Joint) if form.joint_size == 2 => return Err(source.too_many()),
            Err(Misfit::Joint) => form.joint_size = 2,
            Err(Misfit::Weight) if form.kind == Kind::Bytes => form.kind = Kind::Shorts,
            Err(Misfit::Weight) => form.kind = Kind::Floats,
        }
    };
    let [mut joints, mut weights] = [Vec::new(), Vec::new()];
    for (set, [joint_bytes, weight_bytes]) in all.into_iter().enumerate() {
        let elements = match form.joint_size {
            1 => Elements::bytes(Use::Vertex, 4, joint_bytes),
            _ => Elements::short_bytes(Use::Vertex, 4, joint_bytes),
        };
        joints.push((format!("JOINTS_{set}"), elements));
        let elements = match form.kind {
            Kind::Bytes => Elements::bytes(Use::Vertex, 4, weight_bytes).normalized(),
            Kind::Shorts => Elements::short_bytes(Use::Vertex, 4, weight_bytes).normalized(),
            Kind::Floats => Elements::float_bytes(Use::Vertex, 4, weight_bytes),
        };
        weights.push((format!("WEIGHTS_{set}"), elements));
    }
    joints.append(&mut weights);
    Ok(joints)
}

/// How many bytes a joint has, and of what kind weights are.
#[derive(Clone, Copy)]
struct Form {
    joint_size: usize,
    kind: Kind,
}

/// What is not of a form.
enum Misfit {
    Joint,
    Weight,
}

impl Form {
    /// Writes a vertex in one of its sets.
    fn write(self, all: &[Influence], set: usize, out: [&mut [u8]; 2]) -> Result<(), Misfit> {
        let [joints, weights] = out;
        let Self { joint_size, kind } = self;
        let whole = kind.whole();
        let mut sum = 0;
        for (slot, one) in all.iter().enumerate() {
            let joint = one.joint.to_le_bytes();
            if joint[joint_size..] != [0; 4][joint_size..] {
                return Err(Misfit::Joint);
            }
            let number = (one.weight * whole + 0.5) as u32;
            if kind != Kind::Floats && number as f32 / whole != one.weight {
                return Err(Misfit::Weight);
            }
            sum += number;
            if slot / 4 == set {
                let at = slot % 4;
                joints[at * joint_size..][..joint_size].copy_from_slice(&joint[..joint_size]);
                let size = kind.size();
                let bytes = if kind == Kind::Floats { one.weight.to_bits() } else { number };
                weights[at * size..][..size].copy_from_slice(&bytes.to_le_bytes()[..size]);
            }
        }
        match kind != Kind::Floats && sum != whole as u32 {
            true => Err(Misfit::Weight),
            false => Ok(()),
        }
    }
}

impl Source<'_> {
    /// The bytes of joints and weights of every set, four numbers for each vertex.
    fn written(&self, sets: usize, form: Form) -> Result<Vec<[Vec<u8>; 2]>, Misfit> {
        let sizes = [4 * form.joint_size, 4 * form.kind.size()];
        // Most lists that are not of this form show it at once.
        if self.vertices > 0 {
            let mut scratch = [vec![0; sizes[0]], vec![0; sizes[1]]];
            let out = scratch.each_mut().map(|out| &mut out[..]);
            form.write(Fitter::default().fit(self, 0, sets), 0, out)?;
        }
        let of_set = |set: usize| {
            let mut bytes = sizes.map(|size| vec![0; self.vertices * size]);
            let [joints, weights] = &mut bytes;
            let chunks = joints
                .par_chunks_mut(CHUNK * sizes[0])
                .zip(weights.par_chunks_mut(CHUNK * sizes[1]))
                .enumerate();
            chunks.try_for_each(|(chunk, (joints, weights))| {
                let mut fitter = Fitter::default();
                let joints = joints.chunks_exact_mut(sizes[0]);
                let mut rows = joints.zip(weights.chunks_exact_mut(sizes[1])).enumerate();
                rows.try_for_each(|(at, (joints, weights))| {
                    let all = fitter.fit(self, chunk * CHUNK + at, sets);
                    form.write(all, set, [joints, weights])
                })
            })?;
            Ok(bytes)
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
