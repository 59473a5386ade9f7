//! Graphs of a script: read from its folder and bound to a scene, once each.
//!
//! In:  the text of a file, and a scene.
//! Out: a plan that any number of actors follow; or a sentence that names the node.

use std::sync::Arc;

use sinew::Scene;
use sinew::graph::{self, CompiledGraph, Format, Graph, GraphPlayer, Node};

/// Longest file, in bytes.
const LONGEST: usize = 4 << 20;
/// What a joint takes in a pose: a local transform and a model matrix, rounded up.
const JOINT: usize = 128;

/// A graph bound to a scene.
#[derive(Debug)]
pub(crate) struct Bound {
    pub(crate) plan: Arc<CompiledGraph>,
    /// Its nodes with states, by name.
    pub(crate) machines: Vec<String>,
    /// About what one that plays it takes.
    pub(crate) bytes: usize,
}

/// Reads a graph; `name` tells the format.
pub(crate) fn read(name: &str, bytes: &[u8]) -> Result<Graph, String> {
    let Some(format) = Format::of(name) else {
        return Err(format!("graph: expected a file .ron, .json or .toml, found \"{name}\""));
    };
    let cannot = |why: String| format!("cannot read the graph \"{name}\": {why}");
    if bytes.len() > LONGEST {
        return Err(cannot(format!("expected at most {LONGEST} bytes, found {}", bytes.len())));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| cannot("it is no text in UTF-8".into()))?;
    graph::read(text, format).map_err(cannot)
}

/// About how many bytes one that plays it takes: a pose per node at most, and five where inertialization may be.
pub(crate) fn bytes(graph: &Graph, scene: &Scene) -> usize {
    let machine = |node: &&Node| matches!(node, Node::States { .. });
    let poses = graph.nodes.len() + 4 * graph.nodes.values().filter(machine).count() + 2;
    poses.saturating_mul(scene.skeleton().len().saturating_mul(JOINT))
}

/// Binds a graph to a scene.
pub(crate) fn bind(name: &str, graph: &Graph, scene: &Arc<Scene>) -> Result<Bound, String> {
    let plan = CompiledGraph::new(graph, Arc::clone(scene))
        .map_err(|error| format!("cannot follow the graph \"{name}\": {error}"))?;
    let plan = Arc::new(plan);
    let playback = GraphPlayer::new(Arc::clone(&plan));
    let machines = graph.nodes.keys().filter(|node| playback.state(node).is_some());
    Ok(Bound { machines: machines.cloned().collect(), bytes: bytes(graph, scene), plan })
}
