//! Why a measurement stopped.

use std::{fmt, io};

/// Why a measurement stopped.
#[derive(Debug)]
#[non_exhaustive]
pub enum BenchError {
    /// Standard output could not be written.
    Output(io::Error),
    /// The input or the work failed.
    Work(String),
    /// The arguments make no sense together.
    Usage(String),
}

impl fmt::Display for BenchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Output(error) => write!(f, "cannot write the output: {error}"),
            Self::Work(message) | Self::Usage(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for BenchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Output(error) => Some(error),
            Self::Work(_) | Self::Usage(_) => None,
        }
    }
}

impl From<sinew::ImportError> for BenchError {
    fn from(error: sinew::ImportError) -> Self {
        Self::Work(error.to_string())
    }
}

impl From<sinew::render::RenderError> for BenchError {
    fn from(error: sinew::render::RenderError) -> Self {
        Self::Work(error.to_string())
    }
}

impl From<io::Error> for BenchError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
