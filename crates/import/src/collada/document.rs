//! XML text as a tree of elements.
//!
//! In:  text.
//! Out: elements in the order of the text, each with its name, attributes, text and place in the
//! file. Namespaces are taken off, and attributes that have one are left out.
//!
//! Names, values and text are slices of the file; only what has entities, or pieces between comments
//! and child elements, is copied. Document type definitions are refused: they can make a small file
//! endlessly large. The open elements are a list, so no depth of nesting overflows a stack.

mod entities;
mod parser;
mod search;

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use self::entities::decoded;
use self::parser::Parser;
pub(super) use self::search::newlines;
use crate::{ImportError, Place};

/// Which element of its document an element is.
pub(super) type ElementId = u32;

/// A parsed file.
#[derive(Debug)]
pub(super) struct Document<'t> {
    text: &'t str,
    elements: Vec<Element<'t>>,
    attributes: Vec<(&'t str, Cow<'t, str>)>,
    /// The text of elements that have several pieces of it.
    joined: HashMap<ElementId, String>,
    /// Where the text goes on behind the outermost element with what cannot be there.
    tail: Option<usize>,
}

#[derive(Debug)]
struct Element<'t> {
    name: &'t str,
    /// Where in the file it begins, and where what follows it begins.
    range: [u32; 2],
    parent: Option<ElementId>,
    /// The element after all that are inside this one.
    end: ElementId,
    first_attribute: u32,
    /// Its first text that is not blank.
    text: &'t str,
}

/// An element of a document.
#[derive(Clone, Copy)]
pub(super) struct Tag<'a> {
    document: &'a Document<'a>,
    id: ElementId,
}

impl PartialEq for Tag<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && std::ptr::eq(self.document.text, other.document.text)
    }
}

impl std::fmt::Debug for Tag<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<{}> at {:?}", self.name(), self.range())
    }
}

/// Whether two names are the same: most differ in length or at once, for which a call takes too long.
#[inline]
pub(super) fn is_same(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).all(|(one, other)| one == other)
}

impl<'t> Document<'t> {
    pub(super) fn parse(text: &'t str) -> Result<Self, ImportError> {
        if u32::try_from(text.len()).is_err() {
            return Err(ImportError::unsupported(Place::Whole, "XML of 4 GiB or more is not read"));
        }
        // About what a file of many small elements has; one of long lists of numbers has fewer.
        let elements = Vec::with_capacity(text.len() / 128);
        let attributes = Vec::with_capacity(text.len() / 96);
        let document = Self { text, elements, attributes, joined: HashMap::new(), tail: None };
        Parser::new(document).parse()
    }

    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    /// Where what is left out begins: the text goes on behind the outermost element.
    pub(super) fn tail(&self) -> Option<usize> {
        self.tail
    }

    /// How many elements there are.
    pub(super) fn count(&self) -> usize {
        self.elements.len()
    }
}

impl<'a> Document<'a> {
    /// The outermost element. A document that was parsed has one.
    pub(super) fn root(&'a self) -> Tag<'a> {
        Tag { document: self, id: 0 }
    }
}

impl<'a> Tag<'a> {
    fn element(self) -> &'a Element<'a> {
        &self.document.elements[self.id as usize]
    }

    pub(super) fn id(self) -> ElementId {
        self.id
    }

    /// The name without its namespace.
    pub(super) fn name(self) -> &'a str {
        self.element().name
    }

    /// Where it is in the file.
    pub(super) fn range(self) -> Range<usize> {
        let [start, end] = self.element().range;
        start as usize..end as usize
    }

    pub(super) fn parent(self) -> Option<Tag<'a>> {
        self.element().parent.map(|id| Tag { id, ..self })
    }

    pub(super) fn attribute(self, name: &str) -> Option<&'a str> {
        let first = self.element().first_attribute as usize;
        let next = self.document.elements.get(self.id as usize + 1);
        let end = next.map_or(self.document.attributes.len(), |next| next.first_attribute as usize);
        let own = &self.document.attributes[first..end];
        own.iter().find(|(known, _)| is_same(known, name)).map(|(_, value)| &**value)
    }

    /// The elements directly inside this one.
    pub(super) fn children(self) -> impl Iterator<Item = Tag<'a>> {
        let mut id = self.id + 1;
        let end = self.element().end;
        std::iter::from_fn(move || {
            let child = (id < end).then_some(Tag { id, ..self })?;
            id = child.element().end;
            Some(child)
        })
    }

    /// The first of some elements, in the order of the text, that is inside this one.
    pub(super) fn first_inside(self, sorted: &[Tag<'a>]) -> Option<Tag<'a>> {
        let found = sorted.get(sorted.partition_point(|other| other.id <= self.id))?;
        (found.id < self.element().end).then_some(*found)
    }

    /// This element and all inside it, in the order of the text.
    pub(super) fn descendants(self) -> impl Iterator<Item = Tag<'a>> {
        (self.id..self.element().end).map(move |id| Tag { id, ..self })
    }

    /// Its text as filed, where that is one piece; entities are not replaced.
    pub(super) fn filed_text(self) -> Option<&'a str> {
        (!self.document.joined.contains_key(&self.id)).then(|| self.element().text)
    }

    /// All text directly inside; what comments and child elements part has a space between.
    pub(super) fn text(self) -> Cow<'a, str> {
        match self.document.joined.get(&self.id) {
            Some(joined) => Cow::Borrowed(joined),
            None => decoded(self.element().text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_names_attributes_and_places() {
        let text = "<?xml version='1.0'?>\n<c:a x = '1' c:y=\"2\" y=\"&lt;&#65;&#x42;&none;\">\n<b/><d><e/></d>\n</c:a >";
        let document = Document::parse(text).expect("XML");
        let root = document.root();
        assert_eq!(root.name(), "a");
        assert_eq!(root.attribute("x"), Some("1"));
        assert_eq!(root.attribute("y"), Some("<AB&none;"));
        assert_eq!(root.attribute("z"), None);
        let names =
            |tags: Vec<Tag<'_>>| tags.iter().map(|tag| tag.name().to_owned()).collect::<String>();
        assert_eq!(names(root.children().collect()), "bd");
        assert_eq!(names(root.descendants().collect()), "abde");
        let last = root.descendants().last().expect("four");
        assert_eq!(&text[last.range()], "<e/>");
        assert_eq!(&text[last.parent().expect("d").range()], "<d><e/></d>");
        assert_eq!(last.attribute("x"), None);
    }

    #[test]
    fn text_between_comments_and_children_is_one() {
        let text = "<a> 1 2<!-- < --> \n<b>7</b>3&amp;<![CDATA[4 <b>&amp;]]></a>";
        let document = Document::parse(text).expect("XML");
        assert_eq!(document.root().text(), " 1 2 3& 4 <b>&amp;");
        assert_eq!(document.root().children().next().expect("b").text(), "7");
    }
}
