//! A body whose trunk is a single joint: arms, legs and neck all hang on it, as toys and robots have it.

use glam::Vec3;
use sinew_retarget::{Body, BodyPart, Side, Slot};
use sinew_scene::{JointId, Node, Scene, SceneParts, Transform};

/// Name, parent, and where the node is in its parent.
const NODES: [(&str, Option<usize>, [f32; 3]); 12] = [
    ("Torso", None, [0.0, 1.0, 0.0]),
    ("Head", Some(0), [0.0, 0.6, 0.0]),
    ("Arm.L", Some(0), [0.2, 0.5, 0.0]),
    ("Forearm.L", Some(2), [0.3, 0.0, 0.0]),
    ("Arm.R", Some(0), [-0.2, 0.5, 0.0]),
    ("Forearm.R", Some(4), [-0.3, 0.0, 0.0]),
    ("Thigh.L", Some(0), [0.1, 0.0, 0.0]),
    ("Shin.L", Some(6), [0.0, -0.5, 0.0]),
    ("Thigh.R", Some(0), [-0.1, 0.0, 0.0]),
    ("Shin.R", Some(8), [0.0, -0.5, 0.0]),
    ("Foot.L", Some(7), [0.0, -0.4, 0.0]),
    ("Foot.R", Some(9), [0.0, -0.4, 0.0]),
];

#[test]
fn a_trunk_of_one_joint_is_the_hips_and_has_no_spine() {
    let node = |(name, parent, place): (&str, Option<usize>, [f32; 3])| {
        let rest = Transform::from_translation(Vec3::from(place));
        Node::new(name, parent.map(JointId::new), rest)
    };
    let nodes = NODES.into_iter().map(node).collect();
    let scene = Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("a rig");

    let body = Body::find(&scene).expect("a body");

    assert_eq!(body.joint(Slot::middle(BodyPart::Hips)), Some(JointId::new(0)));
    assert_eq!(body.joints(Slot::middle(BodyPart::Spine)), []);
    assert_eq!(body.joints(Slot::middle(BodyPart::Neck)), []);
    assert_eq!(body.joint(Slot::middle(BodyPart::Head)), Some(JointId::new(1)));
    let shin = body.joint(Slot::of(Side::Right, BodyPart::Shin));
    assert_eq!(shin, Some(JointId::new(9)));
}
