//! The character while it is posed: local transforms that are changed, and where that puts every node.
//!
//! Nodes without a wanted rotation are as they rest in their parents. Only nodes that matter are worked out: those
//! asked for, and all above them.

use glam::{Affine3A, Quat, Vec3, Vec3A};
use sinew_scene::{JointId, Node, Scene, Transform};

use crate::tree::rotation_of;

/// A character in a pose of its own.
#[derive(Clone, Debug)]
pub(crate) struct Figure<'a> {
    nodes: &'a [Node],
    /// The nodes that matter, parents before children.
    order: Vec<usize>,
    pub(crate) locals: Vec<Transform>,
    model_from_joint: Vec<Affine3A>,
    rotations: Vec<Quat>,
    /// No scale but an even one, and no shear, from the root down to here: then rotations are products.
    is_rigid: Vec<bool>,
    /// Wanted rotations in the model, where a joint has one.
    wanted: Vec<Option<Quat>>,
}

impl<'a> Figure<'a> {
    /// All nodes of the scene matter.
    pub(crate) fn new(scene: &'a Scene) -> Self {
        Self::of(scene, scene.skeleton().ids())
    }

    /// These nodes matter.
    pub(crate) fn of(scene: &'a Scene, joints: impl Iterator<Item = JointId>) -> Self {
        let nodes = scene.skeleton().nodes();
        let mut is_rigid: Vec<bool> = Vec::with_capacity(nodes.len());
        for node in nodes {
            let scale = node.rest.scale;
            let even = scale.x > 0.0 && (scale - scale.x).abs().max_element() < 1e-6 * scale.x;
            let above = node.parent.is_none_or(|parent| is_rigid[parent.index()]);
            is_rigid.push(above && even && node.shear.is_none());
        }
        let mut figure = Self {
            nodes,
            order: order(nodes, joints),
            locals: nodes.iter().map(|node| node.rest).collect(),
            model_from_joint: vec![Affine3A::IDENTITY; nodes.len()],
            rotations: vec![Quat::IDENTITY; nodes.len()],
            is_rigid,
            wanted: vec![None; nodes.len()],
        };
        figure.stand();
        figure
    }

    /// The nodes that matter among a joint and all below it.
    pub(crate) fn below(&self, joint: JointId) -> Vec<usize> {
        let mut inside = vec![false; self.nodes.len()];
        inside[joint.index()] = true;
        for &at in &self.order {
            let above = self.nodes[at].parent.is_some_and(|parent| inside[parent.index()]);
            inside[at] = inside[at] || above;
        }
        self.order.iter().copied().filter(|&at| inside[at]).collect()
    }

    /// Asks for this rotation of a joint in the model.
    pub(crate) fn want(&mut self, joint: JointId, model: Quat) {
        self.wanted[joint.index()] = Some(model);
    }

    /// Forgets what was wanted: every joint is as its local transform says.
    pub(crate) fn want_nothing(&mut self) {
        self.wanted.fill(None);
    }

    pub(crate) fn wanted(&self, joint: JointId) -> Quat {
        self.wanted[joint.index()].unwrap_or_else(|| self.rotation(joint))
    }

    pub(crate) fn place(&self, joint: JointId) -> Vec3 {
        self.model_from_joint[joint.index()].translation.into()
    }

    pub(crate) fn rotation(&self, joint: JointId) -> Quat {
        self.rotations[joint.index()]
    }

    /// Works out all transforms, rotated as wanted.
    pub(crate) fn stand(&mut self) {
        for index in 0..self.order.len() {
            self.stand_at(self.order[index]);
        }
    }

    /// The same for some nodes, parents before children; what is above them is as it was.
    pub(crate) fn stand_among(&mut self, nodes: &[usize]) {
        nodes.iter().for_each(|&at| self.stand_at(at));
    }

    #[inline]
    fn stand_at(&mut self, at: usize) {
        let node = &self.nodes[at];
        let above = node.parent.map_or((Affine3A::IDENTITY, Quat::IDENTITY), |parent| {
            (self.model_from_joint[parent.index()], self.rotations[parent.index()])
        });
        let (parent, parent_rotation) = above;
        if let Some(wanted) = self.wanted[at] {
            let rotation = (parent_rotation.inverse() * wanted).normalize();
            self.locals[at].rotation =
                if rotation.is_finite() { rotation } else { node.rest.rotation };
        }
        let mut local = self.locals[at].to_affine();
        if let Some(shear) = node.shear {
            local *= Affine3A { matrix3: shear, translation: Vec3A::ZERO };
        }
        let matrix = parent * local;
        self.model_from_joint[at] = matrix;
        self.rotations[at] = if self.is_rigid[at] {
            parent_rotation * self.locals[at].rotation
        } else {
            rotation_of(matrix)
        };
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

    /// The same, shown at once in these nodes: a joint and all below it.
    pub(crate) fn carry(&mut self, joint: JointId, below: &[usize], by: Vec3) {
        self.shift(joint, by);
        let by = Vec3A::from(by);
        if by.is_finite() {
            below.iter().for_each(|&at| self.model_from_joint[at].translation += by);
        }
    }

    /// Puts a joint's place back to where it rests in its parent.
    pub(crate) fn unshift(&mut self, joint: JointId) {
        self.locals[joint.index()].translation = self.nodes[joint.index()].rest.translation;
    }
}

/// These nodes and all above them, parents before children.
fn order(nodes: &[Node], joints: impl Iterator<Item = JointId>) -> Vec<usize> {
    let mut matters = vec![false; nodes.len()];
    joints.for_each(|joint| matters[joint.index()] = true);
    for at in (0..nodes.len()).rev() {
        if let (true, Some(parent)) = (matters[at], nodes[at].parent) {
            matters[parent.index()] = true;
        }
    }
    (0..nodes.len()).filter(|&at| matters[at]).collect()
}
