//! From a description to a [`CompiledGraph`]: an order in which inputs come first, and every name bound.
//!
//! What does not fit the scene is refused here, once, with the node's name.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use sinew_scene::{JointId, Scene};

use super::compiled::{CompiledGraph, Kind, Number, Work};
use super::data::{Graph, Node, Parameter, Value};
use crate::mask::find_joint;
use crate::{Pose, Root};

/// What does not fit in a graph, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GraphError {
    /// The node, or the part of the graph beside its nodes.
    pub place: String,
    /// What was expected and what was found.
    pub message: String,
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for GraphError {}

pub(crate) fn at_node(name: &str, message: impl fmt::Display) -> GraphError {
    GraphError { place: format!("node \"{name}\""), message: message.to_string() }
}

/// Deeper than anybody nests, and within any stack.
const MAX_DEPTH: usize = 128;
/// More nodes than a file should make anybody bind.
const MAX_NODES: usize = 4096;

/// What names mean.
#[derive(Debug)]
pub(crate) struct Names<'a> {
    pub(crate) scene: &'a Scene,
    parameters: &'a [(String, Parameter)],
}

impl Names<'_> {
    pub(crate) fn parameter(&self, name: &str) -> Result<(usize, Parameter), String> {
        let at = self.parameters.iter().position(|(known, _)| known == name);
        at.map(|at| (at, self.parameters[at].1)).ok_or_else(|| {
            let known: Vec<&str> = self.parameters.iter().map(|(name, _)| &name[..]).collect();
            format!("there is no parameter \"{name}\": there are {known:?}")
        })
    }

    pub(crate) fn number(&self, value: &Value) -> Result<Number, String> {
        match value {
            Value::Number(number) if number.is_finite() => Ok(Number::Fixed(*number)),
            Value::Number(number) => Err(format!("expected a finite number, found {number}")),
            Value::Parameter(name) => Ok(Number::Parameter(self.parameter(name)?.0)),
        }
    }

    pub(crate) fn clip(&self, name: &str) -> Result<usize, String> {
        let clips = &self.scene.clips;
        clips.iter().position(|clip| clip.name == name).ok_or_else(|| {
            let known: Vec<&str> = clips.iter().map(|clip| &clip.name[..]).collect();
            format!("there is no clip \"{name}\": there are {known:?}")
        })
    }

    pub(crate) fn joint(&self, name: &str) -> Result<JointId, String> {
        find_joint(self.scene.skeleton(), name).map_err(|error| error.to_string())
    }
}

impl CompiledGraph {
    /// Binds a graph to a scene.
    ///
    /// # Errors
    /// When a node, clip, joint or parameter is named that is not there, a node is made from
    /// itself or used twice without a cache, or has nothing to mix; with the node's name.
    pub fn new(graph: &Graph, scene: impl Into<Arc<Scene>>) -> Result<Self, GraphError> {
        let scene = scene.into();
        let parameters = parameters(graph)?;
        let order = Order::of(graph)?;
        let names = Names { scene: &scene, parameters: &parameters };
        let root = match &graph.root {
            None => None,
            Some(root) => {
                let joint = names.joint(&root.joint);
                let place = || GraphError { place: "root".into(), message: String::new() };
                let joint = joint.map_err(|message| GraphError { message, ..place() })?;
                Some(Root::new(&scene, joint, root.mode))
            }
        };
        let mut bind = super::bind::Bind::new(graph, &names, root.as_ref(), &order.at);
        for (index, name) in order.names.iter().enumerate() {
            bind.node(index, name, &graph.nodes[*name])?;
        }
        bind.check_markers()?;
        let super::bind::Bound { kinds, mut clips, machines, .. } = bind.done();
        let syncs = super::groups::groups(graph, &order, &mut clips, &scene)?;
        let (steps, edges, slots) = lay_out(graph, &order, kinds);
        let mut plan = Self {
            rest: Pose::new(&scene),
            fingerprint: fingerprint(graph, &scene),
            parameters,
            steps,
            edges,
            clips,
            syncs,
            machines,
            slots,
            root,
            scene,
        };
        plan.find_own_nodes();
        Ok(plan)
    }

    /// What starts over with a state: everything below it, down to caches, which others share.
    fn find_own_nodes(&mut self) {
        for machine in 0..self.machines.len() {
            let node = self.machines[machine].node;
            for state in 0..self.machines[machine].states.len() {
                let mut own = vec![false; self.steps.len()];
                own[self.inputs(node)[state]] = true;
                for node in (0..node).rev() {
                    if own[node] && !matches!(self.steps[node].kind, Kind::Cache) {
                        for &input in self.inputs(node) {
                            own[input] = true;
                        }
                    }
                }
                let own =
                    (0..node).filter(|&at| own[at] && !matches!(self.steps[at].kind, Kind::Cache));
                let own = own.collect();
                self.machines[machine].states[state].nodes = own;
            }
        }
    }
}

fn parameters(graph: &Graph) -> Result<Vec<(String, Parameter)>, GraphError> {
    let own = graph.parameters.iter().map(|(name, parameter)| (name.clone(), *parameter));
    let own: Vec<_> = own.collect();
    match own.iter().find(|(_, value)| matches!(value, Parameter::Float(x) if !x.is_finite())) {
        Some((name, _)) => Err(GraphError {
            place: format!("parameter \"{name}\""),
            message: "expected a finite number, found one that is not".into(),
        }),
        None => Ok(own),
    }
}

/// The nodes that are shown, inputs before users.
pub(crate) struct Order<'a> {
    pub(crate) names: Vec<&'a str>,
    pub(crate) at: BTreeMap<&'a str, usize>,
}

impl<'a> Order<'a> {
    fn of(graph: &'a Graph) -> Result<Self, GraphError> {
        if graph.nodes.len() > MAX_NODES {
            let message =
                format!("expected at most {MAX_NODES} nodes, found {}", graph.nodes.len());
            return Err(GraphError { place: "nodes".into(), message });
        }
        let mut order = Self { names: Vec::new(), at: BTreeMap::new() };
        let mut path = Vec::new();
        order.visit(graph, &graph.output, None, &mut path)?;
        order.check_users(graph)?;
        Ok(order)
    }

    fn visit(
        &mut self,
        graph: &'a Graph,
        name: &'a str,
        user: Option<&str>,
        path: &mut Vec<&'a str>,
    ) -> Result<(), GraphError> {
        if let Some(from) = path.iter().position(|above| *above == name) {
            let round: Vec<&str> = path[from..].iter().copied().chain([name]).collect();
            return Err(at_node(name, format!("it is made from itself: {}", round.join(" → "))));
        }
        if self.at.contains_key(name) {
            return Ok(());
        }
        let Some(node) = graph.nodes.get(name) else {
            let known: Vec<&String> = graph.nodes.keys().collect();
            let message = format!("there is no node \"{name}\": there are {known:?}");
            return Err(match user {
                Some(user) => at_node(user, message),
                None => GraphError { place: "output".into(), message },
            });
        };
        if path.len() >= MAX_DEPTH {
            return Err(at_node(name, format!("it is more than {MAX_DEPTH} nodes deep")));
        }
        path.push(name);
        for input in node.inputs() {
            self.visit(graph, input, Some(name), path)?;
        }
        path.pop();
        self.at.insert(name, self.names.len());
        self.names.push(name);
        Ok(())
    }

    /// Only a cache may be used twice: anything else would be at two times at once.
    fn check_users(&self, graph: &Graph) -> Result<(), GraphError> {
        let mut users: BTreeMap<&str, &str> = BTreeMap::new();
        for &name in &self.names {
            for input in graph.nodes[name].inputs() {
                let cache = matches!(graph.nodes[input], Node::Cache { .. });
                if let Some(other) = users.insert(input, name)
                    && !cache
                {
                    let message = format!(
                        "it is used by \"{other}\" and \"{name}\": expected one user, or a cache between"
                    );
                    return Err(at_node(input, message));
                }
            }
        }
        Ok(())
    }
}

/// Gives each node a place for its pose; places are used again once nobody needs what lies there.
fn lay_out(graph: &Graph, order: &Order<'_>, kinds: Vec<Kind>) -> (Vec<Work>, Vec<usize>, usize) {
    let (mut steps, mut edges): (Vec<Work>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut last_use = vec![usize::MAX; kinds.len()];
    for (user, name) in order.names.iter().enumerate() {
        for input in graph.nodes[*name].inputs() {
            last_use[order.at[input]] = user;
        }
    }
    let (mut free, mut slots): (Vec<usize>, usize) = (Vec::new(), 0);
    for (index, (name, kind)) in order.names.iter().zip(kinds).enumerate() {
        let inputs: Vec<usize> =
            graph.nodes[*name].inputs().into_iter().map(|input| order.at[input]).collect();
        let slot = free.pop().unwrap_or_else(|| {
            slots += 1;
            slots - 1
        });
        for (place, &input) in inputs.iter().enumerate() {
            if last_use[input] == index && !inputs[..place].contains(&input) {
                free.push(steps[input].slot);
            }
        }
        let from = edges.len();
        edges.extend(inputs);
        steps.push(Work { name: (*name).to_owned(), kind, edges: from..edges.len(), slot });
    }
    (steps, edges, slots)
}

/// Tells graphs and scenes apart, so that a snapshot of another is refused (FNV-1a).
fn fingerprint(graph: &Graph, scene: &Scene) -> u64 {
    let clips: Vec<_> = scene.clips.iter().map(|clip| (&clip.name, clip.duration)).collect();
    let text = format!("{graph:?} {clips:?} {} {}", scene.skeleton().len(), scene.weight_count());
    super::snapshot::checksum(text.as_bytes())
}
