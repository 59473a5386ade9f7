//! Digits of numbers, eight at a time.
//!
//! In:  characters, eight in a word or in a row. Out: the numbers that their digits make, and how many there are.

pub(super) const TENS: [u64; 9] =
    [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// Adds the decimal digits from `at` on to a number; also gives where they end.
pub(super) fn digits(bytes: &[u8], mut at: usize, mut number: u64) -> (u64, usize) {
    while let Some(eight) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let (value, count) = eight_digits(u64::from_le_bytes(*eight));
        number = number.wrapping_mul(TENS[count]).wrapping_add(value);
        at += count;
        if count < 8 {
            return (number, at);
        }
    }
    while let Some(digit) = digit(bytes, at) {
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    (number, at)
}

const ONES: u64 = 0x0101_0101_0101_0101;

/// The highest bit of each byte that is no digit, of characters less the character zero; none is carried into
/// a byte before the first.
#[inline]
fn no_digits(digits: u64) -> u64 {
    (digits.wrapping_add(0x76 * ONES) | digits) & (0x80 * ONES)
}

/// The number that the leading digits among eight characters make, and how many they are.
#[inline]
pub(super) fn eight_digits(characters: u64) -> (u64, usize) {
    let digits = characters ^ (0x30 * ONES);
    let count = (no_digits(digits).trailing_zeros() / 8) as usize;
    if count == 0 {
        return (0, 0);
    }
    // Zeros come first, the digits last.
    (number_of(digits << (64 - 8 * count)), count)
}

/// Two numbers among eight characters, with a space behind each, and the length of all that. Both are found
/// in one go, since the next characters cannot be read before it is known where these end.
#[inline]
pub(super) fn two_indices(characters: u64) -> Option<(i32, i32, usize)> {
    let digits = characters ^ (0x30 * ONES);
    let others = no_digits(digits);
    let later = others & others.wrapping_sub(1);
    // In bits; a space is one that is no digit, and nothing is carried out of it.
    let one = others.trailing_zeros() & !7;
    let both = later.trailing_zeros() & !7;
    let is_space = |at: u32| (characters >> at) as u8 == b' ';
    if later == 0 || one == 0 || both == one + 8 || !is_space(one) || !is_space(both) {
        return None;
    }
    let first = number_of(digits << (64 - one));
    let second = number_of(digits << (64 - both) >> (72 + one - both) << (72 + one - both));
    Some((first as i32, second as i32, both as usize / 8 + 1))
}

/// The number of eight digits, the first in the lowest byte. All at once: neighbours make pairs, pairs fours,
/// and fours the whole (Lemire 2018).
#[inline]
fn number_of(digits: u64) -> u64 {
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100).wrapping_add(pairs >> 16) & 0x0000_ffff_0000_ffff;
    fours.wrapping_mul(10_000).wrapping_add(fours >> 32) & 0xffff_ffff
}

pub(super) fn digit(bytes: &[u8], at: usize) -> Option<u8> {
    let digit = bytes.get(at)?.wrapping_sub(b'0');
    (digit < 10).then_some(digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_read_eight_at_a_time_wherever_they_end() {
        for length in 1..=18 {
            for after in ["", " 7", ".5", "\u{ff}", ":", "/"] {
                let number = &"987654321012345678"[..length];
                let text = format!("{number}{after}");
                let expected = number.parse().expect("a number");
                assert_eq!(digits(text.as_bytes(), 0, 0), (expected, length), "{text}");
            }
        }
        assert_eq!(digits(b"x", 0, 5), (5, 0));
    }

    #[test]
    fn indices_are_read_two_at_a_time_where_they_are_short() {
        let found = |text: &str| {
            two_indices(u64::from_le_bytes(*text.as_bytes().as_array().expect("eight")))
        };
        assert_eq!(found("1 2 3 4 "), Some((1, 2, 4)));
        assert_eq!(found("12 4567 "), Some((12, 4567, 8)));
        assert_eq!(found("99999 8 "), Some((99_999, 8, 8)));
        for other in [
            "1  2 3 4",
            " 1 2 3 4",
            "-1 2 3 4",
            "1 -2 3 4",
            "1\n2 3 4 ",
            "1 2.5 3 ",
            "1234567 ",
            "12345678",
        ] {
            assert_eq!(found(other), None, "{other}");
        }
    }
}
