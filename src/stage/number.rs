//! Numbers of scene files: finite, and within their range, or an error at their place.

use serde::de::{self, Deserialize, Deserializer};

/// A finite number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Finite(pub(super) f32);

/// A finite number above zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Positive(pub(super) f32);

/// A finite number, zero or more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Amount(pub(super) f32);

/// A number from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Share(pub(super) f32);

/// An angle in degrees, above 0 and below 180.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Angle(pub(super) f32);

fn number<'de, D: Deserializer<'de>>(
    deserializer: D,
    what: &str,
    fits: impl FnOnce(f32) -> bool,
) -> Result<f32, D::Error> {
    let value = f32::deserialize(deserializer)?;
    if value.is_finite() && fits(value) {
        Ok(value)
    } else {
        Err(de::Error::custom(format!("expected {what}, found {value}")))
    }
}

impl<'de> Deserialize<'de> for Finite {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        number(deserializer, "a finite number", |_| true).map(Self)
    }
}

impl<'de> Deserialize<'de> for Positive {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        number(deserializer, "a number above 0", |value| value > 0.0).map(Self)
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        number(deserializer, "a number of 0 or more", |value| value >= 0.0).map(Self)
    }
}

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        number(deserializer, "a number from 0 to 1", |value| (0.0..=1.0).contains(&value)).map(Self)
    }
}

impl<'de> Deserialize<'de> for Angle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let what = "an angle in degrees between 0 and 180";
        number(deserializer, what, |value| value > 0.0 && value < 180.0).map(Self)
    }
}
