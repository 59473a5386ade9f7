//! A graph at play on an entity: what it does beside, or instead of, a clip.
//!
//! In:  a plan that any number of entities share, parameters, seconds.
//! Out: a pose that the [`AnimationPlayer`](crate::AnimationPlayer) of the same entity takes over, the markers that were
//! passed, and the way that the character was moved.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use sinew::Transform;
use sinew::graph::{CompiledGraph, Event, GraphPlayer, ParameterError};
use sinew::motion::Pose;

/// Follows a graph. While an entity has it, its [`AnimationPlayer`](crate::AnimationPlayer) shows the graph's pose and its
/// clip stands still; take it off, and the clip goes on, or the nodes go back to rest.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use sinew::graph::{RootMotion, Graph, Node, CompiledGraph};
/// use sinew::motion::RootMode;
/// use sinew_ecs::{GraphAnimator, Model};
/// # let (mut world, mut schedule) = (World::new(), Schedule::default());
/// # sinew_ecs::install(&mut world, &mut schedule);
/// let model = Model::new(sinew::ossi());
/// // Mostly from a file: sinew::graph::read(text, Format::Toml)?
/// let mut graph = Graph { output: "walk".into(), ..Graph::default() };
/// graph.nodes.insert("walk".into(), Node::clip("walk"));
/// graph.root = Some(RootMotion { joint: "root".into(), mode: RootMode::Floor });
/// let plan = std::sync::Arc::new(CompiledGraph::new(&graph, model.scene().clone())?);
///
/// let ossi = model.spawn(&mut world);
/// world.entity_mut(ossi).insert(GraphAnimator::new(plan).carrying());
/// sinew_ecs::run(&mut world, &mut schedule, 1.0);
///
/// // Footsteps of this frame, and 1.4 m of way, which the entity has gone.
/// let graph = world.get::<GraphAnimator>(ossi).unwrap();
/// assert_eq!(graph.events().count(), 2);
/// assert!((graph.root().translation.z - 1.4).abs() < 1e-4);
/// # Ok::<(), sinew::graph::GraphError>(())
/// ```
#[derive(Clone, Component, Debug)]
pub struct GraphAnimator {
    /// How fast its time passes; zero pauses it, and so does anything below or not finite.
    pub speed: f32,
    /// Whether the entity's [`LocalTransform`](crate::LocalTransform) goes where the graph's root carries it.
    pub carries: bool,
    playback: GraphPlayer,
    root: Transform,
}

impl GraphAnimator {
    /// At the graph's beginning. Plans are shared: give every copy the same `Arc`.
    #[must_use]
    pub fn new(plan: impl Into<Arc<CompiledGraph>>) -> Self {
        Self {
            speed: 1.0,
            carries: false,
            playback: GraphPlayer::new(plan),
            root: Transform::IDENTITY,
        }
    }

    /// The same, and the entity goes where it is moved.
    #[must_use]
    pub fn carrying(self) -> Self {
        Self { carries: true, ..self }
    }

    /// The graph as it plays: values, states, shares of its nodes, snapshots.
    #[must_use]
    pub fn playback(&self) -> &GraphPlayer {
        &self.playback
    }

    /// The graph as it plays, to restart or restore it.
    pub fn playback_mut(&mut self) -> &mut GraphPlayer {
        &mut self.playback
    }

    /// Sets a parameter by its name. A switch is on for anything but zero, and so is a trigger fired.
    ///
    /// # Errors
    /// When the graph has no such parameter.
    pub fn set(&mut self, name: &str, value: f32) -> Result<(), ParameterError> {
        self.playback.set(name, value)
    }

    /// The same by the parameter's number ([`CompiledGraph::parameter`]), for every frame.
    ///
    /// # Panics
    /// When there is no such parameter.
    pub fn set_at(&mut self, parameter: usize, value: f32) {
        self.playback.set_at(parameter, value);
    }

    /// The markers that the last run passed, each with how much its clip was seen.
    pub fn events(&self) -> impl Iterator<Item = Event<'_>> {
        self.playback.events()
    }

    /// How far the last run moved the character, seen from where it stood; nothing without a root.
    #[must_use]
    pub fn root(&self) -> Transform {
        self.root
    }

    /// Lets seconds pass. [`Step::Animation`](crate::Step::Animation) does it.
    pub fn advance(&mut self, seconds: f32) {
        self.root = self.playback.advance(seconds * self.speed).root;
    }

    pub(crate) fn pose(&self) -> &Pose {
        self.playback.pose()
    }
}

/// Where something stands that stood at `place` and was moved by `way`, seen from there.
pub(crate) fn root_motion(place: Transform, way: Transform) -> Transform {
    Transform {
        translation: place.to_affine().transform_point3(way.translation),
        rotation: (place.rotation * way.rotation).normalize(),
        scale: place.scale,
    }
}
