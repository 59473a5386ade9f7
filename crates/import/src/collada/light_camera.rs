//! Lights and cameras: what nodes have besides meshes.
//!
//! In:  an `<instance_light>` or `<instance_camera>` and the node that has it.
//! Out: a light or a camera. An ambient light has no place in a scene and is left out with a note.

use glam::Vec3;
use sinew_scene::{Camera, JointId, Light, LightKind, Projection};

use super::color;
use super::xml::{self, Tag, Xml};
use crate::ImportError;
use crate::note::Notes;

fn number(
    xml: &Xml<'_>,
    tag: Tag<'_>,
    name: &str,
    notes: &mut Notes,
) -> Result<Option<f32>, ImportError> {
    match xml::child(tag, name) {
        Some(tag) => Ok(xml.floats(tag, notes)?.first().copied()),
        None => Ok(None),
    }
}

pub(super) fn light(
    xml: &Xml<'_>,
    joint: JointId,
    instance: Tag<'_>,
    notes: &mut Notes,
) -> Result<Option<Light>, ImportError> {
    let Some(tag) = xml.follow(instance, "url", "light", notes) else { return Ok(None) };
    let Some(common) = xml::child(tag, "technique_common") else { return Ok(None) };
    let Some(shape) = common.children().next() else { return Ok(None) };
    let kind = match xml::name(shape) {
        "directional" => LightKind::Directional,
        "point" => LightKind::Point,
        "spot" => {
            // The file has the whole angle.
            let whole = number(xml, shape, "falloff_angle", notes)?.unwrap_or(180.0);
            let outer = (whole.clamp(0.0, 180.0) / 2.0).to_radians();
            let hard = number(xml, shape, "falloff_exponent", notes)?.unwrap_or(0.0) <= 0.0;
            LightKind::Spot { inner: if hard { outer } else { 0.0 }, outer }
        }
        other => {
            let text = format!("a light of the kind \"{other}\" is left out");
            notes.add(xml.place(tag), crate::files::shorten(&text));
            return Ok(None);
        }
    };
    let color = match xml::child(shape, "color") {
        Some(color) => xml.floats(color, notes)?,
        None => Vec::new(),
    };
    let color = match color.as_slice() {
        [r, g, b, ..] => Vec3::new(*r, *g, *b),
        _ => Vec3::ONE,
    };
    // Bright lights are written as colours above one: what is above is intensity.
    let bright = color.max_element().max(1.0);
    Ok(Some(Light {
        name: xml::label(tag).to_owned(),
        joint,
        kind,
        color: color::linear3(color / bright),
        intensity: bright,
        range: None,
    }))
}

pub(super) fn camera(
    xml: &Xml<'_>,
    joint: JointId,
    instance: Tag<'_>,
    notes: &mut Notes,
) -> Result<Option<Camera>, ImportError> {
    let Some(tag) = xml.follow(instance, "url", "camera", notes) else { return Ok(None) };
    let Some(common) = xml::descend(tag, &["optics", "technique_common"]) else { return Ok(None) };
    let kinds = ["perspective", "orthographic"];
    let Some(lens) = kinds.iter().find_map(|kind| xml::child(common, kind)) else {
        return Ok(None);
    };
    let mut get = |name: &str| number(xml, lens, name, notes).map(|n| n.filter(|n| *n > 0.0));
    let aspect = get("aspect_ratio")?;
    let near = get("znear")?.unwrap_or(0.1);
    let far = get("zfar")?.filter(|far| *far > near);
    let wide = aspect.unwrap_or(16.0 / 9.0);
    let projection = if xml::name(lens) == "perspective" {
        let x = get("xfov")?;
        let y = get("yfov")?;
        Projection::Perspective {
            fov_y: fov_y(x, y, wide),
            aspect: both(x, y).or(aspect),
            near,
            far,
        }
    } else {
        let x = get("xmag")?;
        let y = get("ymag")?;
        let half_height = y.or(x.map(|x| x / wide)).unwrap_or(1.0);
        let half_width = x.unwrap_or(half_height * wide);
        let far = far.unwrap_or(near + 1000.0);
        Projection::Orthographic { half_width, half_height, near, far }
    };
    Ok(Some(Camera { name: xml::label(tag).to_owned(), joint, projection }))
}

/// Half an angle's tangent, for degrees that a lens can have.
fn half_tangent(degrees: f32) -> f32 {
    (degrees.clamp(0.1, 179.0).to_radians() / 2.0).tan()
}

/// The whole vertical angle, in radians.
fn fov_y(x: Option<f32>, y: Option<f32>, aspect: f32) -> f32 {
    match (x, y) {
        (_, Some(y)) => 2.0 * half_tangent(y).atan(),
        (Some(x), None) => 2.0 * (half_tangent(x) / aspect).atan(),
        (None, None) => 45_f32.to_radians(),
    }
}

/// Both angles together say how wide the image is.
fn both(x: Option<f32>, y: Option<f32>) -> Option<f32> {
    Some(half_tangent(x?) / half_tangent(y?))
}
