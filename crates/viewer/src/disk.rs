//! Files by their paths: those of the machine or, in a browser, those that a person has dropped on the page.
//!
//! In:  a path. Out: what is there. A browser has no file system: the page hands files over with [`put`].

use std::io;
use std::path::Path;

use sinew::render::Environment;
use sinew::{ImportError, Imported, Model, Options, Stage};

#[cfg(not(target_arch = "wasm32"))]
mod place {
    use super::*;

    /// Opens a model, or a built-in one by its name.
    pub(crate) fn open_model(path: &Path, options: &Options) -> Result<Model, ImportError> {
        Model::open_with(path, options)
    }

    /// Reads a model's file as it is.
    pub(crate) fn import(path: &Path, options: &Options) -> Result<Imported, ImportError> {
        options.open(path)
    }

    /// The bytes of a packed clip; `None` where the file is something else.
    pub(crate) fn open_packed(path: &Path) -> Result<Option<Vec<u8>>, ImportError> {
        sinew::open_packed(path)
    }

    /// Opens a scene file.
    pub(crate) fn open_stage(path: &Path, options: &Options) -> Result<Stage, ImportError> {
        Stage::open_with(path, options)
    }

    /// Opens an image all around.
    pub(crate) fn open_environment(path: &Path) -> Result<Environment, ImportError> {
        sinew::stage::open_environment(path)
    }

    pub(crate) fn read_to_string(path: &Path) -> io::Result<String> {
        std::fs::read_to_string(path)
    }

    /// In bytes; zero for what is built in.
    pub(crate) fn size(path: &Path) -> u64 {
        std::fs::metadata(path).map_or(0, |about| about.len())
    }

    pub(crate) fn exists(path: &Path) -> bool {
        path.exists()
    }
}

#[cfg(target_arch = "wasm32")]
mod place {
    use std::cell::RefCell;
    use std::collections::BTreeMap;
    use std::path::PathBuf;

    use sinew::import::{ErrorKind, Files, Place};

    use super::*;

    thread_local! {
        static FILES: RefCell<BTreeMap<PathBuf, Vec<u8>>> = const { RefCell::new(BTreeMap::new()) };
    }

    /// A file is there from now on.
    pub(crate) fn put(path: PathBuf, bytes: Vec<u8>) {
        FILES.with_borrow_mut(|files| files.insert(path, bytes));
    }

    fn read(path: &Path) -> io::Result<Vec<u8>> {
        let found = FILES.with_borrow(|files| files.get(path).cloned());
        found.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn bytes(path: &Path) -> Result<Vec<u8>, ImportError> {
        read(path).map_err(|error| ImportError {
            kind: ErrorKind::Io,
            file: Some(path.to_owned()),
            place: Place::Whole,
            message: error.to_string(),
        })
    }

    /// What was dropped together with a file.
    struct Beside<'a> {
        path: &'a Path,
    }

    impl Files for Beside<'_> {
        fn fetch(&self, name: &str) -> io::Result<Vec<u8>> {
            read(&self.path.parent().unwrap_or(Path::new("")).join(name))
        }

        fn own_name(&self) -> Option<&str> {
            self.path.file_name()?.to_str()
        }

        fn search(&self, base_name: &str) -> Option<Vec<u8>> {
            let same = |path: &&PathBuf| {
                let name = path.file_name().and_then(|name| name.to_str());
                name.is_some_and(|name| name.eq_ignore_ascii_case(base_name))
            };
            let path = FILES.with_borrow(|files| files.keys().find(same).cloned())?;
            read(&path).ok()
        }
    }

    pub(crate) fn open_model(path: &Path, options: &Options) -> Result<Model, ImportError> {
        let named = path.to_str().filter(|_| !exists(path)).and_then(sinew::built_in);
        if let Some(scene) = named {
            return Ok(scene.into());
        }
        Ok(import(path, options)?.into())
    }

    pub(crate) fn import(path: &Path, options: &Options) -> Result<Imported, ImportError> {
        let named = |mut error: ImportError| {
            error.file.get_or_insert_with(|| path.to_owned());
            error
        };
        options.read(&bytes(path)?, &Beside { path }).map_err(named)
    }

    pub(crate) fn open_packed(path: &Path) -> Result<Option<Vec<u8>>, ImportError> {
        Ok(read(path).ok().filter(|bytes| sinew::is_packed(bytes)))
    }

    pub(crate) fn open_stage(path: &Path, options: &Options) -> Result<Stage, ImportError> {
        let text = String::from_utf8_lossy(&bytes(path)?).into_owned();
        Stage::read(&text, &Beside { path }, options)
    }

    pub(crate) fn open_environment(path: &Path) -> Result<Environment, ImportError> {
        sinew::stage::read_environment(&bytes(path)?).map_err(|(place, message)| ImportError {
            kind: ErrorKind::Malformed,
            file: Some(path.to_owned()),
            place,
            message,
        })
    }

    pub(crate) fn read_to_string(path: &Path) -> io::Result<String> {
        String::from_utf8(read(path)?).map_err(|_| io::ErrorKind::InvalidData.into())
    }

    pub(crate) fn size(path: &Path) -> u64 {
        FILES.with_borrow(|files| files.get(path).map_or(0, |bytes| bytes.len() as u64))
    }

    pub(crate) fn exists(path: &Path) -> bool {
        FILES.with_borrow(|files| files.contains_key(path))
    }
}

pub(crate) use place::*;
