//! How far two skeletons differ that a clip goes between: reported, since nothing is made to fit.
//!
//! In:  pairs of nodes with one name, in the clip's file and in the model.
//! Out: notes on other sizes, other rest rotations, and other parents.

use std::collections::HashMap;

use glam::{Affine3A, Vec3};
use sinew_scene::{JointId, Skeleton};

use super::bind::first_few;
use crate::note::{Notes, counted};
use crate::{NoteCode, Place};

type Pair = (JointId, JointId);

pub(super) fn rest_poses(pairs: &[Pair], from: &Skeleton, to: &Skeleton, notes: &mut Notes) {
    let from_rest = model_from_joint(from);
    let to_rest = model_from_joint(to);
    moved(pairs, from, to, size(pairs, &to_rest), notes);
    rotated(pairs, from, to, notes);
    other_parents(pairs, from, to, notes);
    other_spaces(pairs, [(from, &from_rest), (to, &to_rest)], notes);
}

fn model_from_joint(skeleton: &Skeleton) -> Vec<Affine3A> {
    let mut all: Vec<Affine3A> = Vec::with_capacity(skeleton.len());
    for node in skeleton.nodes() {
        let parent = node.parent.map_or(Affine3A::IDENTITY, |parent| all[parent.index()]);
        all.push(parent * node.parent_from_node());
    }
    all
}

/// From corner to corner of the box around the bound joints at rest, in metres.
fn size(pairs: &[Pair], to_rest: &[Affine3A]) -> f32 {
    let points = || pairs.iter().map(|&(_, to)| Vec3::from(to_rest[to.index()].translation));
    let low = points().fold(Vec3::INFINITY, Vec3::min);
    let high = points().fold(Vec3::NEG_INFINITY, Vec3::max);
    if pairs.is_empty() { 0.0 } else { (high - low).length() }
}

/// More than this share of the model's size is worth a note.
const NEAR: f32 = 0.01;

fn moved(pairs: &[Pair], from: &Skeleton, to: &Skeleton, size: f32, notes: &mut Notes) {
    let mut largest = 0.0_f32;
    let mut apart = Vec::new();
    for &(a, b) in pairs {
        let (one, other) = (from.node(a).rest.translation, to.node(b).rest.translation);
        let distance = one.distance(other);
        // A single joint has no size but its own offset.
        let size = if size > 0.0 { size } else { other.length() };
        if distance > NEAR * size {
            largest = largest.max(distance);
            apart.push(&to.node(b).name[..]);
        }
    }
    if apart.is_empty() {
        return;
    }
    let text = format!(
        "{} of {} bound joints rest elsewhere in their parent than in the clip's file, by up to \
         {largest:.3} m in a model of {size:.3} m; the clip is not fitted: {}",
        apart.len(),
        pairs.len(),
        first_few(apart)
    );
    notes.add(Place::Whole, text);
}

fn rotated(pairs: &[Pair], from: &Skeleton, to: &Skeleton, notes: &mut Notes) {
    let near = 10_f32.to_radians();
    let mut largest = 0.0_f32;
    let mut apart = Vec::new();
    for &(a, b) in pairs {
        let angle = from.node(a).rest.rotation.angle_between(to.node(b).rest.rotation);
        if angle > near {
            largest = largest.max(angle);
            apart.push(&to.node(b).name[..]);
        }
    }
    if apart.is_empty() {
        return;
    }
    let text = format!(
        "{} of {} bound joints rest rotated otherwise than in the clip's file, by up to {:.0}°; the \
         clip is not fitted: {}",
        apart.len(),
        pairs.len(),
        largest.to_degrees(),
        first_few(apart)
    );
    notes.add_as(NoteCode::RestDiffers, Place::Whole, text);
}

/// Joints whose parent moves in the clip, but is not their parent in the model.
fn other_parents(pairs: &[Pair], from: &Skeleton, to: &Skeleton, notes: &mut Notes) {
    let bound: HashMap<JointId, JointId> = pairs.iter().copied().collect();
    let apart: Vec<&str> = pairs
        .iter()
        .filter(|&&(a, b)| {
            let expected = from.node(a).parent.and_then(|parent| bound.get(&parent).copied());
            expected.is_some() && expected != to.node(b).parent
        })
        .map(|&(_, b)| &to.node(b).name[..])
        .collect();
    if !apart.is_empty() {
        let text = format!(
            "{} another parent in the model than in the clip's file: {}",
            counted(apart.len(), "bound joint has", "bound joints have"),
            first_few(apart)
        );
        notes.add(Place::Whole, text);
    }
}

/// Joints whose parent the clip does not move, where those parents are otherwise in the model: a
/// rotation or a scale that one file keeps above the skeleton and the other does not.
fn other_spaces(pairs: &[Pair], sides: [(&Skeleton, &[Affine3A]); 2], notes: &mut Notes) {
    let bound: HashMap<JointId, JointId> = pairs.iter().copied().collect();
    let [(from, from_rest), (to, to_rest)] = sides;
    let of_parent = |skeleton: &Skeleton, rest: &[Affine3A], joint| {
        skeleton.node(joint).parent.map_or(Affine3A::IDENTITY, |parent| rest[parent.index()])
    };
    let apart: Vec<&str> = pairs
        .iter()
        .filter(|&&(a, b)| {
            let driven = from.node(a).parent.is_some_and(|parent| bound.contains_key(&parent));
            let one = of_parent(from, from_rest, a).matrix3;
            let other = of_parent(to, to_rest, b).matrix3;
            let scale = one.determinant().abs().max(other.determinant().abs()).cbrt().max(1e-6);
            !driven && !one.abs_diff_eq(other, 1e-3 * scale)
        })
        .map(|&(_, b)| &to.node(b).name[..])
        .collect();
    if !apart.is_empty() {
        let text = format!(
            "{} under a parent that is rotated or scaled otherwise than in the clip's file; the \
             model's own is kept: {}",
            counted(apart.len(), "bound joint is", "bound joints are"),
            first_few(apart)
        );
        notes.add(Place::Whole, text);
    }
}
