//! Clips blended, and graphs played over arrays of parameters.
//!
//! In:  clips with weights, or a graph with a value of each parameter for every frame.
//! Out: local poses, and for graphs the path of the root.

use std::collections::HashMap;
use std::sync::Arc;

use numpy::PyArrayDyn;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use sinew::glam::Affine3A;
use sinew::graph::Format;
use sinew::motion::{Cursor, Layer, blend as blend_poses, sample, then};
use sinew::{CompiledGraph, GraphPlayer, Pose, Scene, Transform};

use crate::arrays::{fill, finite, floats, room, shaped, shown, times as moments, zeros};
use crate::clip::{Clip, clips_of};
use crate::error::{bad, unknown, work};
use crate::form::Form;
use crate::model::Model;
use crate::sample::{Space, Writer, in_chunks};

fn local_writer<'a>(scene: &'a Scene, form: Form) -> Writer<'a> {
    let world_from_model = Affine3A::IDENTITY;
    Writer { scene, space: Space::Local, form, joints: None, axes: None, world_from_model }
}

/// Clips of one skeleton, blended: local, `(frames, joints, 7)`.
///
/// `weights` is one per clip, `(clips,)`, or one per frame and clip, `(frames, clips)`; they need not sum to one. `times` are
/// seconds, `(frames,)`.
///
/// >>> clips = sinew.open("ossi").clips
/// >>> sinew.blend([clips["walk"], clips["run"]], [0.25, 0.75], [0.0, 0.1]).shape
/// (2, 53, 7)
#[pyfunction]
#[pyo3(signature = (clips, weights, times, *, form="quat", out=None))]
pub(crate) fn blend<'py>(
    py: Python<'py>,
    clips: &Bound<'py, PyAny>,
    weights: &Bound<'py, PyAny>,
    times: &Bound<'py, PyAny>,
    form: &str,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let clips = clips_of(clips)?;
    let times = moments(times)?;
    let array = floats("weights", weights)?;
    let shape = array.as_array().shape().to_vec();
    let each = match shape.as_slice() {
        [all] if *all == clips.len() => 0,
        [frames, all] if *all == clips.len() && *frames == times.len() => clips.len(),
        _ => {
            let (one, two) = (shown(&[clips.len()]), shown(&[times.len(), clips.len()]));
            let found = shown(&shape);
            return Err(bad(format!("weights: expected shape {one} or {two}, found {found}")));
        }
    };
    let weights = finite("weights", &array)?;
    let Some(first) = clips.first() else {
        return Err(bad("clips: expected at least one clip, found none"));
    };
    let scene = &first.get().scene;
    if clips.iter().any(|clip| clip.get().scene.skeleton() != scene.skeleton()) {
        return Err(bad("clips: expected clips of one skeleton, found several"));
    }
    let sources: Vec<&Clip> = clips.iter().map(Bound::get).collect();
    let writer = local_writer(scene, Form::named(form, "xyz")?);
    let shape = writer.shape(times.len());
    let width = shape[1..].iter().product();
    fill(py, &shape, out, |out| {
        let rest = Pose::new(scene);
        in_chunks(out, width, |begin, rows| {
            let mut layers: Vec<(Pose, Cursor)> =
                sources.iter().map(|_| (rest.clone(), Cursor::new())).collect();
            let mut blended = rest.clone();
            for (frame, row) in (begin..).zip(rows.chunks_exact_mut(width)) {
                for (clip, (pose, cursor)) in sources.iter().zip(&mut layers) {
                    sample(clip.clip(), times[frame], cursor, pose);
                }
                let weights = &weights[frame * each..];
                let layers = layers.iter().zip(weights);
                blend_poses(
                    layers.map(|((pose, _), weight)| Layer::new(pose, *weight)),
                    &mut blended,
                );
                writer.write(&blended, &mut [], row);
            }
            Ok(())
        })
        .map_err(bad)
    })
}

/// Plays a graph: states, blend spaces and layers driven by parameters.
///
/// `graph` is the text of a graph in TOML or JSON. `parameters` are numbers, or arrays of one value per frame, `(frames,)`, or per
/// run and frame, `(runs, frames)`. Gives a dict: `local`, `(runs, frames, joints, 7)`; `root`, `(runs, frames, 7)`: where root
/// motion has brought the character; `events`: `(run, frame, name)`. Without an axis of runs there is one run.
///
/// >>> graph = """
/// ... output = "gait"
/// ... [parameters]
/// ... speed = 1.0
/// ... [nodes]
/// ... walk = { clip = { name = "walk" } }
/// ... run = { clip = { name = "run" } }
/// ... gait = { blend_space = { by = ["speed"], points = [{ at = [1.0], node = "walk" }, { at = [3.0], node = "run" }] } }
/// ... """
/// >>> played = sinew.play(sinew.open("ossi"), graph, 60, parameters={"speed": np.linspace(1, 3, 60)})
/// >>> played["local"].shape
/// (1, 60, 53, 7)
#[pyfunction]
#[pyo3(signature = (model, graph, frames, *, rate=60.0, parameters=None))]
pub(crate) fn play<'py>(
    py: Python<'py>,
    model: &Model,
    graph: &str,
    frames: usize,
    rate: f32,
    parameters: Option<HashMap<String, Bound<'py, PyAny>>>,
) -> PyResult<Bound<'py, PyDict>> {
    if !(rate.is_finite() && rate > 0.0) {
        return Err(bad(format!("rate: expected frames a second above 0, found {rate}")));
    }
    let format = if graph.trim_start().starts_with('{') { Format::Json } else { Format::Toml };
    let graph = sinew::graph::read(graph, format).map_err(bad)?;
    let compiled = CompiledGraph::new(&graph, Arc::clone(&model.scene)).map_err(bad)?;
    let (driven, runs) = driven(&compiled, frames, parameters.unwrap_or_default())?;
    let writer = local_writer(&model.scene, Form::Quat);
    let shape = writer.shape(frames);
    let width: usize = shape[1..].iter().product();
    let compiled = Arc::new(compiled);
    let played = work(py, || {
        let run = |run: usize| {
            let mut player = GraphPlayer::new(Arc::clone(&compiled));
            let mut local = zeros(&[frames, width])?;
            let mut root = room(&[frames, 7])?;
            let mut events = Vec::new();
            let mut place = Transform::IDENTITY;
            let mut pose = Pose::new(&model.scene);
            for frame in 0..frames {
                for (parameter, values) in &driven {
                    player.set_at(*parameter, values.at(run, frame, frames));
                }
                let update = player.advance(if frame == 0 { 0.0 } else { 1.0 / rate });
                place = then(place, update.root);
                events.extend(update.events().map(|event| (run, frame, event.name.to_owned())));
                pose.copy_from(player.pose());
                writer.write(&pose, &mut [], &mut local[frame * width..(frame + 1) * width]);
                root.extend(place.translation.to_array());
                root.extend(place.rotation.to_array());
            }
            Ok((local, root, events))
        };
        (0..runs).into_par_iter().map(run).collect::<PyResult<Vec<_>>>()
    })?;
    let mut local = room(&[runs, frames, width])?;
    let (mut root, mut events) = (room(&[runs, frames, 7])?, Vec::new());
    for (poses, path, passed) in played {
        local.extend(poses);
        root.extend(path);
        events.extend(passed);
    }
    let found = PyDict::new(py);
    let shape = [&[runs], shape.as_slice()].concat();
    let local: Bound<'py, PyArrayDyn<f32>> = shaped(py, local, &shape)?;
    found.set_item("local", local)?;
    found.set_item("root", shaped(py, root, &[runs, frames, 7])?)?;
    found.set_item("events", events)?;
    Ok(found)
}

/// The values of a parameter: one, one per frame, or one per run and frame.
struct Values {
    numbers: Vec<f32>,
    by_run: bool,
}

impl Values {
    fn at(&self, run: usize, frame: usize, frames: usize) -> f32 {
        match self.numbers.as_slice() {
            [one] => *one,
            numbers if self.by_run => numbers[run * frames + frame],
            numbers => numbers[frame],
        }
    }
}

fn driven(
    compiled: &CompiledGraph,
    frames: usize,
    parameters: HashMap<String, Bound<'_, PyAny>>,
) -> PyResult<(Vec<(usize, Values)>, usize)> {
    let mut runs = 1;
    let mut driven = Vec::new();
    for (name, values) in parameters {
        let Some(parameter) = compiled.parameter(&name) else {
            let known: Vec<&str> = compiled.parameters().map(|(name, _)| name).collect();
            return Err(unknown(format!("there is no parameter \"{name}\": there are {known:?}")));
        };
        let array = floats(&name, &values)?;
        let shape = array.as_array().shape().to_vec();
        let numbers = finite(&name, &array)?.to_vec();
        let by_run = match shape.as_slice() {
            [1] => false,
            [all] if *all == frames => false,
            [some, all] if *all == frames && (runs == 1 || runs == *some) => {
                runs = *some;
                true
            }
            _ => {
                let found = shown(&shape);
                let text = format!(
                    "{name}: expected a number or shape ({frames},) or (runs, {frames}), found {found}"
                );
                return Err(bad(text));
            }
        };
        driven.push((parameter, Values { numbers, by_run }));
    }
    Ok((driven, runs))
}
