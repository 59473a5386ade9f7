//! From a path to what the file holds.
//!
//! In:  a path, or the name of a built-in model.
//! Out: a model, or the bytes of a packed clip. What becomes of it is decided elsewhere.

use std::path::{Path, PathBuf};

use sinew::import::NoFiles;
use sinew::{ImportError, Options};

use super::title;
use crate::{disk, figures};

/// What a file holds: a model or clips on bones of their own, or a packed clip, which needs a model.
pub(super) enum Content {
    Model(Box<sinew::Model>),
    Packed(Vec<u8>),
}

impl Content {
    pub(super) fn is_clips_alone(&self) -> bool {
        match self {
            Self::Model(model) => model.scene.instances.is_empty() && !model.scene.clips.is_empty(),
            Self::Packed(_) => true,
        }
    }

    /// A model by itself, if it is one.
    pub(super) fn into_model(self) -> Result<sinew::Model, ImportError> {
        match self {
            Self::Model(model) => Ok(*model),
            // Refused, with the reason.
            Self::Packed(bytes) => sinew::read(&bytes, &NoFiles).map(Into::into),
        }
    }
}

/// How files are read. Images are decoded here, where nobody waits for a frame.
pub(super) fn options(allow: Vec<PathBuf>) -> Options {
    Options { decode_images: true, allow, ..Options::default() }
}

pub(super) fn read(
    path: &Path,
    options: &Options,
    report: &dyn Fn(String),
) -> Result<Content, ImportError> {
    match disk::open_packed(path)? {
        Some(bytes) => Ok(Content::Packed(bytes)),
        None => Ok(Content::Model(Box::new(open(path, options, report)?))),
    }
}

pub(super) fn open(
    path: &Path,
    options: &Options,
    report: &dyn Fn(String),
) -> Result<sinew::Model, ImportError> {
    report_reading(path, report);
    disk::open_model(path, options)
}

pub(super) fn report_reading(path: &Path, report: &dyn Fn(String)) {
    report(format!("reading {} ({})", title(path), figures::bytes(disk::size(path))));
}
