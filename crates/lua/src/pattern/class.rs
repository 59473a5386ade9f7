//! Which bytes a class (`%a`) or a set (`[a-z%d]`) takes.

/// Whether a byte is in the class of this letter; a capital takes what the small letter does not, and any other sign is itself.
pub(super) fn in_class(byte: u8, letter: u8) -> bool {
    let inside = match letter.to_ascii_lowercase() {
        b'a' => byte.is_ascii_alphabetic(),
        b'c' => byte.is_ascii_control(),
        b'd' => byte.is_ascii_digit(),
        b'g' => byte.is_ascii_graphic(),
        b'l' => byte.is_ascii_lowercase(),
        b'p' => byte.is_ascii_punctuation(),
        b's' => byte.is_ascii_whitespace() || byte == 0x0b,
        b'u' => byte.is_ascii_uppercase(),
        b'w' => byte.is_ascii_alphanumeric(),
        b'x' => byte.is_ascii_hexdigit(),
        _ => return byte == letter,
    };
    inside != letter.is_ascii_uppercase()
}

/// Whether a byte is in a set, which is given with its brackets.
pub(super) fn in_set(byte: u8, set: &[u8]) -> bool {
    let inner = &set[1..set.len() - 1];
    let (inner, wanted) = match inner.split_first() {
        Some((b'^', rest)) => (rest, false),
        _ => (inner, true),
    };
    let mut at = 0;
    while at < inner.len() {
        let (inside, next) = match (inner[at], inner.get(at + 1), inner.get(at + 2)) {
            (b'%', Some(&class), _) => (in_class(byte, class), at + 2),
            (low, Some(b'-'), Some(&high)) => ((low..=high).contains(&byte), at + 3),
            (own, ..) => (own == byte, at + 1),
        };
        if inside {
            return wanted;
        }
        at = next;
    }
    !wanted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_and_sets_take_what_the_manual_says() {
        assert!(in_class(b'q', b'a') && !in_class(b'q', b'A') && in_class(b'.', b'.'));
        assert!(in_class(0x0b, b's') && in_class(b'_', b'p') && !in_class(b'_', b'w'));
        assert!(in_set(b'f', b"[a-f%d]") && in_set(b'7', b"[a-f%d]") && !in_set(b'g', b"[a-f%d]"));
        assert!(!in_set(b'x', b"[^x]") && in_set(b'y', b"[^x]"));
        assert!(in_set(b']', b"[]]") && in_set(b'-', b"[a-]") && !in_set(b'b', b"[a-]"));
    }
}
