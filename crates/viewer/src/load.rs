//! From paths to models: what is read, what of it is attached to what, and what to say where it fails.
//!
//! In:  a [`Job`].
//! Out: an [`Outcome`]. Runs wherever it is called: a thread on the desktop.

mod bring;
mod diagnostic;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use sinew::import::ErrorKind;
use sinew::{Error, Fit, Graph, Imported, Options};

use self::bring::{Brought, bring, import};
pub(crate) use self::diagnostic::{Diagnostic, trouble};
use crate::figures;
use crate::graph;
use crate::model::{Model, Source};
use crate::set::Set;
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
    /// What is open: clips are attached to it.
    pub(crate) base: Option<Base>,
    /// Read what is open again, since its file has changed.
    pub(crate) again: bool,
    /// Folders outside of a model's own that it may read companions from.
    pub(crate) allow: Vec<PathBuf>,
}

impl Job {
    /// Reads these files.
    pub(crate) fn new(paths: Vec<PathBuf>, how: How) -> Self {
        let (clips, graphs) = (Vec::new(), Vec::new());
        Self { paths, clips, map: None, graphs, how, base: None, again: false, allow: Vec::new() }
    }

    /// How models are read.
    fn options(&self) -> Options {
        // Images are unpacked here, where nobody waits for a frame.
        Options { decode_images: true, allow: self.allow.clone(), ..Options::default() }
    }

    /// Every file that will be read.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        let again = self.base.iter().filter(|_| self.again).map(|base| &base.source);
        let again = again.flat_map(|source| source.file.iter().chain(&source.clips));
        let asked = self.paths.iter().chain(&self.clips).chain(&self.graphs).chain(&self.map);
        asked.chain(again).map(PathBuf::as_path)
    }
}

/// A model that is open, as it was imported.
#[derive(Debug)]
pub(crate) struct Base {
    pub(crate) id: u64,
    pub(crate) imported: Imported,
    pub(crate) title: String,
    pub(crate) source: Source,
}

impl Base {
    pub(crate) fn of(model: &Model) -> Self {
        Self {
            id: model.id,
            imported: model.imported(),
            title: model.title.clone(),
            source: model.source.clone(),
        }
    }
}

/// What has been read.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) models: Vec<Model>,
    /// Successors of open models, by id, with the clip to show.
    pub(crate) updated: Vec<(u64, Model, Option<usize>)>,
    /// The models take the place of what is open.
    pub(crate) replace: bool,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) said: Option<String>,
    /// Of a scene file: what is around its models.
    pub(crate) set: Option<Set>,
    /// Graphs to follow, with their files.
    pub(crate) graphs: Vec<(PathBuf, Graph)>,
}

/// Reads everything that a job asks for. `tell` hears what is being done.
pub(crate) fn run(job: Job, tell: &dyn Fn(String)) -> Outcome {
    let mut outcome = Outcome { replace: job.how == How::Replace, ..Outcome::default() };
    if job.again {
        reload(job, tell, &mut outcome);
        return outcome;
    }
    let options = job.options();
    let mut base = job.base;
    // What has been read by this job, and not yet been made a model.
    let mut fresh: Vec<(Imported, String, Source)> = Vec::new();
    let mut graphs = job.graphs;
    for path in &job.paths {
        if graph::is_graph(path) {
            graphs.push(path.clone());
            continue;
        }
        if sinew::stage::is_scene_file(path) {
            match open_scene(path, &options, tell) {
                Ok((models, set)) => {
                    outcome.models.extend(models);
                    outcome.set = Some(set);
                }
                Err(error) => outcome.diagnostics.push(trouble(path, &error)),
            }
            continue;
        }
        let brought = match bring(path, &options, tell) {
            Ok(brought) => brought,
            Err(error) => {
                outcome.diagnostics.push(trouble(path, &error));
                continue;
            }
        };
        let packed = matches!(brought, Brought::Packed(_));
        if job.how == How::Clips || brought.clips_alone() {
            let host = fresh.first_mut().map(|(imported, _, source)| (imported, source));
            // The built-in character is nobody's model: a file of clips is then opened for its own sake, if it has any.
            let asked = job.how == How::Clips || packed;
            let own = |base: &&mut Base| asked || base.source.file.is_some();
            let base = base.as_mut().filter(own);
            let host = host.or(base.map(|base| (&mut base.imported, &mut base.source)));
            let joined = host.map(|(host, source)| {
                source.map = job.map.clone().or(source.map.take());
                join(host, &brought, path, source)
            });
            match joined {
                Some(Ok(())) => continue,
                Some(Err(error)) if asked => {
                    outcome.diagnostics.push(trouble(blamed(path, &job.map, &error), &error));
                    continue;
                }
                // Clips of somebody else: bones worth a look of their own.
                Some(Err(_)) | None => {}
            }
        }
        match brought.model() {
            Ok(imported) => fresh.push((imported, title(path), source(path))),
            Err(error) => outcome.diagnostics.push(trouble(path, &error)),
        }
    }
    for path in &job.clips {
        let Some((host, _, source)) = fresh.first_mut() else { break };
        source.map.clone_from(&job.map);
        let joined = bring(path, &options, tell).and_then(|clips| join(host, &clips, path, source));
        if let Err(error) = joined {
            outcome.diagnostics.push(trouble(blamed(path, &job.map, &error), &error));
        }
    }
    for path in graphs {
        match graph::read(&path) {
            Ok(graph) => outcome.graphs.push((path, graph)),
            Err(trouble) => outcome.diagnostics.push(trouble),
        }
    }
    tell("preparing…".to_owned());
    let made =
        fresh.into_iter().map(|(imported, title, source)| Model::new(imported, title, source));
    outcome.models.extend(made);
    if let Some(base) =
        base.filter(|base| !base.source.clips.is_empty() && outcome.models.is_empty())
        && job.paths.iter().any(|path| base.source.clips.contains(path))
    {
        let model = Model::new(base.imported, base.title, base.source);
        let last = model.scene().clips.len().checked_sub(1);
        outcome.said = Some(format!(
            "{} now",
            figures::counted(last.map_or(0, |last| last + 1), "clip", "clips")
        ));
        outcome.updated.push((base.id, model, last));
    }
    outcome
}

fn reload(job: Job, tell: &dyn Fn(String), outcome: &mut Outcome) {
    let options = job.options();
    let Some(base) = job.base else { return };
    let Some(path) = base.source.file.clone() else { return };
    let read = import(&path, &options, tell).and_then(|mut imported| {
        let mut fresh = Source { map: base.source.map.clone(), ..source(&path) };
        for clips in &base.source.clips {
            let added = bring(clips, &options, tell)?;
            join(&mut imported, &added, clips, &mut fresh)?;
        }
        Ok(Model::new(imported, base.title.clone(), fresh))
    });
    match read {
        Ok(model) => {
            outcome.said = Some(format!("{} was read again", base.title));
            outcome.updated.push((base.id, model, None));
        }
        Err(error) => outcome.diagnostics.push(trouble(&path, &error)),
    }
}

/// Everyone whom a scene file places, and what is around them.
fn open_scene(
    path: &Path,
    options: &Options,
    tell: &dyn Fn(String),
) -> Result<(Vec<Model>, Set), Error> {
    tell(format!("reading {}", title(path)));
    let stage = sinew::Stage::open_with(path, options)?;
    let notes = stage.notes;
    let members = stage.members.into_iter();
    let mut models: Vec<Model> =
        members.map(|member| Model::member(member, source(path))).collect();
    if let Some(first) = models.iter_mut().find(|model| !model.scenery) {
        first.more_notes = notes;
    }
    let set = Set { file: path.to_owned(), around: stage.surroundings, eye: stage.eye };
    Ok((models, set))
}

/// Attaches clips, and remembers where they came from.
fn join(
    host: &mut Imported,
    clips: &Brought,
    path: &Path,
    source: &mut Source,
) -> Result<(), Error> {
    let map = source.map.as_deref().map(text).transpose()?;
    let fit = match (&map, &source.map) {
        (Some(text), Some(file)) => Fit::Map(text, file),
        _ => Fit::Best,
    };
    let joined = match clips {
        Brought::Imported(clips) => sinew::attach(host.clone(), (**clips).clone(), fit),
        Brought::Packed(bytes) => sinew::attach_packed(host.clone(), bytes),
    };
    let joined = joined.map_err(|mut error| {
        // One in the map says so itself.
        error.file.get_or_insert_with(|| path.to_owned());
        error
    })?;
    *host = joined;
    if !source.clips.iter().any(|known| known == path) {
        source.clips.push(path.to_owned());
    }
    Ok(())
}

/// Whose fault it is: the map's, where the error is in it.
fn blamed<'a>(path: &'a Path, map: &'a Option<PathBuf>, error: &Error) -> &'a Path {
    map.as_deref().filter(|map| error.file.as_deref() == Some(map)).unwrap_or(path)
}

/// A joint map's text.
fn text(file: &Path) -> Result<String, Error> {
    std::fs::read_to_string(file).map_err(|error| Error {
        kind: ErrorKind::Io,
        file: Some(file.to_owned()),
        place: sinew::import::Place::Whole,
        message: error.to_string(),
    })
}

pub(crate) fn title(path: &Path) -> String {
    path.file_name()
        .map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into())
}

fn source(path: &Path) -> Source {
    let size = std::fs::metadata(path).map_or(0, |about| about.len());
    let file = path.exists().then(|| path.to_owned());
    Source { file, clips: Vec::new(), map: None, size }
}
