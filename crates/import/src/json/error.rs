//! What is wrong with a JSON text, and where.

use super::Json;

/// What kind of mistake a text has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JsonErrorKind {
    /// It ends before it is complete.
    End,
    /// It is no JSON.
    Syntax,
    /// It is JSON, with another type than the one asked for.
    Type,
}

/// A mistake in a JSON text.
#[derive(Debug)]
pub(crate) struct JsonError {
    pub(crate) kind: JsonErrorKind,
    pub(crate) message: String,
    /// From one up.
    pub(crate) line: usize,
    /// In bytes, from one up.
    pub(crate) column: usize,
}

impl Json<'_> {
    /// Something else was expected than what is here.
    pub(crate) fn expected(&self, wanted: &str) -> JsonError {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let (kind, found) = match rest.chars().next() {
            None => (JsonErrorKind::End, "its end".to_owned()),
            Some('{') => (JsonErrorKind::Type, "an object".to_owned()),
            Some('[') => (JsonErrorKind::Type, "a list".to_owned()),
            Some('"') => (JsonErrorKind::Type, "a string".to_owned()),
            Some('-' | '0'..='9') => (JsonErrorKind::Type, "a number".to_owned()),
            Some('t') if rest.starts_with("true") => (JsonErrorKind::Type, "true".to_owned()),
            Some('f') if rest.starts_with("false") => (JsonErrorKind::Type, "false".to_owned()),
            Some('n') if rest.starts_with("null") => (JsonErrorKind::Type, "null".to_owned()),
            Some(other) => (JsonErrorKind::Syntax, format!("'{}'", other.escape_default())),
        };
        JsonError { kind, ..self.wrong(format!("expected {wanted}, found {found}")) }
    }

    /// A mistake here.
    pub(crate) fn wrong(&self, message: String) -> JsonError {
        let before = &self.text.as_bytes()[..self.at.min(self.text.len())];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
        JsonError { kind: JsonErrorKind::Type, message, line, column }
    }
}
