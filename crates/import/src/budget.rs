//! A bound on what a file may make us allocate: a small file with huge counts is an error, not an
//! exhausted machine.
//!
//! In:  the sizes of the file and its companions. Out: whether an allocation may be made.

use crate::{ErrorKind, ImportError, Place};

/// Bytes that may still be allocated on behalf of one file.
#[derive(Debug)]
pub(crate) struct Budget {
    left: usize,
    /// Whether companions make it larger.
    grows: bool,
    /// Of copies of what the file has once.
    left_for_copies: usize,
}

/// What any file may take, however small it is.
const FLOOR: usize = 32 << 20;
/// The most that packed data unpacks to, in honest files, is a few dozen times its size.
const PER_BYTE: usize = 64;
/// A small file may show one shape in many materials.
const COPIES: usize = 256 << 20;

impl Budget {
    pub(crate) fn for_file(bytes: usize) -> Self {
        Self { left: Self::allowance(bytes), grows: true, left_for_copies: COPIES }
    }

    /// For what comes out of an archive of so many bytes: companions come out of it too.
    #[cfg(feature = "archive")]
    pub(crate) fn fixed(bytes: usize) -> Self {
        Self { grows: false, ..Self::for_file(bytes) }
    }

    /// What a file of so many bytes may become.
    pub(crate) fn allowance(bytes: usize) -> usize {
        FLOOR.saturating_add(bytes.saturating_mul(PER_BYTE))
    }

    /// A companion file has been read: its size counts too.
    pub(crate) fn add_file(&mut self, bytes: usize) {
        if self.grows {
            self.left = self.left.saturating_add(bytes.saturating_mul(PER_BYTE));
        }
    }

    /// Takes `count` entries of `size` bytes out of the budget; call before allocating them.
    pub(crate) fn take(
        &mut self,
        count: usize,
        size: usize,
        place: &Place,
    ) -> Result<(), ImportError> {
        let wanted = count.saturating_mul(size);
        if wanted > self.left {
            let text = format!(
                "{count} entries of {size} bytes are more than a file of this size should hold"
            );
            return Err(ImportError::new(ErrorKind::TooLarge, place.clone(), text));
        }
        self.left -= wanted;
        Ok(())
    }

    /// Takes a copy of what was paid for before: copies have a share of their own, then the file's.
    #[allow(dead_code, reason = "only formats that share parts make copies")]
    pub(crate) fn take_copy(&mut self, bytes: usize, place: &Place) -> Result<(), ImportError> {
        let free = bytes.min(self.left_for_copies);
        self.take(bytes - free, 1, place)?;
        self.left_for_copies -= free;
        Ok(())
    }
}
