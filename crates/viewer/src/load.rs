//! From paths to models: what is read, what of it is added to what, and what to say where it fails.
//!
//! In:  a [`Job`].
//! Out: an [`Outcome`]. Runs wherever it is called: a thread on the desktop.
//!
//! Files are opened and clips made to fit by [`sinew::Model`] alone; here it is decided which file
//! is a model and which brings clips for one.

mod diagnostic;
mod file;
mod job;
mod opened;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use sinew::render::Environment;
use sinew::{ClipId, Graph, ImportError, Options};

pub(crate) use self::diagnostic::{Diagnostic, not_opened, sentence};
use self::file::Content;
pub(crate) use self::job::{Base, Job};
use self::opened::Opened;
use crate::diff::Diff;
use crate::disk;
use crate::figures;
use crate::graph;
use crate::model::{Model, Source};
use crate::set::Set;
use crate::state::How;

/// What has been read.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) models: Vec<Model>,
    /// Successors of open models, by id, with the clip to show.
    pub(crate) updated: Vec<(u64, Model, Option<ClipId>)>,
    /// The models take the place of what is open.
    pub(crate) replace: bool,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) message: Option<String>,
    /// Of a scene file: what is around its models.
    pub(crate) set: Option<Set>,
    /// Graphs to play, with their files.
    pub(crate) graphs: Vec<(PathBuf, Graph)>,
    /// The models are two that were compared.
    pub(crate) diff: Option<Diff>,
    /// Light from an image all around, with the name of its file.
    pub(crate) environment: Option<(String, Environment)>,
}

/// Reads everything that a job asks for. `report` hears what is being done.
pub(crate) fn run(job: Job, report: &dyn Fn(String)) -> Outcome {
    let Job { paths, clips, map, graphs, how, base, again, allow } = job;
    let options = file::options(allow);
    let outcome = Outcome { replace: how == How::Replace, ..Outcome::default() };
    let mut reader = Reader { report, options, how, map, base, opened: Vec::new(), outcome };
    if again {
        reader.reload();
        return reader.outcome;
    }
    if how == How::Compare {
        reader.compare(&paths);
        return reader.outcome;
    }
    for path in &paths {
        reader.read(path);
    }
    for path in &clips {
        reader.add_clips(path);
    }
    for path in &graphs {
        reader.read_graph(path);
    }
    reader.finish()
}

/// Reads one job.
struct Reader<'a> {
    report: &'a dyn Fn(String),
    options: Options,
    how: How,
    map: Option<PathBuf>,
    /// The open model that clips may be added to.
    base: Option<Base>,
    /// What this job has opened.
    opened: Vec<Opened>,
    outcome: Outcome,
}

impl Reader<'_> {
    /// Reads a file, whatever it is.
    fn read(&mut self, path: &Path) {
        if is_environment(path) {
            self.read_environment(path);
        } else if graph::is_graph(path) {
            self.read_graph(path);
        } else if sinew::stage::is_scene_file(path) {
            self.read_scene(path);
        } else if let Err(error) = self.read_model_or_clips(path) {
            self.refuse(path, &error);
        }
    }

    fn read_environment(&mut self, path: &Path) {
        file::report_reading(path, self.report);
        match disk::open_environment(path) {
            Ok(environment) => self.outcome.environment = Some((title(path), environment)),
            Err(error) => self.refuse(path, &error),
        }
    }

    /// Compares the model that is open with that of a file.
    fn compare(&mut self, paths: &[PathBuf]) {
        let (Some(path), Some(base)) = (paths.first(), self.base.take()) else { return };
        let read = file::read(path, &self.options, self.report);
        let other = match read.and_then(Content::into_model) {
            Ok(other) => other,
            Err(error) => return self.refuse(path, &error),
        };
        (self.report)(format!("comparing {} with {}", base.opened.title, title(path)));
        let titles = [base.opened.title.clone(), title(path)];
        match Diff::new(titles, base.opened.model.scene, other.scene) {
            Ok((diff, models)) => {
                self.outcome.diff = Some(diff);
                self.outcome.models = models;
            }
            Err(why) => self.outcome.diagnostics.push(Diagnostic {
                title: format!("{} could not be compared", title(path)),
                sentence: sentence(&why),
                advice: "Compare files of the same character, or two of its exports.".into(),
            }),
        }
    }

    fn read_graph(&mut self, path: &Path) {
        match graph::read(path) {
            Ok(graph) => self.outcome.graphs.push((path.to_owned(), graph)),
            Err(diagnostic) => self.outcome.diagnostics.push(diagnostic),
        }
    }

    fn read_scene(&mut self, path: &Path) {
        (self.report)(format!("reading {}", title(path)));
        match open_scene(path, &self.options) {
            Ok((models, set)) => {
                self.outcome.models.extend(models);
                self.outcome.set = Some(set);
            }
            Err(error) => self.refuse(path, &error),
        }
    }

    fn read_model_or_clips(&mut self, path: &Path) -> Result<(), ImportError> {
        let content = file::read(path, &self.options, self.report)?;
        let asked = self.how == How::Clips || matches!(content, Content::Packed(_));
        if asked || content.is_clips_alone() {
            let map = self.map.clone();
            match self.host(asked).map(|host| host.add(&content, path, map)) {
                Some(Ok(())) => return Ok(()),
                Some(Err(error)) if asked => return Err(error),
                // Clips of another character: bones worth a look of their own.
                Some(Err(_)) | None => {}
            }
        }
        self.opened.push(Opened::new(content.into_model()?, path));
        Ok(())
    }

    /// Who takes clips: the first model of this job, or the one that is open. The built-in character
    /// takes them only when asked to: else a file of clips is opened for its own sake.
    fn host(&mut self, asked: bool) -> Option<&mut Opened> {
        if let Some(first) = self.opened.first_mut() {
            return Some(first);
        }
        let base = self.base.as_mut()?;
        (asked || base.opened.source.file.is_some()).then_some(&mut base.opened)
    }

    /// Adds clips that were asked for to the first model of this job.
    fn add_clips(&mut self, path: &Path) {
        let Some(host) = self.opened.first_mut() else { return };
        file::report_reading(path, self.report);
        if let Err(error) = host.add_file(path, &self.options, self.map.clone()) {
            self.refuse(path, &error);
        }
    }

    /// Reads an open model and its clips again.
    fn reload(&mut self) {
        let Some(Base { id, opened: old }) = self.base.take() else { return };
        let Some(path) = old.source.file.clone() else { return };
        match self.read_again(&path, &old) {
            Ok(model) => {
                self.outcome.message = Some(format!("{} was read again", old.title));
                self.outcome.updated.push((id, model, None));
            }
            Err(error) => self.refuse(&path, &error),
        }
    }

    fn read_again(&self, path: &Path, old: &Opened) -> Result<Model, ImportError> {
        let model = file::open(path, &self.options, self.report)?;
        let mut opened = Opened { title: old.title.clone(), ..Opened::new(model, path) };
        for clips in &old.source.clips {
            file::report_reading(clips, self.report);
            opened.add_file(clips, &self.options, old.source.map.clone())?;
        }
        Ok(opened.into_model())
    }

    /// Says why a file cannot be used; where the error is in the joint map, that is the file.
    fn refuse(&mut self, path: &Path, error: &ImportError) {
        let map = self.map.as_deref().filter(|map| error.file.as_deref() == Some(map));
        self.outcome.diagnostics.push(not_opened(map.unwrap_or(path), error));
    }

    /// Makes models of all that was read.
    fn finish(mut self) -> Outcome {
        (self.report)("preparing…".to_owned());
        self.outcome.models.extend(self.opened.into_iter().map(Opened::into_model));
        if let Some(base) = self.base.filter(|base| base.opened.changed)
            && self.outcome.models.is_empty()
        {
            let model = base.opened.into_model();
            let count = model.scene().clips.len();
            let clips = figures::counted(count, "clip", "clips");
            self.outcome.message = Some(format!("{clips} now"));
            let last = model.scene().clip_ids().last();
            self.outcome.updated.push((base.id, model, last));
        }
        self.outcome
    }
}

/// Whether a file is an image all around, by its name.
fn is_environment(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    ending.is_some_and(|ending| ending == "hdr" || ending == "exr")
}

/// Every model that a scene file places, and what is around them.
fn open_scene(path: &Path, options: &Options) -> Result<(Vec<Model>, Set), ImportError> {
    let stage = disk::open_stage(path, options)?;
    let members = stage.members.into_iter();
    let mut models: Vec<Model> =
        members.map(|member| Model::member(member, source(path))).collect();
    if let Some(first) = models.iter_mut().find(|model| !model.placement.scenery) {
        first.report.drawing_notes = stage.notes;
    }
    let set =
        Set { file: path.to_owned(), around: stage.surroundings, camera_setup: stage.camera_setup };
    Ok((models, set))
}

/// The name of a file without its folder.
pub(crate) fn title(path: &Path) -> String {
    path.file_name()
        .map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into())
}

fn source(path: &Path) -> Source {
    let size = disk::size(path);
    let file = disk::exists(path).then(|| path.to_owned());
    Source { file, clips: Vec::new(), map: None, size }
}
