//! Models in archives: zip (`.zip`, `.zae`) and gzip (`.gz`).
//!
//! In:  the bytes of an archive. Out: the model inside, read with the archive as its folder.
//!
//! What unpacking and reading may take together is bounded by the archive's own size, and an
//! archive inside an archive is not opened.

mod choose;
mod directory;
mod gzip;
mod inflate;
#[cfg(test)]
mod tests;
mod zip;

use crate::budget::Budget;
use crate::files::{self, Files};
use crate::open::{self, Imported, Start};
use crate::{ErrorKind, ImportError, Options, Place};
use choose::{Choice, choose};
use zip::{Inside, Zip};

/// Reads the model in an archive; `None` when the bytes are no archive.
pub(crate) fn read(
    bytes: &[u8],
    files: &dyn Files,
    options: &Options,
) -> Option<Result<Imported, ImportError>> {
    if directory::is_zip(bytes) {
        return Some(read_zip(bytes, files, options));
    }
    gzip::is_gzip(bytes).then(|| read_gzip(bytes, files, options))
}

fn read_gzip(bytes: &[u8], files: &dyn Files, options: &Options) -> Result<Imported, ImportError> {
    let (inside, name) = gzip::unpack(bytes, Budget::allowance(bytes.len()))?;
    let own_name = files.own_name().map(str::to_owned).or(name);
    let own_name = own_name.map(|name| {
        let cut = name.len().saturating_sub(3);
        let packed = name.get(cut..).is_some_and(|end| end.eq_ignore_ascii_case(".gz"));
        if packed { name[..cut].to_owned() } else { name }
    });
    refuse_nested(&inside, own_name.as_deref())?;
    let files = Renamed { files, own_name };
    let start = Start { budget: Budget::fixed(bytes.len()), ..Start::new(inside.len()) };
    open::read_model(&inside, &files, options, None, start)
}

/// The same companions under another name of the model.
struct Renamed<'a> {
    files: &'a dyn Files,
    own_name: Option<String>,
}

impl Files for Renamed<'_> {
    fn fetch(&self, name: &str) -> std::io::Result<Vec<u8>> {
        self.files.fetch(name)
    }

    fn own_name(&self) -> Option<&str> {
        self.own_name.as_deref()
    }

    fn fetch_outside(&self, name: &str) -> std::io::Result<Vec<u8>> {
        self.files.fetch_outside(name)
    }

    fn search(&self, base_name: &str) -> Option<Vec<u8>> {
        self.files.search(base_name)
    }

    fn places(&self) -> String {
        self.files.places()
    }
}

fn read_zip(bytes: &[u8], files: &dyn Files, options: &Options) -> Result<Imported, ImportError> {
    let entries = directory::read(bytes)?;
    let zip = Zip::new(bytes, entries, Budget::allowance(bytes.len()));
    let choice = choose(&zip.entries, manifest(&zip).as_deref());
    let Some(Choice { model, others }) = choice else { return Err(no_model(&zip)) };
    let name = zip.entries[model].name.clone();
    let named = |mut error: ImportError| {
        error.message = format!("\"{}\" in the archive: {}", files::shorten(&name), error.message);
        error
    };
    let inside = zip.unpack(model).map_err(named)?;
    refuse_nested(&inside, Some(&name)).map_err(named)?;
    let mut start = Start { budget: Budget::fixed(bytes.len()), ..Start::new(inside.len()) };
    if !others.is_empty() {
        let all = crate::text::list(&others);
        let text = format!("the archive has several models: \"{name}\" is read, not {all}");
        start.notes.add(Place::Whole, text);
    }
    let folder = Inside::new(&zip, model);
    let mut imported = open::read_model(&inside, &folder, options, None, start).map_err(named)?;
    // A store calls every model in its archives the same.
    if let Some(stem) = files::own_stem(files) {
        imported.name = stem.to_owned();
    }
    Ok(imported)
}

/// What the manifest of a `.zae` names as its document, as a name in the archive.
fn manifest(zip: &Zip<'_>) -> Option<String> {
    let text = zip.unpack(zip.at("manifest.xml")?).ok()?;
    let text = String::from_utf8_lossy(&text);
    let (_, rest) = text.split_once("<dae_root")?;
    let (_, rest) = rest.split_once('>')?;
    let uri = rest.split('<').next()?.trim().split('#').next()?;
    files::plain_name(uri.trim_start_matches('/'), &Place::Whole).ok()
}

fn no_model(zip: &Zip<'_>) -> ImportError {
    let names = || zip.entries.iter().map(|entry| entry.name.clone());
    let archive = names().find(|name| choose::is_archive(name));
    let text = match (archive, zip.entries.is_empty()) {
        (Some(name), _) => format!(
            "expected a model in the archive, found another archive, \"{}\", which is not opened: \
             unpack the outer one first",
            files::shorten(&name)
        ),
        (None, true) => "expected a model in the archive, found no files in it".to_owned(),
        (None, false) => {
            let all = crate::text::list(&names().collect::<Vec<_>>());
            format!("expected a model in the archive, found {all}")
        }
    };
    ImportError::new(ErrorKind::Unrecognised, Place::Whole, text)
}

fn refuse_nested(bytes: &[u8], name: Option<&str>) -> Result<(), ImportError> {
    let tar = bytes.get(257..262) == Some(b"ustar");
    if !tar && !directory::is_zip(bytes) && !gzip::is_gzip(bytes) {
        return Ok(());
    }
    let name = name.map_or(String::new(), |name| format!(" \"{}\"", files::shorten(name)));
    let text = format!("an archive{name} inside another is not opened: unpack the outer one first");
    Err(ImportError::unsupported(Place::Whole, text))
}
