//! Builds a [`Graph`] step by step.
//!
//! In:  parameters, nodes and transitions, one call each.
//! Out: the same plain data that a file holds. Nothing is checked here: names are bound, and what does
//! not fit is refused, by [`CompiledGraph::new`](super::CompiledGraph::new).

use super::data::{
    Change, Graph, GraphMarker, Node, Parameter, RootMotion, Transition, Trigger, Value,
};
use super::parameters::{BoolParameter, Condition, FloatParameter, TriggerParameter};
use crate::{Ease, RootMode};

/// Builds a [`Graph`]: parameters first, then nodes, then what is shown.
///
/// ```
/// use sinew_motion::graph::{GraphBuilder, Node};
/// # use sinew_motion::graph::{CompiledGraph, GraphPlayer};
/// # use sinew_scene::{Clip, Scene, SceneParts};
/// # let clips = ["idle", "walk", "jump"].map(|name| Clip { name: name.into(), duration: 1.0, ..Clip::default() });
/// # let scene = Scene::new(SceneParts { clips: clips.into(), ..SceneParts::default() })?;
/// let mut graph = GraphBuilder::new();
/// let speed = graph.float("speed", 0.0);
/// let jump = graph.trigger("jump");
/// graph.clip("idle", "idle").clip("walk", "walk").node("jump", Node::clip("jump").once());
/// graph.states("legs", |states| {
///     states.state("idle", "idle").state("walk", "walk").state("jump", "jump");
///     states.transition("idle", "walk").when(speed.above(0.5)).fade(0.2);
///     states.transition("walk", "idle").when(speed.at_most(0.5)).fade(0.2);
///     states.transition_from_any("jump").when(jump.fired()).inertialize(0.15);
///     states.transition("jump", "idle").at_exit(0.9).fade(0.2);
/// });
/// let graph = graph.build();
/// # let mut player = GraphPlayer::new(CompiledGraph::new(&graph, scene)?);
/// # player.set("speed", 1.0)?;
/// # player.advance(0.1);
/// # assert_eq!(player.state("legs"), Some("walk"));
/// # player.set("jump", 1.0)?;
/// # player.advance(0.3);
/// # player.advance(0.1);
/// # assert_eq!(player.state("legs"), Some("jump"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[doc(alias = "state machine")]
#[doc(alias = "blend tree")]
pub struct GraphBuilder {
    graph: Graph,
}

impl GraphBuilder {
    /// An empty graph.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a number that the program sets, with its value at the start.
    pub fn float(&mut self, name: impl Into<String>, start: f32) -> FloatParameter {
        FloatParameter { name: self.parameter(name.into(), Parameter::Float(start)) }
    }

    /// Adds a switch that the program sets, with its value at the start.
    pub fn bool(&mut self, name: impl Into<String>, start: bool) -> BoolParameter {
        BoolParameter { name: self.parameter(name.into(), Parameter::Bool(start)) }
    }

    /// Adds a trigger: off until the program fires it, and off again when a transition has used it.
    pub fn trigger(&mut self, name: impl Into<String>) -> TriggerParameter {
        TriggerParameter { name: self.parameter(name.into(), Parameter::trigger()) }
    }

    fn parameter(&mut self, name: String, parameter: Parameter) -> String {
        self.graph.parameters.insert(name.clone(), parameter);
        name
    }

    /// Adds a node. It is the output unless another node is added later, or [`output`](Self::output) names
    /// one. A node of the same name is replaced.
    pub fn node(&mut self, name: impl Into<String>, node: Node) -> &mut Self {
        let name = name.into();
        self.graph.output.clone_from(&name);
        self.graph.nodes.insert(name, node);
        self
    }

    /// Adds a node that plays the clip of a name in a loop. For more see [`Node::clip`].
    pub fn clip(&mut self, name: impl Into<String>, clip: impl Into<String>) -> &mut Self {
        self.node(name, Node::clip(clip))
    }

    /// Adds a state machine.
    pub fn states(
        &mut self,
        name: impl Into<String>,
        build: impl FnOnce(&mut StatesBuilder),
    ) -> &mut Self {
        let mut states = StatesBuilder::default();
        build(&mut states);
        let StatesBuilder { start, states, transitions } = states;
        self.node(name, Node::States { start, states, transitions })
    }

    /// Adds a group of clips that are kept in phase: by these markers in turn, or, without any, by their
    /// share of their duration. Clips join it with [`Node::in_sync_group`].
    #[doc(alias = "sync markers")]
    pub fn sync_group<M: Into<String>>(
        &mut self,
        name: impl Into<String>,
        markers: impl IntoIterator<Item = M>,
    ) -> &mut Self {
        self.graph.sync.insert(name.into(), markers.into_iter().map(Into::into).collect());
        self
    }

    /// Adds a marker to a clip, in seconds from the clip's start.
    #[doc(alias = "animation event")]
    pub fn marker(
        &mut self,
        clip: impl Into<String>,
        name: impl Into<String>,
        time: f32,
    ) -> &mut Self {
        let marker = GraphMarker { name: name.into(), time };
        self.graph.markers.entry(clip.into()).or_default().push(marker);
        self
    }

    /// Takes root motion from a joint.
    pub fn root_motion(&mut self, joint: impl Into<String>, mode: RootMode) -> &mut Self {
        self.graph.root = Some(RootMotion { joint: joint.into(), mode });
        self
    }

    /// Names the node that is shown; without it, the last one added is.
    pub fn output(&mut self, node: impl Into<String>) -> &mut Self {
        self.graph.output = node.into();
        self
    }

    /// The graph, ready for [`CompiledGraph::new`](super::CompiledGraph::new) or to be written to a file.
    #[must_use]
    pub fn build(self) -> Graph {
        self.graph
    }
}

/// Adds the states and transitions of a state machine: see [`GraphBuilder::states`].
#[derive(Clone, Debug, Default)]
pub struct StatesBuilder {
    start: String,
    states: std::collections::BTreeMap<String, String>,
    transitions: Vec<Transition>,
}

impl StatesBuilder {
    /// Adds a state that shows a node. The first one added is the state at the start.
    pub fn state(&mut self, name: impl Into<String>, node: impl Into<String>) -> &mut Self {
        let name = name.into();
        if self.states.is_empty() {
            self.start.clone_from(&name);
        }
        self.states.insert(name, node.into());
        self
    }

    /// Names the state at the start.
    pub fn start(&mut self, name: impl Into<String>) -> &mut Self {
        self.start = name.into();
        self
    }

    /// Adds a transition. Of those that may start in a frame, the one added first does. It needs a
    /// condition or an exit time.
    pub fn transition(
        &mut self,
        from: impl Into<String>,
        to: impl Into<String>,
    ) -> TransitionBuilder<'_> {
        let transition = Transition { from: from.into(), to: to.into(), ..Transition::default() };
        let at = self.transitions.len();
        self.transitions.push(transition);
        TransitionBuilder { transition: &mut self.transitions[at] }
    }

    /// Adds a transition that may leave any state.
    pub fn transition_from_any(&mut self, to: impl Into<String>) -> TransitionBuilder<'_> {
        self.transition("*", to)
    }
}

/// Says when a transition starts and how it goes: see [`StatesBuilder::transition`].
#[derive(Debug)]
pub struct TransitionBuilder<'a> {
    transition: &'a mut Transition,
}

#[allow(clippy::return_self_not_must_use)] // The transition is changed in place.
impl TransitionBuilder<'_> {
    /// Starts only while this holds. Of several conditions all must hold.
    pub fn when(self, condition: Condition) -> Self {
        self.transition.when.push(condition.into());
        self
    }

    /// Starts only when the state's clip passes this fraction of its duration: 1 is its end.
    #[doc(alias = "exit time")]
    pub fn at_exit(self, fraction: f32) -> Self {
        self.transition.exit = Some(fraction);
        self
    }

    /// Fades from the old state, which plays on, for so many seconds. Without this the state changes
    /// at once.
    #[doc(alias = "crossfade")]
    pub fn fade(self, seconds: f32) -> Self {
        self.transition.seconds = seconds;
        self.transition.kind = Change::Fade;
        self
    }

    /// Stops the old state and lets its last motion die away for so many seconds: see
    /// [`Inertialization`](crate::Inertialization).
    #[doc(alias = "inertialization")]
    pub fn inertialize(self, seconds: f32) -> Self {
        self.transition.seconds = seconds;
        self.transition.kind = Change::Inertialization;
        self
    }

    /// The curve of the change over its time.
    pub fn ease(self, ease: Ease) -> Self {
        self.transition.ease = ease;
        self
    }

    /// Lets another transition start while this one is under way.
    pub fn interruptible(self) -> Self {
        self.transition.interrupt = true;
        self
    }
}

impl Parameter {
    /// A trigger: off until fired, and off again when a transition has used it.
    #[must_use]
    pub fn trigger() -> Self {
        Self::Trigger(Trigger::Trigger)
    }
}

/// How a clip plays. Only nodes that play a clip have these settings; others stay as they are.
impl Node {
    /// Plays a clip once; then its last pose holds.
    #[must_use]
    pub fn once(mut self) -> Self {
        if let Self::Clip { looped, .. } = &mut self {
            *looped = false;
        }
        self
    }

    /// Plays a clip at this speed, a number or a parameter; negative plays backward.
    #[must_use]
    pub fn speed(mut self, value: impl Into<Value>) -> Self {
        if let Self::Clip { speed, .. } = &mut self {
            *speed = value.into();
        }
        self
    }

    /// Keeps a clip in phase with the others of a group.
    #[must_use]
    pub fn in_sync_group(mut self, name: impl Into<String>) -> Self {
        if let Self::Clip { sync, .. } = &mut self {
            *sync = Some(name.into());
        }
        self
    }

    /// Starts a clip so many seconds after its own start.
    #[must_use]
    pub fn starting_at(mut self, seconds: f32) -> Self {
        if let Self::Clip { start, .. } = &mut self {
            *start = seconds;
        }
        self
    }
}
