//! From bytes to text: COLLADA files come in UTF-8, UTF-16 and, from old exporters, Latin-1.
//!
//! In:  the bytes of a file.
//! Out: its text without a byte order mark; borrowed when it is UTF-8 already.

use std::borrow::Cow;

use crate::note::Notes;
use crate::{ImportError, Place, utf16};

pub(super) fn decode<'a>(bytes: &'a [u8], notes: &mut Notes) -> Result<Cow<'a, str>, ImportError> {
    if let Some(text) = utf16::decode(bytes) {
        return text.map(Cow::Owned);
    }
    Ok(narrow(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), notes))
}

/// What is not UTF-8 is taken for Latin-1, in which every byte is a letter: only names have any.
fn narrow<'a>(bytes: &'a [u8], notes: &mut Notes) -> Cow<'a, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    if !declares_latin(bytes) {
        notes.add(Place::Whole, "the text is not UTF-8 as it says; it is read as Latin-1");
    }
    Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect())
}

fn declares_latin(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(120)]).to_ascii_lowercase();
    let head = head.split("?>").next().unwrap_or_default();
    head.contains("iso-8859") || head.contains("windows-125") || head.contains("latin")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, bytes_of: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes_of).collect()
    }

    #[test]
    fn every_encoding_gives_the_same_text() {
        let text = "<a name=\"é\"/>";
        let marked = format!("\u{feff}{text}");
        for bytes in [
            text.as_bytes().to_vec(),
            marked.as_bytes().to_vec(),
            utf16(&marked, u16::to_le_bytes),
            utf16(&marked, u16::to_be_bytes),
            utf16(text, u16::to_le_bytes),
            utf16(text, u16::to_be_bytes),
            b"<a name=\"\xe9\"/>".to_vec(),
        ] {
            let mut notes = Notes::default();
            assert_eq!(decode(&bytes, &mut notes).expect("text"), text, "{bytes:?}");
        }
    }

    #[test]
    fn latin_text_is_a_note_unless_it_is_declared() {
        let mut notes = Notes::default();
        decode(b"<?xml encoding=\"ISO-8859-1\"?><a b=\"\xe9\"/>", &mut notes).expect("text");
        assert_eq!(notes.into_vec().len(), 0);
        let mut notes = Notes::default();
        decode(b"<?xml encoding=\"utf-8\"?><a b=\"\xe9\"/>", &mut notes).expect("text");
        assert_eq!(notes.into_vec().len(), 1);
    }

    #[test]
    fn a_lone_surrogate_is_an_error() {
        assert!(decode(&[0xff, 0xfe, 0x00, 0xd8], &mut Notes::default()).is_err());
    }
}
