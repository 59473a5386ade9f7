//! Texture coordinates and tangents that no texture needs, left out.
//!
//! Sets of coordinates are counted, so those before a used one stay.

use sinew_scene::{Primitive, SceneParts};

pub(super) fn unused(parts: &mut SceneParts, said: &mut Vec<String>) {
    let needs: Vec<(usize, bool)> = parts
        .materials
        .iter()
        .map(|material| {
            let sets = material.textures().map(|used| used.uv_set as usize + 1).max().unwrap_or(0);
            (sets, material.normal_texture.is_some())
        })
        .collect();
    let need = |primitive: &Primitive| {
        let own = primitive.materials().map(|material| needs[material.index()]);
        own.fold((0, false), |all, one| (all.0.max(one.0), all.1 || one.1))
    };
    for (at, mesh) in parts.meshes.iter_mut().enumerate() {
        let mut gone = [false; 2];
        for primitive in &mut mesh.primitives {
            let (sets, normal_map) = need(primitive);
            if primitive.uvs.len() > sets {
                primitive.uvs.truncate(sets);
                gone[0] = true;
            }
            if !normal_map && !primitive.tangents.is_empty() {
                primitive.tangents.clear();
                primitive.morphs.iter_mut().for_each(|morph| morph.tangents.clear());
                gone[1] = true;
            }
        }
        let name = if mesh.name.is_empty() { at.to_string() } else { format!("{:?}", mesh.name) };
        for (gone, what) in gone.into_iter().zip(["texture coordinates", "tangents"]) {
            if gone {
                said.push(format!("mesh {name}: {what} are left out: no texture needs them"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use sinew_scene::Geometry;
    use sinew_scene::glam::{Vec2, Vec3};
    use sinew_scene::{Material, MaterialId, Mesh, TextureId, TextureUse};

    use super::*;

    #[test]
    fn coordinates_stay_up_to_the_last_set_that_a_texture_uses() {
        let used =
            TextureUse { texture: TextureId::new(0), uv_set: 1, transform: Default::default() };
        let material = Material { occlusion_texture: Some(used), ..Material::default() };
        let primitive = |material| Primitive {
            material,
            ..Primitive::from(Geometry {
                positions: vec![Vec3::ZERO],
                tangents: vec![Vec3::X.extend(1.0)],
                uvs: vec![vec![Vec2::ZERO]; 3],
                ..Geometry::default()
            })
        };
        let primitives = vec![primitive(Some(MaterialId::new(0))), primitive(None)];
        let mesh = Mesh { name: "body".into(), primitives, ..Mesh::default() };
        let mut parts =
            SceneParts { materials: vec![material], meshes: vec![mesh], ..SceneParts::default() };
        let mut said = Vec::new();
        unused(&mut parts, &mut said);
        let left: Vec<_> =
            parts.meshes[0].primitives.iter().map(|it| (it.uvs.len(), it.tangents.len())).collect();
        assert_eq!(left, [(2, 0), (0, 0)]);
        assert_eq!(said.len(), 2, "{said:?}");
    }
}
