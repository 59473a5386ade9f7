//! Standard output, written only when the whole table is made.

use std::io::{self, Write};

use crate::BenchError;

/// Makes a table in memory, then writes it to standard output.
pub(crate) fn write(fill: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Result<(), BenchError> {
    let mut table = Vec::new();
    fill(&mut table)?;
    let mut out = io::stdout().lock();
    out.write_all(&table)?;
    out.flush()?;
    Ok(())
}
