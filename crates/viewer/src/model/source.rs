//! Where a model came from, what its files reported, and where it was put.

use std::path::PathBuf;

use sinew::import::Format;
use sinew::stage::{Lights, Member};
use sinew::{ClipId, ClipSource, Note};

/// Where a model came from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Source {
    /// `None` for what is built in.
    pub(crate) file: Option<PathBuf>,
    /// Whose clips were added.
    pub(crate) clips: Vec<PathBuf>,
    /// The joint map that they were retargeted by.
    pub(crate) map: Option<PathBuf>,
    /// Of the file, in bytes.
    pub(crate) size: u64,
}

impl Source {
    /// The model's own file and those of its clips.
    pub(crate) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.file.iter().chain(&self.clips)
    }
}

/// What was reported when a model's files were read.
#[derive(Clone, Debug)]
pub(crate) struct Report {
    pub(crate) format: Format,
    pub(crate) extensions: Vec<String>,
    /// What had to be mended.
    notes: Vec<Note>,
    /// What could not be shown as filed, beside the notes of the reader.
    pub(crate) drawing_notes: Vec<String>,
    /// Where each clip came from, and how well it fits.
    clips: Vec<ClipSource>,
}

impl Default for Report {
    fn default() -> Self {
        Self {
            format: Format::Demo,
            extensions: Vec::new(),
            notes: Vec::new(),
            drawing_notes: Vec::new(),
            clips: Vec::new(),
        }
    }
}

impl Report {
    pub(super) fn of(opened: &sinew::Model) -> Self {
        Self {
            format: opened.format,
            extensions: opened.extensions.clone(),
            notes: opened.notes.clone(),
            drawing_notes: Vec::new(),
            clips: opened.clips.clone(),
        }
    }

    pub(super) fn write_to(&self, model: &mut sinew::Model) {
        model.format = self.format;
        model.extensions.clone_from(&self.extensions);
        model.notes.clone_from(&self.notes);
        if !self.clips.is_empty() {
            model.clips.clone_from(&self.clips);
        }
    }

    /// Where a clip came from, and how well it fits; `None` where no file reported it.
    pub(crate) fn clip(&self, clip: ClipId) -> Option<&ClipSource> {
        self.clips.iter().find(|source| source.id == clip)
    }

    /// Everything that had to be mended or left out.
    pub(crate) fn all_notes(&self) -> impl Iterator<Item = String> {
        self.notes.iter().map(ToString::to_string).chain(self.drawing_notes.iter().cloned())
    }

    /// How many notes there are.
    pub(crate) fn note_count(&self) -> usize {
        self.notes.len() + self.drawing_notes.len()
    }
}

/// How a scene file puts a model among others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placement {
    /// How fast its time runs beside that of the others.
    pub(crate) speed: f32,
    /// Ground and the like: not what a camera looks for.
    pub(crate) scenery: bool,
    /// A scene file says where it is.
    pub(crate) fixed: bool,
    /// The lights of its file shine, whatever is switched.
    pub(crate) lights: bool,
}

impl Default for Placement {
    fn default() -> Self {
        Self { speed: 1.0, scenery: false, fixed: false, lights: false }
    }
}

impl Placement {
    pub(super) fn of(member: &Member) -> Self {
        Self {
            speed: member.speed as f32,
            scenery: member.scenery,
            fixed: true,
            lights: member.lights == Lights::On,
        }
    }
}
