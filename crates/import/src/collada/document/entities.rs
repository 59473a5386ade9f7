//! Entities: characters that XML writes by name or number.
//!
//! In:  text as filed. Out: the text that it means.

use std::borrow::Cow;

use super::search::find;

/// Text with its entities replaced; one that is not known stays as it is.
pub(super) fn decoded(text: &str) -> Cow<'_, str> {
    let Some(first) = find(text, b'&') else {
        return Cow::Borrowed(text);
    };
    let mut out = text[..first].to_owned();
    let mut rest = &text[first..];
    while let Some(start) = rest.find('&') {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        // The longest is "&#x10FFFF;".
        let end = rest.bytes().take(10).position(|byte| byte == b';');
        let found = end.and_then(|end| entity(&rest[1..end]).zip(Some(end + 1)));
        let (character, length) = found.unwrap_or(('&', 1));
        out.push(character);
        rest = &rest[length..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix('x') {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}
