//! What can be keyed: vectors, rotations, rows of numbers.
//!
//! Each knows how a track goes from one value to the next, so that a function can be compared with
//! the track that is to follow it.

use glam::{DQuat, DVec3};

/// What can be keyed.
pub(super) trait Value: Clone {
    /// Fits the sign to a neighbour's, where two values mean the same.
    fn align(&mut self, neighbour: &Self);
    /// How far two values are apart.
    fn distance(&self, other: &Self) -> f64;
    /// As a track with straight lines has it.
    fn mix(&self, other: &Self, part: f64) -> Self;
    /// `self · a + other · b`.
    fn sum(&self, a: f64, other: &Self, b: f64) -> Self;
    /// As a track makes it a value again.
    fn settle(self) -> Self;
}

impl Value for DVec3 {
    fn align(&mut self, _: &Self) {}
    fn distance(&self, other: &Self) -> f64 {
        (*self - *other).abs().max_element()
    }
    fn mix(&self, other: &Self, part: f64) -> Self {
        self.lerp(*other, part)
    }
    fn sum(&self, a: f64, other: &Self, b: f64) -> Self {
        *self * a + *other * b
    }
    fn settle(self) -> Self {
        self
    }
}

impl Value for DQuat {
    fn align(&mut self, neighbour: &Self) {
        if self.dot(*neighbour) < 0.0 {
            *self = -*self;
        }
    }
    fn distance(&self, other: &Self) -> f64 {
        // Half the angle between, for small ones.
        (*self - *other).length().min((*self + *other).length())
    }
    fn mix(&self, other: &Self, part: f64) -> Self {
        self.slerp(*other, part)
    }
    fn sum(&self, a: f64, other: &Self, b: f64) -> Self {
        *self * a + *other * b
    }
    fn settle(self) -> Self {
        self.normalize()
    }
}

/// A row of numbers.
impl Value for Vec<f64> {
    fn align(&mut self, _: &Self) {}
    fn distance(&self, other: &Self) -> f64 {
        self.iter().zip(other).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max)
    }
    fn mix(&self, other: &Self, part: f64) -> Self {
        self.sum(1.0 - part, other, part)
    }
    fn sum(&self, a: f64, other: &Self, b: f64) -> Self {
        self.iter().zip(other).map(|(one, other)| one * a + other * b).collect()
    }
    fn settle(self) -> Self {
        self
    }
}
