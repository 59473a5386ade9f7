//! What is wrong right now, for people to read; everything else goes on.
//!
//! Each system keeps its own list and writes it again with every run, so that what was fixed is gone from it.

use std::fmt;

use bevy_ecs::prelude::*;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Diagnostic {
    /// A node is below itself. It and all below keep the world matrices they had.
    Cycle {
        /// One node of the cycle.
        node: Entity,
    },
    /// A local transform gives no finite matrix. The node keeps the world matrix it had.
    NotFinite {
        /// Whose.
        node: Entity,
    },
    /// A node, mesh, light or camera is driven as an element that its player's scene does not have. It is left as it is.
    MissingElement {
        /// What is driven.
        entity: Entity,
        /// By which player.
        player: Entity,
    },
    /// A modifier names joints or meshes that its player's scene does not have. It is passed over.
    WrongModifier {
        /// Whose modifier.
        player: Entity,
        /// Its position in the stack, counted from 0.
        index: usize,
    },
    /// What a modifier reaches for or looks at is gone. The modifier has no target.
    LostTarget {
        /// Whose modifier.
        player: Entity,
        /// What is gone.
        target: Entity,
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
    /// The skin of a mesh is gone, or is no skin any more. The mesh is not drawn.
    LostSkin {
        /// Which mesh.
        mesh: Entity,
        /// Its skin.
        skin: Entity,
    },
    /// A mesh that its scene does not have. Nothing is drawn for it.
    MissingMesh {
        /// Whose.
        mesh: Entity,
        /// Which, counted from 0.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A mesh is influenced by more joints than its skin has. It is not drawn.
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
    /// A model could not be sent to the GPU, or the image could not be drawn.
    #[cfg(feature = "render")]
    Render(sinew::render::RenderError),
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cycle { node } => write!(f, "node {node} is below itself"),
            Self::NotFinite { node } => {
                write!(f, "the local transform of node {node} gives no finite matrix")
            }
            Self::MissingElement { entity, player } => write!(
                f,
                "{entity} is driven as an element that the scene of player {player} does not have"
            ),
            Self::WrongModifier { player, index } => write!(
                f,
                "modifier {index} of player {player} names joints or meshes that its scene does not have"
            ),
            Self::LostTarget { player, target } => {
                write!(f, "a modifier of player {player} has the target {target}, which is gone")
            }
            Self::LostJoint { skin, joint, name } => {
                write!(f, "skin {skin} has lost its joint {joint} (\"{name}\")")
            }
            Self::LostSkin { mesh, skin } => {
                write!(f, "mesh {mesh} has the skin {skin}, which is gone")
            }
            Self::MissingMesh { mesh, index, count } => {
                write!(f, "{mesh} shows mesh {index} of a scene that has {count}, counted from 0")
            }
            Self::ShortSkin { mesh, needs, has } => {
                write!(f, "mesh {mesh} is influenced by {needs} joints, and its skin has {has}")
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
