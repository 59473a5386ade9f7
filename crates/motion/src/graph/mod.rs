//! Graphs: how a character moves, as plain data.
//!
//! In:  a [`Graph`], from a file or a program, and a scene.
//! Out: a [`CompiledGraph`], in which every name is bound; and [`GraphPlayer`]s of it, one per character, that
//! give a pose, a way and events for every frame.
//!
//! `docs/graph.md` in the repository explains every node, with drawings.
//!
//! ```
//! use sinew_motion::graph::{Graph, Node, Parameter, CompiledGraph, GraphPlayer, Point};
//! # use sinew_scene::{Clip, Curve, Interpolation, JointId, Node as Joint, Scene, SceneParts, Track, Transform, glam::Vec3};
//! # let clip = |name: &str, x: f32| {
//! #     let curve = Curve::new(vec![0.0], vec![Vec3::X * x], Interpolation::Step).unwrap();
//! #     Clip { name: name.into(), duration: 1.0, translations: vec![Track { joint: JointId::new(0), curve }], ..Clip::default() }
//! # };
//! # let nodes = vec![Joint::new("box", None, Transform::IDENTITY)];
//! # let scene = Scene::new(SceneParts { nodes, clips: vec![clip("walk", 1.0), clip("run", 3.0)], ..SceneParts::default() })?;
//! let point = |at, node: &str| Point { at: vec![at], node: node.into() };
//! let gait = Node::BlendSpace {
//!     by: vec!["speed".into()],
//!     points: vec![point(1.4, "walk"), point(3.2, "run")],
//!     in_step: true,
//! };
//! let nodes = [("walk", Node::clip("walk")), ("run", Node::clip("run")), ("gait", gait)];
//! let graph = Graph {
//!     output: "gait".into(),
//!     parameters: [("speed".into(), Parameter::Float(1.4))].into(),
//!     nodes: nodes.map(|(name, node)| (name.into(), node)).into(),
//!     ..Graph::default()
//! };
//! let mut playback = GraphPlayer::new(CompiledGraph::new(&graph, scene)?);
//! playback.set("speed", 2.3)?;
//! playback.advance(1.0 / 60.0);
//! assert_eq!(playback.pose().local(JointId::new(0)).translation.x, 2.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bind;
mod change;
mod compile;
mod condition;
mod data;
mod evaluate;
mod flow;
mod groups;
mod machine;
mod plan;
mod play;
mod snapshot;

pub use compile::GraphError;
pub use data::{
    Chain, Change, Graph, GraphMarker, Input, Node, Parameter, Point, Reference, RootMotion,
    Transition, Trigger, Value,
};
pub use plan::CompiledGraph;
pub use play::{Event, GraphPlayer, ParameterError, Update};
pub use snapshot::SnapshotError;
