//! A skeleton and clips of chance, the same every time: what the packed files beside the tests were made from.

use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{
    Clip, Curve, Geometry, Instance, InstanceId, Interpolation, JointId, Mesh, MeshId, MorphTarget,
    Node, Primitive, Rows, Scene, SceneParts, Track, Transform, WeightTrack,
};

use crate::bits::Made;

const JOINTS: usize = 19;

/// A chain, and a face with two morph targets.
pub(crate) fn scene() -> Scene {
    let mut made = Made::new(31);
    let node = |at: usize| {
        let parent = at.checked_sub(1).map(JointId::new);
        let rest = Transform {
            translation: made.vector(0.2),
            rotation: made.rotation(),
            scale: Vec3::ONE,
        };
        Node::new("", parent, rest)
    };
    let nodes = (0..JOINTS).map(node).collect();
    let morphs = vec![MorphTarget::default(), MorphTarget::default()];
    let primitives = vec![Primitive::from(Geometry { morphs, ..Geometry::default() })];
    let morph_names = vec!["a".into(), "b".into()];
    let (joint, mesh) = (JointId::new(0), MeshId::new(0));
    Scene::new(SceneParts {
        nodes,
        meshes: vec![Mesh { primitives, morph_names, ..Mesh::default() }],
        instances: vec![Instance { joint, mesh, skin: None, weights: vec![0.25, 0.5] }],
        ..SceneParts::default()
    })
    .expect("the parts fit")
}

/// Turns of all sizes, held and constant ones, moves, scales, morph weights: a key for `every` so many of 32 a second.
/// Where that is few, cubics go between them, which are packed best as few frames with cubics between.
pub(crate) fn clip(every: usize) -> Clip {
    let mut made = Made::new(32);
    let keys = 48 / every + 1;
    let smooth = every > 1;
    let kind = if smooth { Interpolation::Cubic } else { Interpolation::Linear };
    let times: std::sync::Arc<[f32]> = (0..keys).map(|key| (key * every) as f32 / 32.0).collect();
    let mut clip = Clip { name: "made up".into(), duration: 1.5, ..Clip::default() };
    for joint in 0..JOINTS {
        let kind = if joint == 7 { Interpolation::Step } else { kind };
        let (mut turn, size) = (made.rotation(), [0.1, 0.02, 0.3, 0.0, 0.05][joint % 5]);
        let mut next = |at: usize| {
            // Cubics come to rest at every key.
            if kind == Interpolation::Cubic && at % 3 != 1 {
                return Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
            }
            turn = made.rotation_near(turn, size);
            turn
        };
        let count = if kind == Interpolation::Cubic { 3 * keys } else { keys };
        let values = (0..count).map(&mut next).collect();
        let curve = Curve::new(times.clone(), values, kind).expect("keys");
        clip.rotations.push(Track { joint: JointId::new(joint), curve });
    }
    for joint in [0, 6, 12] {
        let mut vectors = |size: f32, middle: Vec3| {
            let key = |at: usize| middle + made.vector(size) * (at % 4) as f32;
            let (keys, mut out) = ((0..keys).map(key), Vec::new());
            for value in keys {
                match kind {
                    Interpolation::Cubic => out.extend([Vec3::ZERO, value, Vec3::ZERO]),
                    _ => out.push(value),
                }
            }
            out
        };
        let (places, sizes) = (vectors(0.1, Vec3::ZERO), vectors(0.05, Vec3::ONE));
        let curve = |values| Curve::new(times.clone(), values, kind).expect("keys");
        clip.translations.push(Track { joint: JointId::new(joint), curve: curve(places) });
        clip.scales.push(Track { joint: JointId::new(joint), curve: curve(sizes) });
    }
    let weights = (0..2 * keys).map(|_| made.number()).collect();
    let rows = Rows::new(times, weights, 2, Interpolation::Linear).expect("rows");
    clip.weights.push(WeightTrack { instance: InstanceId::new(0), rows });
    clip
}
