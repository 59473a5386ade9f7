//! Morphs: shapes that a geometry blends to.
//!
//! In:  a `<morph>` and the base geometry.
//! Out: differences from the base for each part, names, and the weights at rest.
//!
//! NORMALIZED gives `(1 - Σw) base + Σ w target`, which is `base + Σ w (target - base)`; RELATIVE
//! gives `base + Σ w target`, so there the targets are the differences already.

use std::rc::Rc;

use glam::Vec3;
use sinew_scene::MorphTarget;

use super::geometry::{self, Geometry, Part, inputs};
use super::source::{self, Floats, Sources};
use super::xml::{self, Tag, Xml};
use crate::ImportError;
use crate::files::shorten;
use crate::note::Notes;

/// A morph's targets.
#[derive(Debug)]
pub(super) struct MorphData {
    targets: Vec<Target>,
    /// At rest, one for each target.
    pub(super) weights: Vec<f32>,
    relative: bool,
}

#[derive(Debug)]
struct Target {
    name: String,
    /// `None` when the file lacks it; then it changes nothing.
    shape: Option<(Floats, Rc<Geometry>)>,
}

/// The source that holds the weights, which animations drive.
pub(super) fn weights_of<'a>(xml: &Xml<'a>, morph: Tag<'a>) -> Option<Tag<'a>> {
    input(xml, morph, "MORPH_WEIGHT")
}

fn input<'a>(xml: &Xml<'a>, morph: Tag<'a>, semantic: &str) -> Option<Tag<'a>> {
    let mut all = inputs(xml::child(morph, "targets")?);
    xml.find_near(morph, "source", all.find(|input| input.semantic == semantic)?.reference)
}

/// Gives the joined parts of a geometry.
type GeometryOf<'b, 'a> =
    dyn FnMut(Tag<'a>, &mut Sources, &mut Notes) -> Result<Rc<Geometry>, ImportError> + 'b;

/// Reads a morph.
pub(super) fn read<'a>(
    xml: &Xml<'a>,
    morph: Tag<'a>,
    sources: &mut Sources,
    notes: &mut Notes,
    geometry_of: &mut GeometryOf<'_, 'a>,
) -> Result<MorphData, ImportError> {
    let words = input(xml, morph, "MORPH_TARGET").map(|source| source::names(xml, source).words);
    let mut targets = Vec::new();
    for word in words.unwrap_or_default() {
        let Some(tag) = xml.find("geometry", &word) else {
            let text = format!("the morph target \"{}\" is missing", shorten(&word));
            notes.add(xml.place(morph), text);
            targets.push(Target { name: word, shape: None });
            continue;
        };
        let positions = geometry::positions(xml, tag, sources, notes)?;
        let shape = match positions {
            Some(positions) => Some((positions, geometry_of(tag, sources, notes)?)),
            None => None,
        };
        targets.push(Target { name: xml::label(tag).to_owned(), shape });
    }
    let mut weights = match weights_of(xml, morph) {
        Some(source) => sources.floats(xml, source, 1, notes)?.flat(),
        None => Vec::new(),
    };
    weights.resize(targets.len(), 0.0);
    let relative = morph.attribute("method") == Some("RELATIVE");
    Ok(MorphData { targets, weights, relative })
}

impl MorphData {
    pub(super) fn names(&self) -> Vec<String> {
        self.targets.iter().map(|target| target.name.clone()).collect()
    }

    /// The differences of every target for one part of the base.
    pub(super) fn targets(&self, part: &Part, number: usize) -> Vec<MorphTarget> {
        self.targets.iter().map(|target| self.target(target, part, number)).collect()
    }

    fn target(&self, target: &Target, part: &Part, number: usize) -> MorphTarget {
        let Some((positions, geometry)) = &target.shape else { return MorphTarget::default() };
        let difference = |found: Vec3, base: Vec3| if self.relative { found } else { found - base };
        let moved = part.rows.iter().zip(&part.shape.positions).map(|(&row, &base)| {
            let row = row as usize;
            if row < positions.count { difference(positions.vec3(row), base) } else { Vec3::ZERO }
        });
        let other = geometry.parts.get(number).filter(|other| {
            !self.relative
                && !part.shape.normals.is_empty()
                && !other.shape.normals.is_empty()
                && other.corners.len() == part.corners.len()
        });
        let bent = other.map(|other| {
            let normals = part.first_corners.iter().zip(&part.shape.normals);
            normals.map(|(&corner, &base)| {
                other.shape.normals[other.corners[corner as usize] as usize] - base
            })
        });
        MorphTarget {
            positions: unless_zero(moved.collect()),
            normals: bent.map_or_else(Vec::new, |bent| unless_zero(bent.collect())),
            tangents: Vec::new(),
        }
    }
}

/// A list of zeros is empty.
fn unless_zero(list: Vec<Vec3>) -> Vec<Vec3> {
    if list.iter().all(|&value| value == Vec3::ZERO) { Vec::new() } else { list }
}
