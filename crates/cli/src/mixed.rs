//! More than one clip at once: layers on the command line, or a graph file with its parameters.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sinew::glam::Affine3A;
use sinew::graph::{Format, Parameter};
use sinew::motion::{Cursor, Layer, blend, sample};
use sinew::{Actor, CompiledGraph, GraphPlayer, Pose, Scene};

use crate::eval::find_clip;
use crate::fault::Fault;

/// What to mix.
#[derive(Debug, clap::Args)]
pub(crate) struct Mixed {
    /// Mix this moment of a clip in, by its weight; the clip by number or name. May be given several times.
    #[arg(long, value_name = "CLIP:WEIGHT@SECONDS", conflicts_with_all = ["clip", "graph"])]
    pub(crate) layer: Vec<String>,
    /// Play a graph: a .toml, .ron or .json file.
    #[arg(long, value_name = "FILE", group = "timed", conflicts_with = "clip")]
    pub(crate) graph: Option<PathBuf>,
    /// Set a parameter of the graph: a number, true or false. May be given several times.
    #[arg(long, value_name = "NAME=VALUE", requires = "graph")]
    pub(crate) set: Vec<String>,
}

/// What was mixed, bound to a scene.
pub(crate) struct Opened {
    pub(crate) layers: Option<Pose>,
    pub(crate) graph: Option<GraphPlayer>,
}

impl Mixed {
    pub(crate) fn open(&self, scene: &Arc<Scene>) -> Result<Opened, Fault> {
        let layers = match &self.layer[..] {
            [] => None,
            layers => Some(mix(scene, layers)?),
        };
        let graph = match &self.graph {
            None => None,
            Some(file) => Some(playback(file, &self.set, scene)?),
        };
        Ok(Opened { layers, graph })
    }
}

/// A graph file, bound to a scene, with its parameters set as asked for.
pub(crate) fn playback(
    file: &Path,
    set: &[String],
    scene: &Arc<Scene>,
) -> Result<GraphPlayer, Fault> {
    let name = file.display();
    let format = Format::of(&file.to_string_lossy()).ok_or_else(|| {
        Fault::Usage(format!("--graph: expected a .toml, .ron or .json file, found {name}"))
    })?;
    let text = std::fs::read_to_string(file)
        .map_err(|error| Fault::Work(format!("cannot read {name}: {error}")))?;
    let work = |message: String| Fault::Work(format!("{name}: {message}"));
    let graph = sinew::graph::read(&text, format).map_err(work)?;
    let plan =
        CompiledGraph::new(&graph, Arc::clone(scene)).map_err(|error| work(error.to_string()))?;
    let mut playback = GraphPlayer::new(plan);
    for setting in set {
        let (parameter, value) = parameter(&playback, setting)?;
        playback.set_at(parameter, value);
    }
    Ok(playback)
}

fn parameter(playback: &GraphPlayer, setting: &str) -> Result<(usize, f32), Fault> {
    let usage = |message: String| Fault::Usage(format!("--set {setting}: {message}"));
    let Some((name, value)) = setting.split_once('=') else {
        return Err(usage("expected NAME=VALUE".into()));
    };
    let parameters: Vec<(&str, Parameter)> = playback.compiled().parameters().collect();
    let Some(at) = parameters.iter().position(|(known, _)| *known == name) else {
        let known: Vec<&str> = parameters.iter().map(|(name, _)| *name).collect();
        return Err(Fault::Work(format!("there is no parameter \"{name}\": there are {known:?}")));
    };
    let number = match value {
        "true" => Some(1.0),
        "false" => Some(0.0),
        number => number.parse::<f32>().ok().filter(|number| number.is_finite()),
    };
    let number =
        number.ok_or_else(|| usage(format!("expected a number, true or false, found {value}")))?;
    Ok((at, number))
}

fn mix(scene: &Scene, layers: &[String]) -> Result<Pose, Fault> {
    let mut poses = Vec::with_capacity(layers.len());
    for text in layers {
        let (clip, weight, seconds) = layer(text)?;
        let clip = &scene[find_clip(scene, clip)?];
        let mut pose = Pose::new(scene);
        sample(clip, seconds, &mut Cursor::new(), &mut pose);
        poses.push((pose, weight));
    }
    let mut out = Pose::new(scene);
    blend(poses.iter().map(|(pose, weight)| Layer::new(pose, *weight)), &mut out);
    Ok(out)
}

/// The name of a clip may have any signs in it, so the last ones count.
fn layer(text: &str) -> Result<(&str, f32, f32), Fault> {
    let parts = || {
        let (clip, seconds) = text.rsplit_once('@')?;
        let (clip, weight) = clip.rsplit_once(':')?;
        let number = |text: &str| text.parse::<f32>().ok().filter(|number| number.is_finite());
        Some((clip, number(weight)?, number(seconds)?))
    };
    parts().ok_or_else(|| {
        Fault::Usage(format!("--layer: expected CLIP:WEIGHT@SECONDS, found \"{text}\""))
    })
}

/// Shows the actor at a time of a graph that it plays, and gives how far it has moved by then. Times
/// below zero are the start, times beyond an hour an hour.
pub(crate) fn play(actor: &mut Actor, time: f32) -> Affine3A {
    actor.seek(time);
    actor.world_from_model()
}
