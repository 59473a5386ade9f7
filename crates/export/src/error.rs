//! Why something cannot be written in some format.

use std::fmt;

/// Why something cannot be written in some format.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExportError {
    /// The format has a bound, and there is more than that of something.
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many the format can hold.
        most: usize,
        /// How many there are.
        found: usize,
    },
    /// An option or a scene that the format has no file for: what was expected, and what was found.
    Invalid(String),
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany { what, most, found } => {
                write!(f, "expected at most {most} {what}, found {found}")
            }
            Self::Invalid(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for ExportError {}
