//! Models with one fault each, and models that just do not have it.

#![allow(dead_code, reason = "each test uses its own few of these")]

mod gltf;

use std::sync::OnceLock;

use glam::{Quat, Vec3};
use sinew_import::Imported;
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
