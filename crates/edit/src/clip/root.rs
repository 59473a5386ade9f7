//! Which joint moves a character through its clip.

use sinew_scene::{Clip, JointId, Scene};

/// How far a root goes over the floor at least, in metres, to count as moving.
const LEAST_PATH: f32 = 1e-3;

/// The joint that root motion comes from: of the nodes above (or among) most joints of the skins, the topmost that the clip moves.
/// In a scene without skins, above most of the nodes that the clip drives.
#[must_use]
pub fn root_joint(scene: &Scene, clip: &Clip) -> Option<JointId> {
    let mut counts = vec![0_usize; scene.skeleton().len()];
    let joints: Vec<JointId> = scene.skins.iter().flat_map(|skin| skin.joints.clone()).collect();
    let driven = clip.rotations.iter().map(|track| track.joint);
    let driven: Vec<JointId> =
        driven.chain(clip.translations.iter().map(|track| track.joint)).collect();
    let counted = if joints.is_empty() { &driven } else { &joints };
    counted.iter().for_each(|joint| counts[joint.index()] += 1);
    let parents = scene.skeleton().parents();
    for node in (0..counts.len()).rev() {
        if let Some(parent) = parents[node] {
            counts[parent.index()] += counts[node];
        }
    }
    let most = |joint: JointId| 2 * counts[joint.index()] > counted.len();
    let mut tracks: Vec<_> = clip.translations.iter().filter(|track| most(track.joint)).collect();
    tracks.sort_by_key(|track| track.joint);
    let moves = tracks.iter().find(|track| {
        let values = track.curve.values();
        values.iter().any(|value| value.distance(values[0]) > LEAST_PATH)
    });
    moves.or_else(|| tracks.first()).map(|track| track.joint)
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::Vec3;
    use sinew_scene::{Curve, Interpolation, Node, SceneParts, Skin, Track, Transform};

    use super::*;

    #[test]
    fn the_topmost_moving_node_above_most_joints_is_the_root() {
        // armature → hips → {spine, leg}; a prop beside them moves too.
        let node = |name, parent: Option<usize>| {
            Node::new(name, parent.map(JointId::new), Transform::IDENTITY)
        };
        let nodes = vec![
            node("prop", None),
            node("armature", None),
            node("hips", Some(1)),
            node("spine", Some(2)),
            node("leg", Some(2)),
        ];
        let joints: Vec<_> = [2, 3, 4].map(JointId::new).into();
        let joint_from_mesh = vec![Default::default(); 3];
        let skins = vec![Skin { joints, joint_from_mesh, ..Skin::default() }];
        let track = |joint: usize, to: Vec3| {
            let values = vec![Vec3::ZERO, to];
            let curve = Curve::new(vec![0.0, 1.0], values, Interpolation::Linear);
            Track { joint: JointId::new(joint), curve: curve.expect("two keys") }
        };
        let translations =
            vec![track(0, Vec3::X), track(1, Vec3::ZERO), track(4, Vec3::Z), track(2, Vec3::Z)];
        let clip = Clip { duration: 1.0, translations, ..Clip::default() };
        let scene = Scene::new(SceneParts { nodes, skins, ..SceneParts::default() });
        let scene = scene.expect("the parts fit");
        assert_eq!(root_joint(&scene, &clip), Some(JointId::new(2)));
        assert_eq!(root_joint(&scene, &Clip::default()), None);
    }
}
