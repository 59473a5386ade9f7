//! A primitive's attributes by name, wherever they are: in accessors or in a Draco stream.

use glam::{Vec2, Vec3, Vec4};
use sinew_scene::Decimal;

use super::accessor::{Elements, Source};
use super::draco_primitive::Unpacked;
use super::json;
use crate::open::Context;
use crate::{ImportError, Place};

/// The attributes of one primitive, or of one of its morph targets.
pub(super) struct Attributes<'a> {
    pub(super) source: &'a Source<'a>,
    pub(super) list: &'a json::Attributes,
    pub(super) unpacked: Option<&'a Unpacked>,
    /// Whether the number of vertices is a Draco stream's, which need not be that of the accessors:
    /// an attribute of another length is then left out, and an error otherwise.
    pub(super) may_differ: bool,
    pub(super) words: &'a str,
}

impl<'a> Attributes<'a> {
    pub(super) fn place(&self) -> Place {
        Place::part(self.words)
    }

    /// An attribute of any length.
    pub(super) fn first(&self, name: &str) -> Result<Option<Elements<'a>>, ImportError> {
        let Some(accessor) = self.list.get(name) else { return Ok(None) };
        if let Some(unpacked) = self.unpacked
            && let Some(elements) = unpacked.elements(name, self.source, accessor.0)
        {
            return Ok(Some(elements));
        }
        self.source.elements(accessor.0, &self.place()).map(Some)
    }

    /// How many entries the accessor of an attribute says that there are.
    pub(super) fn filed_count(&self, name: &str) -> Option<usize> {
        let accessor = self.source.document.accessors.get(self.list.get(name)?.0)?;
        Some(accessor.count.0)
    }

    /// An attribute with a value for each vertex.
    pub(super) fn get(
        &self,
        name: &str,
        vertices: usize,
        context: &mut Context<'_>,
    ) -> Result<Option<Elements<'a>>, ImportError> {
        let Some(found) = self.first(name)? else { return Ok(None) };
        if found.count == vertices {
            return Ok(Some(found));
        }
        let count = found.count;
        if self.may_differ {
            let text = format!(
                "{name} is not in the Draco stream and has {count} entries for {vertices} vertices: it is left out"
            );
            context.notes.add(self.place(), text);
            return Ok(None);
        }
        let text =
            format!("expected {vertices} entries of {name}, one for each position, found {count}");
        Err(ImportError::out_of_range(self.place(), text))
    }
}

/// Positions, or how far they move: a number that is not finite has no place to be drawn.
pub(super) fn positions(
    elements: &Elements<'_>,
    context: &mut Context<'_>,
) -> Result<Vec<Vec3>, ImportError> {
    let positions = elements.floats(&mut context.budget, |v: [f32; 3]| Vec3::from(v))?;
    match positions.iter().position(|position| !position.is_finite()) {
        None => Ok(positions),
        Some(bad) => {
            let [x, y, z] = positions[bad].to_array().map(|number| Decimal(number.into()));
            let text = format!("expected finite numbers, found [{x}, {y}, {z}] at entry {bad}");
            Err(ImportError::out_of_range(elements.place.clone(), text))
        }
    }
}

/// Directions as filed; what has no length or is no number, `finish` mends for all formats.
pub(super) fn directions(
    elements: &Elements<'_>,
    context: &mut Context<'_>,
) -> Result<Vec<Vec3>, ImportError> {
    elements.floats(&mut context.budget, |v: [f32; 3]| Vec3::from(v))
}

/// Directions with a side, as filed.
pub(super) fn tangents(
    elements: &Elements<'_>,
    context: &mut Context<'_>,
) -> Result<Vec<Vec4>, ImportError> {
    elements.floats(&mut context.budget, |v: [f32; 4]| Vec4::from(v))
}

pub(super) fn uvs(
    elements: &Elements<'_>,
    context: &mut Context<'_>,
) -> Result<Vec<Vec2>, ImportError> {
    let mut uvs = elements.floats(&mut context.budget, |v: [f32; 2]| Vec2::from(v))?;
    mend(&mut uvs, |v| v.is_finite(), Vec2::ZERO, elements, context);
    Ok(uvs)
}

/// With alpha, whether the file has it or not.
pub(super) fn colors(
    mut elements: Elements<'_>,
    context: &mut Context<'_>,
) -> Result<Vec<Vec4>, ImportError> {
    elements.expect_len(&[3, 4])?;
    if elements.component.full(elements.normalized) != 1.0 {
        let text =
            "vertex colours are whole numbers not marked as normalised: they are taken to be";
        context.notes.add(elements.place.clone(), text);
        elements.normalized = true;
    }
    let mut colors = match elements.shape.rows {
        3 => elements.floats(&mut context.budget, |[r, g, b]: [f32; 3]| Vec4::new(r, g, b, 1.0))?,
        _ => elements.floats(&mut context.budget, |v: [f32; 4]| Vec4::from(v))?,
    };
    mend(&mut colors, |v| v.is_finite(), Vec4::ONE, &elements, context);
    Ok(colors)
}

fn mend<V: Copy>(
    values: &mut [V],
    good: impl Fn(&V) -> bool,
    other: V,
    elements: &Elements<'_>,
    context: &mut Context<'_>,
) {
    let mut bad = false;
    for value in values.iter_mut().filter(|value| !good(value)) {
        *value = other;
        bad = true;
    }
    if bad {
        let text = "an attribute has entries that are no finite numbers: they are replaced";
        context.notes.add(elements.place.clone(), text);
    }
}
