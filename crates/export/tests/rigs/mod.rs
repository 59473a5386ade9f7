//! Small rigs made by code: a skinned tube on a chain of three joints, and what tests hang on it.

use glam::{Affine3A, Quat, Vec2, Vec3, Vec4};
use sinew_scene::{
    Clip, Curve, Geometry, Influence, Instance, Interpolation, JointId, Mesh, MeshId, MorphTarget,
    Node, Primitive, Scene, SceneParts, Skin, SkinId, Track, Transform,
};

pub(crate) fn joint(index: usize) -> JointId {
    JointId::new(index)
}

/// Three joints, each half a metre above the one before, under a node that is rotated and scaled.
pub(crate) fn chain() -> Vec<Node> {
    let above = Transform {
        translation: Vec3::new(0.2, 0.1, -0.3),
        rotation: Quat::from_rotation_x(-0.6),
        scale: Vec3::splat(1.5),
    };
    let bone = |x: f32| Transform {
        translation: Vec3::new(0.0, 0.5, 0.0),
        rotation: Quat::from_rotation_z(x),
        scale: Vec3::ONE,
    };
    vec![
        Node::new("armature", None, above),
        Node::new("low", Some(joint(0)), bone(0.1)),
        Node::new("middle", Some(joint(1)), bone(-0.4)),
        Node::new("high", Some(joint(2)), bone(0.3)),
    ]
}

/// Where each node is at rest.
pub(crate) fn world(nodes: &[Node]) -> Vec<Affine3A> {
    let mut world: Vec<Affine3A> = Vec::new();
    for node in nodes {
        let above = node.parent.map_or(Affine3A::IDENTITY, |up| world[up.index()]);
        world.push(above * node.parent_from_node());
    }
    world
}

/// A tube of `rings` rings along Y, its vertices pulled by all of `joints`.
pub(crate) fn tube(rings: usize, joints: u32) -> Primitive {
    let mut tube = Primitive::from(Geometry { uvs: vec![Vec::new()], ..Geometry::default() });
    for ring in 0..rings {
        let up = ring as f32 / (rings - 1) as f32;
        for side in 0..4_u8 {
            let angle = f32::from(side) * std::f32::consts::FRAC_PI_2;
            let out = Vec3::new(angle.cos(), 0.0, angle.sin());
            tube.positions.push(out * 0.2 + Vec3::Y * up * 1.5);
            tube.normals.push(out);
            tube.tangents.push(Vec4::new(-angle.sin(), 0.0, angle.cos(), 1.0));
            tube.uvs[0].push(Vec2::new(f32::from(side) / 4.0, up));
            let influence = |joint: u32| {
                let far = up - joint as f32 / joints.max(2) as f32;
                Influence { joint, weight: 1.0 / (0.05 + far * far) }
            };
            tube.influences.push((0..joints).map(influence));
        }
    }
    for ring in 1..rings as u32 {
        for side in 0..4 {
            let [a, b] = [side, (side + 1) % 4].map(|side| ring * 4 + side);
            tube.indices.extend([a - 4, a, b, a - 4, b, b - 4]);
        }
    }
    tube
}

/// A skin of joints 1 to 3 as they are bound in the rest pose, for a mesh in world space.
pub(crate) fn skin(nodes: &[Node]) -> Skin {
    let world = world(nodes);
    Skin {
        name: "skin".into(),
        joints: (1..=3).map(joint).collect(),
        joint_from_mesh: (1..=3).map(|at| world[at].inverse()).collect(),
        ..Skin::default()
    }
}

/// The tube on the chain, with one morph target.
pub(crate) fn rig() -> SceneParts {
    let mut nodes = chain();
    let skin = skin(&nodes);
    nodes.push(Node::new("body", None, Transform::IDENTITY));
    let mut tube = tube(9, 3);
    let bulge = tube.positions.iter().map(|at| Vec3::new(at.x, 0.0, at.z) * at.y).collect();
    tube.morphs = vec![MorphTarget { positions: bulge, ..MorphTarget::default() }];
    let mesh =
        Mesh { name: "tube".into(), primitives: vec![tube], morph_names: vec!["bulge".into()] };
    let instance = Instance {
        joint: joint(4),
        mesh: MeshId::new(0),
        skin: Some(SkinId::new(0)),
        weights: vec![0.25],
    };
    SceneParts {
        nodes,
        meshes: vec![mesh],
        skins: vec![skin],
        instances: vec![instance],
        ..SceneParts::default()
    }
}

pub(crate) fn rotations(at: usize, keys: &[(f32, Quat)]) -> Track<Quat> {
    let times: Vec<f32> = keys.iter().map(|key| key.0).collect();
    let values = keys.iter().map(|key| key.1).collect();
    let curve = Curve::new(times, values, Interpolation::Linear).expect("keys in order");
    Track { joint: joint(at), curve }
}

pub(crate) fn vectors(
    at: usize,
    keys: &[(f32, Vec3)],
    interpolation: Interpolation,
) -> Track<Vec3> {
    let times: Vec<f32> = keys.iter().map(|key| key.0).collect();
    let values = keys.iter().map(|key| key.1).collect();
    let curve = Curve::new(times, values, interpolation).expect("keys in order");
    Track { joint: joint(at), curve }
}

/// Two seconds in which every joint goes through rotations of every kind.
pub(crate) fn twist() -> Clip {
    let about = |x: f32, y: f32, z: f32, angle: f32| {
        Quat::from_axis_angle(Vec3::new(x, y, z).normalize(), angle)
    };
    let keys = [
        (0.0, about(0.3, 0.2, 1.0, 0.0)),
        (0.5, about(1.0, 0.8, -0.2, 2.9)),
        // Where the first and the last angle fall together.
        (1.0, Quat::from_rotation_y(std::f32::consts::FRAC_PI_2)),
        (1.3, about(-0.3, 1.0, 0.9, 1.8)),
        (2.0, about(0.1, -1.0, 0.4, 3.0)),
    ];
    let spin =
        (0..=8_u8).map(|at| (f32::from(at) / 4.0, about(0.0, 0.0, 1.0, f32::from(at) * 1.5)));
    let spin: Vec<_> = spin.collect();
    Clip {
        name: "twist".into(),
        start: 0.5,
        duration: 2.0,
        rotations: vec![rotations(1, &keys), rotations(2, &spin), rotations(3, &keys[..3])],
        ..Clip::default()
    }
}

/// A second of gentle bending, in which dual quaternions have no doubt about the shorter way.
pub(crate) fn sway() -> Clip {
    let bend = |at: usize, x: f32, z: f32| {
        let end = Quat::from_rotation_x(x) * Quat::from_rotation_z(z);
        rotations(at, &[(0.0, Quat::IDENTITY), (0.5, end), (1.0, end.inverse())])
    };
    let rotations = vec![bend(1, 0.2, 0.3), bend(2, -0.5, 0.2), bend(3, 0.3, 0.6)];
    Clip { name: "sway".into(), duration: 1.0, rotations, ..Clip::default() }
}

pub(crate) fn scene(parts: SceneParts) -> Scene {
    Scene::new(parts).expect("the parts fit")
}
