//! What binds a skin: a rest pose that is the bind pose, and inverse bind matrices where there are none.

use glam::Affine3A;
use sinew_import::Imported;
use sinew_motion::Pose;
use sinew_retarget::{Body, BodyPart, Side, Slot};
use sinew_scene::{Curve, JointId, Node, Scene, SceneParts, Track, Transform};

use super::skeleton::weighted_by;
use crate::finding::counted;
use crate::{CheckOptions, check};

/// What a matrix may be off a transform by, as a share of its scale; a bind pose went through two inverses.
const ROUNDING: f32 = 1e-3;
/// Values nearer than this are the same.
const SAME: f32 = 1e-5;

fn found(scene: &Scene, code: &'static str) -> Vec<crate::Finding> {
    let options = CheckOptions { only: vec![code], ..CheckOptions::default() };
    check(&Imported::from(scene.clone()), &options)
}

/// Lets joints rest where the skin was bound. Clips get the old rest values where they had no keys: they play as they did.
pub(super) fn rest_as_bound(parts: &mut SceneParts) -> Option<String> {
    let scene = Scene::new(parts.clone()).ok()?;
    if found(&scene, "rest-bind").is_empty() {
        return None;
    }
    let bound = bound_places(&scene);
    let mut rests: Vec<Transform> = Vec::with_capacity(bound.len());
    let mut places: Vec<Affine3A> = Vec::with_capacity(bound.len());
    for (node, bound) in parts.nodes.iter().zip(&bound) {
        let above = node.parent.map_or(Affine3A::IDENTITY, |parent| places[parent.index()]);
        let rest = match bound {
            Some(place) => decomposed(above.inverse() * *place, node)?,
            None => node.rest,
        };
        let new = Node { rest, ..node.clone() };
        places.push(above * new.parent_from_node());
        rests.push(rest);
    }
    let changed = rest_anew(parts, rests);
    (changed > 0).then(|| {
        format!("{} where the skin was bound", counted(changed, "joint rests", "joints rest"))
    })
}

/// Lets arms rest as the skin was bound, where one rests in an A-pose and the other was bound in a T-pose: clips of other files find the
/// stance then that the skin was made for. The model's own clips play as they did.
pub(super) fn arms_as_bound(parts: &mut SceneParts) -> Option<String> {
    let scene = Scene::new(parts.clone()).ok()?;
    if found(&scene, "stance").is_empty() {
        return None;
    }
    let body = Body::find(&scene).ok()?;
    let uppers = Side::BOTH.map(|side| body.joint(Slot::of(side, BodyPart::UpperArm)));
    let bound = bound_places(&scene);
    let mut in_arm = vec![false; bound.len()];
    let mut rests: Vec<Transform> = Vec::with_capacity(bound.len());
    for (at, node) in parts.nodes.iter().enumerate() {
        let below = node.parent.is_some_and(|parent| in_arm[parent.index()]);
        in_arm[at] = below || uppers.contains(&Some(JointId::new(at)));
        // As the parent was bound, wherever it rests.
        let above = node.parent.and_then(|parent| bound[parent.index()]);
        rests.push(match (in_arm[at], above, bound[at]) {
            (true, Some(above), Some(place)) => decomposed(above.inverse() * place, node)?,
            _ => node.rest,
        });
    }
    let changed = rest_anew(parts, rests);
    (changed > 0).then(|| {
        let joints = counted(changed, "joint of an arm rests", "joints of arms rest");
        format!("{joints} as the skin was bound; clips play as they did")
    })
}

/// Gives nodes other rest transforms, and clips the old ones where they had no keys; how many differ.
fn rest_anew(parts: &mut SceneParts, rests: Vec<Transform>) -> usize {
    let changed = (0..rests.len()).filter(|at| rests[*at] != parts.nodes[*at].rest).count();
    for clip in &mut parts.clips {
        for (at, new) in rests.iter().enumerate() {
            let old = parts.nodes[at].rest;
            let joint = JointId::new(at);
            hold(&mut clip.translations, joint, old.translation, new.translation);
            hold(&mut clip.rotations, joint, old.rotation, new.rotation);
            hold(&mut clip.scales, joint, old.scale, new.scale);
        }
    }
    parts.nodes.iter_mut().zip(rests).for_each(|(node, rest)| node.rest = rest);
    changed
}

/// Where each joint was in the model when its skin was bound; the first joint with weights stays where it is.
fn bound_places(scene: &Scene) -> Vec<Option<Affine3A>> {
    let rest = Pose::new(scene);
    let mut bound = vec![None; scene.skeleton().len()];
    for instance in &scene.instances {
        let Some(skin) = instance.skin.map(|skin| &scene[skin]) else { continue };
        let weighted = weighted_by(&scene[instance.mesh], skin.joints.len());
        let Some(first) = weighted.iter().position(|is| *is) else { continue };
        let first_joint = skin.joints[first].index();
        let model_from_mesh = rest.model_from_joint()[first_joint] * skin.joint_from_mesh[first];
        for (joint, bind) in skin.joints.iter().zip(&skin.joint_from_mesh) {
            let place = model_from_mesh * bind.inverse();
            if place.is_finite() {
                bound[joint.index()].get_or_insert(place);
            }
        }
    }
    bound
}

/// A matrix as a node's rest transform; what hardly differs from the node's own stays the node's own.
fn decomposed(matrix: Affine3A, node: &Node) -> Option<Transform> {
    if node.shear.is_some() {
        return None;
    }
    let (mut scale, mut rotation, mut translation) = matrix.to_scale_rotation_translation();
    let back = Affine3A::from_scale_rotation_translation(scale, rotation, translation);
    let near = ROUNDING * scale.abs().max_element();
    if !(rotation.is_finite() && back.matrix3.abs_diff_eq(matrix.matrix3, near)) {
        return None;
    }
    let old = node.rest;
    if scale.abs_diff_eq(old.scale, ROUNDING * old.scale.abs().max_element()) {
        scale = old.scale;
    }
    if rotation.angle_between(old.rotation) < 10.0 * SAME {
        rotation = old.rotation;
    }
    if translation.abs_diff_eq(old.translation, SAME * (1.0 + old.translation.length())) {
        translation = old.translation;
    }
    Some(Transform { translation, rotation: rotation.normalize(), scale })
}

fn hold<V: Copy + PartialEq>(tracks: &mut Vec<Track<V>>, joint: JointId, old: V, new: V) {
    if old != new && !tracks.iter().any(|track| track.joint == joint) {
        tracks.push(Track { joint, curve: Curve::constant(old) });
    }
}

/// Works inverse bind matrices out from the rest pose where all of a skin are the identity, or some are flat.
pub(super) fn bind_again(parts: &mut SceneParts) -> Option<String> {
    let scene = Scene::new(parts.clone()).ok()?;
    let rest = Pose::new(&scene);
    let mut made = 0;
    for finding in found(&scene, "binds") {
        let Some(skin) = finding.place.instance.and_then(|at| scene[at].skin) else { continue };
        let of = &mut parts.skins[skin.index()];
        let all = of.joint_from_mesh.iter().all(|bind| bind.abs_diff_eq(Affine3A::IDENTITY, 1e-6));
        let is_flat = |bind: &Affine3A| bind.matrix3.determinant().abs() < 1e-18;
        let sound = of.joint_from_mesh.iter().position(|bind| !is_flat(bind));
        let model_from_mesh = match sound {
            Some(at) if !all => {
                rest.model_from_joint()[of.joints[at].index()] * of.joint_from_mesh[at]
            }
            _ => Affine3A::IDENTITY,
        };
        for (joint, bind) in of.joints.iter().zip(&mut of.joint_from_mesh) {
            let new = rest.model_from_joint()[joint.index()].inverse() * model_from_mesh;
            if (all || is_flat(bind)) && new.is_finite() {
                *bind = new;
                made += 1;
            }
        }
    }
    (made > 0).then(|| format!("{} at rest", counted(made, "joint is bound", "joints are bound")))
}
