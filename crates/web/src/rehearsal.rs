//! A draw before there is anything to show: drivers finish a program when it is first drawn with.
//!
//! In:  a model whose images are still on their way. Out: another that is drawn in the same ways, with next to nothing to draw.
//!
//! Surfaces, skins and their kinds are the model's own, so that the same pipelines are used; images are a pixel each, triangles have no area.

use sinew::glam::{Affine3A, Vec3};
use sinew::scene::{
    Geometry, Image, ImageData, Instance, JointId, Mesh, MeshId, Node, Primitive, Scene,
    SceneParts, Skin, Transform,
};

/// What stands in for a scene.
pub(crate) fn stand_in(scene: &Scene) -> Option<Scene> {
    let pixel = ImageData::Pixels { width: 1, height: 1, rgba: [255; 4].into() };
    let image = |image: &Image| Image { data: pixel.clone(), ..image.clone() };
    let skin = |skin: &Skin| Skin {
        name: String::new(),
        joints: vec![JointId::new(0)],
        joint_from_mesh: vec![Affine3A::IDENTITY],
        method: skin.method,
    };
    let mesh = Mesh { primitives: primitives(scene), ..Mesh::default() };
    let (joint, mesh_id) = (JointId::new(0), MeshId::new(0));
    Scene::new(SceneParts {
        nodes: vec![Node::new("", None, Transform::IDENTITY)],
        instances: vec![Instance { joint, mesh: mesh_id, skin: None, weights: Vec::new() }],
        meshes: vec![mesh],
        skins: scene.skins.iter().map(skin).collect(),
        materials: scene.materials.clone(),
        textures: scene.textures.clone(),
        images: scene.images.iter().map(image).collect(),
        ..SceneParts::default()
    })
    .ok()
}

/// One for each material and topology that is drawn.
fn primitives(scene: &Scene) -> Vec<Primitive> {
    let mut kinds = Vec::new();
    for primitive in scene.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        let kind = (primitive.topology, primitive.material);
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let made = |(topology, material)| {
        // As many as lines and triangles have ends and corners, all in one place.
        let indices = vec![0; 6];
        let geometry =
            Geometry { topology, indices, positions: vec![Vec3::ZERO], ..Geometry::default() };
        Primitive { material, ..Primitive::from(geometry) }
    };
    kinds.into_iter().map(made).collect()
}
