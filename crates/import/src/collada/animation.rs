//! Animations: channels, each a curve and the element, or the part of one, that it drives.
//!
//! In:  `<library_animations>`, nested to any depth.
//! Out: channels by the element they drive. A channel whose target is not there is left out with a note.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use super::curve::{self, Keys};
use super::source::Sources;
use super::xml::{self, ElementId, Tag, Xml};
use crate::files::shorten;
use crate::finish::hash::Seed;
use crate::note::Notes;
use crate::{ImportError, NoteCode};

/// Which of an element's numbers a channel drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Member {
    All,
    /// `(2)`.
    Index(usize),
    /// `(3)(0)`: column, then row.
    Cell(usize, usize),
    /// `.ANGLE`: the last number of a rotation, the first of anything else.
    Angle,
}

/// A curve and what it drives.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub(super) member: Member,
    pub(super) keys: Rc<Keys>,
    /// Where in the text the channel is: clips name animations, which hold channels.
    pub(super) at: usize,
}

/// All channels of a file.
#[derive(Default)]
pub(super) struct Channels {
    pub(super) all: Vec<Channel>,
    by_target: HashMap<ElementId, Vec<usize>, Seed>,
}

impl Channels {
    /// Whether any clip drives an element.
    pub(super) fn drive(&self, tag: ElementId) -> bool {
        self.by_target.contains_key(&tag)
    }

    /// The channels of an element that lie in one of the ranges of text.
    pub(super) fn of(
        &self,
        tag: ElementId,
        within: &[Range<usize>],
    ) -> impl Iterator<Item = &Channel> {
        let all = self.by_target.get(&tag).map(Vec::as_slice).unwrap_or_default();
        all.iter()
            .map(|&at| &self.all[at])
            .filter(move |channel| within.iter().any(|range| range.contains(&channel.at)))
    }
}

pub(super) fn read(
    xml: &Xml<'_>,
    sources: &mut Sources,
    notes: &mut Notes,
) -> Result<Channels, ImportError> {
    let mut channels = Channels::default();
    let mut samplers: HashMap<ElementId, Option<Rc<Keys>>, Seed> = HashMap::default();
    let sids = Sids::new(xml);
    let libraries = xml::children(xml.root, "library_animations");
    for tag in libraries.flat_map(|library| library.descendants()) {
        if xml::name(tag) != "channel" {
            continue;
        }
        let named = xml.find_near(tag, "sampler", tag.attribute("source").unwrap_or_default());
        let beside = || tag.parent().and_then(|parent| xml::child(parent, "sampler"));
        let Some(sampler) = named.or_else(beside) else {
            notes.add(xml.place(tag), "an animation channel without a sampler is left out");
            continue;
        };
        let keys = match samplers.get(&sampler.id()) {
            Some(known) => known.clone(),
            None => {
                let keys = curve::read(xml, sampler, sources, notes)?.map(Rc::new);
                samplers.insert(sampler.id(), keys.clone());
                keys
            }
        };
        let Some(keys) = keys else {
            notes.add(xml.place(tag), "an animation without keys is left out");
            continue;
        };
        let words = tag.attribute("target").unwrap_or_default();
        let Some((target, member)) = sids.resolve(xml, words) else {
            let text = format!("what an animation drives is not there: \"{}\"", shorten(words));
            notes.add_as(NoteCode::Unbound, xml.place(tag), text);
            continue;
        };
        if !can_be_driven(target) {
            let text = format!("an animation of a <{}> is left out", shorten(xml::name(target)));
            notes.add(xml.place(tag), text);
            continue;
        }
        channels.by_target.entry(target.id()).or_default().push(channels.all.len());
        channels.all.push(Channel { member, keys, at: tag.range().start });
    }
    Ok(channels)
}

/// Transforms of nodes and weights of morphs; not yet what lights, cameras and materials have.
fn can_be_driven(target: Tag<'_>) -> bool {
    matches!(
        xml::name(target),
        "translate"
            | "rotate"
            | "scale"
            | "matrix"
            | "lookat"
            | "skew"
            | "source"
            | "float_array"
            | "controller"
    )
}

/// Elements by their scoped id, in the order of the text.
struct Sids<'a> {
    by_sid: HashMap<&'a str, Vec<Tag<'a>>, Seed>,
}

impl<'a> Sids<'a> {
    fn new(xml: &Xml<'a>) -> Self {
        let mut by_sid: HashMap<&str, Vec<Tag<'_>>, Seed> = HashMap::default();
        for tag in xml.root.descendants() {
            if let Some(sid) = tag.attribute("sid") {
                by_sid.entry(sid).or_default().push(tag);
            }
        }
        Self { by_sid }
    }

    /// What a path such as `id/sid.X` or `id/sid(3)(0)` means.
    fn resolve(&self, xml: &Xml<'a>, words: &str) -> Option<(Tag<'a>, Member)> {
        let words = words.trim();
        // Ids may have points and parentheses in them; so the whole is tried as it is first.
        if let Some(tag) = self.walk(xml, words) {
            return Some((tag, Member::All));
        }
        let last = words.rfind('/').map_or(0, |slash| slash + 1);
        let cut = last + words[last..].find('(').or_else(|| words[last..].rfind('.'))?;
        let (path, member) = words.split_at(cut);
        Some((self.walk(xml, path)?, member_of(member)?))
    }

    fn walk(&self, xml: &Xml<'a>, path: &str) -> Option<Tag<'a>> {
        let mut steps = path.split('/');
        let id = steps.next().unwrap_or_default();
        const KINDS: [&str; 10] = [
            "node",
            "controller",
            "source",
            "float_array",
            "light",
            "camera",
            "material",
            "effect",
            "geometry",
            "visual_scene",
        ];
        let by_id = KINDS.iter().find_map(|kind| xml.find(kind, id));
        // Some exporters write a node's sid where its id belongs.
        let start = by_id.or_else(|| {
            self.by_sid.get(id)?.iter().copied().find(|tag| xml::name(*tag) == "node")
        })?;
        steps.try_fold(start, |tag, sid| self.below(tag, sid))
    }

    /// The element with this scoped id below `tag`: a child where there is one.
    fn below(&self, tag: Tag<'a>, sid: &str) -> Option<Tag<'a>> {
        let all = self.by_sid.get(sid)?;
        let range = tag.range();
        let first = all.partition_point(|found| found.range().start <= range.start);
        let inside =
            || all[first..].iter().copied().take_while(|found| found.range().end <= range.end);
        // Far more than the elements between a node's start and its own transforms.
        const NEAR: usize = 256;
        let child = inside().take(NEAR).find(|found| found.parent() == Some(tag));
        child.or_else(|| inside().next())
    }
}

fn member_of(words: &str) -> Option<Member> {
    if let Some(name) = words.strip_prefix('.') {
        return match name {
            "X" | "U" | "S" | "R" => Some(Member::Index(0)),
            "Y" | "V" | "T" | "G" => Some(Member::Index(1)),
            "Z" | "P" | "B" => Some(Member::Index(2)),
            "W" | "Q" | "A" => Some(Member::Index(3)),
            "ANGLE" => Some(Member::Angle),
            _ => None,
        };
    }
    let inner = words.strip_prefix('(')?.strip_suffix(')')?;
    let mut numbers = inner.split(")(").map(|number| number.trim().parse::<usize>());
    match (numbers.next()?.ok()?, numbers.next()) {
        (index, None) => Some(Member::Index(index)),
        (column, Some(Ok(row))) => Some(Member::Cell(column, row)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collada::document::Document;

    #[test]
    fn members_have_names_or_numbers() {
        assert_eq!(member_of(".Y"), Some(Member::Index(1)));
        assert_eq!(member_of(".ANGLE"), Some(Member::Angle));
        assert_eq!(member_of("(7)"), Some(Member::Index(7)));
        assert_eq!(member_of("(3)(1)"), Some(Member::Cell(3, 1)));
        assert_eq!(member_of("(x)"), None);
        assert_eq!(member_of("("), None);
    }

    #[test]
    fn a_target_is_a_path_of_ids() {
        let text = r#"<COLLADA><node id="a.b"><translate sid="t"/><node sid="n"><translate sid="t" x=""/>
            <rotate sid="r"/></node></node></COLLADA>"#;
        let document = Document::parse(text).expect("XML");
        let xml = Xml::new(&document, &mut Notes::default());
        let sids = Sids::new(&xml);
        let resolve = |words: &str| sids.resolve(&xml, words);
        let (tag, member) = resolve("a.b/t.X").expect("a translation");
        assert_eq!((tag.attribute("x"), member), (None, Member::Index(0)));
        let (tag, member) = resolve("a.b/n/t").expect("the inner translation");
        assert_eq!((tag.attribute("x"), member), (Some(""), Member::All));
        assert_eq!(xml::name(resolve("a.b/r(3)").expect("not a child").0), "rotate");
        assert!(resolve("a.b/none").is_none() && resolve("").is_none());
    }
}
