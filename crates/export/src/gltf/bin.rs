//! The bytes of the buffer, as the lists that they are made of: copied once, into the file.
//!
//! In:  one list after another. Out: all of them in a row, each padded with zeros to a multiple of four bytes.

use std::ops::Deref;
use std::sync::Arc;

/// Bytes of the document's own, or of an image that the scene has.
#[derive(Debug)]
pub(super) enum Bytes {
    Own(Vec<u8>),
    Shared(Arc<[u8]>),
}

impl Bytes {
    /// To be written to; what is shared is copied first.
    pub(super) fn own(&mut self) -> &mut Vec<u8> {
        loop {
            match self {
                Self::Own(bytes) => return bytes,
                Self::Shared(bytes) => *self = Self::Own(bytes.to_vec()),
            }
        }
    }

    pub(super) fn into_vec(self) -> Vec<u8> {
        match self {
            Self::Own(bytes) => bytes,
            Self::Shared(bytes) => bytes.to_vec(),
        }
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Own(bytes) => bytes,
            Self::Shared(bytes) => bytes,
        }
    }
}

/// All bytes of the buffer.
#[derive(Debug, Default)]
pub(super) struct Bin {
    lists: Vec<Bytes>,
    length: usize,
}

impl Bin {
    /// With the padding of each list.
    pub(super) fn len(&self) -> usize {
        self.length
    }

    pub(super) fn push(&mut self, bytes: Bytes) {
        self.length += bytes.len().next_multiple_of(4);
        self.lists.push(bytes);
    }

    /// Puts all of it behind what is there. Each list is gone once it is copied.
    pub(super) fn append_to(self, file: &mut Vec<u8>) {
        file.reserve_exact(self.length);
        for list in self.lists {
            let end = file.len() + list.len().next_multiple_of(4);
            file.extend_from_slice(&list);
            file.resize(end, 0);
        }
    }
}
