//! Shader texts without what only people read: comments and white space.
//!
//! In:  WGSL as it is written. Out: the same program, about half as long; it counts on web pages.
//!
//! All of it happens while the library is compiled.

/// A text of WGSL, stripped: `wgsl!(include_str!("mesh.wgsl"))`.
macro_rules! wgsl {
    ($text:expr) => {{
        const TEXT: &str = $text;
        const STRIPPED: [u8; $crate::wgsl::stripped_len(TEXT)] = $crate::wgsl::strip(TEXT);
        const {
            match core::str::from_utf8(&STRIPPED) {
                Ok(text) => text,
                Err(_) => panic!("a shader is UTF-8 text"),
            }
        }
    }};
}
pub(crate) use wgsl;

/// How many bytes are left of a text.
pub(crate) const fn stripped_len(text: &str) -> usize {
    walk(text.as_bytes(), &mut [])
}

/// What is left of a text; `N` is its [`stripped_len`].
pub(crate) const fn strip<const N: usize>(text: &str) -> [u8; N] {
    let mut out = [0; N];
    walk(text.as_bytes(), &mut out);
    out
}

/// Writes what is left into `out`, as far as there is room, and gives its length.
const fn walk(text: &[u8], out: &mut [u8]) -> usize {
    let mut length = 0;
    let mut at = 0;
    let mut last = b'\n';
    let mut apart = false;
    while at < text.len() {
        let byte = text[at];
        if byte == b'/' && at + 1 < text.len() && text[at + 1] == b'/' {
            while at < text.len() && text[at] != b'\n' {
                at += 1;
            }
            continue;
        }
        at += 1;
        if byte == b' ' || byte == b'\t' || byte == b'\n' || byte == b'\r' {
            apart = true;
            continue;
        }
        if apart && stay_apart(last, byte) {
            if length < out.len() {
                out[length] = b' ';
            }
            length += 1;
        }
        apart = false;
        last = byte;
        if length < out.len() {
            out[length] = byte;
        }
        length += 1;
    }
    length
}

/// Whether two bytes mean something else without the space between them: words run together, `- -` becomes `--`, `/ *`
/// begins a comment, and `> =` is a comparison.
const fn stay_apart(last: u8, next: u8) -> bool {
    const fn in_word(byte: u8) -> bool {
        byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
    }
    in_word(last) && in_word(next)
        || last == next && matches!(next, b'-' | b'+' | b'&' | b'|' | b'<' | b'>' | b'=')
        || last == b'/'
        || next == b'=' && matches!(last, b'>' | b'<' | b'!')
}

#[cfg(test)]
mod tests {
    #[test]
    fn comments_and_white_space_are_gone() {
        let text = wgsl!("// All.\nfn a() {\n    let b = 4 - 2; // two\n\n    // é\n}\n");
        assert_eq!(text, "fn a(){let b=4-2;}");
    }

    #[test]
    fn what_would_mean_something_else_stays_apart() {
        let text = wgsl!("return a - -b / *c;\nlet d: vec2<f32> = e;\nf &\n&g");
        assert_eq!(text, "return a- -b/ *c;let d:vec2<f32> =e;f& &g");
    }
}
