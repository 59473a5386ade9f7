//! Why a clip could not be retargeted, or a map not be read.

use std::fmt;

/// Why a clip could not be retargeted, or a map not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetargetError {
    /// A skeleton in which no body with hips and two legs is found; says what is missing.
    NoBody(String),
    /// A clip with nothing to go by.
    EmptyClip(String),
    /// A map file that cannot be used.
    Map {
        /// Counted from 1.
        line: usize,
        /// What is wrong there, what was expected and what found.
        message: String,
    },
}

impl fmt::Display for RetargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBody(message) | Self::EmptyClip(message) => f.write_str(message),
            Self::Map { line, message } => write!(f, "line {line}: {message}"),
        }
    }
}

impl std::error::Error for RetargetError {}
