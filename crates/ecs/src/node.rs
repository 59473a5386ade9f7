//! A node: where it is in its parent, and in the world.
//!
//! The parent is bevy_ecs' own [`ChildOf`](bevy_ecs::hierarchy::ChildOf): despawning a node takes all below with it.

use std::ops::{Deref, DerefMut};

use bevy_ecs::prelude::*;
use sinew::Transform;
use sinew::glam::{Affine3A, Mat3A, Vec3A};

use crate::hierarchy::{self, Slot};

/// Where a node is in its parent. Makes any entity a node.
#[derive(Clone, Copy, Component, Debug, Default, PartialEq)]
#[component(on_remove = hierarchy::removed)]
#[require(WorldTransform, Slot)]
pub struct LocalTransform(pub Transform);

/// Where a node is in the world, as of the last [`Step::Node`](crate::Step::Node).
#[derive(Clone, Copy, Component, Debug, Default, PartialEq)]
pub struct WorldTransform(pub Affine3A);

/// What of a node's matrix no translation, rotation and scale can give: the matrix is `local · shear`.
#[derive(Clone, Copy, Component, Debug, PartialEq)]
pub struct Shear(pub Mat3A);

impl LocalTransform {
    /// As a matrix, shear included.
    #[must_use]
    pub fn to_affine(&self, shear: Option<&Shear>) -> Affine3A {
        let local = self.0.to_affine();
        match shear {
            Some(shear) => local * Affine3A { matrix3: shear.0, translation: Vec3A::ZERO },
            None => local,
        }
    }
}

impl Deref for LocalTransform {
    type Target = Transform;

    fn deref(&self) -> &Transform {
        &self.0
    }
}

impl DerefMut for LocalTransform {
    fn deref_mut(&mut self) -> &mut Transform {
        &mut self.0
    }
}
