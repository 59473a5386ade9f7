//! What was mended or left out while reading a file: reported, not hidden.

use std::fmt;

use crate::Place;
use crate::files::NOT_FOUND;

/// One thing that the person who opened the file may want to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Where it happened first.
    pub place: Place,
    /// One sentence.
    pub text: String,
    /// How often the same happened.
    pub count: usize,
}

impl Note {
    /// Whether this is the note that names every companion that was not found.
    #[must_use]
    pub fn is_about_missing_files(&self) -> bool {
        self.text.starts_with(NOT_FOUND)
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        match (&self.place, self.count) {
            (Place::Whole, 1) => Ok(()),
            (Place::Whole, count) => write!(f, " ({count} times)"),
            (place, 1) => write!(f, " ({place})"),
            (place, count) => write!(f, " ({count} times, first in {place})"),
        }
    }
}

/// Collects notes; the same sentence is kept once, with a count.
#[derive(Debug, Default)]
pub(crate) struct Notes(Vec<Note>);

/// A broken file must not turn into a flood of sentences.
const MAX_NOTES: usize = 200;

impl Notes {
    pub(crate) fn add(&mut self, place: Place, text: impl Into<String>) {
        let text = text.into();
        if let Some(known) = self.0.iter_mut().find(|note| note.text == text) {
            known.count += 1;
        } else if self.0.len() < MAX_NOTES {
            self.0.push(Note { place, text, count: 1 });
        } else if let Some(last) = self.0.last_mut() {
            last.text = "further notes are left out".into();
            last.place = Place::Whole;
            last.count += 1;
        }
    }

    /// Goes on from notes made before.
    pub(crate) fn from(notes: Vec<Note>) -> Self {
        Self(notes)
    }

    #[cfg(feature = "gltf")]
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The notes after the first so many.
    #[cfg(feature = "gltf")]
    pub(crate) fn since(&mut self, first: usize) -> &mut [Note] {
        let first = first.min(self.0.len());
        &mut self.0[first..]
    }

    pub(crate) fn into_vec(self) -> Vec<Note> {
        self.0
    }
}

/// A number with the noun that agrees with it: `1 vertex`, `3 vertices`.
#[allow(dead_code, reason = "each format uses its own few of these")]
pub(crate) fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_trouble_twice_is_one_note_with_a_count() {
        let mut notes = Notes::default();
        notes.add(Place::Line(3), "a weight is negative");
        notes.add(Place::Line(9), "a weight is negative");
        let notes = notes.into_vec();
        assert_eq!(notes.len(), 1);
        assert_eq!(notes[0].to_string(), "a weight is negative (2 times, first in line 3)");
    }

    #[test]
    fn a_flood_of_notes_is_cut() {
        let mut notes = Notes::default();
        for line in 0..10_000 {
            notes.add(Place::Line(line), format!("trouble {line}"));
        }
        assert_eq!(notes.into_vec().len(), MAX_NOTES);
    }
}
