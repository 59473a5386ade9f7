//! Which joints influence each vertex, as sets of four.
//!
//! In:  the influences of a primitive. Out: `JOINTS_n` and `WEIGHTS_n`, as many sets as the fullest vertex needs.
//!
//! A slot that is not used is joint 0 with weight 0, and weights sum to one as closely as single precision adds up. A vertex
//! of more than four influences has the largest first, for readers of one set alone.

use sinew_scene::{Influence, Primitive};

use super::buffer::{Buffers, Elements, Use};
use super::exact::{unorm8, unorm16};
use super::json::Object;
use super::note::Notes;
use crate::ExportError;

/// Adds the sets to a primitive's attributes. `follower` is the joint of vertices without influences.
pub(super) fn write(
    primitive: &Primitive,
    follower: Option<u32>,
    attributes: &mut Object,
    buffers: &mut Buffers,
    notes: &mut Notes,
) -> Result<(), ExportError> {
    let vertices = primitive.positions.len();
    let sets = primitive.influences.most().div_ceil(4).max(1);
    let mut joints = vec![vec![0_u32; vertices * 4]; sets];
    let mut weights = vec![vec![0.0_f32; vertices * 4]; sets];
    let mut negative = 0;
    for vertex in 0..vertices {
        let filed: &[Influence] = match primitive.influences.is_empty() {
            true => &[],
            false => primitive.influences.of(vertex),
        };
        negative += usize::from(filed.iter().any(|influence| influence.weight < 0.0));
        let fitted = fitted(filed, follower, sets);
        for (slot, influence) in fitted.into_iter().enumerate() {
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
    for (set, (joints, weights)) in joints.iter().zip(&weights).enumerate() {
        let joints = match largest {
            0..=255 => {
                Elements::bytes(Use::Vertex, 4, joints.iter().map(|&joint| joint as u8).collect())
            }
            _ => {
                let joints: Vec<u16> = joints.iter().map(|&joint| joint as u16).collect();
                Elements::shorts(Use::Vertex, 4, &joints)
            }
        };
        attributes.set(&format!("JOINTS_{set}"), buffers.add(joints));
        let weights = weight_elements(weights, sets);
        attributes.set(&format!("WEIGHTS_{set}"), buffers.add(weights));
    }
    Ok(())
}

/// In fewer bytes where that loses nothing.
fn weight_elements(weights: &[f32], sets: usize) -> Elements {
    let whole = |total: u32, vertex: &[u32]| vertex.iter().sum::<u32>() == total;
    if sets == 1
        && let Some(bytes) = unorm8(weights)
        && bytes
            .chunks_exact(4)
            .all(|four| whole(255, &[four[0], four[1], four[2], four[3]].map(u32::from)))
    {
        return Elements::bytes(Use::Vertex, 4, bytes).normalized();
    }
    if sets == 1
        && let Some(shorts) = unorm16(weights)
        && shorts
            .chunks_exact(4)
            .all(|four| whole(65_535, &[four[0], four[1], four[2], four[3]].map(u32::from)))
    {
        return Elements::shorts(Use::Vertex, 4, &shorts).normalized();
    }
    Elements::floats(Use::Vertex, 4, weights)
}

/// The influences of one vertex as glTF may have them.
fn fitted(filed: &[Influence], follower: Option<u32>, sets: usize) -> Vec<Influence> {
    let mut kept: Vec<Influence> =
        filed.iter().copied().filter(|influence| influence.weight > 0.0).collect();
    if kept.is_empty() {
        return vec![Influence { joint: follower.unwrap_or(0), weight: 1.0 }];
    }
    if kept.len() > 4 {
        kept.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    }
    if kept.len() < filed.len() {
        let sum: f32 = kept.iter().map(|influence| influence.weight).sum();
        kept.iter_mut().for_each(|influence| influence.weight /= sum);
    }
    to_one(&mut kept, sets);
    kept
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
