//! A clip at a time, written into a pose.
//!
//! In:  a clip and seconds from its start; times outside hold its ends.
//! Out: local transforms, morph weights and driven values. What the clip does not drive is at rest.

use sinew_lanes::{SimdLevel, run};
use sinew_scene::Clip;

use crate::interpolate;
use crate::lanes::LANES;
use crate::rotations::Rotations;
use crate::{Cursor, Pose};

/// Writes the clip's state at `time` into `pose`. Model matrices follow by [`Pose::to_model`].
///
/// The clip must be one of the scene that the pose was made for.
///
/// # Panics
/// When it drives a node that the pose does not have.
#[doc(alias = "decode")]
#[doc(alias = "evaluate")]
pub fn sample(clip: &Clip, time: f32, cursor: &mut Cursor, pose: &mut Pose) {
    let mut finder = cursor.at(time, clip.track_count());
    pose.to_rest();
    let locals = pose.locals_mut();
    for track in &clip.translations {
        let span = finder.next(track.curve.times());
        let (block, lane) = (track.joint.index() / LANES, track.joint.index() % LANES);
        locals[block].set_translation(lane, interpolate::vector(&track.curve, span));
    }
    run(SimdLevel::current(), Rotations { tracks: &clip.rotations, finder: &mut finder, locals });
    for track in &clip.scales {
        let span = finder.next(track.curve.times());
        let (block, lane) = (track.joint.index() / LANES, track.joint.index() % LANES);
        locals[block].set_scale(lane, interpolate::vector(&track.curve, span));
    }
    for track in &clip.weights {
        let span = finder.next(track.rows.times());
        interpolate::row(&track.rows, span, pose.weights_mut(track.instance));
    }
    for track in &clip.properties {
        let span = finder.next(track.rows.times());
        let out = &mut pose.property_mut(track.property)[..track.rows.width()];
        interpolate::row(&track.rows, span, out);
    }
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::{Quat, Vec3};
    use sinew_scene::{
        Clip, Curve, Geometry, Instance, InstanceId, Interpolation, JointId, Mesh, MeshId,
        MorphTarget, Node, Primitive, Rows, Scene, SceneParts, Track, Transform, WeightTrack,
    };

    use super::*;

    const STAND: Transform =
        Transform { translation: Vec3::Y, rotation: Quat::IDENTITY, scale: Vec3::splat(2.0) };

    /// Two nodes that rest at `STAND`; the clip moves the first from 1 s to 3 s and leaves the other alone.
    fn scene() -> Scene {
        let curve = Curve::new(vec![1.0, 3.0], vec![Vec3::X, 3.0 * Vec3::X], Interpolation::Linear);
        let moves = Track { joint: JointId::new(0), curve: curve.expect("two keys") };
        let rows = Rows::new(vec![0.0, 2.0], vec![0.0, 1.0, 1.0, 0.0], 2, Interpolation::Linear);
        let weights = WeightTrack { instance: InstanceId::new(0), rows: rows.expect("two rows") };
        let primitive = Primitive::from(Geometry {
            morphs: vec![MorphTarget::default(), MorphTarget::default()],
            ..Geometry::default()
        });
        let mesh = Mesh {
            primitives: vec![primitive],
            morph_names: vec!["a".into(), "b".into()],
            ..Mesh::default()
        };
        let (joint, mesh_id) = (JointId::new(0), MeshId::new(0));
        let instance = Instance { joint, mesh: mesh_id, skin: None, weights: vec![0.25, 0.5] };
        Scene::new(SceneParts {
            nodes: vec![Node::new("a", None, STAND), Node::new("b", None, STAND)],
            meshes: vec![mesh],
            instances: vec![instance],
            clips: vec![
                Clip { duration: 3.0, translations: vec![moves], ..Clip::default() },
                Clip { duration: 2.0, weights: vec![weights], ..Clip::default() },
            ],
            ..SceneParts::default()
        })
        .expect("the parts fit")
    }

    fn at(time: f32) -> Pose {
        let scene = scene();
        let mut pose = Pose::new(&scene);
        sample(&scene.clips[0], time, &mut Cursor::new(), &mut pose);
        pose
    }

    #[test]
    fn before_the_first_and_after_the_last_key_the_ends_hold() {
        for (time, x) in [(-5.0, 1.0), (0.0, 1.0), (2.0, 2.0), (3.0, 3.0), (99.0, 3.0)] {
            assert_eq!(at(time).local(JointId::new(0)).translation.x, x, "at {time} s");
        }
    }

    #[test]
    fn what_the_clip_does_not_drive_is_at_rest_not_at_the_identity() {
        let pose = at(2.0);
        assert_eq!(pose.local(JointId::new(1)), STAND);
        assert_eq!(pose.local(JointId::new(0)).scale, STAND.scale);
        assert_eq!(pose.weights(InstanceId::new(0)), [0.25, 0.5]);
    }

    #[test]
    fn a_second_clip_leaves_nothing_of_the_first() {
        let scene = scene();
        let (mut pose, mut cursor) = (Pose::new(&scene), Cursor::new());
        sample(&scene.clips[0], 2.0, &mut cursor, &mut pose);
        sample(&scene.clips[1], 0.5, &mut cursor, &mut pose);
        assert_eq!(pose.local(JointId::new(0)), STAND);
        assert_eq!(pose.weights(InstanceId::new(0)), [0.25, 0.75]);
    }
}
