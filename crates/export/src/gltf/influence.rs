//! Which joints influence each vertex, as sets of four.
//!
//! In:  the influences of a primitive. Out: `JOINTS_n` and `WEIGHTS_n`, as many sets as the fullest vertex needs.
//!
//! A slot that is not used is joint 0 with weight 0, and weights sum to one as closely as single precision adds up. A vertex
//! of more than four influences has the largest first, for readers of one set alone.

use sinew_scene::{Influence, Primitive};

use super::elements::{Elements, Use};
use super::exact::{unorm8, unorm16};
use super::note::Notes;
use super::precision::{GltfPrecision, weights16};
use crate::ExportError;

/// The sets, by the names of their attributes. `follower` is the joint of vertices without influences.
pub(super) fn attributes(
    primitive: &Primitive,
    follower: Option<u32>,
    precision: GltfPrecision,
    notes: &mut Notes,
) -> Result<Vec<(String, Elements)>, ExportError> {
    let vertices = primitive.positions.len();
    let sets = primitive.influences.most().div_ceil(4).max(1);
    let mut joints = vec![vec![0_u32; vertices * 4]; sets];
    let mut weights = vec![vec![0.0_f32; vertices * 4]; sets];
    let mut negative = 0;
    let mut fitted = Vec::new();
    for vertex in 0..vertices {
        let filed: &[Influence] = match primitive.influences.is_empty() {
            true => &[],
            false => primitive.influences.of(vertex),
        };
        negative += usize::from(filed.iter().any(|influence| influence.weight < 0.0));
        fit(filed, follower, sets, &mut fitted);
        if precision >= GltfPrecision::Rounded {
            fitted = rounded(&fitted);
        }
        for (slot, influence) in fitted.iter().enumerate() {
            joints[slot / 4][vertex * 4 + slot % 4] = influence.joint;
            weights[slot / 4][vertex * 4 + slot % 4] = influence.weight;
        }
    }
    notes.add_times(
        "a vertex has weights below zero, which glTF does not have: the others are made to sum to one",
        negative,
    );
    let largest = joints.iter().flatten().copied().max().unwrap_or(0);
    if largest > u32::from(u16::MAX) {
        let (most, found) = (usize::from(u16::MAX) + 1, largest as usize + 1);
        return Err(ExportError::TooMany { what: "joints in a skin", most, found });
    }
    let mut all = Vec::with_capacity(2 * sets);
    for (set, joints) in joints.iter().enumerate() {
        all.push((format!("JOINTS_{set}"), joint_elements(joints, largest)));
    }
    for (set, weights) in weight_elements(&weights).into_iter().enumerate() {
        all.push((format!("WEIGHTS_{set}"), weights));
    }
    Ok(all)
}

fn joint_elements(joints: &[u32], largest: u32) -> Elements {
    if largest <= u32::from(u8::MAX) {
        return Elements::bytes(Use::Vertex, 4, joints.iter().map(|&joint| joint as u8).collect());
    }
    let joints: Vec<u16> = joints.iter().map(|&joint| joint as u16).collect();
    Elements::shorts(Use::Vertex, 4, &joints)
}

/// In fewer bytes where that loses nothing. A vertex must sum to the whole in those, too.
fn weight_elements(sets: &[Vec<f32>]) -> Vec<Elements> {
    let bytes: Option<Vec<Vec<u8>>> = sets.iter().map(|set| unorm8(set)).collect();
    if let Some(bytes) = bytes.filter(|all| are_whole(all, 255)) {
        let each = bytes.into_iter().map(|set| Elements::bytes(Use::Vertex, 4, set).normalized());
        return each.collect();
    }
    let shorts: Option<Vec<Vec<u16>>> = sets.iter().map(|set| unorm16(set)).collect();
    if let Some(shorts) = shorts.filter(|all| are_whole(all, 65_535)) {
        let each = shorts.iter().map(|set| Elements::shorts(Use::Vertex, 4, set).normalized());
        return each.collect();
    }
    sets.iter().map(|weights| Elements::floats(Use::Vertex, 4, weights)).collect()
}

fn are_whole<N: Copy + Into<u32>>(sets: &[Vec<N>], whole: u32) -> bool {
    let of_vertex = |vertex: usize| sets.iter().flat_map(move |set| &set[vertex * 4..][..4]);
    let sum = |vertex: usize| of_vertex(vertex).map(|&weight| weight.into()).sum::<u32>();
    (0..sets[0].len() / 4).all(|vertex| sum(vertex) == whole)
}

/// Weights in steps of 1/65,535; those that come to nothing are left out.
fn rounded(influences: &[Influence]) -> Vec<Influence> {
    let weights: Vec<f32> = influences.iter().map(|influence| influence.weight).collect();
    let pairs = influences.iter().zip(weights16(&weights)).filter(|(_, weight)| *weight > 0);
    pairs
        .map(|(one, weight)| Influence { joint: one.joint, weight: f32::from(weight) / 65_535.0 })
        .collect()
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
