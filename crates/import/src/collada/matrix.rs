//! Tracks of driven matrices: whole ones key by key, or any that are driven number by number.
//!
//! In:  a `<matrix>`, `<lookat>` or `<skew>` and its channels in one clip.
//! Out: curves for one node, or for two where the matrix is sheared at times. Numbers that are driven
//! one by one make matrices that are sheared between keys even where they are pure turns at them.

use glam::{DAffine3, DMat3, DQuat, DVec3};
use sinew_scene::Interpolation;

use super::animation::Member;
use super::bake::{Baked, Baking};
use super::curve::{Between, Keys};
use super::step::{self, Kind};
use super::track::{Driven, TOLERANCE, Tracks, largest, times, unless_at_rest};
use super::trs::Trs;
use super::value::Value;

/// A shear that is only rounding, where whole matrices have six digits.
const ROUNDING: f64 = 1e-4;
/// A shear not worth a node of its own.
const SMALL: f64 = 2e-5;

/// Whether a step is sheared at some time, so that it takes two nodes.
pub(super) fn is_sheared(driven: &Driven<'_>) -> bool {
    if let Some((keys, _)) = whole(driven) {
        return (0..keys.times.len()).any(|key| skew(key_matrix(driven, keys, key)) > ROUNDING);
    }
    let times = times(&[driven]);
    let between = times.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0);
    times.iter().copied().chain(between).any(|time| skew(matrix(driven, time, time)) > SMALL)
}

/// How far the axes of a matrix are from standing square on each other, as a cosine.
fn skew(matrix: DAffine3) -> f64 {
    let DMat3 { x_axis, y_axis, z_axis } = matrix.matrix3;
    let [x, y, z] = [x_axis, y_axis, z_axis].map(DVec3::normalize_or_zero);
    x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs())
}

/// A whole matrix at one of its keys.
fn key_matrix(driven: &Driven<'_>, keys: &Keys, key: usize) -> DAffine3 {
    let mut values = driven.step.rest;
    for (at, value) in values.iter_mut().enumerate().take(keys.width) {
        *value = keys.value(key, at);
    }
    step::matrix(Kind::Matrix, &values)
}

fn matrix(driven: &Driven<'_>, time: f64, side: f64) -> DAffine3 {
    step::matrix(driven.step.kind, &driven.values(time, side))
}

/// The keys of a matrix that is driven whole, when all go straight or all are steps.
fn whole<'a>(driven: &Driven<'a>) -> Option<(&'a Keys, Interpolation)> {
    let [channel] = driven.channels.as_slice() else { return None };
    if channel.member != Member::All || driven.step.kind != Kind::Matrix {
        return None;
    }
    let keys = &channel.keys;
    let kinds = &keys.between[..keys.between.len().saturating_sub(1).max(1)];
    let all = |wanted: Between| kinds.iter().all(|kind| *kind == wanted);
    match () {
        () if all(Between::Linear) => Some((keys, Interpolation::Linear)),
        () if all(Between::Step) => Some((keys, Interpolation::Step)),
        () => None,
    }
}

/// The tracks of a matrix that is never sheared.
pub(super) fn tracks(driven: &Driven<'_>) -> Tracks {
    let times = times(&[driven]);
    if times.is_empty() {
        return Tracks::default();
    }
    let rest = Trs::nearest(step::matrix(driven.step.kind, &driven.step.rest)).0;
    match whole(driven) {
        Some((keys, interpolation)) => keyed(driven, keys, interpolation, rest),
        None => sampled(&times, rest, &|time, side| Trs::nearest(matrix(driven, time, side)).0),
    }
}

/// Whole matrices, key by key: between two, translation and scale go straight and the rotation
/// turns evenly, as everyone who reads these files has it.
fn keyed(driven: &Driven<'_>, keys: &Keys, interpolation: Interpolation, rest: Trs) -> Tracks {
    let mut found = Vec::with_capacity(keys.times.len());
    let mut before = rest.rotation;
    for key in 0..keys.times.len() {
        let mut trs = Trs::nearest(key_matrix(driven, keys, key)).0;
        trs.rotation.align(&before);
        before = trs.rotation;
        found.push(trs);
    }
    let size = found.iter().map(|trs| trs.translation.abs().max_element()).fold(1e-9, f64::max);
    let keys = Keyed { keys, found: &found, interpolation, rest };
    Tracks {
        translation: keys.track(|trs| trs.translation, size),
        rotation: keys.track(|trs| trs.rotation, 1.0),
        // Six digits of a matrix leave this much of a scale that nobody drew.
        scale: keys.track(|trs| trs.scale, 10.0),
    }
}

struct Keyed<'a> {
    keys: &'a Keys,
    found: &'a [Trs],
    interpolation: Interpolation,
    rest: Trs,
}

impl Keyed<'_> {
    fn track<V: Value>(&self, part: impl Fn(&Trs) -> V, size: f64) -> Option<Baked<V>> {
        let values = self.found.iter().map(&part).collect();
        let times = self.keys.times.clone();
        let baked = Baked { times, values, interpolation: self.interpolation };
        unless_at_rest(baked, &part(&self.rest), TOLERANCE * 0.1 * size)
    }
}

/// Matrices that are driven number by number, or along curves.
fn sampled(times: &[f64], rest: Trs, at: &dyn Fn(f64, f64) -> Trs) -> Tracks {
    let bake3 = |part: fn(&Trs) -> DVec3| {
        let value = |time: f64, side: f64| part(&at(time, side));
        let tolerance = TOLERANCE * largest(times, &value);
        let baking = Baking { times, value: &value, parts: &|_, _| 1, tolerance };
        unless_at_rest(baking.bake(), &part(&rest), tolerance)
    };
    let rotation = |time: f64, side: f64| at(time, side).rotation;
    Tracks {
        translation: bake3(|trs| trs.translation),
        rotation: turning(times, &rotation, rest.rotation),
        scale: bake3(|trs| trs.scale),
    }
}

fn turning(times: &[f64], value: &dyn Fn(f64, f64) -> DQuat, rest: DQuat) -> Option<Baked<DQuat>> {
    let baking = Baking { times, value, parts: &|_, _| 1, tolerance: TOLERANCE };
    unless_at_rest(baking.bake(), &rest, TOLERANCE)
}

/// The two halves of a sheared matrix, over time.
struct Halves<'a, 'b> {
    driven: &'b Driven<'a>,
    times: Vec<f64>,
    /// The inner half in the middle of each stretch between two keys: within one it changes little.
    inner: Vec<DQuat>,
}

impl<'a, 'b> Halves<'a, 'b> {
    fn new(driven: &'b Driven<'a>) -> Self {
        let times = times(&[driven]);
        let mut near = DQuat::IDENTITY;
        let mut inner = Vec::with_capacity(times.len());
        for pair in times.windows(2) {
            let middle = (pair[0] + pair[1]) / 2.0;
            near = Trs::halves(matrix(driven, middle, middle), near).1;
            inner.push(near);
        }
        Self { driven, times, inner }
    }

    fn at(&self, time: f64, side: f64) -> (Trs, DQuat) {
        let after = self.times.partition_point(|&key| key <= side);
        let last = self.inner.len().saturating_sub(1);
        let near = self.inner.get(after.saturating_sub(1).min(last)).copied();
        Trs::halves(matrix(self.driven, time, side), near.unwrap_or(DQuat::IDENTITY))
    }

    fn rest(&self) -> (Trs, DQuat) {
        let step = self.driven.step;
        Trs::halves(step::matrix(step.kind, &step.rest), DQuat::IDENTITY)
    }
}

/// The tracks of the outer half.
pub(super) fn outer(driven: &Driven<'_>) -> Tracks {
    let halves = Halves::new(driven);
    if halves.times.is_empty() {
        return Tracks::default();
    }
    sampled(&halves.times, halves.rest().0, &|time, side| halves.at(time, side).0)
}

/// The tracks of the inner half, which only turns.
pub(super) fn inner(driven: &Driven<'_>) -> Tracks {
    let halves = Halves::new(driven);
    if halves.times.is_empty() {
        return Tracks::default();
    }
    let value = |time: f64, side: f64| halves.at(time, side).1;
    Tracks { rotation: turning(&halves.times, &value, halves.rest().1), ..Tracks::default() }
}
