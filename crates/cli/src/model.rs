//! Opens the model that a command works on, with the clips of other files.

use std::io::Read;
use std::path::Path;

use sinew::import::NoFiles;
use sinew::{Fit, ImportError, Options, is_packed};

use crate::args::{Model, Talk};
use crate::fault::Fault;

/// Opens the model and adds the clips it is to have.
pub(crate) fn open(model: &Model, talk: Talk) -> Result<sinew::Model, Fault> {
    open_with(model, &model.options(), talk)
}

/// The same with other options.
pub(crate) fn open_with(
    model: &Model,
    options: &Options,
    talk: Talk,
) -> Result<sinew::Model, Fault> {
    let mut opened = open_one(&model.file, options)?;
    let map = model.map.as_deref().map(read_map).transpose()?;
    for file in &model.anim {
        let fit = match (&map, &model.map) {
            (Some(text), Some(file)) => Fit::Map(text, file),
            _ if model.no_retarget => Fit::Names,
            _ => Fit::Best,
        };
        let known = opened.notes.len();
        add_clips(&mut opened, model, file, fit)?;
        // Worth saying unasked: the clip is not what is filed.
        let retargeted = |note: &&sinew::Note| note.text.starts_with("retargeted");
        for note in opened.notes[known..].iter().filter(retargeted) {
            if talk == Talk::Normal {
                crate::output::tell!("note: {note}");
            }
        }
    }
    for note in &opened.notes {
        // What a person can do something about is worth saying unasked.
        let unasked = talk == Talk::Normal && note.is_about_missing_files();
        if talk >= Talk::Verbose || unasked {
            crate::output::tell!("note: {note}");
        }
    }
    Ok(opened)
}

fn add_clips(
    opened: &mut sinew::Model,
    model: &Model,
    file: &Path,
    fit: Fit<'_>,
) -> Result<(), Fault> {
    let options = Options { scene: None, ..model.options() };
    if !is_standard_input(file) {
        return Ok(opened.add_clips_with(file, &options, fit)?);
    }
    let name = shown(file).display().to_string();
    opened.read_clips(&name, &standard_input()?, &NoFiles, &options, fit).map_err(of_standard_input)
}

/// A joint map's text.
pub(crate) fn read_map(file: &Path) -> Result<String, Fault> {
    std::fs::read_to_string(file)
        .map_err(|error| Fault::Work(format!("cannot read {}: {error}", file.display())))
}

/// What one file turned out to be.
pub(crate) enum Given {
    Model(Box<sinew::Model>),
    /// The bytes of a packed clip.
    Packed(Vec<u8>),
}

/// Opens one file, or standard input, whatever it is.
pub(crate) fn open_any(file: &Path, options: &Options) -> Result<Given, Fault> {
    let model = if is_standard_input(file) {
        let bytes = standard_input()?;
        if is_packed(&bytes) {
            return Ok(Given::Packed(bytes));
        }
        options.read(&bytes, &NoFiles).map_err(of_standard_input)?.into()
    } else {
        if let Some(bytes) = sinew::open_packed(file)? {
            return Ok(Given::Packed(bytes));
        }
        sinew::Model::open_with(file, options)?
    };
    Ok(Given::Model(Box::new(model)))
}

/// Opens one model, without clips of others.
pub(crate) fn open_one(file: &Path, options: &Options) -> Result<sinew::Model, Fault> {
    match open_any(file, options)? {
        Given::Model(model) => Ok(*model),
        Given::Packed(_) => Err(no_model(file)),
    }
}

fn is_standard_input(file: &Path) -> bool {
    file == Path::new("-")
}

fn standard_input() -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|error| Fault::Work(format!("cannot read standard input: {error}")))?;
    Ok(bytes)
}

fn of_standard_input(mut error: ImportError) -> Fault {
    error.file = Some(shown(Path::new("-")).into());
    error.into()
}

/// Why a packed clip cannot be opened as a model, and what to do.
pub(crate) fn no_model(file: &Path) -> Fault {
    let piped = is_standard_input(file);
    let again = if piped { Path::new("FILE") } else { file }.display();
    Fault::Work(format!(
        "{} is a packed clip, which needs the model it was packed from: sinew view MODEL --anim {again}",
        shown(file).display()
    ))
}

/// A file as messages call it.
pub(crate) fn shown(file: &Path) -> &Path {
    if is_standard_input(file) { Path::new("standard input") } else { file }
}
