//! Skins.
//!
//! In:  skins that name their joints, and nodes that say below which nodes those are to be found.
//! Out: a skin of 2.0 for each pair of a skin and its skeletons, and its bind shape.

use std::collections::{HashMap, HashSet};

use glam::{Affine3A, Mat4};
use serde_json::{Value, json};

use super::{Old, indices, name, note, place};
use crate::ImportError;
use crate::open::Context;

#[derive(Default)]
pub(super) struct Skins {
    pub(super) list: Vec<Value>,
    pub(super) from: Vec<usize>,
    pub(super) bind_shapes: Vec<Affine3A>,
    /// By node.
    of_node: HashMap<usize, usize>,
}

impl Skins {
    pub(super) fn new(old: &Old, context: &mut Context<'_>) -> Result<Self, ImportError> {
        let mut skins = Self::default();
        let mut known = HashMap::new();
        let anywhere = named_anywhere(old);
        for (at, (id, node)) in old.nodes.iter().enumerate() {
            let place = place("nodes", id);
            // A draft kept both in an object of their own.
            let holder = if node["skin"].is_string() { node } else { &node["instanceSkin"] };
            if !holder["skin"].is_string() {
                continue;
            }
            let skin = old.skins.find(&holder["skin"], "a skin", &place)?;
            let roots = indices(old, &holder["skeletons"], &place)?;
            let made = match known.get(&(skin, roots.clone())) {
                Some(&made) => made,
                None => {
                    let below = named_below(old, &roots, context)?;
                    let joints = joints(old, skin, [&below, &anywhere], at, context)?;
                    known.insert((skin, roots), skins.list.len());
                    skins.add(old, skin, &joints, context)?
                }
            };
            skins.of_node.insert(at, made);
        }
        Ok(skins)
    }

    pub(super) fn of(&self, node: usize) -> Option<usize> {
        self.of_node.get(&node).copied()
    }

    fn add(
        &mut self,
        old: &Old,
        skin: usize,
        joints: &[usize],
        context: &mut Context<'_>,
    ) -> Result<usize, ImportError> {
        let (id, filed) = (old.skins.id(skin), old.skins.value(skin));
        let mut made = json!({"name": name(id, filed), "joints": joints});
        let matrices = &filed["inverseBindMatrices"];
        if !matrices.is_null() {
            let accessor = old.accessors.find(matrices, "an accessor", &place("skins", id))?;
            made["inverseBindMatrices"] = json!(accessor);
        }
        self.list.push(made);
        self.from.push(skin);
        self.bind_shapes.push(bind_shape(filed).unwrap_or_else(|| {
            let text = "a bind shape is no matrix of 16 finite numbers: it is left out";
            note(&mut context.notes, "skins", id, text);
            Affine3A::IDENTITY
        }));
        Ok(self.list.len() - 1)
    }
}

/// `None` when it is none.
fn bind_shape(skin: &Value) -> Option<Affine3A> {
    if skin["bindShapeMatrix"].is_null() {
        return Some(Affine3A::IDENTITY);
    }
    let numbers = skin["bindShapeMatrix"].as_array()?.iter();
    let numbers: Option<Vec<f32>> = numbers.map(|n| n.as_f64().map(|n| n as f32)).collect();
    let matrix = Mat4::from_cols_array(&numbers?.try_into().ok()?);
    Some(Affine3A::from_mat4(matrix)).filter(|matrix| matrix.is_finite())
}

/// Nodes by the name that they have as joints.
type ByName<'a> = HashMap<&'a str, usize>;

fn joint_name(node: &Value) -> Option<&str> {
    node["jointName"].as_str()
}

/// Every joint of the document; of several with the same name the first.
fn named_anywhere(old: &Old) -> ByName<'_> {
    let mut names = HashMap::new();
    for (at, (_, node)) in old.nodes.iter().enumerate() {
        if let Some(name) = joint_name(node) {
            names.entry(name).or_insert(at);
        }
    }
    names
}

/// The joints in and below these nodes.
fn named_below<'a>(
    old: &'a Old,
    roots: &[usize],
    context: &mut Context<'_>,
) -> Result<ByName<'a>, ImportError> {
    let mut names = HashMap::new();
    let mut seen: HashSet<usize> = roots.iter().copied().collect();
    let mut next: Vec<usize> = roots.iter().rev().copied().collect();
    while let Some(at) = next.pop() {
        let node = old.nodes.value(at);
        let place = place("nodes", old.nodes.id(at));
        // Many skins may each look through the same long chain.
        context.budget.take(1, 64, &place)?;
        if let Some(name) = joint_name(node) {
            names.entry(name).or_insert(at);
        }
        let children = indices(old, &node["children"], &place)?;
        next.extend(children.into_iter().rev().filter(|child| seen.insert(*child)));
    }
    Ok(names)
}

/// The nodes that a skin names: below its skeletons, else anywhere. A name that no node has stands
/// for the node with the mesh.
fn joints(
    old: &Old,
    skin: usize,
    [below, anywhere]: [&ByName<'_>; 2],
    node: usize,
    context: &mut Context<'_>,
) -> Result<Vec<usize>, ImportError> {
    let place = place("skins", old.skins.id(skin));
    let names = old.skins.value(skin)["jointNames"].as_array().map_or(&[][..], Vec::as_slice);
    context.budget.take(names.len(), 32, &place)?;
    let found = names.iter().map(|wanted| {
        let word = wanted.as_str().unwrap_or_default();
        let found = below.get(word).or_else(|| anywhere.get(word)).copied();
        found.or_else(|| old.nodes.at(wanted)).unwrap_or_else(|| {
            let text = "a skin names a joint that no node is: the mesh's own node stands for it";
            context.notes.add(place.clone(), text);
            node
        })
    });
    Ok(found.collect())
}
