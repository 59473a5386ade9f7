//! What moves, as [`fit`](crate::fit) asks for it: vectors and rows of numbers, rotations, matrices.
//!
//! The first two know their tangents by a formula; matrices are asked for their values.

use glam::{DAffine3, DQuat, DVec3};

use super::driven::{Driven, Number, knots};
use super::step;
use super::trs::Trs;
use crate::fit::{AHEAD, ROTATION_TOLERANCE, Source, angle_between, distance};

/// A row of numbers: the sum, or the product, of the rows of several elements.
pub(super) struct Vector<'a> {
    rows: Vec<Vec<Number<'a>>>,
    multiply: bool,
    width: usize,
    pub(super) tolerance: f64,
}

impl<'a> Vector<'a> {
    /// `tolerance` is a part of the largest value.
    pub(super) fn new(rows: Vec<Vec<Number<'a>>>, multiply: bool, tolerance: f64) -> Self {
        let width = rows.iter().map(Vec::len).min().unwrap_or(0);
        let largest = |row: &Vec<Number<'_>>| row.iter().map(Number::largest).fold(0.0, f64::max);
        let size = rows.iter().map(largest);
        let size = if multiply { size.product::<f64>() } else { size.sum() };
        Self { rows, multiply, width, tolerance: tolerance * size.max(1e-9) }
    }

    pub(super) fn knots(&self) -> Vec<f64> {
        knots(self.rows.iter().flatten())
    }

    /// Whether the tangents of a value are those of the elements, each with a constant factor.
    fn is_linear(&self) -> bool {
        let moving = self.rows.iter().filter(|row| !row.iter().all(Number::is_held));
        !self.multiply || moving.count() == 1
    }

    /// The change of one number over `length` seconds.
    fn tangent(&self, at: usize, time: f64, length: f64) -> Option<f64> {
        let mut sum = 0.0;
        let mut factor = length;
        for row in &self.rows {
            sum += row[at].span.slope(time)?;
            if self.multiply && row[at].is_held() {
                factor *= row[at].span.value(time);
            }
        }
        Some(sum * factor)
    }
}

impl Source for Vector<'_> {
    fn width(&self) -> usize {
        self.width
    }

    fn open(&mut self, from: f64, to: f64) {
        self.rows.iter_mut().flatten().for_each(|number| number.open(from, to));
    }

    fn value(&mut self, time: f64, out: &mut [f64]) {
        for (at, out) in out.iter_mut().enumerate() {
            let each = self.rows.iter().map(|row| row[at].span.value(time));
            *out = if self.multiply { each.product() } else { each.sum() };
        }
    }

    /// Exact where all spans are polynomials: a cubic polynomial is its own Hermite piece.
    fn tangents(&mut self, from: f64, to: f64, piece: &mut [f64]) -> Option<f64> {
        if !self.is_linear() {
            return None;
        }
        let width = self.width;
        for at in 0..width {
            piece[width + at] = self.tangent(at, from, to - from)?;
            piece[2 * width + at] = self.tangent(at, to, to - from)?;
        }
        self.value(from, &mut piece[..width]);
        self.value(to, &mut piece[3 * width..]);
        let exact = self.rows.iter().flatten().all(|number| number.span.is_polynomial());
        Some(if exact { 0.0 } else { f64::INFINITY })
    }

    fn after(&mut self, out: &mut [f64]) -> bool {
        self.rows.iter_mut().flatten().for_each(Number::close);
        self.value(0.0, out);
        true
    }

    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        distance(a, b) / self.tolerance
    }
}

/// The product of several `<rotate>` elements.
pub(super) struct Rotation<'a> {
    factors: Vec<Factor<'a>>,
}

enum Factor<'a> {
    Held(DQuat),
    /// By an angle in degrees about one axis.
    About(DVec3, Angle<'a>),
    /// With an axis that is driven too.
    Free(Driven<'a>),
}

/// An angle, and the sine and cosine of its half where they were asked for last.
struct Angle<'a> {
    degrees: Number<'a>,
    half: f64,
    sin_cos: (f64, f64),
}

/// From degrees to half angles in radians, of which quaternions are made.
const HALF: f64 = std::f64::consts::PI / 360.0;

impl Angle<'_> {
    /// One piece ends where the next begins, so the last answer is often asked for again.
    fn sin_cos(&mut self, time: f64) -> (f64, f64) {
        let half = self.degrees.span.value(time) * HALF;
        if half != self.half {
            self.half = half;
            self.sin_cos = half.sin_cos();
        }
        self.sin_cos
    }
}

impl<'a> Rotation<'a> {
    pub(super) fn new(all: Vec<Driven<'a>>) -> Self {
        let mut factors: Vec<Factor<'a>> = Vec::with_capacity(all.len());
        for mut driven in all {
            if driven.is_held() {
                let rotation = step::rotation(&driven.values(0.0));
                match factors.last_mut() {
                    Some(Factor::Held(before)) => *before *= rotation,
                    _ => factors.push(Factor::Held(rotation)),
                }
                continue;
            }
            let axis = step::vector(&driven.values(0.0)).try_normalize();
            let fixed = driven.numbers[..3].iter().all(Number::is_held);
            factors.push(match (axis, fixed) {
                (Some(axis), true) => {
                    let degrees = driven.numbers.swap_remove(3);
                    Factor::About(axis, Angle { degrees, half: 0.0, sin_cos: (0.0, 1.0) })
                }
                _ => Factor::Free(driven),
            });
        }
        Self { factors }
    }

    /// The key times, and where an axis is driven others between them, so that from one to the next it
    /// rotates by at most a quarter of a circle.
    pub(super) fn knots(&mut self) -> Vec<f64> {
        let numbers = self.factors.iter().flat_map(|factor| match factor {
            Factor::Held(_) => &[],
            Factor::About(_, angle) => std::slice::from_ref(&angle.degrees),
            Factor::Free(driven) => &driven.numbers,
        });
        let mut knots = knots(numbers);
        let free = self.factors.iter_mut().filter_map(|factor| match factor {
            Factor::Free(driven) => Some(driven),
            _ => None,
        });
        for driven in free {
            knots = cut_by_angle(driven, &knots);
        }
        knots
    }

    /// The rotation and its change per second, where that is known by a formula.
    fn moment(&mut self, time: f64) -> Option<[DQuat; 2]> {
        let mut rotation = DQuat::IDENTITY;
        let mut change = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        for factor in &mut self.factors {
            match factor {
                Factor::Held(held) => {
                    change *= *held;
                    rotation *= *held;
                }
                Factor::About(axis, angle) => {
                    let rate = angle.degrees.span.slope(time)? * HALF;
                    let sin_cos = angle.sin_cos(time);
                    let factor = about(*axis, sin_cos);
                    let rate = about(*axis, (sin_cos.1 * rate, -sin_cos.0 * rate));
                    change = change * factor + rotation * rate;
                    rotation *= factor;
                }
                Factor::Free(_) => return None,
            }
        }
        Some([rotation, change])
    }

    /// A bound on the error of a Hermite piece of this length: at most a 384th of the fourth
    /// derivative. Each factor is an exponential of its angle, so the derivative is at most the
    /// fourth Bell polynomial of the sums of the half angles' derivatives.
    fn bound(&self, length: f64) -> f64 {
        let mut sums = [0.0; 3];
        for factor in &self.factors {
            let Factor::About(_, angle) = factor else { continue };
            if !angle.degrees.span.is_polynomial() {
                return f64::INFINITY;
            }
            for (sum, bend) in sums.iter_mut().zip(angle.degrees.span.bends(length)) {
                *sum += bend * HALF;
            }
        }
        let [a, b, c] = sums;
        let fourth = a * a * a * a + 6.0 * a * a * b + 3.0 * b * b + 4.0 * a * c;
        fourth / 384.0 * 2.0 / ROTATION_TOLERANCE
    }
}

/// A quaternion about an axis, of the sine and cosine of half an angle.
fn about(axis: DVec3, (sin, cos): (f64, f64)) -> DQuat {
    DQuat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
}

fn cut_by_angle(driven: &mut Driven<'_>, knots: &[f64]) -> Vec<f64> {
    const MAX_CUTS: usize = 1024;
    let mut cut = Vec::with_capacity(knots.len());
    let mut left = MAX_CUTS + 16 * knots.len();
    for pair in knots.windows(2) {
        driven.open(pair[0], pair[1]);
        let degrees = (driven.values(pair[1])[3] - driven.values(pair[0])[3]).abs();
        let parts = ((degrees / 90.0).ceil() as usize).clamp(1, MAX_CUTS).min(left.max(1));
        left = left.saturating_sub(parts);
        let time = |part: usize| pair[0] + (pair[1] - pair[0]) * part as f64 / parts as f64;
        cut.extend((0..parts).map(time));
    }
    cut.extend(knots.last());
    cut
}

impl Source for Rotation<'_> {
    fn width(&self) -> usize {
        4
    }

    fn open(&mut self, from: f64, to: f64) {
        for factor in &mut self.factors {
            match factor {
                Factor::Held(_) => {}
                Factor::About(_, angle) => angle.degrees.open(from, to),
                Factor::Free(driven) => driven.open(from, to),
            }
        }
    }

    fn value(&mut self, time: f64, out: &mut [f64]) {
        let each = self.factors.iter_mut().map(|factor| match factor {
            Factor::Held(rotation) => *rotation,
            Factor::About(axis, angle) => about(*axis, angle.sin_cos(time)),
            Factor::Free(driven) => step::rotation(&driven.values(time)),
        });
        out.copy_from_slice(&each.product::<DQuat>().to_array());
    }

    fn tangents(&mut self, from: f64, to: f64, piece: &mut [f64]) -> Option<f64> {
        let length = to - from;
        let [start, out] = self.moment(from)?;
        let [end, into] = self.moment(to)?;
        let parts = [start, out * length, into * length, end];
        for (part, value) in piece.chunks_exact_mut(4).zip(parts) {
            part.copy_from_slice(&value.to_array());
        }
        Some(self.bound(length))
    }

    fn after(&mut self, out: &mut [f64]) -> bool {
        self.open(f64::INFINITY, f64::INFINITY);
        self.value(0.0, out);
        true
    }

    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        angle_between(a, b) / ROTATION_TOLERANCE
    }

    fn quaternions(&self) -> &'static [usize] {
        &[0]
    }
}

/// An element whose matrix is driven number by number: translation, rotation and scale, and where it
/// is sheared the rotation of the inner half.
pub(super) struct Matrix<'a> {
    driven: Driven<'a>,
    /// The inner half in the middle of what was opened, for a matrix that is sheared at times: within
    /// that it changes little.
    inner: Option<DQuat>,
    /// The halves of a sheared matrix at the times announced last.
    ahead: Option<Ahead>,
    /// Of a matrix whose numbers all go straight in what was opened: where that begins, the matrix there and its change
    /// per second.
    line: Option<(f64, DAffine3, DAffine3)>,
    /// How far off a translation may be.
    pub(super) length: f64,
    /// How far off a scale may be.
    pub(super) scale: f64,
}

/// The halves of a matrix at some times.
struct Ahead {
    times: [f64; AHEAD],
    halves: [(Trs, DQuat); AHEAD],
}

impl<'a> Matrix<'a> {
    /// `tolerance` is a part of the largest number.
    pub(super) fn new(driven: Driven<'a>, sheared: bool, tolerance: f64) -> Self {
        let is_matrix = driven.kind == step::Kind::Matrix;
        let largest = |translation: bool| {
            let numbers = driven.numbers.iter().enumerate();
            let wanted = numbers.filter(|(at, _)| !is_matrix || (at % 4 == 3) == translation);
            wanted.map(|(_, number)| number.largest()).fold(1e-9, f64::max)
        };
        let length = tolerance * largest(true);
        let scale = tolerance * if is_matrix { largest(false) } else { 1.0 };
        let inner = sheared.then_some(DQuat::IDENTITY);
        Self { driven, inner, ahead: None, line: None, length, scale }
    }

    pub(super) fn knots(&self) -> Vec<f64> {
        knots(self.driven.numbers.iter())
    }

    pub(super) fn matrix(&self, time: f64) -> DAffine3 {
        match self.line {
            Some((start, matrix, change)) => along(matrix, change, time - start),
            None => self.made(time),
        }
    }

    /// The matrix of all numbers.
    fn made(&self, time: f64) -> DAffine3 {
        step::matrix(self.driven.kind, &self.driven.values(time))
    }

    /// Whether the matrix goes straight from one end to the other of what was opened.
    fn is_straight(&self) -> bool {
        self.driven.kind == step::Kind::Matrix
            && self.driven.numbers.iter().all(|number| number.span.is_straight())
    }
}

/// A matrix after it has changed for some seconds.
fn along(matrix: DAffine3, change: DAffine3, seconds: f64) -> DAffine3 {
    DAffine3 {
        matrix3: matrix.matrix3 + change.matrix3 * seconds,
        translation: matrix.translation + change.translation * seconds,
    }
}

impl Source for Matrix<'_> {
    fn width(&self) -> usize {
        if self.inner.is_some() { 14 } else { 10 }
    }

    fn open(&mut self, from: f64, to: f64) {
        self.driven.open(from, to);
        self.line = self.is_straight().then(|| {
            let start = self.made(from);
            let change = along(self.made(to), start, -1.0);
            let per_second = 1.0 / (to - from);
            let matrix3 = change.matrix3 * per_second;
            let translation = change.translation * per_second;
            (from, start, DAffine3 { matrix3, translation })
        });
        if let Some(inner) = self.inner {
            self.inner = Some(Trs::halves(self.matrix((from + to) / 2.0), inner).1);
            // Halves that are near to another inner rotation.
            self.ahead = None;
        }
    }

    fn announce(&mut self, times: [f64; AHEAD]) {
        if let Some(near) = self.inner {
            let matrices = times.map(|time| self.matrix(time));
            self.ahead = Some(Ahead { times, halves: Trs::halves_of(&matrices, near) });
        }
    }

    fn value(&mut self, time: f64, out: &mut [f64]) {
        let trs = match self.inner {
            None => Trs::closest(self.matrix(time)),
            Some(near) => {
                let known = self.ahead.as_ref().and_then(|Ahead { times, halves }| {
                    Some(halves[times.iter().position(|known| *known == time)?])
                });
                let (outer, inner) = known.unwrap_or_else(|| Trs::halves(self.matrix(time), near));
                out[10..].copy_from_slice(&inner.to_array());
                outer
            }
        };
        out[..3].copy_from_slice(&trs.translation.to_array());
        out[3..7].copy_from_slice(&trs.rotation.to_array());
        out[7..10].copy_from_slice(&trs.scale.to_array());
    }

    fn after(&mut self, out: &mut [f64]) -> bool {
        self.driven.close();
        self.line = None;
        self.ahead = None;
        self.value(0.0, out);
        true
    }

    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        let length = distance(&a[..3], &b[..3]) / self.length;
        let angle = angle_between(&a[3..7], &b[3..7]);
        let inner = angle_between(&a[10..], &b[10..]);
        let scale = distance(&a[7..10], &b[7..10]) / self.scale;
        length.max(angle.max(inner) / ROTATION_TOLERANCE).max(scale)
    }

    fn quaternions(&self) -> &'static [usize] {
        if self.inner.is_some() { &[3, 10] } else { &[3] }
    }
}
