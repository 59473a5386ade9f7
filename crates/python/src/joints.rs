//! Joints as a caller names them.
//!
//! In:  names and numbers.
//! Out: ids of the skeleton's joints, or an error that says what there is.

use std::sync::Arc;

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use sinew::{JointId, Scene, Skeleton};

use crate::error::{bad, unknown};

/// A joint by name or number.
#[derive(FromPyObject)]
pub(crate) enum JointName {
    Number(i64),
    Name(String),
}

/// The joint of this name or number; a negative number counts from the end.
pub(crate) fn find(skeleton: &Skeleton, joint: &JointName) -> PyResult<JointId> {
    match joint {
        JointName::Name(name) => match skeleton.find(name) {
            Some(joint) => Ok(joint),
            None => within_namespace(skeleton, name),
        },
        JointName::Number(number) => {
            let count = skeleton.len() as i64;
            let index = if *number < 0 { number + count } else { *number };
            if (0..count).contains(&index) {
                return Ok(JointId::new(index as usize));
            }
            Err(PyIndexError::new_err(format!(
                "there is no joint {number}: expected -{count} to {}",
                count - 1
            )))
        }
    }
}

/// The joint that has this name after a namespace, where there is one alone: `LeftFoot` is `mixamorig:LeftFoot`.
fn within_namespace(skeleton: &Skeleton, name: &str) -> PyResult<JointId> {
    let bare = |id: &JointId| {
        let known = &skeleton.node(*id).name;
        known.rsplit([':', '|']).next().is_some_and(|last| last.len() < known.len() && last == name)
    };
    let mut found = skeleton.ids().filter(bare);
    match (found.next(), found.next()) {
        (Some(joint), None) => Ok(joint),
        _ => Err(missing(skeleton, name)),
    }
}

/// All joints of a list, or of a joint order by its name.
pub(crate) fn find_all(
    py: Python<'_>,
    scene: &Arc<Scene>,
    joints: &Bound<'_, PyAny>,
) -> PyResult<Vec<JointId>> {
    let wrong =
        |_| bad("joints: expected a list of names and numbers, or the name of a joint order");
    let ordered;
    let joints = match joints.extract::<String>() {
        Err(_) => joints,
        Ok(order) => {
            let orders = py.import("sinew.orders")?;
            let skeleton = crate::skeleton::Skeleton { scene: Arc::clone(scene) };
            ordered = orders.call_method1("joint_order", (skeleton, order))?;
            &ordered
        }
    };
    // One after the other: a length that is only claimed asks for no memory.
    let one = |joint: PyResult<Bound<'_, PyAny>>| {
        let joint: JointName = joint.and_then(|joint| joint.extract()).map_err(wrong)?;
        find(scene.skeleton(), &joint)
    };
    joints.try_iter().map_err(wrong)?.map(one).collect()
}

/// The same; every joint where none are chosen.
pub(crate) fn chosen(
    py: Python<'_>,
    scene: &Arc<Scene>,
    joints: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<JointId>> {
    match joints {
        Some(joints) => find_all(py, scene, joints),
        None => Ok(scene.skeleton().ids().collect()),
    }
}

/// Says what there is, the nearest names first.
fn missing(skeleton: &Skeleton, name: &str) -> PyErr {
    let plain = |name: &str| name.to_lowercase();
    let wanted = plain(name);
    let mut near: Vec<&str> = skeleton.nodes().iter().map(|node| node.name.as_str()).collect();
    let count = near.len();
    near.sort_by_key(|known| {
        let known = plain(known);
        !(known.contains(&wanted) || (!known.is_empty() && wanted.contains(&known)))
    });
    near.truncate(8);
    let more = if count > near.len() { ", …" } else { "" };
    unknown(format!("there is no joint \"{name}\" among the {count}: {near:?}{more}"))
}
