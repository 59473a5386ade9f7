//! What is drawn: a mesh of a shared scene, and how far its morph targets are on.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use sinew::Scene;
use sinew::scene::MeshId;

/// A mesh under a node. Any mesh of any scene may be put on any entity with a
/// [`LocalTransform`](crate::LocalTransform): a sword from one file in the hand of another.
#[derive(Clone, Component, Debug)]
pub struct Mesh {
    /// Shared by all copies.
    pub scene: Arc<Scene>,
    /// Which of its meshes.
    pub mesh: MeshId,
    /// What deforms it: an entity with a [`Skin`](crate::Skin). `None` for a rigid mesh, which moves with its node.
    pub skin: Option<Entity>,
}

/// One weight for each morph target of the [`Mesh`] on the same entity; none counts as all zero.
#[derive(Clone, Component, Debug, Default, PartialEq)]
pub struct MorphWeights(pub Vec<f32>);
