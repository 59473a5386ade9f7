//! What glTF has no member for and Sinew's writer puts where programs may: in `extras` and attributes of its own.
//!
//! In:  `extras` of animations and skins, the attribute `_DUAL_WEIGHT`. Out: markers, a clip's start and length, how a skin adds up.
//!
//! `markers` of an animation is a list of `{"name", "time"}`, in seconds, which any program may write. The rest is under `sinew`.

use sinew_scene::{Clip, Marker, SkinMethod};

use super::accessor::Elements;
use super::attribute::Attributes;
use crate::json::Value;
use crate::note::Notes;
use crate::open::Context;
use crate::{ImportError, Place};

/// Markers, start and length of a clip whose tracks are read.
pub(super) fn read_clip(extras: &Value, clip: &mut Clip, at: usize, notes: &mut Notes) {
    let own = &extras["sinew"];
    let number = |value: &Value| value.as_f64().filter(|number| number.is_finite());
    if let Some(start) = number(&own["start"]) {
        clip.start = start;
    }
    let duration = number(&own["duration"]).map(|seconds| seconds as f32);
    if let Some(duration) = duration.filter(|&seconds| seconds >= 0.0 && seconds.is_finite()) {
        clip.duration = duration;
    }
    let Some(filed) = extras["markers"].as_list() else { return };
    let marker = |filed: &Value| {
        let time = number(&filed["time"])? as f32;
        let name = filed["name"].as_str()?;
        (0.0..=clip.duration).contains(&time).then(|| Marker::new(name, time))
    };
    let mut markers: Vec<Marker> = filed.iter().filter_map(marker).collect();
    if markers.len() < filed.len() {
        let text = "a marker has no name, or no time within its clip: it is left out";
        notes.add(Place::part(format!("animations[{at}].extras.markers")), text);
    }
    markers.sort_by(|a, b| a.time.total_cmp(&b.time));
    clip.markers = markers;
}

/// How a skin adds up influences.
pub(super) fn skin_method(extras: &Value) -> SkinMethod {
    match extras["sinew"]["method"].as_str() {
        Some("dual_quaternion") => SkinMethod::DualQuaternion,
        Some("blended") => SkinMethod::Blended,
        _ => SkinMethod::Linear,
    }
}

/// Per vertex, how much of a blended skin is dual quaternions.
pub(super) fn dual_weights(
    attributes: &Attributes<'_>,
    vertices: usize,
    context: &mut Context<'_>,
) -> Result<Vec<f32>, ImportError> {
    let elements = attributes.get("_DUAL_WEIGHT", vertices, context)?;
    // Of another shape it is another program's.
    let scalar = |elements: &Elements<'_>| (elements.shape.columns, elements.shape.rows) == (1, 1);
    let Some(elements) = elements.filter(scalar) else { return Ok(Vec::new()) };
    let weights = elements.floats(&mut context.budget, |[weight]: [f32; 1]| weight)?;
    let cut = |weight: f32| if weight.is_finite() { weight.clamp(0.0, 1.0) } else { 0.0 };
    Ok(weights.into_iter().map(cut).collect())
}
