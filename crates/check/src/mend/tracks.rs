//! Tracks: signs that flip, spikes, rest keys where a clip has none, constants in one key.

use std::collections::BTreeSet;

use glam::Quat;
use sinew_scene::{Clip, Curve, Interpolation, JointId, SceneParts, Track};

use crate::finding::counted;

/// Flips keys so that each has a positive dot product with the one before, tangents with them.
pub(super) fn flip_signs(parts: &mut SceneParts) -> Option<String> {
    let mut flipped = 0;
    for track in parts.clips.iter_mut().flat_map(|clip| &mut clip.rotations) {
        let each = track.curve.interpolation().values_per_key();
        let mut before: Option<Quat> = None;
        for key in track.curve.values_mut().chunks_exact_mut(each) {
            if before.is_some_and(|before| before.dot(key[each / 2]) < 0.0) {
                key.iter_mut().for_each(|value| *value = -*value);
                flipped += 1;
            }
            before = Some(key[each / 2]);
        }
    }
    (flipped > 0)
        .then(|| format!("{} the sign of the one before", counted(flipped, "key has", "keys have")))
}

/// A key far from both neighbours, which agree, becomes what lies between them.
pub(super) fn smooth_spikes(parts: &mut SceneParts) -> Option<String> {
    let mut smoothed = 0;
    for track in parts.clips.iter_mut().flat_map(|clip| &mut clip.rotations) {
        if track.curve.interpolation() != Interpolation::Linear {
            continue;
        }
        let times = track.curve.times().clone();
        let values = track.curve.values_mut();
        for at in 1..values.len().saturating_sub(1) {
            for width in 1..=2 {
                let Some(end) = Some(at + width).filter(|end| *end < values.len()) else {
                    continue;
                };
                let from = (times[at - 1], values[at - 1]);
                if !crate::rules::is_spike(&times[at - 1..=end], &values[at - 1..=end]) {
                    continue;
                }
                for key in at..end {
                    let share = (times[key] - from.0) / (times[end] - from.0).max(1e-6);
                    values[key] = from.1.slerp(values[end], share).normalize();
                    smoothed += 1;
                }
            }
        }
    }
    (smoothed > 0)
        .then(|| format!("{} between their neighbours", counted(smoothed, "key is", "keys are")))
}

/// Puts a key into the middle of every half turn: where the curve goes, which then is no matter of rounding.
pub(super) fn add_middle_keys(parts: &mut SceneParts) -> Option<String> {
    let mut added = 0;
    for track in parts.clips.iter_mut().flat_map(|clip| &mut clip.rotations) {
        if track.curve.interpolation() != Interpolation::Linear {
            continue;
        }
        let (old_times, old_values) = (track.curve.times(), track.curve.values());
        let mut times: Vec<f32> = Vec::with_capacity(old_times.len());
        let mut values: Vec<Quat> = Vec::with_capacity(old_values.len());
        for (&time, &value) in old_times.iter().zip(old_values) {
            if let (Some(&before), Some(&from)) = (times.last(), values.last()) {
                let middle: f32 = 0.5 * (before + time);
                if crate::rules::is_half_turn(from, value) && before < middle && middle < time {
                    times.push(middle);
                    values.push(from.slerp(value, 0.5).normalize());
                }
            }
            times.push(time);
            values.push(value);
        }
        let more = times.len() - old_times.len();
        if more > 0
            && let Ok(curve) = Curve::new(times, values, Interpolation::Linear)
        {
            track.curve = curve;
            added += more;
        }
    }
    (added > 0)
        .then(|| format!("{} in the middle of half turns", counted(added, "key is", "keys are")))
}

/// Adds a key with the rest value to each clip for every track that another clip has.
pub(super) fn fill_in(parts: &mut SceneParts) -> Option<String> {
    let all = |pick: fn(&Clip) -> Vec<JointId>| -> BTreeSet<JointId> {
        parts.clips.iter().flat_map(pick).collect()
    };
    let moved = all(|clip| clip.translations.iter().map(|track| track.joint).collect());
    let rotated = all(|clip| clip.rotations.iter().map(|track| track.joint).collect());
    let scaled = all(|clip| clip.scales.iter().map(|track| track.joint).collect());
    let nodes = &parts.nodes;
    let mut added = 0;
    for clip in &mut parts.clips {
        added += add(&mut clip.translations, &moved, |joint| nodes[joint.index()].rest.translation);
        added += add(&mut clip.rotations, &rotated, |joint| nodes[joint.index()].rest.rotation);
        added += add(&mut clip.scales, &scaled, |joint| nodes[joint.index()].rest.scale);
    }
    (added > 0).then(|| {
        format!("{} with the rest value", counted(added, "track is added", "tracks are added"))
    })
}

fn add<V>(
    tracks: &mut Vec<Track<V>>,
    wanted: &BTreeSet<JointId>,
    rest: impl Fn(JointId) -> V,
) -> usize {
    let known: BTreeSet<JointId> = tracks.iter().map(|track| track.joint).collect();
    let before = tracks.len();
    let missing = wanted.iter().filter(|joint| !known.contains(joint));
    tracks.extend(missing.map(|&joint| Track { joint, curve: Curve::constant(rest(joint)) }));
    tracks.len() - before
}

/// Tracks whose keys are all the same to the last bit keep one of them.
pub(super) fn thin_constants(parts: &mut SceneParts) -> Option<String> {
    let mut thinned = 0;
    for clip in &mut parts.clips {
        thinned +=
            thin(&mut clip.translations) + thin(&mut clip.rotations) + thin(&mut clip.scales);
    }
    (thinned > 0).then(|| {
        format!("{} one key", counted(thinned, "constant track has", "constant tracks have"))
    })
}

fn thin<V: Copy + PartialEq>(tracks: &mut [Track<V>]) -> usize {
    let mut thinned = 0;
    for track in tracks {
        let values = track.curve.values();
        let plain = track.curve.interpolation() != Interpolation::Cubic;
        if plain && values.len() > 1 && values.iter().all(|value| *value == values[0]) {
            track.curve = Curve::constant(values[0]);
            thinned += 1;
        }
    }
    thinned
}
