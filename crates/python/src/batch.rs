//! `sinew.batch`'s native half: a folder tree through one task.

use std::path::PathBuf;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use sinew::batch::{Batch, BatchFormat, BatchTask};
use sinew::check::Engine;

use crate::error::{bad, unknown, work};

/// Runs a batch; gives its report as JSON. `progress` is called with a file's status, how many are finished, and of how many.
#[pyfunction]
#[pyo3(signature = (task, folder, out, *, format, onto, rate, plant_feet, engine, error, size, again, progress))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn run_batch(
    py: Python<'_>,
    task: &str,
    folder: PathBuf,
    out: PathBuf,
    format: &str,
    onto: Option<PathBuf>,
    rate: Option<f32>,
    plant_feet: bool,
    engine: Option<&str>,
    error: f32,
    size: (u32, u32),
    again: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    if let Some(rate) = rate.filter(|rate| !(rate.is_finite() && *rate > 0.0)) {
        return Err(bad(format!("rate: expected frames a second above 0, found {rate}")));
    }
    let format = BatchFormat::named(format).ok_or_else(|| {
        let known = "\"glb\", \"fbx\", \"bvh\" or \"skeleton_anim\"";
        bad(format!("format: expected {known}, found \"{format}\""))
    })?;
    let engine = match engine {
        None => None,
        Some(name) => Some(
            Engine::named(name).ok_or_else(|| unknown(format!("there is no engine \"{name}\"")))?,
        ),
    };
    let task = match task {
        "convert" => BatchTask::Convert { format, rate },
        "retarget" => {
            let onto = onto.ok_or_else(|| bad("onto: expected the file of a character"))?;
            BatchTask::Retarget { onto, format, rate, plant_feet }
        }
        "check" => BatchTask::Check { engine },
        "pack" => BatchTask::Pack { error },
        "render" => BatchTask::Render { width: size.0, height: size.1 },
        "sample" => BatchTask::Sample { rate: rate.unwrap_or(30.0) },
        other => {
            let known = "\"convert\", \"retarget\", \"check\", \"pack\", \"render\" or \"sample\"";
            return Err(bad(format!("task: expected {known}, found \"{other}\"")));
        }
    };
    let batch = Batch { again, ..Batch::new(folder, out, task) };
    let failed = std::sync::Mutex::new(None);
    let report = work(py, || {
        let report = batch.run(&|now| {
            // Whoever presses Ctrl-C, or raises in the callback, stops the batch.
            let heard = Python::attach(|py| {
                py.check_signals()?;
                let Some(progress) = &progress else { return Ok(()) };
                progress.call1(py, (&now.row.file, now.finished, now.total)).map(|_| ())
            });
            match heard {
                Ok(()) => true,
                Err(error) => {
                    failed.lock().map(|mut failed| failed.replace(error)).ok();
                    false
                }
            }
        });
        report.map_err(|error| PyOSError::new_err(error.to_string()))
    })?;
    match failed.into_inner().ok().flatten() {
        Some(error) => Err(error),
        None => Ok(report.to_json()),
    }
}
