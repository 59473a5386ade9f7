//! Whether two figures that share joint names hold their arms alike where all joints are at the same rotations.
//!
//! In:  two scenes. Out: by how many degrees their arms differ, at most.
//!
//! Keys are rotations of a joint in its parent. Bound by name they put a bone of the model where they put that of the clip's own
//! figure, if both have it along the same axes of its joint. A figure modelled with its arms down (an A-pose) and one with its arms out (a
//! T-pose), both with joints that are not rotated at rest, have not: the clip then looks added to the wrong pose.

use sinew_retarget::{Body, BodyPart, Side, Slot};
use sinew_scene::Scene;
use sinew_scene::glam::Vec3;

/// By how many degrees the arms of two figures differ, seen from their shoulders; `None` where one has no arms.
pub(crate) fn arms_apart(from: &Scene, to: &Scene) -> Option<f32> {
    let bodies = [Body::find(from).ok()?, Body::find(to).ok()?];
    let angles = Side::BOTH.into_iter().filter_map(|side| {
        let [a, b] = [0, 1].map(|at| arm([from, to][at], &bodies[at], side));
        let angle = a?.angle_between(b?).to_degrees();
        angle.is_finite().then_some(angle)
    });
    angles.max_by(f32::total_cmp)
}

/// Where the forearm begins, seen from the upper arm.
fn arm(scene: &Scene, body: &Body, side: Side) -> Option<Vec3> {
    let [upper, fore] =
        [BodyPart::UpperArm, BodyPart::Forearm].map(|part| body.joint(Slot::of(side, part)));
    let node = scene.skeleton().node(fore?);
    let arm = node.rest.translation;
    (node.parent == upper && arm.length() > 1e-5).then_some(arm)
}
