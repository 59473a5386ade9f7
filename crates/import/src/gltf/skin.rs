//! Skins: joints and their inverse bind matrices.
//!
//! In:  the document's skins. Out: skins whose lists are of one length.
//!
//! `skeleton` says nothing about where vertices go and is not read.

use glam::{Affine3A, Mat4, Vec4};
use sinew_scene::{MeshId, SceneParts, Skin};

use super::accessor::Source;
use super::buffer::unless_empty;
use super::extras;
use super::influence;
use super::json;
use super::node::Tree;
use crate::note::Notes;
use crate::open::Context;
use crate::{ImportError, NoteCode, Place};

pub(super) fn read(
    source: &Source<'_>,
    tree: &Tree,
    context: &mut Context<'_>,
) -> Result<Vec<Skin>, ImportError> {
    let skins = source.document.skins.iter().enumerate();
    skins.map(|(at, skin)| read_one(source, tree, skin, at, context)).collect()
}

fn read_one(
    source: &Source<'_>,
    tree: &Tree,
    skin: &json::Skin,
    at: usize,
    context: &mut Context<'_>,
) -> Result<Skin, ImportError> {
    let place = Place::part(format!("skins[{at}]"));
    let joints: Vec<_> =
        skin.joints.iter().map(|joint| tree.joint(joint.0, &place)).collect::<Result<_, _>>()?;
    let mut joint_from_mesh = match skin.inverse_bind_matrices {
        Some(accessor) => {
            let found = matrices(source, accessor.0, &place, context);
            let what = "skins that need it bind at the origin";
            unless_empty(found, what, &mut context.notes)?.unwrap_or_default()
        }
        None => Vec::new(),
    };
    if skin.inverse_bind_matrices.is_some() && joint_from_mesh.len() < joints.len() {
        let text =
            "a skin has fewer inverse bind matrices than joints: the others are the identity";
        context.notes.add_as(NoteCode::BindCount, place, text);
    }
    joint_from_mesh.resize(joints.len(), Affine3A::IDENTITY);
    let name = skin.name.clone().unwrap_or_default();
    Ok(Skin { name, joints, joint_from_mesh, method: extras::skin_method(&skin.extras) })
}

fn matrices(
    source: &Source<'_>,
    accessor: usize,
    place: &Place,
    context: &mut Context<'_>,
) -> Result<Vec<Affine3A>, ImportError> {
    let elements = source.elements(accessor, place)?;
    let make = |numbers: [f32; 16]| Mat4::from_cols_array(&numbers);
    let filed = elements.floats(&mut context.budget, make)?;
    let last_row = |matrix: &Mat4| (matrix.row(3) - Vec4::W).abs().max_element();
    let off = filed.iter().map(last_row).fold(0.0, f32::max);
    let matrices: Vec<Affine3A> = filed.into_iter().map(Affine3A::from_mat4).collect();
    let text = "the last row of inverse bind matrices is not 0 0 0 1";
    let is_off = usize::from(off > 0.0);
    context.notes.detail(NoteCode::BindMatrix, place.clone(), is_off, off, text);
    if let Some(bad) = matrices.iter().position(|matrix| !matrix.is_finite()) {
        let text = format!("expected finite numbers, found others in matrix {bad}");
        return Err(ImportError::out_of_range(elements.place, text));
    }
    Ok(matrices)
}

/// Sees to it that no instance's mesh names joints past its own skin's list. A mesh may hang under
/// several skins of different lengths, so a copy is made where one fits and another does not.
pub(super) fn fit_meshes(
    parts: &mut SceneParts,
    context: &mut Context<'_>,
) -> Result<(), ImportError> {
    let most = |parts: &SceneParts, mesh: MeshId| {
        let influences =
            parts.meshes[mesh.index()].primitives.iter().flat_map(|p| p.influences.all());
        influences.map(|one| one.joint as usize + 1).max().unwrap_or(0)
    };
    let mut needs: Vec<Option<usize>> = vec![None; parts.meshes.len()];
    let mut fitted = std::collections::HashMap::new();
    for at in 0..parts.instances.len() {
        let instance = &parts.instances[at];
        let (mesh, Some(skin)) = (instance.mesh, instance.skin) else { continue };
        let joints = parts.skins[skin.index()].joints.len();
        let need = *needs[mesh.index()].get_or_insert_with(|| most(parts, mesh));
        if need <= joints {
            continue;
        }
        let copy = match fitted.get(&(mesh, joints)) {
            Some(&copy) => copy,
            None => {
                let copy = without(parts, mesh, joints, context)?;
                fitted.insert((mesh, joints), copy);
                copy
            }
        };
        parts.instances[at].mesh = copy;
    }
    Ok(())
}

/// Details on skins that are drawn, but have joints that are not in the drawn scene.
pub(super) fn note_outside(source: &Source<'_>, drawn: &[bool], notes: &mut Notes) {
    let is_drawn = |node: usize| drawn.get(node) == Some(&true);
    let mut used = vec![false; source.document.skins.len()];
    for (at, node) in source.document.nodes.iter().enumerate().filter(|(at, _)| is_drawn(*at)) {
        let skin = node.skin.and_then(|skin| used.get_mut(skin.0));
        skin.into_iter().for_each(|used| *used = drawn[at]);
    }
    for (at, skin) in source.document.skins.iter().enumerate().filter(|(at, _)| used[*at]) {
        let outside = skin.joints.iter().filter(|joint| !is_drawn(joint.0)).count();
        let place = Place::part(format!("skins[{at}]"));
        let text = "joints are not in the scene that is drawn";
        notes.detail(NoteCode::JointOutsideScene, place, outside, 0.0, text);
    }
}

/// A copy of a mesh without influences of joints past `joints`.
fn without(
    parts: &mut SceneParts,
    mesh: MeshId,
    joints: usize,
    context: &mut Context<'_>,
) -> Result<MeshId, ImportError> {
    let place = Place::part(format!("meshes[{}]", mesh.index()));
    let bytes: usize =
        parts.meshes[mesh.index()].primitives.iter().map(|one| influence::size(one)).sum();
    context.budget.take(bytes, 1, &place)?;
    let mut copy = parts.meshes[mesh.index()].clone();
    for primitive in &mut copy.primitives {
        primitive.influences = influence::below(&primitive.influences, joints);
    }
    let text = "vertices are weighted to joints past the end of their skin's list: those weights are left out";
    context.notes.add_as(NoteCode::JointOutOfRange, place, text);
    parts.meshes.push(copy);
    Ok(MeshId::new(parts.meshes.len() - 1))
}
