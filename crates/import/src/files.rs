//! The other files that a file names: buffers, pictures, materials.
//!
//! A name inside a file is untrusted. [`Files::fetch`] gets it percent-decoded, checked by
//! [`plain_name`] and with `/` between folders, so it can only reach files in or below the file's own folder.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::{Error, ErrorKind, Place};

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
}

/// No companions: for files that hold everything themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn fetch(&self, _: &str) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// The most names that a folder is listed for.
const LONGEST_LIST: usize = 256;

/// Companions from the folder of the main file.
#[derive(Clone, Debug)]
pub struct Beside {
    folder: PathBuf,
    own_name: Option<String>,
}

impl Beside {
    /// The companions of the file at `path`.
    pub fn new(path: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        Self {
            folder: path.parent().unwrap_or(Path::new("")).to_owned(),
            own_name: path.file_name().and_then(|name| name.to_str()).map(str::to_owned),
        }
    }
}

impl Files for Beside {
    fn fetch(&self, name: &str) -> io::Result<Vec<u8>> {
        let path = self.folder.join(name);
        // A symbolic link below the folder may still lead out of it.
        let whole = path.canonicalize()?;
        let home = if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder };
        if !whole.starts_with(home.canonicalize()?) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        std::fs::read(whole)
    }

    fn list(&self, folder: &str) -> Option<Vec<String>> {
        let home = if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder };
        let entries = match std::fs::read_dir(home.join(folder)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Some(Vec::new()),
            Err(_) => return None,
        };
        let mut names = Vec::new();
        for entry in entries {
            // In large folders it takes less to ask for a few names.
            if names.len() == LONGEST_LIST {
                return None;
            }
            names.push(entry.ok()?.file_name().into_string().ok()?);
        }
        Some(names)
    }

    fn own_name(&self) -> Option<&str> {
        self.own_name.as_deref()
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
}

/// Checks a name found inside a file and gives it in the form [`Files::fetch`] takes:
/// percent-decoded, relative, with `/`, inside the folder.
pub fn plain_name(uri: &str, place: &Place) -> Result<String, Error> {
    let refuse = |why: &str| {
        let text = format!(
            "expected the name of a file in or below the model's folder, found \"{}\": {why}",
            shorten(uri)
        );
        Err(Error::new(ErrorKind::Refused, place.clone(), text))
    };
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

/// Fetches the companion that `uri` names.
#[allow(dead_code, reason = "each format uses its own few of these")]
pub(crate) fn fetch(files: &dyn Files, uri: &str, place: &Place) -> Result<Vec<u8>, Error> {
    let name = plain_name(uri, place)?;
    files.fetch(&name).map_err(|error| {
        let kind = match error.kind() {
            io::ErrorKind::PermissionDenied => ErrorKind::Refused,
            _ => ErrorKind::Missing,
        };
        let why = match error.kind() {
            io::ErrorKind::NotFound => "there is no such file".to_owned(),
            _ => error.to_string(),
        };
        Error::new(kind, place.clone(), format!("cannot read its companion \"{name}\": {why}"))
    })
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
    fn a_link_that_leads_out_of_the_folder_is_refused() {
        let folder = std::env::temp_dir().join(format!("sinew-files-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("in")).expect("a folder");
        std::fs::write(folder.join("secret"), b"x").expect("a file");
        #[cfg(unix)]
        std::os::unix::fs::symlink("../secret", folder.join("in/link")).expect("a link");
        let files = Beside::new(folder.join("in/model.gltf"));
        let found = files.fetch("link");
        std::fs::remove_dir_all(&folder).expect("cleaned up");
        assert!(found.is_err(), "{found:?}");
    }
}
