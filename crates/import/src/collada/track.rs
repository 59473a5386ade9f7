//! Tracks: what a group of a node's transforms does over time.
//!
//! In:  a group, and the channels of one clip that drive its steps.
//! Out: curves of translation, rotation and scale that follow the steps exactly, or nearly so where
//! no curve can: see [`bake`](super::bake). What stays at rest gets no track.

use std::ops::Range;

use glam::{DAffine3, DQuat, DVec3};
use sinew_scene::Interpolation;

use super::animation::{Channel, Channels, Member};
use super::bake::{Baked, Baking, Value};
use super::curve::Between;
use super::stack::Group;
use super::step::{self, Kind, Step, Values};
use super::trs::Trs;

/// What drives a group in one clip.
#[derive(Debug, Default)]
pub(super) struct Tracks {
    pub(super) translation: Option<Baked<DVec3>>,
    pub(super) rotation: Option<Baked<DQuat>>,
    pub(super) scale: Option<Baked<DVec3>>,
    /// How far the nearest translation, rotation and scale miss a driven matrix, at worst.
    pub(super) miss: f64,
}

/// How far a track may be from the file: of half an angle in radians, or of the largest number.
const TOLERANCE: f64 = 1e-6;

/// A step and what drives it.
struct Driven<'a> {
    step: &'a Step,
    channels: Vec<&'a Channel>,
}

pub(super) fn tracks(group: &Group, channels: &Channels, within: &[Range<usize>]) -> Tracks {
    let driven = |step| Driven::new(step, channels, within);
    match group {
        Group::Still(_) => Tracks::default(),
        Group::Matrix(step) => driven(step).matrix_tracks(),
        Group::Moving(steps) => {
            let all: Vec<Driven<'_>> = steps.iter().map(driven).collect();
            let of = |kind| all.iter().filter(move |driven| driven.step.kind == kind);
            let rest = group.rest();
            Tracks {
                translation: sum(&of(Kind::Translate).collect::<Vec<_>>(), rest.translation, false),
                rotation: turn(&of(Kind::Rotate).collect::<Vec<_>>(), rest.rotation),
                scale: sum(&of(Kind::Scale).collect::<Vec<_>>(), rest.scale, true),
                miss: 0.0,
            }
        }
    }
}

impl<'a> Driven<'a> {
    fn new(step: &'a Step, channels: &'a Channels, within: &[Range<usize>]) -> Self {
        let found = step.tag.map(|tag| channels.of(tag, within).collect());
        Self { step, channels: found.unwrap_or_default() }
    }

    /// The step's numbers at a time.
    fn values(&self, time: f64, side: f64) -> Values {
        let mut values = self.step.rest;
        for channel in &self.channels {
            let keys = &channel.keys;
            match place_of(channel.member, self.step.kind) {
                Some(at) => {
                    if let Some(value) = values.get_mut(at) {
                        *value = keys.at(0, time, side);
                    }
                }
                None => {
                    let width = keys.width.min(self.step.kind.width());
                    for (at, value) in values.iter_mut().enumerate().take(width) {
                        *value = keys.at(at, time, side);
                    }
                }
            }
        }
        values
    }

    /// How far, in degrees, a `<rotate>` turns between two times.
    fn degrees(&self, from: f64, to: f64) -> f64 {
        let middle = (from + to) / 2.0;
        (self.values(to, middle)[3] - self.values(from, middle)[3]).abs()
    }
}

/// The number that a member means; `None` for all of them.
fn place_of(member: Member, kind: Kind) -> Option<usize> {
    match member {
        Member::All => None,
        Member::Index(at) => Some(at),
        // The file's numbers are row by row.
        Member::Cell(column, row) => Some(row.min(3) * 4 + column.min(3)),
        Member::Angle if kind == Kind::Rotate => Some(3),
        Member::Angle => Some(0),
    }
}

/// All key times, rising, without repeats.
fn times(all: &[&Driven<'_>]) -> Vec<f64> {
    let channels = all.iter().flat_map(|driven| &driven.channels);
    let mut times: Vec<f64> =
        channels.flat_map(|channel| channel.keys.times.iter().copied()).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

fn largest(times: &[f64], value: &dyn Fn(f64, f64) -> DVec3) -> f64 {
    times.iter().map(|&time| value(time, time).abs().max_element()).fold(1e-9, f64::max)
}

/// Translations are added, scales multiplied.
fn sum(all: &[&Driven<'_>], rest: DVec3, multiply: bool) -> Option<Baked<DVec3>> {
    let times = times(all);
    if times.is_empty() {
        return None;
    }
    let value = |time: f64, side: f64| {
        let each = all.iter().map(|driven| step::vector(&driven.values(time, side)));
        if multiply { each.product() } else { each.sum::<DVec3>() }
    };
    let tolerance = TOLERANCE * largest(&times, &value);
    let baking = Baking { times: &times, value: &value, parts: &|_, _| 1, tolerance };
    unless_at_rest(baking.bake(), &rest, tolerance * 0.1)
}

fn turn(all: &[&Driven<'_>], rest: DQuat) -> Option<Baked<DQuat>> {
    let times = times(all);
    if times.is_empty() {
        return None;
    }
    let value = |time: f64, side: f64| {
        let each = all.iter().map(|driven| step::rotation(&driven.values(time, side)));
        each.product::<DQuat>()
    };
    let parts = |from: f64, to: f64| {
        let degrees: f64 = all.iter().map(|driven| driven.degrees(from, to)).sum();
        (degrees / 90.0).ceil() as usize
    };
    let baking = Baking { times: &times, value: &value, parts: &parts, tolerance: TOLERANCE };
    unless_at_rest(baking.bake(), &rest, TOLERANCE * 0.1)
}

/// A track on which nothing ever differs from rest is none; one that never changes is one key.
fn unless_at_rest<V: Value>(mut baked: Baked<V>, rest: &V, tolerance: f64) -> Option<Baked<V>> {
    if baked.interpolation == Interpolation::Cubic {
        return Some(baked);
    }
    let first = baked.values.first()?.clone();
    if baked.values.iter().any(|value| value.distance(&first) > tolerance) {
        return Some(baked);
    }
    if first.distance(rest) <= tolerance {
        return None;
    }
    baked.times.truncate(1);
    baked.values.truncate(1);
    baked.interpolation = Interpolation::Step;
    Some(baked)
}

impl Driven<'_> {
    fn matrix(&self, time: f64, side: f64) -> DAffine3 {
        step::matrix(self.step.kind, &self.values(time, side))
    }

    fn matrix_tracks(&self) -> Tracks {
        let times = times(&[self]);
        if times.is_empty() {
            return Tracks::default();
        }
        let rest = Trs::nearest(step::matrix(self.step.kind, &self.step.rest)).0;
        match self.channels.as_slice() {
            [channel] if channel.member == Member::All && self.step.kind == Kind::Matrix => {
                self.whole(channel, &times, rest)
            }
            _ => self.sampled(&times, rest),
        }
    }

    /// Whole matrices, key by key: between two, translation and scale go straight and the rotation
    /// turns evenly, as everyone who reads these files has it.
    fn whole(&self, channel: &Channel, times: &[f64], rest: Trs) -> Tracks {
        let keys = &channel.keys;
        let kinds = &keys.between[..keys.between.len().saturating_sub(1).max(1)];
        let interpolation = match kinds {
            kinds if kinds.iter().all(|kind| *kind == Between::Linear) => Interpolation::Linear,
            kinds if kinds.iter().all(|kind| *kind == Between::Step) => Interpolation::Step,
            _ => return self.sampled(times, rest),
        };
        let mut found = Vec::with_capacity(keys.times.len());
        let mut miss: f64 = 0.0;
        let mut before = rest.rotation;
        for key in 0..keys.times.len() {
            let mut values = self.step.rest;
            for (at, value) in values.iter_mut().enumerate().take(keys.width) {
                *value = keys.value(key, at);
            }
            let (mut trs, far) = Trs::nearest(step::matrix(Kind::Matrix, &values));
            trs.rotation.align(&before);
            before = trs.rotation;
            miss = miss.max(far);
            found.push(trs);
        }
        let size = found.iter().map(|trs| trs.translation.abs().max_element()).fold(1e-9, f64::max);
        Tracks {
            translation: keyed(keys, &found, |trs| trs.translation, interpolation, rest, size),
            rotation: keyed(keys, &found, |trs| trs.rotation, interpolation, rest, 1.0),
            scale: keyed(keys, &found, |trs| trs.scale, interpolation, rest, 10.0),
            miss,
        }
    }

    /// Matrices that are driven number by number, or along curves.
    fn sampled(&self, times: &[f64], rest: Trs) -> Tracks {
        let at = |time: f64, side: f64| Trs::nearest(self.matrix(time, side)).0;
        let miss = times
            .windows(2)
            .map(|pair| (pair[0] + pair[1]) / 2.0)
            .chain(times.iter().copied())
            .map(|time| Trs::nearest(self.matrix(time, time)).1)
            .fold(0.0, f64::max);
        let translation = |time: f64, side: f64| self.matrix(time, side).translation;
        let rotation = |time: f64, side: f64| at(time, side).rotation;
        let scale = |time: f64, side: f64| at(time, side).scale;
        let tolerance = TOLERANCE * largest(times, &translation);
        let bake3 = |value: &dyn Fn(f64, f64) -> DVec3, tolerance: f64, rest: DVec3| {
            let baking = Baking { times, value, parts: &|_, _| 1, tolerance };
            unless_at_rest(baking.bake(), &rest, tolerance)
        };
        let turning = Baking { times, value: &rotation, parts: &|_, _| 1, tolerance: TOLERANCE };
        Tracks {
            translation: bake3(&translation, tolerance, rest.translation),
            rotation: unless_at_rest(turning.bake(), &rest.rotation, TOLERANCE),
            scale: bake3(&scale, TOLERANCE * largest(times, &scale), rest.scale),
            miss,
        }
    }
}

fn keyed<V: Value>(
    keys: &super::curve::Keys,
    found: &[Trs],
    part: impl Fn(&Trs) -> V,
    interpolation: Interpolation,
    rest: Trs,
    size: f64,
) -> Option<Baked<V>> {
    let values = found.iter().map(&part).collect();
    let baked = Baked { times: keys.times.clone(), values, interpolation };
    unless_at_rest(baked, &part(&rest), TOLERANCE * 0.1 * size)
}
