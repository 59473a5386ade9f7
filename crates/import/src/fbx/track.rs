//! From Hermite pieces to the sparsest curve that says the same.
//!
//! In:  pieces, on the file's clock.
//! Out: a held value, steps, straight lines or a cubic spline, with times from the clip's start.
//!
//! Where a piece does not begin at the value at which the last one ended, two keys share a time.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{DQuat, Quat, Vec3};
use sinew_scene::{Curve, Interpolation, Rows};

use super::fit::{Pieces, hermite};

/// Some of the numbers of each piece: those of one curve.
#[derive(Clone, Copy)]
pub(super) struct Slice<'a> {
    pub(super) pieces: &'a Pieces,
    pub(super) from: usize,
    pub(super) width: usize,
    /// How far a key may lie off, in the numbers' own unit.
    pub(super) tolerance: f64,
}

/// Key times by their bits, so that curves with the same times share them.
#[derive(Default)]
pub(super) struct Clock {
    /// The clip's start on the file's clock.
    start: f64,
    known: HashMap<Vec<u32>, Arc<[f32]>>,
}

impl Clock {
    pub(super) fn new(start: f64) -> Self {
        Self { start, known: HashMap::new() }
    }

    fn time(&self, time: f64) -> f32 {
        (time - self.start) as f32
    }

    fn shared(&mut self, times: Vec<f32>) -> Arc<[f32]> {
        let bits = times.iter().map(|time| time.to_bits()).collect();
        self.known.entry(bits).or_insert_with(|| times.into()).clone()
    }
}

/// A curve before it has a type: rows of numbers.
pub(super) struct Keys {
    pub(super) times: Vec<f32>,
    pub(super) values: Vec<f64>,
    pub(super) interpolation: Interpolation,
}

/// The curve through the pieces, or its value when it always has the same.
pub(super) enum Found {
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
        let (start, end) = (self.part(piece, 0), self.part(piece, 3));
        [1, 2].into_iter().all(|part| {
            let tangent = self.part(piece, part);
            let off = (0..self.width).map(|at| (tangent[at] - (end[at] - start[at])).abs());
            off.fold(0.0, f64::max) <= self.tolerance
        })
    }

    /// Whether the piece rotates about one axis at an even rate.
    fn is_even_rotation(&self, piece: usize) -> bool {
        let all: Vec<f64> = (0..4).flat_map(|part| self.part(piece, part)).copied().collect();
        let quat = |at: &[f64]| DQuat::from_xyzw(at[0], at[1], at[2], at[3]).normalize();
        let (start, end) = (quat(&all[..4]), quat(&all[12..]));
        start.dot(end) > 0.5
            && [0.25, 0.5, 0.75].into_iter().all(|share| {
                let mut found = [0.0; 4];
                hermite(&all, share, &mut found);
                let apart = quat(&found) - start.slerp(end, share);
                apart.length() <= 0.25 * self.tolerance
            })
    }

    /// The curve, as sparse as the tolerance allows.
    pub(super) fn keys(&self, clock: &Clock, rotations: bool) -> Found {
        let held = (0..self.count()).all(|piece| self.is_held(piece));
        let first = self.part(0, 0);
        if held && (0..self.count()).all(|piece| self.same(self.part(piece, 0), first)) {
            return Found::Held(first.to_vec());
        }
        let straight =
            |piece| if rotations { self.is_even_rotation(piece) } else { self.is_straight(piece) };
        Found::Keys(if held {
            self.steps(clock)
        } else if (0..self.count()).all(straight) {
            self.lines(clock, rotations)
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
        keys
    }

    fn lines(&self, clock: &Clock, rotations: bool) -> Keys {
        let mut keys = Keys::new(Interpolation::Linear);
        let mut piece = 0;
        while piece < self.count() {
            let from = self.pieces.times[piece][0];
            let start = self.part(piece, 0);
            if keys.last_differs(start, 0.1 * self.tolerance) {
                keys.push(clock.time(from), start);
            }
            let last = if rotations { self.even_until(piece) } else { self.straight_until(piece) };
            keys.push(clock.time(self.pieces.times[last][1]), self.part(last, 3));
            piece = last + 1;
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
        let quat = |piece: usize, part: usize| {
            let at = self.part(piece, part);
            DQuat::from_xyzw(at[0], at[1], at[2], at[3])
        };
        let (start, from) = (quat(piece, 0), self.pieces.times[piece][0]);
        let mut last = piece;
        while last + 1 < self.count().min(piece + MAX_PIECES) {
            let next = last + 1;
            let (end, to) = (quat(next, 3), self.pieces.times[next][1]);
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
        let (from, start) = (self.pieces.times[piece][0], self.part(piece, 0));
        let mut low = vec![f64::NEG_INFINITY; self.width];
        let mut high = vec![f64::INFINITY; self.width];
        let slack = 0.25 * self.tolerance;
        let mut last = piece;
        for next in piece..self.count() {
            if next > piece && !self.same(self.part(next, 0), self.part(next - 1, 3)) {
                break;
            }
            let (span, end) = (self.pieces.times[next][1] - from, self.part(next, 3));
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
            let (from, to) = (self.pieces.times[piece][0], self.pieces.times[last][1]);
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
        let end = self.count() - 1;
        keys.times.push(clock.time(self.pieces.times[end][1]));
        keys.values.extend_from_slice(self.part(end, 3));
        keys.values.extend_from_slice(&still);
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

    /// A curve of vectors; `None` when a number is not finite.
    pub(super) fn vectors(self, clock: &mut Clock) -> Option<Curve<Vec3>> {
        let vector = |at: &[f64]| Vec3::new(at[0] as f32, at[1] as f32, at[2] as f32);
        let values: Vec<Vec3> = self.values.chunks_exact(3).map(vector).collect();
        let finite = values.iter().all(|value| value.is_finite());
        let times = clock.shared(self.times);
        finite.then(|| Curve::new(times, values, self.interpolation).ok())?
    }

    /// A curve of rotations; `None` when a key is no rotation.
    pub(super) fn rotations(self, clock: &mut Clock) -> Option<Curve<Quat>> {
        let each = self.interpolation.values_per_key();
        let mut values = Vec::with_capacity(self.values.len() / 4);
        for (number, at) in self.values.chunks_exact(4).enumerate() {
            let rotation = DQuat::from_xyzw(at[0], at[1], at[2], at[3]);
            let is_key = number % each == each / 2;
            values.push(if is_key {
                super::number::unit_rotation(rotation)?
            } else {
                rotation.as_quat()
            });
        }
        let finite = values.iter().all(|value| value.is_finite());
        let times = clock.shared(self.times);
        finite.then(|| Curve::new(times, values, self.interpolation).ok())?
    }

    /// Rows of numbers; `None` when one is not finite.
    pub(super) fn rows(self, width: usize, clock: &mut Clock) -> Option<Rows> {
        let values: Vec<f32> = self.values.iter().map(|&number| number as f32).collect();
        let finite = values.iter().all(|value| value.is_finite());
        let times = clock.shared(self.times);
        finite.then(|| Rows::new(times, values, width, self.interpolation).ok())?
    }
}
