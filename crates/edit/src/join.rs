//! Several scenes as one.
//!
//! In:  scenes, each with a name and a place.
//! Out: one scene with all of them under nodes of those names; its clips are those of each, called `name|clip`.

use sinew_scene::glam::Affine3A;
use sinew_scene::{
    CameraId, Clip, ImageId, InstanceId, JointId, LightId, MaterialId, MeshId, Node, Property,
    PropertyId, Scene, SceneParts, SkinId, TextureId, VariantId,
};

use crate::EditError;

/// A scene with its place among others.
#[derive(Clone, Debug)]
pub struct Placed {
    /// What the node above it is called.
    pub name: String,
    /// Where it is.
    pub place: Affine3A,
    /// The scene itself.
    pub scene: Scene,
}

/// Puts several scenes into one.
///
/// # Errors
/// When a place is not made of finite numbers.
pub fn join_scenes(placed: impl IntoIterator<Item = Placed>) -> Result<Scene, EditError> {
    let mut all = SceneParts::default();
    for Placed { name, place, scene } in placed {
        let counts = Counts::of(&all);
        let mut parts = scene.into_parts();
        move_ids(&mut parts, &counts);
        let variants = join_variants(&mut parts, std::mem::take(&mut all.variants));
        let top = JointId::new(all.nodes.len());
        all.nodes.push(Node::from_matrix(name.clone(), None, place));
        for node in &mut parts.nodes {
            node.parent.get_or_insert(top);
        }
        for clip in &mut parts.clips {
            clip.name = format!("{name}|{}", clip.name);
        }
        all.nodes.append(&mut parts.nodes);
        all.instances.append(&mut parts.instances);
        all.meshes.append(&mut parts.meshes);
        all.skins.append(&mut parts.skins);
        all.clips.append(&mut parts.clips);
        all.materials.append(&mut parts.materials);
        all.variants = variants;
        all.textures.append(&mut parts.textures);
        all.images.append(&mut parts.images);
        all.lights.append(&mut parts.lights);
        all.cameras.append(&mut parts.cameras);
        all.properties.append(&mut parts.properties);
    }
    Ok(Scene::new(all)?)
}

/// Variants of one name are one: whoever chooses it means it for all.
fn join_variants(parts: &mut SceneParts, mut known: Vec<String>) -> Vec<String> {
    let mut now = Vec::with_capacity(parts.variants.len());
    for name in parts.variants.drain(..) {
        let at = known.iter().position(|other| *other == name).unwrap_or(known.len());
        if at == known.len() {
            known.push(name);
        }
        now.push(VariantId::new(at));
    }
    for primitive in parts.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.variants.iter_mut().for_each(|(id, _)| *id = now[id.index()]);
        // Two of one name in a file: the first holds.
        let mut seen = Vec::new();
        primitive.variants.retain(|(id, _)| {
            !seen.contains(id) && {
                seen.push(*id);
                true
            }
        });
    }
    known
}

/// How many of everything come before a scene; one node more, which is above it.
struct Counts {
    nodes: usize,
    instances: usize,
    meshes: usize,
    skins: usize,
    materials: usize,
    textures: usize,
    images: usize,
    lights: usize,
    cameras: usize,
    properties: usize,
}

impl Counts {
    fn of(all: &SceneParts) -> Self {
        Self {
            nodes: all.nodes.len() + 1,
            instances: all.instances.len(),
            meshes: all.meshes.len(),
            skins: all.skins.len(),
            materials: all.materials.len(),
            textures: all.textures.len(),
            images: all.images.len(),
            lights: all.lights.len(),
            cameras: all.cameras.len(),
            properties: all.properties.len(),
        }
    }

    fn joint(&self, id: JointId) -> JointId {
        JointId::new(id.index() + self.nodes)
    }

    fn material(&self, id: MaterialId) -> MaterialId {
        MaterialId::new(id.index() + self.materials)
    }

    fn light(&self, id: LightId) -> LightId {
        LightId::new(id.index() + self.lights)
    }

    fn camera(&self, id: CameraId) -> CameraId {
        CameraId::new(id.index() + self.cameras)
    }
}

fn move_ids(parts: &mut SceneParts, by: &Counts) {
    for node in &mut parts.nodes {
        node.parent = node.parent.map(|parent| by.joint(parent));
    }
    for instance in &mut parts.instances {
        instance.joint = by.joint(instance.joint);
        instance.mesh = MeshId::new(instance.mesh.index() + by.meshes);
        instance.skin = instance.skin.map(|skin| SkinId::new(skin.index() + by.skins));
    }
    for primitive in parts.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.material = primitive.material.map(|material| by.material(material));
        for (_, material) in &mut primitive.variants {
            *material = by.material(*material);
        }
    }
    for joint in parts.skins.iter_mut().flat_map(|skin| &mut skin.joints) {
        *joint = by.joint(*joint);
    }
    for material in &mut parts.materials {
        for used in material.textures_mut() {
            used.texture = TextureId::new(used.texture.index() + by.textures);
        }
    }
    for texture in &mut parts.textures {
        texture.image = texture.image.map(|image| ImageId::new(image.index() + by.images));
    }
    parts.lights.iter_mut().for_each(|light| light.joint = by.joint(light.joint));
    parts.cameras.iter_mut().for_each(|camera| camera.joint = by.joint(camera.joint));
    for entry in &mut parts.properties {
        entry.property = moved(entry.property, by);
    }
    parts.clips.iter_mut().for_each(|clip| move_tracks(clip, by));
}

fn move_tracks(clip: &mut Clip, by: &Counts) {
    clip.translations.iter_mut().for_each(|track| track.joint = by.joint(track.joint));
    clip.rotations.iter_mut().for_each(|track| track.joint = by.joint(track.joint));
    clip.scales.iter_mut().for_each(|track| track.joint = by.joint(track.joint));
    for track in &mut clip.weights {
        track.instance = InstanceId::new(track.instance.index() + by.instances);
    }
    for track in &mut clip.properties {
        track.property = PropertyId::new(track.property.index() + by.properties);
    }
}

fn moved(property: Property, by: &Counts) -> Property {
    match property {
        Property::BaseColor(id) => Property::BaseColor(by.material(id)),
        Property::Metallic(id) => Property::Metallic(by.material(id)),
        Property::Roughness(id) => Property::Roughness(by.material(id)),
        Property::NormalScale(id) => Property::NormalScale(by.material(id)),
        Property::OcclusionStrength(id) => Property::OcclusionStrength(by.material(id)),
        Property::Emissive(id) => Property::Emissive(by.material(id)),
        Property::EmissiveStrength(id) => Property::EmissiveStrength(by.material(id)),
        Property::AlphaCutoff(id) => Property::AlphaCutoff(by.material(id)),
        Property::UvOffset(id, texture) => Property::UvOffset(by.material(id), texture),
        Property::UvRotation(id, texture) => Property::UvRotation(by.material(id), texture),
        Property::UvScale(id, texture) => Property::UvScale(by.material(id), texture),
        Property::LightColor(id) => Property::LightColor(by.light(id)),
        Property::LightIntensity(id) => Property::LightIntensity(by.light(id)),
        Property::LightRange(id) => Property::LightRange(by.light(id)),
        Property::SpotInner(id) => Property::SpotInner(by.light(id)),
        Property::SpotOuter(id) => Property::SpotOuter(by.light(id)),
        Property::FovY(id) => Property::FovY(by.camera(id)),
        Property::Aspect(id) => Property::Aspect(by.camera(id)),
        Property::Near(id) => Property::Near(by.camera(id)),
        Property::Far(id) => Property::Far(by.camera(id)),
        Property::HalfWidth(id) => Property::HalfWidth(by.camera(id)),
        Property::HalfHeight(id) => Property::HalfHeight(by.camera(id)),
        Property::Visible(id) => Property::Visible(by.joint(id)),
    }
}

#[cfg(test)]
mod tests {
    use sinew_motion::{Cursor, Pose, sample};
    use sinew_scene::glam::Vec3;

    use super::*;

    #[test]
    fn two_characters_stand_where_they_are_put_and_move_as_they_did() {
        let ossi = sinew_ossi::ossi();
        let at = |name: &str, x: f32| Placed {
            name: name.into(),
            place: Affine3A::from_translation(x * Vec3::X),
            scene: ossi.clone(),
        };
        let both = join_scenes([at("left", -1.0), at("right", 1.0)]).expect("two of one");
        assert_eq!(both.clips.len(), 2 * ossi.clips.len());
        let [mut alone, mut second] = [Pose::new(&ossi), Pose::new(&both)];
        sample(&ossi.clips[0], 0.3, &mut Cursor::new(), &mut alone);
        let clip = both.clip(&format!("right|{}", ossi.clips[0].name)).expect("its clip");
        sample(clip, 0.3, &mut Cursor::new(), &mut second);
        alone.to_model(ossi.skeleton());
        second.to_model(both.skeleton());
        let first = ossi.skeleton().len() + 2;
        let moved = Affine3A::from_translation(Vec3::X);
        let pairs = alone.model_from_joint().iter().zip(&second.model_from_joint()[first..]);
        assert_eq!(pairs.len(), ossi.skeleton().len());
        for (alone, both) in pairs {
            assert!((moved * *alone).abs_diff_eq(*both, 1e-5), "{alone} {both}");
        }
    }
}
