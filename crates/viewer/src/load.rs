//! From paths to models: what is read, what of it is attached to what, and what to say where it fails.
//!
//! In:  a [`Job`].
//! Out: an [`Outcome`]. Runs wherever it is called: a thread on the desktop.

use std::path::{Path, PathBuf};

use sinew::import::ErrorKind;
use sinew::{Error, Fit, Graph, Imported, Options};

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
}

impl Job {
    /// Reads these files.
    pub(crate) fn new(paths: Vec<PathBuf>, how: How) -> Self {
        let (clips, graphs) = (Vec::new(), Vec::new());
        Self { paths, clips, map: None, graphs, how, base: None, again: false }
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

/// A file that could not be used: what, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trouble {
    pub(crate) title: String,
    pub(crate) sentence: String,
    pub(crate) advice: String,
}

/// What has been read.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) models: Vec<Model>,
    /// Successors of open models, by id, with the clip to show.
    pub(crate) updated: Vec<(u64, Model, Option<usize>)>,
    /// The models take the place of what is open.
    pub(crate) replace: bool,
    pub(crate) troubles: Vec<Trouble>,
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
            match open_scene(path, tell) {
                Ok((models, set)) => {
                    outcome.models.extend(models);
                    outcome.set = Some(set);
                }
                Err(error) => outcome.troubles.push(trouble(path, &error)),
            }
            continue;
        }
        let imported = match import(path, tell) {
            Ok(imported) => imported,
            Err(error) => {
                outcome.troubles.push(trouble(path, &error));
                continue;
            }
        };
        let clips_alone = imported.scene.instances.is_empty() && !imported.scene.clips.is_empty();
        if job.how == How::Clips || clips_alone {
            let host = fresh.first_mut().map(|(imported, _, source)| (imported, source));
            // The built-in character is nobody's model: a file of clips is then opened for its own sake.
            let own = |base: &&mut Base| job.how == How::Clips || base.source.file.is_some();
            let base = base.as_mut().filter(own);
            let host = host.or(base.map(|base| (&mut base.imported, &mut base.source)));
            let joined = host.map(|(host, source)| {
                source.map = job.map.clone().or(source.map.take());
                join(host, &imported, path, source)
            });
            match joined {
                Some(Ok(())) => continue,
                Some(Err(error)) if job.how == How::Clips => {
                    outcome.troubles.push(trouble(path, &error));
                    continue;
                }
                // Clips of somebody else: bones worth a look of their own.
                Some(Err(_)) | None => {}
            }
        }
        fresh.push((imported, title(path), source(path)));
    }
    for path in &job.clips {
        let Some((host, _, source)) = fresh.first_mut() else { break };
        source.map.clone_from(&job.map);
        let joined = import(path, tell).and_then(|clips| join(host, &clips, path, source));
        if let Err(error) = joined {
            outcome.troubles.push(trouble(path, &error));
        }
    }
    for path in graphs {
        match graph::read(&path) {
            Ok(graph) => outcome.graphs.push((path, graph)),
            Err(trouble) => outcome.troubles.push(trouble),
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
    let Some(base) = job.base else { return };
    let Some(path) = base.source.file.clone() else { return };
    let read = import(&path, tell).and_then(|mut imported| {
        let mut fresh = Source { map: base.source.map.clone(), ..source(&path) };
        for clips in &base.source.clips {
            let added = import(clips, tell)?;
            join(&mut imported, &added, clips, &mut fresh)?;
        }
        Ok(Model::new(imported, base.title.clone(), fresh))
    });
    match read {
        Ok(model) => {
            outcome.said = Some(format!("{} was read again", base.title));
            outcome.updated.push((base.id, model, None));
        }
        Err(error) => outcome.troubles.push(trouble(&path, &error)),
    }
}

/// Everyone whom a scene file places, and what is around them.
fn open_scene(path: &Path, tell: &dyn Fn(String)) -> Result<(Vec<Model>, Set), Error> {
    tell(format!("reading {}", title(path)));
    let options = Options { decode_images: true, ..Options::default() };
    let stage = sinew::Stage::open_with(path, &options)?;
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

fn import(path: &Path, tell: &dyn Fn(String)) -> Result<Imported, Error> {
    let size = std::fs::metadata(path).map_or(0, |about| about.len());
    tell(format!("reading {} ({})", title(path), figures::bytes(size)));
    if !path.exists()
        && let Some(model) = built_in(path)
    {
        return Ok(model.imported());
    }
    // Pictures are unpacked here, where nobody waits for a frame.
    let options = Options { decode_images: true, ..Options::default() };
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

/// Attaches clips, and remembers where they came from.
fn join(
    host: &mut Imported,
    clips: &Imported,
    path: &Path,
    source: &mut Source,
) -> Result<(), Error> {
    let map = source.map.as_deref().map(text).transpose()?;
    let fit = match (&map, &source.map) {
        (Some(text), Some(file)) => Fit::Map(text, file),
        _ => Fit::Best,
    };
    let joined = sinew::attach(host.clone(), clips.clone(), fit).map_err(|mut error| {
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

/// What to tell a person, and what they may do next.
pub(crate) fn trouble(path: &Path, error: &Error) -> Trouble {
    let advice = match error.kind {
        ErrorKind::Io => "Check the name and that you may read the file.",
        ErrorKind::Unrecognised => {
            "Sinew opens glTF and GLB, FBX, COLLADA, MD5, BVH, OBJ, .skeleton_anim, scene files (.toml) and graphs (.toml, .ron, .json). Export the model as one of these."
        }
        ErrorKind::Truncated => {
            "The file was cut short: copy or download it again, or export it anew."
        }
        ErrorKind::Malformed | ErrorKind::OutOfRange => {
            "The file is damaged or its exporter has an error: export it anew, or try another format."
        }
        ErrorKind::Unsupported => "Export the model without this feature, or in another format.",
        ErrorKind::Missing => {
            "Put the files that belong to the model into its folder, then open it again."
        }
        ErrorKind::Refused => "Move the files that the model names into its own folder.",
        ErrorKind::TooLarge => {
            "The file says it holds far more than its size allows: export it anew."
        }
        _ => "Try to export the model anew, or in another format.",
    };
    let advice = match sinew::stage::is_scene_file(path) {
        true => "Mend the scene file and save it: examples/scenes/walk.toml has every key.",
        false => advice,
    };
    let mut plain = error.to_string();
    // The title names the file already.
    if let Some((before, after)) = plain.split_once(": ")
        && before.starts_with("cannot read")
    {
        plain = after.to_owned();
    }
    let mut letters = plain.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().collect::<String>());
    let sentence =
        format!("{}{}.", first.unwrap_or_default(), letters.as_str().trim_end_matches('.'));
    Trouble {
        title: format!("{} could not be opened", title(path)),
        sentence,
        advice: advice.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BVH: &str = "HIERARCHY\nROOT hips\n{\n OFFSET 0 0 0\n CHANNELS 3 Xrotation Yrotation Zrotation\n \
        JOINT spine\n {\n  OFFSET 0 1 0\n  CHANNELS 3 Xrotation Yrotation Zrotation\n  End Site\n  {\n   OFFSET 0 1 0\n  }\n \
        }\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0 0 0 0\n0 0 0 90 0 0\n";

    fn file(name: &str, text: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("sinew-viewer-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join(name);
        std::fs::write(&path, text).expect("a file");
        path
    }

    fn job(paths: Vec<PathBuf>, base: Option<Base>) -> Job {
        Job { base, ..Job::new(paths, How::Replace) }
    }

    #[test]
    fn a_broken_file_is_a_sentence_with_advice_and_the_good_one_opens() {
        let good = file("good.bvh", BVH);
        let broken = file("broken.glb", "glTF but not really");
        let outcome = run(job(vec![broken, good], None), &|_| {});
        assert_eq!(outcome.models.len(), 1);
        let [trouble] = &outcome.troubles[..] else { panic!("{:?}", outcome.troubles) };
        assert_eq!(trouble.title, "broken.glb could not be opened");
        assert!(trouble.sentence.ends_with('.') && !trouble.advice.is_empty());
        assert!(!trouble.sentence.contains("cannot read"), "{}", trouble.sentence);
    }

    #[test]
    fn a_file_of_clips_alone_is_attached_to_the_model_it_fits() {
        let first = run(job(vec![file("first.bvh", BVH)], None), &|_| {}).models.remove(0);
        let second = file("second.bvh", BVH);
        let outcome = run(job(vec![second.clone()], Some(Base::of(&first))), &|_| {});
        assert!(outcome.models.is_empty(), "{:?}", outcome.models.len());
        let [(id, model, clip)] = &outcome.updated[..] else { panic!("{outcome:?}") };
        assert_eq!((*id, *clip), (first.id, Some(1)));
        assert_eq!(model.scene().clips.len(), 2);
        assert_eq!(model.source.clips, [second]);
    }

    #[test]
    fn clips_opened_over_the_built_in_character_are_shown_by_themselves_unless_asked_for() {
        let mut demo = Model::built_in("demo", sinew::demo());
        let names = [0, 1].map(|index| demo.name_of(sinew::JointId::new(index)));
        let fitting = BVH.replace("hips", &names[0]).replace("spine", &names[1]);
        let path = file("fitting.bvh", &fitting);
        let outcome = run(job(vec![path.clone()], Some(Base::of(&demo))), &|_| {});
        assert_eq!((outcome.models.len(), outcome.updated.len()), (1, 0));
        let asked = Job { how: How::Clips, ..job(vec![path.clone()], Some(Base::of(&demo))) };
        assert_eq!(run(asked, &|_| {}).updated.len(), 1);
        demo.source.file = Some("demo.glb".into());
        let outcome = run(job(vec![path], Some(Base::of(&demo))), &|_| {});
        assert_eq!((outcome.models.len(), outcome.updated.len()), (0, 1));
    }

    #[test]
    fn clips_are_retargeted_by_a_map_and_again_when_their_file_has_changed() {
        let ossi = sinew::ossi();
        let walk = ossi.clip("walk").expect("it walks");
        let clip = file("walk.skeleton_anim", "");
        std::fs::write(&clip, sinew::export::skeleton_anim(&ossi, walk).expect("it fits"))
            .expect("written");
        let from = sinew::open(&clip).expect("just written").scene;
        let map = sinew::retarget::JointMap::find(&from, &ossi).expect("two bodies");
        let map = file("map.toml", &map.to_text(&from, &ossi));
        let base = || Base::of(&Model::built_in("Ossi", sinew::ossi()));
        let asked = |map: &Path| Job {
            map: Some(map.to_owned()),
            how: How::Clips,
            ..job(vec![clip.clone()], Some(base()))
        };
        let outcome = run(asked(&map), &|_| {});
        let [(_, model, _)] = &outcome.updated[..] else { panic!("{outcome:?}") };
        let told = |model: &Model| model.all_notes().any(|note| note.contains("as the map says"));
        assert!(told(model), "{:?}", model.notes);
        assert_eq!(model.source.map.as_ref(), Some(&map));
        let outcome = run(asked(Path::new("no-such-map.toml")), &|_| {});
        assert!(outcome.updated.is_empty());
        assert!(
            outcome.troubles[0].sentence.contains("no-such-map.toml"),
            "{:?}",
            outcome.troubles
        );
    }

    #[test]
    fn clips_that_fit_nobody_are_bones_of_their_own() {
        let mut base = Base::of(&Model::built_in("demo", sinew::demo()));
        base.source.file = Some("demo.glb".into());
        let strange = BVH.replace("hips", "qqq").replace("spine", "www");
        let outcome = run(job(vec![file("strange.bvh", &strange)], Some(base)), &|_| {});
        assert_eq!(outcome.models.len(), 1);
        assert!(outcome.troubles.is_empty(), "{:?}", outcome.troubles);
    }

    #[test]
    fn a_scene_file_opens_with_everyone_where_it_says_and_its_eye() {
        let text = "[camera]\neye = [3, 1, 0]\nlook_at = [0, 1, 0]\n[[model]]\nfile = \"demo\"\nposition = [2, 0, 0]\n\
            clip = 0\nstart = 0.1\nspeed = 0.5\n[[model]]\nfile = \"demo\"\n[terrain]\n[fog]\nkind = \"exponential\"\ndensity = 0.1\n";
        let path = file("place.toml", text);
        let outcome = run(job(vec![path.clone()], None), &|_| {});
        assert!(outcome.troubles.is_empty(), "{:?}", outcome.troubles);
        let mut state = crate::state::State::default();
        state.receive(outcome);
        assert_eq!(state.models.len(), 3);
        let first = &state.models[0];
        assert_eq!(first.actor.world_from_model().translation.x, 2.0, "nobody is moved aside");
        assert_eq!((first.pace, first.clip), (0.5, Some(0)));
        assert!((first.actor.player().time() - 0.1).abs() < 1e-6);
        assert!(state.models[2].scenery && state.bounds().size().length() < 20.0);
        assert!(state.modes.fog && !state.modes.grid);
        assert!(state.playing);
        (state.frame_soon, state.playing) = (false, false);
        state.receive(run(job(vec![path], None), &|_| {}));
        assert!(!state.frame_soon, "read again, the eye stays");
        assert!(!state.playing, "and so does time");
        let broken = file("broken.toml", "[[model]]\nfile = \"no-such.glb\"\n");
        let outcome = run(job(vec![broken], None), &|_| {});
        assert!(outcome.troubles[0].sentence.contains("no-such.glb"), "{:?}", outcome.troubles);
    }

    #[test]
    fn a_changed_file_is_read_again_with_its_clips() {
        let path = file("again.bvh", BVH);
        let model = run(job(vec![path.clone()], None), &|_| {}).models.remove(0);
        std::fs::write(&path, BVH.replace("0.1", "0.5")).expect("written");
        let again = Job { again: true, ..job(Vec::new(), Some(Base::of(&model))) };
        let outcome = run(again, &|_| {});
        let (id, newer, _) = &outcome.updated[0];
        assert_eq!(*id, model.id);
        assert!((newer.timelines[0].duration - 0.5).abs() < 1e-6);
    }
}
