//! JSON, read straight into the types that ask for it.
//!
//! In:  text. Out: whatever implements [`Read`]; or a [`JsonError`] with its byte in the text.
//!
//! A [`Json`] walks the text once and never back. Types take what they know and skip the rest, so nothing is kept that
//! nobody reads. Nesting is bounded: no text overflows the stack.

mod error;
mod filed;
mod read;
mod text;
mod value;

pub(crate) use error::{JsonError, JsonErrorKind};
pub(crate) use filed::filed;
pub(crate) use read::Read;
pub(crate) use value::Value;

/// Lists and objects inside one another, at most.
const MAX_DEPTH: usize = 128;

/// Whole powers of ten that double precision holds exactly.
const EXACT_POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// A place in a JSON text.
pub(crate) struct Json<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

/// What a text holds; nothing may follow.
pub(crate) fn parse<'a, T: Read<'a>>(text: &'a str) -> Result<T, JsonError> {
    let mut json = Json { text, at: 0, depth: 0 };
    let value = T::read(&mut json)?;
    if json.next_token().is_some() {
        return Err(json.expected("the end of the JSON"));
    }
    Ok(value)
}

impl<'a> Json<'a> {
    /// The byte here, where the text has not ended.
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The first byte of the next token, past white space.
    pub(crate) fn next_token(&mut self) -> Option<u8> {
        while matches!(self.byte(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
        self.byte()
    }

    /// Past a word, where it is next.
    fn word(&mut self, word: &str) -> bool {
        self.next_token();
        let found = self.text.as_bytes()[self.at..].starts_with(word.as_bytes());
        if found {
            self.at += word.len();
        }
        found
    }

    /// Past `null`, where it is next.
    pub(crate) fn null(&mut self) -> bool {
        self.next_token() == Some(b'n') && self.word("null")
    }

    /// `true` or `false`.
    pub(crate) fn bool(&mut self) -> Result<bool, JsonError> {
        if self.word("true") {
            Ok(true)
        } else if self.word("false") {
            Ok(false)
        } else {
            Err(self.expected("true or false"))
        }
    }

    /// A number; `wanted` says which kind of number for the error.
    pub(crate) fn number(&mut self, wanted: &str) -> Result<f64, JsonError> {
        let negative = match self.next_token() {
            Some(b'-') => true,
            Some(b'0'..=b'9') => false,
            _ => return Err(self.expected(wanted)),
        };
        self.at += usize::from(negative);
        let mut digits = Digits::default();
        match self.byte() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => while self.digit(&mut digits, 0) {},
            _ => return Err(self.expected("a digit")),
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            let from = self.at;
            while self.digit(&mut digits, -1) {}
            if self.at == from {
                return Err(self.expected("a digit"));
            }
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.at += 1;
            digits.exponent = digits.exponent.saturating_add(self.exponent()?);
        }
        let value = digits.value();
        Ok(if negative { -value } else { value })
    }

    /// Takes one digit; `place` is -1 behind the point.
    fn digit(&mut self, digits: &mut Digits, place: i32) -> bool {
        let Some(digit @ b'0'..=b'9') = self.byte() else { return false };
        self.at += 1;
        digits.push(digit - b'0', place);
        true
    }

    fn exponent(&mut self) -> Result<i32, JsonError> {
        let negative = self.byte() == Some(b'-');
        if matches!(self.byte(), Some(b'-' | b'+')) {
            self.at += 1;
        }
        let from = self.at;
        let mut exponent = 0_i32;
        while let Some(digit @ b'0'..=b'9') = self.byte() {
            exponent = exponent.saturating_mul(10).saturating_add(i32::from(digit - b'0'));
            self.at += 1;
        }
        if self.at == from {
            return Err(self.expected("a digit"));
        }
        Ok(if negative { -exponent } else { exponent })
    }

    /// An object, member by member; `member` has to read or skip each value.
    pub(crate) fn object(
        &mut self,
        member: &mut dyn FnMut(&mut Self, &str) -> Result<(), JsonError>,
    ) -> Result<(), JsonError> {
        self.inside(b'{', b'}', "an object", &mut |json| {
            if json.next_token() != Some(b'"') {
                return Err(json.expected("a key in quotes"));
            }
            let key = json.string()?;
            if json.next_token() != Some(b':') {
                return Err(json.expected("a colon"));
            }
            json.at += 1;
            member(json, &key)
        })
    }

    /// A list, entry by entry; `entry` has to read or skip each.
    pub(crate) fn list(
        &mut self,
        entry: &mut dyn FnMut(&mut Self) -> Result<(), JsonError>,
    ) -> Result<(), JsonError> {
        self.inside(b'[', b']', "a list", entry)
    }

    fn inside(
        &mut self,
        open: u8,
        close: u8,
        wanted: &str,
        entry: &mut dyn FnMut(&mut Self) -> Result<(), JsonError>,
    ) -> Result<(), JsonError> {
        if self.next_token() != Some(open) {
            return Err(self.expected(wanted));
        }
        if self.depth == MAX_DEPTH {
            return Err(self.wrong("lists and objects are nested too deeply".to_owned()));
        }
        self.at += 1;
        self.depth += 1;
        if self.next_token() != Some(close) {
            entry(self)?;
            while self.next_token() == Some(b',') {
                self.at += 1;
                entry(self)?;
            }
            if self.next_token() != Some(close) {
                return Err(self.expected(if close == b'}' {
                    "a comma or }"
                } else {
                    "a comma or ]"
                }));
            }
        }
        self.at += 1;
        self.depth -= 1;
        Ok(())
    }

    /// Past a value of any kind.
    pub(crate) fn skip(&mut self) -> Result<(), JsonError> {
        match self.next_token() {
            Some(b'{') => self.object(&mut |json, _| json.skip()),
            Some(b'[') => self.list(&mut Self::skip),
            Some(b'"') => self.string().map(drop),
            Some(b't' | b'f') => self.bool().map(drop),
            Some(b'n') if self.null() => Ok(()),
            _ => self.number("a value").map(drop),
        }
    }
}

/// The digits of a number, with their decimal exponent.
#[derive(Default)]
struct Digits {
    significand: u64,
    exponent: i32,
}

impl Digits {
    fn push(&mut self, digit: u8, place: i32) {
        let longer = self.significand.checked_mul(10);
        match longer.and_then(|longer| longer.checked_add(u64::from(digit))) {
            Some(longer) => {
                self.significand = longer;
                self.exponent = self.exponent.saturating_add(place);
            }
            // More digits than make a difference.
            None => self.exponent = self.exponent.saturating_add(1 + place),
        }
    }

    fn value(&self) -> f64 {
        let mut value = self.significand as f64;
        let mut left = self.exponent.unsigned_abs() as usize;
        while left > 0 && value != 0.0 && value.is_finite() {
            let step = left.min(EXACT_POWERS.len() - 1);
            left -= step;
            if self.exponent < 0 {
                value /= EXACT_POWERS[step];
            } else {
                value *= EXACT_POWERS[step];
            }
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Option<f64> {
        parse::<Value>(text).ok()?.as_f64()
    }

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        for text in [
            "0",
            "-0",
            "1",
            "-1",
            "0.5",
            "3.14159265358979",
            "1e5",
            "1E-5",
            "2.5e+3",
            "123456789012",
            "0.1",
            "0.30000000000000004",
            "1.7976931348623157e308",
            "-9.313225746154785e-10",
        ] {
            let wanted: f64 = text.parse().expect(text);
            let found = number(text).expect(text);
            assert!((found - wanted).abs() <= wanted.abs() * 1e-15, "{text}: {found}");
            assert_eq!(found as f32, wanted as f32, "{text}");
        }
        assert_eq!(number("-0").map(f64::is_sign_negative), Some(true));
        assert_eq!(number("1e-99999999999"), Some(0.0));
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for text in [
            "",
            " ",
            "01",
            "1.",
            ".5",
            "-",
            "+1",
            "1e",
            "NaN",
            "tru",
            "nul",
            "[1,]",
            "{\"a\":1,}",
            "[1 2]",
            "{a:1}",
            "{\"a\" 1}",
            "\"\n\"",
            "\"\\x\"",
            "\"\\ud800\"",
            "\"a",
            "1 1",
            "]",
            "'a'",
        ] {
            assert!(parse::<Value>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn nesting_is_bounded() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse::<Value>(&nested(MAX_DEPTH)).is_ok());
        let error = parse::<Value>(&nested(MAX_DEPTH + 1)).expect_err("too deep");
        assert!(error.message.contains("nested too deeply"), "{}", error.message);
        assert!(parse::<Value>(&"[".repeat(1_000_000)).is_err());
    }
}
