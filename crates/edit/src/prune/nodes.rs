//! Nodes that have neither a name nor a use, left out.
//!
//! A node is used when it is a joint of a skin, carries a mesh, light or camera, or has a used node below it. A track that drives an
//! unused one goes with it.

use sinew_scene::{Property, PropertyId, SceneParts};

use super::{places, retain};

pub(super) fn nameless(parts: &mut SceneParts) {
    let mut kept: Vec<bool> = parts.nodes.iter().map(|node| !node.name.is_empty()).collect();
    let joints = parts.skins.iter().flat_map(|skin| &skin.joints);
    let instances = parts.instances.iter().map(|instance| &instance.joint);
    let lights = parts.lights.iter().map(|light| &light.joint);
    let cameras = parts.cameras.iter().map(|camera| &camera.joint);
    for joint in joints.chain(instances).chain(lights).chain(cameras) {
        kept[joint.index()] = true;
    }
    for node in (0..parts.nodes.len()).rev() {
        if let Some(parent) = parts.nodes[node].parent
            && kept[node]
        {
            kept[parent.index()] = true;
        }
    }
    if kept.iter().all(|kept| *kept) {
        return;
    }
    let now = places(&kept);
    unused_properties(parts, &kept);
    retain(&mut parts.nodes, &kept);
    for clip in &mut parts.clips {
        clip.translations.retain(|track| kept[track.joint.index()]);
        clip.rotations.retain(|track| kept[track.joint.index()]);
        clip.scales.retain(|track| kept[track.joint.index()]);
    }
    crate::renumber_nodes(parts, |node| now[node]);
}

/// Leaves out the visibility of nodes that go.
fn unused_properties(parts: &mut SceneParts, kept_nodes: &[bool]) {
    let stays = |property: Property| match property {
        Property::Visible(joint) => kept_nodes[joint.index()],
        _ => true,
    };
    let kept: Vec<bool> = parts.properties.iter().map(|entry| stays(entry.property)).collect();
    let now = places(&kept);
    retain(&mut parts.properties, &kept);
    for clip in &mut parts.clips {
        clip.properties.retain(|track| kept[track.property.index()]);
        for track in &mut clip.properties {
            track.property = PropertyId::new(now[track.property.index()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::Vec3;
    use sinew_scene::{Clip, Curve, JointId, Node, Scene, Track, Transform};

    use super::*;

    #[test]
    fn a_nameless_leaf_goes_with_its_tracks_and_one_above_a_name_stays() {
        // "" → hand, "" → "": the last two have no use.
        let node = |name, parent: Option<usize>| {
            Node::new(name, parent.map(JointId::new), Transform::IDENTITY)
        };
        let track = |joint| Track { joint: JointId::new(joint), curve: Curve::constant(Vec3::X) };
        let mut parts = SceneParts {
            nodes: vec![node("", None), node("", None), node("", Some(1)), node("hand", Some(0))],
            clips: vec![Clip { translations: vec![track(2), track(3)], ..Clip::default() }],
            ..SceneParts::default()
        };
        nameless(&mut parts);
        let names: Vec<_> = parts.nodes.iter().map(|node| (&node.name[..], node.parent)).collect();
        assert_eq!(names, [("", None), ("hand", Some(JointId::new(0)))]);
        assert_eq!(parts.clips[0].translations, [track(1)]);
        assert!(Scene::new(parts).is_ok());
    }
}
