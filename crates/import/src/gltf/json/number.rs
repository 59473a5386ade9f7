//! Numbers and words as glTF's JSON has them, checked while they are parsed.
//!
//! In:  a JSON token. Out: a [`Whole`] from zero up, a [`Number`] that is finite, or a [`Text`]
//! that borrows from the file, so that nobody downstream asks again.

use std::borrow::Cow;

use sinew_scene::Decimal;

use crate::json::{Json, JsonError, Read};

/// An index or a count. JSON has one kind of number, so `3.0` is as good as `3`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(in crate::gltf) struct Whole(pub(in crate::gltf) usize);

impl<'a> Read<'a> for Whole {
    fn read(json: &mut Json<'a>) -> Result<Self, JsonError> {
        const WANTED: &str = "a whole number from zero up";
        let value = json.number(WANTED)?;
        let whole = value >= 0.0 && value.fract() == 0.0 && value <= u64::MAX as f64;
        let exact = if whole { usize::try_from(value as u64).ok() } else { None };
        exact.map(Self).ok_or_else(|| wrong(json, WANTED, value))
    }
}

/// A number that is finite in single precision.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::gltf) struct Number(pub(in crate::gltf) f32);

impl<'a> Read<'a> for Number {
    fn read(json: &mut Json<'a>) -> Result<Self, JsonError> {
        const WANTED: &str = "a number that single precision can hold";
        let value = json.number(WANTED)?;
        let number = value as f32;
        if number.is_finite() {
            return Ok(Self(number));
        }
        Err(wrong(json, WANTED, value))
    }
}

fn wrong(json: &Json<'_>, wanted: &str, value: f64) -> JsonError {
    json.wrong(format!("expected {wanted}, found {}", Decimal(value)))
}

/// Plain floats out of parsed ones.
pub(in crate::gltf) fn floats<const N: usize>(numbers: [Number; N]) -> [f32; N] {
    numbers.map(|number| number.0)
}

/// A word, or the number that files from before the extension was agreed on have in its place.
#[derive(Debug, Default)]
pub(in crate::gltf) struct Word(
    #[cfg_attr(not(feature = "meshopt"), expect(dead_code, reason = "what unpacks reads it"))]
    pub(in crate::gltf) String,
);

impl<'a> Read<'a> for Word {
    fn read(json: &mut Json<'a>) -> Result<Self, JsonError> {
        match json.next_token() {
            Some(b'0'..=b'9') => Whole::read(json).map(|number| Self(number.0.to_string())),
            _ => String::read(json).map(Self),
        }
    }
}

/// A string that is not copied out of the file unless it holds escapes: data URIs are long.
pub(in crate::gltf) type Text<'a> = Cow<'a, str>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    #[test]
    fn a_whole_number_may_be_written_with_a_point() {
        assert_eq!(parse::<Whole>("3.0").expect("three"), Whole(3));
        for wrong in ["-1", "2.5", "\"3\"", "1e300"] {
            let error = parse::<Whole>(wrong).expect_err(wrong).message;
            assert!(error.contains("expected a whole number from zero up"), "{error}");
        }
    }

    #[test]
    fn a_number_too_large_for_single_precision_is_an_error_not_infinity() {
        assert_eq!(parse::<Number>("-2").expect("minus two"), Number(-2.0));
        assert!(parse::<Number>("1e39").is_err());
        assert!(parse::<Number>("1e999").is_err());
    }
}
