//! A zip archive as a folder: the model in it, and its companions.
//!
//! In:  names relative to the model. Out: bytes, checked against the directory's sum and size.
//!
//! All that is unpacked is taken out of one allowance, so that many entries over the same few
//! bytes cannot add up to more than an archive of this size should hold.

use std::cell::Cell;
use std::collections::HashMap;
use std::io;

use super::directory::Entry;
use super::inflate::{crc32, inflate, too_large};
use crate::files::{Files, base_name};
use crate::{ErrorKind, ImportError, Place};

const STORED: u16 = 0;
const DEFLATED: u16 = 8;

/// An archive, opened.
pub(super) struct Zip<'a> {
    bytes: &'a [u8],
    pub(super) entries: Vec<Entry>,
    by_name: HashMap<String, usize>,
    /// Lowercase base names; of several the one in the fewest folders.
    by_base: HashMap<String, usize>,
    /// Bytes that may still be unpacked.
    left: Cell<usize>,
}

impl<'a> Zip<'a> {
    pub(super) fn new(bytes: &'a [u8], entries: Vec<Entry>, allowance: usize) -> Self {
        let mut by_name = HashMap::new();
        let mut order: Vec<usize> = (0..entries.len()).collect();
        order.sort_by_key(|&at| entries[at].name.matches('/').count());
        let mut by_base = HashMap::new();
        for at in order {
            let name = entries[at].name.to_ascii_lowercase();
            by_base.entry(base_name(&name).to_owned()).or_insert(at);
            by_name.insert(name, at);
        }
        Self { bytes, entries, by_name, by_base, left: Cell::new(allowance) }
    }

    /// The entry with this name, in capitals or not.
    pub(super) fn at(&self, name: &str) -> Option<usize> {
        self.by_name.get(&name.to_ascii_lowercase()).copied()
    }

    /// Unpacks an entry.
    pub(super) fn unpack(&self, at: usize) -> Result<Vec<u8>, ImportError> {
        let entry = &self.entries[at];
        if entry.encrypted {
            return Err(ImportError::unsupported(
                Place::Whole,
                "it is encrypted: unpack the archive first",
            ));
        }
        let size = usize::try_from(entry.size).unwrap_or(usize::MAX);
        if size > self.left.get() {
            return Err(too_large(self.left.get()));
        }
        let packed = self.packed(entry).ok_or_else(|| {
            ImportError::truncated(Place::Whole, "the archive ends before its data does")
        })?;
        let bytes = match entry.method {
            STORED => packed.to_vec(),
            DEFLATED => inflate(packed, size)?.bytes,
            method => return Err(unknown(method)),
        };
        self.left.set(self.left.get() - bytes.len().min(self.left.get()));
        if bytes.len() != size || crc32(&bytes) != entry.crc {
            let text = "it is damaged: its length or check sum is another";
            return Err(ImportError::malformed(Place::Whole, text));
        }
        Ok(bytes)
    }

    /// The bytes of an entry behind its local header, whose lengths count there.
    fn packed(&self, entry: &Entry) -> Option<&'a [u8]> {
        let header = self.bytes.get(usize::try_from(entry.header).ok()?..)?;
        if !header.starts_with(b"PK\x03\x04") {
            return None;
        }
        let length = |at: usize| {
            let pair: &[u8; 2] = header.get(at..)?.first_chunk()?;
            Some(usize::from(u16::from_le_bytes(*pair)))
        };
        let from = 30 + length(26)? + length(28)?;
        let packed = usize::try_from(entry.packed).ok()?;
        // What is stored is as long as it is.
        let size = if entry.method == STORED { usize::try_from(entry.size).ok()? } else { packed };
        header.get(from..from.checked_add(size)?)
    }
}

fn unknown(method: u16) -> ImportError {
    let name = match method {
        9 => "Deflate64",
        12 => "bzip2",
        14 => "LZMA",
        93 => "Zstandard",
        95 => "XZ",
        99 => "encryption (AES)",
        _ => "a method that is not known",
    };
    let text =
        format!("it is packed by {name} ({method}), which is not read: unpack the archive first");
    ImportError::unsupported(Place::Whole, text)
}

/// The archive as the folder of one of its files.
pub(super) struct Inside<'a> {
    pub(super) zip: &'a Zip<'a>,
    /// With `/` at its end; empty at the top.
    pub(super) folder: String,
    pub(super) own_name: String,
}

impl<'a> Inside<'a> {
    pub(super) fn new(zip: &'a Zip<'a>, model: usize) -> Self {
        let name = &zip.entries[model].name;
        let (folder, own_name) = name.split_at(name.rfind('/').map_or(0, |slash| slash + 1));
        Self { zip, folder: folder.to_owned(), own_name: own_name.to_owned() }
    }

    fn get(&self, at: Option<usize>) -> io::Result<Vec<u8>> {
        let at = at.ok_or(io::ErrorKind::NotFound)?;
        self.zip.unpack(at).map_err(|error| {
            let kind = match error.kind {
                ErrorKind::TooLarge => io::ErrorKind::FileTooLarge,
                _ => io::ErrorKind::InvalidData,
            };
            io::Error::new(kind, error.message)
        })
    }
}

impl Files for Inside<'_> {
    fn fetch(&self, name: &str) -> io::Result<Vec<u8>> {
        self.get(self.zip.at(&format!("{}{name}", self.folder)))
    }

    fn own_name(&self) -> Option<&str> {
        Some(&self.own_name)
    }

    /// Out of the model's folder, but not of the archive.
    fn fetch_outside(&self, name: &str) -> io::Result<Vec<u8>> {
        let mut steps: Vec<&str> = self.folder.split('/').filter(|step| !step.is_empty()).collect();
        for step in name.split('/').filter(|step| !matches!(*step, "" | ".")) {
            match step {
                ".." if steps.pop().is_none() => return Err(io::ErrorKind::PermissionDenied.into()),
                ".." => {}
                step => steps.push(step),
            }
        }
        self.get(self.zip.at(&steps.join("/")))
    }

    fn search(&self, base_name: &str) -> Option<Vec<u8>> {
        self.get(self.zip.by_base.get(&base_name.to_ascii_lowercase()).copied()).ok()
    }

    fn places(&self) -> String {
        "the archive".to_owned()
    }
}
