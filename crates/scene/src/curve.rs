//! Keys in time: what a track follows.
//!
//! A curve is never empty and its times never fall, so a sampler needs no special cases. Times are
//! shared between curves, since most files key all joints of a clip at the same moments.

use std::sync::Arc;

use crate::Decimal;

/// What happens between two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// The value of the earlier key holds.
    Step,
    /// Straight from one value to the next; rotations turn at an even rate, the short way.
    Linear,
    /// A cubic Hermite spline. Each key has three values: in-tangent, value, out-tangent,
    /// the tangents per second.
    Cubic,
}

impl Interpolation {
    /// How many values each key has.
    #[must_use]
    pub fn values_per_key(self) -> usize {
        match self {
            Self::Step | Self::Linear => 1,
            Self::Cubic => 3,
        }
    }
}

/// Keys of one value: a translation, a rotation, a scale.
///
/// ```
/// use sinew_scene::{Curve, Interpolation, glam::Vec3};
/// let curve = Curve::new(vec![0.0, 1.0], vec![Vec3::ZERO, Vec3::X], Interpolation::Linear);
/// assert!(curve.is_ok());
/// let falling = Curve::new(vec![1.0, 0.0], vec![Vec3::ZERO, Vec3::X], Interpolation::Linear);
/// assert_eq!(falling.unwrap_err(), "key 1 is at 0 s, before key 0 at 1 s");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Curve<V> {
    times: Arc<[f32]>,
    values: Vec<V>,
    interpolation: Interpolation,
}

impl<V> Curve<V> {
    /// A curve through these keys; times in seconds from the clip's start.
    ///
    /// # Errors
    /// When there is no key, a time is not finite or falls, or the number of values is not what
    /// the interpolation wants.
    pub fn new(
        times: impl Into<Arc<[f32]>>,
        values: Vec<V>,
        interpolation: Interpolation,
    ) -> Result<Self, String> {
        let times = times.into();
        check_times(&times)?;
        check_count(&times, values.len(), 1, interpolation)?;
        Ok(Self { times, values, interpolation })
    }

    /// A curve that always has this value.
    #[must_use]
    pub fn constant(value: V) -> Self {
        Self { times: [0.0].into(), values: vec![value], interpolation: Interpolation::Step }
    }

    /// When the keys are, in seconds from the clip's start; never empty, never falling.
    #[must_use]
    pub fn times(&self) -> &Arc<[f32]> {
        &self.times
    }

    /// One value per key, or three for a cubic curve.
    #[must_use]
    pub fn values(&self) -> &[V] {
        &self.values
    }

    /// The values, to change in place.
    pub fn values_mut(&mut self) -> &mut [V] {
        &mut self.values
    }

    /// What happens between two keys.
    #[must_use]
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }
}

/// Keys of a row of numbers: the weights of all morph targets of a mesh, or a colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    times: Arc<[f32]>,
    values: Vec<f32>,
    width: usize,
    interpolation: Interpolation,
}

impl Rows {
    /// A curve of rows, `width` numbers each; a cubic key is three rows.
    ///
    /// # Errors
    /// As [`Curve::new`], and when `width` is zero.
    pub fn new(
        times: impl Into<Arc<[f32]>>,
        values: Vec<f32>,
        width: usize,
        interpolation: Interpolation,
    ) -> Result<Self, String> {
        let times = times.into();
        if width == 0 {
            return Err("expected rows of at least one number, found rows of none".into());
        }
        check_times(&times)?;
        check_count(&times, values.len(), width, interpolation)?;
        Ok(Self { times, values, width, interpolation })
    }

    /// When the keys are, in seconds from the clip's start.
    #[must_use]
    pub fn times(&self) -> &Arc<[f32]> {
        &self.times
    }

    /// All rows, one after the other.
    #[must_use]
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The values, to change in place.
    pub fn values_mut(&mut self) -> &mut [f32] {
        &mut self.values
    }

    /// Numbers in a row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// The row with this number.
    #[must_use]
    pub fn row(&self, index: usize) -> &[f32] {
        &self.values[index * self.width..][..self.width]
    }

    /// What happens between two keys.
    #[must_use]
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }
}

fn check_times(times: &[f32]) -> Result<(), String> {
    if times.is_empty() {
        return Err("expected at least one key, found none".into());
    }
    if let Some(key) = times.iter().position(|time| !time.is_finite()) {
        return Err(format!("the time of key {key} is not a finite number"));
    }
    match times.windows(2).position(|pair| pair[1] < pair[0]) {
        Some(key) => Err(format!(
            "key {} is at {} s, before key {key} at {} s",
            key + 1,
            Decimal(times[key + 1].into()),
            Decimal(times[key].into())
        )),
        None => Ok(()),
    }
}

fn check_count(
    times: &[f32],
    found: usize,
    width: usize,
    interpolation: Interpolation,
) -> Result<(), String> {
    let expected = times.len() * width * interpolation.values_per_key();
    if found == expected {
        return Ok(());
    }
    Err(format!("expected {expected} values for {} keys, found {found}", times.len()))
}
