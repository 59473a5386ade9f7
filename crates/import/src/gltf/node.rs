//! The node tree, flattened.
//!
//! In:  the document's nodes, which name their children in any order.
//! Out: nodes with parents before children, in file order as far as that allows.
//!
//! A node keeps the first of its parents, and no node is its own ancestor, or the file is refused; so
//! one walk up from each node, over nodes not yet placed, places everything. Nothing recurses: a chain
//! of a hundred thousand nodes is as good as any.

use glam::{Affine3A, Mat4, Quat, Vec3};
use sinew_scene::{JointId, Node, Transform};

use super::buffer::no_such;
use super::json::{self, floats};
use crate::note::Notes;
use crate::{ImportError, NoteCode, Place};

/// The flattened tree.
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// Where each of the document's nodes went.
    pub(super) joints: Vec<JointId>,
}

impl Tree {
    /// The joint that a node of the document became.
    pub(super) fn joint(&self, node: usize, place: &Place) -> Result<JointId, ImportError> {
        let joint = self.joints.get(node).copied();
        joint.ok_or_else(|| no_such("node", node, self.joints.len(), place))
    }
}

pub(super) fn read(nodes: &[json::Node], notes: &mut Notes) -> Result<Tree, ImportError> {
    let parents = parents(nodes, notes)?;
    let order = parents_first(&parents)?;
    let mut joints = vec![JointId::new(0); nodes.len()];
    for (place, &node) in order.iter().enumerate() {
        joints[node] = JointId::new(place);
    }
    let made = order.iter().map(|&node| {
        let parent = parents[node].map(|parent| joints[parent]);
        rest(&nodes[node], node, parent, notes)
    });
    Ok(Tree { nodes: made.collect(), joints })
}

fn place(node: usize) -> Place {
    Place::part(format!("nodes[{node}]"))
}

/// The parent of each node: the first one that names it.
fn parents(nodes: &[json::Node], notes: &mut Notes) -> Result<Vec<Option<usize>>, ImportError> {
    let mut parents = vec![None; nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        for child in &node.children {
            let Some(parent) = parents.get_mut(child.0) else {
                return Err(no_such("node", child.0, nodes.len(), &place(at)));
            };
            if parent.is_some() {
                let text = "a node has more than one parent: it stays under the first";
                notes.add_as(NoteCode::TwoParents, place(child.0), text);
            }
            parent.get_or_insert(at);
        }
    }
    Ok(parents)
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Waiting,
    Placed,
}

/// The nodes in file order, but each after its parent.
fn parents_first(parents: &[Option<usize>]) -> Result<Vec<usize>, ImportError> {
    let mut marks = vec![Mark::New; parents.len()];
    let mut order = Vec::with_capacity(parents.len());
    let mut waiting = Vec::new();
    for node in 0..parents.len() {
        let mut next = Some(node);
        while let Some(at) = next {
            match marks[at] {
                Mark::Placed => break,
                Mark::Waiting => {
                    let text = format!("expected a tree, found node {at} among its own ancestors");
                    return Err(ImportError::malformed(place(at), text));
                }
                Mark::New => {
                    marks[at] = Mark::Waiting;
                    waiting.push(at);
                    next = parents[at];
                }
            }
        }
        while let Some(at) = waiting.pop() {
            marks[at] = Mark::Placed;
            order.push(at);
        }
    }
    Ok(order)
}

fn rest(node: &json::Node, at: usize, parent: Option<JointId>, notes: &mut Notes) -> Node {
    let name = node.name.clone().unwrap_or_default();
    let Some(matrix) = node.matrix else {
        return Node::new(name, parent, transform(node, at, notes));
    };
    if node.translation.is_some() || node.rotation.is_some() || node.scale.is_some() {
        notes.add_as(
            NoteCode::NodeMatrix,
            place(at),
            "a node has a matrix and a translation, rotation or scale: its matrix counts",
        );
    }
    let matrix = Mat4::from_cols_array(&floats(matrix));
    if matrix.row(3) != glam::Vec4::W {
        let text = "the last row of a node's matrix is not 0 0 0 1: it is taken to be";
        notes.add_as(NoteCode::NodeMatrix, place(at), text);
    }
    Node::from_matrix(name, parent, Affine3A::from_mat4(matrix))
}

fn transform(node: &json::Node, at: usize, notes: &mut Notes) -> Transform {
    let vector = |numbers: Option<_>, other| numbers.map_or(other, |v| Vec3::from(floats(v)));
    Transform {
        translation: vector(node.translation, Vec3::ZERO),
        rotation: node.rotation.map_or(Quat::IDENTITY, |rotation| {
            unit(Quat::from_array(floats(rotation)), || place(at), notes)
        }),
        scale: vector(node.scale, Vec3::ONE),
    }
}

/// A rotation made to be one.
pub(super) fn unit(rotation: Quat, place: impl Fn() -> Place, notes: &mut Notes) -> Quat {
    let length = rotation.length();
    if !(length > 1e-10 && length.is_finite()) {
        let text = "a rotation has no length: the identity is used";
        notes.add_as(NoteCode::RotationNotUnit, place(), text);
        return Quat::IDENTITY;
    }
    if (length - 1.0).abs() > 1e-3 {
        let text = "a rotation is not of unit length: it is divided by its length";
        notes.add_as(NoteCode::RotationNotUnit, place(), text);
    }
    let off = (length - 1.0).abs();
    let text = "a node's rotation is not a unit quaternion";
    notes.detail(NoteCode::RotationNotUnit, place(), usize::from(off > 1e-4), off, text);
    // Within rounding of one, the file's own numbers stay to the last bit.
    if (length - 1.0).abs() > 1e-6 { rotation / length } else { rotation }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gltf::json::Whole;

    fn tree(children: &[&[usize]]) -> Result<Tree, ImportError> {
        let nodes: Vec<json::Node> = children
            .iter()
            .enumerate()
            .map(|(at, children)| json::Node {
                name: Some(at.to_string()),
                children: children.iter().copied().map(Whole).collect(),
                ..Default::default()
            })
            .collect();
        read(&nodes, &mut Notes::default())
    }

    #[test]
    fn parents_come_first_and_file_order_is_kept_otherwise() {
        let tree = tree(&[&[], &[], &[0, 3], &[], &[2]]).expect("a tree");
        let names: Vec<&str> = tree.nodes.iter().map(|node| node.name.as_str()).collect();
        assert_eq!(names, ["4", "2", "0", "1", "3"]);
        assert_eq!(tree.nodes[4].parent, Some(JointId::new(1)));
        assert_eq!(tree.joints[3], JointId::new(4));
    }

    #[test]
    fn cycles_and_children_out_of_range_are_errors_that_say_so() {
        let text = |children: &[&[usize]]| tree(children).err().expect("refused").message;
        assert!(text(&[&[1], &[0]]).contains("own ancestors"));
        assert!(text(&[&[0]]).contains("own ancestors"));
        assert!(text(&[&[7]]).contains("below 1, found node 7"));
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_nodes_is_read_in_either_order() {
        let count = 100_000;
        let down: Vec<Vec<usize>> =
            (0..count).map(|at| if at + 1 < count { vec![at + 1] } else { vec![] }).collect();
        let up: Vec<Vec<usize>> =
            (0..count).map(|at| if at > 0 { vec![at - 1] } else { vec![] }).collect();
        for chain in [down, up] {
            let chain: Vec<&[usize]> = chain.iter().map(Vec::as_slice).collect();
            let nodes = tree(&chain).expect("a chain").nodes;
            let parents: Vec<_> =
                nodes.iter().map(|node| node.parent.map(JointId::index)).collect();
            assert!((1..count).all(|at| parents[at] == Some(at - 1)), "one after the other");
        }
    }

    #[test]
    fn a_rotation_without_length_is_the_identity_and_a_long_one_is_made_a_unit() {
        let mut notes = Notes::default();
        assert_eq!(unit(Quat::from_array([0.0; 4]), || Place::Whole, &mut notes), Quat::IDENTITY);
        let long = unit(Quat::from_xyzw(0.0, 3.0, 0.0, 4.0), || Place::Whole, &mut notes);
        assert!(long.abs_diff_eq(Quat::from_xyzw(0.0, 0.6, 0.0, 0.8), 1e-6));
        assert_eq!(notes.into_vec().len(), 2);
    }
}
