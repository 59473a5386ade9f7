//! A graph as plain data: what a file or a program says, nothing bound yet.
//!
//! Every type here goes to and from RON, JSON and TOML with the feature `serde`.

use std::collections::BTreeMap;

use crate::{Ease, MaskPart, RootMode};

/// A graph of nodes, each of which makes a pose from those of others; one of them is shown.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[doc(alias = "blend tree")]
#[doc(alias = "animation graph")]
pub struct Graph {
    /// The name of the node that is shown.
    pub output: String,
    /// What a program sets while the graph plays, with the values at the start.
    #[cfg_attr(feature = "serde", serde(default))]
    pub parameters: BTreeMap<String, Parameter>,
    /// The nodes by name.
    pub nodes: BTreeMap<String, Node>,
    /// Groups of clips that go in step: by the markers of these names in turn, or, where the list is
    /// empty, by their share of their duration.
    #[cfg_attr(feature = "serde", serde(default))]
    pub sync: BTreeMap<String, Vec<String>>,
    /// Markers of clips, by the clip's name, beside those that the clips have themselves.
    #[cfg_attr(feature = "serde", serde(default, alias = "marks"))]
    pub markers: BTreeMap<String, Vec<GraphMarker>>,
    /// Where root motion comes from; without it clips are shown as they are.
    #[cfg_attr(feature = "serde", serde(default))]
    pub root: Option<RootMotion>,
}

/// A named moment of a clip.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[doc(alias = "animation event")]
#[doc(alias = "notify")]
pub struct GraphMarker {
    /// What happens.
    pub name: String,
    /// Seconds from the clip's start.
    pub time: f32,
}

/// The joint whose motion is the character's root motion.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[doc(alias = "root motion delta")]
pub struct RootMotion {
    /// Its name.
    pub joint: String,
    /// Which of its motion is root motion.
    #[cfg_attr(feature = "serde", serde(default))]
    pub mode: RootMode,
}

/// What a program may set, and its value at the start: a number, true or false, or `"trigger"`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(untagged))]
pub enum Parameter {
    /// On or off.
    Bool(bool),
    /// A number.
    Float(f32),
    /// Off until fired; the transition that it starts puts it off again.
    Trigger(Trigger),
}

/// The word for a trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Trigger {
    /// `"trigger"`.
    Trigger,
}

/// A number, or the name of the parameter that holds it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(untagged))]
pub enum Value {
    /// Always this.
    Number(f32),
    /// Whatever the parameter of this name is; on is one, off is zero.
    Parameter(String),
}

impl Default for Value {
    fn default() -> Self {
        Self::Number(1.0)
    }
}

impl From<f32> for Value {
    fn from(number: f32) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for Value {
    fn from(name: &str) -> Self {
        Self::Parameter(name.into())
    }
}

/// Makes a pose.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Node {
    /// Plays a clip.
    Clip {
        /// The clip's name.
        name: String,
        /// How fast; negative runs backward.
        #[cfg_attr(feature = "serde", serde(default))]
        speed: Value,
        /// Whether it starts over at its end; otherwise its last pose holds.
        #[cfg_attr(feature = "serde", serde(default = "yes"))]
        looped: bool,
        /// The group that it goes in step with.
        #[cfg_attr(feature = "serde", serde(default))]
        sync: Option<String>,
        /// Seconds from the clip's start at which it begins.
        #[cfg_attr(feature = "serde", serde(default))]
        start: f32,
    },
    /// The weighted mean of any number of nodes.
    Blend {
        /// What is mixed.
        inputs: Vec<Input>,
        /// Whether the clips among the inputs go in step.
        #[cfg_attr(feature = "serde", serde(default))]
        in_step: bool,
    },
    /// Nodes placed on a line or in a plane, mixed by where a point lies between them.
    #[doc(alias = "blend tree")]
    BlendSpace {
        /// The point: one value for a line, two for a plane.
        by: Vec<Value>,
        /// The nodes and their places, in any order.
        points: Vec<Point>,
        /// Whether the clips among the points go in step.
        #[cfg_attr(feature = "serde", serde(default = "yes"))]
        in_step: bool,
    },
    /// One node over another, on some joints.
    Layer {
        /// What is below.
        base: String,
        /// What is above.
        over: String,
        /// How much of it.
        #[cfg_attr(feature = "serde", serde(default))]
        weight: Value,
        /// On which joints; none named means all.
        #[cfg_attr(feature = "serde", serde(default))]
        mask: Vec<MaskPart>,
    },
    /// What one node has more than a reference pose, put on top of another node.
    #[doc(alias = "additive animation")]
    Additive {
        /// What it is put on.
        base: String,
        /// What is put on it.
        add: String,
        /// How much of it.
        #[cfg_attr(feature = "serde", serde(default))]
        weight: Value,
        /// What `add` is compared with.
        #[cfg_attr(feature = "serde", serde(default))]
        reference: Reference,
        /// On which joints; none named means all.
        #[cfg_attr(feature = "serde", serde(default))]
        mask: Vec<MaskPart>,
    },
    /// A node on some joints, another (or the rest pose) on all others.
    Mask {
        /// What is seen through the mask.
        input: String,
        /// The joints.
        parts: Vec<MaskPart>,
        /// What is seen elsewhere.
        #[cfg_attr(feature = "serde", serde(default))]
        other: Option<String>,
    },
    /// Left for right.
    Mirror {
        /// What is mirrored.
        input: String,
    },
    /// One node at a time, with transitions from one to the next.
    #[doc(alias = "state machine")]
    States {
        /// The state at the start.
        start: String,
        /// States by name, each showing a node.
        states: BTreeMap<String, String>,
        /// When to change; of those that may, the first does.
        #[cfg_attr(feature = "serde", serde(default))]
        transitions: Vec<Transition>,
    },
    /// A chain of joints that reaches for a place or looks at it.
    Ik {
        /// What is changed.
        input: String,
        /// The joints, and what they do.
        chain: Chain,
        /// The place, in the model, in metres.
        target: [Value; 3],
        /// How much of it.
        #[cfg_attr(feature = "serde", serde(default))]
        weight: Value,
    },
    /// A node worked out once a frame and used by any number of others. Everything else has one user.
    Cache {
        /// What is kept.
        input: String,
    },
}

/// One of the nodes that a blend mixes.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Input {
    /// Its name.
    pub node: String,
    /// Its weight.
    #[cfg_attr(feature = "serde", serde(default))]
    pub weight: Value,
}

/// A node in a blend space.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Point {
    /// Where: as many numbers as the space has values.
    pub at: Vec<f32>,
    /// The node's name.
    pub node: String,
}

/// What an additive node compares with.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Reference {
    /// The rest pose.
    #[default]
    Rest,
    /// A clip at a time.
    Clip {
        /// The clip's name.
        name: String,
        /// Seconds from its start.
        #[cfg_attr(feature = "serde", serde(default))]
        at: f32,
    },
}

/// A transition from one state to another.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Transition {
    /// The state it leaves; `*` is any.
    pub from: String,
    /// The state it leads to.
    pub to: String,
    /// All must hold: `speed > 0.5`, `grounded`, `not grounded`, `jump` (a trigger).
    pub when: Vec<String>,
    /// How long the change takes.
    pub seconds: f32,
    /// How the change goes.
    pub ease: Ease,
    /// Not before the state's clip passes this fraction of its duration: 1 is its end.
    pub exit: Option<f32>,
    /// Whether another transition may start while this one is under way.
    pub interrupt: bool,
    /// What happens to the old state.
    pub kind: Change,
}

/// What happens to the old state while a new one comes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Change {
    /// It plays on and fades out.
    #[default]
    Fade,
    /// It stops at once; its last motion fades away: see [`Inertialization`](crate::Inertialization).
    #[cfg_attr(feature = "serde", serde(alias = "inertia"))]
    Inertialization,
}

/// Joints that act together on a target.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Chain {
    /// A limb reaches: the joint named, its parent and its grandparent.
    TwoBone {
        /// The hand or foot.
        end: String,
        /// The direction in which the middle joint bends, a direction in the model; else as it does already.
        #[cfg_attr(feature = "serde", serde(default))]
        pole: Option<[f32; 3]>,
        /// The last part of the length over which the limb slows down.
        #[cfg_attr(feature = "serde", serde(default))]
        softness: f32,
    },
    /// Joints rotate together until the last one looks there.
    LookAt {
        /// From the base to the one with the eyes.
        joints: Vec<String>,
        /// The direction in which it looks, in its own axes.
        #[cfg_attr(feature = "serde", serde(default = "ahead"))]
        forward: [f32; 3],
        /// The direction that is up for it, in its own axes.
        #[cfg_attr(feature = "serde", serde(default = "up"))]
        up: [f32; 3],
        /// Seconds in which half of the rotation to a new target is done.
        #[cfg_attr(feature = "serde", serde(default = "tenth"))]
        half_life: f32,
    },
}

#[cfg(feature = "serde")]
fn yes() -> bool {
    true
}

#[cfg(feature = "serde")]
fn ahead() -> [f32; 3] {
    [0.0, 0.0, 1.0]
}

#[cfg(feature = "serde")]
fn up() -> [f32; 3] {
    [0.0, 1.0, 0.0]
}

#[cfg(feature = "serde")]
fn tenth() -> f32 {
    0.1
}

impl Node {
    /// A clip that loops at its own speed.
    #[must_use]
    pub fn clip(name: impl Into<String>) -> Self {
        Self::Clip {
            name: name.into(),
            speed: Value::default(),
            looped: true,
            sync: None,
            start: 0.0,
        }
    }

    /// Nodes on a line, in step, mixed by where a value lies between their places.
    #[must_use]
    pub fn blend_space_1d<N: Into<String>>(
        by: impl Into<Value>,
        points: impl IntoIterator<Item = (f32, N)>,
    ) -> Self {
        let point = |(at, node): (f32, N)| Point { at: vec![at], node: node.into() };
        Self::BlendSpace {
            by: vec![by.into()],
            points: points.into_iter().map(point).collect(),
            in_step: true,
        }
    }

    /// The names of the nodes it is made from, in order.
    pub(crate) fn inputs(&self) -> Vec<&str> {
        match self {
            Self::Clip { .. } => Vec::new(),
            Self::Blend { inputs, .. } => inputs.iter().map(|input| &input.node[..]).collect(),
            Self::BlendSpace { points, .. } => points.iter().map(|point| &point.node[..]).collect(),
            Self::Layer { base, over, .. } => vec![base, over],
            Self::Additive { base, add, .. } => vec![base, add],
            Self::Mask { input, other, .. } => {
                std::iter::once(&input[..]).chain(other.as_deref()).collect()
            }
            Self::States { states, .. } => states.values().map(|node| &node[..]).collect(),
            Self::Mirror { input } | Self::Ik { input, .. } | Self::Cache { input } => vec![input],
        }
    }
}
