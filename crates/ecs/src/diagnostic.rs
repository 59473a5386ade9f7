//! What is wrong right now, for people to read; everything else goes on.
//!
//! Each system keeps its own list and writes it anew with every run, so that what was mended is gone from it.

use std::fmt;

use bevy_ecs::prelude::*;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Diagnostic {
    /// A node hangs below itself. It and all below keep the world matrices they had.
    Cycle {
        /// One node of the circle.
        node: Entity,
    },
    /// A local transform gives no finite matrix. The node keeps the world matrix it had.
    NotFinite {
        /// Whose.
        node: Entity,
    },
    /// A node, mesh, light or camera follows a part that its player's scene does not have. It is left as it is.
    NoSuchPart {
        /// Who follows.
        entity: Entity,
        /// Whom.
        player: Entity,
    },
    /// The graph of a player is bound to a scene with other nodes. It moves on, but the clip alone moves the player.
    OtherGraph {
        /// Whose graph.
        player: Entity,
    },
    /// What a character reaches for or looks at is gone, or its scene has no such joints. The clip alone moves it.
    LostGoal {
        /// Whose goal.
        player: Entity,
        /// Which of its goals, counted from 0.
        goal: usize,
    },
    /// A joint of a skin is gone, or is no node any more. Its matrix stays as it was, in the space of the skin's node.
    LostJoint {
        /// Whose joint.
        skin: Entity,
        /// Which of its joints, counted from 0.
        joint: usize,
        /// What the file calls it.
        name: String,
    },
    /// What bends a mesh is gone, or is no skin any more. The mesh is not drawn.
    LostSkin {
        /// Which mesh.
        mesh: Entity,
        /// What bent it.
        skin: Entity,
    },
    /// A mesh that its scene does not have. Nothing is drawn for it.
    NoSuchMesh {
        /// Whose.
        mesh: Entity,
        /// Which, counted from 0.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A mesh is pulled by more joints than its skin has. It is not drawn.
    ShortSkin {
        /// Which mesh.
        mesh: Entity,
        /// How many joints it needs.
        needs: usize,
        /// How many there are.
        has: usize,
    },
    /// Not one weight for each morph target. Missing ones count as zero, further ones not at all.
    WrongWeights {
        /// Which mesh.
        mesh: Entity,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A model could not be sent to the GPU, or the picture could not be drawn.
    #[cfg(feature = "render")]
    Render(sinew::render::Error),
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cycle { node } => write!(f, "node {node} hangs below itself"),
            Self::NotFinite { node } => {
                write!(f, "the local transform of node {node} gives no finite matrix")
            }
            Self::NoSuchPart { entity, player } => {
                write!(f, "{entity} follows a part that the scene of player {player} does not have")
            }
            Self::OtherGraph { player } => {
                write!(f, "the graph of player {player} is bound to a scene with other nodes")
            }
            Self::LostGoal { player, goal } => {
                write!(
                    f,
                    "goal {goal} of player {player} has no target, or names joints that are not there"
                )
            }
            Self::LostJoint { skin, joint, name } => {
                write!(f, "skin {skin} has lost its joint {joint} (\"{name}\")")
            }
            Self::LostSkin { mesh, skin } => {
                write!(f, "mesh {mesh} is bent by skin {skin}, which is gone")
            }
            Self::NoSuchMesh { mesh, index, count } => {
                write!(f, "{mesh} shows mesh {index} of a scene that has {count}, counted from 0")
            }
            Self::ShortSkin { mesh, needs, has } => {
                write!(f, "mesh {mesh} is pulled by {needs} joints, and its skin has {has}")
            }
            Self::WrongWeights { mesh, expected, found } => {
                write!(f, "mesh {mesh} has {expected} morph targets and {found} weights")
            }
            #[cfg(feature = "render")]
            Self::Render(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Diagnostic {}

/// Everything that is wrong as of the last run; a resource.
#[derive(Debug, Default, Resource)]
pub struct Diagnostics {
    pub(crate) animation: Vec<Diagnostic>,
    pub(crate) cycles: Vec<Diagnostic>,
    pub(crate) nodes: Vec<Diagnostic>,
    pub(crate) skinning: Vec<Diagnostic>,
    #[cfg(feature = "render")]
    pub(crate) render: Vec<Diagnostic>,
}

impl Diagnostics {
    /// One after the other, in the order of the steps.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        let before = self.animation.iter().chain(&self.cycles).chain(&self.nodes);
        let all = before.chain(&self.skinning);
        #[cfg(feature = "render")]
        let all = all.chain(&self.render);
        all
    }

    /// Whether all is well.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.iter().count()
    }
}
