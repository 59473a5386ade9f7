//! Lights of `KHR_lights_punctual`.

use std::f32::consts::FRAC_PI_4;

use glam::Vec3;
use sinew_scene::{JointId, Light, LightKind};

use super::buffer::no_such;
use super::json::{Document, floats};
use crate::note::Notes;
use crate::{ImportError, Place, files};

/// The light with this index, under a node.
pub(super) fn read(
    document: &Document<'_>,
    index: usize,
    joint: JointId,
    place: &Place,
    notes: &mut Notes,
) -> Result<Light, ImportError> {
    let lights = &document.extensions.lights.lights;
    let filed = lights.get(index).ok_or_else(|| no_such("light", index, lights.len(), place))?;
    let spot = filed.spot.as_ref();
    let kind = match filed.kind.as_str() {
        "directional" => LightKind::Directional,
        "point" => LightKind::Point,
        "spot" => LightKind::Spot {
            inner: spot.and_then(|spot| spot.inner_cone_angle).map_or(0.0, |angle| angle.0),
            outer: spot.and_then(|spot| spot.outer_cone_angle).map_or(FRAC_PI_4, |angle| angle.0),
        },
        other => {
            let text = format!(
                "a light is of type \"{}\": it is taken for a point",
                files::shorten(other)
            );
            notes.add(Place::part(format!("lights[{index}]")), text);
            LightKind::Point
        }
    };
    Ok(Light {
        name: filed.name.clone().unwrap_or_default(),
        joint,
        kind,
        color: filed.color.map_or(Vec3::ONE, |color| Vec3::from(floats(color))),
        intensity: filed.intensity.map_or(1.0, |intensity| intensity.0),
        range: filed.range.map(|range| range.0).filter(|&range| range > 0.0),
    })
}
