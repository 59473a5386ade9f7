//! What was mended or left out while reading a file: reported, not hidden.
//!
//! A [`Note`] is a sentence for a person. Where a program may want to act on it, it has a [`NoteCode`], and a number
//! that says how far off the file was. What is too small or too usual for a sentence is kept apart, as a detail:
//! nothing shows it unless asked.

use std::fmt;

use crate::Place;
use crate::files::NOT_FOUND;

/// What a note is about, for programs. Sentences may change; these do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NoteCode {
    /// Nothing that has a code.
    #[default]
    Other,
    /// Weights of vertices did not sum to one. Measured: the largest difference.
    WeightSum,
    /// Vertices of a skinned mesh had no weights.
    WeightNone,
    /// Joints without weights, or weights without joints.
    WeightsIncomplete,
    /// A vertex named one joint more than once.
    JointTwice,
    /// Weights of joints past the end of the skin's list, or of joints that are not there.
    JointOutOfRange,
    /// Rotations were not unit quaternions. Measured: the largest difference of a length from one.
    RotationNotUnit,
    /// Numbers that are not finite were left out or replaced.
    NotFinite,
    /// Key times were not in order.
    KeyOrder,
    /// A track had another number of values than its keys want, or none.
    KeyCount,
    /// Two channels of a clip drove the same.
    DuplicateTarget,
    /// A node was the child of two others.
    TwoParents,
    /// A node had a matrix beside its translation, rotation and scale, or one that is not affine.
    NodeMatrix,
    /// A skin had fewer inverse bind matrices than joints.
    BindCount,
    /// An inverse bind matrix was not one that can be used as it is. Measured: how far off.
    BindMatrix,
    /// A bind pose and a skin disagreed on where a joint was bound. Measured: metres, or the largest difference of an axis.
    BindPose,
    /// A joint of a skin was not part of the scene that is drawn.
    JointOutsideScene,
    /// A channel of an animation found nothing to drive.
    Unbound,
    /// A take or clip had no length of its own.
    TakeWithoutSpan,
    /// A take or clip animates nothing.
    TakeEmpty,
    /// Morph weights were not as many as the morph targets.
    MorphCount,
    /// Companions of the file that were not found.
    FileMissing,
    /// A companion was named by a path that leads out of the file's folder, and found by its base name.
    FileByBaseName,
    /// An image could not be read.
    ImageUnreadable,
    /// The file requires an extension; the text is its name.
    ExtensionRequired,
    /// Nothing of the file can be drawn: it has motion for a character of another file.
    NothingToDraw,
    /// The rest pose of a file with clips differs from the model's. Measured: degrees.
    RestDiffers,
}

/// One thing that the person who opened the file may want to know.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Note {
    /// Where it happened first.
    pub place: Place,
    /// One sentence.
    pub text: String,
    /// How often the same happened.
    pub count: usize,
    /// What it is about, for programs.
    pub code: NoteCode,
    /// How far off the file was at worst, where the code says what is measured.
    pub measured: Option<f32>,
}

impl Note {
    /// A sentence about something that happened once.
    #[must_use]
    pub fn new(place: Place, text: impl Into<String>) -> Self {
        Self { place, text: text.into(), count: 1, code: NoteCode::Other, measured: None }
    }

    /// Whether this is the note that names every companion that was not found.
    #[must_use]
    pub fn is_about_missing_files(&self) -> bool {
        self.text.starts_with(NOT_FOUND)
    }

    /// Whether somebody who asked for an image must hear this, for it shows less than they expect: companions were not
    /// found, or there is nothing to draw.
    #[must_use]
    pub fn changes_the_image(&self) -> bool {
        self.is_about_missing_files() || self.code == NoteCode::NothingToDraw
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
pub(crate) struct Notes {
    all: Vec<Note>,
    details: Vec<Note>,
}

/// A broken file must not turn into a flood of sentences.
const MAX_NOTES: usize = 200;

impl Notes {
    pub(crate) fn add(&mut self, place: Place, text: impl Into<String>) {
        self.add_as(NoteCode::Other, place, text);
    }

    pub(crate) fn add_as(&mut self, code: NoteCode, place: Place, text: impl Into<String>) {
        let text = text.into();
        if let Some(known) = self.all.iter_mut().find(|note| note.text == text) {
            known.count += 1;
        } else if self.all.len() < MAX_NOTES {
            self.all.push(Note { code, ..Note::new(place, text) });
        } else if let Some(last) = self.all.last_mut() {
            last.text = "further notes are left out".into();
            last.place = Place::Whole;
            last.code = NoteCode::Other;
            last.count += 1;
        }
    }

    /// Something that happened `count` times and is worth no sentence of its own. The same thing in one place is
    /// kept once, with the largest number.
    #[allow(dead_code, reason = "each format uses its own few of these")]
    pub(crate) fn detail(
        &mut self,
        code: NoteCode,
        place: Place,
        count: usize,
        measured: f32,
        text: &str,
    ) {
        if count == 0 {
            return;
        }
        let same = |note: &&mut Note| note.code == code && note.place == place && note.text == text;
        if let Some(known) = self.details.iter_mut().find(same) {
            known.count += count;
            known.measured = known.measured.map(|before| before.max(measured));
        } else if self.details.len() < MAX_NOTES {
            let measured = Some(measured);
            self.details.push(Note { place, text: text.to_owned(), count, code, measured });
        }
    }

    /// Goes on from notes made before.
    pub(crate) fn from(notes: Vec<Note>) -> Self {
        Self { all: notes, details: Vec::new() }
    }

    #[cfg(feature = "gltf1")]
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// The notes after the first so many.
    #[cfg(feature = "gltf1")]
    pub(crate) fn since(&mut self, first: usize) -> &mut [Note] {
        let first = first.min(self.all.len());
        &mut self.all[first..]
    }

    pub(crate) fn take_details(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.details)
    }

    pub(crate) fn into_vec(self) -> Vec<Note> {
        self.all
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
            notes.detail(NoteCode::WeightSum, Place::Line(line), 1, 0.1, "weights");
        }
        assert_eq!(notes.take_details().len(), MAX_NOTES);
        assert_eq!(notes.into_vec().len(), MAX_NOTES);
    }

    #[test]
    fn details_are_no_notes_and_keep_the_worst_number_of_a_place() {
        let mut notes = Notes::default();
        notes.detail(NoteCode::WeightSum, Place::Line(3), 2, 0.25, "weights");
        notes.detail(NoteCode::WeightSum, Place::Line(3), 5, 0.125, "weights");
        notes.detail(NoteCode::WeightSum, Place::Line(4), 0, 0.5, "weights");
        let details = notes.take_details();
        assert_eq!((details.len(), details[0].count, details[0].measured), (1, 7, Some(0.25)));
        assert!(notes.into_vec().is_empty());
    }
}
