//! Which files have changed on disk, asked once a second.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Time of change and length: together they show a rewrite within one tick of the clock.
type Mark = (SystemTime, u64);

/// Remembers when files were changed.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    known: HashMap<PathBuf, Mark>,
    /// Changed at the last look, perhaps still being written.
    changing: HashMap<PathBuf, Mark>,
}

impl Watch {
    /// Files are about to be read: what is written to them from now on is news.
    pub(crate) fn reading<'a>(&mut self, paths: impl Iterator<Item = &'a Path>) {
        for path in paths {
            if let Some(mark) = mark(path) {
                self.changing.remove(path);
                self.known.insert(path.to_owned(), mark);
            }
        }
    }

    /// The files of a list that have changed and then kept still until now. Files are new at their first look.
    pub(crate) fn changed<'a>(&mut self, paths: impl Iterator<Item = &'a Path>) -> Vec<PathBuf> {
        let mut changed = Vec::new();
        for path in paths {
            // While a program replaces the file, there is none for a moment.
            let Some(mark) = mark(path) else { continue };
            let Some(known) = self.known.get(path) else {
                self.known.insert(path.to_owned(), mark);
                continue;
            };
            if *known == mark {
                self.changing.remove(path);
            } else if self.changing.get(path) == Some(&mark) {
                self.changing.remove(path);
                self.known.insert(path.to_owned(), mark);
                changed.push(path.to_owned());
            } else {
                self.changing.insert(path.to_owned(), mark);
            }
        }
        changed
    }
}

fn mark(path: &Path) -> Option<Mark> {
    let about = std::fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_between_the_reading_and_the_first_look_counts() {
        let path = std::env::temp_dir().join(format!("sinew-watch-early-{}", std::process::id()));
        let files = || [path.as_path()].into_iter();
        let mut watch = Watch::default();
        std::fs::write(&path, "one").expect("written");
        watch.reading(files());
        std::fs::write(&path, "one more").expect("written");
        assert!(watch.changed(files()).is_empty(), "perhaps still being written");
        assert_eq!(watch.changed(files()), std::slice::from_ref(&path));
        std::fs::remove_file(&path).expect("removed");
    }

    #[test]
    fn a_file_counts_as_changed_once_it_keeps_still() {
        let path = std::env::temp_dir().join(format!("sinew-watch-{}", std::process::id()));
        let mut watch = Watch::default();
        let mut look = || watch.changed([path.as_path()].into_iter());
        std::fs::write(&path, "one").expect("written");
        assert!(look().is_empty() && look().is_empty());
        std::fs::write(&path, "one more").expect("written");
        assert!(look().is_empty(), "perhaps still being written");
        std::fs::write(&path, "one more time").expect("written");
        assert!(look().is_empty(), "it was");
        assert_eq!(look(), std::slice::from_ref(&path));
        assert!(look().is_empty());
        std::fs::remove_file(&path).expect("removed");
        assert!(look().is_empty(), "a file that is gone is not read again");
    }
}
