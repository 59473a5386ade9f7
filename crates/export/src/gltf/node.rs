//! Nodes.

use glam::{Quat, Vec3};

use super::extension::{Extensions, LIGHTS, VISIBILITY};
use super::json::Object;
use super::layout::{DocNode, Layout};

pub(super) fn write_all(layout: &Layout, extensions: &mut Extensions) -> Vec<Object> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); layout.nodes.len()];
    for (at, node) in layout.nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            children[parent].push(at);
        }
    }
    let nodes = layout.nodes.iter().zip(children);
    nodes.map(|(node, children)| write(node, children, extensions)).collect()
}

fn write(node: &DocNode, children: Vec<usize>, extensions: &mut Extensions) -> Object {
    let mut object = Object::new()
        .filled("name", node.name.as_str())
        .filled("children", children)
        .unless("translation", node.place.translation, Vec3::ZERO)
        .unless("rotation", node.place.rotation, Quat::IDENTITY)
        .unless("scale", node.place.scale, Vec3::ONE)
        .some("mesh", node.mesh)
        .some("skin", node.skin)
        .filled("weights", node.weights.clone())
        .some("camera", node.camera);
    if let Some(light) = node.light {
        extensions.add(LIGHTS);
        object = object.extension(LIGHTS, Object::new().with("light", light));
    }
    if let Some(visible) = node.visible {
        extensions.add(VISIBILITY);
        object = object.extension(VISIBILITY, Object::new().with("visible", visible));
    }
    object
}
