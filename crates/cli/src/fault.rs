//! Why a command stopped.

use std::io;

/// Why a command stopped.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The reader of our output went away: not an error.
    Pipe,
    /// The input or the work failed.
    Work(String),
    /// The arguments make no sense together.
    Usage(String),
    /// All is said; the program ends with this code.
    Silent(u8),
    /// An input cannot be read, for commands that tell it from a negative answer.
    Unreadable(String),
}

impl Fault {
    /// What is said of it.
    pub(crate) fn into_message(self) -> String {
        match self {
            Self::Work(text) | Self::Usage(text) | Self::Unreadable(text) => text,
            Self::Pipe | Self::Silent(_) => "nobody reads the output".into(),
        }
    }
}

impl From<sinew::ImportError> for Fault {
    fn from(error: sinew::ImportError) -> Self {
        Self::Work(error.to_string())
    }
}

impl From<sinew::render::RenderError> for Fault {
    fn from(error: sinew::render::RenderError) -> Self {
        Self::Work(error.to_string())
    }
}

impl From<sinew::film::FilmError> for Fault {
    fn from(error: sinew::film::FilmError) -> Self {
        Self::Work(error.to_string())
    }
}

impl From<sinew::crowd::gpu::CrowdError> for Fault {
    fn from(error: sinew::crowd::gpu::CrowdError) -> Self {
        Self::Work(error.to_string())
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Pipe,
            io::ErrorKind::Other => Self::Work(error.to_string()),
            _ => Self::Work(format!("cannot write the output: {error}")),
        }
    }
}

#[cfg(feature = "bench")]
impl From<sinew_bench::BenchError> for Fault {
    fn from(error: sinew_bench::BenchError) -> Self {
        match error {
            sinew_bench::BenchError::Output(error) => error.into(),
            sinew_bench::BenchError::Usage(message) => Self::Usage(message),
            other => Self::Work(other.to_string()),
        }
    }
}
