//! Why something cannot be written in some format.

use std::fmt;

/// Why something cannot be written in some format.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExportError {
    /// The format counts in sixteen bits, and there is more than that of something.
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many the format can hold.
        most: usize,
        /// How many there are.
        found: usize,
    },
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany { what, most, found } => {
                write!(f, "expected at most {most} {what}, found {found}")
            }
        }
    }
}

impl std::error::Error for ExportError {}
