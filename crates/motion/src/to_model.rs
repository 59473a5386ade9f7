//! From parent space to model space.
//!
//! In:  where each node stands in its parent.
//! Out: where each node stands in the model.
//!
//! A [`Skeleton`] lists parents before children, so one forward pass is enough and a parent's
//! result is always ready when its child asks for it.

use std::ops::Range;

use sinew_scene::Skeleton;
use sinew_scene::glam::{Affine3A, Vec3A};

use crate::lanes::{LANES, Lanes};

/// Where each node stands in the model.
///
/// # Panics
/// When the slices do not fit the skeleton.
pub fn to_model(
    skeleton: &Skeleton,
    parent_from_joint: &[Lanes],
    model_from_joint: &mut [Affine3A],
) {
    to_model_range(skeleton, parent_from_joint, model_from_joint, 0..skeleton.len());
}

/// The same for a few nodes in a row; what is above them must be there already.
#[inline]
pub(crate) fn to_model_range(
    skeleton: &Skeleton,
    parent_from_joint: &[Lanes],
    model_from_joint: &mut [Affine3A],
    range: Range<usize>,
) {
    let parents = skeleton.parents();
    assert_eq!(parent_from_joint.len(), parents.len().div_ceil(LANES), "eight joints per block");
    assert_eq!(model_from_joint.len(), parents.len(), "one matrix per joint");

    let all = skeleton.sheared();
    let mut sheared = match all {
        [] => [].iter().peekable(),
        _ => all[all.partition_point(|(id, _)| id.index() < range.start)..].iter().peekable(),
    };
    for joint in range {
        let mut local = parent_from_joint[joint / LANES].get(joint % LANES).to_affine();
        if let Some((_, shear)) = sheared.next_if(|(id, _)| id.index() == joint) {
            local *= Affine3A { matrix3: *shear, translation: Vec3A::ZERO };
        }
        model_from_joint[joint] = match parents[joint] {
            Some(parent) => model_from_joint[parent.index()] * local,
            None => local,
        };
    }
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::{Mat3A, Quat, Vec3};
    use sinew_scene::{JointId, Node, Scene, SceneParts, Transform};

    use crate::Pose;

    /// Shoulder at the origin, elbow 1 m along X, hand 1 m further.
    fn arm() -> Scene {
        let metre = Transform::from_translation(Vec3::X);
        let nodes = vec![
            Node::new("shoulder", None, Transform::IDENTITY),
            Node::new("elbow", Some(JointId::new(0)), metre),
            Node::new("hand", Some(JointId::new(1)), metre),
        ];
        Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("an arm is a scene")
    }

    #[test]
    fn a_hand_follows_a_turned_shoulder() {
        let scene = arm();
        let mut pose = Pose::new(&scene);
        let turned = Transform::from_rotation(Quat::from_rotation_z(90_f32.to_radians()));
        pose.set_local(JointId::new(0), turned);
        pose.to_model(scene.skeleton());
        let hand = Vec3::from(pose.model_from_joint()[2].translation);
        assert!(hand.abs_diff_eq(2.0 * Vec3::Y, 1e-6), "hand is at {hand}");
    }

    #[test]
    fn a_sheared_node_keeps_its_matrix_and_shears_its_children() {
        let mut parts = arm().into_parts();
        // x gains half of y.
        parts.nodes[1].shear = Some(Mat3A::from_cols_array(&[1., 0., 0., 0.5, 1., 0., 0., 0., 1.]));
        parts.nodes[2].rest.translation = Vec3::Y;
        let scene = Scene::new(parts).expect("a sheared arm is a scene");
        let pose = Pose::new(&scene);
        let hand = Vec3::from(pose.model_from_joint()[2].translation);
        assert!(hand.abs_diff_eq(Vec3::new(1.5, 1.0, 0.0), 1e-6), "hand is at {hand}");
    }
}
