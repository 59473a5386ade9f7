//! What went wrong while reading a file: what, where, expected and found.

use std::fmt;
use std::path::PathBuf;

/// Where in a file something is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    #[default]
    Whole,
    /// A line of a text file, counted from one.
    Line(usize),
    /// A byte of a binary file, counted from zero.
    Byte(usize),
    /// A part of the document, in the format's own words: `accessors[3].bufferView`.
    Part(String),
}

impl Place {
    /// A part of the document, in the format's own words.
    pub fn part(words: impl Into<String>) -> Self {
        Self::Part(words.into())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => f.write_str("the file"),
            Self::Line(line) => write!(f, "line {line}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
            Self::Part(part) => f.write_str(part),
        }
    }
}

/// What kind of trouble it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system could not read the file.
    Io,
    /// No format that this build reads.
    Unrecognised,
    /// The file ends too early.
    Truncated,
    /// The file is not written as its format demands.
    Malformed,
    /// An index, a count or a number is outside what it may be.
    OutOfRange,
    /// The file asks for something that is not supported.
    Unsupported,
    /// Another file that this one needs is not there.
    Missing,
    /// Another file that this one names may not be read: it is not in or below its folder.
    Refused,
    /// Reading on would take far more memory than a file of this size should.
    TooLarge,
}

/// Why a file could not be read.
///
/// ```
/// use sinew_import::{ErrorKind, NoFiles, read};
/// let error = read(b"just some words", &NoFiles).unwrap_err();
/// assert_eq!(error.kind, ErrorKind::Unrecognised);
/// ```
#[derive(Debug)]
pub struct ImportError {
    /// What kind of trouble it is, to match on.
    pub kind: ErrorKind,
    /// The file, when it was opened by name.
    pub file: Option<PathBuf>,
    /// Where in the file.
    pub place: Place,
    /// One sentence: what, expected and found.
    pub message: String,
}

impl ImportError {
    pub(crate) fn new(kind: ErrorKind, place: Place, message: impl Into<String>) -> Self {
        Self { kind, file: None, place, message: message.into() }
    }

    #[allow(dead_code, reason = "each format uses its own few of these")]
    pub(crate) fn malformed(place: Place, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Malformed, place, message)
    }

    #[allow(dead_code, reason = "each format uses its own few of these")]
    pub(crate) fn out_of_range(place: Place, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::OutOfRange, place, message)
    }

    #[allow(dead_code, reason = "each format uses its own few of these")]
    pub(crate) fn unsupported(place: Place, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unsupported, place, message)
    }

    #[allow(dead_code, reason = "each format uses its own few of these")]
    pub(crate) fn truncated(place: Place, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Truncated, place, message)
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "cannot read {}: ", file.display())?;
        }
        f.write_str(&self.message)?;
        match &self.place {
            Place::Whole => Ok(()),
            place => write!(f, " ({place})"),
        }
    }
}

impl std::error::Error for ImportError {}

impl From<sinew_scene::SceneError> for ImportError {
    fn from(error: sinew_scene::SceneError) -> Self {
        Self::out_of_range(Place::Part(error.place), error.message)
    }
}
