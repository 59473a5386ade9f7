//! The document: its elements by id, their text and numbers, and the line of each.
//!
//! In:  an XML tree.
//! Out: answers about it. Ids are kept by kind of element, since many exporters give a node and its
//! geometry the same one.

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;

use super::document::{Document, is_same, newlines};
use super::numbers::{self, BadToken};
use crate::files::shorten;
use crate::finish::hash::Seed;
use crate::note::Notes;
use crate::{ImportError, NoteCode, Place};

pub(super) use super::document::{ElementId, Tag};

/// A tree with its ids.
pub(super) struct Xml<'a> {
    pub(super) root: Tag<'a>,
    text: &'a str,
    ids: HashMap<(&'a str, &'a str), Tag<'a>, Seed>,
    /// Every element of an id that several of a kind have, in file order.
    same: HashMap<(&'a str, &'a str), Vec<Tag<'a>>, Seed>,
    line_starts: OnceCell<Vec<usize>>,
    /// How often a line was asked for.
    asked: Cell<usize>,
}

impl<'a> Xml<'a> {
    pub(super) fn new(document: &'a Document<'a>, notes: &mut Notes) -> Self {
        let mut xml = Self {
            root: document.root(),
            text: document.text(),
            ids: HashMap::with_capacity_and_hasher(document.count() / 4, Seed::new()),
            same: HashMap::default(),
            line_starts: OnceCell::new(),
            asked: Cell::new(0),
        };
        if let Some(at) = document.tail() {
            let text = "the file goes on after its outermost element: that is left out";
            notes.add(xml.line(at), text);
        }
        for tag in xml.root.descendants() {
            let Some(id) = tag.attribute("id") else { continue };
            let key = (name(tag), id);
            if let Some(first) = xml.ids.insert(key, tag) {
                let id = shorten(id);
                let text = format!("the id \"{id}\" is used twice; the nearer or the first counts");
                notes.add(xml.place(tag), text);
                xml.ids.insert(key, first);
                xml.same.entry(key).or_insert_with(|| vec![first]).push(tag);
            }
        }
        xml
    }

    /// The line on which an element begins.
    pub(super) fn place(&self, tag: Tag<'_>) -> Place {
        self.line(tag.range().start)
    }

    fn line(&self, at: usize) -> Place {
        let asked = self.asked.get();
        self.asked.set(asked.saturating_add(1));
        // Few files have more than a few notes, and most have none: a list of lines must pay.
        if asked < 16 {
            let before = self.text.as_bytes().get(..at).unwrap_or_default();
            return Place::Line(newlines(before) + 1);
        }
        let starts = self.line_starts.get_or_init(|| {
            let ends = self.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect()
        });
        Place::Line(starts.partition_point(|&start| start <= at).max(1))
    }

    /// The element of this kind that has this id.
    pub(super) fn by_id(&self, kind: &'a str, id: &str) -> Option<Tag<'a>> {
        // The key's lifetime is the document's; a shorter one serves for looking.
        let ids: &HashMap<(&str, &str), Tag<'a>, Seed> = &self.ids;
        ids.get(&(kind, id)).copied()
    }

    /// The element of this kind that a reference such as `#id` means.
    pub(super) fn find(&self, kind: &'a str, reference: &str) -> Option<Tag<'a>> {
        let reference = reference.trim();
        let id = reference.strip_prefix('#').unwrap_or(reference);
        self.by_id(kind, id).or_else(|| {
            let is_coded = id.contains("%20");
            is_coded.then(|| self.by_id(kind, &id.replace("%20", " "))).flatten()
        })
    }

    /// The element of this kind that a reference in `from` means: where several have the id, the one that the
    /// fewest levels part from it. Some exporters number the sources of each mesh anew.
    pub(super) fn find_near(
        &self,
        from: Tag<'a>,
        kind: &'a str,
        reference: &str,
    ) -> Option<Tag<'a>> {
        let first = self.find(kind, reference)?;
        if self.same.is_empty() {
            return Some(first);
        }
        let Some(same) = self.same.get(&(kind, first.attribute("id")?)) else { return Some(first) };
        // A channel, a mesh and a skin are not as far as this from what they are made of.
        const LEVELS: usize = 6;
        let above = std::iter::successors(Some(from), |tag| tag.parent());
        above.take(LEVELS).find_map(|tag| tag.first_inside(same)).or(Some(first))
    }

    /// The element of this kind that an attribute of `tag` refers to; a note when there is none.
    pub(super) fn follow(
        &self,
        tag: Tag<'_>,
        attribute: &str,
        kind: &'a str,
        notes: &mut Notes,
    ) -> Option<Tag<'a>> {
        let reference = tag.attribute(attribute).unwrap_or_default();
        let found = self.find(kind, reference);
        if found.is_none() {
            let text = format!("there is no <{kind}> \"{}\"; it is left out", shorten(reference));
            notes.add(self.place(tag), text);
        }
        found
    }

    /// The numbers in an element; those that are not finite become zero, with a note.
    pub(super) fn floats(&self, tag: Tag<'_>, notes: &mut Notes) -> Result<Vec<f32>, ImportError> {
        let mut out = Vec::new();
        let mended = self.numbers(tag, |text| {
            out.clear();
            out.reserve(numbers::expected(text));
            numbers::floats(text, &mut out)
        })?;
        if mended.not_finite > 0 {
            let text = "numbers that are not finite are taken as zero";
            notes.add_as(NoteCode::NotFinite, self.place(tag), text);
        }
        if mended.commas > 0 {
            notes.add(self.place(tag), "a comma in a number is taken for a decimal point");
        }
        Ok(out)
    }

    /// The whole numbers in an element.
    pub(super) fn integers(&self, tag: Tag<'_>) -> Result<Vec<i32>, ImportError> {
        let mut out = Vec::new();
        self.numbers(tag, |text| {
            out.clear();
            out.reserve(numbers::expected(text));
            numbers::integers(text, &mut out)
        })?;
        Ok(out)
    }

    /// Reads numbers out of an element's text: as filed first, since hardly any has entities, which are no numbers.
    fn numbers<R>(
        &self,
        tag: Tag<'_>,
        mut read: impl for<'t> FnMut(&'t str) -> Result<R, BadToken<'t>>,
    ) -> Result<R, ImportError> {
        if let Some(Ok(found)) = tag.filed_text().map(&mut read) {
            return Ok(found);
        }
        read(&tag.text()).map_err(|bad| self.bad_number(tag, &bad))
    }

    fn bad_number(&self, tag: Tag<'_>, bad: &BadToken<'_>) -> ImportError {
        let found = shorten(bad.0);
        let text = format!("expected numbers in <{}>, found \"{found}\"", name(tag));
        ImportError::malformed(self.place(tag), text)
    }
}

/// An element's name, whatever its namespace.
pub(super) fn name<'a>(tag: Tag<'a>) -> &'a str {
    tag.name()
}

/// The child elements of this name.
pub(super) fn children<'a>(tag: Tag<'a>, wanted: &str) -> impl Iterator<Item = Tag<'a>> {
    tag.children().filter(move |child| is_same(child.name(), wanted))
}

/// The first child element of this name.
pub(super) fn child<'a>(tag: Tag<'a>, wanted: &str) -> Option<Tag<'a>> {
    children(tag, wanted).next()
}

/// The element at the end of a path of names.
pub(super) fn descend<'a>(tag: Tag<'a>, path: &[&str]) -> Option<Tag<'a>> {
    path.iter().try_fold(tag, |tag, step| child(tag, step))
}

/// An attribute that is a count; `default` when it is missing or none.
pub(super) fn count(tag: Tag<'_>, attribute: &str, default: usize) -> usize {
    tag.attribute(attribute).and_then(|text| text.trim().parse().ok()).unwrap_or(default)
}

/// What to call an element: its name, else its id, else its sid.
pub(super) fn label(tag: Tag<'_>) -> &str {
    ["name", "id", "sid"]
        .iter()
        .filter_map(|attribute| tag.attribute(attribute))
        .find(|text| !text.is_empty())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_asked_for_and_the_last_are_right() {
        let document = Document::parse("<a>\n<b/>\n\n<c/></a>").expect("XML");
        let xml = Xml::new(&document, &mut Notes::default());
        for _ in 0..20 {
            let lines: Vec<Place> = xml.root.descendants().map(|tag| xml.place(tag)).collect();
            assert_eq!(lines, [Place::Line(1), Place::Line(2), Place::Line(4)]);
        }
    }
}
