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
    Part::write(out, bytes)?.take_name()
}

/// Writes beside, then renames; leaves nothing beside whatever happens.
pub(crate) fn replace(target: &Path, bytes: &[u8]) -> io::Result<()> {
    Part::beside(target, bytes)?.rename()
}

/// A result beside its file, which is as it was before; gone with this where it does not take the name.
#[derive(Debug)]
pub(crate) struct Part {
    beside: PathBuf,
    target: PathBuf,
}

impl Part {
    /// Writes a result that is not to take its name yet.
    pub(crate) fn write(out: &Path, bytes: &[u8]) -> Result<Self, Fault> {
        check(out)?;
        // Through a link to the file itself, which is what gets replaced.
        let target = fs::canonicalize(out).unwrap_or_else(|_| out.to_owned());
        Self::beside(&target, bytes).map_err(|error| cannot(out, &error))
    }

    /// Makes it the file.
    pub(crate) fn take_name(self) -> Result<(), Fault> {
        self.rename().map_err(|error| cannot(&self.target, &error))
    }

    fn beside(target: &Path, bytes: &[u8]) -> io::Result<Self> {
        let beside = beside(target);
        let mut file = File::create_new(&beside)?;
        let part = Self { beside, target: target.to_owned() };
        file.write_all(bytes)?;
        Ok(part)
    }

    fn rename(&self) -> io::Result<()> {
        fs::rename(&self.beside, &self.target)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // It is not there any more where it took the name.
        let _ = fs::remove_file(&self.beside);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_take_its_name_leaves_the_old_file_and_nothing_beside() {
        let folder = std::env::temp_dir().join(format!("sinew-save-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let out = folder.join("hero.glb");
        fs::write(&out, b"old").expect("a file");
        let found = || (fs::read(&out).ok(), fs::read_dir(&folder).map(Iterator::count).ok());
        let part = Part::write(&out, b"new").expect("room");
        assert_eq!(found(), (Some(b"old".to_vec()), Some(2)));
        drop(part);
        assert_eq!(found(), (Some(b"old".to_vec()), Some(1)));
        Part::write(&out, b"new").and_then(Part::take_name).expect("room");
        assert_eq!(found(), (Some(b"new".to_vec()), Some(1)));
        let _ = fs::remove_dir_all(&folder);
    }
}
