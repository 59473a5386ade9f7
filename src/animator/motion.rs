//! What an animator can play, and how it changes from one to the next.

use std::sync::Arc;

use sinew_motion::Ease;
use sinew_motion::graph::GraphPlayer;
use sinew_pack::Packed;
use sinew_scene::ClipId;

/// What an animator can play.
///
/// ```
/// use sinew::{Animator, ClipId, Motion, Transition};
/// let mut animator = Animator::new(sinew::demo());
/// animator.start(ClipId::new(0), Transition::Cut);
/// animator.start(Motion::Rest, Transition::Fade { seconds: 0.3, ease: Default::default() });
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Motion {
    /// Nothing moves: the rest pose.
    #[default]
    Rest,
    /// A clip of the animator's scene.
    Clip(ClipId),
    /// A packed clip, sampled in place. It must have been packed for the animator's skeleton.
    Packed(Arc<Packed<Vec<u8>>>),
    /// A graph that was compiled for the animator's scene.
    Graph(Box<GraphPlayer>),
}

impl From<ClipId> for Motion {
    fn from(clip: ClipId) -> Self {
        Self::Clip(clip)
    }
}

impl From<Arc<Packed<Vec<u8>>>> for Motion {
    fn from(clip: Arc<Packed<Vec<u8>>>) -> Self {
        Self::Packed(clip)
    }
}

impl From<GraphPlayer> for Motion {
    fn from(graph: GraphPlayer) -> Self {
        Self::Graph(Box::new(graph))
    }
}

/// How an animator changes from one motion to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Transition {
    /// At once.
    #[default]
    Cut,
    /// The old motion plays on while the new one fades in over it: a cross-fade.
    Fade {
        /// How long it takes.
        seconds: f32,
        /// How the weight goes from zero to one.
        ease: Ease,
    },
    /// The old motion ends at once, and its last velocity dies away into the new one. Cheaper than a
    /// fade: only one motion is sampled.
    Inertialize {
        /// How long it takes.
        seconds: f32,
    },
}

impl Transition {
    /// A cross-fade that is slow at both ends.
    #[must_use]
    pub const fn fade(seconds: f32) -> Self {
        Self::Fade { seconds, ease: Ease::Smooth }
    }

    /// A transition by inertialization.
    #[must_use]
    pub const fn inertialize(seconds: f32) -> Self {
        Self::Inertialize { seconds }
    }
}
