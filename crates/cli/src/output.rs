//! Standard output: written only when the whole result stands, with a broken pipe told apart.

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
