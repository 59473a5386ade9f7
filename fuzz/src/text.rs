//! One value, reference, length or line of a text file changed: JSON, XML, and formats of words and numbers.

use std::ops::Range;

use crate::Chance;

/// Numbers that readers stumble over.
const NUMBERS: &[&str] = &[
    "0", "1", "-1", "2", "3", "4", "7", "8", "255", "256", "65535", "65536", "4294967295", "4294967296",
    "2147483647", "-2147483648", "1e38", "-1e39", "1e-45", "0.5", "-0.0", "1e999", "99999999999999999999",
    "NaN", "5121", "5123", "5125", "5126",
];

/// Whether a file can be changed word by word.
pub(crate) fn is_text(file: &[u8]) -> bool {
    let head = &file[..file.len().min(512)];
    !head.is_empty() && head.iter().filter(|&&byte| byte < 9 || byte > 126).count() * 16 < head.len()
}

pub(crate) fn mutate(file: &[u8], chance: &mut Chance) -> Vec<u8> {
    let tokens = tokens(file);
    if tokens.is_empty() {
        return file.to_vec();
    }
    match chance.below(8) {
        0..=2 => number(file, &tokens, chance),
        3 => swap(file, &tokens, chance),
        4 => copy_over(file, &tokens, chance),
        5 => drop_token(file, &tokens, chance),
        6 => lines(file, chance, true),
        _ => lines(file, chance, false),
    }
}

/// Words, numbers and strings without their quotes.
fn tokens(file: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, &byte) in file.iter().enumerate() {
        let part = byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.' | b'_' | b'#');
        match (part, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    found.extend(start.map(|from| from..file.len()));
    found
}

fn is_number(token: &[u8]) -> bool {
    token.iter().any(u8::is_ascii_digit)
        && token.iter().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte))
}

fn with(file: &[u8], range: Range<usize>, new: &[u8]) -> Vec<u8> {
    [&file[..range.start], new, &file[range.end..]].concat()
}

/// A number becomes another: an odd one, a neighbour, or one that is elsewhere in the file.
fn number(file: &[u8], tokens: &[Range<usize>], chance: &mut Chance) -> Vec<u8> {
    let numbers: Vec<&Range<usize>> =
        tokens.iter().filter(|token| is_number(&file[(*token).clone()])).collect();
    if numbers.is_empty() {
        return swap(file, tokens, chance);
    }
    let at = numbers[chance.below(numbers.len())].clone();
    let old = std::str::from_utf8(&file[at.clone()]).unwrap_or("0");
    let new = match chance.below(4) {
        0 | 1 => chance.of(NUMBERS).to_owned(),
        2 => match old.parse::<i64>() {
            Ok(old) => old.wrapping_add(chance.below(5) as i64 - 2).to_string(),
            Err(_) => format!("{}", old.parse::<f64>().unwrap_or(0.0) * -1.5),
        },
        _ => {
            let other = numbers[chance.below(numbers.len())].clone();
            String::from_utf8_lossy(&file[other]).into_owned()
        }
    };
    with(file, at, new.as_bytes())
}

/// A reference becomes another: two words change places.
fn swap(file: &[u8], tokens: &[Range<usize>], chance: &mut Chance) -> Vec<u8> {
    let a = tokens[chance.below(tokens.len())].clone();
    let b = tokens[chance.below(tokens.len())].clone();
    let (a, b) = if a.start <= b.start { (a, b) } else { (b, a) };
    if a.end > b.start {
        return file.to_vec();
    }
    let parts = [&file[..a.start], &file[b.clone()], &file[a.end..b.start], &file[a.clone()], &file[b.end..]];
    parts.concat()
}

fn copy_over(file: &[u8], tokens: &[Range<usize>], chance: &mut Chance) -> Vec<u8> {
    let from = tokens[chance.below(tokens.len())].clone();
    let to = tokens[chance.below(tokens.len())].clone();
    with(file, to, &file[from])
}

fn drop_token(file: &[u8], tokens: &[Range<usize>], chance: &mut Chance) -> Vec<u8> {
    with(file, tokens[chance.below(tokens.len())].clone(), b"")
}

/// A line is left out, or comes twice.
fn lines(file: &[u8], chance: &mut Chance, twice: bool) -> Vec<u8> {
    let lines: Vec<&[u8]> = file.split_inclusive(|&byte| byte == b'\n' || byte == b'>' || byte == b'}').collect();
    let at = chance.below(lines.len());
    let mut kept: Vec<&[u8]> = lines.clone();
    if twice {
        kept.insert(at, lines[at]);
    } else {
        kept.remove(at);
    }
    kept.concat()
}
