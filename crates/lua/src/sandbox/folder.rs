//! The files that a script may read: those in or below its own folder.
//!
//! In:  a name that a script gave, relative, with `/`.
//! Out: bytes; or a message that says why not. Neither `..`, absolute names nor links lead out, and only plain files are read.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sinew::import::{Files, Place, plain_name};

/// A script's own folder.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The folder of the script at `path`, which must be there.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        folder.canonicalize().map(|root| Self { root })
    }

    /// The name in its plain form: relative, with `/`, inside the folder.
    pub(crate) fn plain(name: &str) -> Result<String, String> {
        // A name is a name here, not an address: a percent sign is itself.
        plain_name(&name.replace('%', "%25"), &Place::Whole)
            .map_err(|error| error.message.replace("the model's folder", "the script's folder"))
    }

    /// The bytes of a file.
    pub(crate) fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        let plain = Self::plain(name)?;
        self.fetch(&plain).map_err(|error| {
            let why = match error.kind() {
                io::ErrorKind::NotFound => "there is no such file in the script's folder".into(),
                io::ErrorKind::PermissionDenied => {
                    "it may not be read, or leads out of the script's folder".into()
                }
                io::ErrorKind::InvalidInput => "it is no plain file".into(),
                _ => error.to_string(),
            };
            format!("cannot read \"{plain}\": {why}")
        })
    }

    /// The files beside one of them: what a model's companions are looked for in.
    pub(crate) fn beside<'a>(&'a self, plain: &'a str) -> Beside<'a> {
        let cut = plain.rfind('/').map_or(0, |slash| slash + 1);
        let (folder, own_name) = plain.split_at(cut);
        Beside { folder: self, below: folder, own_name }
    }
}

impl Files for Folder {
    fn fetch(&self, name: &str) -> io::Result<Vec<u8>> {
        let whole = self.root.join(name).canonicalize()?;
        if !whole.starts_with(&self.root) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        // A pipe or a device would never end.
        if !fs::metadata(&whole)?.is_file() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        fs::read(whole)
    }
}

/// The companions of a file below the folder.
#[derive(Debug)]
pub(crate) struct Beside<'a> {
    folder: &'a Folder,
    below: &'a str,
    own_name: &'a str,
}

impl Files for Beside<'_> {
    fn fetch(&self, name: &str) -> io::Result<Vec<u8>> {
        self.folder.fetch(&format!("{}{name}", self.below))
    }

    fn own_name(&self) -> Option<&str> {
        Some(self.own_name)
    }
}
