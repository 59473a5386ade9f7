//! Little-endian numbers, names and matrices, one after the other.

use glam::{DAffine3, DMat3, DVec3};

use crate::text::name;
use crate::{ImportError, Place};

/// A place in a file, moving forward.
#[derive(Clone)]
pub(super) struct File<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// Sixteen floats.
pub(super) const MATRIX: usize = 64;

impl<'a> File<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn place(&self) -> Place {
        Place::Byte(self.at)
    }

    pub(super) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], ImportError> {
        let rest = &self.bytes[self.at..];
        let Some(taken) = rest.get(..count) else {
            let text = format!("expected {count} more bytes, found {}", rest.len());
            return Err(ImportError::truncated(self.place(), text));
        };
        self.at += count;
        Ok(taken)
    }

    /// `rows` times `columns` matrices, not yet read.
    pub(super) fn matrices(
        &mut self,
        rows: usize,
        columns: usize,
    ) -> Result<&'a [u8], ImportError> {
        self.take(rows.saturating_mul(columns).saturating_mul(MATRIX))
    }

    pub(super) fn magic(&mut self, expected: &[u8]) -> Result<(), ImportError> {
        let found = self.take(expected.len())?;
        if found == expected {
            return Ok(());
        }
        let (expected, found) = (name(expected), name(found));
        let text = format!("expected \"{expected}\" first, found \"{}\"", found.escape_debug());
        Err(ImportError::malformed(Place::Byte(0), text))
    }

    pub(super) fn number(&mut self) -> Result<usize, ImportError> {
        let pair = self.take(2)?;
        Ok(usize::from(u16::from_le_bytes([pair[0], pair[1]])))
    }

    pub(super) fn name(&mut self) -> Result<String, ImportError> {
        let length = self.number()?;
        let bytes = self.take(length)?;
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(length);
        Ok(name(&bytes[..end]))
    }
}

/// Every float in these bytes.
pub(super) fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> {
    bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four))
}

/// A matrix by columns; its bottom row is not read. `None` when a number is not finite.
pub(super) fn matrix(bytes: &[u8]) -> Option<DAffine3> {
    let mut columns = [DVec3::ZERO; 4];
    for (at, number) in floats(bytes).enumerate().take(16) {
        if at % 4 < 3 {
            columns[at / 4][at % 4] = f64::from(number);
        }
    }
    let [x, y, z, translation] = columns;
    let matrix = DAffine3 { matrix3: DMat3::from_cols(x, y, z), translation };
    matrix.is_finite().then_some(matrix)
}
