//! The other files that a file names: buffers, images, materials.
//!
//! A name inside a file is untrusted. [`Files::fetch`] gets it percent-decoded, checked by
//! [`plain_name`] and with `/` between folders, so it can only reach files in or below the file's own
//! folder. What leads out of it is asked for apart, and refused unless a person has allowed it.

mod beside;
mod missing;

use std::collections::HashMap;
use std::io;

pub use beside::Beside;
pub(crate) use missing::{MissingFiles, NOT_FOUND};

use crate::{ErrorKind, ImportError, Place};

/// Where a file's companions come from.
pub trait Files {
    /// The bytes of the companion `name`: a relative path with `/`, without `..`.
    ///
    /// # Errors
    /// As the operating system has it; `NotFound` when there is no such file.
    fn fetch(&self, name: &str) -> io::Result<Vec<u8>>;

    /// The names of all files in a folder, given as in [`fetch`](Self::fetch) and empty for the main
    /// file's own; `None` when that is not known or too much to say. Saves a reader that guesses at
    /// names from asking for each.
    fn list(&self, folder: &str) -> Option<Vec<String>> {
        let _ = folder;
        None
    }

    /// The name of the main file itself, when it has one: formats that come in pairs look for a
    /// companion of the same stem.
    fn own_name(&self) -> Option<&str> {
        None
    }

    /// The bytes of a companion whose name leads out of the folder: with `..`, or absolute.
    ///
    /// # Errors
    /// `PermissionDenied` where that is not allowed, which is the default.
    fn fetch_outside(&self, name: &str) -> io::Result<Vec<u8>> {
        let _ = name;
        Err(io::ErrorKind::PermissionDenied.into())
    }

    /// The bytes of a companion of this name in any of the folders, for names that hold the folders
    /// of a machine long gone.
    fn search(&self, base_name: &str) -> Option<Vec<u8>> {
        let _ = base_name;
        None
    }

    /// Where companions are looked for, in words.
    fn places(&self) -> String {
        "the files that came with the model".to_owned()
    }
}

/// No companions: for files that hold everything themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn fetch(&self, _: &str) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// Companions held in memory, by name: dropped on a web page, or made by a program.
#[derive(Clone, Debug, Default)]
pub struct InMemory {
    /// Relative path with `/`, and bytes.
    pub files: HashMap<String, Vec<u8>>,
    /// The main file's own name.
    pub own_name: Option<String>,
}

impl Files for InMemory {
    fn fetch(&self, name: &str) -> io::Result<Vec<u8>> {
        self.files.get(name).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn own_name(&self) -> Option<&str> {
        self.own_name.as_deref()
    }

    fn search(&self, wanted: &str) -> Option<Vec<u8>> {
        let same = |name: &&String| base_name(name).eq_ignore_ascii_case(wanted);
        // A map has no order of its own; the shortest name is in the fewest folders.
        let found = self.files.keys().filter(same).min_by_key(|name| (name.len(), *name))?;
        self.files.get(found).cloned()
    }
}

/// Checks a name found inside a file and gives it in the form [`Files::fetch`] takes:
/// percent-decoded, relative, with `/`, inside the folder.
pub fn plain_name(uri: &str, place: &Place) -> Result<String, ImportError> {
    let refuse = |why: &str| {
        let text = format!(
            "expected the name of a file in or below the model's folder, found \"{}\": {why}",
            shorten(uri)
        );
        Err(ImportError::new(ErrorKind::Refused, place.clone(), text))
    };
    let is_special = |byte: u8| matches!(byte, b'%' | b'\\' | b'/' | b':' | 0);
    if !uri.is_empty() && !uri.starts_with('.') && !uri.bytes().any(is_special) {
        return Ok(uri.to_owned());
    }
    let name = percent_decode(uri).replace('\\', "/");
    if name.contains('\0') {
        return refuse("it holds a zero byte");
    }
    if name.starts_with('/') {
        return refuse("it is absolute");
    }
    if let Some(colon) = name.find(':')
        && !name[..colon].contains('/')
    {
        return refuse("it has a URL scheme or a drive letter");
    }
    let steps: Vec<&str> = name.split('/').filter(|step| !matches!(*step, "" | ".")).collect();
    if steps.contains(&"..") {
        return refuse("it leads out of the folder");
    }
    if steps.is_empty() {
        return refuse("it is empty");
    }
    Ok(steps.join("/"))
}

/// Fetches the companion that `uri` names; what is not there is looked for by its base name.
#[allow(dead_code, reason = "each format uses its own few of these")]
pub(crate) fn fetch(files: &dyn Files, uri: &str, place: &Place) -> Result<Vec<u8>, ImportError> {
    fetch_named(files, uri, place).or_else(|error| match error.kind {
        ErrorKind::TooLarge => Err(error),
        _ => files.search(base_name(&percent_decode(uri))).ok_or(error),
    })
}

/// Fetches the companion that `uri` names, from where it says.
pub(crate) fn fetch_named(
    files: &dyn Files,
    uri: &str,
    place: &Place,
) -> Result<Vec<u8>, ImportError> {
    match plain_name(uri, place) {
        Ok(name) => files.fetch(&name).map_err(|error| unreadable(&name, &error, files, place)),
        Err(refused) => {
            let name = percent_decode(uri).replace('\\', "/");
            let name = name.strip_prefix("file://").unwrap_or(&name);
            files.fetch_outside(name).map_err(|error| match error.kind() {
                io::ErrorKind::PermissionDenied => allowable(refused),
                _ => unreadable(name, &error, files, place),
            })
        }
    }
}

/// A refusal, with what a person can do about it.
fn allowable(mut refused: ImportError) -> ImportError {
    refused.message += " (--allow DIR, or Options::allow in code, lets it be read from there)";
    refused
}

fn unreadable(name: &str, error: &io::Error, files: &dyn Files, place: &Place) -> ImportError {
    let kind = match error.kind() {
        io::ErrorKind::PermissionDenied => ErrorKind::Refused,
        io::ErrorKind::FileTooLarge => ErrorKind::TooLarge,
        io::ErrorKind::InvalidData => ErrorKind::Malformed,
        io::ErrorKind::NotFound => ErrorKind::Missing,
        _ => ErrorKind::Io,
    };
    let why = match error.kind() {
        io::ErrorKind::NotFound => format!("there is no such file in {}", files.places()),
        _ => error.to_string(),
    };
    let name = shorten(name);
    ImportError::new(kind, place.clone(), format!("cannot read its companion \"{name}\": {why}"))
}

/// The last step of a path in either slash.
pub(crate) fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The main file's own name without its extension.
#[allow(dead_code, reason = "each format uses its own few of these")]
pub(crate) fn own_stem(files: &dyn Files) -> Option<&str> {
    let name = files.own_name()?;
    let name = name.rsplit(['/', '\\']).next()?;
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    (!stem.is_empty()).then_some(stem)
}

fn percent_decode(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes.get(at + 1..at + 3).and_then(|pair| std::str::from_utf8(pair).ok());
        let byte = hex.and_then(|pair| u8::from_str_radix(pair, 16).ok());
        match (bytes[at], byte) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 3;
            }
            (byte, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

/// A name short enough for a message.
pub(crate) fn shorten(text: &str) -> String {
    if text.chars().count() <= 80 {
        return text.to_owned();
    }
    text.chars().take(77).chain("...".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_percent_decoded_and_may_have_spaces() {
        let name = plain_name("a%20b/./c%C3%A9.bin", &Place::Whole).expect("a plain name");
        assert_eq!(name, "a b/cé.bin");
    }

    #[test]
    fn names_that_lead_out_of_the_folder_are_refused() {
        for name in [
            "/etc/passwd",
            "../x.bin",
            "a/../../x",
            "%2e%2e/x",
            "..\\x",
            "C:\\x",
            "file:///etc/passwd",
            "http://a/b",
            "",
            "./",
            "a\0b",
            "%2Fetc/passwd",
        ] {
            let error = plain_name(name, &Place::Whole).expect_err(name);
            assert_eq!(error.kind, ErrorKind::Refused, "{name}");
        }
    }

    #[test]
    fn what_is_not_where_it_is_named_is_found_by_its_base_name() {
        let mut files = InMemory::default();
        files.files.insert("textures/Skin A.png".into(), b"skin".to_vec());
        files.files.insert("old/textures/skin a.png".into(), b"other".to_vec());
        for uri in ["C:\\art\\skin%20a.png", "../skin a.png", "gone/Skin%20A.png", "/x/SKIN A.PNG"]
        {
            assert_eq!(fetch(&files, uri, &Place::Whole).expect(uri), b"skin", "{uri}");
        }
        let error = fetch(&files, "none.png", &Place::Whole).expect_err("missing");
        assert_eq!(error.kind, ErrorKind::Missing);
        assert!(error.message.contains("in the files that came with the model"), "{error}");
    }

    #[test]
    fn a_refusal_says_what_allows_it() {
        let error = fetch(&NoFiles, "../x.bin", &Place::Whole).expect_err("outside");
        assert_eq!(error.kind, ErrorKind::Refused);
        assert!(error.message.contains("--allow DIR"), "{error}");
    }
}
