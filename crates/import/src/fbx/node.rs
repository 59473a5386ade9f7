//! The node tree, with nodes added where FBX says in one node what takes two of ours.
//!
//! In:  ufbx's nodes, each with translation, rotation, scale and a mode to inherit its parent's scale.
//! Out: nodes that are plain products, `world = parent · T · R · S`.
//!
//! A child that does not inherit its parent's scale hangs under a node that is where the
//! parent is but is not scaled: `name (unscaled)` has translation and rotation, and `name`
//! below it the scale. A geometric transform, which applies to meshes but not to children, is a node
//! `name (geometry)`. So every node of the file's name has the world matrix that FBX gives it.

use glam::{DQuat, DVec3};
use sinew_scene::{JointId, Node, Transform};

use super::number::{dquat, dvec3, transform};
use crate::Place;
use crate::open::Context;

/// Which of our nodes make up one of the file's.
#[derive(Clone, Copy)]
pub(super) struct Seat {
    /// Has the FBX node's world matrix.
    pub(super) whole: JointId,
    /// Has translation and rotation; the same as `whole` unless the scale has its own node.
    pub(super) unscaled: JointId,
    /// Where meshes, lights and cameras hang.
    pub(super) geometry: JointId,
}

/// What becomes of a node's scale for those who inherit it.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Scaling {
    /// It is one, always.
    One,
    /// It is something else, always.
    Fixed,
    /// Some take changes it.
    Moves,
}

/// The tree, and where each of the file's nodes is in it.
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// By ufbx's number of the node; `None` for its root, which is left out.
    seats: Vec<Option<Seat>>,
    scaling: Vec<Scaling>,
}

impl Tree {
    pub(super) fn seat(&self, node: &ufbx::Node) -> Option<Seat> {
        self.seats.get(node.element.typed_id as usize).copied().flatten()
    }

    /// How the node's scale looks to those who inherit it.
    pub(super) fn scaling(&self, node: &ufbx::Node) -> Scaling {
        self.scaling.get(node.element.typed_id as usize).copied().unwrap_or(Scaling::One)
    }

    fn push(&mut self, name: String, parent: Option<JointId>, rest: Transform) -> JointId {
        self.nodes.push(Node::new(name, parent, rest));
        JointId::new(self.nodes.len() - 1)
    }
}

/// Scales this near to one are one; files keep them in decimals.
const NEAR_ONE: f64 = 5e-7;

pub(super) fn tree(scene: &ufbx::Scene, context: &mut Context<'_>) -> Tree {
    let count = scene.nodes.len();
    let mut tree =
        Tree { nodes: Vec::new(), seats: vec![None; count], scaling: vec![Scaling::One; count] };
    // ufbx lists parents before children.
    for node in &scene.nodes {
        tree.scaling[node.element.typed_id as usize] = scaling_of(scene, node, &tree);
        if !node.is_root {
            let seat = seat(node, &mut tree, context);
            tree.seats[node.element.typed_id as usize] = Some(seat);
        }
    }
    tree
}

fn scaling_of(scene: &ufbx::Scene, node: &ufbx::Node, tree: &Tree) -> Scaling {
    let inherited = match (inherits_all(node), node.inherit_scale_node.as_deref()) {
        (false, Some(from)) => tree.scaling(from),
        _ => Scaling::One,
    };
    if inherited == Scaling::Moves || scale_moves(scene, node) {
        return Scaling::Moves;
    }
    match (dvec3(node.local_transform.scale) - DVec3::ONE).abs().max_element() <= NEAR_ONE {
        true => inherited,
        false => Scaling::Fixed,
    }
}

fn scale_moves(scene: &ufbx::Scene, node: &ufbx::Node) -> bool {
    let rest = dvec3(node.local_transform.scale);
    scene.anim_layers.iter().any(|layer| {
        let prop = ufbx::find_anim_prop(layer, &node.element, "Lcl Scaling");
        prop.is_some_and(|prop| {
            (0..3).any(|axis| {
                let channel = super::channel::Channel::new(&prop.anim_value, axis);
                channel.constant().is_none_or(|value| (value - rest[axis]).abs() > NEAR_ONE)
            })
        })
    })
}

/// Whether the node takes all of its parent's matrix, as nodes do in other formats.
pub(super) fn inherits_all(node: &ufbx::Node) -> bool {
    node.inherit_mode == ufbx::InheritMode::Normal
}

/// What the parent's scale, and that of the node it inherits scale from, do to a node that does
/// not inherit all: its translation and its scale are multiplied by these.
pub(super) fn inherited(node: &ufbx::Node) -> (DVec3, DVec3) {
    if inherits_all(node) {
        return (DVec3::ONE, DVec3::ONE);
    }
    let scale =
        |node: Option<&ufbx::Node>| node.map_or(DVec3::ONE, |node| dvec3(node.inherit_scale));
    (scale(node.parent.as_deref()), scale(node.inherit_scale_node.as_deref()))
}

fn seat(node: &ufbx::Node, tree: &mut Tree, context: &mut Context<'_>) -> Seat {
    let name = node.element.name.to_string();
    let parent = node.parent.as_deref().and_then(|parent| tree.seat(parent));
    let parent = parent.map(|seat| if inherits_all(node) { seat.whole } else { seat.unscaled });
    let (move_by, scale_by) = inherited(node);
    let local = &node.local_transform;
    let (rest, good) = transform(
        dvec3(local.translation) * move_by,
        dquat(local.rotation),
        dvec3(local.scale) * scale_by,
    );
    if !good {
        let text = "a node's transform has a number that is not finite; it is left out";
        context.notes.add(Place::part(name.clone()), text);
    }
    let (unscaled, whole) = if has_unscaled_children(node, tree) {
        let unscaled = tree.push(
            format!("{name} (unscaled)"),
            parent,
            Transform { scale: glam::Vec3::ONE, ..rest },
        );
        let scale = Transform { scale: rest.scale, ..Transform::IDENTITY };
        (unscaled, tree.push(name.clone(), Some(unscaled), scale))
    } else {
        let whole = tree.push(name.clone(), parent, rest);
        (whole, whole)
    };
    let geometry = match has_attribute(node) && node.has_geometry_transform {
        true => tree.push(format!("{name} (geometry)"), Some(whole), geometric(node)),
        false => whole,
    };
    Seat { whole, unscaled, geometry }
}

fn has_unscaled_children(node: &ufbx::Node, tree: &Tree) -> bool {
    tree.scaling(node) != Scaling::One && node.children.iter().any(|child| !inherits_all(child))
}

fn has_attribute(node: &ufbx::Node) -> bool {
    node.mesh.is_some() || node.light.is_some() || node.camera.is_some() || node.attrib.is_some()
}

fn geometric(node: &ufbx::Node) -> Transform {
    let local = &node.geometry_transform;
    transform(dvec3(local.translation), dquat(local.rotation), dvec3(local.scale)).0
}

/// The scale that others inherit from a node at some time: its own, and what it inherited itself.
pub(super) fn scale_at(anim: &ufbx::Anim, node: &ufbx::Node, time: f64) -> DVec3 {
    let mut product = DVec3::ONE;
    let mut next = Some(node);
    while let Some(node) = next {
        product *= dvec3(ufbx::evaluate_transform(anim, node, time).scale);
        next = if inherits_all(node) { None } else { node.inherit_scale_node.as_deref() };
    }
    product
}

/// A node's translation, rotation and scale at some time, as our nodes have them.
pub(super) fn local_at(anim: &ufbx::Anim, node: &ufbx::Node, time: f64) -> (DVec3, DQuat, DVec3) {
    let local = ufbx::evaluate_transform(anim, node, time);
    let (mut translation, mut scale) = (dvec3(local.translation), dvec3(local.scale));
    if !inherits_all(node) {
        if let Some(parent) = node.parent.as_deref() {
            translation *= scale_at(anim, parent, time);
        }
        if let Some(from) = node.inherit_scale_node.as_deref() {
            scale *= scale_at(anim, from, time);
        }
    }
    (translation, dquat(local.rotation), scale)
}

/// Every property that a node's local transform is made of.
pub(super) const TRANSFORM: [&str; 10] = [
    "Lcl Translation",
    "Lcl Rotation",
    "Lcl Scaling",
    "PreRotation",
    "PostRotation",
    "RotationOffset",
    "RotationOrder",
    "RotationPivot",
    "ScalingOffset",
    "ScalingPivot",
];

/// Whether another property drives one of the transform's.
pub(super) fn is_connected(node: &ufbx::Node) -> bool {
    TRANSFORM.into_iter().any(|name| {
        ufbx::find_prop(&node.element.props, name)
            .is_some_and(|prop| prop.flags.has_any(ufbx::PropFlags::CONNECTED))
    })
}

/// Whether rotating or scaling the node translates it too.
pub(super) fn has_pivot(node: &ufbx::Node) -> bool {
    ["RotationPivot", "ScalingPivot", "ScalingOffset"].into_iter().any(|name| {
        ufbx::find_prop(&node.element.props, name).is_some_and(|prop| {
            let value = prop.value_vec4;
            value.x != 0.0 || value.y != 0.0 || value.z != 0.0
        })
    })
}

/// In which order the angles rotate the node. Without a rotation space of its own it is x, y, z.
pub(super) fn order_of(node: &ufbx::Node) -> Option<[usize; 3]> {
    match node.use_rotation_space {
        true => super::source::order(node.rotation_order),
        false => Some([0, 1, 2]),
    }
}

/// A fixed rotation of the node: before or after the animated one.
pub(super) fn euler(node: &ufbx::Node, name: &str) -> DQuat {
    let Some(prop) = ufbx::find_prop(&node.element.props, name) else { return DQuat::IDENTITY };
    let angles = ufbx::Vec3 { x: prop.value_vec4.x, y: prop.value_vec4.y, z: prop.value_vec4.z };
    dquat(ufbx::euler_to_quat(angles, ufbx::RotationOrder::Xyz))
}

/// How much longer the longest axis gets.
pub(super) fn largest_scale(matrix: &ufbx::Matrix) -> f64 {
    let columns = [
        DVec3::new(matrix.m00, matrix.m10, matrix.m20),
        DVec3::new(matrix.m01, matrix.m11, matrix.m21),
        DVec3::new(matrix.m02, matrix.m12, matrix.m22),
    ];
    columns.into_iter().map(DVec3::length).fold(0.0, f64::max)
}

/// Whether the node shows at rest. Where the file only has curves for it, ufbx makes up a zero.
pub(super) fn is_visible(node: &ufbx::Node) -> bool {
    let made_up = ufbx::find_prop(&node.element.props, "Visibility")
        .is_some_and(|prop| prop.flags.has_any(ufbx::PropFlags::SYNTHETIC));
    node.visible || made_up
}
