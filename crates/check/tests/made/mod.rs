//! Models with one fault each, and models that just do not have it.

#![allow(dead_code, unused_imports, reason = "each test uses its own few of these")]

mod gltf;

use std::sync::OnceLock;

use glam::{Affine3A, Quat, Vec3};
use sinew_check::{CheckOptions, check, mend};
use sinew_import::Imported;
use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::{
    Clip, Curve, Image, ImageData, ImageId, Influence, Influences, Interpolation, JointId, Sampler,
    Scene, SceneParts, Texture, TextureId, TextureUse, Track, UvTransform,
};

pub(crate) use gltf::Gltf;

/// The built-in character without clips, changed.
pub(crate) fn figure(change: impl FnOnce(&mut SceneParts)) -> Imported {
    static OSSI: OnceLock<SceneParts> = OnceLock::new();
    let ossi = OSSI.get_or_init(|| {
        let mut parts = sinew_ossi::ossi().into_parts();
        parts.clips.clear();
        parts
    });
    let mut parts = ossi.clone();
    change(&mut parts);
    Imported::from(Scene::new(parts).expect("good parts"))
}

/// The number of a node by its name.
pub(crate) fn node(parts: &SceneParts, name: &str) -> usize {
    parts
        .nodes
        .iter()
        .position(|node| node.name == name)
        .unwrap_or_else(|| panic!("no node {name}"))
}

/// A clip that rotates one node about Z through these angles in degrees, evenly spaced.
pub(crate) fn swing(
    parts: &SceneParts,
    name: &str,
    joint: &str,
    gap: f32,
    degrees: &[f32],
) -> Clip {
    let keys = degrees.iter().map(|angle| Quat::from_rotation_z(angle.to_radians())).collect();
    let times: Vec<f32> = (0..degrees.len()).map(|at| at as f32 * gap).collect();
    let duration = times.last().copied().unwrap_or(0.0);
    let curve = Curve::new(times, keys, Interpolation::Linear).expect("good keys");
    let joint = JointId::new(node(parts, joint));
    Clip { name: name.into(), duration, rotations: vec![Track { joint, curve }], ..Clip::default() }
}

/// A clip that moves one node along Z from its rest, evenly from key to key.
pub(crate) fn travel(parts: &SceneParts, joint: &str, metres: f32, seconds: f32) -> Clip {
    let at = node(parts, joint);
    let rest = parts.nodes[at].rest.translation;
    let count = (seconds * 30.0) as usize;
    let keys =
        (0..=count).map(|key| rest + Vec3::Z * (metres * key as f32 / count as f32)).collect();
    let times: Vec<f32> = (0..=count).map(|key| seconds * key as f32 / count as f32).collect();
    let curve = Curve::new(times, keys, Interpolation::Linear).expect("good keys");
    let track = Track { joint: JointId::new(at), curve };
    Clip { name: "travel".into(), duration: seconds, translations: vec![track], ..Clip::default() }
}

/// The character with one clip.
pub(crate) fn with_clip(make: impl FnOnce(&SceneParts) -> Clip) -> Imported {
    figure(|parts| {
        let clip = make(parts);
        parts.clips.push(clip);
    })
}

/// Other influences for every vertex of the first primitive.
pub(crate) fn reweighted(
    parts: &mut SceneParts,
    of: impl Fn(usize, &[Influence]) -> Vec<Influence>,
) {
    let primitive = &mut parts.meshes[0].primitives[0];
    let mut influences = Influences::default();
    for (vertex, old) in primitive.influences.iter().enumerate() {
        influences.push(of(vertex, old));
    }
    primitive.influences = influences;
}

/// One pixel of this colour as a texture, for a material to use.
pub(crate) fn texture(parts: &mut SceneParts, rgba: &[u8]) -> TextureUse {
    let width = (rgba.len() / 4) as u32;
    let data = ImageData::Pixels { width, height: 1, rgba: rgba.into() };
    parts.images.push(Image { name: "image".into(), data });
    let image = Some(ImageId::new(parts.images.len() - 1));
    parts.textures.push(Texture { name: String::new(), image, sampler: Sampler::default() });
    let texture = TextureId::new(parts.textures.len() - 1);
    TextureUse { texture, uv_set: 0, transform: UvTransform::default() }
}

/// What a check finds, by code.
pub(crate) fn codes(model: &Imported, options: &CheckOptions) -> Vec<&'static str> {
    check(model, options).iter().map(|finding| finding.code()).collect()
}

/// A model after it is mended, and its findings.
pub(crate) fn after(model: Imported, also: &[&str]) -> (Scene, Vec<&'static str>) {
    let mended = mend(model.scene, also).expect("a scene");
    let again = Imported::from(mended.scene.clone());
    (mended.scene, codes(&again, &CheckOptions::default()))
}

/// A pose of the first clip, or the rest pose without a time.
pub(crate) fn pose(scene: &Scene, time: impl Into<Option<f32>>) -> Pose {
    let mut pose = Pose::new(scene);
    if let Some(time) = time.into() {
        sample(&scene.clips[0], time, &mut Cursor::new(), &mut pose);
        pose.to_model(scene.skeleton());
    }
    pose
}

/// Where the joints of the first skin take its mesh, at a moment of the first clip or at rest.
pub(crate) fn palette(scene: &Scene, time: impl Into<Option<f32>>) -> Vec<Affine3A> {
    let pose = pose(scene, time);
    let skin = &scene.skins[0];
    let joints = skin.joints.iter().zip(&skin.joint_from_mesh);
    joints.map(|(joint, bind)| pose.model_from_joint()[joint.index()] * *bind).collect()
}

/// Where an instance's vertices and their normals are, at a moment of the first clip or at rest.
pub(crate) fn vertices(
    scene: &Scene,
    instance: usize,
    time: impl Into<Option<f32>>,
) -> (Vec<Vec3>, Vec<Vec3>) {
    let pose = pose(scene, time);
    let instance = &scene.instances[instance];
    let node = pose.model_from_joint()[instance.joint.index()];
    let mut matrices = Vec::new();
    let binding = match instance.skin.map(|skin| &scene[skin]) {
        Some(skin) => {
            matrices.resize(skin.joints.len(), Affine3A::IDENTITY);
            sinew_deform::palette(skin, pose.model_from_joint(), &mut matrices);
            sinew_deform::Binding::Skinned {
                method: skin.method,
                model_from_mesh: &matrices,
                without_influence: node,
            }
        }
        None => sinew_deform::Binding::Rigid(node),
    };
    let primitive = &scene[instance.mesh].primitives[0];
    let mut out = sinew_deform::Vertices::default();
    sinew_deform::deform(primitive, &instance.weights, binding, &mut out);
    (out.positions, out.normals)
}
