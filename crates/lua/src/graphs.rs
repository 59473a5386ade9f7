//! Graphs of a script: read from its folder and compiled for a scene, once each.
//!
//! In:  the text of a file, and a scene.
//! Out: a compiled graph that any number of actors play; or a sentence that names the node.

use std::sync::Arc;

use sinew::Scene;
use sinew::graph::{self, CompiledGraph, Format, Graph, Node};

/// Longest file, in bytes.
const MAX_FILE_BYTES: usize = 4 << 20;
/// What a joint takes in a pose: a local transform and a model matrix, rounded up.
const BYTES_PER_JOINT: usize = 128;
/// An actor has a graph as it is shown, as it began, and as far as it was played again to seek.
const COPIES_PER_ACTOR: usize = 3;

/// A graph that was compiled for a scene.
#[derive(Debug)]
pub(crate) struct LoadedGraph {
    pub(crate) compiled: Arc<CompiledGraph>,
    /// About what an actor that plays it takes.
    pub(crate) bytes: usize,
}

/// Reads a graph; the end of `name` is its format.
pub(crate) fn read(name: &str, bytes: &[u8]) -> Result<Graph, String> {
    let Some(format) = Format::of(name) else {
        return Err(format!("graph: expected a file .ron, .json or .toml, found \"{name}\""));
    };
    let cannot = |why: String| format!("cannot read the graph \"{name}\": {why}");
    if bytes.len() > MAX_FILE_BYTES {
        let found = bytes.len();
        return Err(cannot(format!("expected at most {MAX_FILE_BYTES} bytes, found {found}")));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| cannot("it is not text in UTF-8".into()))?;
    graph::read(text, format).map_err(cannot)
}

/// About how many bytes an actor that plays it takes: a pose per node at most, and five where inertialization may be.
pub(crate) fn bytes(graph: &Graph, scene: &Scene) -> usize {
    let states = |node: &&Node| matches!(node, Node::States { .. });
    let poses = graph.nodes.len() + 4 * graph.nodes.values().filter(states).count() + 2;
    let joints = scene.skeleton().len();
    poses.saturating_mul(joints.saturating_mul(BYTES_PER_JOINT * COPIES_PER_ACTOR))
}

/// Compiles a graph for a scene.
pub(crate) fn compile(
    name: &str,
    graph: &Graph,
    scene: &Arc<Scene>,
) -> Result<LoadedGraph, String> {
    let compiled = CompiledGraph::new(graph, Arc::clone(scene))
        .map_err(|error| format!("cannot play the graph \"{name}\": {error}"))?;
    Ok(LoadedGraph { compiled: Arc::new(compiled), bytes: bytes(graph, scene) })
}
