//! Companions that were looked for and not found: reported together, in one line.
//!
//! In:  names as files have them. Out: one sentence with the names and the places.

use super::{Files, base_name, percent_decode, plain_name};
use crate::Place;
use crate::text::list;

/// How the sentence begins.
pub(crate) const NOT_FOUND: &str = "not found: ";

/// More names than this are not remembered.
const MAX_NAMES: usize = 1000;
/// Longer names are cut down to their last step.
const MAX_LENGTH: usize = 60;

/// Names of companions that are not to be had.
#[derive(Debug, Default)]
pub(crate) struct MissingFiles {
    names: Vec<String>,
    /// One of them leads out of the model's folder.
    outside: bool,
}

impl MissingFiles {
    #[allow(dead_code, reason = "each format uses its own few of these")]
    pub(crate) fn add(&mut self, uri: &str) {
        let plain = plain_name(uri, &Place::Whole);
        self.outside |= plain.is_err();
        let shown = match plain {
            Ok(name) if name.len() <= MAX_LENGTH => name,
            _ => base_name(&percent_decode(uri)).to_owned(),
        };
        if self.names.len() < MAX_NAMES && !self.names.contains(&shown) {
            self.names.push(shown);
        }
    }

    /// One sentence about all of them; `None` when there are none.
    pub(crate) fn note(&self, files: &dyn Files) -> Option<String> {
        let all = (!self.names.is_empty()).then(|| list(&self.names))?;
        let hint = if self.outside { "; --allow DIR adds a folder" } else { "" };
        let places = files.places();
        Some(format!("{NOT_FOUND}{all}; looked for in {places}, as named and by base name{hint}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NoFiles;

    #[test]
    fn one_line_names_every_file_and_where_it_was_looked_for() {
        let mut missing = MissingFiles::default();
        assert_eq!(missing.note(&NoFiles), None);
        missing.add("a%20b.png");
        missing.add("C:\\Users\\somebody\\tex\\skin.tga");
        missing.add("a b.png");
        let place = "the files that came with the model, as named and by base name";
        let text = format!(
            "not found: \"a b.png\" and \"skin.tga\"; looked for in {place}; --allow DIR adds a folder"
        );
        assert_eq!(missing.note(&NoFiles), Some(text));
    }
}
