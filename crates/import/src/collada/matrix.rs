//! Matrices that are driven as a whole, key by key; and whether a driven matrix is ever sheared.
//!
//! In:  a `<matrix>`, `<lookat>` or `<skew>` and its channels in one clip.
//! Out: tracks for one node, straight from its keys. Numbers that are driven one by one, or along
//! curves, make matrices that are sheared between keys even where they are pure rotations at them;
//! those go through [`fit`](crate::fit), as two nodes if need be.

use std::sync::Arc;

use glam::{DAffine3, DMat3, DQuat, DVec3};
use sinew_scene::{Curve, Interpolation, JointId, Track};

use super::animation::{Channel, Member};
use super::curve::{Between, Keys};
use super::driven::Driven;
use super::motion::Matrix;
use super::step::{self, Kind, Step};
use super::track::{Build, TOLERANCE};
use super::trs::Trs;
use crate::fit::{NotFinite, Source};
use crate::{ImportError, Place};

/// A shear that is only rounding, where whole matrices have six digits.
const ROUNDING: f64 = 1e-4;
/// A shear not worth a node of its own.
const SMALL: f64 = 2e-5;

/// Whether a matrix is sheared at some time, so that it takes two nodes.
pub(super) fn is_sheared(step: &Step, channels: &[&Channel]) -> bool {
    if let Some((keys, _)) = whole(step, channels) {
        return (0..keys.times.len()).any(|key| is_skew(key_matrix(step, keys, key), ROUNDING));
    }
    let mut source = Matrix::new(Driven::new(step, channels), false, TOLERANCE);
    source.knots().windows(2).any(|pair| {
        source.open(pair[0], pair[1]);
        let middle = (pair[0] + pair[1]) / 2.0;
        [pair[0], middle, pair[1]].into_iter().any(|time| is_skew(source.matrix(time), SMALL))
    })
}

/// Whether some axes of a matrix are off from standing square on each other by more than this, as a cosine: by
/// squares, so that no root is taken.
fn is_skew(matrix: DAffine3, most: f64) -> bool {
    let DMat3 { x_axis: x, y_axis: y, z_axis: z } = matrix.matrix3;
    let off = |one: DVec3, other: DVec3| {
        let product = one.dot(other);
        product * product > most * most * (one.length_squared() * other.length_squared())
    };
    off(x, y) || off(y, z) || off(z, x)
}

/// A whole matrix at one of its keys.
fn key_matrix(step: &Step, keys: &Keys, key: usize) -> DAffine3 {
    let mut values = step.rest;
    for (at, value) in values.iter_mut().enumerate().take(keys.width) {
        *value = keys.value(key, at);
    }
    step::matrix(Kind::Matrix, &values)
}

/// The keys of a matrix that is driven whole, when all go straight or all are steps.
fn whole<'a>(step: &Step, channels: &[&'a Channel]) -> Option<(&'a Keys, Interpolation)> {
    let [channel] = channels else { return None };
    if channel.member != Member::All || step.kind != Kind::Matrix {
        return None;
    }
    let keys = &channel.keys;
    let kinds = &keys.between[..keys.between.len().saturating_sub(1).max(1)];
    let all = |wanted: Between| kinds.iter().all(|kind| *kind == wanted);
    if all(Between::Linear) {
        Some((keys, Interpolation::Linear))
    } else if all(Between::Step) {
        Some((keys, Interpolation::Step))
    } else {
        None
    }
}

/// Adds the tracks of a matrix that is driven whole, and says whether it is. Between two keys
/// translation and scale go straight and the rotation goes evenly, as everyone who reads these files
/// has it.
pub(super) fn keyed(
    step: &Step,
    channels: &[&Channel],
    joint: JointId,
    rest: Trs,
    build: &mut Build<'_>,
) -> Result<bool, ImportError> {
    let Some((keys, interpolation)) = whole(step, channels) else { return Ok(false) };
    let count = keys.times.len();
    build.budget.take(count, 64, &Place::part("animation"))?;
    let mut found = Vec::with_capacity(count);
    let mut before = rest.rotation;
    for key in 0..count {
        let mut trs = Trs::closest(key_matrix(step, keys, key));
        if trs.rotation.dot(before) < 0.0 {
            trs.rotation = -trs.rotation;
        }
        before = trs.rotation;
        found.push(trs);
    }
    let times = build.clock.times(&keys.times);
    let size = found.iter().map(|trs| trs.translation.abs().max_element()).fold(1e-9, f64::max);
    let keyed = Keyed { times, found, interpolation, rest };
    let apart = |a: DVec3, b: DVec3| (a - b).abs().max_element();
    let fine = TOLERANCE * 0.1;
    let curve = keyed.curve(|trs| trs.translation, apart, fine * size, |key| key.as_vec3());
    let curve = build.or_lost(curve);
    build.clip.translations.extend(curve.map(|curve| Track { joint, curve }));
    let angle = |a: DQuat, b: DQuat| (a - b).length().min((a + b).length());
    let curve = keyed.curve(|trs| trs.rotation, angle, fine, |key| key.as_quat());
    let curve = build.or_lost(curve);
    build.clip.rotations.extend(curve.map(|curve| Track { joint, curve }));
    // Six digits of a matrix leave this much of a scale that nobody drew.
    let curve = keyed.curve(|trs| trs.scale, apart, TOLERANCE, |key| key.as_vec3());
    let curve = build.or_lost(curve);
    build.clip.scales.extend(curve.map(|curve| Track { joint, curve }));
    Ok(true)
}

struct Keyed {
    times: Arc<[f32]>,
    found: Vec<Trs>,
    interpolation: Interpolation,
    rest: Trs,
}

impl Keyed {
    /// The curve of one part; a single key where it never changes, `None` where it stays at rest.
    fn curve<V: Copy, S: Copy>(
        &self,
        part: impl Fn(&Trs) -> V,
        apart: impl Fn(V, V) -> f64,
        tolerance: f64,
        single: impl Fn(V) -> S,
    ) -> Result<Option<Curve<S>>, NotFinite> {
        let Some(first) = self.found.first().map(&part) else { return Ok(None) };
        if self.found.iter().all(|trs| apart(part(trs), first) <= tolerance) {
            let moved = apart(first, part(&self.rest)) > tolerance;
            return Ok(moved.then(|| Curve::constant(single(first))));
        }
        let values: Vec<S> = self.found.iter().map(|trs| single(part(trs))).collect();
        let curve = Curve::new(self.times.clone(), values, self.interpolation);
        curve.map(Some).map_err(|_| NotFinite)
    }
}
