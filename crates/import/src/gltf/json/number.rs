//! Numbers and words as glTF's JSON has them, checked while they are parsed.
//!
//! In:  a JSON token. Out: a [`Whole`] from zero up, a [`Number`] that is finite, or a [`Text`]
//! that borrows from the file, so that nobody downstream asks again.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};

/// An index or a count. JSON has one kind of number, so `3.0` is as good as `3`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(in crate::gltf) struct Whole(pub(in crate::gltf) usize);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = Whole;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number from zero up")
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Whole, E> {
                let whole = usize::try_from(value);
                whole.map(Whole).map_err(|_| E::invalid_value(Unexpected::Unsigned(value), &self))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Whole, E> {
                // 2^53: up to here every whole number is exact.
                if value >= 0.0 && value.fract() == 0.0 && value <= 9_007_199_254_740_992.0 {
                    return self.visit_u64(value as u64);
                }
                Err(E::invalid_value(Unexpected::Float(value), &self))
            }
        }
        source.deserialize_u64(Reader)
    }
}

/// A number that is finite in single precision.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::gltf) struct Number(pub(in crate::gltf) f32);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number that single precision can hold")
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Number, E> {
                Ok(Number(value as f32))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Number, E> {
                Ok(Number(value as f32))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Number, E> {
                let number = value as f32;
                if number.is_finite() {
                    return Ok(Number(number));
                }
                Err(E::invalid_value(Unexpected::Float(value), &self))
            }
        }
        source.deserialize_f64(Reader)
    }
}

/// Plain floats out of parsed ones.
pub(in crate::gltf) fn floats<const N: usize>(numbers: [Number; N]) -> [f32; N] {
    numbers.map(|number| number.0)
}

/// A string that is not copied out of the file unless it holds escapes: data URIs are long.
#[derive(Clone, Debug, Default)]
pub(in crate::gltf) struct Text<'a>(pub(in crate::gltf) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        source.deserialize_str(Reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_may_be_written_with_a_point() {
        assert_eq!(serde_json::from_str::<Whole>("3.0").expect("three"), Whole(3));
        for wrong in ["-1", "2.5", "\"3\"", "1e300"] {
            let error = serde_json::from_str::<Whole>(wrong).expect_err(wrong).to_string();
            assert!(error.contains("expected a whole number from zero up"), "{error}");
        }
    }

    #[test]
    fn a_number_too_large_for_single_precision_is_an_error_not_infinity() {
        assert_eq!(serde_json::from_str::<Number>("-2").expect("minus two"), Number(-2.0));
        assert!(serde_json::from_str::<Number>("1e39").is_err());
    }

    #[test]
    fn a_string_without_escapes_is_borrowed() {
        let text: Text<'_> = serde_json::from_str("\"data:,abc\"").expect("a string");
        assert!(matches!(text.0, Cow::Borrowed("data:,abc")));
        let text: Text<'_> = serde_json::from_str(r#""a\/b""#).expect("a string");
        assert_eq!(text.0, "a/b");
    }
}
