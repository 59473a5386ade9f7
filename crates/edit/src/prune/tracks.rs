//! One track for each thing that a clip drives.
//!
//! Where a file has two, the later one counts, as in every player; glTF allows but one.

use std::collections::HashSet;
use std::hash::Hash;

use sinew_scene::SceneParts;

pub(super) fn one_per_target(parts: &mut SceneParts, said: &mut Vec<String>) {
    for clip in &mut parts.clips {
        let before = clip.track_count();
        keep_last(&mut clip.translations, |track| track.joint);
        keep_last(&mut clip.rotations, |track| track.joint);
        keep_last(&mut clip.scales, |track| track.joint);
        keep_last(&mut clip.weights, |track| track.instance);
        keep_last(&mut clip.properties, |track| track.property);
        let gone = before - clip.track_count();
        if gone > 0 {
            let tracks = if gone == 1 { "track is" } else { "tracks are" };
            said.push(format!(
                "clip {:?}: {gone} {tracks} left out: a later one drives the same",
                clip.name
            ));
        }
    }
}

fn keep_last<T, K: Hash + Eq>(tracks: &mut Vec<T>, target: impl Fn(&T) -> K) {
    let mut known = HashSet::new();
    let kept: Vec<bool> = tracks.iter().rev().map(|track| known.insert(target(track))).collect();
    let mut kept = kept.into_iter().rev();
    tracks.retain(|_| kept.next().unwrap_or(true));
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::Vec3;
    use sinew_scene::{Clip, Curve, JointId, Track};

    use super::*;

    #[test]
    fn of_two_tracks_for_one_joint_the_later_stays() {
        let track =
            |joint, value| Track { joint: JointId::new(joint), curve: Curve::constant(value) };
        let translations = vec![track(0, Vec3::X), track(1, Vec3::Y), track(0, Vec3::Z)];
        let clip = Clip { name: "walk".into(), translations, ..Clip::default() };
        let mut parts = SceneParts { clips: vec![clip], ..SceneParts::default() };
        let mut said = Vec::new();
        one_per_target(&mut parts, &mut said);
        assert_eq!(parts.clips[0].translations, [track(1, Vec3::Y), track(0, Vec3::Z)]);
        assert_eq!(said, ["clip \"walk\": 1 track is left out: a later one drives the same"]);
    }
}
