//! Cubic pieces that follow a motion to within a tolerance: the one curve fitter of all formats.
//!
//! In:  something that can be asked for its value at any time, and its knots: the times at which it
//!      may have a corner or a jump.
//! Out: Hermite pieces, one or more between two neighbouring knots; [`Slice`] makes curves of them.
//!
//! A piece is taken when a bound on its error, or its distance to the motion at up to three inner
//! times, is below the tolerance; else it is cut into as many parts as that distance asks for.

mod keys;
#[cfg(feature = "collada")]
mod span;
#[cfg(test)]
mod tests;

use crate::budget::Budget;
use crate::{ImportError, Place};

#[cfg(feature = "fbx")]
pub(crate) use keys::unit_rotation;
pub(crate) use keys::{Clock, NotFinite, Slice};
#[cfg(feature = "collada")]
pub(crate) use span::Span;

/// How far off a rotation may be, in radians. What hangs on a joint is a part of the model, so a
/// chain of them stays below a hundred-thousandth of its size.
pub(crate) const ROTATION_TOLERANCE: f64 = 4e-6;

/// A motion that can be asked for its value at any time.
pub(crate) trait Source {
    /// How many numbers it has.
    fn width(&self) -> usize;

    /// Goes to the times between two neighbouring knots: what `value` gives at either is the limit
    /// from inside.
    fn open(&mut self, from: f64, to: f64);

    /// Its numbers at a time inside what was opened.
    fn value(&mut self, time: f64, out: &mut [f64]);

    /// Times that are likely to be asked for next, for a source that is quicker with several at once.
    fn announce(&mut self, times: [f64; AHEAD]) {
        let _ = times;
    }

    /// Ends and tangents of the piece from `from` to `to`, where they are known by a formula,
    /// and a bound on the piece's error in parts of the tolerance.
    fn tangents(&mut self, from: f64, to: f64, piece: &mut [f64]) -> Option<f64> {
        let _ = (from, to, piece);
        None
    }

    /// Its numbers from the last knot on, where they may differ from the limit there; `false` where
    /// they do not.
    fn after(&mut self, out: &mut [f64]) -> bool {
        let _ = out;
        false
    }

    /// How far two values are from each other, in parts of the tolerance.
    fn distance(&self, a: &[f64], b: &[f64]) -> f64;

    /// Where quaternions begin among the numbers: of unit length, and the same as their opposites.
    fn quaternions(&self) -> &'static [usize] {
        &[]
    }

    /// Whether what ends at a knot also begins the next piece there.
    fn is_continuous(&self) -> bool {
        false
    }
}

/// How many times are announced: those that a piece goes through, and its probes.
pub(crate) const AHEAD: usize = 6;

/// Hermite pieces, one after the other in time.
pub(crate) struct Pieces {
    /// How many numbers a value has.
    width: usize,
    /// From when to when, for each piece.
    times: Vec<[f64; 2]>,
    /// For each piece: value at its start, tangent there, tangent at its end, value there.
    /// Tangents are per length of the piece.
    values: Vec<f64>,
    /// The value from the end on, where it may differ from the last piece's; else empty.
    after: Vec<f64>,
}

impl Pieces {
    /// One of the four values of a piece: 0 start, 1 tangent there, 2 tangent at the end, 3 end.
    fn part(&self, piece: usize, part: usize) -> &[f64] {
        &self.values[(piece * 4 + part) * self.width..][..self.width]
    }
}

/// Halving a stretch this often reaches a four-thousandth of it.
const DEEPEST: u32 = 12;
/// The most parts that a piece is cut into at once.
const MAX_PARTS: u32 = 8;
/// How many cuts a motion may take: enough for any curve that a person drew, and no more than its
/// knots deserve.
const CUTS: usize = 4096;
const CUTS_PER_KNOT: usize = 16;

/// Follows `source` over `knots`, which rise. With fewer than two there is nothing to follow, and
/// the source must know its value [`after`](Source::after) them.
pub(crate) fn fit<S: Source>(
    source: &mut S,
    knots: &[f64],
    clock: &Clock,
    budget: &mut Budget,
) -> Result<Pieces, ImportError> {
    let width = source.width();
    let place = Place::part("animation");
    let expected = knots.len().saturating_sub(1);
    budget.take(expected, width * 32, &place)?;
    let mut pieces = Pieces {
        width,
        times: Vec::with_capacity(expected),
        values: Vec::with_capacity(expected * width * 4),
        after: Vec::new(),
    };
    let mut piece = vec![0.0; width * 4];
    let mut room = vec![0.0; width * 2];
    // The value where the next piece begins, once it is known.
    let mut start = vec![0.0; width];
    let mut has_start = false;
    let mut left = Vec::new();
    let mut cuts = CUTS + CUTS_PER_KNOT * knots.len();
    for pair in knots.windows(2) {
        source.open(pair[0], pair[1]);
        has_start &= source.is_continuous();
        left.push((pair[0], pair[1], 0));
        while let Some((from, to, depth)) = left.pop() {
            let known = source.tangents(from, to, &mut piece);
            if known.is_none() {
                if !has_start {
                    source.value(from, &mut start);
                    has_start = true;
                }
                source.announce(times_of(from, to));
                through_four(source, from, to, &start, &mut piece);
            }
            let probes = match known {
                Some(bound) if bound <= SMALL_BOUND => &TANGENT_PROBES[..1],
                Some(_) => &TANGENT_PROBES[..],
                None => &FOUR_PROBES[..],
            };
            // A cut must lie where a key can be.
            let middle = clock.nearest(0.5 * (from + to));
            let error = if known.is_some_and(|bound| bound <= 1.0)
                || depth >= DEEPEST
                || cuts == 0
                || !(from < middle && middle < to)
            {
                0.0
            } else {
                worst(source, (from, to), probes, &piece, &mut room)
            };
            if error <= ACCEPTED {
                pieces.times.push([from, to]);
                start.copy_from_slice(&piece[3 * width..]);
                join(source.quaternions(), &pieces.values, &mut piece);
                pieces.values.extend_from_slice(&piece);
                continue;
            }
            let parts = parts(error).min(u32::try_from(cuts).unwrap_or(u32::MAX) + 1);
            budget.take(parts as usize - 1, width * 32, &place)?;
            cuts -= parts as usize - 1;
            let depth = depth + parts.ilog2();
            let mut end = to;
            for part in (1..parts).rev() {
                let share = f64::from(part) / f64::from(parts);
                let cut = clock.nearest(from + (to - from) * share);
                if from < cut && cut < end {
                    left.push((cut, end, depth));
                    end = cut;
                }
            }
            left.push((from, end, depth));
        }
    }
    room.truncate(width);
    if source.after(&mut room) {
        let end = pieces.values.len().saturating_sub(width);
        if !pieces.values.is_empty() {
            align(source.quaternions(), &mut room, &pieces.values[end..]);
        }
        pieces.after = room;
    }
    Ok(pieces)
}

/// How many parts of a piece with this error follow with some room: an error falls with the fourth power of the
/// length.
fn parts(error: f64) -> u32 {
    let wanted = (error / (0.5 * ACCEPTED)).sqrt().sqrt().ceil();
    // Also where the error is no number.
    if wanted < f64::from(MAX_PARTS) { (wanted as u32).max(2) } else { MAX_PARTS }
}

/// Where [`through_four`] and [`FOUR_PROBES`] look at the motion.
fn times_of(from: f64, to: f64) -> [f64; AHEAD] {
    let third = (to - from) / 3.0;
    let [a, b, c] = FOUR_PROBES.map(|share| from + (to - from) * share);
    [from + third, to - third, to, a, b, c]
}

/// The cubic through the motion at the ends, of which the first is known, and at both thirds.
fn through_four<S: Source>(source: &mut S, from: f64, to: f64, first: &[f64], piece: &mut [f64]) {
    let width = source.width();
    let rotations = source.quaternions();
    let (start, rest) = piece.split_at_mut(width);
    let (second, rest) = rest.split_at_mut(width);
    let (third, end) = rest.split_at_mut(width);
    start.copy_from_slice(first);
    let [one, two, last, ..] = times_of(from, to);
    source.value(one, second);
    align(rotations, second, start);
    source.value(two, third);
    align(rotations, third, second);
    source.value(last, end);
    align(rotations, end, third);
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
/// Through four points it errs most between them, and more between the outer than in the middle.
const FOUR_PROBES: [f64; 3] = [1.0 / 6.0, 5.0 / 6.0, 0.5];
/// The largest distance at a probe, in parts of the tolerance: between probes the error is a little larger.
const ACCEPTED: f64 = 0.7;
/// Below this at the first two probes the third, where it is mostly smaller, need not be looked at.
const CERTAIN: f64 = 0.35;

/// The largest distance to the motion at these probes, or the first that is too large.
fn worst<S: Source>(
    source: &mut S,
    (from, to): (f64, f64),
    probes: &[f64],
    piece: &[f64],
    room: &mut [f64],
) -> f64 {
    let rotations = source.quaternions();
    let (found, wanted) = room.split_at_mut(piece.len() / 4);
    let mut worst = 0.0;
    for (at, &share) in probes.iter().enumerate() {
        if at == 2 && worst <= CERTAIN {
            break;
        }
        hermite(piece, share, found);
        settle(rotations, found);
        source.value(from + (to - from) * share, wanted);
        let distance = source.distance(found, wanted);
        // What is no number is no small distance.
        if distance.is_nan() {
            return f64::INFINITY;
        }
        if distance > ACCEPTED {
            return distance;
        }
        worst = f64::max(worst, distance);
    }
    worst
}

/// The value of a piece at a share of its length.
fn hermite(piece: &[f64], share: f64, out: &mut [f64]) {
    let width = out.len();
    let t = share;
    let u = 1.0 - share;
    let weights = [u * u * (1.0 + 2.0 * t), t * u * u, -t * t * u, t * t * (1.0 + 2.0 * u)];
    for (at, out) in out.iter_mut().enumerate() {
        *out = (0..4).map(|part| weights[part] * piece[part * width + at]).sum();
    }
}

/// Of a rotation's two quaternions, the one nearer to `to`.
fn align(rotations: &[usize], value: &mut [f64], to: &[f64]) {
    for &rotation in rotations {
        if opposes(rotation, value, to) {
            value[rotation..rotation + 4].iter_mut().for_each(|part| *part = -*part);
        }
    }
}

fn opposes(rotation: usize, value: &[f64], to: &[f64]) -> bool {
    (rotation..rotation + 4).map(|at| value[at] * to[at]).sum::<f64>() < 0.0
}

/// Makes quaternions of unit length.
fn settle(rotations: &[usize], value: &mut [f64]) {
    for &rotation in rotations {
        let quaternion = &mut value[rotation..rotation + 4];
        let length = quaternion.iter().map(|part| part * part).sum::<f64>().sqrt();
        if length > 1e-12 {
            quaternion.iter_mut().for_each(|part| *part /= length);
        }
    }
}

/// Chooses the piece's signs so that it goes on where the last one ended.
fn join(rotations: &[usize], before: &[f64], piece: &mut [f64]) {
    let width = piece.len() / 4;
    let Some(end) = before.len().checked_sub(width) else { return };
    for &rotation in rotations {
        if opposes(rotation, &piece[..width], &before[end..]) {
            for part in piece.chunks_exact_mut(width) {
                part[rotation..rotation + 4].iter_mut().for_each(|number| *number = -*number);
            }
        }
    }
}

/// How far two rows of numbers are from each other.
pub(crate) fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// The angle between two rotations, for small angles; a quaternion and its opposite are the same.
pub(crate) fn angle_between(a: &[f64], b: &[f64]) -> f64 {
    let mut apart = 0.0;
    let mut opposite = 0.0;
    for (a, b) in a.iter().zip(b) {
        apart += (a - b) * (a - b);
        opposite += (a + b) * (a + b);
    }
    2.0 * f64::min(apart, opposite).sqrt()
}
