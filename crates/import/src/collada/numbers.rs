//! Lists of numbers between white space: nearly all of a COLLADA file's bytes.
//!
//! In:  the text of an element.
//! Out: its numbers. One pass, no allocation per number; numbers that a short decimal cannot give
//! exactly go to the standard library. A number that is not finite comes out as zero and is counted.

mod digits;

use self::digits::{TENS, digit, digits, eight_digits, two_indices};

/// What a list could not hold as it was written.
#[derive(Debug, PartialEq)]
pub(super) struct BadToken<'a>(pub(super) &'a str);

/// What had to be mended in a list.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Mended {
    /// Numbers that were not finite.
    pub(super) not_finite: usize,
    /// Numbers with a comma for the point.
    pub(super) commas: usize,
}

/// About how many numbers a text has, by its first bytes; a little more rather than less.
pub(super) fn expected(text: &str) -> usize {
    const SEEN: usize = 256;
    let bytes = text.as_bytes();
    let head = &bytes[..bytes.len().min(SEEN)];
    let spaces = head.iter().filter(|byte| **byte <= b' ').count() + 1;
    let all = bytes.len() / head.len().max(1) * spaces;
    (all + all / 8).min(bytes.len() / 2) + 1
}

/// Adds the numbers in `text` to `out`, and says which had to be mended.
pub(super) fn floats<'a>(text: &'a str, out: &mut Vec<f32>) -> Result<Mended, BadToken<'a>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut mended = Mended::default();
    while let Some(start) = skip_space(bytes, at) {
        if let Some((value, end)) = usual_decimal(bytes, start) {
            out.push(value as f32);
            at = end;
            continue;
        }
        let (value, end) = match short_decimal(bytes, start) {
            Some(found) => found,
            None => slow(text, start, &mut mended)?,
        };
        let value = value as f32;
        if value.is_finite() {
            out.push(value);
        } else {
            out.push(0.0);
            mended.not_finite += 1;
        }
        at = end;
    }
    Ok(mended)
}

/// Adds the whole numbers in `text` to `out`.
pub(super) fn integers<'a>(text: &'a str, out: &mut Vec<i32>) -> Result<(), BadToken<'a>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(start) = skip_space(bytes, at) {
        // Nearly all are indices of a few digits, with a space behind them.
        if let Some(eight) = eight_at(bytes, start) {
            if let Some((one, other, length)) = two_indices(eight) {
                out.extend_from_slice(&[one, other]);
                at = start + length;
                continue;
            }
            let (value, count) = eight_digits(eight);
            if (1..8).contains(&count) && is_space((eight >> (8 * count)) as u8) {
                out.push(value as i32);
                at = start + count + 1;
                continue;
            }
        }
        let negative = bytes[start] == b'-';
        let first = start + usize::from(negative);
        let (value, end) = digits(bytes, first, 0);
        // More digits than these may have wrapped around.
        let value = if end - first <= 18 { value as i64 } else { i64::MAX };
        let value = i32::try_from(if negative { -value } else { value });
        match value {
            Ok(value) if end > first && ends(bytes, end) => out.push(value),
            _ => return Err(BadToken(token(text, start))),
        }
        at = end;
    }
    Ok(())
}

#[inline]
fn is_space(byte: u8) -> bool {
    const SPACES: u64 = 1 << b' ' | 1 << b'\n' | 1 << b'\t' | 1 << b'\r';
    byte <= b' ' && SPACES >> byte & 1 == 1
}

#[inline]
fn skip_space(bytes: &[u8], mut at: usize) -> Option<usize> {
    // No number begins with a byte up to the space.
    while *bytes.get(at)? <= b' ' && is_space(bytes[at]) {
        at += 1;
    }
    Some(at)
}

/// The eight bytes from `at` on, where there are as many.
#[inline]
fn eight_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|eight| u64::from_le_bytes(*eight))
}

fn ends(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_none_or(|&byte| is_space(byte))
}

fn token(text: &str, start: usize) -> &str {
    let rest = text.get(start..).unwrap_or_default();
    rest.split(|c: char| c.is_ascii_whitespace()).next().unwrap_or_default()
}

const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// A number as nearly all are: up to seven digits, a point, up to eleven digits more and a space. As
/// [`short_decimal`] has it, without its other cases; also gives where what follows the space begins.
#[inline]
fn usual_decimal(bytes: &[u8], start: usize) -> Option<(f64, usize)> {
    let negative = bytes[start] == b'-';
    let first = start + usize::from(negative);
    let word = eight_at(bytes, first)?;
    // Most have one digit before the point.
    let digit = (word as u8).wrapping_sub(b'0');
    let (mut number, mut count) = (u64::from(digit), 1);
    if digit >= 10 || (word >> 8) as u8 != b'.' {
        (number, count) = eight_digits(word);
        if count == 0 || count == 8 {
            return None;
        }
    }
    let mut after = (word >> (8 * count)) as u8;
    let mut at = first + count;
    let mut places = 0;
    if after == b'.' {
        let word = eight_at(bytes, at + 1)?;
        let (part, count) = eight_digits(word);
        number = number * TENS[count] + part;
        places = count;
        at += 1 + count;
        if count < 8 {
            after = (word >> (8 * count)) as u8;
        } else {
            let word = eight_at(bytes, at)?;
            let (part, count) = eight_digits(word);
            // Seven digits before the point and eleven behind it fit in a signed number.
            if count > 3 {
                return None;
            }
            number = number * TENS[count] + part;
            places += count;
            at += count;
            after = (word >> (8 * count)) as u8;
        }
    }
    if !is_space(after) {
        return None;
    }
    let value = number as i64 as f64 / POWERS[places];
    // Signs come in no order, so without a branch.
    Some((f64::from_bits(value.to_bits() | u64::from(negative) << 63), at + 1))
}

/// A number of at most nineteen digits with an exact power of ten: then one division or product gives
/// the nearest double, or with more than 53 bits one of the nearest, and both become the nearest
/// single (Clinger 1990). `None` for any other token.
fn short_decimal(bytes: &[u8], start: usize) -> Option<(f64, usize)> {
    let sign = bytes[start];
    let first = start + usize::from(sign == b'-' || sign == b'+');
    let mut at = first;
    let mut digits: u64 = 0;
    // There are few before the point.
    while let Some(digit) = digit(bytes, at) {
        digits = digits.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    let mut count = at - first;
    let mut power = 0_i32;
    if bytes.get(at) == Some(&b'.') {
        let point = at + 1;
        (digits, at) = digits::digits(bytes, point, digits);
        count += at - point;
        power = -i32::try_from(at - point).ok()?;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        let (exponent, end) = exponent(bytes, at + 1)?;
        power += exponent;
        at = end;
    }
    // Nineteen digits cannot have wrapped around.
    if count == 0 || count > 19 || !ends(bytes, at) {
        return None;
    }
    let scale = POWERS.get(power.unsigned_abs() as usize)?;
    let value = if power < 0 { digits as f64 / scale } else { digits as f64 * scale };
    Some((if sign == b'-' { -value } else { value }, at))
}

fn exponent(bytes: &[u8], start: usize) -> Option<(i32, usize)> {
    let sign = bytes.get(start)?;
    let mut at = start + usize::from(matches!(sign, b'-' | b'+'));
    let first = at;
    let mut value = 0;
    while let Some(digit) = digit(bytes, at) {
        value = (value * 10 + i32::from(digit)).min(9999);
        at += 1;
    }
    (at > first).then_some((if *sign == b'-' { -value } else { value }, at))
}

/// Long numbers, those with a comma, and what exporters write for none: `NaN`, `-INF`, `1.#IND00`, `-1.#QNAN`.
fn slow<'a>(
    text: &'a str,
    start: usize,
    mended: &mut Mended,
) -> Result<(f64, usize), BadToken<'a>> {
    let token = token(text, start);
    let end = start + token.len();
    match token.parse::<f64>() {
        Ok(value) => Ok((value, end)),
        Err(_) if token.contains('#') && token.starts_with(['-', '+', '1']) => Ok((f64::NAN, end)),
        Err(_) if token.trim_start_matches(['-', '+']).eq_ignore_ascii_case("nan(ind)") => {
            Ok((f64::NAN, end))
        }
        Err(_) => {
            let value = with_comma(token).ok_or(BadToken(token))?;
            mended.commas += 1;
            Ok((value, end))
        }
    }
}

/// `0,5` for a half, from exporters that wrote as their country does. Only white space lies between
/// numbers, so one comma in a token cannot be anything else.
fn with_comma(token: &str) -> Option<f64> {
    let (whole, part) = token.split_once(',')?;
    let digits = part.bytes().all(|byte| byte.is_ascii_digit() || b"eE+-".contains(&byte));
    if !digits || part.is_empty() {
        return None;
    }
    format!("{whole}.{part}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<f32> {
        let mut out = Vec::new();
        floats(text, &mut out).expect("numbers");
        out
    }

    #[test]
    fn numbers_are_the_nearest_there_are() {
        let texts = "0 -0 1 +2 -3.5 .5 5. 1e3 1E-3 -1.5e+2 0.1 3.14159265358979 7.549790126404332e-08 \
            1234567.891011 123456789012345678901234 1e-45 3.4028234e38 0.000000000000000000000000000001";
        let expected: Vec<f32> =
            texts.split_whitespace().map(|token| token.parse().expect("a number")).collect();
        assert_eq!(all(texts), expected);
    }

    /// With every number of digits before and behind the point, and what follows the number near and far.
    #[test]
    fn usual_numbers_are_the_nearest_too() {
        let mut seed = 1_u64;
        for round in 0..20_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let digits = (seed >> 8).to_string();
            let (whole, behind) = (1 + round % 9, round / 9 % 13);
            let sign = ["", "-"][(seed >> 60) as usize % 2];
            let point = [".", ""][usize::from(behind == 0 && seed & 64 == 0)];
            let digits = format!("{digits:0>30}");
            let number = format!("{sign}{}{point}{}", &digits[..whole], &digits[10..10 + behind]);
            let expected: f32 = number.parse().expect("a number");
            for text in [format!("{number} 1"), format!("{number}\t12345678"), number.clone()] {
                assert_eq!(all(&text)[0].to_bits(), expected.to_bits(), "{text}");
            }
        }
    }

    #[test]
    fn a_comma_may_stand_for_the_point() {
        let mut out = Vec::new();
        let mended = floats("-7,5 0,25 1,5e-2 2", &mut out);
        assert_eq!(out, [-7.5, 0.25, 0.015, 2.0]);
        assert_eq!(mended, Ok(Mended { not_finite: 0, commas: 3 }));
        for wrong in ["1,2,3", "1.5,2", "1,", ",", "1,-2", "1,x"] {
            assert!(floats(wrong, &mut Vec::new()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn any_white_space_lies_between() {
        assert_eq!(all("\r\n 1\t2\n\n3 "), [1.0, 2.0, 3.0]);
        assert!(all("  ").is_empty());
    }

    #[test]
    fn what_is_not_finite_is_zero_and_counted() {
        let mut out = Vec::new();
        let odd = floats("NaN INF -INF 1.#IND -1.#QNAN00 1e99 7", &mut out);
        assert_eq!(odd, Ok(Mended { not_finite: 6, commas: 0 }));
        assert_eq!(out, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 7.0]);
    }

    #[test]
    fn words_are_refused() {
        assert_eq!(floats("1 two 3", &mut Vec::new()), Err(BadToken("two")));
        assert_eq!(floats("1 - 3", &mut Vec::new()), Err(BadToken("-")));
        assert_eq!(floats("1 2;5 3é", &mut Vec::new()), Err(BadToken("2;5")));
        assert_eq!(integers("1 2.5", &mut Vec::new()), Err(BadToken("2.5")));
        assert_eq!(integers("99999999999", &mut Vec::new()), Err(BadToken("99999999999")));
        assert_eq!(integers("-", &mut Vec::new()), Err(BadToken("-")));
    }

    #[test]
    fn indices_of_any_length_follow_each_other() {
        let mut seed = 1_u64;
        for _ in 0..2000 {
            let mut expected = Vec::new();
            let mut text = String::new();
            for _ in 0..12 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let number = (seed >> 33) as i32
                    / [1, 100_000, 1_000_000, 20_000_000][seed as usize >> 8 & 3];
                expected.push(number);
                text += &format!("{number}{}", [" ", "  ", "\n", " "][seed as usize >> 12 & 3]);
            }
            let mut out = Vec::new();
            integers(&text, &mut out).expect("numbers");
            assert_eq!(out, expected, "{text}");
        }
    }

    #[test]
    fn whole_numbers_may_be_negative() {
        let mut out = Vec::new();
        integers(" 0 -1\n2147483647 ", &mut out).expect("numbers");
        assert_eq!(out, [0, -1, i32::MAX]);
    }
}
