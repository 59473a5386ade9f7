//! What moves, as [`fit`](super::fit) asks for it: vectors, rotations, whole nodes, morph weights.
//!
//! The first two know their tangents by a formula; the others are asked for their values.

use std::ops::Range;

use glam::{DQuat, DVec3};

use super::channel::Channel;
use super::fit::Source;

/// Three numbers, each `channel · factor + offset`: a translation or a scale.
pub(super) struct Vector<'a> {
    pub(super) channels: [Channel<'a>; 3],
    pub(super) factor: DVec3,
    pub(super) offset: DVec3,
    pub(super) tolerance: f64,
}

impl Source for Vector<'_> {
    fn width(&self) -> usize {
        3
    }

    fn open(&mut self, from: f64, to: f64) {
        self.channels.iter_mut().for_each(|channel| channel.open(from, to));
    }

    fn value(&mut self, time: f64, out: &mut [f64]) {
        for (axis, channel) in self.channels.iter().enumerate() {
            out[axis] = channel.span().value(time) * self.factor[axis] + self.offset[axis];
        }
    }

    /// Exact: a cubic polynomial is its own Hermite piece.
    fn tangents(&mut self, from: f64, to: f64, piece: &mut [f64]) -> Option<f64> {
        if !self.channels.iter().all(|channel| channel.span().is_polynomial()) {
            return None;
        }
        let (start, end) = piece.split_at_mut(9);
        self.value(from, start);
        self.value(to, end);
        for (axis, channel) in self.channels.iter().enumerate() {
            let rate = self.factor[axis] * (to - from);
            piece[3 + axis] = channel.span().slope(from) * rate;
            piece[6 + axis] = channel.span().slope(to) * rate;
        }
        Some(0.0)
    }

    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        distance(a, b) / self.tolerance
    }
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// A rotation by three animated angles, in degrees, between two that stand still.
pub(super) struct Turn<'a> {
    pub(super) angles: [Channel<'a>; 3],
    /// Which axis turns first, second, third.
    pub(super) order: [usize; 3],
    pub(super) before: DQuat,
    pub(super) after: DQuat,
    /// In radians.
    pub(super) tolerance: f64,
}

/// The axes of a rotation order, the one that turns first at the front; `None` for spheric.
pub(super) fn order(order: ufbx::RotationOrder) -> Option<[usize; 3]> {
    use ufbx::RotationOrder as Order;
    Some(match order {
        Order::Xyz => [0, 1, 2],
        Order::Xzy => [0, 2, 1],
        Order::Yzx => [1, 2, 0],
        Order::Yxz => [1, 0, 2],
        Order::Zxy => [2, 0, 1],
        Order::Zyx => [2, 1, 0],
        Order::Spheric => return None,
    })
}

/// Half a degree's worth of radians: quaternions speak of half angles.
const HALF: f64 = std::f64::consts::PI / 360.0;

impl Turn<'_> {
    fn about(axis: usize, sine: f64, cosine: f64) -> DQuat {
        let mut turn = [0.0, 0.0, 0.0, cosine];
        turn[axis] = sine;
        DQuat::from_array(turn)
    }

    fn rotation(&self, time: f64) -> DQuat {
        let [first, second, third] = self.order.map(|axis| {
            let (sine, cosine) = (self.angles[axis].span().value(time) * HALF).sin_cos();
            Self::about(axis, sine, cosine)
        });
        self.before * (third * second * first) * self.after
    }

    /// The rotation, and its change per second.
    fn rotation_and_rate(&self, time: f64) -> (DQuat, DQuat) {
        let mut turns = [DQuat::IDENTITY; 3];
        let mut rates = [DQuat::IDENTITY; 3];
        for (place, &axis) in self.order.iter().enumerate() {
            let span = self.angles[axis].span();
            let (sine, cosine) = (span.value(time) * HALF).sin_cos();
            let rate = span.slope(time) * HALF;
            turns[place] = Self::about(axis, sine, cosine);
            rates[place] = Self::about(axis, cosine * rate, -sine * rate);
        }
        let [first, second, third] = turns;
        let upper = third * second;
        let upper_rate = rates[2] * second + third * rates[1];
        let whole = upper * first;
        let rate = upper_rate * first + upper * rates[0];
        (self.before * whole * self.after, self.before * rate * self.after)
    }
}

impl Source for Turn<'_> {
    fn width(&self) -> usize {
        4
    }

    fn open(&mut self, from: f64, to: f64) {
        self.angles.iter_mut().for_each(|channel| channel.open(from, to));
    }

    fn value(&mut self, time: f64, out: &mut [f64]) {
        out.copy_from_slice(&self.rotation(time).to_array());
    }

    /// A Hermite piece errs by at most a 384th of the fourth derivative. Each factor is an
    /// exponential of its angle, so the derivative is at most the fourth Bell polynomial of the
    /// sums of the half angles' derivatives.
    fn tangents(&mut self, from: f64, to: f64, piece: &mut [f64]) -> Option<f64> {
        if !self.angles.iter().all(|channel| channel.span().is_polynomial()) {
            return None;
        }
        let length = to - from;
        let (start, leave) = self.rotation_and_rate(from);
        let (end, arrive) = self.rotation_and_rate(to);
        for (part, value) in [start, leave * length, arrive * length, end].into_iter().enumerate() {
            piece[part * 4..][..4].copy_from_slice(&value.to_array());
        }
        let mut sums = [0.0; 3];
        for channel in &self.angles {
            for (sum, bend) in sums.iter_mut().zip(channel.span().bends(length)) {
                *sum += bend * HALF;
            }
        }
        let [a, b, c] = sums;
        let fourth = a * a * a * a + 6.0 * a * a * b + 3.0 * b * b + 4.0 * a * c;
        Some(fourth / 384.0 * 2.0 / self.tolerance)
    }

    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        angle(a, b) / self.tolerance
    }

    fn quaternion(&self) -> Range<usize> {
        0..4
    }
}

/// The angle between two rotations, for small angles; a quaternion and its opposite are the same.
fn angle(a: &[f64], b: &[f64]) -> f64 {
    let apart = distance(a, b);
    let opposite = a.iter().zip(b).map(|(a, b)| (a + b) * (a + b)).sum::<f64>().sqrt();
    2.0 * apart.min(opposite)
}

/// Translation, rotation and scale together, from anything that knows them.
pub(super) struct Whole<F> {
    /// At a time: translation, rotation, scale.
    pub(super) motion: F,
    /// Whether the motion may jump at a moment, so that ends must be asked for from inside.
    pub(super) jumps: bool,
    pub(super) length: f64,
    pub(super) angle: f64,
    pub(super) scale: f64,
    pub(super) inside: [f64; 2],
}

/// How far inside a stretch its end is asked for, as a share of it.
const INSIDE: f64 = 1e-7;

impl<F: FnMut(f64) -> (DVec3, DQuat, DVec3)> Source for Whole<F> {
    fn width(&self) -> usize {
        10
    }

    fn open(&mut self, from: f64, to: f64) {
        let margin = if self.jumps { (to - from) * INSIDE } else { 0.0 };
        self.inside = [from + margin, to - margin];
    }

    fn value(&mut self, time: f64, out: &mut [f64]) {
        let (translation, rotation, scale) =
            (self.motion)(time.clamp(self.inside[0], self.inside[1]));
        out[..3].copy_from_slice(&translation.to_array());
        out[3..7].copy_from_slice(&rotation.to_array());
        out[7..].copy_from_slice(&scale.to_array());
    }

    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        let length = distance(&a[..3], &b[..3]) / self.length;
        let turn = angle(&a[3..7], &b[3..7]) / self.angle;
        let scale = distance(&a[7..], &b[7..]) / self.scale;
        length.max(turn).max(scale)
    }

    fn quaternion(&self) -> Range<usize> {
        3..7
    }
}
