//! Curves as COLLADA has them: keys with an interpolation each, and tangents.
//!
//! In:  a `<sampler>`.
//! Out: the value at a time, exact for every interpolation: a Bézier curve's time is solved for.
//!
//! Tangents come in three shapes. Two numbers for each dimension are a control point in time and
//! value (for HERMITE, a vector from the key). One number for each is the older form, a vector in
//! value alone, with control points at thirds of the time. One more than there are dimensions is
//! a time that all share.

use super::geometry::inputs;
use super::source::{self, Sources};
use super::xml::{Tag, Xml};
use crate::Error;
use crate::note::Notes;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Between {
    Step,
    Linear,
    Bezier,
    Hermite,
}

#[derive(Clone, Debug, Default)]
struct Tangents {
    values: Vec<f32>,
    /// Numbers per key.
    stride: usize,
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

/// A control point of a segment.
#[derive(Clone, Copy, Debug)]
struct Point {
    time: f64,
    value: f64,
}

pub(super) fn read(
    xml: &Xml<'_>,
    sampler: Tag<'_>,
    sources: &mut Sources,
    notes: &mut Notes,
) -> Result<Option<Keys>, Error> {
    let source_of = |semantic: &str| {
        let input = inputs(sampler).find(|input| input.semantic == semantic);
        input.and_then(|input| xml.find("source", input.reference))
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
            Ok::<_, Error>(Tangents { stride: found.width(), values: found.flat() })
        }
    };
    let (inward, outward) = (tangents("IN_TANGENT")?, tangents("OUT_TANGENT")?);
    let words = source_of("INTERPOLATION").map(|source| source::names(xml, source).words);
    let mut keys = Keys {
        times: (0..count).map(|key| f64::from(times.at(key, 0).unwrap_or(0.0))).collect(),
        width: values.width(),
        values: values.flat(),
        between: between(xml, sampler, &words.unwrap_or_default(), count, notes),
        inward,
        outward,
    };
    keys.values.truncate(count * keys.width);
    if keys.width > 1 && keys.straighten() {
        let text = "a curve over several values at once is read as straight lines between its keys";
        notes.add(xml.place(sampler), text);
    }
    if keys.times.windows(2).any(|pair| pair[1] < pair[0]) {
        notes.add(xml.place(sampler), "the keys of an animation are not in order; they are sorted");
        keys.sort();
    }
    Ok(Some(keys))
}

fn between(
    xml: &Xml<'_>,
    sampler: Tag<'_>,
    words: &[String],
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
    let mut kinds: Vec<Between> = words.iter().take(count).map(|word| kind(word)).collect();
    kinds.resize(count, kinds.last().copied().unwrap_or(Between::Linear));
    kinds
}

impl Keys {
    /// Makes curves straight lines, and says whether there was one. Exporters disagree on how the
    /// tangents of several values at once are filed, and the readers that we are compared with take
    /// straight lines: a model moves here as it does there, and the note says so.
    fn straighten(&mut self) -> bool {
        let mut found = false;
        for kind in &mut self.between {
            if matches!(kind, Between::Bezier | Between::Hermite) {
                *kind = Between::Linear;
                found = !self.outward.values.is_empty();
            }
        }
        found
    }

    /// A key's number in one dimension.
    pub(super) fn value(&self, key: usize, dimension: usize) -> f64 {
        self.values.get(key * self.width + dimension).copied().map_or(0.0, f64::from)
    }

    /// The value at `time`, as the segment that holds `toward` has it: on a key, `toward` says
    /// which of its two sides is meant. Before the first key and after the last their values hold.
    pub(super) fn at(&self, dimension: usize, time: f64, toward: f64) -> f64 {
        let after = self.times.partition_point(|&key| key <= toward);
        if after == 0 {
            return self.value(0, dimension);
        }
        if after == self.times.len() {
            return self.value(after - 1, dimension);
        }
        self.inside(after - 1, dimension, time)
    }

    fn inside(&self, key: usize, dimension: usize, time: f64) -> f64 {
        let from = Point { time: self.times[key], value: self.value(key, dimension) };
        let to = Point { time: self.times[key + 1], value: self.value(key + 1, dimension) };
        let part = ((time - from.time) / (to.time - from.time)).clamp(0.0, 1.0);
        let kind = self.between[key];
        let control = match kind {
            Between::Step => return from.value,
            Between::Linear => None,
            Between::Bezier | Between::Hermite => self.control(kind, key, dimension, from, to),
        };
        let Some((one, two)) = control else {
            return from.value + (to.value - from.value) * part;
        };
        let span = to.time - from.time;
        let early = ((one.time - from.time) / span).clamp(0.0, 1.0);
        let late = ((two.time - from.time) / span).clamp(0.0, 1.0);
        let s = parameter(early, late, part);
        cubic(from.value, one.value, two.value, to.value, s)
    }

    /// The two inner control points of a segment; `None` without tangents.
    fn control(
        &self,
        kind: Between,
        key: usize,
        dimension: usize,
        from: Point,
        to: Point,
    ) -> Option<(Point, Point)> {
        let third = (to.time - from.time) / 3.0;
        let out = self.outward.at(key, dimension, self.width)?;
        let into = self.inward.at(key + 1, dimension, self.width)?;
        let absolute = kind == Between::Bezier;
        let point = |tangent: (Option<f64>, f64), base: Point, side: f64| match tangent {
            (Some(time), value) if absolute => Point { time, value },
            (time, value) => Point {
                time: base.time + side * time.map_or(third, |time| time / 3.0),
                value: base.value + side * value / 3.0,
            },
        };
        Some((point(out, from, 1.0), point(into, to, -1.0)))
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
    /// A key's tangent: its time, where it has one, and its value.
    fn at(&self, key: usize, dimension: usize, width: usize) -> Option<(Option<f64>, f64)> {
        let row = self.values.get(key * self.stride..(key + 1) * self.stride)?;
        let number = |at: usize| row.get(at).copied().map(f64::from);
        if self.stride >= 2 * width {
            Some((number(2 * dimension), number(2 * dimension + 1)?))
        } else if self.stride == width + 1 {
            Some((number(0), number(dimension + 1)?))
        } else {
            Some((None, number(dimension)?))
        }
    }
}

fn cubic(a: f64, b: f64, c: f64, d: f64, s: f64) -> f64 {
    let r = 1.0 - s;
    r * r * r * a + 3.0 * r * r * s * b + 3.0 * r * s * s * c + s * s * s * d
}

/// Where on a curve from 0 to 1 with these inner control times the time is `part`. The control
/// times lie between 0 and 1, so time never falls and halving finds the place.
fn parameter(early: f64, late: f64, part: f64) -> f64 {
    // Even spacing, as tangents of one number have it, needs no search.
    if (early - 1.0 / 3.0).abs() < 1e-7 && (late - 2.0 / 3.0).abs() < 1e-7 {
        return part;
    }
    let (mut low, mut high) = (0.0, 1.0);
    let mut s = part;
    for _ in 0..60 {
        let time = cubic(0.0, early, late, 1.0, s);
        if (time - part).abs() < 1e-13 {
            break;
        }
        if time < part {
            low = s;
        } else {
            high = s;
        }
        let r = 1.0 - s;
        let slope = 3.0 * (r * r * early + 2.0 * r * s * (late - early) + s * s * (1.0 - late));
        let newton = s - (time - part) / slope;
        s = if newton > low && newton < high { newton } else { (low + high) / 2.0 };
    }
    s
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
        keys.at(0, time, time)
    }

    #[test]
    fn a_step_holds_and_jumps_on_the_key() {
        let keys = keys(Between::Step, &[], &[]);
        assert_eq!(
            [at(&keys, -1.0), at(&keys, 2.9), at(&keys, 3.0), at(&keys, 9.0)],
            [0.0, 0.0, 6.0, 6.0]
        );
        assert_eq!(keys.at(0, 3.0, 2.0), 0.0);
    }

    #[test]
    fn a_curve_with_even_control_points_is_its_polynomial() {
        // Controls (1, 0) and (2, 6): 6 (3 s² - 2 s³), at s = 1/4: 6 (3/16 - 2/64).
        let keys = keys(Between::Bezier, &[0.0, 0.0, 2.0, 6.0], &[1.0, 0.0, 0.0, 0.0]);
        assert!((at(&keys, 0.75) - 0.9375).abs() < 1e-12);
    }

    #[test]
    fn the_time_of_an_uneven_curve_is_solved_for() {
        // Controls (0, 0) and (0, 6): time is 3 s³, value 6 (3 s² - 2 s³); at s = 1/2 time is 3/8.
        let keys = keys(Between::Bezier, &[0.0, 0.0, 0.0, 6.0], &[0.0, 0.0, 0.0, 0.0]);
        assert!((at(&keys, 0.375) - 3.0).abs() < 1e-9, "{}", at(&keys, 0.375));
    }

    #[test]
    fn control_points_beyond_the_keys_do_not_turn_time_back() {
        let keys = keys(Between::Bezier, &[0.0, 0.0, -9.0, 6.0], &[20.0, 0.0, 0.0, 0.0]);
        // Held to the keys, the times are 0, 3, 0, 3: by symmetry the middle is the middle.
        assert!((at(&keys, 1.5) - 3.0).abs() < 1e-4, "{}", at(&keys, 1.5));
        let values: Vec<f64> = (0..=30).map(|step| at(&keys, f64::from(step) / 10.0)).collect();
        assert!(values.is_sorted(), "{values:?}");
    }

    #[test]
    fn one_number_tangents_are_vectors_in_value() {
        // Out 9, in 0: controls 3 and 6. At the middle (0 + 9 + 18 + 6) / 8.
        for between in [Between::Bezier, Between::Hermite] {
            let keys = keys(between, &[0.0, 0.0], &[9.0, 0.0]);
            assert!((at(&keys, 1.5) - 4.125).abs() < 1e-12);
        }
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
    fn sorting_takes_everything_along() {
        let mut keys = keys(Between::Linear, &[1.0, 2.0], &[3.0, 4.0]);
        keys.times = vec![3.0, 0.0];
        keys.sort();
        assert_eq!(keys.times, [0.0, 3.0]);
        assert_eq!(keys.values, [6.0, 0.0]);
        assert_eq!(keys.inward.values, [2.0, 1.0]);
    }
}
