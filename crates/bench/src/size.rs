//! The size of an image, as it is written: `640x480`.

use std::str::FromStr;

/// Width and height, or columns and rows; neither is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Pixels, or columns.
    pub width: u32,
    /// Pixels, or rows.
    pub height: u32,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text.split_once(['x', 'X', '×']);
        let sides = sides.and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
        match sides {
            Some((0, _) | (_, 0)) => Err("expected neither number to be 0".into()),
            Some((width, height)) => Ok(Self { width, height }),
            None => Err("expected two numbers with an x between them, like 640x480".into()),
        }
    }
}
