//! Meshes, skins, materials, textures and images that nothing uses, left out; those with names with a sentence.

use sinew_scene::{ImageId, MeshId, SceneParts, SkinId, TextureId};

use super::same::{material_of, move_materials};
use super::{places, retain};

/// Says what of a list is left out.
fn say<'a>(
    said: &mut Vec<String>,
    what: &str,
    names: impl Iterator<Item = &'a str>,
    kept: &[bool],
) {
    let gone = names.zip(kept).filter(|(name, kept)| !**kept && !name.is_empty());
    said.extend(gone.map(|(name, _)| format!("{what} {name:?} is left out: nothing uses it")));
}

pub(super) fn meshes(parts: &mut SceneParts, said: &mut Vec<String>) {
    let mut kept = vec![false; parts.meshes.len()];
    parts.instances.iter().for_each(|instance| kept[instance.mesh.index()] = true);
    say(said, "mesh", parts.meshes.iter().map(|mesh| &mesh.name[..]), &kept);
    let now = places(&kept);
    retain(&mut parts.meshes, &kept);
    for instance in &mut parts.instances {
        instance.mesh = MeshId::new(now[instance.mesh.index()]);
    }
}

pub(super) fn skins(parts: &mut SceneParts, said: &mut Vec<String>) {
    // A skeleton without any mesh keeps its skins: it says which nodes are joints.
    if parts.instances.is_empty() {
        return;
    }
    let mut kept = vec![false; parts.skins.len()];
    for skin in parts.instances.iter().filter_map(|instance| instance.skin) {
        kept[skin.index()] = true;
    }
    say(said, "skin", parts.skins.iter().map(|skin| &skin.name[..]), &kept);
    let now = places(&kept);
    retain(&mut parts.skins, &kept);
    for instance in &mut parts.instances {
        instance.skin = instance.skin.map(|skin| SkinId::new(now[skin.index()]));
    }
}

pub(super) fn materials(parts: &mut SceneParts, said: &mut Vec<String>) {
    let mut kept = vec![false; parts.materials.len()];
    let primitives = parts.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let used = primitives.flat_map(|primitive| primitive.materials());
    let driven = parts.properties.iter().filter_map(|entry| material_of(entry.property));
    used.chain(driven).for_each(|material| kept[material.index()] = true);
    say(said, "material", parts.materials.iter().map(|material| &material.name[..]), &kept);
    let now = places(&kept);
    retain(&mut parts.materials, &kept);
    move_materials(parts, &now);
}

pub(super) fn textures(parts: &mut SceneParts, said: &mut Vec<String>) {
    let mut kept = vec![false; parts.textures.len()];
    let used = parts.materials.iter().flat_map(|material| material.textures());
    used.for_each(|used| kept[used.texture.index()] = true);
    say(said, "texture", parts.textures.iter().map(|texture| &texture.name[..]), &kept);
    let now = places(&kept);
    retain(&mut parts.textures, &kept);
    for material in &mut parts.materials {
        for used in material.textures_mut() {
            used.texture = TextureId::new(now[used.texture.index()]);
        }
    }
}

pub(super) fn images(parts: &mut SceneParts, said: &mut Vec<String>) {
    let mut kept = vec![false; parts.images.len()];
    for image in parts.textures.iter().filter_map(|texture| texture.image) {
        kept[image.index()] = true;
    }
    say(said, "image", parts.images.iter().map(|image| &image.name[..]), &kept);
    let now = places(&kept);
    retain(&mut parts.images, &kept);
    for texture in &mut parts.textures {
        texture.image = texture.image.map(|image| ImageId::new(now[image.index()]));
    }
}

#[cfg(test)]
mod tests {
    use sinew_scene::{Image, ImageData, Material, Sampler, Texture, TextureUse};

    use super::super::{Keep, prune};
    use super::*;

    fn parts() -> SceneParts {
        let image = |name: &str| Image { name: name.into(), data: ImageData::Missing };
        let texture = |image| Texture {
            name: String::new(),
            image: Some(ImageId::new(image)),
            sampler: Sampler::default(),
        };
        let used =
            TextureUse { texture: TextureId::new(1), uv_set: 0, transform: Default::default() };
        let wood =
            Material { name: "wood".into(), base_color_texture: Some(used), ..Material::default() };
        SceneParts {
            images: vec![image("stone.png"), image("wood.png")],
            textures: vec![texture(0), texture(1)],
            materials: vec![wood],
            ..SceneParts::default()
        }
    }

    #[test]
    fn what_only_an_unused_material_uses_goes_with_it_and_is_said() {
        let mut parts = parts();
        let said = prune(&mut parts, Keep::default());
        assert_eq!(said.len(), 3, "{said:?}");
        assert!(parts.materials.is_empty() && parts.textures.is_empty() && parts.images.is_empty());
    }

    #[test]
    fn what_is_to_be_kept_stays() {
        let mut kept = parts();
        let said = prune(&mut kept, Keep { names: true, ..Keep::default() });
        assert_eq!((said, kept), (Vec::new(), parts()));
    }
}
