//! Reads XML tag by tag into a document.
//!
//! In:  a document without elements. Out: the same with all elements of its text, or what is not well-formed, and where.

use std::borrow::Cow;

use super::entities::decoded;
use super::search::{find, find_either, newlines};
use super::{Document, Element, ElementId};
use crate::files::shorten;
use crate::{ImportError, Place};

pub(super) struct Parser<'t> {
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
    pub(super) fn new(document: Document<'t>) -> Self {
        Self { document, at: 0, open: Vec::new() }
    }

    /// The document with all elements of its text.
    pub(super) fn parse(mut self) -> Result<Document<'t>, ImportError> {
        while self.step()? {}
        Ok(self.document)
    }

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

    /// Reads up to the end of the next tag; `false` at the end of the file, or of what is of use in it.
    fn step(&mut self) -> Result<bool, ImportError> {
        let rest = self.rest();
        let found = find(rest, b'<');
        let (text, tag) = rest.split_at(found.unwrap_or(rest.len()));
        let whole = self.open.is_empty() && !self.document.elements.is_empty();
        if whole && !(text.bytes().all(is_space) && may_follow(tag)) {
            self.document.tail = Some(self.at);
            return Ok(false);
        }
        let Some(length) = found else {
            return self.finish(rest);
        };
        self.add_text(text, false)?;
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
        let (name, local) = self.name()?;
        let id = self.document.elements.len() as ElementId;
        self.document.elements.push(Element {
            name: local,
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
        let (name, local) = self.name()?;
        self.skip_space();
        if self.rest().as_bytes().first() != Some(&b'=') {
            return Err(self.malformed(format!("expected \"=\" after \"{}\"", shorten(name))));
        }
        self.at += 1;
        self.skip_space();
        let quote = match self.rest().as_bytes().first() {
            Some(quote @ (b'"' | b'\'')) => *quote,
            None => return Err(self.truncated("a value in quotes")),
            Some(_) => {
                let name = shorten(name);
                return Err(self.malformed(format!("the value of \"{name}\" is not in quotes")));
            }
        };
        self.at += 1;
        let value = self.value(quote)?;
        if local.len() == name.len() {
            self.document.attributes.push((name, value));
        }
        Ok(())
    }

    /// A value up to its quote; hardly any has entities, which are looked for on the way.
    fn value(&mut self, quote: u8) -> Result<Cow<'t, str>, ImportError> {
        let rest = self.rest();
        match find_either(rest, [quote, b'&']) {
            Some(length) if rest.as_bytes()[length] == quote => {
                self.at += length + 1;
                Ok(Cow::Borrowed(&rest[..length]))
            }
            _ => Ok(decoded(self.skip_past(if quote == b'"' { "\"" } else { "'" })?)),
        }
    }

    /// A name, as it is and without its namespace.
    fn name(&mut self) -> Result<(&'t str, &'t str), ImportError> {
        let rest = self.rest();
        let mut kinds = 0;
        let end = rest.bytes().position(|byte| {
            let kind = IN_NAME[usize::from(byte)];
            kinds |= kind;
            kind == END
        });
        let Some(length) = end else { return Err(self.truncated("the end of a tag")) };
        if length == 0 {
            let found = rest.chars().next().unwrap_or(' ');
            return Err(self.malformed(format!("expected a name, found {found:?}")));
        }
        self.at += length;
        let name = &rest[..length];
        let local =
            if kinds & COLON == 0 { name } else { &name[name.rfind(':').map_or(0, |at| at + 1)..] };
        Ok((name, local))
    }

    fn skip_space(&mut self) {
        let rest = self.rest().as_bytes();
        self.at += rest.iter().position(|byte| !is_space(*byte)).unwrap_or(rest.len());
    }
}

/// Whether this may be behind the outermost element.
fn may_follow(tag: &str) -> bool {
    tag.is_empty() || tag.starts_with("<!--") || tag.starts_with("<?")
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r')
}

/// What a byte is to a name that it lies in or behind: nothing, its colon, or its end.
const IN_NAME: [u8; 256] = {
    let mut bytes = [0; 256];
    bytes[b':' as usize] = COLON;
    let marks = b" \n\t\r/>=<\"'&";
    let mut at = 0;
    while at < marks.len() {
        bytes[marks[at] as usize] = END;
        at += 1;
    }
    bytes
};
const COLON: u8 = 1;
const END: u8 = 2;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn what_is_not_well_formed_is_refused_with_its_line() {
        for (text, message) in [
            ("<a>\n</b>", "expected </a>, found </b>"),
            ("<?xml?>\n</a>", "closes nothing"),
            ("\n<?xml?>x<a/>", "text outside"),
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
    fn what_follows_the_outermost_element_is_a_tail_unless_it_is_an_aside() {
        for tail in ["</a>", "<b/>", "x", "\0\0</a>", "<![CDATA[]]>"] {
            let text = format!("<a/>{tail}");
            let document = Document::parse(&text).expect(tail);
            assert_eq!((document.tail(), document.count()), (Some(4), 1), "{tail}");
        }
        let document = Document::parse("<a/>\n<!--c--><?d?>\n").expect("an aside");
        assert_eq!(document.tail(), None);
    }
}
