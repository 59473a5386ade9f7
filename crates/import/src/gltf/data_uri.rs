//! Data inside a URI: `data:[media type][;base64],…`.
//!
//! In:  the URI. Out: its media type and bytes; `None` when it is no data URI at all.
//!
//! White space and missing padding in base64 are passed over, as browsers do.

use crate::{ImportError, Place};

/// What a data URI holds.
pub(super) struct DataUri<'a> {
    pub(super) media_type: &'a str,
    base64: bool,
    text: &'a str,
}

impl<'a> DataUri<'a> {
    pub(super) fn parse(uri: &'a str) -> Option<Self> {
        let rest = uri.get(..5).filter(|head| head.eq_ignore_ascii_case("data:"));
        let rest = rest.and_then(|_| uri.get(5..))?;
        let (head, text) = rest.split_once(',').unwrap_or((rest, ""));
        let base64 =
            head.len() >= 7 && head.as_bytes()[head.len() - 7..].eq_ignore_ascii_case(b";base64");
        let media_type = head.split(';').next().unwrap_or_default();
        Some(Self { media_type, base64, text })
    }

    pub(super) fn bytes(&self, place: &Place) -> Result<Vec<u8>, ImportError> {
        match self.base64 {
            true => decode_base64(self.text.as_bytes(), place),
            false => Ok(percent_decode(self.text.as_bytes())),
        }
    }
}

/// Marks in the table: not a digit, and white space.
const BAD: u8 = 0xff;
const SPACE: u8 = 0xfe;

/// The six bits of each character; both alphabets of RFC 4648.
static DIGITS: [u8; 256] = digits();

const fn digits() -> [u8; 256] {
    let mut table = [BAD; 256];
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut at = 0;
    while at < alphabet.len() {
        table[alphabet[at] as usize] = at as u8;
        at += 1;
    }
    table[b'-' as usize] = 62;
    table[b'_' as usize] = 63;
    table[b' ' as usize] = SPACE;
    table[b'\n' as usize] = SPACE;
    table[b'\r' as usize] = SPACE;
    table[b'\t' as usize] = SPACE;
    table
}

fn decode_base64(text: &[u8], place: &Place) -> Result<Vec<u8>, ImportError> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let (quads, _) = text.as_chunks::<4>();
    let mut done = 0;
    for quad in quads {
        let bits = quad.map(|byte| DIGITS[usize::from(byte)]);
        if bits.iter().any(|&bits| bits >= SPACE) {
            break;
        }
        out.extend_from_slice(&joined(bits));
        done += 4;
    }
    finish_base64(&text[done..], done, &mut out, place)?;
    Ok(out)
}

/// One character after the other, for the end and for text with white space in it.
fn finish_base64(
    text: &[u8],
    from: usize,
    out: &mut Vec<u8>,
    place: &Place,
) -> Result<(), ImportError> {
    let mut quad = [0; 4];
    let mut held = 0;
    for (at, &byte) in text.iter().enumerate() {
        match DIGITS[usize::from(byte)] {
            SPACE => continue,
            _ if byte == b'=' => break,
            BAD => {
                let found = char::from(byte).escape_default();
                let text = format!("expected base64, found \"{found}\" at character {}", from + at);
                return Err(ImportError::malformed(place.clone(), text));
            }
            bits => quad[held] = bits,
        }
        held += 1;
        if held == 4 {
            out.extend_from_slice(&joined(quad));
            (quad, held) = ([0; 4], 0);
        }
    }
    match held {
        0 => Ok(()),
        1 => Err(ImportError::truncated(place.clone(), "the base64 ends in the middle of a byte")),
        _ => {
            out.extend_from_slice(&joined(quad)[..held - 1]);
            Ok(())
        }
    }
}

fn joined([a, b, c, d]: [u8; 4]) -> [u8; 3] {
    [a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d]
}

fn percent_decode(text: &[u8]) -> Vec<u8> {
    let digit = |at: usize| text.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        match (text[at], digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            (byte, ..) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(uri: &str) -> Result<Vec<u8>, ImportError> {
        DataUri::parse(uri).expect("a data URI").bytes(&Place::Whole)
    }

    #[test]
    fn base64_is_decoded_with_and_without_padding_and_with_spaces() {
        assert_eq!(
            bytes("data:application/octet-stream;base64,AQIDBA==").expect("good"),
            [1, 2, 3, 4]
        );
        assert_eq!(bytes("data:;base64,AQIDBA").expect("good"), [1, 2, 3, 4]);
        assert_eq!(bytes("data:;base64,AQ ID\nBAU=").expect("good"), [1, 2, 3, 4, 5]);
        assert_eq!(bytes("DATA:;Base64,-_8=").expect("good"), [0xfb, 0xff]);
        assert!(bytes("data:;base64,AQ*D").is_err());
        assert!(bytes("data:;base64,AQIDB").is_err());
    }

    #[test]
    fn text_that_is_not_base64_is_percent_decoded() {
        assert_eq!(bytes("data:,a%20b%zz").expect("good"), b"a b%zz");
    }

    #[test]
    fn the_media_type_is_told_and_other_uris_are_not_data() {
        let uri = DataUri::parse("data:image/png;charset=x;base64,AA==").expect("a data URI");
        assert_eq!(uri.media_type, "image/png");
        assert!(DataUri::parse("a.png").is_none());
        assert!(DataUri::parse("däta:").is_none());
    }
}
