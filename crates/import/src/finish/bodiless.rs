//! Says when a file has motion and no body to show it on.
//!
//! In:  parts as an importer made them.
//! Out: a note, where clips turn joints that have no distance between them and nothing hangs on them.
//!
//! Such files are clips for a character of another file: by themselves they are a single point.

use glam::Vec3;
use sinew_scene::SceneParts;

use crate::Place;
use crate::note::{NoteCode, Notes};

const TEXT: &str = "all joints are at one point: the file has motion for a character of another file and shows nothing by \
                    itself; open that character and add this one's clips (--anim)";

pub(super) fn note(parts: &SceneParts, notes: &mut Notes) {
    let bare = parts.instances.is_empty() && parts.cameras.is_empty() && parts.lights.is_empty();
    let turns = parts.clips.iter().any(|clip| !clip.rotations.is_empty());
    if bare && turns && parts.nodes.len() > 1 && has_no_distances(parts) {
        notes.add_as(NoteCode::NothingToDraw, Place::Whole, TEXT);
    }
}

/// Whether no joint is, or is ever brought, away from its parent; the one root may be anywhere.
fn has_no_distances(parts: &SceneParts) -> bool {
    let roots = parts.nodes.iter().filter(|node| node.parent.is_none()).count();
    let has_parent =
        |joint: usize| parts.nodes.get(joint).is_some_and(|node| node.parent.is_some());
    let rests = parts.nodes.iter().filter(|node| node.parent.is_some());
    let mut moved = parts.clips.iter().flat_map(|clip| &clip.translations);
    roots == 1
        && rests.map(|node| node.rest.translation).all(|rest| rest == Vec3::ZERO)
        && !moved.any(|track| has_parent(track.joint.index()))
}

#[cfg(test)]
mod tests {
    use glam::Quat;
    use sinew_scene::{Clip, Curve, Interpolation, JointId, Node, Track, Transform};

    use super::*;

    fn arm(forearm: Vec3) -> SceneParts {
        let node = |parent, at| Node::new("", parent, Transform::from_translation(at));
        let keys = Curve::new(vec![0.0, 1.0], vec![Quat::IDENTITY; 2], Interpolation::Linear);
        let track = Track { joint: JointId::new(1), curve: keys.expect("good keys") };
        SceneParts {
            nodes: vec![node(None, Vec3::Y), node(Some(JointId::new(0)), forearm)],
            clips: vec![Clip { duration: 1.0, rotations: vec![track], ..Clip::default() }],
            ..SceneParts::default()
        }
    }

    fn notes_of(parts: &SceneParts) -> usize {
        let mut notes = Notes::default();
        note(parts, &mut notes);
        let notes = notes.into_vec();
        assert!(notes.iter().all(crate::Note::changes_the_image));
        notes.len()
    }

    #[test]
    fn clips_of_joints_at_one_point_get_a_sentence() {
        assert_eq!(notes_of(&arm(Vec3::ZERO)), 1);
        assert_eq!(notes_of(&arm(Vec3::X)), 0);
    }

    #[test]
    fn joints_that_a_clip_brings_apart_are_a_body() {
        let mut parts = arm(Vec3::ZERO);
        let keys = Curve::new(vec![0.0], vec![Vec3::X], Interpolation::Linear).expect("good keys");
        parts.clips[0].translations.push(Track { joint: JointId::new(1), curve: keys });
        assert_eq!(notes_of(&parts), 0);
        parts.clips[0].translations[0].joint = JointId::new(0);
        assert_eq!(notes_of(&parts), 1);
        parts.nodes[1].parent = None;
        assert_eq!(notes_of(&parts), 0);
    }
}
