//! From a path to what the file brings.
//!
//! In:  a path, or the name of what is made by code.
//! Out: a scene with notes, or the bytes of a packed clip. What to do with it is decided elsewhere.

use std::path::Path;

use sinew::import::NoFiles;
use sinew::{Error, Imported, Options};

use super::title;
use crate::figures;
use crate::model::Model;

/// What a file brings: a model or clips on bones of their own, or a packed clip, which is nothing without its model.
pub(super) enum Brought {
    Imported(Box<Imported>),
    Packed(Vec<u8>),
}

impl Brought {
    pub(super) fn clips_alone(&self) -> bool {
        match self {
            Self::Imported(of) => of.scene.instances.is_empty() && !of.scene.clips.is_empty(),
            Self::Packed(_) => true,
        }
    }

    /// A model by itself, if it is one.
    pub(super) fn model(self) -> Result<Imported, Error> {
        match self {
            Self::Imported(imported) => Ok(*imported),
            // Refused, with the reason.
            Self::Packed(bytes) => sinew::read(&bytes, &NoFiles),
        }
    }
}

pub(super) fn bring(
    path: &Path,
    options: &Options,
    tell: &dyn Fn(String),
) -> Result<Brought, Error> {
    match sinew::open_packed(path)? {
        Some(bytes) => Ok(Brought::Packed(bytes)),
        None => import(path, options, tell).map(|imported| Brought::Imported(Box::new(imported))),
    }
}

pub(super) fn import(
    path: &Path,
    options: &Options,
    tell: &dyn Fn(String),
) -> Result<Imported, Error> {
    let size = std::fs::metadata(path).map_or(0, |about| about.len());
    tell(format!("reading {} ({})", title(path), figures::bytes(size)));
    if !path.exists()
        && let Some(model) = built_in(path)
    {
        return Ok(model.imported());
    }
    options.open(path)
}

/// What is made by code, by its name.
fn built_in(path: &Path) -> Option<Model> {
    match path.to_str()? {
        "demo" => Some(Model::built_in("demo", sinew::demo())),
        "ossi" => Some(Model::built_in("Ossi", sinew::ossi())),
        "ossi_place" => Some(Model::built_in("Ossi's place", sinew::ossi_place())),
        _ => None,
    }
}
