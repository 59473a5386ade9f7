//! The joints of either kind of MD5 file as nodes of a scene.

use glam::{DQuat, DVec3};
use sinew_scene::{JointId, Node, Transform};

use super::words::Words;
use crate::tree::parents_first;
use crate::{ImportError, Place};

/// A joint as filed.
pub(super) struct Joint {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
}

/// Where a joint is and how it is rotated, in its parent or in the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pose {
    pub(super) translation: DVec3,
    pub(super) rotation: DQuat,
}

impl Pose {
    pub(super) const IDENTITY: Self = Self { translation: DVec3::ZERO, rotation: DQuat::IDENTITY };

    pub(super) fn read(words: &mut Words<'_>) -> Result<Self, ImportError> {
        Ok(Self { translation: words.vector()?, rotation: words.rotation()? })
    }

    pub(super) fn point(self, point: DVec3) -> DVec3 {
        self.rotation * point + self.translation
    }

    /// `self` as seen from `parent`, both in the same space.
    pub(super) fn seen_from(self, parent: Self) -> Self {
        let back = parent.rotation.conjugate();
        Self {
            translation: back * (self.translation - parent.translation),
            rotation: (back * self.rotation).normalize(),
        }
    }

    pub(super) fn to_transform(self) -> Transform {
        Transform {
            translation: self.translation.as_vec3(),
            rotation: self.rotation.as_quat().normalize(),
            ..Transform::IDENTITY
        }
    }
}

/// A joint's parent: an index, or a negative number for none.
pub(super) fn parent(words: &mut Words<'_>) -> Result<Option<usize>, ImportError> {
    Ok(usize::try_from(words.integer("a parent's number")?).ok())
}

/// Nodes with parents first, and which node each joint became.
pub(super) fn nodes(
    joints: Vec<Joint>,
    parent_from_joint: impl Fn(usize) -> Pose,
) -> Result<(Vec<Node>, Vec<JointId>), ImportError> {
    let parents: Vec<_> = joints.iter().map(|joint| joint.parent).collect();
    let Some(order) = parents_first(&parents) else {
        let text = "expected joints that form a tree, found a parent that is not there or a circle";
        return Err(ImportError::out_of_range(Place::part("joints"), text));
    };
    let mut node_of = vec![JointId::new(0); joints.len()];
    for (node, &joint) in order.iter().enumerate() {
        node_of[joint] = JointId::new(node);
    }
    let mut names: Vec<String> = joints.into_iter().map(|joint| joint.name).collect();
    let nodes = order
        .into_iter()
        .map(|joint| {
            let parent = parents[joint].map(|parent| node_of[parent]);
            let name = std::mem::take(&mut names[joint]);
            Node::new(name, parent, parent_from_joint(joint).to_transform())
        })
        .collect();
    Ok((nodes, node_of))
}
