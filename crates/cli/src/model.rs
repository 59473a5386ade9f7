//! Opens the model that a command works on, with the clips of other files.

use std::io::Read;
use std::path::Path;

use sinew::import::{Format, NoFiles};
use sinew::{Fit, Imported, Options, Scene};

use crate::args::{Model, Talk};
use crate::fault::Fault;

/// Opens the model and adds the clips it is to have.
pub(crate) fn open(model: &Model, talk: Talk) -> Result<Imported, Fault> {
    open_with(model, &Options { scene: model.scene, ..Options::default() }, talk)
}

/// The same with other options.
pub(crate) fn open_with(model: &Model, options: &Options, talk: Talk) -> Result<Imported, Fault> {
    let mut imported = open_one(&model.file, options)?;
    let map = model.map.as_deref().map(read_map).transpose()?;
    for file in &model.anim {
        if let Some(bytes) = packed(file) {
            imported.scene = add_packed(imported.scene, file, &bytes)?;
            continue;
        }
        let clips = open_one(file, &Options::default())?;
        let fit = match (&map, &model.map) {
            (Some(text), Some(file)) => Fit::Map(text, file),
            _ if model.no_retarget => Fit::Names,
            _ => Fit::Best,
        };
        let known = imported.notes.len();
        imported = sinew::attach(imported, clips, fit).map_err(|mut error| {
            error.file.get_or_insert_with(|| file.clone());
            error
        })?;
        // Worth saying unasked: the clip is not what is filed.
        let retargeted = |note: &&sinew::Note| note.text.starts_with("retargeted");
        for note in imported.notes[known..].iter().filter(retargeted) {
            if talk == Talk::Normal {
                eprintln!("note: {note}");
            }
        }
    }
    if talk >= Talk::Verbose {
        for note in &imported.notes {
            eprintln!("note: {note}");
        }
    }
    Ok(imported)
}

/// A joint map's text.
pub(crate) fn read_map(file: &Path) -> Result<String, Fault> {
    std::fs::read_to_string(file)
        .map_err(|error| Fault::Work(format!("cannot read {}: {error}", file.display())))
}

/// The bytes of a file that begins as a packed clip does.
fn packed(file: &Path) -> Option<Vec<u8>> {
    let mut start = [0; 8];
    std::fs::File::open(file).ok()?.read_exact(&mut start).ok()?;
    (&start == b"sinewclp").then(|| std::fs::read(file).ok()).flatten()
}

fn add_packed(scene: Scene, file: &Path, bytes: &[u8]) -> Result<Scene, Fault> {
    let wrong = |why: &dyn std::fmt::Display| Fault::Work(format!("{}: {why}", file.display()));
    let packed = sinew::pack::Packed::read(bytes).map_err(|error| wrong(&error))?;
    let clip = packed.to_clip(&scene).ok_or_else(|| {
        wrong(&"a clip that was packed against another skeleton; pack it again from this model")
    })?;
    let mut parts = scene.into_parts();
    parts.clips.push(clip);
    Scene::new(parts).map_err(|error| wrong(&error))
}

/// Opens one file, without clips of others.
pub(crate) fn open_one(file: &Path, options: &Options) -> Result<Imported, Fault> {
    if file == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin()
            .read_to_end(&mut bytes)
            .map_err(|error| Fault::Work(format!("cannot read standard input: {error}")))?;
        return options.read(&bytes, &NoFiles).map_err(|mut error| {
            error.file = Some("standard input".into());
            error.into()
        });
    }
    if let Some(scene) = built_in(file) {
        return Ok(Imported {
            scene,
            notes: Vec::new(),
            name: file.to_string_lossy().into_owned(),
            format: Format::Demo,
            extensions: Vec::new(),
        });
    }
    Ok(options.open(file)?)
}

/// What is made by code and opened by its name alone, where no file has that name.
fn built_in(file: &Path) -> Option<Scene> {
    file.to_str().filter(|_| !file.exists()).and_then(sinew::built_in)
}
