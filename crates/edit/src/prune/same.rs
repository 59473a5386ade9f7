//! What is there twice, once.
//!
//! Two things are the same when all of their data is and either both have the same name or the second has none. Images are the
//! same when their bytes are: they are the largest part of most files.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use sinew_scene::{
    ImageData, ImageId, MaterialId, Mesh, MeshId, Property, SceneParts, SkinId, TextureId,
    TextureUse,
};

use super::{places, retain};

/// For each of a list, the first that is the same.
fn firsts<T>(list: &[T], hash: impl Fn(&T) -> u64, same: impl Fn(&T, &T) -> bool) -> Vec<usize> {
    let mut known: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut firsts = Vec::with_capacity(list.len());
    for (at, item) in list.iter().enumerate() {
        let alike = known.entry(hash(item)).or_default();
        match alike.iter().find(|&&first| same(&list[first], item)) {
            Some(&first) => firsts.push(first),
            None => {
                alike.push(at);
                firsts.push(at);
            }
        }
    }
    firsts
}

/// Leaves the first of each alike in a list; for each item, where it is now.
fn join<T>(list: &mut Vec<T>, firsts: &[usize]) -> Vec<usize> {
    let kept: Vec<bool> = firsts.iter().enumerate().map(|(at, first)| at == *first).collect();
    let places = places(&kept);
    retain(list, &kept);
    firsts.iter().map(|&first| places[first]).collect()
}

fn named_alike(first: &str, second: &str) -> bool {
    second.is_empty() || first == second
}

fn hashed(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

pub(super) fn images(parts: &mut SceneParts, said: &mut Vec<String>) {
    let length = |data: &ImageData| match data {
        ImageData::Encoded { bytes, .. } => bytes.len(),
        _ => 0,
    };
    let mut lengths: HashMap<usize, usize> = HashMap::new();
    parts.images.iter().for_each(|image| *lengths.entry(length(&image.data)).or_default() += 1);
    let hash = |data: &ImageData| match data {
        // The only one of its length has no equal, whatever is in it.
        ImageData::Encoded { bytes, .. } if lengths[&bytes.len()] == 1 => hashed(bytes.len()),
        ImageData::Encoded { bytes, .. } => hashed(&bytes[..]),
        ImageData::Pixels { width, height, rgba } => hashed((width, height, &rgba[..])),
        ImageData::Missing => 0,
    };
    let firsts = firsts(
        &parts.images,
        |image| hash(&image.data),
        |first, second| {
            // Images that are missing are not the same: each is named to be found.
            let there = second.data != ImageData::Missing || first.name == second.name;
            there && first.data == second.data
        },
    );
    for (at, &first) in firsts.iter().enumerate().filter(|(at, first)| at != *first) {
        let [first, second] = [first, at].map(|at| &parts.images[at].name);
        if !named_alike(first, second) {
            said.push(format!("image {second:?} is the same as {first:?} and is there once"));
        }
    }
    let now = join(&mut parts.images, &firsts);
    for texture in &mut parts.textures {
        texture.image = texture.image.map(|image| ImageId::new(now[image.index()]));
    }
}

pub(super) fn textures(parts: &mut SceneParts) {
    let firsts = firsts(
        &parts.textures,
        |texture| hashed(texture.image),
        |first, second| {
            first.image == second.image
                && first.sampler == second.sampler
                && named_alike(&first.name, &second.name)
        },
    );
    let now = join(&mut parts.textures, &firsts);
    for material in &mut parts.materials {
        for TextureUse { texture, .. } in material.textures_mut() {
            *texture = TextureId::new(now[texture.index()]);
        }
    }
}

pub(super) fn materials(parts: &mut SceneParts) {
    // A driven material is one of its own.
    let mut driven = vec![false; parts.materials.len()];
    for entry in &parts.properties {
        if let Some(material) = material_of(entry.property) {
            driven[material.index()] = true;
        }
    }
    let hash = |material: &sinew_scene::Material| {
        hashed((material.base_color.to_array().map(f32::to_bits), material.roughness.to_bits()))
    };
    let indexed: Vec<_> = parts.materials.iter().enumerate().collect();
    let firsts = firsts(
        &indexed,
        |(_, material)| hash(material),
        |(a, first), (b, second)| {
            let alike = named_alike(&first.name, &second.name);
            let same = || {
                let mut renamed = (*second).clone();
                renamed.name.clone_from(&first.name);
                renamed == **first
            };
            !driven[*a] && !driven[*b] && alike && same()
        },
    );
    let now = join(&mut parts.materials, &firsts);
    move_materials(parts, &now);
}

/// Gives every use of a material its new number.
pub(super) fn move_materials(parts: &mut SceneParts, now: &[usize]) {
    let moved = |material: MaterialId| MaterialId::new(now[material.index()]);
    for primitive in parts.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.material = primitive.material.map(moved);
        primitive.variants.iter_mut().for_each(|(_, material)| *material = moved(*material));
    }
    for entry in &mut parts.properties {
        entry.property = match entry.property {
            Property::BaseColor(id) => Property::BaseColor(moved(id)),
            Property::Metallic(id) => Property::Metallic(moved(id)),
            Property::Roughness(id) => Property::Roughness(moved(id)),
            Property::NormalScale(id) => Property::NormalScale(moved(id)),
            Property::OcclusionStrength(id) => Property::OcclusionStrength(moved(id)),
            Property::Emissive(id) => Property::Emissive(moved(id)),
            Property::EmissiveStrength(id) => Property::EmissiveStrength(moved(id)),
            Property::AlphaCutoff(id) => Property::AlphaCutoff(moved(id)),
            Property::UvOffset(id, texture) => Property::UvOffset(moved(id), texture),
            Property::UvRotation(id, texture) => Property::UvRotation(moved(id), texture),
            Property::UvScale(id, texture) => Property::UvScale(moved(id), texture),
            other => other,
        };
    }
}

/// The material that a value is of.
pub(super) fn material_of(property: Property) -> Option<MaterialId> {
    match property {
        Property::BaseColor(id)
        | Property::Metallic(id)
        | Property::Roughness(id)
        | Property::NormalScale(id)
        | Property::OcclusionStrength(id)
        | Property::Emissive(id)
        | Property::EmissiveStrength(id)
        | Property::AlphaCutoff(id)
        | Property::UvOffset(id, _)
        | Property::UvRotation(id, _)
        | Property::UvScale(id, _) => Some(id),
        _ => None,
    }
}

pub(super) fn meshes(parts: &mut SceneParts) {
    let hash = |mesh: &Mesh| {
        let counts = mesh.primitives.iter().map(|it| (it.positions.len(), it.indices.len()));
        let first = mesh.primitives.first().and_then(|it| it.positions.last());
        hashed((counts.collect::<Vec<_>>(), first.map(|at| at.to_array().map(f32::to_bits))))
    };
    let firsts = firsts(&parts.meshes, hash, |first, second| {
        named_alike(&first.name, &second.name)
            && first.primitives == second.primitives
            && first.morph_names == second.morph_names
    });
    let now = join(&mut parts.meshes, &firsts);
    for instance in &mut parts.instances {
        instance.mesh = MeshId::new(now[instance.mesh.index()]);
    }
}

pub(super) fn skins(parts: &mut SceneParts) {
    let firsts = firsts(
        &parts.skins,
        |skin| hashed(&skin.joints),
        |first, second| {
            named_alike(&first.name, &second.name)
                && first.joints == second.joints
                && first.joint_from_mesh == second.joint_from_mesh
                && first.method == second.method
        },
    );
    let now = join(&mut parts.skins, &firsts);
    for instance in &mut parts.instances {
        instance.skin = instance.skin.map(|skin| SkinId::new(now[skin.index()]));
    }
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::Vec3;
    use sinew_scene::{
        Geometry, Image, Instance, JointId, Material, Node, Primitive, Sampler, Scene, Texture,
        Transform, VariantId,
    };

    use super::*;

    #[test]
    fn one_image_in_two_textures_of_two_materials_of_two_meshes_is_there_once() {
        let bytes =
            |byte: u8| ImageData::Encoded { media_type: String::new(), bytes: vec![byte].into() };
        let image = |name: &str, byte| Image { name: name.into(), data: bytes(byte) };
        let texture = |image| {
            let image = Some(ImageId::new(image));
            Texture { name: String::new(), image, sampler: Sampler::default() }
        };
        let material = |texture| Material {
            base_color_texture: Some(TextureUse {
                texture: TextureId::new(texture),
                uv_set: 0,
                transform: Default::default(),
            }),
            ..Material::default()
        };
        let mesh = |material| Mesh {
            primitives: vec![Primitive {
                material: Some(MaterialId::new(material)),
                ..Primitive::from(Geometry { positions: vec![Vec3::X], ..Geometry::default() })
            }],
            ..Mesh::default()
        };
        let instance = |mesh| Instance {
            joint: JointId::new(0),
            mesh: MeshId::new(mesh),
            skin: None,
            weights: Vec::new(),
        };
        let mut parts = SceneParts {
            nodes: vec![Node::new("a", None, Transform::IDENTITY)],
            images: vec![image("skin", 1), image("other", 2), image("copy", 1)],
            textures: vec![texture(0), texture(2), texture(1)],
            materials: vec![material(0), material(1), material(2)],
            meshes: vec![mesh(0), mesh(1), mesh(2)],
            variants: vec!["worn".into()],
            instances: vec![instance(0), instance(1), instance(2)],
            ..SceneParts::default()
        };
        parts.meshes[2].primitives[0].variants = vec![(VariantId::new(0), MaterialId::new(1))];
        let said = super::super::prune(&mut parts, Default::default());
        assert_eq!(said, ["image \"copy\" is the same as \"skin\" and is there once"]);
        let counts =
            [parts.images.len(), parts.textures.len(), parts.materials.len(), parts.meshes.len()];
        assert_eq!(counts, [2; 4]);
        let drawn: Vec<usize> = parts.instances.iter().map(|it| it.mesh.index()).collect();
        assert_eq!(drawn, [0, 0, 1]);
        let worn = &parts.meshes[1].primitives[0].variants;
        assert_eq!(worn, &[(VariantId::new(0), MaterialId::new(0))]);
        assert!(Scene::new(parts).is_ok());
    }
}
