//! Strings of JSON.
//!
//! In:  a string in quotes. Out: its text; borrowed where it has no escapes, for data URIs are long.

use std::borrow::Cow;

use super::{Json, JsonError};

impl<'a> Json<'a> {
    /// A string.
    pub(crate) fn string(&mut self) -> Result<Cow<'a, str>, JsonError> {
        if self.next_token() != Some(b'"') {
            return Err(self.expected("a string"));
        }
        self.at += 1;
        let plain = self.plain()?;
        if self.byte() == Some(b'"') {
            self.at += 1;
            return Ok(Cow::Borrowed(plain));
        }
        let mut text = plain.to_owned();
        while self.byte() == Some(b'\\') {
            self.at += 1;
            text.push(self.escape()?);
            text.push_str(self.plain()?);
        }
        self.at += 1;
        Ok(Cow::Owned(text))
    }

    /// Text up to a quote or an escape.
    fn plain(&mut self) -> Result<&'a str, JsonError> {
        let text = self.text;
        let rest = &text.as_bytes()[self.at..];
        let special = |byte: &u8| *byte < b' ' || *byte == b'"' || *byte == b'\\';
        let length = rest.iter().position(special).unwrap_or(rest.len());
        let from = self.at;
        self.at += length;
        match self.byte() {
            // Both ends are ASCII, so they are at boundaries of characters.
            Some(b'"' | b'\\') => Ok(&text[from..self.at]),
            _ => Err(self.expected("the end of the string")),
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        let escaped = match self.byte() {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode();
            }
            _ => return Err(self.expected("an escape")),
        };
        self.at += 1;
        Ok(escaped)
    }

    /// Four hexadecimal digits, or twice so many for a pair of surrogates.
    fn unicode(&mut self) -> Result<char, JsonError> {
        let high = self.four_digits()?;
        let mut code = high;
        if (0xd800..0xdc00).contains(&high) && self.text.as_bytes()[self.at..].starts_with(b"\\u") {
            self.at += 2;
            let low = self.four_digits()?;
            if (0xdc00..0xe000).contains(&low) {
                code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
            }
        }
        char::from_u32(code)
            .ok_or_else(|| self.wrong("expected a character, found half of one".to_owned()))
    }

    fn four_digits(&mut self) -> Result<u32, JsonError> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.byte().and_then(|byte| char::from(byte).to_digit(16));
            code = code * 16 + digit.ok_or_else(|| self.expected("a hexadecimal digit"))?;
            self.at += 1;
        }
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use std::borrow::Cow;

    #[test]
    fn a_string_without_escapes_is_borrowed() {
        assert!(matches!(parse("\"data:,abc\""), Ok(Cow::Borrowed("data:,abc"))));
    }

    #[test]
    fn escapes_are_characters() {
        let text: String = parse(r#" "a\/\"\\\b\f\n\r\t\u00e9\ud83d\ude00 é" "#).expect("a string");
        assert_eq!(text, "a/\"\\\u{8}\u{c}\n\r\té😀 é");
    }
}
