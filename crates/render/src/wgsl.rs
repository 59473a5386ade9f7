//! Shader texts without what only people read: comments, indents and empty lines.
//!
//! In:  WGSL as it is written. Out: the same program, about two thirds as long; it counts on web pages.
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
    let mut line_is_empty = true;
    while at < text.len() {
        let byte = text[at];
        if byte == b'/' && at + 1 < text.len() && text[at + 1] == b'/' {
            while at < text.len() && text[at] != b'\n' {
                at += 1;
            }
            continue;
        }
        at += 1;
        let space = byte == b' ' || byte == b'\t' || byte == b'\n' || byte == b'\r';
        if space && line_is_empty {
            continue;
        }
        line_is_empty = byte == b'\n';
        if length < out.len() {
            out[length] = byte;
        }
        length += 1;
    }
    length
}

#[cfg(test)]
mod tests {
    #[test]
    fn comments_indents_and_empty_lines_are_gone() {
        let text = wgsl!("// All.\nfn a() {\n    let b = 4 / 2; // two\n\n    // é\n}\n");
        assert_eq!(text, "fn a() {\nlet b = 4 / 2; \n}\n");
    }
}
