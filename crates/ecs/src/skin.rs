//! The third step: world matrices of joints become what a shader reads.
//!
//! In:  world matrices of the skin's node and of its joints.
//! Out: joint matrix = inverse(skin node world) · joint world · inverse bind, one for each joint.
//!
//! Seen from the skin's node, a character that only walks about keeps its matrices, and a joint that is lost
//! stays on the character.

use std::sync::{Arc, Mutex};

use bevy_ecs::prelude::*;
use sinew::Scene;
use sinew::glam::Affine3A;
use sinew::scene::SkinId;

use crate::WorldTransform;
use crate::diagnostic::{Diagnostic, Diagnostics};

/// A skin of a shared scene, with the entities that are its joints.
#[derive(Clone, Component, Debug)]
#[require(JointMatrices)]
pub struct Skin {
    scene: Arc<Scene>,
    skin: SkinId,
    joints: Box<[Entity]>,
}

/// The matrices of a [`Skin`] on the same entity, as of the last [`Step::Skinning`](crate::Step::Skinning).
#[derive(Clone, Component, Debug, Default, PartialEq)]
pub struct JointMatrices {
    /// Where the skin's node is in the world. A node that is flat, or nearly, has no inverse to speak of: then
    /// this is the identity, and the matrices are in the world.
    pub world_from_node: Affine3A,
    /// One for each joint: from the mesh, as it was bound, to the skin's node.
    pub node_from_mesh: Vec<Affine3A>,
}

impl Skin {
    /// A skin of a scene on entities of your own, one for each joint in the skin's order; `None` when there is no
    /// such skin, or not one entity for each joint.
    #[must_use]
    pub fn new(scene: Arc<Scene>, skin: SkinId, joints: impl Into<Box<[Entity]>>) -> Option<Self> {
        let joints = joints.into();
        let fits = scene.skins.get(skin.index())?.joints.len() == joints.len();
        fits.then_some(Self { scene, skin, joints })
    }

    /// The skin as its file has it.
    #[must_use]
    pub fn source(&self) -> &sinew::scene::Skin {
        &self.scene.skins[self.skin.index()]
    }

    /// The entity of each joint.
    #[must_use]
    pub fn joints(&self) -> &[Entity] {
        &self.joints
    }

    /// The entity of each joint, to put the skin on others.
    pub fn joints_mut(&mut self) -> &mut [Entity] {
        &mut self.joints
    }

    fn name(&self, joint: usize) -> String {
        self.scene.skeleton().node(self.source().joints[joint]).name.clone()
    }
}

impl JointMatrices {
    /// From the mesh, as it was bound, to the world: what a renderer takes.
    pub fn world_from_mesh(&self) -> impl ExactSizeIterator<Item = Affine3A> + Clone {
        self.node_from_mesh.iter().map(|node_from_mesh| self.world_from_node * *node_from_mesh)
    }
}

pub(crate) fn skin(
    mut skins: Query<'_, '_, (Entity, Ref<'_, Skin>, Ref<'_, WorldTransform>, &mut JointMatrices)>,
    worlds: Query<'_, '_, Ref<'_, WorldTransform>>,
    mut diagnostics: ResMut<'_, Diagnostics>,
) {
    let wrong = Mutex::new(Vec::new());
    skins.par_iter_mut().for_each(|(entity, skin, node, mut matrices)| {
        let moved = skin.is_changed()
            || node.is_changed()
            || skin.joints.iter().any(|joint| worlds.get(*joint).map_or(true, |w| w.is_changed()));
        if !moved {
            return;
        }
        let matrices = &mut *matrices;
        matrices.node_from_mesh.resize(skin.joints.len(), Affine3A::IDENTITY);
        let (world_from_node, node_from_world) = invertible(node.0);
        matrices.world_from_node = world_from_node;
        let pairs = skin.joints.iter().zip(&skin.source().joint_from_mesh).enumerate();
        for (index, (joint, joint_from_mesh)) in pairs {
            match worlds.get(*joint) {
                Ok(world) => {
                    matrices.node_from_mesh[index] = node_from_world * world.0 * *joint_from_mesh;
                }
                Err(_) => {
                    let diagnostic = Diagnostic::LostJoint {
                        skin: entity,
                        joint: index,
                        name: skin.name(index),
                    };
                    wrong.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(diagnostic);
                }
            }
        }
    });
    diagnostics.skinning = wrong.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
}

/// A matrix and its inverse; the identity twice where going there and back would lose digits.
fn invertible(matrix: Affine3A) -> (Affine3A, Affine3A) {
    let inverse = matrix.inverse();
    let largest =
        |m: &Affine3A| m.matrix3.to_cols_array().into_iter().fold(0.0, |a: f32, b| a.max(b.abs()));
    // The product bounds by how much rounding errors grow; 1 for a rotation with one scale.
    let growth = largest(&matrix) * largest(&inverse);
    if inverse.is_finite() && growth < 16.0 {
        (matrix, inverse)
    } else {
        (Affine3A::IDENTITY, Affine3A::IDENTITY)
    }
}
