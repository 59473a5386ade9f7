//! One primitive: vertices, how they are joined, and a material.
//!
//! In:  a primitive of the document. Out: lists of one length and indices in range, or `None`
//! for a primitive without positions.

use std::sync::Arc;

use sinew_scene::{Geometry, MaterialId, MorphTarget, Primitive};

use super::accessor::Source;
use super::attribute::{self, Attributes};
use super::buffer::no_such;
use super::draco_primitive::Streams;
use super::topology::{self, Indices, TRIANGLES};
use super::{extras, influence, json, variant};
use crate::open::Context;
use crate::{ImportError, Place};

/// More sets than this of texture coordinates or colours are not kept.
const MAX_SETS: usize = 16;

/// Allows restart values among indices, which the specification itself does not.
const RESTART: &str = "KHR_mesh_primitive_restart";

pub(super) fn read(
    source: &Source<'_>,
    filed: &json::Primitive,
    words: &str,
    streams: &mut Streams<'_>,
    context: &mut Context<'_>,
) -> Result<Option<Primitive>, ImportError> {
    let place = Place::part(words);
    let unpacked = match &filed.extensions.draco {
        Some(packed) => Some(streams.next(packed, source, &place, context)?),
        None => None,
    };
    let attributes = Attributes {
        source,
        list: &filed.attributes,
        unpacked: unpacked.as_ref(),
        may_differ: unpacked.is_some(),
        words,
    };
    let Some(elements) = attributes.first("POSITION")? else {
        context.notes.add(place, "a primitive has no positions: it is left out");
        return Ok(None);
    };
    let positions = attribute::positions(&elements, context)?;
    if attributes.filed_count("POSITION") != Some(positions.len()) {
        let text = "a Draco stream does not hold as many vertices as its accessors say: it has the last word";
        context.notes.add(place.clone(), text);
    }
    let mut geometry = Geometry { positions, ..Geometry::default() };
    let surfaces = context.options.surfaces;
    if surfaces {
        read_surface(&attributes, &mut geometry, context)?;
    } else {
        find_surface(&attributes, geometry.positions.len(), context)?;
    }
    geometry.influences = influence::read(&attributes, geometry.positions.len(), context)?;
    geometry.dual_weights = extras::dual_weights(&attributes, geometry.positions.len(), context)?;
    geometry.morphs = morphs(source, filed, &geometry, words, context)?;
    let material = material(source, filed, &place)?;
    let variants = variant::of_primitive(source.document, filed, &place, &mut context.notes);
    let filed_mode = filed.mode.map_or(TRIANGLES, |mode| mode.0);
    let vertices = geometry.positions.len();
    let (mode, indices) = match (unpacked, filed.indices) {
        (_, accessor) if !surfaces => {
            accessor.map(|accessor| source.elements(accessor.0, &place)).transpose()?;
            (TRIANGLES, Indices::default())
        }
        // A Draco stream holds triangles one by one, whatever they were before.
        (Some(unpacked), _) => {
            (TRIANGLES, Indices { list: unpacked.indices, ..Indices::default() })
        }
        (None, Some(accessor)) => {
            (filed_mode, indices(source, accessor.0, filed_mode, vertices, &place, context)?)
        }
        (None, None) => {
            context.budget.take(vertices, 4, &place)?;
            let all = 0..u32::try_from(vertices).unwrap_or(u32::MAX);
            (filed_mode, Indices { list: all.collect(), ..Indices::default() })
        }
    };
    if topology::grows(mode) || indices.restart.is_some() {
        context.budget.take(indices.list.len(), 12, &place)?;
    }
    (geometry.topology, geometry.indices) =
        topology::plain(mode, indices, &place, &mut context.notes)?;
    Ok(Some(Primitive { geometry: Arc::new(geometry), material, variants }))
}

pub(super) fn material(
    source: &Source<'_>,
    filed: &json::Primitive,
    place: &Place,
) -> Result<Option<MaterialId>, ImportError> {
    let count = source.document.materials.len();
    match filed.material {
        Some(material) if material.0 >= count => Err(no_such("material", material.0, count, place)),
        material => Ok(material.map(|material| MaterialId::new(material.0))),
    }
}

fn indices(
    source: &Source<'_>,
    accessor: usize,
    mode: usize,
    vertices: usize,
    place: &Place,
    context: &mut Context<'_>,
) -> Result<Indices, ImportError> {
    let elements = source.elements(accessor, place)?;
    let list = elements.wholes::<1>(&mut context.budget)?.into_flattened();
    let largest = elements.component.largest();
    // Strips begin anew at the largest value, as graphics cards have it; elsewhere it is a vertex
    // where there are enough of them.
    let may_restart = topology::grows(mode) || largest as usize >= vertices;
    let bad = |index: u32| index as usize >= vertices && !(may_restart && index == largest);
    if let Some(at) = list.iter().position(|&index| bad(index)) {
        let found = list[at];
        let text = format!(
            "expected indices below {vertices}, the number of vertices, found {found} at entry {at}"
        );
        return Err(ImportError::out_of_range(elements.place, text));
    }
    let restart = Some(largest).filter(|largest| may_restart && list.contains(largest));
    if restart.is_some() && !source.document.uses(RESTART) {
        let text = format!("indices hold the restart value, and the file does not name {RESTART}");
        context.notes.add(elements.place, text);
    }
    Ok(Indices { list, restart })
}

/// Normals, tangents, texture coordinates and colours.
fn read_surface(
    attributes: &Attributes<'_>,
    geometry: &mut Geometry,
    context: &mut Context<'_>,
) -> Result<(), ImportError> {
    let vertices = geometry.positions.len();
    if let Some(elements) = attributes.get("NORMAL", vertices, context)? {
        geometry.normals = attribute::directions(&elements, context)?;
    }
    if let Some(elements) = attributes.get("TANGENT", vertices, context)? {
        geometry.tangents = attribute::tangents(&elements, context)?;
    }
    for name in attributes.list.keys() {
        if let Some(set) = set_of(name, "TEXCOORD_", attributes, context)
            && let Some(elements) = attributes.get(name, vertices, context)?
        {
            *entry(&mut geometry.uvs, set) = attribute::uvs(&elements, context)?;
        }
        if let Some(set) = set_of(name, "COLOR_", attributes, context)
            && let Some(elements) = attributes.get(name, vertices, context)?
        {
            *entry(&mut geometry.colors, set) = attribute::colors(elements, context)?;
        }
    }
    Ok(())
}

/// The same where they are not wanted: that they are there is all that is seen.
fn find_surface(
    attributes: &Attributes<'_>,
    vertices: usize,
    context: &mut Context<'_>,
) -> Result<(), ImportError> {
    let is_surface = |name: &&String| {
        let sets = ["NORMAL", "TANGENT", "TEXCOORD_", "COLOR_"];
        sets.iter().any(|set| name.starts_with(set))
    };
    for name in attributes.list.keys().filter(is_surface) {
        attributes.get(name, vertices, context)?;
    }
    Ok(())
}

/// The number of a set of attributes.
fn set_of(
    name: &str,
    before: &str,
    attributes: &Attributes<'_>,
    context: &mut Context<'_>,
) -> Option<usize> {
    let set = name.strip_prefix(before)?.parse().ok()?;
    if set >= MAX_SETS {
        let text = format!("more than {MAX_SETS} sets of {before}n: the others are left out");
        context.notes.add(attributes.place(), text);
        return None;
    }
    Some(set)
}

/// The list of a set; sets before it that the file lacks stay empty.
fn entry<V>(sets: &mut Vec<Vec<V>>, set: usize) -> &mut Vec<V> {
    if sets.len() <= set {
        sets.resize_with(set + 1, Vec::new);
    }
    &mut sets[set]
}

fn morphs(
    source: &Source<'_>,
    filed: &json::Primitive,
    geometry: &Geometry,
    words: &str,
    context: &mut Context<'_>,
) -> Result<Vec<MorphTarget>, ImportError> {
    let vertices = geometry.positions.len();
    let mut morphs = Vec::with_capacity(filed.targets.len());
    for (at, list) in filed.targets.iter().enumerate() {
        let words = format!("{words}.targets[{at}]");
        let may_differ = filed.extensions.draco.is_some();
        let attributes = Attributes { source, list, unpacked: None, may_differ, words: &words };
        let mut morph = MorphTarget::default();
        if let Some(elements) = attributes.get("POSITION", vertices, context)? {
            morph.positions = attribute::positions(&elements, context)?;
        }
        // A difference of normals means nothing to a primitive without normals.
        if let Some(elements) = attributes.get("NORMAL", vertices, context)?
            && !geometry.normals.is_empty()
        {
            morph.normals = attribute::directions(&elements, context)?;
        }
        if let Some(elements) = attributes.get("TANGENT", vertices, context)?
            && !geometry.tangents.is_empty()
        {
            morph.tangents = attribute::directions(&elements, context)?;
        }
        morphs.push(morph);
    }
    Ok(morphs)
}
