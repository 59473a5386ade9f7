//! What is drawn under which node: meshes, lights and cameras.
//!
//! In:  the nodes that the chosen scene reaches. Out: instances, lights and cameras in node order,
//! and what each index of the document became, for the clips to bind to.

use std::collections::HashMap;

use glam::{Quat, Vec3};
use sinew_scene::{
    CameraId, Instance, InstanceId, JointId, LightId, MeshId, Node, SceneParts, SkinId, Transform,
};

use super::accessor::Source;
use super::buffer::no_such;
use super::json::{self, Whole};
use super::node::{Tree, unit};
use super::{camera, light, rare};
use crate::open::Context;
use crate::{ImportError, NoteCode, Place};

/// What the document's indices became. One light or camera of the document may hang under several
/// nodes, and one node may draw its mesh many times.
#[derive(Default)]
pub(super) struct Bound {
    /// By node.
    pub(super) joints: Vec<JointId>,
    /// By node.
    pub(super) instances: HashMap<usize, Vec<InstanceId>>,
    /// By mesh, those that take the mesh's own weights.
    pub(super) of_mesh: HashMap<usize, Vec<InstanceId>>,
    /// By light.
    pub(super) lights: HashMap<usize, Vec<LightId>>,
    /// By camera.
    pub(super) cameras: HashMap<usize, Vec<CameraId>>,
}

/// Puts everything that hangs under drawn nodes into `parts`, which has nodes, meshes and skins.
pub(super) fn place_all(
    source: &Source<'_>,
    tree: Tree,
    drawn: &[bool],
    parts: &mut SceneParts,
    context: &mut Context<'_>,
) -> Result<Bound, ImportError> {
    parts.nodes = tree.nodes;
    let mut bound = Bound { joints: tree.joints, ..Bound::default() };
    for (at, node) in source.document.nodes.iter().enumerate() {
        let place = Place::part(format!("nodes[{at}]"));
        check_links(source, node, &place)?;
        if drawn.get(at) != Some(&true) {
            continue;
        }
        let joint = bound.joints[at];
        if let Some(mesh) = node.mesh {
            let instances = meshes(source, node, mesh, joint, parts, &place, context)?;
            if node.weights.is_none() {
                bound.of_mesh.entry(mesh.0).or_default().extend(&instances);
            }
            bound.instances.insert(at, instances);
        }
        if let Some(index) = node.camera {
            let camera = camera::read(source.document, index.0, joint, &place, &mut context.notes)?;
            bound.cameras.entry(index.0).or_default().push(CameraId::new(parts.cameras.len()));
            parts.cameras.push(camera);
        }
        if let Some(index) = light_of(node) {
            let light = light::read(source.document, index.0, joint, &place, &mut context.notes)?;
            bound.lights.entry(index.0).or_default().push(LightId::new(parts.lights.len()));
            parts.lights.push(light);
        }
    }
    Ok(bound)
}

fn light_of(node: &json::Node) -> Option<Whole> {
    Some(node.extensions.as_ref()?.light.as_ref()?.light)
}

/// Every link of a node leads somewhere, drawn or not.
fn check_links(source: &Source<'_>, node: &json::Node, place: &Place) -> Result<(), ImportError> {
    let document = source.document;
    let links = [
        ("mesh", node.mesh, document.meshes.len()),
        ("skin", node.skin, document.skins.len()),
        ("camera", node.camera, document.cameras.len()),
        ("light", light_of(node), document.extensions.lights.lights.len()),
    ];
    for (what, index, count) in links {
        if let Some(index) = index
            && index.0 >= count
        {
            return Err(no_such(what, index.0, count, place));
        }
    }
    Ok(())
}

fn meshes(
    source: &Source<'_>,
    node: &json::Node,
    mesh: Whole,
    joint: JointId,
    parts: &mut SceneParts,
    place: &Place,
    context: &mut Context<'_>,
) -> Result<Vec<InstanceId>, ImportError> {
    let weights = weights(source, node, mesh.0, parts, place, context)?;
    let mesh = MeshId::new(mesh.0);
    let skin = node.skin.map(|skin| SkinId::new(skin.0));
    let copies = match node.extensions.as_ref().and_then(|all| all.instancing.as_ref()) {
        Some(_) if !rare::ARE_READ => {
            return Err(rare::unread("EXT_mesh_gpu_instancing", place));
        }
        Some(instancing) => copies(source, &instancing.attributes, place, context)?,
        None => {
            parts.instances.push(Instance { joint, mesh, skin, weights });
            return Ok(vec![InstanceId::new(parts.instances.len() - 1)]);
        }
    };
    context.budget.take(copies.len(), size_of::<Node>() + size_of::<Instance>(), place)?;
    context.budget.take(copies.len(), weights.len() * 4, place)?;
    let first = parts.instances.len();
    for (at, rest) in copies.into_iter().enumerate() {
        let name = format!("{} {at}", parts.nodes[joint.index()].name);
        parts.nodes.push(Node::new(name, Some(joint), rest));
        let joint = JointId::new(parts.nodes.len() - 1);
        parts.instances.push(Instance { joint, mesh, skin, weights: weights.clone() });
    }
    Ok((first..parts.instances.len()).map(InstanceId::new).collect())
}

/// The node's own weights, else the mesh's, else zeros.
fn weights(
    source: &Source<'_>,
    node: &json::Node,
    mesh: usize,
    parts: &SceneParts,
    place: &Place,
    context: &mut Context<'_>,
) -> Result<Vec<f32>, ImportError> {
    let count = parts.meshes[mesh].morph_count();
    context.budget.take(count, 4, place)?;
    let filed = node.weights.as_ref().or(source.document.meshes[mesh].weights.as_ref());
    let mut weights: Vec<f32> = filed.into_iter().flatten().take(count).map(|w| w.0).collect();
    if filed.is_some_and(|filed| filed.len() != count) {
        let text = "there are not as many morph weights as morph targets: the others are zero";
        context.notes.add_as(NoteCode::MorphCount, place.clone(), text);
    }
    weights.resize(count, 0.0);
    Ok(weights)
}

/// The transform of each copy of `EXT_mesh_gpu_instancing` under its node.
fn copies(
    source: &Source<'_>,
    attributes: &json::Attributes,
    place: &Place,
    context: &mut Context<'_>,
) -> Result<Vec<Transform>, ImportError> {
    let mut all: Option<Vec<Transform>> = None;
    for (name, accessor) in attributes {
        let set: fn(&mut Transform, [f32; 4]) = match name.as_str() {
            "TRANSLATION" => |rest, [x, y, z, _]| rest.translation = Vec3::new(x, y, z),
            "ROTATION" => |rest, v| rest.rotation = Quat::from_array(v),
            "SCALE" => |rest, [x, y, z, _]| rest.scale = Vec3::new(x, y, z),
            _ => continue,
        };
        let elements = source.elements(accessor.0, place)?;
        let values = match name.as_str() {
            "ROTATION" => elements.floats(&mut context.budget, |v: [f32; 4]| v)?,
            _ => elements.floats(&mut context.budget, |[x, y, z]: [f32; 3]| [x, y, z, 0.0])?,
        };
        let copies = all.get_or_insert_with(|| vec![Transform::IDENTITY; values.len()]);
        if copies.len() != values.len() {
            let text =
                format!("expected {} entries of {name}, found {}", copies.len(), values.len());
            return Err(ImportError::out_of_range(place.clone(), text));
        }
        copies.iter_mut().zip(values).for_each(|(rest, value)| set(rest, value));
    }
    let mut all = all.unwrap_or_default();
    for rest in &mut all {
        rest.rotation = unit(rest.rotation, || place.clone(), &mut context.notes);
    }
    if all.iter().any(|rest| !rest.is_finite()) {
        let text = "expected finite numbers in its instances, found others";
        return Err(ImportError::out_of_range(place.clone(), text));
    }
    Ok(all)
}
