//! What the command writes: results to standard output, only when the whole result stands and with a broken pipe reported; the
//! rest to standard error, where nobody has to listen.

use std::io::{self, Write};

use crate::fault::Fault;

/// Makes a result in memory, then writes it to standard output.
pub(crate) fn write(fill: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Result<(), Fault> {
    let mut result = Vec::new();
    fill(&mut result)?;
    let mut out = io::stdout().lock();
    out.write_all(&result)?;
    out.flush()?;
    Ok(())
}

/// Writes a line to standard error. Unlike `eprintln!` it does not panic where that is closed, as in `sinew … 2>&1 | head`.
macro_rules! tell {
    ($($line:tt)*) => {{
        let line = format!($($line)*);
        $crate::output::to_stderr(&(line + "\n"));
    }};
}
pub(crate) use tell;

/// Writes to standard error as it is.
pub(crate) fn to_stderr(text: &str) {
    // There is nobody left to report it to.
    let _ = io::stderr().write_all(text.as_bytes());
}
