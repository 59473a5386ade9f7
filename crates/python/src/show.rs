//! `sinew.render` and `sinew.film`: a model as images.

use numpy::PyArrayDyn;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sinew::film::Kind;
use sinew::render::Background;

use crate::arrays::{room, shaped, times as moments};
use crate::clip::Clip;
use crate::error::{bad, work};
use crate::model::Model;
use crate::render::{Look, film as shoot, images};

/// Images of a model: uint8, `(frames, height, width, 4)`, RGBA.
///
/// `clip` is one of the model's skeleton; without one the model rests. `size` is `(width, height)`. Light, floor
/// and camera are those of `sinew render`: `follow` is "auto" (the camera goes along where the model would be small otherwise), "hips" (always) or
/// "none" (one place has all of the times in the image). `background` is "sky", "transparent" or "#rrggbb". `skeleton` draws the bones over the model.
///
/// >>> ossi = sinew.open("ossi")
/// >>> sinew.render(ossi, [0.0, 0.2], (64, 48), clip=ossi.clips["walk"]).shape
/// (2, 48, 64, 4)
#[pyfunction]
#[pyo3(signature = (model, times=None, size=(640, 480), *, clip=None, background=None, floor=true, follow="auto", skeleton=false))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn render<'py>(
    py: Python<'py>,
    model: &Model,
    times: Option<&Bound<'py, PyAny>>,
    size: (u32, u32),
    clip: Option<&Clip>,
    background: Option<&str>,
    floor: bool,
    follow: &str,
    skeleton: bool,
) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
    let times = times.map_or(Ok(vec![0.0]), moments)?;
    let look = look(size, background, floor, follow, skeleton)?;
    let clip = fitting(model, clip)?;
    let (width, height) = (size.0 as usize, size.1 as usize);
    let shape = [times.len(), height, width, 4];
    let mut pixels = room(&shape)?;
    let pixels = work(py, || {
        images(&model.scene, clip, &times, &look, |image| {
            pixels.extend_from_slice(&image.rgba);
            Ok(())
        })?;
        Ok(pixels)
    })?;
    shaped(py, pixels, &shape)
}

/// A clip as the bytes of a film: "apng" or "gif".
///
/// >>> ossi = sinew.open("ossi")
/// >>> sinew.film(ossi, ossi.clips["walk"], (64, 48), fps=5)[1:4]
/// b'PNG'
#[pyfunction]
#[pyo3(signature = (model, clip, size=(640, 480), *, fps=25.0, kind="apng", background=None, floor=true, follow="auto", skeleton=false))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn film<'py>(
    py: Python<'py>,
    model: &Model,
    clip: &Clip,
    size: (u32, u32),
    fps: f64,
    kind: &str,
    background: Option<&str>,
    floor: bool,
    follow: &str,
    skeleton: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    let kind = match kind {
        "apng" => Kind::Apng,
        "gif" => Kind::Gif,
        other => {
            return Err(bad(format!("kind: expected \"apng\" or \"gif\", found \"{other}\"")));
        }
    };
    let look = look(size, background, floor, follow, skeleton)?;
    let times = clip.evenly(fps)?;
    let Some(own) = fitting(model, Some(clip))? else { return Err(bad("expected a clip")) };
    let bytes = work(py, || shoot(&model.scene, own, &times, fps, kind, &look))?;
    Ok(PyBytes::new(py, &bytes))
}

/// The clip, where it is of the model's skeleton.
fn fitting<'a>(model: &Model, clip: Option<&'a Clip>) -> PyResult<Option<&'a sinew::Clip>> {
    match clip {
        Some(clip) if !clip.fits(&model.scene) => Err(bad(format!(
            "clip: expected one of the model's skeleton ({} joints), found one of another ({} joints)",
            model.scene.skeleton().len(),
            clip.scene.skeleton().len()
        ))),
        clip => Ok(clip.map(Clip::clip)),
    }
}

fn look(
    size: (u32, u32),
    background: Option<&str>,
    floor: bool,
    follow: &str,
    skeleton: bool,
) -> PyResult<Look> {
    let (width, height) = size;
    if width == 0 || height == 0 {
        return Err(bad(format!("size: expected width and height above 0, found {size:?}")));
    }
    let background = background.map(named).transpose()?;
    let follow = follow.parse().map_err(|error| bad(format!("follow: {error}")))?;
    Ok(Look { width, height, background, floor, follow, skeleton })
}

fn named(name: &str) -> PyResult<Background> {
    let wrong = || {
        let known = "\"sky\", \"transparent\" or \"#rrggbb\"";
        bad(format!("background: expected {known}, found \"{name}\""))
    };
    match name {
        "sky" => Ok(Background::Sky(1.0)),
        "transparent" => Ok(Background::Transparent),
        _ => {
            let digits = name.strip_prefix('#').filter(|digits| digits.len() == 6);
            let value = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
            let [_, red, green, blue] = value.ok_or_else(wrong)?.to_be_bytes();
            Ok(Background::srgb(red, green, blue))
        }
    }
}
