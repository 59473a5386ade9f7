//! XML text as a tree of elements.
//!
//! In:  text.
//! Out: elements in the order of the text, each with its name, attributes, text and place in the
//! file. Namespaces are taken off, and attributes that have one are left out.
//!
//! Names, values and text are slices of the file; only what has entities, or pieces between comments
//! and child elements, is copied. Document type definitions are refused: they can make a small file
//! endlessly large. The open elements are a list, so no depth of nesting overflows a stack.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use crate::files::shorten;
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

impl<'t> Document<'t> {
    pub(super) fn parse(text: &'t str) -> Result<Self, ImportError> {
        let document = Self { text, elements: vec![], attributes: vec![], joined: HashMap::new() };
        let mut parser = Parser { document, at: 0, open: Vec::new() };
        if u32::try_from(text.len()).is_err() {
            return Err(ImportError::unsupported(Place::Whole, "XML of 4 GiB or more is not read"));
        }
        while parser.step()? {}
        Ok(parser.document)
    }

    pub(super) fn text(&self) -> &'t str {
        self.text
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
        own.iter().find(|(known, _)| *known == name).map(|(_, value)| &**value)
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

struct Parser<'t> {
    document: Document<'t>,
    at: usize,
    open: Vec<OpenElement<'t>>,
}

struct OpenElement<'t> {
    id: ElementId,
    /// The name with its namespace.
    name: &'t str,
}

impl<'t> Parser<'t> {
    fn malformed(&self, message: impl std::fmt::Display) -> ImportError {
        ImportError::malformed(self.place(), format!("not well-formed XML: {message}"))
    }

    fn truncated(&self, expected: &str) -> ImportError {
        let text = format!("not well-formed XML: expected {expected}, found the end of the file");
        ImportError::truncated(self.place(), text)
    }

    fn place(&self) -> Place {
        let before = self.document.text.as_bytes().get(..self.at).unwrap_or_default();
        Place::Line(newlines(before) + 1)
    }

    fn rest(&self) -> &'t str {
        self.document.text.get(self.at..).unwrap_or_default()
    }

    /// Reads up to the end of the next tag; `false` at the end of the file.
    fn step(&mut self) -> Result<bool, ImportError> {
        let rest = self.rest();
        let Some(length) = find(rest, b'<') else {
            return self.finish(rest);
        };
        self.add_text(&rest[..length], false)?;
        self.at += length;
        match rest.as_bytes().get(length + 1) {
            Some(b'/') => self.close_tag()?,
            Some(b'?') => {
                self.skip_past("?>")?;
            }
            Some(b'!') => self.markup()?,
            _ => self.open_tag()?,
        }
        Ok(true)
    }

    fn finish(&mut self, rest: &'t str) -> Result<bool, ImportError> {
        self.at += rest.len();
        if let Some(open) = self.open.last() {
            return Err(self.truncated(&format!("</{}>", shorten(open.name))));
        }
        if self.document.elements.is_empty() {
            return Err(self.truncated("an element"));
        }
        self.add_text(rest, false)?;
        Ok(false)
    }

    /// Comments and sections of plain text.
    fn markup(&mut self) -> Result<(), ImportError> {
        let rest = self.rest();
        if rest.starts_with("<!--") {
            self.at += 4;
            self.skip_past("-->")?;
        } else if rest.starts_with("<![CDATA[") {
            self.at += 9;
            let text = self.skip_past("]]>")?;
            self.add_text(text, true)?;
        } else if rest.starts_with("<!DOCTYPE") {
            let text = "a document type definition is not read";
            return Err(ImportError::unsupported(self.place(), text));
        } else {
            return Err(self.malformed("expected a comment after \"<!\""));
        }
        Ok(())
    }

    /// What lies before a mark; goes on after it.
    fn skip_past(&mut self, mark: &str) -> Result<&'t str, ImportError> {
        let rest = self.rest();
        let found = match mark.as_bytes() {
            [one] => find(rest, *one),
            _ => rest.find(mark),
        };
        let Some(length) = found else {
            return Err(self.truncated(&format!("\"{mark}\"")));
        };
        self.at += length + mark.len();
        Ok(&rest[..length])
    }

    fn add_text(&mut self, text: &'t str, plain: bool) -> Result<(), ImportError> {
        if text.bytes().all(is_space) {
            return Ok(());
        }
        let Some(open) = self.open.last() else {
            return Err(self.malformed("there is text outside of the outermost element"));
        };
        let first = &mut self.document.elements[open.id as usize].text;
        if !plain && first.is_empty() {
            *first = text;
            return Ok(());
        }
        let joined =
            self.document.joined.entry(open.id).or_insert_with(|| decoded(first).into_owned());
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(&if plain { Cow::Borrowed(text) } else { decoded(text) });
        Ok(())
    }

    fn close_tag(&mut self) -> Result<(), ImportError> {
        self.at += 2;
        let name = self.skip_past(">")?.trim_ascii_end();
        let Some(open) = self.open.pop() else {
            return Err(self.malformed(format!("</{}> closes nothing", shorten(name))));
        };
        if open.name != name {
            let expected = shorten(open.name);
            let found = shorten(name);
            return Err(self.malformed(format!("expected </{expected}>, found </{found}>")));
        }
        self.close(open.id);
        Ok(())
    }

    fn close(&mut self, id: ElementId) {
        let end = self.document.elements.len() as ElementId;
        let element = &mut self.document.elements[id as usize];
        element.end = end;
        element.range[1] = self.at as u32;
    }

    fn open_tag(&mut self) -> Result<(), ImportError> {
        let start = self.at;
        self.at += 1;
        let name = self.name()?;
        if self.open.is_empty() && !self.document.elements.is_empty() {
            return Err(self.malformed("there is a second outermost element"));
        }
        let id = self.document.elements.len() as ElementId;
        self.document.elements.push(Element {
            name: local(name),
            range: [start as u32; 2],
            parent: self.open.last().map(|open| open.id),
            end: id + 1,
            first_attribute: self.document.attributes.len() as u32,
            text: "",
        });
        loop {
            self.skip_space();
            match self.rest().as_bytes() {
                [b'>', ..] => {
                    self.at += 1;
                    self.open.push(OpenElement { id, name });
                    return Ok(());
                }
                [b'/', b'>', ..] => {
                    self.at += 2;
                    self.close(id);
                    return Ok(());
                }
                _ => self.attribute()?,
            }
        }
    }

    fn attribute(&mut self) -> Result<(), ImportError> {
        let name = self.name()?;
        self.skip_space();
        if !self.rest().starts_with('=') {
            return Err(self.malformed(format!("expected \"=\" after \"{}\"", shorten(name))));
        }
        self.at += 1;
        self.skip_space();
        let quote = match self.rest().as_bytes().first() {
            Some(b'"') => "\"",
            Some(b'\'') => "'",
            None => return Err(self.truncated("a value in quotes")),
            Some(_) => {
                let name = shorten(name);
                return Err(self.malformed(format!("the value of \"{name}\" is not in quotes")));
            }
        };
        self.at += 1;
        let value = self.skip_past(quote)?;
        if !name.contains(':') {
            self.document.attributes.push((name, decoded(value)));
        }
        Ok(())
    }

    fn name(&mut self) -> Result<&'t str, ImportError> {
        let rest = self.rest();
        let length = rest.bytes().position(|byte| ENDS_NAME[usize::from(byte)]);
        let Some(length) = length else { return Err(self.truncated("the end of a tag")) };
        if length == 0 {
            let found = rest.chars().next().unwrap_or(' ');
            return Err(self.malformed(format!("expected a name, found {found:?}")));
        }
        self.at += length;
        Ok(&rest[..length])
    }

    fn skip_space(&mut self) {
        let rest = self.rest().as_bytes();
        self.at += rest.iter().position(|byte| !is_space(*byte)).unwrap_or(rest.len());
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r')
}

/// What ends a name, by byte.
const ENDS_NAME: [bool; 256] = {
    let mut ends = [false; 256];
    let marks = b" \n\t\r/>=<\"'&";
    let mut at = 0;
    while at < marks.len() {
        ends[marks[at] as usize] = true;
        at += 1;
    }
    ends
};

fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// Text with its entities replaced; one that is not known stays as it is.
fn decoded(text: &str) -> Cow<'_, str> {
    let Some(first) = find(text, b'&') else {
        return Cow::Borrowed(text);
    };
    let mut out = text[..first].to_owned();
    let mut rest = &text[first..];
    while let Some(start) = rest.find('&') {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        // The longest is "&#x10FFFF;".
        let end = rest.bytes().take(10).position(|byte| byte == b';');
        let found = end.and_then(|end| entity(&rest[1..end]).zip(Some(end + 1)));
        let (character, length) = found.unwrap_or(('&', 1));
        out.push(character);
        rest = &rest[length..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix('x') {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}

/// Where a mark of one byte is first: often a few bytes away, else after a long list of numbers.
fn find(text: &str, mark: u8) -> Option<usize> {
    const NEAR: usize = 128;
    let bytes = text.as_bytes();
    let (near, far) = bytes.split_at(bytes.len().min(NEAR));
    if let Some(at) = find_by_words(near, mark) {
        return Some(at);
    }
    // Without a way out of a block, many bytes are compared at once.
    let in_block = |block: &[u8]| block.iter().fold(false, |found, byte| found | (*byte == mark));
    let mut at = near.len();
    for block in far.chunks(64) {
        if in_block(block) {
            return find_by_words(block, mark).map(|inside| at + inside);
        }
        at += block.len();
    }
    None
}

/// Where a mark is first, eight bytes at a time: the lowest byte that is zero after the mark is taken out
/// of each is the first to have its highest bit set (Mycroft 1987).
fn find_by_words(bytes: &[u8], mark: u8) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let (words, rest) = bytes.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word) ^ (u64::from(mark) * ONES);
        let zeros = word.wrapping_sub(ONES) & !word & (0x80 * ONES);
        if zeros != 0 {
            return Some(at * 8 + (zeros.trailing_zeros() / 8) as usize);
        }
    }
    let inside = rest.iter().position(|byte| *byte == mark)?;
    Some(words.len() * 8 + inside)
}

/// How many lines end in these bytes.
pub(super) fn newlines(bytes: &[u8]) -> usize {
    // In chunks whose counts fit in a byte, so that many bytes are compared at once.
    let in_chunk = |chunk: &[u8]| chunk.iter().map(|byte| u8::from(*byte == b'\n')).sum::<u8>();
    bytes.chunks(255).map(|chunk| usize::from(in_chunk(chunk))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn a_mark_is_found_near_and_far_and_where_blocks_meet() {
        for at in [0, 1, 7, 8, 9, 63, 64, 127, 128, 129, 191, 192, 193, 255, 256, 1000] {
            let text = format!("{}<b<", "a".repeat(at));
            assert_eq!(find(&text, b'<'), Some(at));
            assert_eq!(find(&text[..at], b'<'), None);
        }
    }

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

    #[test]
    fn what_is_not_well_formed_is_refused_with_its_line() {
        for (text, message) in [
            ("<a>\n</b>", "expected </a>, found </b>"),
            ("<a/>\n</a>", "closes nothing"),
            ("<a/>\n<b/>", "second outermost"),
            ("<a/>\nx", "text outside"),
            ("<a>\n<b x=1/></a>", "not in quotes"),
            ("<a>\n<b x/></a>", "expected \"=\""),
            ("<a>\n< b/></a>", "expected a name"),
            ("<a>\n<!b></a>", "expected a comment"),
        ] {
            let error = Document::parse(text).expect_err(text);
            assert_eq!(
                (error.kind, &error.place),
                (ErrorKind::Malformed, &Place::Line(2)),
                "{text}"
            );
            assert!(error.message.contains(message), "{error}");
        }
    }

    #[test]
    fn every_beginning_is_cut_short() {
        let text = "<?xml?><a x='1'><!--c--><b>2</b><![CDATA[3]]></a>";
        for end in 0..text.len() {
            let error = Document::parse(&text[..end]).expect_err("cut");
            let kind = if text[..end].ends_with("<!")
                || text[..end].ends_with("<!-")
                || (text[..end].rfind("<![").is_some_and(|at| end - at < 9))
            {
                ErrorKind::Malformed
            } else {
                ErrorKind::Truncated
            };
            assert_eq!(error.kind, kind, "{}", &text[..end]);
        }
    }

    #[test]
    fn lines_are_counted_whatever_their_number() {
        assert_eq!(newlines("\n".repeat(1000).as_bytes()), 1000);
        assert_eq!(newlines(b"a\nb\r\nc"), 2);
    }
}
