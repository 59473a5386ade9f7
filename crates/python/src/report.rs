//! `sinew.check` and `sinew.diff`: what is wrong with a model, and how far two are apart, as data.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use sinew::Imported;
use sinew::check::{CheckOptions, Engine, Finding, Rule};
use sinew::compare::{
    Alignment, ClipComparison, CompareOptions, Measure, OnlyIn, Placement, compare,
};

use crate::error::{bad, import_error, unknown, work};
use crate::model::Model;

/// What is wrong with the model in a file: a list of dicts, worst first.
///
/// Each has `code`, `severity`, `message`, `place`, `value` with its `unit` and `limit`, `count`, `why` it matters and `how` to mend
/// it. `engine` is what the model is meant for: "three", "babylon", "bevy", "godot", "unity" or "unreal". `only` and `skip` are
/// codes of rules.
///
/// >>> import tempfile, os
/// >>> path = os.path.join(tempfile.mkdtemp(), "ossi.glb")
/// >>> _ = sinew.save(sinew.open("ossi"), path)
/// >>> [finding for finding in sinew.check(path) if finding["severity"] == "error"]
/// []
#[pyfunction]
#[pyo3(signature = (path, *, engine=None, only=Vec::new(), skip=Vec::new()))]
pub(crate) fn check<'py>(
    py: Python<'py>,
    path: PathBuf,
    engine: Option<&str>,
    only: Vec<String>,
    skip: Vec<String>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let engine = engine.map(engine_named).transpose()?;
    let options = CheckOptions { engine, only: rules(&only)?, skip: rules(&skip)? };
    let (model, findings) = work(py, || {
        let opened = sinew::Model::open_with(&path, &sinew::check::options());
        let model = opened.map_err(|error| import_error(&error))?;
        let imported = Imported {
            scene: model.scene,
            notes: model.notes,
            details: model.details,
            name: model.name,
            format: model.format,
            extensions: model.extensions,
        };
        let findings = sinew::check::check(&imported, &options);
        Ok((imported, findings))
    })?;
    findings.iter().map(|finding| finding_dict(py, finding, &model)).collect()
}

fn engine_named(name: &str) -> PyResult<Engine> {
    Engine::named(name).ok_or_else(|| {
        let known: Vec<&str> = Engine::ALL.iter().map(|engine| engine.name()).collect();
        unknown(format!("there is no engine \"{name}\": there are {known:?}"))
    })
}

fn rules(names: &[String]) -> PyResult<Vec<&'static str>> {
    let rule = |name: &String| {
        let found = Rule::named(name).map(|rule| rule.code);
        found.ok_or_else(|| {
            unknown(format!("there is no rule \"{name}\"; near: {:?}", Rule::like(name)))
        })
    };
    names.iter().map(rule).collect()
}

fn finding_dict<'py>(
    py: Python<'py>,
    finding: &Finding,
    model: &Imported,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("code", finding.code())?;
    dict.set_item("severity", finding.severity.word())?;
    dict.set_item("message", &finding.message)?;
    dict.set_item("place", finding.place.words(&model.scene))?;
    dict.set_item("value", finding.measured.value)?;
    dict.set_item("unit", finding.measured.unit)?;
    dict.set_item("limit", finding.measured.limit)?;
    dict.set_item("count", finding.count)?;
    dict.set_item("why", finding.rule.why)?;
    dict.set_item("how", finding.rule.how)?;
    Ok(dict)
}

/// How far two models are apart: a dict of metres and degrees, clip by clip. `a` is the reference.
///
/// Clips and joints are paired by name; `clips` and `joints` are further pairs of names. `align` is "root" or "start" to lay one over
/// the other first, `scale` to bring both to one size. `rate` is how often a second they are compared.
///
/// >>> ossi = sinew.open("ossi")
/// >>> found = sinew.diff(ossi, ossi, rate=10)
/// >>> found["clips"][0]["joints"]["worst"]
/// 0.0
#[pyfunction]
#[pyo3(signature = (a, b, *, clips=Vec::new(), joints=Vec::new(), align=None, scale=false, rate=60.0))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn diff<'py>(
    py: Python<'py>,
    a: &Model,
    b: &Model,
    clips: Vec<(String, String)>,
    joints: Vec<(String, String)>,
    align: Option<&str>,
    scale: bool,
    rate: f64,
) -> PyResult<Bound<'py, PyDict>> {
    let placement = match align {
        None => Placement::None,
        Some("root") => Placement::Root,
        Some("start") => Placement::Start,
        Some(other) => {
            return Err(bad(format!("align: expected \"root\" or \"start\", found \"{other}\"")));
        }
    };
    let align = Alignment { placement, scale };
    let options = CompareOptions { rate, clips, joints, align, ..CompareOptions::default() };
    let found = work(py, || compare(&a.scene, &b.scene, &options).map_err(bad))?;
    let dict = PyDict::new(py);
    dict.set_item("same_structure", found.structure.is_empty())?;
    let only = PyDict::new(py);
    let structure = &found.structure;
    for (what, only_in) in [
        ("joints", &structure.joints),
        ("clips", &structure.clips),
        ("meshes", &structure.meshes),
        ("materials", &structure.materials),
        ("morphs", &structure.morphs),
    ] {
        only.set_item(what, only_dict(py, only_in)?)?;
    }
    dict.set_item("only", only)?;
    dict.set_item("joints_paired", found.joints.count())?;
    dict.set_item("scale", found.scale)?;
    dict.set_item("rest", measure_dict(py, &found.rest)?)?;
    let clips: PyResult<Vec<_>> = found.clips.iter().map(|clip| clip_dict(py, clip)).collect();
    dict.set_item("clips", clips?)?;
    Ok(dict)
}

fn only_dict<'py>(py: Python<'py>, only: &OnlyIn) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("a", &only.a)?;
    dict.set_item("b", &only.b)?;
    Ok(dict)
}

fn clip_dict<'py>(py: Python<'py>, clip: &ClipComparison) -> PyResult<Bound<'py, PyDict>> {
    let dict = measure_dict(py, &clip.measure)?;
    dict.set_item("a", &clip.a)?;
    dict.set_item("b", &clip.b)?;
    dict.set_item("durations", clip.durations)?;
    dict.set_item("moments", clip.moments)?;
    dict.set_item("loop_gaps", clip.loop_gaps)?;
    Ok(dict)
}

fn measure_dict<'py>(py: Python<'py>, measure: &Measure) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let joints = PyDict::new(py);
    let worst = measure.joints.worst.as_ref();
    joints.set_item("worst", worst.map_or(0.0, |worst| worst.metres))?;
    joints.set_item("joint", worst.map(|worst| worst.joint.as_str()))?;
    joints.set_item("time", worst.map(|worst| worst.time))?;
    joints.set_item("p99", measure.joints.p99)?;
    joints.set_item("rms", measure.joints.rms)?;
    let angle = measure.joints.worst_angle.as_ref();
    joints.set_item("degrees", angle.map_or(0.0, |angle| angle.degrees))?;
    joints.set_item("degrees_joint", angle.map(|angle| angle.joint.as_str()))?;
    let each = PyDict::new(py);
    for joint in &measure.joints.each {
        each.set_item(&joint.a, (joint.metres, joint.degrees))?;
    }
    joints.set_item("each", each)?;
    dict.set_item("joints", joints)?;
    let skin = match &measure.skin {
        None => None,
        Some(found) => {
            let skin = PyDict::new(py);
            skin.set_item("worst", found.worst.metres)?;
            skin.set_item("mesh", &found.worst.mesh)?;
            skin.set_item("vertex", found.worst.vertex)?;
            skin.set_item("joint", &found.worst.joint)?;
            skin.set_item("time", found.worst.time)?;
            skin.set_item("p99", found.p99)?;
            skin.set_item("rms", found.rms)?;
            Some(skin)
        }
    };
    dict.set_item("skin", skin)?;
    let drift = measure.root.as_ref();
    dict.set_item("root_drift", drift.map(|drift| (drift.end, drift.worst)))?;
    dict.set_item("speed", measure.speed.as_ref().map(|speed| speed.metres_per_second))?;
    Ok(dict)
}
