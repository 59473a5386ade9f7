//! The two models of a comparison, as they are drawn: one in the colours of a heat map, one to be seen through.

use sinew::Scene;
use sinew::glam::Vec4;
use sinew::scene::{AlphaMode, Material, MaterialId, MeshId, SceneParts};
use sinew::stage::heat_color;

/// Light from the second model that is seen over the first.
const GHOST: Vec4 = Vec4::new(0.75, 0.82, 0.95, 0.16);

/// The scene with every vertex in the colour of its difference, in metres; `hottest` is red.
pub(super) fn heat(scene: &Scene, differences: &[f32], hottest: f32) -> Result<Scene, String> {
    let mut parts = scene.clone().into_parts();
    // A mesh that is drawn twice has colours of its own in each place.
    let mut meshes = Vec::with_capacity(parts.instances.len());
    let mut first = 0;
    for instance in &mut parts.instances {
        let mut mesh = parts.meshes[instance.mesh.index()].clone();
        for primitive in &mut mesh.primitives {
            let count = primitive.positions.len();
            let own = differences.get(first..first + count).unwrap_or(&[]);
            first += count;
            let color = |vertex: usize| {
                let metres = own.get(vertex).copied().unwrap_or(f32::NAN);
                let share = if hottest > 0.0 { metres / hottest } else { metres };
                heat_color(share).extend(1.0)
            };
            primitive.colors = vec![(0..count).map(color).collect()];
        }
        instance.mesh = MeshId::new(meshes.len());
        meshes.push(mesh);
    }
    parts.meshes = meshes;
    let plain =
        Material { metallic: 0.0, roughness: 1.0, double_sided: true, ..Material::default() };
    plainly(parts, plain)
}

/// The scene as something to be seen through.
pub(super) fn ghost(scene: &Scene) -> Result<Scene, String> {
    let mut parts = scene.clone().into_parts();
    let primitives = parts.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives);
    primitives.for_each(|primitive| primitive.colors.clear());
    let glass = Material {
        base_color: GHOST,
        alpha_mode: AlphaMode::Blend,
        metallic: 0.0,
        roughness: 0.6,
        ..Material::default()
    };
    plainly(parts, glass)
}

/// Every surface of one material, without images.
fn plainly(mut parts: SceneParts, material: Material) -> Result<Scene, String> {
    // As many as before: clips may drive them by their numbers.
    parts.materials.iter_mut().for_each(|old| *old = material.clone());
    let last = MaterialId::new(parts.materials.len());
    parts.materials.push(material);
    for primitive in parts.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        primitive.material = Some(last);
    }
    Scene::new(parts).map_err(|error| error.to_string())
}
