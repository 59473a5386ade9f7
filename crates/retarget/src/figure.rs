//! The character while it is posed: local transforms that are changed, and where that puts every node.
//!
//! Nodes without a wanted rotation are as they rest in their parents.

use glam::{Affine3A, Quat, Vec3, Vec3A};
use sinew_scene::{JointId, Node, Scene, Transform};

use crate::tree::rotation_of;

/// A character in a pose of its own.
#[derive(Clone, Debug)]
pub(crate) struct Figure<'a> {
    nodes: &'a [Node],
    pub(crate) locals: Vec<Transform>,
    model_from_joint: Vec<Affine3A>,
    /// Wanted rotations in the model, where a joint has one.
    wanted: Vec<Option<Quat>>,
}

impl<'a> Figure<'a> {
    pub(crate) fn new(scene: &'a Scene) -> Self {
        let nodes = scene.skeleton().nodes();
        let mut figure = Self {
            nodes,
            locals: nodes.iter().map(|node| node.rest).collect(),
            model_from_joint: vec![Affine3A::IDENTITY; nodes.len()],
            wanted: vec![None; nodes.len()],
        };
        figure.stand();
        figure
    }

    /// Asks for this rotation of a joint in the model.
    pub(crate) fn want(&mut self, joint: JointId, model: Quat) {
        self.wanted[joint.index()] = Some(model);
    }

    pub(crate) fn wanted(&self, joint: JointId) -> Quat {
        self.wanted[joint.index()].unwrap_or_else(|| self.rotation(joint))
    }

    pub(crate) fn place(&self, joint: JointId) -> Vec3 {
        self.model_from_joint[joint.index()].translation.into()
    }

    pub(crate) fn rotation(&self, joint: JointId) -> Quat {
        rotation_of(self.model_from_joint[joint.index()])
    }

    /// Works out all transforms, rotated as wanted.
    pub(crate) fn stand(&mut self) {
        for (at, node) in self.nodes.iter().enumerate() {
            let parent =
                node.parent.map_or(Affine3A::IDENTITY, |id| self.model_from_joint[id.index()]);
            if let Some(wanted) = self.wanted[at] {
                let rotation = (rotation_of(parent).inverse() * wanted).normalize();
                self.locals[at].rotation =
                    if rotation.is_finite() { rotation } else { node.rest.rotation };
            }
            let mut local = self.locals[at].to_affine();
            if let Some(shear) = node.shear {
                local *= Affine3A { matrix3: shear, translation: Vec3A::ZERO };
            }
            self.model_from_joint[at] = parent * local;
        }
    }

    /// Moves a joint by so much of the model's metres; [`stand`](Self::stand) shows it.
    pub(crate) fn shift(&mut self, joint: JointId, by: Vec3) {
        let parent = self.nodes[joint.index()].parent;
        let linear =
            parent.map_or(Affine3A::IDENTITY, |id| self.model_from_joint[id.index()]).matrix3;
        let local = linear.inverse() * Vec3A::from(by);
        if local.is_finite() {
            self.locals[joint.index()].translation += Vec3::from(local);
        }
    }

    /// Puts a joint's place back to where it rests in its parent.
    pub(crate) fn unshift(&mut self, joint: JointId) {
        self.locals[joint.index()].translation = self.nodes[joint.index()].rest.translation;
    }
}
