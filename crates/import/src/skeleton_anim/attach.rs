//! A `.mesh` gets the bones of a `.skeleton_anim`, by number.
//!
//! In:  the parts of a model on placeholder joints, and those of a skeleton with a clip and with
//! the skin that has its bones in file order.
//! Out: the model on those bones, with the clip.

use sinew_scene::{JointId, SceneParts, Skin};

use crate::Place;
use crate::note::Notes;

/// Whether `model` still has placeholder joints: nothing has ever moved it.
pub(crate) fn waits_for_bones(model: &SceneParts) -> bool {
    model.clips.is_empty() && !model.skins.is_empty()
}

/// Puts the bones of `anim` in the place of the model's placeholders. A placeholder whose number
/// no bone has stays, with a note.
pub(crate) fn join(model: SceneParts, anim: SceneParts, notes: &mut Notes) -> SceneParts {
    let Some(bones) = anim.skins.into_iter().next() else { return model };
    let (nodes, clips) = (anim.nodes, anim.clips);
    let placeholders = model.skins.first().map_or(0, |skin| skin.joints.len());
    let missing = placeholders.saturating_sub(bones.joints.len());
    if missing > 0 {
        let (expected, found) = (placeholders, bones.joints.len());
        let note = format!("expected {expected} bones, found {found}: the others do not move");
        notes.add(Place::part("its .skeleton_anim"), note);
    }
    let mut parts = SceneParts { nodes, clips, ..model };
    // Placeholders come first in the model, in the order of their numbers.
    let mut place_of = Vec::with_capacity(model.nodes.len());
    for (at, mut node) in model.nodes.into_iter().enumerate() {
        let bone = bones.joints.get(at).filter(|_| at < placeholders).copied();
        let place = bone.unwrap_or_else(|| {
            node.parent = node.parent.and_then(|parent| place_of.get(parent.index()).copied());
            parts.nodes.push(node);
            JointId::new(parts.nodes.len() - 1)
        });
        place_of.push(place);
    }
    for skin in &mut parts.skins {
        rebind(skin, &bones, &place_of);
    }
    for instance in &mut parts.instances {
        instance.joint = place_of[instance.joint.index()];
    }
    parts
}

fn rebind(skin: &mut Skin, bones: &Skin, place_of: &[JointId]) {
    for (at, joint) in skin.joints.iter_mut().enumerate() {
        *joint = place_of[joint.index()];
        if let Some(joint_from_mesh) = bones.joint_from_mesh.get(at) {
            skin.joint_from_mesh[at] = *joint_from_mesh;
        }
    }
}
