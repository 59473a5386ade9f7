//! The root of a character: the joint whose travel is root motion.
//!
//! In:  two scenes and their pairs of joints.
//! Out: the first joint that both have, that carries most of the body, and that a clip moves.

use std::collections::HashSet;

use sinew_scene::{JointId, Scene};

use crate::pairs::joints::JointPairs;

/// The root of A and that of B.
pub(crate) fn find(a: &Scene, b: &Scene, joints: &JointPairs) -> Option<(JointId, JointId)> {
    let joints_below = below(a);
    let all = joints_below.iter().copied().max().unwrap_or(0);
    let body = || joints.pairs.iter().filter(|pair| 2 * joints_below[pair.0.index()] >= all);
    let [of_a, of_b] = [a, b].map(moved);
    let moves = |pair: &&(JointId, JointId)| of_a.contains(&pair.0) || of_b.contains(&pair.1);
    body().find(moves).or_else(|| body().next()).or_else(|| joints.pairs.first()).copied()
}

/// For each node, how many joints of skins are at or below it; how many nodes, where there is no skin.
fn below(scene: &Scene) -> Vec<usize> {
    let skeleton = scene.skeleton();
    let mut count = vec![usize::from(scene.skins.is_empty()); skeleton.len()];
    for joint in scene.skins.iter().flat_map(|skin| &skin.joints) {
        count[joint.index()] = 1;
    }
    for (node, parent) in skeleton.parents().iter().enumerate().rev() {
        if let Some(parent) = parent {
            count[parent.index()] += count[node];
        }
    }
    count
}

/// The nodes that some clip translates.
fn moved(scene: &Scene) -> HashSet<JointId> {
    let tracks = scene.clips.iter().flat_map(|clip| &clip.translations);
    let moving = tracks.filter(|track| {
        let values = track.curve.values();
        values.iter().any(|value| value != &values[0])
    });
    moving.map(|track| track.joint).collect()
}
