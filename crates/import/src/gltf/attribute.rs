//! A primitive's attributes by name, wherever they are: in accessors or in a Draco stream.

use glam::{Vec2, Vec3, Vec4};

use super::accessor::{Elements, Source};
use super::draco_primitive::Unpacked;
use super::json;
use crate::door::Context;
use crate::{Error, Place};

/// The attributes of one primitive, or of one of its morph targets.
pub(super) struct Attributes<'a> {
    pub(super) source: &'a Source<'a>,
    pub(super) list: &'a json::Attributes,
    pub(super) unpacked: Option<&'a Unpacked>,
    pub(super) words: &'a str,
}

impl<'a> Attributes<'a> {
    pub(super) fn place(&self) -> Place {
        Place::part(self.words)
    }

    /// An attribute of any length.
    pub(super) fn first(&self, name: &str) -> Result<Option<Elements<'a>>, Error> {
        let Some(accessor) = self.list.get(name) else { return Ok(None) };
        if let Some(unpacked) = self.unpacked
            && let Some(elements) = unpacked.elements(name, self.source, accessor.0)
        {
            return Ok(Some(elements));
        }
        self.source.elements(accessor.0, &self.place()).map(Some)
    }

    /// An attribute with a value for each vertex.
    pub(super) fn get(&self, name: &str, vertices: usize) -> Result<Option<Elements<'a>>, Error> {
        let elements = self.first(name)?;
        match elements {
            Some(found) if found.count != vertices => {
                let text = format!(
                    "expected {vertices} entries of {name}, one for each position, found {}",
                    found.count
                );
                Err(Error::out_of_range(self.place(), text))
            }
            other => Ok(other),
        }
    }
}

/// Positions, or how far they move: a number that is not finite has no place to be drawn.
pub(super) fn positions(
    elements: &Elements<'_>,
    context: &mut Context<'_>,
) -> Result<Vec<Vec3>, Error> {
    let positions = elements.floats(&mut context.budget, |v: [f32; 3]| Vec3::from(v))?;
    match positions.iter().position(|position| !position.is_finite()) {
        None => Ok(positions),
        Some(bad) => {
            let text = format!("expected finite numbers, found {} at entry {bad}", positions[bad]);
            Err(Error::out_of_range(elements.place.clone(), text))
        }
    }
}

/// Differences of normals or tangents: what is not finite changes nothing.
pub(super) fn differences(
    elements: &Elements<'_>,
    context: &mut Context<'_>,
) -> Result<Vec<Vec3>, Error> {
    let mut values = elements.floats(&mut context.budget, |v: [f32; 3]| Vec3::from(v))?;
    mend(&mut values, |v| v.is_finite(), |_| Vec3::ZERO, elements, context);
    Ok(values)
}

pub(super) fn normals(
    elements: &Elements<'_>,
    context: &mut Context<'_>,
) -> Result<Vec<Vec3>, Error> {
    let mut normals = elements.floats(&mut context.budget, |v: [f32; 3]| unit(Vec3::from(v)))?;
    mend(&mut normals, |v| v.is_finite(), |_| Vec3::Z, elements, context);
    Ok(normals)
}

/// Unit length, and a side that is 1 or -1.
pub(super) fn tangents(
    elements: &Elements<'_>,
    context: &mut Context<'_>,
) -> Result<Vec<Vec4>, Error> {
    let mut tangents = elements.floats(&mut context.budget, |[x, y, z, w]: [f32; 4]| {
        unit(Vec3::new(x, y, z)).extend(if w < 0.0 { -1.0 } else { 1.0 })
    })?;
    mend(&mut tangents, |v| v.is_finite(), |v| Vec3::X.extend(v.w), elements, context);
    Ok(tangents)
}

/// Divided by its length where that is off by more than rounding; NaN when it has none.
fn unit(v: Vec3) -> Vec3 {
    let squared = v.length_squared();
    if (squared - 1.0).abs() <= 1e-6 {
        return v;
    }
    match v.try_normalize() {
        Some(unit) => unit,
        None => Vec3::NAN,
    }
}

pub(super) fn uvs(elements: &Elements<'_>, context: &mut Context<'_>) -> Result<Vec<Vec2>, Error> {
    let mut uvs = elements.floats(&mut context.budget, |v: [f32; 2]| Vec2::from(v))?;
    mend(&mut uvs, |v| v.is_finite(), |_| Vec2::ZERO, elements, context);
    Ok(uvs)
}

/// With alpha, whether the file has it or not.
pub(super) fn colors(
    mut elements: Elements<'_>,
    context: &mut Context<'_>,
) -> Result<Vec<Vec4>, Error> {
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
    mend(&mut colors, |v| v.is_finite(), |_| Vec4::ONE, &elements, context);
    Ok(colors)
}

fn mend<V: Copy>(
    values: &mut [V],
    good: impl Fn(&V) -> bool,
    other: impl Fn(V) -> V,
    elements: &Elements<'_>,
    context: &mut Context<'_>,
) {
    let mut bad = 0_usize;
    for value in values.iter_mut().filter(|value| !good(value)) {
        *value = other(*value);
        bad += 1;
    }
    if bad > 0 {
        let text = "an attribute has entries without length or that are no finite numbers: they are replaced";
        context.notes.add(elements.place.clone(), text);
    }
}
