//! A world with the four systems, and scenes made by code.

#![allow(dead_code, unreachable_pub, missing_docs)]

use bevy_ecs::prelude::*;
use sinew::glam::{Affine3A, Mat3A, Quat, Vec3};
use sinew::scene::{
    Clip, Curve, Geometry, Influence, Influences, Instance, Interpolation, Mesh, MeshId, Node,
    Primitive, SceneParts, Skin, SkinId, SkinMethod, Track,
};
use sinew::{JointId, Scene, Transform};
use sinew_ecs::{Diagnostics, LocalTransform, WorldTransform};

pub struct Game {
    pub world: World,
    pub schedule: Schedule,
}

impl Game {
    pub fn new() -> Self {
        let mut world = World::new();
        let mut schedule = Schedule::default();
        sinew_ecs::install(&mut world, &mut schedule);
        Self { world, schedule }
    }

    pub fn run(&mut self, seconds: f32) {
        sinew_ecs::run(&mut self.world, &mut self.schedule, seconds);
    }

    /// A node at a place in its parent.
    pub fn node(&mut self, parent: Option<Entity>, at: Vec3) -> Entity {
        let node = self.world.spawn(LocalTransform(Transform::from_translation(at))).id();
        if let Some(parent) = parent {
            self.world.entity_mut(node).insert(ChildOf(parent));
        }
        node
    }

    pub fn place(&self, node: Entity) -> Vec3 {
        self.world.get::<WorldTransform>(node).expect("it is a node").0.translation.into()
    }

    pub fn diagnostics(&self) -> Vec<String> {
        self.world.resource::<Diagnostics>().iter().map(ToString::to_string).collect()
    }
}

/// A chain of three sheared, rotated and unevenly scaled nodes; skins that share joints, with a node of their own for
/// the meshes; the second skin blends dual quaternions. The clip rotates and stretches the middle.
pub fn sheared() -> Scene {
    let joint = JointId::new;
    let lean = Mat3A::from_cols_array(&[1.0, 0.0, 0.0, 0.4, 1.0, 0.0, 0.0, 0.3, 1.0]);
    let bend = |x: f32, z: f32| Transform {
        translation: Vec3::new(0.1, 0.5, -0.2),
        rotation: Quat::from_rotation_x(x) * Quat::from_rotation_z(z),
        scale: Vec3::new(1.2, 0.8, -1.1),
    };
    let mut nodes = vec![
        Node::new("hip", None, bend(0.3, 0.1)),
        Node::new("knee", Some(joint(0)), bend(-0.5, 0.4)),
        Node::new("foot", Some(joint(1)), bend(0.2, -0.9)),
        Node::new("body", Some(joint(0)), bend(1.0, 2.0)),
    ];
    nodes[1].shear = Some(lean);
    nodes[3].shear = Some(lean);
    let mut influences = Influences::default();
    influences.push([Influence { joint: 0, weight: 1.0 }]);
    influences.push([Influence { joint: 1, weight: 0.5 }, Influence { joint: 0, weight: 0.5 }]);
    influences.push([]);
    let primitive = Primitive::from(Geometry {
        indices: vec![0, 1, 2],
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        normals: vec![Vec3::Z; 3],
        influences,
        ..Geometry::default()
    });
    let mesh = Mesh { primitives: vec![primitive], ..Mesh::default() };
    let skin = |joints: [usize; 2], method| Skin {
        joints: joints.map(joint).to_vec(),
        joint_from_mesh: joints.map(|j| Affine3A::from_rotation_y(j as f32)).to_vec(),
        method,
        ..Skin::default()
    };
    let instance = |skin: usize| Instance {
        joint: joint(3),
        mesh: MeshId::new(0),
        skin: Some(SkinId::new(skin)),
        weights: Vec::new(),
    };
    let rotation = |angle: f32| Quat::from_rotation_y(angle);
    let rotations =
        Curve::new(vec![0.0, 1.0], vec![rotation(0.0), rotation(2.0)], Interpolation::Linear);
    let grows = Curve::new(vec![0.0, 1.0], vec![Vec3::ONE, Vec3::Y * 3.0], Interpolation::Linear);
    let clip = Clip {
        name: "twist".into(),
        duration: 1.0,
        rotations: vec![Track { joint: joint(1), curve: rotations.expect("two keys") }],
        scales: vec![Track { joint: joint(2), curve: grows.expect("two keys") }],
        ..Clip::default()
    };
    Scene::new(SceneParts {
        nodes,
        meshes: vec![mesh],
        skins: vec![
            skin([1, 2], SkinMethod::Linear),
            skin([2, 1], SkinMethod::DualQuaternion),
            skin([0, 1], SkinMethod::Blended),
        ],
        instances: vec![instance(0), instance(1), instance(1)],
        clips: vec![clip],
        ..SceneParts::default()
    })
    .expect("the parts fit")
}
