//! Joints that importers write as several nodes in a row: the last alone turns as the joint does.

mod common;

use common::ossi;
use glam::Quat;
use sinew_retarget::{BodyPart, JointMap, Options, Side, Slot, retarget};
use sinew_scene::{Curve, Interpolation, JointId, Node, Scene, SceneParts, Track, Transform};

/// Ossi as importers write what no single transform can hold: each joint of a limb is `NAME (1)` above `NAME`, and the two
/// turn against each other.
fn split() -> Scene {
    let limb =
        |name: &str| name.contains("arm.") || name.contains("thigh") || name.contains("shin");
    let (mut nodes, mut inner): (Vec<Node>, Vec<JointId>) = (Vec::new(), Vec::new());
    for node in ossi().skeleton().nodes() {
        let parent = node.parent.map(|parent| inner[parent.index()]);
        if limb(&node.name) {
            nodes.push(Node::new(format!("{} (1)", node.name), parent, node.rest));
            let outer = Some(JointId::new(nodes.len() - 1));
            nodes.push(Node::new(node.name.clone(), outer, Transform::IDENTITY));
        } else {
            nodes.push(Node::new(node.name.clone(), parent, node.rest));
        }
        inner.push(JointId::new(nodes.len() - 1));
    }
    let mut clip = ossi().clip("walk").expect("Ossi walks").clone();
    clip.translations.iter_mut().for_each(|track| track.joint = inner[track.joint.index()]);
    clip.scales.clear();
    let odd = Quat::from_euler(Default::default(), 1.2, -0.7, 2.0);
    let mut outer = Vec::new();
    for track in &mut clip.rotations {
        track.joint = inner[track.joint.index()];
        if !limb(&nodes[track.joint.index()].name) {
            continue;
        }
        let values = track.curve.values().iter().map(|value| odd.inverse() * *value).collect();
        let linear = Interpolation::Linear;
        let curve = |times, values| Curve::new(times, values, linear).expect("keys as before");
        track.curve = curve(track.curve.times().to_vec(), values);
        let joint = JointId::new(track.joint.index() - 1);
        outer.push(Track { joint, curve: curve(vec![0.0], vec![odd]) });
    }
    clip.rotations.extend(outer);
    Scene::new(SceneParts { nodes, clips: vec![clip], ..SceneParts::default() }).expect("a scene")
}

#[test]
fn a_joint_that_is_several_nodes_in_a_row_turns_as_the_last_of_them() {
    let from = split();
    let map = JointMap::find(&from, ossi()).expect("both have bodies");
    let thigh = map.from.joint(Slot::of(Side::Left, BodyPart::Thigh)).expect("there is one");
    assert_eq!(from.skeleton().node(thigh).name, "thigh.L");
    let made = retarget(&from.clips[0], &from, ossi(), &map, &Options::default());
    let quality = made.expect("it moves").quality;
    assert!(quality.mean_direction < 0.5 && quality.worst_direction < 4.0, "{quality}");
}
