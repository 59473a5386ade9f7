//! Cubic pieces that follow a motion to within a tolerance.
//!
//! In:  something that can be asked for its value at any time, and the moments at which it may
//!      have a corner or a jump.
//! Out: Hermite pieces, one or more between two neighbouring moments.
//!
//! A piece is taken when a bound on its error, or its distance to the motion at three inner
//! moments, is below the tolerance; else it is cut in half.

use std::ops::Range;

use crate::budget::Budget;
use crate::{Error, Place};

/// A motion that can be asked for its value at any time.
pub(super) trait Source {
    /// How many numbers it has.
    fn width(&self) -> usize;

    /// Turns to the times between two neighbouring moments: what `value` gives at either is
    /// the limit from inside.
    fn open(&mut self, from: f64, to: f64);

    /// Its numbers at a time inside what was opened.
    fn value(&mut self, time: f64, out: &mut [f64]);

    /// Ends and tangents of the piece from `from` to `to`, where they are known by a formula,
    /// and a bound on the piece's error in parts of the tolerance.
    fn tangents(&mut self, from: f64, to: f64, piece: &mut [f64]) -> Option<f64> {
        let _ = (from, to, piece);
        None
    }

    /// How far two values are from each other, in parts of the tolerance.
    fn distance(&self, a: &[f64], b: &[f64]) -> f64;

    /// Which of the numbers are a quaternion: of unit length, and the same as its opposite.
    fn quaternion(&self) -> Range<usize> {
        0..0
    }
}

/// Hermite pieces, one after the other in time.
pub(super) struct Pieces {
    /// How many numbers a value has.
    pub(super) width: usize,
    /// From when to when, for each piece.
    pub(super) times: Vec<[f64; 2]>,
    /// For each piece: value at its start, tangent there, tangent at its end, value there.
    /// Tangents are per length of the piece.
    pub(super) values: Vec<f64>,
}

impl Pieces {
    /// One of the four values of a piece: 0 start, 1 tangent there, 2 tangent at the end, 3 end.
    pub(super) fn part(&self, piece: usize, part: usize) -> &[f64] {
        &self.values[(piece * 4 + part) * self.width..][..self.width]
    }
}

/// Halving a stretch this often reaches a four-thousandth of it.
const DEEPEST: u32 = 12;

/// Follows `source` over `moments`, which rise from the start of the take.
pub(super) fn fit<S: Source>(
    source: &mut S,
    moments: &[f64],
    budget: &mut Budget,
) -> Result<Pieces, Error> {
    let width = source.width();
    let mut pieces = Pieces { width, times: Vec::new(), values: Vec::new() };
    let expected = moments.len().saturating_sub(1);
    budget.take(expected, width * 32, &Place::part("Takes"))?;
    pieces.times.reserve(expected);
    pieces.values.reserve(expected * width * 4);
    let mut piece = vec![0.0; width * 4];
    let mut room = vec![0.0; width * 2];
    let mut left = Vec::new();
    // Keys will be kept in single precision from the start; a cut must lie where one can be.
    let begin = moments.first().copied().unwrap_or(0.0);
    let on_the_clock = |time: f64| begin + f64::from((time - begin) as f32);
    for pair in moments.windows(2) {
        source.open(pair[0], pair[1]);
        left.push((pair[0], pair[1], 0));
        while let Some((from, to, depth)) = left.pop() {
            let known = source.tangents(from, to, &mut piece);
            if known.is_none() {
                through_four(source, from, to, &mut piece);
            }
            let probes = match known {
                Some(bound) if bound <= SMALL_BOUND => &TANGENT_PROBES[..1],
                Some(_) => &TANGENT_PROBES[..],
                None => &FOUR_PROBES[..],
            };
            let middle = on_the_clock(0.5 * (from + to));
            let good = known.is_some_and(|bound| bound <= 1.0)
                || depth >= DEEPEST
                || !(from < middle && middle < to)
                || follows(source, (from, to), probes, &piece, &mut room);
            if good {
                pieces.times.push([from, to]);
                join(&source.quaternion(), &pieces.values, &mut piece);
                pieces.values.extend_from_slice(&piece);
            } else {
                budget.take(1, width * 32, &Place::part("Takes"))?;
                left.push((middle, to, depth + 1));
                left.push((from, middle, depth + 1));
            }
        }
    }
    Ok(pieces)
}

/// The cubic through the motion at the ends and at both thirds.
fn through_four<S: Source>(source: &mut S, from: f64, to: f64, piece: &mut [f64]) {
    let (width, turn) = (source.width(), source.quaternion());
    let (start, rest) = piece.split_at_mut(width);
    let (second, rest) = rest.split_at_mut(width);
    let (third, end) = rest.split_at_mut(width);
    source.value(from, start);
    source.value(from + (to - from) / 3.0, second);
    align(&turn, second, start);
    source.value(to - (to - from) / 3.0, third);
    align(&turn, third, second);
    source.value(to, end);
    align(&turn, end, third);
    for at in 0..width {
        let (a, b, c, d) = (start[at], second[at], third[at], end[at]);
        second[at] = -5.5 * a + 9.0 * b - 4.5 * c + d;
        third[at] = -a + 4.5 * b - 9.0 * c + 5.5 * d;
    }
}

/// With true tangents at its ends a piece errs most in the middle, or at both sides of it.
const TANGENT_PROBES: [f64; 2] = [0.5, 0.29];
/// An error that vanishes in the middle, as that of a fourth derivative that changes its sign
/// there, is at most a seventeenth of the bound elsewhere: below this bound it need not be looked for.
const SMALL_BOUND: f64 = 12.0;
/// Through four points it errs most between them.
const FOUR_PROBES: [f64; 3] = [1.0 / 6.0, 0.5, 5.0 / 6.0];

fn follows<S: Source>(
    source: &mut S,
    (from, to): (f64, f64),
    probes: &[f64],
    piece: &[f64],
    room: &mut [f64],
) -> bool {
    let turn = source.quaternion();
    let (found, wanted) = room.split_at_mut(piece.len() / 4);
    probes.iter().all(|&share| {
        hermite(piece, share, found);
        settle(&turn, found);
        source.value(from + (to - from) * share, wanted);
        // Between the probes the error is a little larger than at them.
        source.distance(found, wanted) <= 0.7
    })
}

/// The value of a piece at a share of its length.
pub(super) fn hermite(piece: &[f64], share: f64, out: &mut [f64]) {
    let width = out.len();
    let (t, u) = (share, 1.0 - share);
    let weights = [u * u * (1.0 + 2.0 * t), t * u * u, -t * t * u, t * t * (1.0 + 2.0 * u)];
    for (at, out) in out.iter_mut().enumerate() {
        *out = (0..4).map(|part| weights[part] * piece[part * width + at]).sum();
    }
}

/// Of a rotation's two quaternions, the one nearer to `to`.
fn align(turn: &Range<usize>, value: &mut [f64], to: &[f64]) {
    if opposes(turn, value, to) {
        value[turn.clone()].iter_mut().for_each(|part| *part = -*part);
    }
}

fn opposes(turn: &Range<usize>, value: &[f64], to: &[f64]) -> bool {
    turn.clone().map(|at| value[at] * to[at]).sum::<f64>() < 0.0
}

fn settle(turn: &Range<usize>, value: &mut [f64]) {
    let turn = &mut value[turn.clone()];
    let length = turn.iter().map(|part| part * part).sum::<f64>().sqrt();
    if length > 1e-12 {
        turn.iter_mut().for_each(|part| *part /= length);
    }
}

/// Chooses the piece's sign so that it goes on where the last one ended.
fn join(turn: &Range<usize>, before: &[f64], piece: &mut [f64]) {
    let width = piece.len() / 4;
    if before.len() >= width && opposes(turn, &piece[..width], &before[before.len() - width..]) {
        for part in piece.chunks_exact_mut(width) {
            part[turn.clone()].iter_mut().for_each(|number| *number = -*number);
        }
    }
}
