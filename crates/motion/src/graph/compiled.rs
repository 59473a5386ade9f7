//! A graph bound to a scene: every name is a number, every node comes after those it is made from.
//!
//! Only [`CompiledGraph::new`](super::CompiledGraph::new) makes one, after its checks; a [`GraphPlayer`](super::GraphPlayer)
//! of it cannot fail.

use std::ops::Range;
use std::sync::Arc;

use sinew_scene::{Marker, Scene};

use super::condition::Condition;
use super::data::{Change, Parameter};
use crate::ik::{LookAt, TwoBone};
use crate::{BlendSpace, Ease, Mask, Mirror, Pose, Root, RootTracks, SyncGroup};

/// A graph bound to a scene, ready to play any number of times.
#[derive(Debug)]
#[doc(alias = "blend tree")]
#[doc(alias = "state machine")]
pub struct CompiledGraph {
    pub(crate) scene: Arc<Scene>,
    pub(crate) parameters: Vec<(String, Parameter)>,
    /// Inputs before users; the last is shown.
    pub(crate) steps: Vec<Work>,
    /// The inputs of all nodes, one range each.
    pub(crate) edges: Vec<usize>,
    pub(crate) clips: Vec<ClipWork>,
    pub(crate) syncs: Vec<SyncWork>,
    pub(crate) machines: Vec<Machine>,
    /// How many poses are in use at once.
    pub(crate) slots: usize,
    pub(crate) root: Option<Root>,
    pub(crate) rest: Pose,
    pub(crate) fingerprint: u64,
}

/// One node.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) edges: Range<usize>,
    /// Where its pose lies.
    pub(crate) slot: usize,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Clip(usize),
    Blend(Vec<Number>),
    BlendSpace(BlendSpace, [Number; 2]),
    Layer(Number, Option<Veil>),
    Additive(Number, Box<Pose>, Option<Mask>),
    Mask(Veil),
    Mirror(Box<Mirror>),
    States(usize),
    TwoBone(TwoBone, [Number; 3], Number),
    LookAt(LookAt, usize, [Number; 3], Number),
    Cache,
}

/// A mask and its opposite.
#[derive(Debug)]
pub(crate) struct Veil {
    pub(crate) mask: Mask,
    pub(crate) inverse: Mask,
    /// At the joint of root motion; one without such a joint.
    pub(crate) at_root: f32,
}

/// A number, or where it lies among the parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    Fixed(f32),
    Parameter(usize),
}

impl Number {
    pub(crate) fn of(self, values: &[f32]) -> f32 {
        match self {
            Self::Fixed(number) => number,
            Self::Parameter(at) => values[at],
        }
    }
}

#[derive(Debug)]
pub(crate) struct ClipWork {
    pub(crate) node: usize,
    pub(crate) clip: usize,
    pub(crate) speed: Number,
    pub(crate) looped: bool,
    pub(crate) start: f32,
    /// The group, and which of its members this is.
    pub(crate) sync: Option<(usize, usize)>,
    pub(crate) markers: Vec<Marker>,
    pub(crate) tracks: Option<RootTracks>,
}

#[derive(Debug)]
pub(crate) struct SyncWork {
    pub(crate) start: SyncGroup,
    /// Numbers of clips.
    pub(crate) members: Vec<usize>,
}

#[derive(Debug)]
pub(crate) struct Machine {
    pub(crate) node: usize,
    pub(crate) start: usize,
    pub(crate) states: Vec<State>,
    pub(crate) transitions: Vec<BoundTransition>,
    pub(crate) inertialization: bool,
}

#[derive(Debug)]
pub(crate) struct State {
    pub(crate) name: String,
    /// Its own nodes: those that start over when it is entered, inputs before users.
    pub(crate) nodes: Vec<usize>,
}

#[derive(Debug)]
pub(crate) struct BoundTransition {
    /// `None` is any.
    pub(crate) from: Option<usize>,
    pub(crate) to: usize,
    pub(crate) when: Vec<Condition>,
    pub(crate) seconds: f32,
    pub(crate) ease: Ease,
    pub(crate) exit: Option<f32>,
    pub(crate) interrupt: bool,
    pub(crate) kind: Change,
}

impl CompiledGraph {
    /// The scene it is bound to.
    #[must_use]
    pub fn scene(&self) -> &Arc<Scene> {
        &self.scene
    }

    /// The parameters by name, with their values at the start.
    pub fn parameters(&self) -> impl ExactSizeIterator<Item = (&str, Parameter)> {
        self.parameters.iter().map(|(name, parameter)| (&name[..], *parameter))
    }

    /// The number of a parameter, for [`GraphPlayer::set_at`](super::GraphPlayer::set_at).
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|(known, _)| known == name)
    }

    pub(crate) fn inputs(&self, node: usize) -> &[usize] {
        &self.edges[self.steps[node].edges.clone()]
    }
}
