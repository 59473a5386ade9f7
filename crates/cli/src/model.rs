//! Opens the model that a command works on, with the clips of other files.

use std::io::Read;
use std::path::Path;

use sinew::import::{Format, NoFiles};
use sinew::{Error, Fit, Imported, Options, Scene, is_packed};

use crate::args::{Model, Talk};
use crate::fault::Fault;

/// Opens the model and adds the clips it is to have.
pub(crate) fn open(model: &Model, talk: Talk) -> Result<Imported, Fault> {
    open_with(model, &model.options(), talk)
}

/// The same with other options.
pub(crate) fn open_with(model: &Model, options: &Options, talk: Talk) -> Result<Imported, Fault> {
    let mut imported = open_one(&model.file, options)?;
    let map = model.map.as_deref().map(read_map).transpose()?;
    for file in &model.anim {
        let named = |mut error: Error| {
            error.file.get_or_insert_with(|| shown(file).into());
            error
        };
        let given = Given::new(file)?;
        if let Some(bytes) = given.packed() {
            imported = sinew::attach_packed(imported, bytes).map_err(named)?;
            continue;
        }
        let clips = given.import(&Options::default())?;
        let fit = match (&map, &model.map) {
            (Some(text), Some(file)) => Fit::Map(text, file),
            _ if model.no_retarget => Fit::Names,
            _ => Fit::Best,
        };
        let known = imported.notes.len();
        imported = sinew::attach(imported, clips, fit).map_err(named)?;
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

/// Opens one file, without clips of others.
pub(crate) fn open_one(file: &Path, options: &Options) -> Result<Imported, Fault> {
    Given::new(file)?.import(options)
}

/// What a person has named: bytes where they are at hand, a file or something built in where not.
pub(crate) struct Given<'a> {
    file: &'a Path,
    /// Of standard input, or of a packed clip.
    bytes: Option<Vec<u8>>,
}

impl<'a> Given<'a> {
    pub(crate) fn new(file: &'a Path) -> Result<Self, Fault> {
        if file != Path::new("-") {
            return Ok(Self { file, bytes: sinew::open_packed(file)? });
        }
        let mut bytes = Vec::new();
        std::io::stdin()
            .read_to_end(&mut bytes)
            .map_err(|error| Fault::Work(format!("cannot read standard input: {error}")))?;
        Ok(Self { file, bytes: Some(bytes) })
    }

    /// The bytes of a packed clip, if it is one.
    pub(crate) fn packed(&self) -> Option<&[u8]> {
        self.bytes.as_deref().filter(|bytes| is_packed(bytes))
    }

    pub(crate) fn import(self, options: &Options) -> Result<Imported, Fault> {
        if self.packed().is_some() {
            return Err(no_model(self.file));
        }
        if let Some(bytes) = &self.bytes {
            return options.read(bytes, &NoFiles).map_err(|mut error| {
                error.file = Some(shown(self.file).into());
                error.into()
            });
        }
        match built_in(self.file) {
            Some(scene) => Ok(Imported {
                scene,
                notes: Vec::new(),
                name: self.file.to_string_lossy().into_owned(),
                format: Format::Demo,
                extensions: Vec::new(),
            }),
            None => Ok(options.open(self.file)?),
        }
    }
}

/// Why a packed clip cannot be opened as a model, and what to do.
pub(crate) fn no_model(file: &Path) -> Fault {
    let piped = file == Path::new("-");
    let again = if piped { Path::new("FILE") } else { file }.display();
    Fault::Work(format!(
        "{} is a packed clip, which needs the model it was packed from: sinew view MODEL --anim {again}",
        shown(file).display()
    ))
}

/// A file as messages call it.
pub(crate) fn shown(file: &Path) -> &Path {
    if file == Path::new("-") { Path::new("standard input") } else { file }
}

/// What is made by code and opened by its name alone, where no file has that name.
fn built_in(file: &Path) -> Option<Scene> {
    file.to_str().filter(|_| !file.exists()).and_then(sinew::built_in)
}
