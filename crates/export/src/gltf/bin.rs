//! The bytes of the buffer, as the lists that they are made of: copied once, into the file.
//!
//! In:  one list after another. Out: all of them in a row, each padded with zeros to a multiple of four bytes.

use std::ops::Deref;
use std::sync::Arc;

use bytemuck::NoUninit;
use rayon::prelude::*;

/// Bytes that are copied together.
const PIECE: usize = 1 << 20;

/// Bytes of the document's own, of an image that the scene has, or of numbers that are written as the scene has them.
#[derive(Clone, Debug)]
pub(super) enum Bytes<'a> {
    Own(Vec<u8>),
    Shared(Arc<[u8]>),
    Scene(&'a [u8]),
}

impl<'a> Bytes<'a> {
    /// Numbers as the file has them, the least byte first: as they are, where this machine has them so too.
    pub(super) fn of<T: NoUninit, const N: usize>(
        values: &'a [T],
        bytes: impl Fn(T) -> [u8; N],
    ) -> Self {
        if cfg!(target_endian = "little") && size_of::<T>() == N {
            return Self::Scene(bytemuck::cast_slice(values));
        }
        Self::Own(values.iter().flat_map(|&value| bytes(value)).collect())
    }

    pub(super) fn into_vec(self) -> Vec<u8> {
        match self {
            Self::Own(bytes) => bytes,
            Self::Shared(bytes) => bytes.to_vec(),
            Self::Scene(bytes) => bytes.to_vec(),
        }
    }
}

impl Deref for Bytes<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Own(bytes) => bytes,
            Self::Shared(bytes) => bytes,
            Self::Scene(bytes) => bytes,
        }
    }
}

/// All bytes of the buffer.
#[derive(Debug, Default)]
pub(super) struct Bin<'a> {
    lists: Vec<Bytes<'a>>,
    length: usize,
}

impl<'a> Bin<'a> {
    /// With the padding of each list.
    pub(super) fn len(&self) -> usize {
        self.length
    }

    pub(super) fn push(&mut self, bytes: Bytes<'a>) {
        self.length += bytes.len().next_multiple_of(4);
        self.lists.push(bytes);
    }

    /// All of it behind a head. Most of the time goes to memory that is new, so pieces of it are filled beside each other.
    pub(super) fn behind(self, head: &[u8]) -> Vec<u8> {
        let mut file = vec![0; head.len() + self.length];
        let (start, mut rest) = file.split_at_mut(head.len());
        start.copy_from_slice(head);
        let mut pieces = Vec::new();
        for list in &self.lists {
            let (own, after) = rest.split_at_mut(list.len().next_multiple_of(4));
            pieces.extend(own[..list.len()].chunks_mut(PIECE).zip(list.chunks(PIECE)));
            rest = after;
        }
        pieces.into_par_iter().for_each(|(to, from)| to.copy_from_slice(from));
        file
    }
}
