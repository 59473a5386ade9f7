//! Nodes under other numbers: everything that speaks of one is told.

use sinew_scene::{JointId, Property, SceneParts};

/// Gives every node that something speaks of another number: parents, skins, instances, lights, cameras, tracks and visibility. The list of
/// nodes itself is the caller's to change.
pub fn renumber_nodes(parts: &mut SceneParts, now: impl Fn(usize) -> usize) {
    let moved = |joint: &mut JointId| *joint = JointId::new(now(joint.index()));
    parts.nodes.iter_mut().filter_map(|node| node.parent.as_mut()).for_each(moved);
    parts.skins.iter_mut().flat_map(|skin| &mut skin.joints).for_each(moved);
    parts.instances.iter_mut().for_each(|instance| moved(&mut instance.joint));
    parts.lights.iter_mut().for_each(|light| moved(&mut light.joint));
    parts.cameras.iter_mut().for_each(|camera| moved(&mut camera.joint));
    for entry in &mut parts.properties {
        if let Property::Visible(joint) = &mut entry.property {
            moved(joint);
        }
    }
    for clip in &mut parts.clips {
        clip.translations.iter_mut().for_each(|track| moved(&mut track.joint));
        clip.rotations.iter_mut().for_each(|track| moved(&mut track.joint));
        clip.scales.iter_mut().for_each(|track| moved(&mut track.joint));
    }
}
