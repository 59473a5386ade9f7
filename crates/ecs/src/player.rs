//! An animator on an entity, and the entities that take their values from it.
//!
//! In:  what an [`Animator`] plays: clips, packed clips, graphs, transitions, modifiers.
//! Out: a pose of which every [`Driven`] entity takes its element.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use bevy_ecs::prelude::*;
use sinew::motion::Progress;
use sinew::scene::{CameraId, InstanceId, JointId, LightId};
use sinew::{Animator, Motion, RootMotionPolicy, Scene, Transform};

/// Plays the motion of a character: an [`Animator`] as a component. All that an animator does is done
/// through it; [`Step::Animation`](crate::Step::Animation) lets time pass.
///
/// While a motion, a transition or a modifier is at work, the player owns every entity that is
/// [`Driven`] by it: what the motion does not move is at rest. Take `Driven` off an entity to have it
/// for yourself. After [`stop`](Animator::stop) the rest pose is written once, and then all are free.
///
/// Where the character is in the world is the entity's: the player takes it over before each run, so
/// [`Animator::place`] has no effect here. With [`RootMotionPolicy::Apply`](sinew::RootMotionPolicy::Apply)
/// root motion moves the entity's [`LocalTransform`](crate::LocalTransform).
///
/// ```
/// use bevy_ecs::prelude::*;
/// use sinew::graph::{CompiledGraph, Graph, GraphPlayer, Node, RootMotion};
/// use sinew::{RootMotionPolicy, Transition, motion::RootMode};
/// use sinew_ecs::{AnimationPlayer, Model};
/// # let mut world = World::new();
/// # let mut schedule = Schedule::default();
/// # sinew_ecs::install(&mut world, &mut schedule);
/// let model = Model::new(sinew::ossi());
/// // Mostly from a file: sinew::graph::read(text, Format::Toml)?
/// let mut graph = Graph { output: "walk".into(), ..Graph::default() };
/// graph.nodes.insert("walk".into(), Node::clip("walk"));
/// graph.root = Some(RootMotion { joint: "root".into(), mode: RootMode::Floor });
/// let graph = std::sync::Arc::new(CompiledGraph::new(&graph, model.scene().clone())?);
///
/// let ossi = model.spawn(&mut world);
/// let mut player = world.get_mut::<AnimationPlayer>(ossi).unwrap();
/// player.set_root_motion(None, RootMode::Floor, RootMotionPolicy::Apply);
/// player.start(GraphPlayer::new(graph), Transition::Cut);
/// sinew_ecs::run(&mut world, &mut schedule, 1.0);
///
/// // Footsteps of this frame, and 1.4 m, by which the entity was moved.
/// let player = world.get::<AnimationPlayer>(ossi).unwrap();
/// assert_eq!(player.events().count(), 2);
/// assert!((player.root_motion().translation.z - 1.4).abs() < 1e-4);
/// # Ok::<(), sinew::graph::GraphError>(())
/// ```
#[derive(Clone, Component, Debug)]
pub struct AnimationPlayer {
    animator: Animator,
    progress: Progress,
    /// Whether anything was at work in the last run.
    owned: bool,
    writes: bool,
}

/// Takes its values from a player.
#[doc(alias = "AnimatedBy")]
#[derive(Clone, Component, Copy, Debug, PartialEq, Eq)]
pub struct Driven {
    /// An entity with an [`AnimationPlayer`]. When it is gone, nothing is driven.
    pub player: Entity,
    /// Which element of the player's scene this entity is.
    pub element: SceneElement,
}

/// An element of a scene that a motion may change.
#[doc(alias = "AnimationTarget")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SceneElement {
    /// A node: its [`LocalTransform`](crate::LocalTransform).
    Node(JointId),
    /// A mesh: its [`MorphWeights`](crate::MorphWeights).
    Mesh(InstanceId),
    /// A [`Light`](crate::Light).
    Light(LightId),
    /// A [`Camera`](crate::Camera).
    Camera(CameraId),
}

impl From<Animator> for AnimationPlayer {
    fn from(animator: Animator) -> Self {
        Self { animator, progress: Progress::default(), owned: false, writes: false }
    }
}

impl Deref for AnimationPlayer {
    type Target = Animator;

    fn deref(&self) -> &Animator {
        &self.animator
    }
}

impl DerefMut for AnimationPlayer {
    fn deref_mut(&mut self) -> &mut Animator {
        &mut self.animator
    }
}

impl AnimationPlayer {
    /// Plays nothing yet.
    #[must_use]
    pub fn new(scene: impl Into<Arc<Scene>>) -> Self {
        Self::from(Animator::new(scene))
    }

    /// What the last run did: how often an end was passed, and whether the clip came to its end.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Lets seconds pass and brings the local transforms of the pose up to date; its model matrices only when there are
    /// modifiers. [`Step::Animation`](crate::Step::Animation) does it; call it where other systems than these take the
    /// pose over.
    pub fn advance(&mut self, seconds: f32) {
        let owns = !matches!(self.motion(), Motion::Rest)
            || self.in_transition()
            || !self.modifiers().is_empty();
        // Once more after the last, so that all go back to rest.
        self.writes = owns || self.owned;
        self.owned = owns;
        self.progress =
            if self.writes { self.animator.advance_local(seconds) } else { Progress::default() };
    }

    /// Where the entity is after the last run, if root motion is applied and has moved it; it was at `local`.
    #[must_use]
    pub fn moved(&self, local: Transform) -> Option<Transform> {
        let delta = self.root_motion();
        let applied = self.root_motion_policy().1 == RootMotionPolicy::Apply;
        (self.writes && applied && delta != Transform::IDENTITY).then(|| Transform {
            translation: local.to_affine().transform_point3(delta.translation),
            rotation: (local.rotation * delta.rotation).normalize(),
            scale: local.scale,
        })
    }

    /// Whether the pose is to be taken over after the last run: something plays, or was just stopped.
    #[must_use]
    pub fn writes(&self) -> bool {
        self.writes
    }
}
