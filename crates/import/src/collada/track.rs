//! Tracks: what a group of a node's transforms does over time.
//!
//! In:  a group, and the channels of one clip that drive its steps.
//! Out: curves of translation, rotation and scale that follow the steps exactly, or nearly so where
//! no curve can: see [`bake`](super::bake). What stays at rest gets no track.

use std::ops::Range;

use glam::{DQuat, DVec3};
use sinew_scene::Interpolation;

use super::animation::{Channel, Channels, Member};
use super::bake::{Baked, Baking};
use super::matrix;
use super::stack::Group;
use super::step::{self, Kind, Step, Values};
use super::value::Value;

/// What drives a group in one clip.
#[derive(Debug, Default)]
pub(super) struct Tracks {
    pub(super) translation: Option<Baked<DVec3>>,
    pub(super) rotation: Option<Baked<DQuat>>,
    pub(super) scale: Option<Baked<DVec3>>,
}

/// How far a track may be from the file: of half an angle in radians, or of the largest number.
pub(super) const TOLERANCE: f64 = 1e-6;

/// A step and what drives it.
pub(super) struct Driven<'a> {
    pub(super) step: &'a Step,
    pub(super) channels: Vec<&'a Channel>,
}

/// Whether any clip shears a driven matrix, so that it takes two nodes.
pub(super) fn is_sheared(step: &Step, channels: &Channels) -> bool {
    matrix::is_sheared(&Driven::new(step, channels, &[Range { start: 0, end: usize::MAX }]))
}

pub(super) fn tracks(group: &Group, channels: &Channels, within: &[Range<usize>]) -> Tracks {
    let driven = |step| Driven::new(step, channels, within);
    match group {
        Group::Still(_) => Tracks::default(),
        Group::Matrix(step) => matrix::tracks(&driven(step)),
        Group::Outer(step) => matrix::outer(&driven(step)),
        Group::Inner(step) => matrix::inner(&driven(step)),
        Group::Moving(steps) => {
            let all: Vec<Driven<'_>> = steps.iter().map(driven).collect();
            let of = |kind| all.iter().filter(move |driven| driven.step.kind == kind);
            let rest = group.rest();
            Tracks {
                translation: sum(&of(Kind::Translate).collect::<Vec<_>>(), rest.translation, false),
                rotation: turn(&of(Kind::Rotate).collect::<Vec<_>>(), rest.rotation),
                scale: sum(&of(Kind::Scale).collect::<Vec<_>>(), rest.scale, true),
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
    pub(super) fn values(&self, time: f64, side: f64) -> Values {
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
pub(super) fn times(all: &[&Driven<'_>]) -> Vec<f64> {
    let channels = all.iter().flat_map(|driven| &driven.channels);
    let mut times: Vec<f64> =
        channels.flat_map(|channel| channel.keys.times.iter().copied()).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

pub(super) fn largest(times: &[f64], value: &dyn Fn(f64, f64) -> DVec3) -> f64 {
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
    // Most turns of a stack stand still; theirs are worked out once.
    let still: Vec<Option<DQuat>> = all
        .iter()
        .map(|driven| driven.channels.is_empty().then(|| step::rotation(&driven.step.rest)))
        .collect();
    let value = |time: f64, side: f64| {
        let each = all.iter().zip(&still).map(|(driven, still)| {
            still.unwrap_or_else(|| step::rotation(&driven.values(time, side)))
        });
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
pub(super) fn unless_at_rest<V: Value>(
    mut baked: Baked<V>,
    rest: &V,
    tolerance: f64,
) -> Option<Baked<V>> {
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
