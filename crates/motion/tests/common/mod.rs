//! A small scene that has everything: five joints, morph weights, a driven value, four clips.
#![allow(dead_code, unreachable_pub)]

use sinew_motion::Pose;
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{
    AnimatedProperty, Clip, Curve, Geometry, Instance, InstanceId, Interpolation, JointId,
    Material, MaterialId, Mesh, MeshId, MorphTarget, Node, Primitive, Property, PropertyId, Scene,
    SceneParts, Track, Transform,
};

pub const ROOT: JointId = joint(0);
pub const HIPS: JointId = joint(1);
pub const SPINE: JointId = joint(2);
pub const HEAD: JointId = joint(3);
pub const LEG: JointId = joint(4);
pub const FACE: InstanceId = InstanceId::new(0);
pub const SHINE: PropertyId = PropertyId::new(0);

pub const fn joint(index: usize) -> JointId {
    JointId::new(index)
}

pub fn moved(x: f32, y: f32, z: f32) -> Transform {
    Transform::from_translation(Vec3::new(x, y, z))
}

/// Keys of one joint's place.
pub fn moves(joint: JointId, keys: &[(f32, Vec3)]) -> Track<Vec3> {
    let (times, values): (Vec<f32>, Vec<Vec3>) = keys.iter().copied().unzip();
    Track { joint, curve: Curve::new(times, values, Interpolation::Linear).expect("keys") }
}

/// Keys of one joint's turn.
pub fn rotations(joint: JointId, keys: &[(f32, Quat)]) -> Track<Quat> {
    let (times, values): (Vec<f32>, Vec<Quat>) = keys.iter().copied().unzip();
    Track { joint, curve: Curve::new(times, values, Interpolation::Linear).expect("keys") }
}

pub fn yaw(degrees: f32) -> Quat {
    Quat::from_rotation_y(degrees.to_radians())
}

pub fn pitch(degrees: f32) -> Quat {
    Quat::from_rotation_x(degrees.to_radians())
}

/// root ─ hips ┬ spine ─ head
///             └ leg
pub fn nodes() -> Vec<Node> {
    vec![
        Node::new("root", None, Transform::IDENTITY),
        Node::new("hips", Some(ROOT), moved(0.0, 1.0, 0.0)),
        Node::new("spine", Some(HIPS), moved(0.0, 0.5, 0.0)),
        Node::new("head", Some(SPINE), moved(0.0, 0.5, 0.0)),
        Node::new("leg", Some(HIPS), moved(0.1, -0.5, 0.0)),
    ]
}

/// Clips: `walk` (1 s, 1 m along Z, the spine leans 10°), `run` (0.5 s, 2 m, 30°), `rotation` (2 s, the
/// root turns by 90° and moves 1 m), `pose` (no length, the spine leans 45°), `empty`.
pub fn scene() -> Scene {
    scene_with(clips())
}

pub fn clips() -> Vec<Clip> {
    let gait = |name: &str, duration: f32, metres: f32, lean: f32| Clip {
        name: name.into(),
        duration,
        translations: vec![moves(ROOT, &[(0.0, Vec3::ZERO), (duration, Vec3::Z * metres)])],
        rotations: vec![rotations(SPINE, &[(0.0, pitch(lean))])],
        ..Clip::default()
    };
    vec![
        gait("walk", 1.0, 1.0, 10.0),
        gait("run", 0.5, 2.0, 30.0),
        Clip {
            name: "turn".into(),
            duration: 2.0,
            translations: vec![moves(
                ROOT,
                &[
                    (0.0, Vec3::ZERO),
                    (1.0, Vec3::new(0.2, 0.0, 0.7)),
                    (2.0, Vec3::new(1.0, 0.0, 1.0)),
                ],
            )],
            rotations: vec![rotations(ROOT, &[(0.0, yaw(0.0)), (2.0, yaw(90.0))])],
            ..Clip::default()
        },
        Clip {
            name: "pose".into(),
            rotations: vec![rotations(SPINE, &[(0.0, pitch(45.0))])],
            ..Clip::default()
        },
        Clip { name: "empty".into(), ..Clip::default() },
    ]
}

pub fn scene_with(clips: Vec<Clip>) -> Scene {
    let primitive = Primitive::from(Geometry {
        morphs: vec![MorphTarget::default(); 2],
        ..Geometry::default()
    });
    let mesh = Mesh {
        primitives: vec![primitive],
        morph_names: vec!["smile".into(), "blink".into()],
        ..Mesh::default()
    };
    let face = Instance { joint: HEAD, mesh: MeshId::new(0), skin: None, weights: vec![0.5, 0.0] };
    let shine = Property::Roughness(MaterialId::new(0));
    Scene::new(SceneParts {
        nodes: nodes(),
        meshes: vec![mesh],
        instances: vec![face],
        materials: vec![Material::default()],
        properties: vec![AnimatedProperty { property: shine, rest: [0.25, 0.0, 0.0, 0.0] }],
        clips,
        ..SceneParts::default()
    })
    .expect("the parts fit")
}

/// Panics unless every number is finite and every rotation is of unit length.
pub fn assert_sound(pose: &Pose) {
    for index in 0..pose.len() {
        let local = pose.local(joint(index));
        assert!(local.is_finite(), "joint {index}: {local:?}");
        assert!((local.rotation.length() - 1.0).abs() < 1e-5, "joint {index}: {local:?}");
    }
    assert!(pose.all_weights().iter().all(|weight| weight.is_finite()));
    assert!(pose.property(SHINE).iter().all(|value| value.is_finite()));
}

pub fn close(found: f32, expected: f32, tolerance: f32) -> bool {
    (found - expected).abs() <= tolerance
}

/// Whether two rotations are the same turn, whatever their sign.
pub fn same_rotation(a: Quat, b: Quat, degrees: f32) -> bool {
    a.dot(b).abs() >= (degrees.to_radians() / 2.0).cos() - 1e-7
}
