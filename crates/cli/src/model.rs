//! Opens the model that a command works on, with the clips of other files.

use std::io::Read;
use std::path::Path;

use sinew::import::{Format, NoFiles};
use sinew::{Imported, Options, Scene};

use crate::args::{Model, Talk};
use crate::fault::Fault;

/// Opens the model and adds the clips it is to have.
pub(crate) fn open(model: &Model, talk: Talk) -> Result<Imported, Fault> {
    let options = Options { scene: model.scene, ..Options::default() };
    let mut imported = open_one(&model.file, &options)?;
    for file in &model.anim {
        let clips = open_one(file, &Options::default())?;
        imported = sinew::import::attach(imported, clips).map_err(|mut error| {
            error.file = Some(file.clone());
            error
        })?;
    }
    if talk >= Talk::Verbose {
        for note in &imported.notes {
            eprintln!("note: {note}");
        }
    }
    Ok(imported)
}

fn open_one(file: &Path, options: &Options) -> Result<Imported, Fault> {
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
    if file.exists() {
        return None;
    }
    match file.to_str()? {
        "demo" => Some(sinew::demo()),
        "ossi" => Some(sinew::ossi()),
        "ossi_place" => Some(sinew::ossi_place()),
        _ => None,
    }
}
