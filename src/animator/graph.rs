//! Graphs of an animator: compiled for its scene, and their parameters set.
//!
//! In:  a graph as data, parameters by name.
//! Out: the graph plays; an error names what does not fit.

use std::sync::Arc;

use sinew_motion::graph::{CompiledGraph, Graph, GraphError, GraphPlayer, ParameterError};

use super::{Animator, Transition};

impl Animator {
    /// Compiles a graph for this scene and plays it, by any transition, from whatever plays now. Characters that share
    /// a scene may share a [`CompiledGraph`] too: make one, and [`start`](Self::start) a [`GraphPlayer`] of it for each.
    ///
    /// ```
    /// use sinew::graph::{Graph, Node};
    /// use sinew::{Animator, Transition};
    /// let graph = Graph {
    ///     output: "go".into(),
    ///     nodes: [("go".into(), Node::clip("walk"))].into(),
    ///     ..Graph::default()
    /// };
    /// let mut animator = Animator::new(sinew::ossi());
    /// animator.start_graph(&graph, Transition::Cut)?;
    /// animator.advance(1.0 / 60.0);
    /// let error = animator.set_parameter("speed", 1.4).unwrap_err();
    /// assert_eq!(error.name, "speed");
    /// # Ok::<(), sinew::graph::GraphError>(())
    /// ```
    ///
    /// # Errors
    /// When the graph does not fit the scene; the animator goes on as it was.
    pub fn start_graph(&mut self, graph: &Graph, how: Transition) -> Result<(), GraphError> {
        let compiled = CompiledGraph::new(graph, Arc::clone(&self.scene))?;
        self.start(GraphPlayer::new(compiled), how);
        Ok(())
    }

    /// Sets a parameter of the graph that plays: [`GraphPlayer::set`].
    ///
    /// # Errors
    /// When no graph plays, or it has no parameter of this name.
    pub fn set_parameter(&mut self, name: &str, value: f32) -> Result<(), ParameterError> {
        match self.graph_mut() {
            Some(graph) => graph.set(name, value),
            None => Err(ParameterError::new(name, Vec::new())),
        }
    }
}
