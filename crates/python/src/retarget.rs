//! Retargeting: clips of one skeleton made to drive another, on all cores.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use sinew::Scene;
use sinew::retarget::{JointMap, Options, Quality, Slide};

use crate::clip::{Clip, clips_of};
use crate::error::{RetargetError, bad, work};
use crate::model::Model;

/// Makes clips of other skeletons drive a model.
///
/// `clips` is a clip, or a list of them; the result is the same, of `onto`'s skeleton, each with its `quality`: a dict of measured
/// figures. Bodies are found by names and shape, or `map` says which joint is which: the text of a joint map, as `joint_map`
/// writes it. `rate` is how many keys a second are made; without it, as many as the clip has, and more where straight lines
/// between them would not be near enough. `plant_feet` keeps feet where they stand. `measure=False` leaves out the figures that
/// cost time: how far bones point off, and how far joints are off between keys.
///
/// >>> ossi = sinew.open("ossi")
/// >>> walk = sinew.retarget(ossi.clips["walk"], ossi)
/// >>> abs(walk.quality["hip_ratio"] - 1) < 1e-3
/// True
#[pyfunction]
#[pyo3(signature = (clips, onto, map=None, *, rate=None, plant_feet=true, measure=true))]
pub(crate) fn retarget<'py>(
    py: Python<'py>,
    clips: &Bound<'py, PyAny>,
    onto: &Model,
    map: Option<&str>,
    rate: Option<f32>,
    plant_feet: bool,
    measure: bool,
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(rate) = rate.filter(|rate| !(rate.is_finite() && *rate > 0.0)) {
        return Err(bad(format!("rate: expected keys a second above 0, found {rate}")));
    }
    let options = Options { plant_feet, rate, measure };
    if let Ok(one) = clips.cast::<Clip>() {
        let sources = [one.get()];
        let mut made = work(py, || all(&sources, &onto.scene, map, &options))?;
        let made = made.pop().ok_or_else(|| bad("clips: expected a clip, found none"))?;
        return Ok(made.into_pyobject(py)?.into_any());
    }
    let wrong = |_| bad("clips: expected a clip or a list of clips");
    let clips = clips_of(clips).map_err(wrong)?;
    let sources: Vec<&Clip> = clips.iter().map(Bound::get).collect();
    let made = work(py, || all(&sources, &onto.scene, map, &options))?;
    Ok(made.into_pyobject(py)?.into_any())
}

/// The joint map between two skeletons, as text that can be changed and given to `retarget`.
///
/// >>> ossi = sinew.open("ossi")
/// >>> "hips" in sinew.joint_map(ossi, ossi)
/// True
#[pyfunction]
pub(crate) fn joint_map(py: Python<'_>, clips_of: &Model, onto: &Model) -> PyResult<String> {
    work(py, || {
        let map = JointMap::find(&clips_of.scene, &onto.scene).map_err(failed)?;
        Ok(map.to_text(&clips_of.scene, &onto.scene))
    })
}

fn failed(error: sinew::retarget::RetargetError) -> PyErr {
    RetargetError::new_err(error.to_string())
}

fn all(
    clips: &[&Clip],
    onto: &Arc<Scene>,
    map: Option<&str>,
    options: &Options,
) -> PyResult<Vec<Clip>> {
    // Clips of one file share a scene, and so a map.
    let mut maps: Vec<(*const Scene, JointMap)> = Vec::new();
    for clip in clips {
        let from = Arc::as_ptr(&clip.scene);
        if maps.iter().all(|(known, _)| *known != from) {
            let found = match map {
                Some(text) => JointMap::from_text(text, &clip.scene, onto),
                None => JointMap::find(&clip.scene, onto),
            };
            maps.push((from, found.map_err(failed)?));
        }
    }
    let maps: Vec<&JointMap> = clips
        .iter()
        .filter_map(|clip| {
            let from = Arc::as_ptr(&clip.scene);
            maps.iter().find(|(known, _)| *known == from).map(|(_, map)| map)
        })
        .collect();
    let one = |(clip, map): (&&Clip, &JointMap)| {
        let made = sinew::retarget::retarget(clip.clip(), &clip.scene, onto, map, options);
        let made = made.map_err(failed)?;
        Ok(Clip::retargeted(onto, made.clip, made.quality))
    };
    clips.par_iter().zip(maps.par_iter().copied()).map(one).collect()
}

/// Figures as a dict; metres, seconds, degrees.
pub(crate) fn quality<'py>(py: Python<'py>, quality: &Quality) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let slide = |name: &str, slide: Slide| {
        dict.set_item(name, slide.mean)?;
        dict.set_item(format!("{name}_worst"), slide.worst)
    };
    slide("foot_slide", quality.slide)?;
    slide("foot_slide_plain", quality.plain_slide)?;
    slide("foot_slide_source", quality.source_slide)?;
    dict.set_item("hip_ratio", quality.hip_ratio)?;
    dict.set_item("leg", quality.leg)?;
    dict.set_item("contact", quality.contact)?;
    dict.set_item("ground_speed", quality.ground_speed)?;
    dict.set_item("direction", quality.mean_direction)?;
    dict.set_item("direction_worst", quality.worst_direction)?;
    let worst = quality.worst_bone.map(|(slot, time)| (slot.to_string(), time));
    dict.set_item("direction_worst_at", worst)?;
    dict.set_item("key_error", quality.key_error)?;
    dict.set_item("keys", quality.keys)?;
    dict.set_item("source_keys", quality.source_keys)?;
    dict.set_item("joints", quality.joints)?;
    dict.set_item("tracks_left_out", quality.tracks_left_out)?;
    dict.set_item("loops", quality.comes_round)?;
    Ok(dict)
}
