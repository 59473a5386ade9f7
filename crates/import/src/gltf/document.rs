//! From JSON text to a document of a version that is read.

use std::borrow::Cow;

use super::json::Document;
use crate::json::{self, JsonErrorKind};
use crate::note::Notes;
use crate::{ImportError, Place, files};

/// The JSON as text. Names in another encoding are mended: they are for people.
pub(super) fn text<'a>(json: &'a [u8], notes: &mut Notes) -> Cow<'a, str> {
    if let Ok(text) = std::str::from_utf8(json) {
        return Cow::Borrowed(text);
    }
    notes.add(Place::Whole, "the JSON is not all UTF-8: the rest is replaced by \u{fffd}");
    String::from_utf8_lossy(json)
}

pub(super) fn parse(text: &str) -> Result<Document<'_>, ImportError> {
    let document: Document<'_> = json::parse(text).map_err(|error| {
        let place = Place::Line(error.line);
        // The place says the line; the column is worth keeping, for files that are one long line.
        let words = format!("{} at column {}", error.message, error.column);
        match error.kind {
            JsonErrorKind::End => {
                ImportError::truncated(place, format!("the JSON ends too early: {words}"))
            }
            JsonErrorKind::Syntax => ImportError::malformed(place, format!("no JSON: {words}")),
            JsonErrorKind::Type => ImportError::malformed(place, words),
        }
    })?;
    check_version(&document)?;
    Ok(document)
}

fn check_version(document: &Document<'_>) -> Result<(), ImportError> {
    let asset = document.asset.as_ref();
    let Some(version) = asset.and_then(|asset| asset.version.as_deref()) else {
        let text = "expected a glTF document with asset.version, found none";
        return Err(ImportError::malformed(Place::part("asset.version"), text));
    };
    if major_minor(version).is_none_or(|(major, _)| major != 2) {
        return Err(wrong_version(version));
    }
    let least = asset.and_then(|asset| asset.min_version.as_deref());
    if let Some(least) = least
        && major_minor(least).is_none_or(|least| least > (2, 0))
    {
        let found = files::shorten(least);
        let text = format!("the file needs a reader of glTF \"{found}\", and this one reads 2.0");
        return Err(ImportError::unsupported(Place::part("asset.minVersion"), text));
    }
    Ok(())
}

fn wrong_version(version: &str) -> ImportError {
    let found = files::shorten(version);
    let text = format!("expected glTF 2.0, found version \"{found}\"");
    ImportError::unsupported(Place::part("asset.version"), text)
}

fn major_minor(version: &str) -> Option<(u32, u32)> {
    let (major, minor) = version.split_once('.').unwrap_or((version, "0"));
    Some((major.trim().parse().ok()?, minor.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    fn refused(text: &str) -> ImportError {
        parse(text).expect_err(text)
    }

    #[test]
    fn other_versions_are_named_and_refused() {
        let error = refused(r#"{"asset":{"version":"1.0"}}"#);
        assert_eq!(error.kind, ErrorKind::Unsupported);
        assert!(error.message.contains("found version \"1.0\""), "{error}");
        let error = refused(r#"{"asset":{"version":"2.1","minVersion":"2.1"}}"#);
        assert!(error.message.contains("needs a reader of glTF \"2.1\""), "{error}");
        assert!(parse(r#"{"asset":{"version":"2.1"}}"#).is_ok());
        assert_eq!(refused("{}").kind, ErrorKind::Malformed);
    }

    #[test]
    fn json_of_a_wrong_type_is_an_error_with_its_line() {
        let error = refused("{\"asset\":{\"version\":\"2.0\"},\n\"nodes\":[{\"mesh\":\"0\"}]}");
        assert_eq!((error.kind, &error.place), (ErrorKind::Malformed, &Place::Line(2)));
        assert!(error.message.contains("expected a whole number from zero up"), "{error}");
    }

    #[test]
    fn json_that_ends_too_early_is_cut_short_and_deep_nesting_is_refused() {
        assert_eq!(refused("{\"asset\":").kind, ErrorKind::Truncated);
        let deep = format!("{{\"meshes\":[{{\"extras\":{}", "[".repeat(100_000));
        assert_eq!(refused(&deep).kind, ErrorKind::Malformed);
    }
}
