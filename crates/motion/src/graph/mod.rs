//! Graphs: how a character moves, as plain data.
//!
//! In:  a [`Graph`], from a file or a program, and a scene.
//! Out: a [`CompiledGraph`], in which every name is bound; and [`GraphPlayer`]s of it, one per character, that
//! give a pose, root motion and events for every frame.
//!
//! `docs/graph.md` in the repository explains every node, with drawings.
//!
//! ```
//! use sinew_motion::graph::{CompiledGraph, GraphBuilder, GraphPlayer, Node};
//! # use sinew_scene::{Clip, Curve, Interpolation, JointId, Node as Joint, Scene, SceneParts, Track, Transform, glam::Vec3};
//! # let clip = |name: &str, x: f32| {
//! #     let curve = Curve::new(vec![0.0], vec![Vec3::X * x], Interpolation::Step).unwrap();
//! #     Clip { name: name.into(), duration: 1.0, translations: vec![Track { joint: JointId::new(0), curve }], ..Clip::default() }
//! # };
//! # let nodes = vec![Joint::new("box", None, Transform::IDENTITY)];
//! # let scene = Scene::new(SceneParts { nodes, clips: vec![clip("walk", 1.0), clip("run", 3.0)], ..SceneParts::default() })?;
//! let mut graph = GraphBuilder::new();
//! let speed = graph.float("speed", 1.4);
//! graph.clip("walk", "walk").clip("run", "run");
//! graph.node("gait", Node::blend_space_1d(&speed, [(1.4, "walk"), (3.2, "run")]));
//! let mut player = GraphPlayer::new(CompiledGraph::new(&graph.build(), scene)?);
//! player.set("speed", 2.3)?;
//! player.advance(1.0 / 60.0);
//! assert_eq!(player.pose().local(JointId::new(0)).translation.x, 2.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bind;
mod builder;
mod change;
mod compile;
mod compiled;
mod condition;
mod data;
mod evaluate;
mod flow;
mod groups;
mod machine;
mod parameters;
mod player;
mod snapshot;

pub use builder::{GraphBuilder, StatesBuilder, TransitionBuilder};
pub use compile::GraphError;
pub use compiled::CompiledGraph;
pub use data::{
    Chain, Change, Graph, GraphMarker, Input, Node, Parameter, Point, Reference, RootMotion,
    Transition, Trigger, Value,
};
pub use parameters::{BoolParameter, Condition, FloatParameter, TriggerParameter};
pub use player::{Event, GraphPlayer, ParameterError, Update};
pub use snapshot::SnapshotError;
