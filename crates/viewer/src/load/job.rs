//! What is to be read.

use std::path::{Path, PathBuf};

use super::opened::Opened;
use crate::model::Model;
use crate::state::How;

/// What is to be read.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) paths: Vec<PathBuf>,
    /// Clips for the first model.
    pub(crate) clips: Vec<PathBuf>,
    /// The joint map that clips are retargeted by.
    pub(crate) map: Option<PathBuf>,
    /// Graphs for it; graphs among the paths count too.
    pub(crate) graphs: Vec<PathBuf>,
    pub(crate) how: How,
    /// What is open: clips are added to it.
    pub(crate) base: Option<Base>,
    /// Read what is open again, since its file has changed.
    pub(crate) again: bool,
    /// Folders outside of a model's own that it may read companions from.
    pub(crate) allow: Vec<PathBuf>,
}

impl Job {
    /// Reads these files.
    pub(crate) fn new(paths: Vec<PathBuf>, how: How) -> Self {
        Self {
            paths,
            clips: Vec::new(),
            map: None,
            graphs: Vec::new(),
            how,
            base: None,
            again: false,
            allow: Vec::new(),
        }
    }

    /// Every file that will be read.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        let again = self.base.iter().filter(|_| self.again);
        let again = again.flat_map(|base| base.opened.source.files());
        let asked = self.paths.iter().chain(&self.clips).chain(&self.graphs).chain(&self.map);
        asked.chain(again).map(PathBuf::as_path)
    }
}

/// A model that is open, as it was read.
#[derive(Debug)]
pub(crate) struct Base {
    pub(crate) id: u64,
    pub(crate) opened: Opened,
}

impl Base {
    pub(crate) fn of(model: &Model) -> Self {
        Self { id: model.id, opened: Opened::of(model) }
    }
}
