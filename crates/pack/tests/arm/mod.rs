//! What tests of packed clips have in common: an arm, and how far a packed clip is from its own.

use sinew_motion::{Cursor, Pose, sample};
use sinew_pack::{Options, Packed, Report, pack};
use sinew_scene::glam::Vec3;
use sinew_scene::{Clip, Curve, JointId, Node, Scene, SceneParts, Track, Transform};

pub(crate) const RATE: f32 = 30.0;

pub(crate) fn times(keys: usize) -> Vec<f32> {
    (0..keys).map(|key| key as f32 / RATE).collect()
}

pub(crate) fn packed(scene: &Scene, error: f32) -> (Packed<Vec<u8>>, Report) {
    let options = Options { error, ..Options::default() };
    pack(scene, &scene.clips[0], &options, &|_| {}).expect("it packs")
}

/// Two joints 20 cm apart.
pub(crate) fn arm(clip: Clip) -> Scene {
    let out = Transform::from_translation(Vec3::Y * 0.2);
    let nodes = vec![
        Node::new("upper", None, Transform::IDENTITY),
        Node::new("lower", Some(JointId::new(0)), out),
    ];
    Scene::new(SceneParts { nodes, clips: vec![clip], ..SceneParts::default() }).expect("it fits")
}

pub(crate) fn difference(scene: &Scene, packed: &Packed<Vec<u8>>, clip: &Clip) -> f32 {
    let (mut a, mut b) = (Pose::new(scene), Pose::new(scene));
    let mut worst = 0.0_f32;
    for step in 0..=1000 {
        let time = packed.duration() * step as f32 / 1000.0;
        packed.sample(time, &mut a);
        sample(clip, time, &mut Cursor::new(), &mut b);
        for pose in [&mut a, &mut b] {
            pose.to_model(scene.skeleton());
        }
        for (a, b) in a.model_from_joint().iter().zip(b.model_from_joint()) {
            for point in [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z] {
                let point = point * 0.1;
                worst = worst.max(a.transform_point3(point).distance(b.transform_point3(point)));
            }
        }
    }
    worst
}

pub(crate) fn track<V>(joint: usize, curve: Result<Curve<V>, String>) -> Track<V> {
    Track { joint: JointId::new(joint), curve: curve.expect("as many keys as times") }
}
