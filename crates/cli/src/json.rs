//! JSON written straight to the output: numbers by the million need no tree in memory.

use std::io::{self, Write};

/// A string, quoted.
pub(crate) fn string(out: &mut impl Write, text: &str) -> io::Result<()> {
    serde_json::to_writer(out, text).map_err(io::Error::from)
}

/// `[…]` with a comma between the items, each written by `item`.
pub(crate) fn list<W: Write, T>(
    out: &mut W,
    items: impl IntoIterator<Item = T>,
    mut item: impl FnMut(&mut W, T) -> io::Result<()>,
) -> io::Result<()> {
    out.write_all(b"[")?;
    for (index, value) in items.into_iter().enumerate() {
        if index > 0 {
            out.write_all(b",")?;
        }
        item(out, value)?;
    }
    out.write_all(b"]")
}

/// `[1,2.5,…]`; the numbers must be finite.
pub(crate) fn numbers(
    out: &mut impl Write,
    numbers: impl IntoIterator<Item = f32>,
) -> io::Result<()> {
    list(out, numbers, |out, number| write!(out, "{number}"))
}
