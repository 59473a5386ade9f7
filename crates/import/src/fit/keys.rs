//! From Hermite pieces to the sparsest curve that says the same.
//!
//! In:  pieces, on the file's clock.
//! Out: nothing where all stays at rest, else a held value, steps, straight lines or a cubic spline,
//!      with times from the clip's start.
//!
//! Where a piece does not begin at the value at which the last one ended, two keys share a time.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{DQuat, Quat, Vec3};
use sinew_scene::{Curve, Interpolation, Rows};

use super::{Pieces, hermite};
use crate::finish::hash::Seed;

/// A curve has a number that is not finite, or a rotation without length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotFinite;

/// Some of the numbers of each piece: those of one curve.
#[derive(Clone, Copy)]
pub(crate) struct Slice<'a> {
    pub(crate) pieces: &'a Pieces,
    pub(crate) from: usize,
    pub(crate) width: usize,
    /// How far a key may lie off, in the numbers' own unit.
    pub(crate) tolerance: f64,
}

/// Key times by their bits, so that curves with the same times share them.
#[derive(Default)]
pub(crate) struct Clock {
    /// The clip's start on the file's clock.
    start: f64,
    known: HashMap<Vec<u32>, Arc<[f32]>, Seed>,
    /// Those given last: tracks that follow each other mostly have the same.
    last: Option<Arc<[f32]>>,
}

impl Clock {
    pub(crate) fn new(start: f64) -> Self {
        Self { start, ..Self::default() }
    }

    fn time(&self, time: f64) -> f32 {
        (time - self.start) as f32
    }

    /// The time nearest to `time` at which a key can be: keys are kept in single precision.
    pub(crate) fn nearest(&self, time: f64) -> f64 {
        self.start + f64::from(self.time(time))
    }

    /// Times on the file's clock, as keys have them.
    #[cfg(feature = "collada")]
    pub(crate) fn times(&mut self, times: &[f64]) -> Arc<[f32]> {
        let times = times.iter().map(|&time| self.time(time)).collect();
        self.shared(times)
    }

    fn shared(&mut self, times: Vec<f32>) -> Arc<[f32]> {
        let last = self.last.take().filter(|last| last.len() == times.len());
        let same = |last: &Arc<[f32]>| {
            last.iter().zip(&times).all(|(one, other)| one.to_bits() == other.to_bits())
        };
        let shared = last.filter(same).unwrap_or_else(|| {
            let bits = times.iter().map(|time| time.to_bits()).collect();
            self.known.entry(bits).or_insert_with(|| times.into()).clone()
        });
        self.last = Some(Arc::clone(&shared));
        shared
    }
}

/// A curve before it has a type: rows of numbers.
struct Keys {
    times: Vec<f32>,
    values: Vec<f64>,
    interpolation: Interpolation,
}

/// The curve through the pieces, or its value when it always has the same.
enum Found {
    Held(Vec<f64>),
    Keys(Keys),
}

impl<'a> Slice<'a> {
    fn part(&self, piece: usize, part: usize) -> &'a [f64] {
        &self.pieces.part(piece, part)[self.from..][..self.width]
    }

    fn count(&self) -> usize {
        self.pieces.times.len()
    }

    fn apart(&self, a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }

    fn same(&self, a: &[f64], b: &[f64]) -> bool {
        self.apart(a, b) <= 0.1 * self.tolerance
    }

    fn is_held(&self, piece: usize) -> bool {
        let small = |part: usize| {
            self.part(piece, part).iter().all(|number| number.abs() <= 0.2 * self.tolerance)
        };
        self.same(self.part(piece, 0), self.part(piece, 3)) && small(1) && small(2)
    }

    /// A tangent that is off the chord by some amount bends the piece by at most 4/27 of it.
    fn is_straight(&self, piece: usize) -> bool {
        let start = self.part(piece, 0);
        let end = self.part(piece, 3);
        [1, 2].into_iter().all(|part| {
            let tangent = self.part(piece, part);
            let off = (0..self.width).map(|at| (tangent[at] - (end[at] - start[at])).abs());
            off.fold(0.0, f64::max) <= self.tolerance
        })
    }

    /// Whether the piece rotates about one axis at an even rate.
    fn is_even_rotation(&self, piece: usize) -> bool {
        let mut all = [0.0; 16];
        for (part, four) in all.chunks_exact_mut(4).enumerate() {
            four.copy_from_slice(self.part(piece, part));
        }
        let quat = |at: &[f64]| DQuat::from_slice(at).normalize();
        let start = quat(&all[..4]);
        let end = quat(&all[12..]);
        start.dot(end) > 0.5
            && [0.25, 0.5, 0.75].into_iter().all(|share| {
                let mut found = [0.0; 4];
                hermite(&all, share, &mut found);
                let apart = quat(&found) - start.slerp(end, share);
                apart.length() <= 0.25 * self.tolerance
            })
    }

    /// The value that holds from the end on, where it is another than the last piece's.
    fn after(&self) -> Option<&'a [f64]> {
        let after = self.pieces.after.get(self.from..)?.get(..self.width)?;
        let last = self.count().checked_sub(1);
        last.is_none_or(|last| !self.same(after, self.part(last, 3))).then_some(after)
    }

    fn end(&self, clock: &Clock) -> f32 {
        self.pieces.times.last().map_or(0.0, |times| clock.time(times[1]))
    }

    /// The curve, as sparse as the tolerance allows.
    fn keys(&self, clock: &Clock, rotates: bool) -> Found {
        if self.count() == 0 {
            return Found::Held(self.after().unwrap_or_default().to_vec());
        }
        let held = (0..self.count()).all(|piece| self.is_held(piece));
        let first = self.part(0, 0);
        let same = |piece| self.same(self.part(piece, 0), first);
        if held && (0..self.count()).all(same) && self.after().is_none() {
            return Found::Held(first.to_vec());
        }
        let straight =
            |piece| if rotates { self.is_even_rotation(piece) } else { self.is_straight(piece) };
        Found::Keys(if held {
            self.steps(clock)
        } else if (0..self.count()).all(straight) {
            self.lines(clock, rotates)
        } else {
            self.spline(clock)
        })
    }

    fn steps(&self, clock: &Clock) -> Keys {
        let mut keys = Keys::new(Interpolation::Step);
        for piece in 0..self.count() {
            let value = self.part(piece, 0);
            if piece == 0 || !self.same(value, self.part(piece - 1, 0)) {
                keys.push(clock.time(self.pieces.times[piece][0]), value);
            }
        }
        if let Some(after) = self.after() {
            keys.push(self.end(clock), after);
        }
        keys
    }

    fn lines(&self, clock: &Clock, rotates: bool) -> Keys {
        let mut keys = Keys::new(Interpolation::Linear);
        let mut piece = 0;
        while piece < self.count() {
            let from = self.pieces.times[piece][0];
            let start = self.part(piece, 0);
            if keys.last_differs(start, 0.1 * self.tolerance) {
                keys.push(clock.time(from), start);
            }
            let last = if rotates { self.even_until(piece) } else { self.straight_until(piece) };
            keys.push(clock.time(self.pieces.times[last][1]), self.part(last, 3));
            piece = last + 1;
        }
        if let Some(after) = self.after() {
            keys.push(self.end(clock), after);
        }
        keys
    }

    /// The last piece that goes on without a jump and without moving.
    fn held_until(&self, piece: usize) -> usize {
        let mut last = piece;
        while self.is_held(piece)
            && last + 1 < self.count()
            && self.is_held(last + 1)
            && self.same(self.part(last + 1, 0), self.part(piece, 0))
        {
            last += 1;
        }
        last
    }

    /// The last piece that one even rotation, by less than a third of a circle, reaches from the
    /// start of this one while it passes every end between.
    fn even_until(&self, piece: usize) -> usize {
        const MAX_PIECES: usize = 64;
        let quat = |piece: usize, part: usize| DQuat::from_slice(self.part(piece, part));
        let start = quat(piece, 0);
        let from = self.pieces.times[piece][0];
        let mut last = piece;
        while last + 1 < self.count().min(piece + MAX_PIECES) {
            let next = last + 1;
            let end = quat(next, 3);
            let to = self.pieces.times[next][1];
            let passes = (piece..next).all(|before| {
                let share = (self.pieces.times[before][1] - from) / (to - from);
                let apart = start.slerp(end, share) - quat(before, 3);
                apart.length() <= 0.25 * self.tolerance
            });
            let goes_on = self.same(self.part(next, 0), self.part(last, 3));
            if !(goes_on && start.dot(end) > 0.5 && passes) {
                break;
            }
            last = next;
        }
        last
    }

    /// The last piece that one straight line from the start of this one can reach while it
    /// passes every end between by the tolerance: each end narrows the slopes still open.
    fn straight_until(&self, piece: usize) -> usize {
        let from = self.pieces.times[piece][0];
        let start = self.part(piece, 0);
        let mut low = vec![f64::NEG_INFINITY; self.width];
        let mut high = vec![f64::INFINITY; self.width];
        let slack = 0.25 * self.tolerance;
        let mut last = piece;
        for next in piece..self.count() {
            if next > piece && !self.same(self.part(next, 0), self.part(next - 1, 3)) {
                break;
            }
            let span = self.pieces.times[next][1] - from;
            let end = self.part(next, 3);
            let slope = |at: usize, by: f64| (end[at] + by - start[at]) / span;
            if (0..self.width).any(|at| slope(at, 0.0) < low[at] || slope(at, 0.0) > high[at]) {
                break;
            }
            for at in 0..self.width {
                low[at] = low[at].max(slope(at, -slack));
                high[at] = high[at].min(slope(at, slack));
            }
            last = next;
        }
        last
    }

    fn spline(&self, clock: &Clock) -> Keys {
        let mut keys = Keys::new(Interpolation::Cubic);
        keys.times.reserve(self.count() + 1);
        keys.values.reserve((self.count() + 1) * 3 * self.width);
        let still = vec![0.0; self.width];
        keys.values.extend_from_slice(&still);
        let mut piece = 0;
        while piece < self.count() {
            let last = self.held_until(piece);
            let from = self.pieces.times[piece][0];
            let to = self.pieces.times[last][1];
            // A hold of several pieces does not move at its ends.
            let rate = if last > piece { 0.0 } else { 1.0 / (to - from) };
            let start = self.part(piece, 0);
            // The in-tangent of the key at `from` is there already; a jump needs a key more.
            if piece > 0 && !self.same(start, self.part(piece - 1, 3)) {
                keys.times.push(clock.time(from));
                keys.values.extend_from_slice(self.part(piece - 1, 3));
                keys.values.extend_from_slice(&still);
                keys.values.extend_from_slice(&still);
            }
            keys.times.push(clock.time(from));
            keys.values.extend_from_slice(start);
            keys.values.extend(self.part(piece, 1).iter().map(|number| number * rate));
            keys.values.extend(self.part(last, 2).iter().map(|number| number * rate));
            piece = last + 1;
        }
        keys.push(self.end(clock), self.part(self.count() - 1, 3));
        keys.values.extend_from_slice(&still);
        if let Some(after) = self.after() {
            keys.values.extend_from_slice(&still);
            keys.push(self.end(clock), after);
            keys.values.extend_from_slice(&still);
        }
        keys
    }
}

impl Keys {
    fn new(interpolation: Interpolation) -> Self {
        Self { times: Vec::new(), values: Vec::new(), interpolation }
    }

    fn push(&mut self, time: f32, value: &[f64]) {
        self.times.push(time);
        self.values.extend_from_slice(value);
    }

    fn last_differs(&self, value: &[f64], by: f64) -> bool {
        let Some(from) = self.values.len().checked_sub(value.len()) else { return true };
        self.times.is_empty()
            || self.values[from..].iter().zip(value).any(|(a, b)| (a - b).abs() > by)
    }

    /// Keys of vectors in single precision.
    fn vectors(self, clock: &mut Clock) -> Option<Curve<Vec3>> {
        let values: Vec<Vec3> = self.values.chunks_exact(3).map(vector).collect();
        let finite = values.iter().all(|value| value.is_finite());
        let times = clock.shared(self.times);
        finite.then(|| Curve::new(times, values, self.interpolation).ok())?
    }

    /// Keys of unit rotations in single precision; tangents have any length.
    fn rotations(self, clock: &mut Clock) -> Option<Curve<Quat>> {
        let each = self.interpolation.values_per_key();
        let mut values = Vec::with_capacity(self.values.len() / 4);
        for (number, at) in self.values.chunks_exact(4).enumerate() {
            let rotation = DQuat::from_slice(at);
            let is_key = number % each == each / 2;
            values.push(if is_key { unit_rotation(rotation)? } else { rotation.as_quat() });
        }
        let finite = values.iter().all(|value| value.is_finite());
        let times = clock.shared(self.times);
        finite.then(|| Curve::new(times, values, self.interpolation).ok())?
    }

    /// Rows of numbers in single precision.
    fn rows(self, width: usize, clock: &mut Clock) -> Option<Rows> {
        let values: Vec<f32> = self.values.iter().map(|&number| number as f32).collect();
        let finite = values.iter().all(|value| value.is_finite());
        let times = clock.shared(self.times);
        finite.then(|| Rows::new(times, values, width, self.interpolation).ok())?
    }
}

impl Slice<'_> {
    /// The curve of a translation or scale; `None` when it stays at rest.
    pub(crate) fn vectors(
        &self,
        clock: &mut Clock,
        rest: Vec3,
    ) -> Result<Option<Curve<Vec3>>, NotFinite> {
        match self.keys(clock, false) {
            Found::Keys(keys) => keys.vectors(clock).map(Some).ok_or(NotFinite),
            Found::Held(value) => {
                let value = vector(&value);
                let moved = !value.abs_diff_eq(rest, self.tolerance as f32);
                let held = || moved.then(|| Curve::constant(value));
                value.is_finite().then(held).ok_or(NotFinite)
            }
        }
    }

    /// The curve of a rotation; `None` when it stays at rest.
    pub(crate) fn rotations(
        &self,
        clock: &mut Clock,
        rest: Quat,
    ) -> Result<Option<Curve<Quat>>, NotFinite> {
        match self.keys(clock, true) {
            Found::Keys(keys) => keys.rotations(clock).map(Some).ok_or(NotFinite),
            Found::Held(value) => {
                let rotation = unit_rotation(DQuat::from_slice(&value)).ok_or(NotFinite)?;
                let near = if rotation.dot(rest) < 0.0 { -rotation } else { rotation };
                let moved = (near - rest).length() > self.tolerance as f32;
                Ok(moved.then(|| Curve::constant(rotation)))
            }
        }
    }

    /// The rows of morph weights; `None` when all stay at rest.
    pub(crate) fn rows(&self, clock: &mut Clock, rest: &[f32]) -> Result<Option<Rows>, NotFinite> {
        match self.keys(clock, false) {
            Found::Keys(keys) => keys.rows(self.width, clock).map(Some).ok_or(NotFinite),
            Found::Held(row) => {
                let row: Vec<f32> = row.iter().map(|&number| number as f32).collect();
                let near = |(a, b): (&f32, &f32)| (a - b).abs() <= self.tolerance as f32;
                if row.iter().zip(rest).all(near) {
                    return Ok(None);
                }
                if !row.iter().all(|number| number.is_finite()) {
                    return Err(NotFinite);
                }
                Rows::new(vec![0.0], row, self.width, Interpolation::Step)
                    .map(Some)
                    .map_err(|_| NotFinite)
            }
        }
    }
}

fn vector(at: &[f64]) -> Vec3 {
    Vec3::new(at[0] as f32, at[1] as f32, at[2] as f32)
}

/// A unit rotation in single precision; `None` when the numbers make none.
pub(crate) fn unit_rotation(rotation: DQuat) -> Option<Quat> {
    let length = rotation.length();
    let good = length > 1e-9 && length.is_finite();
    let unit = good.then(|| (rotation / length).as_quat().normalize())?;
    unit.is_finite().then_some(unit)
}
