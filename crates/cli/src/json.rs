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

/// `[1,2.5,…]`. JSON has no infinite numbers: one that overflowed on its way down the tree fails.
pub(crate) fn numbers(
    out: &mut impl Write,
    numbers: impl IntoIterator<Item = f32>,
) -> io::Result<()> {
    list(out, numbers, |out, number: f32| match number.is_finite() {
        true => write!(out, "{number}"),
        false => Err(io::Error::other("the pose has numbers too large for single precision")),
    })
}
