//! The scene's node tree, flattened: parents before children.
//!
//! Every node counts, so that cameras, lights, sockets and helper nodes between joints move too.
//! One forward pass over it is enough for anything that runs down the tree.

use glam::{Affine3A, Mat3A, Vec3};

use crate::{JointId, Transform};

/// One node of the tree.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// As the file has it; may be empty and need not be unique.
    pub name: String,
    /// Comes earlier in the list.
    pub parent: Option<JointId>,
    /// Where the node stands when nothing moves it.
    pub rest: Transform,
    /// What of the rest matrix no translation, rotation and scale can give:
    /// the node's matrix is `rest · shear`. `None` for almost every node there is.
    pub shear: Option<Mat3A>,
}

impl Node {
    /// A node that stands at `rest` in its parent.
    #[must_use]
    pub fn new(name: impl Into<String>, parent: Option<JointId>, rest: Transform) -> Self {
        Self { name: name.into(), parent, rest, shear: None }
    }

    /// A node that stands at `parent_from_node`, which is kept exactly even when it is sheared or flat.
    #[must_use]
    pub fn from_matrix(
        name: impl Into<String>,
        parent: Option<JointId>,
        parent_from_node: Affine3A,
    ) -> Self {
        match Transform::from_affine(parent_from_node) {
            Some(rest) => Self::new(name, parent, rest),
            None => Self {
                name: name.into(),
                parent,
                rest: Transform::from_translation(Vec3::from(parent_from_node.translation)),
                shear: Some(parent_from_node.matrix3),
            },
        }
    }

    /// The rest transform as a matrix, shear included.
    #[must_use]
    pub fn parent_from_node(&self) -> Affine3A {
        let affine = self.rest.to_affine();
        match self.shear {
            Some(shear) => affine * Affine3A { matrix3: shear, translation: glam::Vec3A::ZERO },
            None => affine,
        }
    }
}

/// All nodes of a scene, parents before children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    nodes: Vec<Node>,
    parents: Vec<Option<JointId>>,
    sheared: Vec<(JointId, Mat3A)>,
    levels: Vec<(JointId, JointId)>,
}

impl Skeleton {
    /// Only [`Scene::new`](crate::Scene::new) makes one, after its checks.
    pub(crate) fn new(nodes: Vec<Node>) -> Self {
        let parents: Vec<_> = nodes.iter().map(|node| node.parent).collect();
        let sheared = nodes
            .iter()
            .enumerate()
            .filter_map(|(index, node)| Some((JointId::new(index), node.shear?)))
            .collect();
        let levels = levels(&parents);
        Self { nodes, parents, sheared, levels }
    }

    pub(crate) fn into_nodes(self) -> Vec<Node> {
        self.nodes
    }

    /// How many nodes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Every node, parents before children.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node with this id.
    #[must_use]
    pub fn node(&self, joint: JointId) -> &Node {
        &self.nodes[joint.index()]
    }

    /// The parent of each node, in the same order.
    #[must_use]
    pub fn parents(&self) -> &[Option<JointId>] {
        &self.parents
    }

    /// The few nodes whose rest matrix has a shear, in order.
    #[must_use]
    pub fn sheared(&self) -> &[(JointId, Mat3A)] {
        &self.sheared
    }

    /// Every node that has a parent, with that parent, level by level: neighbours in this list
    /// hardly ever wait for each other, which is what a processor likes.
    #[must_use]
    pub fn levels(&self) -> &[(JointId, JointId)] {
        &self.levels
    }

    /// Every id, parents before children.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = JointId> + ExactSizeIterator + use<> {
        (0..self.nodes.len()).map(JointId::new)
    }

    /// The first node of this name. For set-up, not for every frame.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<JointId> {
        self.nodes.iter().position(|node| node.name == name).map(JointId::new)
    }
}

fn levels(parents: &[Option<JointId>]) -> Vec<(JointId, JointId)> {
    let mut depths: Vec<usize> = Vec::with_capacity(parents.len());
    for parent in parents {
        depths.push(parent.map_or(0, |parent| depths[parent.index()] + 1));
    }
    let mut levels: Vec<_> = parents
        .iter()
        .enumerate()
        .filter_map(|(joint, parent)| Some((JointId::new(joint), (*parent)?)))
        .collect();
    levels.sort_by_key(|(joint, _)| depths[joint.index()]);
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_follow_each_other_and_leave_the_roots_out() {
        let [a, b, c, d] = [0, 1, 2, 3].map(JointId::new);
        let node = |parent| Node::new("", parent, Transform::IDENTITY);
        let nodes = vec![node(None), node(Some(a)), node(Some(b)), node(Some(a))];
        assert_eq!(Skeleton::new(nodes).levels(), [(b, a), (d, a), (c, b)]);
    }
}
