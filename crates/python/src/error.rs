//! Errors as exceptions, with the same sentences as the command's; and the way into long work.
//!
//! In:  errors of the library, and closures that may take long.
//! Out: exceptions. Long work runs without the interpreter's lock; a panic in it becomes `sinew.InternalError`.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::pool;
use pyo3::exceptions::{PyFileNotFoundError, PyKeyError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use sinew::ImportError;
use sinew::import::ErrorKind;

pyo3::create_exception!(
    sinew,
    ReadError,
    PyValueError,
    "A file cannot be used. The message says what, where in the file, expected and found."
);
pyo3::create_exception!(
    sinew,
    RetargetError,
    PyValueError,
    "A clip cannot be retargeted: no body was found in a skeleton, or a map cannot be used."
);
pyo3::create_exception!(
    sinew,
    InternalError,
    PyRuntimeError,
    "A fault of Sinew itself. Please report it with the file that caused it."
);

/// What was wrong with an argument.
pub(crate) fn bad(message: impl Display) -> PyErr {
    PyValueError::new_err(message.to_string())
}

/// A name that does not exist.
pub(crate) fn unknown(message: impl Display) -> PyErr {
    PyKeyError::new_err(message.to_string())
}

/// A file that cannot be opened is an `OSError`, one that cannot be understood a `ReadError`.
pub(crate) fn import_error(error: &ImportError) -> PyErr {
    let message = error.to_string();
    let missing = || error.file.as_ref().is_some_and(|file| !file.exists());
    match error.kind {
        ErrorKind::Io if missing() => PyFileNotFoundError::new_err(message),
        ErrorKind::Io => PyOSError::new_err(message),
        _ => ReadError::new_err(message),
    }
}

/// Runs long work without the interpreter's lock.
pub(crate) fn work<T: Send>(
    py: Python<'_>,
    job: impl FnOnce() -> Result<T, PyErr> + Send,
) -> PyResult<T> {
    py.detach(|| catch_unwind(AssertUnwindSafe(|| pool::install(job)))).unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<&str>().map(|words| (*words).to_owned());
        let words = words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Err(InternalError::new_err(format!(
            "a fault of Sinew itself: {words}; please report it with the file that caused it"
        )))
    })
}
