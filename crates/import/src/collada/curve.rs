//! Curves as COLLADA has them: keys with an interpolation each, and tangents.
//!
//! In:  a `<sampler>`.
//! Out: what each number is between two keys, exact for every interpolation.
//!
//! Tangents come in three shapes. Two numbers for each value are a control point in time and value
//! (for HERMITE, a vector from the key). One number for each value is the older form, with control
//! points at thirds of the time: an offset from the key to the control value, forwards for
//! OUT_TANGENT and backwards for IN_TANGENT (for HERMITE, three times that). One more number than
//! there are values is a time that all of them share.

use super::geometry::inputs;
use super::source::{self, Sources};
use super::xml::{Tag, Xml};
use crate::fit::Span;
use crate::note::Notes;
use crate::{ImportError, NoteCode};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Between {
    Step,
    Linear,
    Bezier,
    Hermite,
}

impl Between {
    fn is_curved(self) -> bool {
        matches!(self, Self::Bezier | Self::Hermite)
    }
}

#[derive(Clone, Debug, Default)]
struct Tangents {
    values: Vec<f32>,
    /// Numbers per key.
    stride: usize,
}

/// The tangent of one number at a key.
#[derive(Clone, Copy, Debug)]
struct Tangent {
    time: Option<f64>,
    value: f64,
}

/// Keys of one or more dimensions.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    /// In seconds, never falling.
    pub(super) times: Vec<f64>,
    pub(super) width: usize,
    values: Vec<f32>,
    /// What happens after each key.
    pub(super) between: Vec<Between>,
    inward: Tangents,
    outward: Tangents,
}

pub(super) fn read(
    xml: &Xml<'_>,
    sampler: Tag<'_>,
    sources: &mut Sources,
    notes: &mut Notes,
) -> Result<Option<Keys>, ImportError> {
    let source_of = |semantic: &str| {
        let input = inputs(sampler).find(|input| input.semantic == semantic);
        input.and_then(|input| xml.find_near(sampler, "source", input.reference))
    };
    let (Some(input), Some(output)) = (source_of("INPUT"), source_of("OUTPUT")) else {
        return Ok(None);
    };
    let times = sources.floats(xml, input, 1, notes)?;
    let values = sources.floats(xml, output, 1, notes)?;
    let count = times.count.min(values.count);
    if times.count != values.count {
        notes.add(xml.place(sampler), "an animation has other numbers of times and of values");
    }
    if count == 0 || values.width() == 0 {
        return Ok(None);
    }
    let mut tangents = |semantic: &str| match source_of(semantic) {
        None => Ok(Tangents::default()),
        Some(source) => {
            let found = sources.floats(xml, source, 1, notes)?;
            Ok::<_, ImportError>(Tangents { stride: found.width(), values: found.flat() })
        }
    };
    let inward = tangents("IN_TANGENT")?;
    let outward = tangents("OUT_TANGENT")?;
    let words = source_of("INTERPOLATION").and_then(|source| source::name_array(xml, source));
    let words = words.map(|(array, _)| array.text()).unwrap_or_default();
    let mut between = between(xml, sampler, &words, count, notes);
    if inward.values.is_empty() || outward.values.is_empty() {
        for kind in between.iter_mut().filter(|kind| kind.is_curved()) {
            *kind = Between::Linear;
        }
    }
    let mut keys = Keys {
        times: (0..count).map(|key| f64::from(times.at(key, 0).unwrap_or(0.0))).collect(),
        width: values.width(),
        values: values.flat(),
        between,
        inward,
        outward,
    };
    keys.values.truncate(count * keys.width);
    if keys.times.windows(2).any(|pair| pair[1] < pair[0]) {
        let text = "the keys of an animation are not in order; they are sorted";
        notes.add_as(NoteCode::KeyOrder, xml.place(sampler), text);
        keys.sort();
    }
    Ok(Some(keys))
}

fn between(
    xml: &Xml<'_>,
    sampler: Tag<'_>,
    words: &str,
    count: usize,
    notes: &mut Notes,
) -> Vec<Between> {
    let mut kind = |word: &str| match word {
        "STEP" => Between::Step,
        "LINEAR" => Between::Linear,
        "BEZIER" => Between::Bezier,
        "HERMITE" => Between::Hermite,
        other => {
            let other = crate::files::shorten(other);
            let text = format!("the interpolation {other} is taken as LINEAR");
            notes.add(xml.place(sampler), text);
            Between::Linear
        }
    };
    let mut kinds: Vec<Between> =
        words.split_ascii_whitespace().take(count).map(&mut kind).collect();
    kinds.resize(count, kinds.last().copied().unwrap_or(Between::Linear));
    kinds
}

impl Keys {
    /// A key's number in one dimension.
    pub(super) fn value(&self, key: usize, dimension: usize) -> f64 {
        self.values.get(key * self.width + dimension).copied().map_or(0.0, f64::from)
    }

    /// All numbers of one dimension.
    pub(super) fn values(&self, dimension: usize) -> impl Iterator<Item = f32> {
        self.values.iter().skip(dimension).step_by(self.width).copied()
    }

    /// One number between a key and the next.
    pub(super) fn span(&self, key: usize, dimension: usize) -> Span {
        let first = self.value(key, dimension);
        let last = self.value(key + 1, dimension);
        let ends = [self.times[key], self.times[key + 1]];
        let control = match self.between[key] {
            Between::Step => return Span::held(first),
            Between::Linear => None,
            Between::Bezier | Between::Hermite => {
                let out = self.outward.at(key, dimension, self.width);
                out.zip(self.inward.at(key + 1, dimension, self.width))
            }
        };
        let Some((out, into)) = control else { return Span::straight(ends, [first, last]) };
        let bezier = self.between[key] == Between::Bezier;
        let length = ends[1] - ends[0];
        // The share of the segment at which a control point is, and its value.
        let point = |tangent: Tangent, share: f64, value: f64, side: f64| match tangent.time {
            Some(time) if bezier => ((time - ends[0]) / length, tangent.value),
            None if bezier => (share + side / 3.0, value + side * tangent.value),
            time => {
                let time = time.map_or(1.0, |time| time / length);
                (share + side * time / 3.0, value + side * tangent.value / 3.0)
            }
        };
        let one = point(out, 0.0, first, 1.0);
        let two = point(into, 1.0, last, -1.0);
        Span::uneven(ends, [first, one.1, two.1, last], [one.0, two.0])
    }

    /// Whether a number is the same at all times.
    pub(super) fn is_flat(&self, dimension: usize) -> bool {
        let mut values = self.values(dimension);
        let first = values.next();
        let is_held =
            |key: usize| !self.between[key].is_curved() || self.span(key, dimension).is_held();
        values.all(|value| Some(value) == first) && (0..self.times.len() - 1).all(is_held)
    }

    /// Puts keys in the order of their times; tangents go with them.
    fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.times.len()).collect();
        order.sort_by(|&one, &other| self.times[one].total_cmp(&self.times[other]));
        let rows = |values: &[f32], width: usize| -> Vec<f32> {
            let row = |key: usize| values.get(key * width..(key + 1) * width).unwrap_or_default();
            order.iter().flat_map(|&key| row(key).iter().copied()).collect()
        };
        self.values = rows(&self.values, self.width);
        self.inward.values = rows(&self.inward.values, self.inward.stride);
        self.outward.values = rows(&self.outward.values, self.outward.stride);
        self.times = order.iter().map(|&key| self.times[key]).collect();
        self.between = order.iter().map(|&key| self.between[key]).collect();
    }
}

impl Tangents {
    fn at(&self, key: usize, dimension: usize, width: usize) -> Option<Tangent> {
        let row = self.values.get(key * self.stride..(key + 1) * self.stride)?;
        let number = |at: usize| row.get(at).copied().map(f64::from);
        let (time, value) = if self.stride >= 2 * width {
            (number(2 * dimension), number(2 * dimension + 1))
        } else if self.stride == width + 1 {
            (number(0), number(dimension + 1))
        } else {
            (None, number(dimension))
        };
        Some(Tangent { time, value: value? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(between: Between, inward: &[f32], outward: &[f32]) -> Keys {
        let tangents =
            |values: &[f32]| Tangents { values: values.to_vec(), stride: values.len() / 2 };
        Keys {
            times: vec![0.0, 3.0],
            width: 1,
            values: vec![0.0, 6.0],
            between: vec![between; 2],
            inward: tangents(inward),
            outward: tangents(outward),
        }
    }

    fn at(keys: &Keys, time: f64) -> f64 {
        keys.span(0, 0).value(time)
    }

    #[test]
    fn a_step_holds() {
        assert!(keys(Between::Step, &[], &[]).span(0, 0).is_held());
        assert_eq!(at(&keys(Between::Step, &[], &[]), 2.9), 0.0);
    }

    #[test]
    fn bezier_tangents_with_times_are_control_points() {
        // Controls (1, 0) and (2, 6): 6 (3 s² - 2 s³), at s = 1/4: 6 (3/16 - 2/64).
        let even = keys(Between::Bezier, &[0.0, 0.0, 2.0, 6.0], &[1.0, 0.0, 0.0, 0.0]);
        assert!((at(&even, 0.75) - 0.9375).abs() < 1e-12);
        // Controls (0, 0) and (0, 6): time is 3 s³; at s = 1/2 it is 3/8.
        let uneven = keys(Between::Bezier, &[0.0, 0.0, 0.0, 6.0], &[0.0, 0.0, 0.0, 0.0]);
        assert!((at(&uneven, 0.375) - 3.0).abs() < 1e-9, "{}", at(&uneven, 0.375));
    }

    #[test]
    fn bezier_tangents_without_times_are_offsets_to_the_control_values() {
        // Controls 0 + 3 and 6 - 2. At the middle (0 + 9 + 12 + 6) / 8, at a third of the time
        // (0 + 12·3 + 6·4 + 6) / 27.
        let keys = keys(Between::Bezier, &[50.0, 2.0], &[3.0, 50.0]);
        assert!((at(&keys, 1.5) - 3.375).abs() < 1e-12);
        assert!((at(&keys, 1.0) - 66.0 / 27.0).abs() < 1e-12);
    }

    #[test]
    fn hermite_tangents_without_times_are_three_times_the_offsets() {
        // Out 9, in 6: controls 3 and 4, as above.
        let keys = keys(Between::Hermite, &[50.0, 6.0], &[9.0, 50.0]);
        assert!((at(&keys, 1.5) - 3.375).abs() < 1e-12);
    }

    fn pair(stride: usize, inward: &[f32], outward: &[f32]) -> Keys {
        let tangents = |values: &[f32]| Tangents { values: values.to_vec(), stride };
        Keys {
            width: 2,
            values: vec![0.0, 100.0, 6.0, 100.0],
            inward: tangents(inward),
            outward: tangents(outward),
            ..keys(Between::Bezier, &[], &[])
        }
    }

    #[test]
    fn each_of_several_values_has_its_own_offset() {
        // Controls 3 and 4, as above; 108 and 92: at the middle (200 + 3·108 + 3·92) / 8.
        let keys = pair(2, &[50.0, 50.0, 2.0, 8.0], &[3.0, 8.0, 50.0, 50.0]);
        assert!((at(&keys, 1.5) - 3.375).abs() < 1e-12);
        assert!((keys.span(0, 1).value(1.5) - 100.0).abs() < 1e-12);
        // At a third of the time: (8·100 + 12·108 + 6·92 + 100) / 27.
        assert!((keys.span(0, 1).value(1.0) - 2748.0 / 27.0).abs() < 1e-12);
    }

    #[test]
    fn each_of_several_values_has_its_own_time_and_value() {
        // The first: controls (0, 0) and (0, 6), so that time is 3 s³; at s = 1/2 it is 3/8.
        // The second: controls (1, 108) and (2, 92), at thirds.
        let keys = pair(
            4,
            &[9.0, 9.0, 9.0, 9.0, 0.0, 6.0, 2.0, 92.0],
            &[0.0, 0.0, 1.0, 108.0, 9.0, 9.0, 9.0, 9.0],
        );
        assert!((at(&keys, 0.375) - 3.0).abs() < 1e-9, "{}", at(&keys, 0.375));
        assert!((keys.span(0, 1).value(1.0) - 2748.0 / 27.0).abs() < 1e-9);
    }

    #[test]
    fn two_number_hermite_tangents_are_vectors_from_the_key() {
        // (3, 9) and (3, 0) over a segment of 3 s: as above.
        let keys = keys(Between::Hermite, &[0.0, 0.0, 3.0, 0.0], &[3.0, 9.0, 0.0, 0.0]);
        assert!((at(&keys, 1.5) - 4.125).abs() < 1e-12);
    }

    #[test]
    fn a_curve_without_tangents_is_straight() {
        assert!((at(&keys(Between::Bezier, &[], &[]), 1.0) - 2.0).abs() < 1e-12);
    }

    #[test]
    fn equal_keys_are_flat_unless_tangents_lead_away() {
        let mut flat = keys(Between::Bezier, &[0.0, 0.0], &[0.0, 0.0]);
        flat.values = vec![6.0, 6.0];
        assert!(flat.is_flat(0));
        flat.outward.values[0] = 1.0;
        assert!(!flat.is_flat(0));
    }

    #[test]
    fn sorting_takes_everything_along() {
        let mut keys = keys(Between::Linear, &[1.0, 2.0], &[3.0, 4.0]);
        keys.times = vec![3.0, 0.0];
        keys.sort();
        assert_eq!(keys.times, [0.0, 3.0]);
        assert_eq!(keys.values, [6.0, 0.0]);
        assert_eq!(keys.inward.values, [2.0, 1.0]);
    }
}
