//! A small arm to compare with itself: two joints along X, a skinned strip, and clips that are easy to work out.

#![allow(dead_code)]

use sinew_compare::{ClipComparison, CompareOptions, Comparison, compare};
use sinew_scene::glam::{Affine3A, Quat, Vec3};
use sinew_scene::{
    Clip, Curve, Geometry, Influence, Influences, Instance, Interpolation, JointId, Mesh, MeshId,
    Node, Primitive, Scene, SceneParts, Skin, SkinId, Track, Transform,
};

/// Where the vertices of the strip are: one at each joint and one two metres out.
pub(crate) const STRIP: [Vec3; 3] = [Vec3::ZERO, Vec3::X, Vec3::new(2.0, 0.0, 0.0)];

/// `upper` at the origin, `lower` one metre along X, and a strip of three vertices: the first is moved by the upper
/// joint, the others by the lower.
pub(crate) fn arm(clips: Vec<Clip>) -> SceneParts {
    let mut influences = Influences::default();
    for joint in [0, 1, 1] {
        influences.push([Influence { joint, weight: 1.0 }]);
    }
    let primitive = Primitive::from(Geometry {
        positions: STRIP.to_vec(),
        indices: vec![0, 1, 2],
        influences,
        ..Geometry::default()
    });
    let skin = Skin {
        joints: vec![JointId::new(0), JointId::new(1)],
        joint_from_mesh: vec![Affine3A::IDENTITY, Affine3A::from_translation(Vec3::NEG_X)],
        ..Skin::default()
    };
    SceneParts {
        nodes: vec![
            Node::new("upper", None, Transform::IDENTITY),
            Node::new("lower", Some(JointId::new(0)), Transform::from_translation(Vec3::X)),
            Node::new("strip", None, Transform::IDENTITY),
        ],
        meshes: vec![Mesh { name: "strip".into(), primitives: vec![primitive], ..Mesh::default() }],
        instances: vec![Instance {
            joint: JointId::new(2),
            mesh: MeshId::new(0),
            skin: Some(SkinId::new(0)),
            weights: Vec::new(),
        }],
        skins: vec![skin],
        clips,
        ..SceneParts::default()
    }
}

pub(crate) fn scene(parts: SceneParts) -> Scene {
    Scene::new(parts).expect("the parts fit")
}

/// The arm with one clip.
pub(crate) fn arm_with(clip: Clip) -> Scene {
    scene(arm(vec![clip]))
}

/// A clip that translates the upper joint through these keys.
pub(crate) fn travel(keys: &[(f32, Vec3)]) -> Clip {
    travel_by(keys, Interpolation::Linear)
}

pub(crate) fn travel_by(keys: &[(f32, Vec3)], interpolation: Interpolation) -> Clip {
    let (times, places): (Vec<f32>, Vec<Vec3>) = keys.iter().copied().unzip();
    let duration = times.last().copied().unwrap_or(0.0);
    let curve = Curve::new(times, places, interpolation).expect("keys");
    let translations = vec![Track { joint: JointId::new(0), curve }];
    Clip { name: "walk".into(), duration, translations, ..Clip::default() }
}

/// A clip that rotates a joint about Z through these keys, in degrees.
pub(crate) fn rotate(joint: usize, keys: &[(f32, f32)]) -> Clip {
    let times: Vec<f32> = keys.iter().map(|key| key.0).collect();
    let duration = times.last().copied().unwrap_or(0.0);
    let rotations = keys.iter().map(|key| Quat::from_rotation_z(key.1.to_radians())).collect();
    let curve = Curve::new(times, rotations, Interpolation::Linear).expect("keys");
    let rotations = vec![Track { joint: JointId::new(joint), curve }];
    Clip { name: "walk".into(), duration, rotations, ..Clip::default() }
}

pub(crate) fn found(a: &Scene, b: &Scene) -> Comparison {
    found_with(a, b, &CompareOptions::default())
}

pub(crate) fn found_with(a: &Scene, b: &Scene, options: &CompareOptions) -> Comparison {
    compare(a, b, options).expect("they can be compared")
}

/// What two clips of the arm are apart.
pub(crate) fn clips(a: Clip, b: Clip) -> ClipComparison {
    let mut found = found(&arm_with(a), &arm_with(b));
    assert_eq!(found.clips.len(), 1);
    found.clips.remove(0)
}

#[track_caller]
pub(crate) fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-6, "expected {expected}, found {found}");
}
