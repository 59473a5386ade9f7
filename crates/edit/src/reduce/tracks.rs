//! All tracks of a clip, ready to be thinned.
//!
//! In:  a clip, and how far an error of each track moves the skin.
//! Out: the clip thinned by any bound, with times shared and the same length.

use std::collections::HashMap;

use rayon::prelude::*;
use sinew_scene::{Clip, Interpolation, PropertyTrack, Scene, Track, WeightTrack};

use super::ReduceOptions;
use super::correct::Chain;
use super::fit::{Fitted, fit, made};
use super::insert::insert_keys;
use super::levers::Levers;
use super::refine::refine;
use super::samples::{Samples, Weighting};
use super::share::{Straight, share_times};
use crate::SkinPoints;
use crate::keys::{Keyed, Keys, SharedTimes};

/// The share of its range by which a driven value that moves no skin may be off.
const VALUE_ERROR: f64 = 2e-4;

/// How far a rotation is off at most when its numbers are rounded to 32,767ths, in radians.
const ROUNDED_ANGLE: f32 = 5e-5;
/// What numbers of two bytes are parts of: those of rotations from -1 to 1, and morph weights from 0 to 1.
pub(super) const ROTATION_PARTS: f32 = 32_767.0;
pub(super) const WEIGHT_PARTS: f32 = 65_535.0;

/// What a track drives, by its place in the clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Place {
    Translation(usize),
    Rotation(usize),
    Scale(usize),
    Weights(usize),
    Property(usize),
}

#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) place: Place,
    pub(super) samples: Samples,
    rest: Vec<f64>,
    /// How far it goes from there, and from its first value, in metres at the skin.
    goes: [f64; 2],
    /// Tracks of the same number have samples at the same times.
    times: usize,
    /// Of the bound, what this track may be off; `None` for one that moves no skin.
    share: Option<f64>,
    /// What its values may be rounded to, and how far that puts the skin off.
    pub(super) short: Option<Short>,
    /// Whether they are.
    pub(super) is_short: bool,
}

/// Numbers of two bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Short {
    /// What they are: parts of one.
    pub(super) parts: f32,
    metres: f32,
}

#[derive(Debug)]
pub(super) struct Tracks {
    all: Vec<Prepared>,
    chain: Chain,
}

impl Tracks {
    pub(super) fn new(
        scene: &Scene,
        clip: &Clip,
        levers: &Levers,
        points: &SkinPoints,
        options: &ReduceOptions,
    ) -> Self {
        let shares = shares(scene, clip);
        let mut all = Vec::new();
        let rest = |joint: sinew_scene::JointId| scene[joint].rest;
        let wide = |values: &[f32]| values.iter().map(|&number| f64::from(number)).collect();
        for (at, Track { joint, curve }) in clip.translations.iter().enumerate() {
            let weighting = Weighting::Length(f64::from(levers.above[joint.index()]));
            all.push(Prepared {
                place: Place::Translation(at),
                samples: Samples::new(curve.keys(), weighting),
                rest: wide(&rest(*joint).translation.to_array()),
                goes: [0.0; 2],
                times: 0,
                share: Some(shares[joint.index()]),
                short: None,
                is_short: false,
            });
        }
        for (at, Track { joint, curve }) in clip.rotations.iter().enumerate() {
            let arm = levers.arms[joint.index()];
            let weighting = Weighting::Angle(f64::from(arm));
            let numbers = curve.values().iter().flat_map(|value| value.to_array());
            let metres = if are_parts(numbers, ROTATION_PARTS) { 0.0 } else { ROUNDED_ANGLE * arm };
            all.push(Prepared {
                short: options.short_values.then_some(Short { parts: ROTATION_PARTS, metres }),
                is_short: false,
                place: Place::Rotation(at),
                samples: Samples::new(curve.keys(), weighting),
                rest: wide(&rest(*joint).rotation.to_array()),
                goes: [0.0; 2],
                times: 0,
                share: Some(shares[joint.index()]),
            });
        }
        for (at, Track { joint, curve }) in clip.scales.iter().enumerate() {
            // An arm is measured with the scale on it.
            let sizes = curve.values().iter().map(|scale| scale.abs().min_element());
            let least = sizes.fold(f32::INFINITY, f32::min).clamp(1e-3, 1e3);
            let weighting = Weighting::Length(f64::from(levers.arms[joint.index()] / least));
            all.push(Prepared {
                place: Place::Scale(at),
                samples: Samples::new(curve.keys(), weighting),
                rest: wide(&rest(*joint).scale.to_array()),
                goes: [0.0; 2],
                times: 0,
                share: Some(shares[joint.index()]),
                short: None,
                is_short: false,
            });
        }
        for (at, WeightTrack { instance, rows }) in clip.weights.iter().enumerate() {
            let reaches = &points.morph_reaches()[scene.weight_range(*instance)];
            let weighting = reaches.iter().map(|&reach| f64::from(reach.max(1e-6))).collect();
            let metres = reaches.iter().sum::<f32>() / (2.0 * WEIGHT_PARTS);
            let unit = |number: &f32| (0.0..=1.0).contains(number);
            let can = options.short_values && rows.values().iter().all(unit);
            all.push(Prepared {
                short: can.then_some(Short { parts: WEIGHT_PARTS, metres }),
                is_short: false,
                place: Place::Weights(at),
                samples: Samples::new(rows.keys(), Weighting::Each(weighting)),
                rest: wide(&scene[*instance].weights),
                goes: [0.0; 2],
                times: 0,
                share: Some(1.0),
            });
        }
        for (at, PropertyTrack { property, rows }) in clip.properties.iter().enumerate() {
            let keys = rows.keys();
            let weighting = Weighting::Each(per_range(&keys));
            let rest = wide(&scene[*property].rest[..rows.width()]);
            let samples = Samples::new(keys, weighting);
            all.push(Prepared {
                place: Place::Property(at),
                samples,
                rest,
                goes: [0.0; 2],
                times: 0,
                share: None,
                short: None,
                is_short: false,
            });
        }
        prepare(&mut all);
        let chain = Chain::new(scene, clip, &all);
        Self { all, chain }
    }

    /// Rounds the values of tracks that this puts off by at most so many metres each; how many those are.
    pub(super) fn round_within(&mut self, metres: f32) -> usize {
        for track in &mut self.all {
            track.is_short = track.short.is_some_and(|short| short.metres <= metres);
        }
        self.all.iter().filter(|track| track.is_short).count()
    }

    /// The clip with each track off by its share of `metres` at most.
    pub(super) fn made(&self, clip: &Clip, metres: f64) -> Clip {
        let bound = |track: &Prepared| track.share.map_or(VALUE_ERROR, |share| share * metres);
        let mut fitted: Vec<Fitted> = self
            .all
            .par_iter()
            .map(|track| fit(&track.samples, track.goes, bound(track)))
            .collect();
        self.share_times(&mut fitted, bound);
        let mut thin = Clip {
            name: clip.name.clone(),
            start: clip.start,
            duration: clip.duration,
            markers: clip.markers.clone(),
            ..Clip::default()
        };
        let last = clip.last_key();
        let mut found: Vec<(Place, Keys)> = self
            .all
            .iter()
            .zip(&fitted)
            .filter_map(|(track, fitted)| Some((track.place, keys_of(&track.samples, fitted)?)))
            .collect();
        insert_keys(found.iter_mut().map(|(_, keys)| keys));
        self.chain.correct(clip, &self.all, &mut found);
        keep_length(&mut found, &self.all, last);
        let mut times = SharedTimes::default();
        for (place, keys) in found {
            put(&mut thin, clip, place, keys, &mut times);
        }
        thin
    }

    /// Straight tracks with the same samples share times where that takes fewer bytes.
    fn share_times(&self, fitted: &mut [Fitted], bound: impl Fn(&Prepared) -> f64 + Sync) {
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); self.all.len()];
        for (at, fitted) in fitted.iter().enumerate() {
            if let Fitted::Keys { interpolation: Interpolation::Linear, .. } = fitted {
                groups[self.all[at].times].push(at);
            }
        }
        for group in groups.into_iter().filter(|group| !group.is_empty()) {
            let knots_of = |at: usize| match &fitted[at] {
                Fitted::Keys { knots, .. } => knots.clone(),
                _ => Vec::new(),
            };
            let mut tracks: Vec<Straight<'_>> = group
                .iter()
                .map(|&at| Straight {
                    samples: &self.all[at].samples,
                    metres: bound(&self.all[at]),
                    knots: knots_of(at),
                    key_bytes: self.all[at].samples.width()
                        * if self.all[at].is_short { 2 } else { 4 },
                })
                .collect();
            share_times(&mut tracks);
            for (at, track) in group.iter().zip(tracks) {
                let (knots, interpolation) = (track.knots, Interpolation::Linear);
                fitted[*at] = Fitted::Keys { knots, interpolation };
            }
        }
    }
}

/// Works out what is the same however much tracks are thinned.
fn prepare(all: &mut [Prepared]) {
    let mut known: HashMap<Vec<u32>, usize> = HashMap::new();
    for (at, track) in all.iter_mut().enumerate() {
        let bits = track.samples.times.iter().map(|time| time.to_bits()).collect();
        track.times = *known.entry(bits).or_insert(at);
        track.goes =
            [&track.rest[..], track.samples.value(0)].map(|value| track.samples.goes(value));
    }
}

/// Of the bound, what the tracks of each node may be off. What moves much below it gets less, since all of that is off by it.
fn shares(scene: &Scene, clip: &Clip) -> Vec<f64> {
    let parents = scene.skeleton().parents();
    let mut below = vec![0.0_f64; parents.len()];
    let rotations = clip.rotations.iter().map(|track| (track.joint, track.curve.times().len()));
    let moves = clip.translations.iter().map(|track| (track.joint, track.curve.times().len()));
    for (joint, keys) in rotations.chain(moves).filter(|(_, keys)| *keys > 1) {
        below[joint.index()] += if keys > 1 { 1.0 } else { 0.0 };
    }
    for node in (0..parents.len()).rev() {
        if let Some(parent) = parents[node] {
            below[parent.index()] += below[node];
        }
    }
    below.iter().map(|count| count.max(1.0).powf(-0.25)).collect()
}

/// One over the range of each number.
fn per_range(keys: &Keys) -> Vec<f64> {
    let range = |at: usize| {
        let values = (0..keys.len()).map(|key| keys.value(key)[at]);
        let low = values.clone().fold(f64::INFINITY, f64::min);
        let high = values.fold(f64::NEG_INFINITY, f64::max);
        1.0 / (high - low).max(1e-6)
    };
    (0..keys.width).map(range).collect()
}

/// Whether all numbers are such parts of one already.
pub(super) fn are_parts(mut numbers: impl Iterator<Item = f32>, parts: f32) -> bool {
    numbers.all(|number| whole(number * parts) / parts == number)
}

/// Rounds every number to parts of one, as they are in single precision.
pub(super) fn round(keys: &mut Keys, parts: f32) {
    for number in &mut keys.values {
        *number = f64::from(whole(*number as f32 * parts) / parts);
    }
}

/// The nearest whole number to one that is no larger than the largest of two bytes; what `round` gives, without a call.
fn whole(number: f32) -> f32 {
    let below = number as i32 as f32;
    let rest = number - below;
    if rest.abs() < 0.5 { below } else { below + 1_f32.copysign(rest) }
}

fn keys_of(samples: &Samples, fitted: &Fitted) -> Option<Keys> {
    match fitted {
        Fitted::AtRest => None,
        Fitted::Held(value) => {
            let mut keys = samples.keys.empty(Interpolation::Step);
            keys.push(0.0, value, &[]);
            Some(keys)
        }
        Fitted::Keys { knots, interpolation } => {
            let mut keys = made(samples, knots, *interpolation);
            if *interpolation == Interpolation::Linear {
                refine(samples, knots, &mut keys);
            }
            Some(keys)
        }
    }
}

/// Many players take the last key for a clip's length: some track has a key there.
fn keep_length(found: &mut Vec<(Place, Keys)>, all: &[Prepared], last: f32) {
    let end = found.iter().filter_map(|(_, keys)| keys.times.last().copied()).fold(0.0, f32::max);
    if end >= last {
        return;
    }
    if found.is_empty()
        && let Some(track) = all.first()
    {
        let mut keys = track.samples.keys.empty(Interpolation::Step);
        keys.push(0.0, &track.rest, &[]);
        found.push((track.place, keys));
    }
    let straight = found.iter().position(|(_, keys)| keys.interpolation != Interpolation::Cubic);
    if let Some((_, keys)) = found.get_mut(straight.unwrap_or(0)) {
        let key = keys.len() - 1;
        let value = keys.value(key).to_vec();
        if keys.interpolation == Interpolation::Cubic {
            let out = keys.values.len() - keys.width;
            keys.values[out..].fill(0.0);
        }
        keys.push(last, &value, &vec![0.0; value.len()]);
    }
}

fn put(thin: &mut Clip, clip: &Clip, place: Place, keys: Keys, times: &mut SharedTimes) {
    match place {
        Place::Translation(at) => {
            let joint = clip.translations[at].joint;
            let curve = Keyed::from_keys(keys, times);
            thin.translations.extend(curve.map(|curve| Track { joint, curve }));
        }
        Place::Rotation(at) => {
            let joint = clip.rotations[at].joint;
            let curve = Keyed::from_keys(keys, times);
            thin.rotations.extend(curve.map(|curve| Track { joint, curve }));
        }
        Place::Scale(at) => {
            let joint = clip.scales[at].joint;
            let curve = Keyed::from_keys(keys, times);
            thin.scales.extend(curve.map(|curve| Track { joint, curve }));
        }
        Place::Weights(at) => {
            let instance = clip.weights[at].instance;
            let rows = Keyed::from_keys(keys, times);
            thin.weights.extend(rows.map(|rows| WeightTrack { instance, rows }));
        }
        Place::Property(at) => {
            let property = clip.properties[at].property;
            let rows = Keyed::from_keys(keys, times);
            thin.properties.extend(rows.map(|rows| PropertyTrack { property, rows }));
        }
    }
}
