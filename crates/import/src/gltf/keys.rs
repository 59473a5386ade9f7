//! Keys: times and values, joined and mended.
//!
//! In:  a sampler's two accessors. Out: times that never fall and as many values as they want.
//!
//! Times are read once for each accessor and shared by every track that names it; only a track
//! that has to lose keys gets times of its own.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use sinew_scene::Interpolation;

use super::accessor::Source;
use super::json::AnimationSampler;
use crate::note::Notes;
use crate::open::Context;
use crate::{ImportError, NoteCode, Place, files};

/// Key times, in order.
pub(super) struct Times {
    times: Arc<[f32]>,
    /// The filed number of each key, where that is not its place.
    order: Option<Vec<usize>>,
    /// How many keys the file has.
    pub(super) filed: usize,
}

/// The times of each accessor that has been asked for.
#[derive(Default)]
pub(super) struct KnownTimes(HashMap<usize, Rc<Times>>);

impl KnownTimes {
    pub(super) fn get(
        &mut self,
        source: &Source<'_>,
        accessor: usize,
        place: &Place,
        context: &mut Context<'_>,
    ) -> Result<Rc<Times>, ImportError> {
        if let Some(times) = self.0.get(&accessor) {
            return Ok(times.clone());
        }
        let elements = source.elements(accessor, place)?;
        let times = elements.floats(&mut context.budget, |[time]: [f32; 1]| time)?;
        let times = Rc::new(Times::new(times, &elements.place, &mut context.notes));
        self.0.insert(accessor, times.clone());
        Ok(times)
    }
}

impl Times {
    fn new(filed: Vec<f32>, place: &Place, notes: &mut Notes) -> Self {
        let good = filed.iter().all(|time| time.is_finite()) && filed.is_sorted();
        if good {
            return Self { filed: filed.len(), times: filed.into(), order: None };
        }
        let mut order: Vec<usize> =
            (0..filed.len()).filter(|&key| filed[key].is_finite()).collect();
        if order.len() < filed.len() {
            let text = "key times are not finite numbers: those keys are left out";
            notes.add_as(NoteCode::NotFinite, place.clone(), text);
        }
        if !order.is_sorted_by(|&a, &b| filed[a] <= filed[b]) {
            notes.add_as(NoteCode::KeyOrder, place.clone(), "key times fall: the keys are sorted");
            order.sort_by(|&a, &b| filed[a].total_cmp(&filed[b]));
        }
        let times = order.iter().map(|&key| filed[key]).collect();
        Self { filed: filed.len(), times, order: Some(order) }
    }
}

pub(super) fn interpolation(
    sampler: &AnimationSampler,
    place: &Place,
    notes: &mut Notes,
) -> Interpolation {
    let Some(filed) = &sampler.interpolation else { return Interpolation::Linear };
    match filed.as_str() {
        Some("LINEAR") => Interpolation::Linear,
        Some("STEP") => Interpolation::Step,
        Some("CUBICSPLINE") => Interpolation::Cubic,
        _ => {
            let found = files::shorten(&filed.to_string());
            let text = format!("an interpolation is {found}: it is taken to be LINEAR");
            notes.add(place.clone(), text);
            Interpolation::Linear
        }
    }
}

/// Times and values that fit each other.
pub(super) struct Keyed<V> {
    pub(super) times: Arc<[f32]>,
    pub(super) values: Vec<V>,
    pub(super) interpolation: Interpolation,
}

/// Joins times with rows of `width` values. `good` is asked of each value, with whether it is a
/// key's value and no tangent; keys with others are left out. `None` when no key is left.
pub(super) fn join<V: Copy>(
    times: &Times,
    values: Vec<V>,
    width: usize,
    mut interpolation: Interpolation,
    good: impl Fn(&V, bool) -> bool,
    place: &Place,
    notes: &mut Notes,
) -> Option<Keyed<V>> {
    if interpolation == Interpolation::Cubic && values.len() == times.filed * width {
        notes.add(place.clone(), "a cubic track has no tangents: it is taken to be linear");
        interpolation = Interpolation::Linear;
    }
    let rows = interpolation.values_per_key();
    let each = width * rows;
    let whole = (values.len() / each).min(times.filed);
    if values.len() != times.filed * each {
        notes.add_as(
            NoteCode::KeyCount,
            place.clone(),
            "a track has not as many values as its keys want: the others are left out",
        );
    }
    let good_key = |key: &[V]| {
        let mut slots = key.iter().enumerate();
        slots.all(|(slot, value)| good(value, slot / width == rows / 2))
    };
    let bad = values.chunks_exact(each).take(whole).filter(|key| !good_key(key)).count();
    if bad > 0 {
        notes.add_as(
            NoteCode::NotFinite,
            place.clone(),
            "keys are not finite, or are rotations without length: they are left out",
        );
    }
    let as_filed = times.order.is_none() && values.len() == times.filed * each && bad == 0;
    let keyed = match as_filed {
        true => Keyed { times: times.times.clone(), values, interpolation },
        false => picked(times, &values, each, whole, good_key, interpolation),
    };
    if keyed.times.is_empty() {
        notes.add_as(NoteCode::KeyCount, place.clone(), "a track has no keys: it is left out");
        return None;
    }
    Some(keyed)
}

/// The good ones of the first `whole` keys, in order of time.
fn picked<V: Copy>(
    times: &Times,
    values: &[V],
    each: usize,
    whole: usize,
    good_key: impl Fn(&[V]) -> bool,
    interpolation: Interpolation,
) -> Keyed<V> {
    let mut kept = (Vec::new(), Vec::new());
    for (at, &time) in times.times.iter().enumerate() {
        let key = times.order.as_ref().map_or(at, |order| order[at]);
        if key >= whole {
            continue;
        }
        let key = &values[key * each..][..each];
        if good_key(key) {
            kept.0.push(time);
            kept.1.extend_from_slice(key);
        }
    }
    Keyed { times: kept.0.into(), values: kept.1, interpolation }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(
        times: &[f32],
        values: &[f32],
        interpolation: Interpolation,
    ) -> (Vec<f32>, Vec<f32>, usize) {
        let mut notes = Notes::default();
        let times = Times::new(times.to_vec(), &Place::Whole, &mut notes);
        let good = |value: &f32, _| value.is_finite();
        let keyed =
            join(&times, values.to_vec(), 1, interpolation, good, &Place::Whole, &mut notes);
        let keyed = keyed.expect("keys are left");
        (keyed.times.to_vec(), keyed.values, notes.into_vec().len())
    }

    #[test]
    fn keys_that_fall_are_sorted_with_their_values_and_equal_times_stay_in_order() {
        let found = joined(&[0.0, 2.0, 1.0, 1.0], &[10.0, 12.0, 11.0, 13.0], Interpolation::Linear);
        assert_eq!(found, (vec![0.0, 1.0, 1.0, 2.0], vec![10.0, 11.0, 13.0, 12.0], 1));
    }

    #[test]
    fn keys_without_a_number_are_left_out() {
        let nan = f32::NAN;
        let found = joined(&[0.0, nan, 1.0, 2.0], &[0.0, 1.0, nan, 3.0], Interpolation::Step);
        assert_eq!(found, (vec![0.0, 2.0], vec![0.0, 3.0], 2));
        let found = joined(&[0.0, 1.0], &[0.0, 1.0, 0.0, nan, 4.0, 0.0], Interpolation::Cubic);
        assert_eq!(found, (vec![0.0], vec![0.0, 1.0, 0.0], 1));
    }

    #[test]
    fn a_cubic_track_without_tangents_is_linear_and_missing_values_cost_their_keys() {
        let found = joined(&[0.0, 1.0], &[5.0, 6.0], Interpolation::Cubic);
        assert_eq!(found, (vec![0.0, 1.0], vec![5.0, 6.0], 1));
        let found = joined(&[0.0, 1.0, 2.0], &[5.0, 6.0], Interpolation::Linear);
        assert_eq!(found, (vec![0.0, 1.0], vec![5.0, 6.0], 1));
    }
}
