//! `sinew.Clip`: an animation of a skeleton.

use std::sync::Arc;

use numpy::{PyArray1, PyArrayDyn};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use sinew::glam::Affine3A;
use sinew::motion::{Cursor, sample};
use sinew::retarget::Quality;
use sinew::{ClipId, Pose, Scene};

use crate::arrays::{count, fill, finite, floats, shaped, slice, times as moments, zeros};
use crate::axes::{Axes, Unit};
use crate::error::{bad, work};
use crate::form::Form;
use crate::joints::find_all;
use crate::sample::{Space, Writer, in_chunks};
use crate::skeleton::Skeleton;

/// The rate of a clip whose keys give none, in frames a second.
const USUAL_RATE: f64 = 30.0;

/// An animation of a skeleton.
///
/// >>> walk = sinew.open("ossi").clips["walk"]
/// >>> walk.name, walk.sample(rate=30).shape[1:]
/// ('walk', (53, 7))
#[pyclass(frozen, module = "sinew")]
#[derive(Debug)]
pub(crate) struct Clip {
    pub(crate) scene: Arc<Scene>,
    source: Source,
    quality: Option<Box<Quality>>,
}

/// Where a clip is kept.
#[derive(Clone, Debug)]
enum Source {
    /// Among the scene's own.
    Scene(ClipId),
    /// Made from arrays, retargeted or blended, over the scene's skeleton.
    Made(Arc<sinew::Clip>),
}

impl Clip {
    pub(crate) fn of_scene(scene: &Arc<Scene>, clip: ClipId) -> Self {
        Self { scene: Arc::clone(scene), source: Source::Scene(clip), quality: None }
    }

    pub(crate) fn made(scene: &Arc<Scene>, clip: sinew::Clip) -> Self {
        Self { scene: Arc::clone(scene), source: Source::Made(Arc::new(clip)), quality: None }
    }

    pub(crate) fn retargeted(scene: &Arc<Scene>, clip: sinew::Clip, quality: Quality) -> Self {
        Self { quality: Some(Box::new(quality)), ..Self::made(scene, clip) }
    }

    /// The clip itself.
    pub(crate) fn clip(&self) -> &sinew::Clip {
        match &self.source {
            Source::Scene(id) => &self.scene[*id],
            Source::Made(clip) => clip,
        }
    }

    /// Frames a second, by the track with the most keys.
    pub(crate) fn frames_per_second(&self) -> f64 {
        let most = self.clip().all_times().max_by_key(|times| times.len());
        let rate = most.and_then(|times| {
            let span = f64::from(*times.last()?) - f64::from(*times.first()?);
            (times.len() > 1 && span > 0.0).then(|| (times.len() - 1) as f64 / span)
        });
        rate.filter(|rate| rate.is_finite()).unwrap_or(USUAL_RATE)
    }

    /// Moments over the whole clip at a rate, its last frame included.
    pub(crate) fn evenly(&self, rate: f64) -> PyResult<Vec<f32>> {
        if !(rate.is_finite() && rate > 0.0) {
            return Err(bad(format!("rate: expected frames a second above 0, found {rate}")));
        }
        // A last frame that rounding has put a thousandth of a frame too late is still the last.
        let frames = (f64::from(self.clip().duration) * rate + 1e-3).floor() + 1.0;
        count(&[frames as usize, self.scene.skeleton().len().max(1), 7])?;
        Ok((0..frames as usize).map(|frame| (frame as f64 / rate) as f32).collect())
    }

    /// The caller's moments; where there are none, at a rate; else at the clip's own.
    pub(crate) fn moments(
        &self,
        times: Option<&Bound<'_, PyAny>>,
        rate: Option<f64>,
    ) -> PyResult<Vec<f32>> {
        match (times, rate) {
            (Some(_), Some(_)) => Err(bad("expected times or a rate, found both")),
            (Some(times), None) => moments(times),
            (None, rate) => self.evenly(rate.unwrap_or_else(|| self.frames_per_second())),
        }
    }
}

#[pymethods]
impl Clip {
    /// As the file has it; may be empty.
    #[getter]
    fn name(&self) -> &str {
        &self.clip().name
    }

    /// Length in seconds; 0 for a single pose.
    #[getter]
    fn duration(&self) -> f32 {
        self.clip().duration
    }

    /// Where the clip begins on the file's own clock, in seconds.
    #[getter]
    fn start(&self) -> f64 {
        self.clip().start
    }

    /// Frames a second, as its keys are spaced.
    #[getter]
    fn rate(&self) -> f64 {
        self.frames_per_second()
    }

    /// The moments of its frames at its own rate, in seconds.
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f32>>> {
        Ok(PyArray1::from_vec(py, self.evenly(self.frames_per_second())?))
    }

    /// The skeleton that it moves.
    #[getter]
    fn skeleton(&self) -> Skeleton {
        Skeleton { scene: Arc::clone(&self.scene) }
    }

    /// The numbers of the joints that it moves.
    #[getter]
    fn animated(&self) -> Vec<usize> {
        let clip = self.clip();
        let mut joints: Vec<usize> =
            clip.translations.iter().chain(&clip.scales).map(|track| track.joint.index()).collect();
        joints.extend(clip.rotations.iter().map(|track| track.joint.index()));
        joints.sort_unstable();
        joints.dedup();
        joints
    }

    /// How many keys all its tracks have.
    #[getter]
    fn keys(&self) -> usize {
        self.clip().key_count()
    }

    /// Named moments: `[("step", 0.25), …]`.
    #[getter]
    fn markers(&self) -> Vec<(String, f32)> {
        self.clip().markers.iter().map(|marker| (marker.name.clone(), marker.time)).collect()
    }

    /// How good a retargeted clip is, as a dict; `None` of a clip as filed.
    #[getter]
    fn quality<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.quality.as_deref().map(|quality| crate::retarget::quality(py, quality)).transpose()
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.evenly(self.frames_per_second())?.len())
    }

    fn __repr__(&self) -> String {
        let clip = self.clip();
        format!(
            "<sinew.Clip \"{}\": {:.2} s at {:.4} frames/s, {} joints of {} move>",
            clip.name,
            clip.duration,
            self.frames_per_second(),
            self.animated().len(),
            self.scene.skeleton().len()
        )
    }

    /// The clip at many times: float32, `(frames, joints, …)`.
    ///
    /// `times` in seconds from the clip's start, or `rate` in frames a second, or neither for its own frames. Times outside
    /// the clip hold its first or last pose. `space` is "local" (each joint in its parent), "model" or "world" (the model
    /// placed by `world_from_model`, 4 × 4). `form` is "quat" (7 numbers: translation, quaternion x y z w), "trs" (10: and
    /// scale), "matrix" (4 × 4), "6d" (9: translation, two columns), "euler" (6: translation, radians about the axes of
    /// `order`) or "axis_angle" (6). `joints` chooses joints and their order: names, numbers, or the name of a joint order
    /// such as "smpl". `up`, `forward` and `unit` choose axes and unit; without them Y is up, a body faces Z, in metres. `out`
    /// is an array to write into.
    ///
    /// >>> walk = sinew.open("ossi").clips["walk"]
    /// >>> walk.sample([0.0, 0.5], space="model", form="matrix", joints=["hips", "head"]).shape
    /// (2, 2, 4, 4)
    #[pyo3(signature = (times=None, space="local", form="quat", *, rate=None, joints=None, order="xyz", up="y", forward=None, unit=Unit::Metres(1.0), world_from_model=None, out=None))]
    #[allow(clippy::too_many_arguments)]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        times: Option<&Bound<'py, PyAny>>,
        space: &str,
        form: &str,
        rate: Option<f64>,
        joints: Option<&Bound<'py, PyAny>>,
        order: &str,
        up: &str,
        forward: Option<&str>,
        unit: Unit,
        world_from_model: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let times = self.moments(times, rate)?;
        let chosen = joints.map(|joints| find_all(py, &self.scene, joints)).transpose()?;
        let writer = Writer {
            scene: &self.scene,
            space: Space::named(space)?,
            form: Form::named(form, order)?,
            joints: chosen.as_deref(),
            axes: Axes::new(up, forward, &unit)?,
            world_from_model: world_from_model.map_or(Ok(Affine3A::IDENTITY), placement)?,
        };
        let clip = self.clip();
        fill(py, &writer.shape(times.len()), out, |out| {
            writer.sample(clip, &times, out);
            Ok(())
        })
    }

    /// Morph weights at many times: `(frames, targets)`, in the order of `Model.morph_names`.
    #[pyo3(signature = (times=None, *, rate=None))]
    fn morph_weights<'py>(
        &self,
        py: Python<'py>,
        times: Option<&Bound<'py, PyAny>>,
        rate: Option<f64>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
        let times = self.moments(times, rate)?;
        let width = self.scene.weight_count();
        let shape = [times.len(), width];
        let mut numbers = zeros(&shape)?;
        let clip = self.clip();
        work(py, || {
            let rest = Pose::new(&self.scene);
            let sampled = in_chunks(&mut numbers, width, |first, rows| {
                let mut pose = rest.clone();
                let mut cursor = Cursor::new();
                for (row, &time) in rows.chunks_exact_mut(width).zip(&times[first..]) {
                    sample(clip, time, &mut cursor, &mut pose);
                    row.copy_from_slice(pose.all_weights());
                }
                Ok(())
            });
            sampled.map_err(bad)
        })?;
        shaped(py, numbers, &shape)
    }

    /// A moving image (APNG) for notebooks; nothing where there is no GPU, not even a software one.
    fn _repr_png_<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let film = work(py, || crate::render::film_of(&self.scene, self.clip(), 320, 240)).ok()?;
        Some(PyBytes::new(py, &film))
    }
}

/// The clips of a list, one after the other: a length that is only claimed asks for no memory.
pub(crate) fn clips_of<'py>(list: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, Clip>>> {
    let wrong = |_| bad("clips: expected a list of clips");
    let one = |clip: PyResult<Bound<'py, PyAny>>| Ok(clip?.cast_into::<Clip>()?);
    list.try_iter().and_then(|clips| clips.map(one).collect()).map_err(wrong)
}

/// A 4 × 4 matrix that places a model.
pub(crate) fn placement(matrix: &Bound<'_, PyAny>) -> PyResult<Affine3A> {
    let array = floats("world_from_model", matrix)?;
    finite("world_from_model", &array)?;
    let shape = array.as_array().shape().to_vec();
    if shape != [4, 4] {
        let found = crate::arrays::shown(&shape);
        return Err(bad(format!("world_from_model: expected shape (4, 4), found {found}")));
    }
    let numbers = slice(&array)?;
    let column = |at: usize| [numbers[at], numbers[4 + at], numbers[8 + at]];
    Ok(Affine3A::from_cols_array_2d(&[column(0), column(1), column(2), column(3)]))
}
