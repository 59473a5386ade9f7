//! A result to its file, whole or not at all.
//!
//! The bytes are all there before anything is written; they go to a file beside and take the name in one step.

use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use crate::fault::Fault;
use crate::output;

/// Whether a result may go there; asked before the work begins.
pub(crate) fn check(out: &Path) -> Result<(), Fault> {
    if out == Path::new("-") {
        return match io::stdout().is_terminal() {
            true => Err(Fault::Usage(
                "bytes are not for a terminal: expected a file, or a pipe to write to".into(),
            )),
            false => Ok(()),
        };
    }
    match fs::metadata(out) {
        Ok(known) if !known.is_file() => Err(Fault::Work(format!(
            "cannot write {}: it is there already and is no plain file",
            out.display()
        ))),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(cannot(out, &error)),
        _ => match folder(out).is_dir() {
            true => Ok(()),
            false => Err(Fault::Work(format!(
                "cannot write {}: there is no folder {}",
                out.display(),
                folder(out).display()
            ))),
        },
    }
}

/// Writes a result.
pub(crate) fn save(out: &Path, bytes: &[u8]) -> Result<(), Fault> {
    if out == Path::new("-") {
        return output::write(|result| result.write_all(bytes));
    }
    check(out)?;
    // Through a link to the file itself, which is what gets replaced.
    let target = fs::canonicalize(out).unwrap_or_else(|_| out.to_owned());
    replace(&target, bytes).map_err(|error| cannot(out, &error))
}

/// Writes beside, then renames; leaves nothing beside whatever happens.
pub(crate) fn replace(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = beside(target);
    let written = File::create_new(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        drop(file);
        fs::rename(&beside, target)
    });
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

fn beside(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    target.with_file_name(format!(".{name}.{}.part", std::process::id()))
}

fn folder(out: &Path) -> &Path {
    match out.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

fn cannot(out: &Path, error: &io::Error) -> Fault {
    Fault::Work(format!("cannot write {}: {error}", out.display()))
}
