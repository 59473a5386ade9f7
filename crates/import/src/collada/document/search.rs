//! Marks and lines in the bytes of a text, many bytes at once.
//!
//! In:  text. Out: where a mark is first, how many lines there are.

/// Where a mark of one byte is first: often a few bytes away, else after a long list of numbers.
pub(super) fn find(text: &str, mark: u8) -> Option<usize> {
    const NEAR: usize = 128;
    let bytes = text.as_bytes();
    let (near, far) = bytes.split_at(bytes.len().min(NEAR));
    if let Some(at) = find_by_words(near, mark) {
        return Some(at);
    }
    // Without a way out of a block, many bytes are compared at once.
    let in_block = |block: &[u8]| block.iter().fold(false, |found, byte| found | (*byte == mark));
    let mut at = near.len();
    for block in far.chunks(64) {
        if in_block(block) {
            return find_by_words(block, mark).map(|inside| at + inside);
        }
        at += block.len();
    }
    None
}

/// Where a mark is first, eight bytes at a time.
fn find_by_words(bytes: &[u8], mark: u8) -> Option<usize> {
    first_word(bytes, |word| zeros(word, mark), |byte| byte == mark)
}

/// Where the first of two marks is, of which one is near.
pub(super) fn find_either(text: &str, [one, other]: [u8; 2]) -> Option<usize> {
    let marked = |word| zeros(word, one) | zeros(word, other);
    first_word(text.as_bytes(), marked, |byte| byte == one || byte == other)
}

/// The lowest byte that is zero after the mark is taken out of each is the first to have its highest bit set
/// (Mycroft 1987).
#[inline]
fn zeros(word: u64, mark: u8) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let word = word ^ (u64::from(mark) * ONES);
    word.wrapping_sub(ONES) & !word & (0x80 * ONES)
}

#[inline]
fn first_word(
    bytes: &[u8],
    marked: impl Fn(u64) -> u64,
    is_mark: impl Fn(u8) -> bool,
) -> Option<usize> {
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let marked = marked(u64::from_le_bytes(*word));
        if marked != 0 {
            return Some(at * 8 + (marked.trailing_zeros() / 8) as usize);
        }
    }
    let inside = rest.iter().position(|byte| is_mark(*byte))?;
    Some(words.len() * 8 + inside)
}

/// How many lines end in these bytes.
pub(in crate::collada) fn newlines(bytes: &[u8]) -> usize {
    // In chunks whose counts fit in a byte, so that many bytes are compared at once.
    let in_chunk = |chunk: &[u8]| chunk.iter().map(|byte| u8::from(*byte == b'\n')).sum::<u8>();
    bytes.chunks(255).map(|chunk| usize::from(in_chunk(chunk))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_found_near_and_far_and_where_blocks_meet() {
        for at in [0, 1, 7, 8, 9, 63, 64, 127, 128, 129, 191, 192, 193, 255, 256, 1000] {
            let text = format!("{}<b<", "a".repeat(at));
            assert_eq!(find(&text, b'<'), Some(at));
            assert_eq!(find(&text[..at], b'<'), None);
        }
    }

    #[test]
    fn the_first_of_two_marks_is_found() {
        for at in [0, 1, 7, 8, 9, 40] {
            let before = "a".repeat(at);
            for text in [format!("{before}\"&"), format!("{before}&......\""), format!("{before}&")]
            {
                assert_eq!(find_either(&text, [b'"', b'&']), Some(at), "{text}");
            }
            assert_eq!(find_either(&before, [b'"', b'&']), None);
        }
    }

    #[test]
    fn lines_are_counted_whatever_their_number() {
        assert_eq!(newlines("\n".repeat(1000).as_bytes()), 1000);
        assert_eq!(newlines(b"a\nb\r\nc"), 2);
    }
}
