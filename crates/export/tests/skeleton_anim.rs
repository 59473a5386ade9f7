//! What is written is what is read again: names, tree, and every frame.

use glam::{Affine3A, Mat3A, Quat, Vec3};
use sinew_export::{ExportError, skeleton_anim};
use sinew_import::NoFiles;
use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::{Clip, Curve, Interpolation, JointId, Node, Scene, SceneParts, Track, Transform};

fn read(bytes: &[u8]) -> Scene {
    sinew_import::read(bytes, &NoFiles).expect("a file that was just written").scene
}

fn posed(scene: &Scene, clip: &Clip, time: f32) -> Pose {
    let mut pose = Pose::new(scene);
    sample(clip, time, &mut Cursor::new(), &mut pose);
    pose.to_model(scene.skeleton());
    pose
}

/// How far apart the nodes of one name stand at worst; by numbers of their matrices.
fn apart(one: (&Scene, &Pose), other: (&Scene, &Pose)) -> f32 {
    let mut worst = 0.0_f32;
    for joint in one.0.skeleton().ids() {
        let found = other.0.skeleton().find(&one.0.skeleton().node(joint).name).expect("its name");
        let [a, b] = [(one.1, joint), (other.1, found)]
            .map(|(pose, joint)| pose.model_from_joint()[joint.index()].to_cols_array());
        worst = a.iter().zip(b).fold(worst, |worst, (a, b)| worst.max((a - b).abs()));
    }
    worst
}

#[test]
fn ossis_walk_comes_back_frame_by_frame() {
    let ossi = sinew_ossi::ossi();
    let walk = ossi.clip("walk").expect("it walks");
    let back = read(&skeleton_anim(&ossi, walk).expect("it fits"));
    assert_eq!(back.clips[0].duration, 1.0, "24 frames and the first again");
    for frame in 0..=24_u8 {
        let time = f32::from(frame) / 24.0;
        let (here, there) = (posed(&ossi, walk, time), posed(&back, &back.clips[0], time));
        let worst = apart((&ossi, &here), (&back, &there));
        assert!(worst < 1e-4, "frame {frame}: {worst}");
    }
    for joint in ossi.skeleton().ids() {
        let node = ossi.skeleton().node(joint);
        let found = back.skeleton().find(&node.name).expect("its name");
        let parent = |scene: &Scene, node: &Node| {
            node.parent.map(|up| scene.skeleton().node(up).name.clone())
        };
        assert_eq!(
            parent(&back, back.skeleton().node(found)),
            parent(&ossi, node),
            "{}",
            node.name
        );
    }
    let rest = [Pose::new(&ossi), Pose::new(&back)];
    let worst = apart((&ossi, &rest[0]), (&back, &rest[1]));
    assert!(worst < 1e-4, "at rest: {worst}");
}

/// Two bones, the second sheared or scaled to nothing, that turns by 90° in `seconds`.
fn arm(second: Node, seconds: f32) -> Scene {
    let turn = Curve::new(
        vec![0.0, seconds],
        vec![Quat::IDENTITY, Quat::from_rotation_z(90_f32.to_radians())],
        Interpolation::Linear,
    );
    let track = Track { joint: JointId::new(1), curve: turn.expect("two keys") };
    let clip = Clip { duration: seconds, rotations: vec![track], ..Clip::default() };
    let parent = Node::new("shoulder", None, Transform::from_translation(Vec3::Y));
    let nodes = vec![parent, second];
    Scene::new(SceneParts { nodes, clips: vec![clip], ..SceneParts::default() }).expect("an arm")
}

#[test]
fn shear_and_a_size_of_nothing_are_kept() {
    let at = Transform::from_translation(Vec3::X);
    let plain = Node::new("elbow", Some(JointId::new(0)), at);
    let lean = Mat3A::from_cols_array(&[1.0, 0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 1.0]);
    let sheared = Node { shear: Some(lean), ..plain.clone() };
    let mut flat = plain;
    flat.rest.scale = Vec3::ZERO;
    for node in [sheared, flat] {
        let scene = arm(node, 0.5);
        let back = read(&skeleton_anim(&scene, &scene.clips[0]).expect("it fits"));
        let (here, there) =
            (posed(&scene, &scene.clips[0], 0.25), posed(&back, &back.clips[0], 0.25));
        let worst = apart((&scene, &here), (&back, &there));
        assert!(worst < 1e-5, "{worst}");
    }
}

#[test]
fn a_clip_between_two_frames_shows_its_end_in_the_last() {
    let elbow = Node::new("elbow", Some(JointId::new(0)), Transform::from_translation(Vec3::X));
    // 0.3 s is 7.2 frames: nine of them, the last at 8/24 s.
    let scene = arm(elbow, 0.3);
    let back = read(&skeleton_anim(&scene, &scene.clips[0]).expect("it fits"));
    assert!((back.clips[0].duration - 8.0 / 24.0).abs() < 1e-6, "{}", back.clips[0].duration);
    let end = posed(&back, &back.clips[0], 1.0).model_from_joint()[1];
    let expected = Affine3A::from_rotation_translation(
        Quat::from_rotation_z(90_f32.to_radians()),
        Vec3::new(1.0, 1.0, 0.0),
    );
    assert!(end.abs_diff_eq(expected, 1e-5), "{end}");
    let still = Clip { name: "still".into(), ..Clip::default() };
    assert_eq!(read(&skeleton_anim(&scene, &still).expect("one frame")).clips[0].duration, 0.0);
}

#[test]
fn what_sixteen_bits_cannot_count_is_refused() {
    let elbow = Node::new("elbow", Some(JointId::new(0)), Transform::IDENTITY);
    // Half an hour has 43,200 frames; an hour is too long.
    let scene = arm(elbow, 3600.0);
    let error = skeleton_anim(&scene, &scene.clips[0]).expect_err("an hour");
    assert_eq!(error, ExportError::TooMany { what: "frames", most: 65_535, found: 86_401 });
    assert_eq!(error.to_string(), "expected at most 65535 frames, found 86401");
    let scene = arm(Node::new("e".repeat(70_000), Some(JointId::new(0)), Transform::IDENTITY), 1.0);
    assert!(matches!(
        skeleton_anim(&scene, &scene.clips[0]),
        Err(ExportError::TooMany { what: "bytes in a name", .. })
    ));
}
