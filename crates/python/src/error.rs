//! Errors as exceptions, with the same sentences as the command's; and the way into long work.
//!
//! In:  errors of the library, and closures that may take long.
//! Out: exceptions. Long work runs without the interpreter's lock; a panic in it becomes `sinew.InternalError`.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crate::pool;
use pyo3::exceptions::{
    PyFileNotFoundError, PyKeyError, PyOSError, PyRuntimeError, PySystemExit, PyValueError,
};
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

/// How many threads are at long work, and whether the interpreter is about to end.
static AT_WORK: AtomicUsize = AtomicUsize::new(0);
static ENDING: AtomicBool = AtomicBool::new(false);

/// Milliseconds in which a thread that was about to begin comes to see that it may not.
const LEAVING: u32 = 50;

/// Lets no more long work begin, and waits for what is going on: a thread that wants the lock of an interpreter which
/// has ended is torn down in the middle. Called when the interpreter ends, in the process that loaded the module.
#[pyfunction]
pub(crate) fn finish(py: Python<'_>) {
    ENDING.store(true, Ordering::SeqCst);
    py.detach(|| {
        let mut quiet = 0;
        while quiet < LEAVING {
            std::thread::sleep(Duration::from_millis(1));
            quiet = if AT_WORK.load(Ordering::SeqCst) > 0 { 0 } else { quiet + 1 };
        }
    });
}

/// Runs long work without the interpreter's lock.
pub(crate) fn work<T: Send>(
    py: Python<'_>,
    job: impl FnOnce() -> Result<T, PyErr> + Send,
) -> PyResult<T> {
    if ENDING.load(Ordering::SeqCst) {
        // Ends this thread without a word.
        return Err(PySystemExit::new_err(()));
    }
    AT_WORK.fetch_add(1, Ordering::SeqCst);
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(|| pool::install(job))));
    AT_WORK.fetch_sub(1, Ordering::SeqCst);
    done.unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<&str>().map(|words| (*words).to_owned());
        let words = words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Err(InternalError::new_err(format!(
            "a fault of Sinew itself: {words}; please report it with the file that caused it"
        )))
    })
}
