//! Ossi, and copies of Ossi that are built otherwise: other names, axes, lengths and rest poses.
//!
//! A variant has the same body in another rig, so what a clip does to it is known from what it does to Ossi.

#![allow(dead_code, reason = "each test uses some of it")]

pub(crate) mod walker;

use std::sync::OnceLock;

use glam::{Affine3A, Quat, Vec3};
use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::{Clip, JointId, Node, Scene, SceneParts, Transform};

/// The built-in character's skeleton and clips; its mesh is of no use here.
pub(crate) fn ossi() -> &'static Scene {
    static OSSI: OnceLock<Scene> = OnceLock::new();
    OSSI.get_or_init(|| {
        let whole = sinew_ossi::ossi().into_parts();
        let parts = SceneParts { nodes: whole.nodes, clips: whole.clips, ..SceneParts::default() };
        Scene::new(parts).expect("Ossi's bones are a scene")
    })
}

/// How a variant differs.
pub(crate) struct Variant {
    pub(crate) rename: fn(&str) -> String,
    /// How long a bone is, over Ossi's; by its joint's name.
    pub(crate) length: fn(&str) -> f32,
    /// A turn of a joint at rest, in the model's axes, with everything below it.
    pub(crate) rest: fn(&str) -> Quat,
    /// A turn of a joint's own axes, which moves nothing.
    pub(crate) axes: fn(&str) -> Quat,
    /// How the whole stands in the model.
    pub(crate) placed: Transform,
}

impl Default for Variant {
    fn default() -> Self {
        Self {
            rename: str::to_owned,
            length: |_| 1.0,
            rest: |_| Quat::IDENTITY,
            axes: |_| Quat::IDENTITY,
            placed: Transform::IDENTITY,
        }
    }
}

impl Variant {
    /// The skeleton, without clips.
    pub(crate) fn scene(&self) -> Scene {
        let nodes = ossi().skeleton().nodes();
        let mut turned: Vec<Quat> = Vec::new();
        let mut made: Vec<Affine3A> = Vec::new();
        let mut out = vec![Node::new("Armature", None, self.placed)];
        for node in nodes {
            let parent = node.parent.map(JointId::index);
            // Where the joint stands, and how it is turned, in Ossi's axes.
            let above = parent.map_or(Quat::IDENTITY, |parent| turned[parent]);
            let from = parent.map_or(Vec3::ZERO, |parent| Vec3::from(made[parent].translation));
            let place = from + above * node.rest.translation * (self.length)(&node.name);
            let rotation = (self.rest)(&node.name) * above;
            turned.push(rotation);
            let own =
                Affine3A::from_rotation_translation(rotation * (self.axes)(&node.name), place);
            let local = parent.map_or(own, |parent| made[parent].inverse() * own);
            made.push(own);
            let (scale, rotation, translation) = local.to_scale_rotation_translation();
            let _ = scale;
            let rest = Transform { translation, rotation: rotation.normalize(), scale: Vec3::ONE };
            let parent = parent.map_or(0, |parent| parent + 1);
            out.push(Node::new((self.rename)(&node.name), Some(JointId::new(parent)), rest));
        }
        Scene::new(SceneParts { nodes: out, ..SceneParts::default() })
            .expect("a variant is a scene")
    }
}

/// Turns an arm that rests at 45° to the level.
pub(crate) fn t_pose(name: &str) -> Quat {
    let angle = 45_f32.to_radians();
    match name {
        "upper_arm.L" => Quat::from_rotation_z(angle),
        "upper_arm.R" => Quat::from_rotation_z(-angle),
        _ => Quat::IDENTITY,
    }
}

/// Arms that hang, as some files rest.
pub(crate) fn hanging(name: &str) -> Quat {
    t_pose(name).inverse()
}

/// Bones along Y, as Blender has them, and rolled by an odd angle.
pub(crate) fn odd_axes(name: &str) -> Quat {
    let number = name.bytes().map(u32::from).sum::<u32>() % 7;
    Quat::from_rotation_z(0.6 * number as f32) * Quat::from_rotation_x(1.1 * number as f32)
}

/// Where every node stands in the model.
pub(crate) fn places(scene: &Scene, clip: &Clip, time: f32) -> Vec<Vec3> {
    let mut pose = Pose::new(scene);
    sample(clip, time, &mut Cursor::new(), &mut pose);
    pose.to_model(scene.skeleton());
    pose.model_from_joint().iter().map(|matrix| matrix.translation.into()).collect()
}

/// The same clip in a scene of its own.
pub(crate) fn with_clip(scene: &Scene, clip: Clip) -> Scene {
    let parts = SceneParts {
        nodes: scene.skeleton().nodes().to_vec(),
        clips: vec![clip],
        ..SceneParts::default()
    };
    Scene::new(parts).expect("the clip fits its scene")
}

/// Names of other programs, in Ossi's order of joints.
pub(crate) fn mixamo(name: &str) -> String {
    format!("mixamorig:{}", plain_mixamo(name))
}

fn plain_mixamo(name: &str) -> String {
    let (stem, side) = match name.rsplit_once('.') {
        Some((stem, "L")) => (stem, "Left"),
        Some((stem, "R")) => (stem, "Right"),
        _ => (name, ""),
    };
    let (finger, number) = stem.split_once('.').unwrap_or((stem, ""));
    let word = match finger {
        "hips" => "Hips",
        "spine" => "Spine",
        "chest" => "Spine1",
        "upper_chest" => "Spine2",
        "neck" => "Neck",
        "head" => "Head",
        "clavicle" => "Shoulder",
        "upper_arm" => "Arm",
        "forearm" => "ForeArm",
        "hand" => "Hand",
        "thigh" => "UpLeg",
        "shin" => "Leg",
        "foot" => "Foot",
        "toes" => "ToeBase",
        "thumb" => "HandThumb",
        "index" => "HandIndex",
        "middle" => "HandMiddle",
        "ring" => "HandRing",
        "little" => "HandPinky",
        other => other,
    };
    format!("{side}{word}{number}")
}

/// Nothing that tells anything.
pub(crate) fn nameless(name: &str) -> String {
    format!(
        "n{}",
        name.bytes().fold(7_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()))
    )
}
