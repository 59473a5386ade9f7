//! Skeletons for tests: an arm worked out by hand, and any skeleton at all.
// Each test program uses some of them.
#![allow(dead_code)]

use proptest::prelude::*;
use sinew_motion::{LANES, Pose};
use sinew_scene::glam::{Mat3A, Quat, Vec3};
use sinew_scene::{JointId, Node, Scene, SceneParts, Transform};

pub(crate) fn id(index: usize) -> JointId {
    JointId::new(index)
}

/// Nodes in a row, each below the one before, at these places seen from it.
pub(crate) fn row(steps: &[[f32; 3]]) -> Scene {
    let node = |(index, step): (usize, &[f32; 3])| {
        let parent = index.checked_sub(1).map(id);
        Node::new(format!("{index}"), parent, Transform::from_translation(Vec3::from(*step)))
    };
    let nodes = steps.iter().enumerate().map(node).collect();
    Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("a row")
}

pub(crate) fn place(pose: &Pose, joint: usize) -> Vec3 {
    pose.model_from_joint()[joint].translation.into()
}

/// Any number there is, and often a bad one.
pub(crate) fn any_number() -> impl Strategy<Value = f32> {
    prop_oneof![
        8 => -3.0_f32..3.0,
        1 => Just(0.0_f32),
        1 => any::<f32>(),
        1 => prop::sample::select(vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, 1e-30, 1e20]),
    ]
}

pub(crate) fn any_place() -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(any_number()).prop_map(Vec3::from)
}

pub(crate) fn near_place() -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-2.0_f32..2.0).prop_map(Vec3::from)
}

pub(crate) fn rotations() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0_f32..1.0).prop_map(|v| {
        let q = Quat::from_array(v);
        if q.length() > 1e-3 { q.normalize() } else { Quat::IDENTITY }
    })
}

/// Turned and moved joints in a row, with even scales.
pub(crate) fn even_row(count: usize) -> impl Strategy<Value = Scene> {
    let node = (rotations(), near_place(), 0.5_f32..2.0);
    prop::collection::vec(node, count).prop_map(|parts| {
        let nodes = parts.into_iter().enumerate().map(|(index, (rotation, translation, scale))| {
            let rest = Transform { translation, rotation, scale: Vec3::splat(scale) };
            Node::new(format!("{index}"), index.checked_sub(1).map(id), rest)
        });
        Scene::new(SceneParts { nodes: nodes.collect(), ..SceneParts::default() }).expect("a row")
    })
}

/// Any tree whose last three nodes are in a row: scaled unevenly, mirrored, flat, sheared,
/// with joints in one place.
pub(crate) fn any_scene() -> impl Strategy<Value = Scene> {
    let number = prop_oneof![6 => -1.5_f32..1.5, 1 => Just(0.0_f32), 2 => Just(1.0_f32)];
    let vector = || prop::array::uniform3(number.clone()).prop_map(Vec3::from);
    let shear = prop::option::weighted(0.15, prop::array::uniform9(-1.0_f32..1.0));
    let node = (rotations(), vector(), vector(), any::<u8>(), shear);
    prop::collection::vec(node, 4..12).prop_map(|parts| {
        let count = parts.len();
        let mut nodes = Vec::new();
        for (index, (rotation, translation, scale, parent, shear)) in parts.into_iter().enumerate()
        {
            let parent = match index {
                0 => None,
                _ if index + 3 > count => Some(id(index - 1)),
                _ => Some(id(parent as usize % index)),
            };
            let mut node =
                Node::new(format!("{index}"), parent, Transform { translation, rotation, scale });
            node.shear = shear.map(|numbers| Mat3A::from_cols_array(&numbers));
            nodes.push(node);
        }
        Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("a tree")
    })
}

/// That every number is finite, every rotation unit, and every matrix up to date.
pub(crate) fn check_sound(scene: &Scene, pose: &Pose) -> Result<(), TestCaseError> {
    for joint in scene.skeleton().ids() {
        let local = pose.local(joint);
        prop_assert!(local.is_finite(), "{joint:?}: {local:?}");
        prop_assert!((local.rotation.length() - 1.0).abs() < 1e-4, "{joint:?}: {local:?}");
        prop_assert!(pose.model_from_joint()[joint.index()].is_finite(), "{joint:?}");
    }
    let mut again = pose.clone();
    again.to_model(scene.skeleton());
    for (index, (found, fresh)) in
        pose.model_from_joint().iter().zip(again.model_from_joint()).enumerate()
    {
        // Whole poses and parts of them are worked out in another order: rounding, no more.
        let size =
            fresh.to_cols_array().iter().fold(1.0_f32, |most, number| most.max(number.abs()));
        prop_assert!(found.abs_diff_eq(*fresh, 1e-5 * size), "matrix {index}: {found} {fresh}");
    }
    prop_assert!(pose.locals().len() * LANES >= pose.len());
    Ok(())
}
