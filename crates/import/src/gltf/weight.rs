//! Tracks of morph weights: rows made to fit a mesh, and tracks of single weights joined to rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use sinew_scene::{InstanceId, Interpolation, Rows, SceneParts, WeightTrack};

use super::keys::Keyed;
use crate::open::Context;
use crate::{ImportError, NoteCode, Place};

/// Rows of another length made to be `width` long: cut, or filled with zeros.
pub(super) fn fit(
    values: Vec<f32>,
    width: usize,
    keys: usize,
    interpolation: Interpolation,
    place: &Place,
    context: &mut Context<'_>,
) -> Result<Vec<f32>, ImportError> {
    let per_key = interpolation.values_per_key();
    let found = values.len() / (keys * per_key).max(1);
    let fits = values.len() == keys * width || values.len() == keys * width * per_key;
    if fits || found == 0 || values.len() != keys * per_key * found {
        return Ok(values);
    }
    let text =
        "a track has not as many morph weights as the mesh has morph targets: the others are zero";
    context.notes.add_as(NoteCode::MorphCount, place.clone(), text);
    context.budget.take(keys * per_key, width * 4, place)?;
    let mut fitted = Vec::with_capacity(keys * per_key * width);
    for row in values.chunks_exact(found) {
        let kept = &row[..found.min(width)];
        fitted.extend_from_slice(kept);
        fitted.extend(std::iter::repeat_n(0.0, width - kept.len()));
    }
    Ok(fitted)
}

/// A track of one weight.
pub(super) struct Single {
    pub(super) instance: InstanceId,
    pub(super) target: usize,
    pub(super) keys: Keyed<f32>,
}

/// The rows that tracks of single weights make together; weights without a track stay at rest.
pub(super) fn joined(
    singles: Vec<Single>,
    parts: &SceneParts,
    context: &mut Context<'_>,
) -> Result<Vec<WeightTrack>, ImportError> {
    let place = Place::part("animations");
    let mut by_instance: BTreeMap<InstanceId, BTreeMap<usize, Keyed<f32>>> = BTreeMap::new();
    for single in singles {
        let instance = by_instance.entry(single.instance).or_default();
        if instance.insert(single.target, single.keys).is_some() {
            context.notes.add_as(
                NoteCode::DuplicateTarget,
                place.clone(),
                super::clip::SAME_TARGET,
            );
        }
    }
    let mut tracks = Vec::new();
    for (instance, mut columns) in by_instance {
        let rest = &parts.instances[instance.index()].weights;
        let known = columns.len();
        columns.retain(|&target, _| target < rest.len());
        if columns.len() < known {
            let text =
                "an animation drives a morph target that the mesh does not have: it is left out";
            context.notes.add(place.clone(), text);
        }
        if let Some(rows) = together(columns, rest, &place, context)? {
            tracks.push(WeightTrack { instance, rows });
        }
    }
    Ok(tracks)
}

fn together(
    columns: BTreeMap<usize, Keyed<f32>>,
    rest: &[f32],
    place: &Place,
    context: &mut Context<'_>,
) -> Result<Option<Rows>, ImportError> {
    let Some(first) = columns.values().next() else { return Ok(None) };
    let same =
        |keys: &Keyed<f32>| keys.times == first.times && keys.interpolation == first.interpolation;
    let (times, interpolation) = if columns.values().all(same) {
        (first.times.clone(), first.interpolation)
    } else {
        context.notes.add(
            place.clone(),
            "tracks of single morph weights have different keys: they are joined",
        );
        let mut times: Vec<f32> =
            columns.values().flat_map(|keys| &keys.times[..]).copied().collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        let step = columns.values().all(|keys| keys.interpolation == Interpolation::Step);
        let mode = if step { Interpolation::Step } else { Interpolation::Linear };
        (Arc::from(times), mode)
    };
    let (each, width) = (interpolation.values_per_key(), rest.len());
    context.budget.take(times.len() * each, width * 4, place)?;
    let mut values = Vec::with_capacity(times.len() * each * width);
    for row in 0..times.len() * each {
        // A weight at rest has a value at each key, and tangents of zero.
        let is_key = row % each == each / 2;
        values.extend(rest.iter().map(|&rest| if is_key { rest } else { 0.0 }));
    }
    for (&target, keys) in &columns {
        for row in 0..times.len() * each {
            values[row * width + target] =
                match keys.times == times && keys.interpolation == interpolation {
                    true => keys.values[row],
                    false => at(keys, times[row / each]),
                };
        }
    }
    let rows = Rows::new(times, values, width, interpolation);
    rows.map(Some).map_err(|text| ImportError::malformed(place.clone(), text))
}

/// The value at a time, straight between keys.
fn at(keys: &Keyed<f32>, time: f32) -> f32 {
    let each = keys.interpolation.values_per_key();
    let value = |key: usize| keys.values[key * each + each / 2];
    let next = keys.times.partition_point(|&key| key <= time);
    if next == 0 {
        return value(0);
    }
    if next == keys.times.len() || keys.interpolation == Interpolation::Step {
        return value(next - 1);
    }
    let (from, to) = (keys.times[next - 1], keys.times[next]);
    let part = (time - from) / (to - from);
    value(next - 1) + (value(next) - value(next - 1)) * part
}
