//! A model as the hall opens it, to which clips of other files are added.

use std::path::{Path, PathBuf};

use sinew::import::{ErrorKind, Place};
use sinew::{Fit, ImportError, Options};

use super::file::{self, Content};
use super::{source, title};
use crate::disk;
use crate::model::{Model, Source};

/// A model that was opened, with where it came from.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(super) model: sinew::Model,
    pub(super) title: String,
    pub(super) source: Source,
    /// Clips were added.
    pub(super) changed: bool,
}

impl Opened {
    pub(super) fn new(model: sinew::Model, path: &Path) -> Self {
        Self { model, title: title(path), source: source(path), changed: false }
    }

    /// A model that is shown, as it was opened.
    pub(super) fn of(model: &Model) -> Self {
        Self {
            model: model.opened(),
            title: model.title.clone(),
            source: model.source.clone(),
            changed: false,
        }
    }

    /// Ready to be shown.
    pub(super) fn into_model(self) -> Model {
        Model::new(self.model, self.title, self.source)
    }

    /// Adds the clips of a file.
    pub(super) fn add_file(
        &mut self,
        path: &Path,
        options: &Options,
        map: Option<PathBuf>,
    ) -> Result<(), ImportError> {
        let content = file::read(path, options, &|_| {})?;
        self.add(&content, path, map)
    }

    /// Adds the clips of a file that was read already.
    pub(super) fn add(
        &mut self,
        content: &Content,
        path: &Path,
        map: Option<PathBuf>,
    ) -> Result<(), ImportError> {
        let name = path.to_string_lossy();
        self.add_by(path, map, |model, fit| match content {
            Content::Model(clips) => model.add_model(&name, (**clips).clone(), fit),
            Content::Packed(bytes) => model.add_packed(&name, bytes),
        })
    }

    /// Adds clips, retargeted by `map` or else by the map of those before, and remembers their file.
    fn add_by(
        &mut self,
        path: &Path,
        map: Option<PathBuf>,
        add: impl FnOnce(&mut sinew::Model, Fit<'_>) -> Result<(), ImportError>,
    ) -> Result<(), ImportError> {
        let map = map.or_else(|| self.source.map.clone());
        let text = map.as_deref().map(read_text).transpose()?;
        let fit = match (&text, &map) {
            (Some(text), Some(file)) => Fit::Map(text, file),
            _ => Fit::Best,
        };
        add(&mut self.model, fit).map_err(|mut error| {
            // An error in the map names the map already.
            error.file.get_or_insert_with(|| path.to_owned());
            error
        })?;
        self.source.map = map;
        if !self.source.clips.iter().any(|known| known == path) {
            self.source.clips.push(path.to_owned());
        }
        self.changed = true;
        Ok(())
    }
}

/// A joint map's text.
fn read_text(file: &Path) -> Result<String, ImportError> {
    disk::read_to_string(file).map_err(|error| ImportError {
        kind: ErrorKind::Io,
        file: Some(file.to_owned()),
        place: Place::Whole,
        message: error.to_string(),
    })
}
