//! Standard output, buffered, with a broken pipe told apart.

use std::io::{self, BufWriter, StdoutLock, Write};

use crate::fault::Fault;

/// Writes a result to standard output.
pub(crate) fn write(
    fill: impl FnOnce(&mut BufWriter<StdoutLock<'static>>) -> io::Result<()>,
) -> Result<(), Fault> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    fill(&mut out)?;
    out.flush()?;
    Ok(())
}
