//! Controllers: a geometry, with a skin or a morph over it, or both in either order.
//!
//! In:  what an instance refers to.
//! Out: the geometry at the end of the chain, and the controllers passed.

use super::xml::{self, Tag, Xml};
use crate::Place;
use crate::files::shorten;
use crate::note::Notes;

/// What an instance draws.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body<'a> {
    pub(super) geometry: Tag<'a>,
    /// The `<skin>`.
    pub(super) skin: Option<Tag<'a>>,
    /// The `<morph>`.
    pub(super) morph: Option<Tag<'a>>,
}

/// Follows a chain of controllers down to its geometry; `None`, with a note, when there is none.
pub(super) fn resolve<'a>(xml: &Xml<'a>, instance: Tag<'a>, notes: &mut Notes) -> Option<Body<'a>> {
    // A skin over a morph is the longest chain that means anything.
    const LONGEST: usize = 8;
    let mut reference = instance.attribute("url").unwrap_or_default();
    let mut wanted = ["controller", "geometry"];
    if xml::name(instance) == "instance_geometry" {
        wanted.reverse();
    }
    let mut skin = None;
    let mut morph = None;
    for _ in 0..LONGEST {
        let Some(found) = wanted.iter().find_map(|kind| xml.find(kind, reference)) else { break };
        wanted = ["geometry", "controller"];
        if xml::name(found) == "geometry" {
            return Some(Body { geometry: found, skin, morph });
        }
        let (kind, slot) = match (xml::child(found, "skin"), xml::child(found, "morph")) {
            (Some(tag), _) => (tag, &mut skin),
            (_, Some(tag)) => {
                if skin.is_none() && is_skin(xml, tag) {
                    let text = "a morph over a skin is done before the skin";
                    notes.add(xml.place(tag), text);
                }
                (tag, &mut morph)
            }
            _ => break,
        };
        match slot {
            None => *slot = Some(kind),
            Some(_) => notes.add(xml.place(kind), "a second skin or morph in a row is left out"),
        }
        reference = kind.attribute("source").unwrap_or_default();
    }
    let place: Place = xml.place(instance);
    notes.add(place, format!("there is nothing to draw at \"{}\"", shorten(reference)));
    None
}

fn is_skin(xml: &Xml<'_>, morph: Tag<'_>) -> bool {
    let source = morph.attribute("source").unwrap_or_default();
    let below = xml.find("controller", source);
    xml.find("geometry", source).is_none()
        && below.is_some_and(|controller| xml::child(controller, "skin").is_some())
}
