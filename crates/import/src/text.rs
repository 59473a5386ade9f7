//! Text files, read once from front to back: words, lines and numbers.
//!
//! In:  the bytes of a text file, in any mix of line ends.
//! Out: slices of those bytes; nothing is copied and no line is counted until someone asks where
//! a thing stands.
//!
//! Every byte up to the space is a blank, so no control character can hide in a word.
#![allow(dead_code, reason = "each format uses its own few of these")]

use std::cell::Cell;

use crate::Place;

/// A place in a text, moving forward.
#[derive(Clone, Debug)]
pub(crate) struct Text<'a> {
    bytes: &'a [u8],
    at: usize,
    /// A place and the line ends before it: where counting goes on.
    counted: Cell<(usize, usize)>,
}

impl<'a> Text<'a> {
    /// From the first byte after a byte order mark, if there is one.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Self { bytes, at: 0, counted: Cell::new((0, 0)) }
    }

    /// Which line this is. Goes on counting from where it was last asked, so that many questions
    /// take no longer than one.
    pub(crate) fn place(&self) -> Place {
        let (from, before) = self.counted.get();
        let (from, before) = if from <= self.at { (from, before) } else { (0, 0) };
        let passed = self.bytes.get(from..self.at).unwrap_or_default();
        let lines = before + passed.iter().filter(|&&byte| byte == b'\n').count();
        self.counted.set((self.at, lines));
        Place::Line(lines + 1)
    }

    /// The next byte.
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// What is left.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Moves on by this many bytes.
    pub(crate) fn skip(&mut self, count: usize) {
        self.at = self.at.saturating_add(count).min(self.bytes.len());
    }

    /// Past blanks and line ends.
    pub(crate) fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| byte <= b' ') {
            self.at += 1;
        }
    }

    /// Past blanks, up to the end of the line.
    pub(crate) fn skip_blanks(&mut self) {
        while self.peek().is_some_and(|byte| byte <= b' ' && byte != b'\n' && byte != b'\r') {
            self.at += 1;
        }
    }

    /// The next word, on this line or a later one; `None` at the end.
    pub(crate) fn word(&mut self) -> Option<&'a [u8]> {
        self.skip_space();
        self.take_while(|byte| byte > b' ')
    }

    /// The next bytes that are `good`, from right here; `None` when the first is not.
    pub(crate) fn take_while(&mut self, good: impl Fn(u8) -> bool) -> Option<&'a [u8]> {
        let rest = self.rest();
        let length = rest.iter().position(|&byte| !good(byte)).unwrap_or(rest.len());
        self.skip(length);
        (length > 0).then(|| &rest[..length])
    }

    /// What is left of this line, without blanks around it; moves to the line's end.
    pub(crate) fn line(&mut self) -> &'a [u8] {
        self.take_while(|byte| byte != b'\n' && byte != b'\r').unwrap_or_default().trim_ascii()
    }

    /// Past the end of this line, when that is next.
    pub(crate) fn skip_line_end(&mut self) {
        let rest = self.rest();
        self.skip(if rest.starts_with(b"\r\n") {
            2
        } else {
            usize::from(matches!(rest.first(), Some(b'\n' | b'\r')))
        });
    }

    /// The next word as a number; stays where it is when that is none.
    pub(crate) fn number(&mut self) -> Option<f32> {
        self.skip_space();
        let (value, length) = scan(self.rest())?;
        let narrow = narrow(value, &self.rest()[..length])?;
        self.skip(length);
        Some(narrow)
    }

    /// The next word as a number in double precision; stays where it is when that is none.
    pub(crate) fn double(&mut self) -> Option<f64> {
        self.skip_space();
        let (value, length) = scan(self.rest())?;
        self.skip(length);
        Some(value)
    }

    /// The next word as a whole number, perhaps negative; stays where it is when that is none.
    pub(crate) fn integer(&mut self) -> Option<i64> {
        self.skip_space();
        let rest = self.rest();
        let length = rest.iter().position(|&byte| ends_number(byte)).unwrap_or(rest.len());
        let value = std::str::from_utf8(&rest[..length]).ok()?.parse().ok()?;
        self.skip(length);
        Some(value)
    }
}

/// A name as text: UTF-8, or else one character a byte, as old programs wrote it.
pub(crate) fn name(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// Names in quotes, the first few of them: `"a", "b" and 3 more`.
pub(crate) fn list(names: &[String]) -> String {
    const MAX_NAMES: usize = 8;
    let shown = names.len().min(MAX_NAMES);
    let quoted: Vec<String> =
        names[..shown].iter().map(|name| format!("\"{}\"", crate::files::shorten(name))).collect();
    match (names.len() - shown, quoted.as_slice()) {
        (0, [first @ .., last]) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        (0, all) => all.join(", "),
        (more, all) => format!("{} and {more} more", all.join(", ")),
    }
}

/// The number that `word` is, rounded once, as [`str::parse`] has it.
pub(crate) fn parse_f32(word: &[u8]) -> Option<f32> {
    let (value, length) = scan(word)?;
    if length == word.len() { narrow(value, word) } else { None }
}

/// The number that `word` is, rounded once, as [`str::parse`] has it.
pub(crate) fn parse_f64(word: &[u8]) -> Option<f64> {
    let (value, length) = scan(word)?;
    (length == word.len()).then_some(value)
}

/// Powers of ten that a double holds exactly.
const TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// What may follow a number: blanks, and the marks that formats put around numbers.
fn ends_number(byte: u8) -> bool {
    byte <= b' ' || matches!(byte, b'(' | b')' | b'{' | b'}' | b',' | b';' | b'/' | b'"')
}

/// The number at the front of `bytes` and its length.
///
/// With a whole number below 2⁵³ and a power of ten below 10²³, both exact, one multiplication or
/// division rounds once (W. D. Clinger, "How to read floating point numbers accurately", 1990).
/// Anything else is left to the standard library.
fn scan(bytes: &[u8]) -> Option<(f64, usize)> {
    let negative = bytes.first() == Some(&b'-');
    let mut at = usize::from(negative || bytes.first() == Some(&b'+'));
    let mut digits = 0_u64;
    let whole = take_digits(bytes, &mut at, &mut digits);
    let mut fraction = 0;
    if bytes.get(at) == Some(&b'.') {
        at += 1;
        fraction = take_digits(bytes, &mut at, &mut digits);
    }
    if whole + fraction == 0 {
        return scan_slowly(bytes);
    }
    let mut power = -i64::try_from(fraction).ok()?;
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at += 1;
        let down = bytes.get(at) == Some(&b'-');
        at += usize::from(down || bytes.get(at) == Some(&b'+'));
        let mut exponent = 0;
        let count = take_digits(bytes, &mut at, &mut exponent);
        if count == 0 || count > 4 {
            return scan_slowly(bytes);
        }
        let exponent = i64::try_from(exponent).ok()?;
        power += if down { -exponent } else { exponent };
    }
    if bytes.get(at).is_some_and(|&byte| !ends_number(byte)) {
        return scan_slowly(bytes);
    }
    // Up to 19 digits fit in 64 bits; more may have wrapped around.
    let tens = TENS.get(usize::try_from(power.unsigned_abs()).ok()?);
    let Some(tens) = tens.filter(|_| whole + fraction <= 19 && digits < 1 << 53) else {
        return scan_slowly(bytes);
    };
    #[allow(clippy::cast_precision_loss, reason = "below 2^53")]
    let digits = digits as f64;
    let value = if power < 0 { digits / tens } else { digits * tens };
    Some((if negative { -value } else { value }, at))
}

/// Adds the decimal digits from `at` on to `value` and says how many they were.
fn take_digits(bytes: &[u8], at: &mut usize, value: &mut u64) -> usize {
    let from = *at;
    while let Some(digit) = bytes.get(*at).map(|byte| byte.wrapping_sub(b'0')).filter(|d| *d < 10) {
        *value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
        *at += 1;
    }
    *at - from
}

#[cold]
fn scan_slowly(bytes: &[u8]) -> Option<(f64, usize)> {
    let length = bytes.iter().position(|&byte| ends_number(byte)).unwrap_or(bytes.len());
    let value = std::str::from_utf8(&bytes[..length]).ok()?.parse().ok()?;
    Some((value, length))
}

/// The single-precision number nearest to the one written in `word`, of which `value` is the
/// nearest double. Rounding twice is only wrong where the double lies half way between two singles.
fn narrow(value: f64, word: &[u8]) -> Option<f32> {
    const HALF_WAY: u64 = 1 << 28;
    let low = value.to_bits() & ((1 << 29) - 1);
    let size = value.abs();
    let normal = size == 0.0 || (f64::from(f32::MIN_POSITIVE)..1e38).contains(&size);
    if normal && low != HALF_WAY {
        #[allow(clippy::cast_possible_truncation, reason = "in range, and rounding is meant")]
        return Some(value as f32);
    }
    std::str::from_utf8(word).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agrees(text: &str) {
        let single = parse_f32(text.as_bytes()).map(f32::to_bits);
        let double = parse_f64(text.as_bytes()).map(f64::to_bits);
        assert_eq!(single, text.parse().ok().map(f32::to_bits), "{text}");
        assert_eq!(double, text.parse().ok().map(f64::to_bits), "{text}");
    }

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        for text in [
            "0",
            "-0",
            "+1",
            "1.",
            ".5",
            "-.5e-3",
            "1e10",
            "1E+2",
            "179.842245",
            "9.27476e-16",
            "16777217",
            "16777219.0",
            "1.00000005960464477539",
            "3.4e38",
            "3.5e38",
            "1e-45",
            "7e-46",
            "123456789012345678901234567890",
            "0.00000000000000000000000000000000000001",
            "1e400",
            "nan",
            "inf",
            "-inf",
            "",
            "-",
            ".",
            "e5",
            "1e",
            "1e+",
            "1x",
            "--1",
            "1e99999",
            "1.2.3",
        ] {
            agrees(text);
        }
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = move || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        for _ in 0..200_000 {
            let bits = u32::try_from(random() >> 32).expect("32 bits");
            let single = f32::from_bits(bits);
            let near = f64::from(single) * (1.0 + f64::EPSILON * (random() % 5) as f64);
            // Half way to the next single, where rounding twice would go wrong.
            let half = (f64::from(single) + f64::from(f32::from_bits(bits ^ 1))) / 2.0;
            agrees(&format!("{single}"));
            agrees(&format!("{near:e}"));
            agrees(&format!("{half}"));
            let places = usize::try_from(random() % 9).expect("small");
            agrees(&format!("{:.places$}", (random() % 2_000_000) as f64 / 5555.0 - 180.0));
            agrees(&format!("{}.{:03}", random() % 100_000_000, random() % 1000));
        }
    }

    #[test]
    fn words_lines_and_numbers_follow_each_other() {
        let mut text = Text::new(b"\xef\xbb\xbfROOT  left hand \r\n 1 -2.5\t{");
        assert_eq!(text.word(), Some(&b"ROOT"[..]));
        assert_eq!(text.line(), b"left hand");
        assert_eq!(text.integer(), Some(1));
        assert_eq!(text.number(), Some(-2.5));
        assert_eq!(text.place(), Place::Line(2));
        assert_eq!(text.number(), None);
        assert_eq!(text.word(), Some(&b"{"[..]));
        assert_eq!(text.word(), None);
    }

    #[test]
    fn a_list_of_names_is_short() {
        let names = |count: usize| (0..count).map(|at| format!("n{at}")).collect::<Vec<_>>();
        assert_eq!(list(&names(1)), "\"n0\"");
        assert_eq!(list(&names(3)), "\"n0\", \"n1\" and \"n2\"");
        assert!(list(&names(100)).ends_with("\"n7\" and 92 more"));
    }

    #[test]
    fn a_name_that_is_not_utf_8_is_read_byte_by_byte() {
        assert_eq!(name("骨".as_bytes()), "骨");
        assert_eq!(name(b"Br\xfccke"), "Brücke");
    }
}
