//! Meshes as geometries: control points, polygons, and attributes for each corner.
//!
//! In:  instances of meshes, and the models that stand for them.
//! Out: one geometry for a mesh, with its materials, its skin and its shapes; shared by instances where it has neither of the latter.

use std::collections::HashMap;

use sinew_scene::{MaterialId, Mesh, MeshId, Scene, Topology};

use super::bind::Binds;
use super::document::{Document, Id};
use super::layer::elements;
use super::material::Materials;
use super::model::{Models, name_or};
use super::node::Node;
use super::surface::{Surface, surface};
use super::{shape, skin};

/// Adds the geometry of every mesh, and gives the shape channels of each instance.
pub(super) fn geometries(
    scene: &Scene,
    models: &Models,
    materials: &Materials,
    binds: &Binds,
    per_metre: f64,
    document: &mut Document,
) -> Vec<Vec<Id>> {
    let mut shared: HashMap<MeshId, Id> = HashMap::new();
    let mut channels = vec![Vec::new(); scene.instances.len()];
    for (number, instance) in scene.instances.iter().enumerate() {
        let Some(model) = models.meshes[number] else { continue };
        let mesh = &scene[instance.mesh];
        let slots = slots(mesh);
        slots.iter().for_each(|&slot| materials.connect(slot, model, document));
        // Skins and shapes belong to a geometry, so only a mesh without them can be shared.
        let plain = instance.skin.is_none() && mesh.morph_count() == 0;
        if let Some(&known) = shared.get(&instance.mesh).filter(|_| plain) {
            document.connect(known, model);
            continue;
        }
        let name = name_or(&mesh.name, "mesh", instance.mesh.index());
        let surface = surface(mesh, instance);
        let geometry = geometry(mesh, &name, &surface, &slots, per_metre, document);
        document.connect(geometry, model);
        if plain {
            shared.insert(instance.mesh, geometry);
        }
        if let Some(id) = instance.skin {
            skin::skin(scene, (id, mesh), &surface, geometry, (models, binds), per_metre, document);
        }
        channels[number] =
            shape::shapes(mesh, &instance.weights, &surface, geometry, per_metre, document);
    }
    remark(scene, document);
    channels
}

/// The materials of a mesh, in the order that polygons count them in; none when no primitive has one.
fn slots(mesh: &Mesh) -> Vec<Option<MaterialId>> {
    let mut slots = Vec::new();
    for primitive in mesh.primitives.iter().filter(|primitive| !primitive.indices.is_empty()) {
        if !slots.contains(&primitive.material) {
            slots.push(primitive.material);
        }
    }
    if slots == [None] { Vec::new() } else { slots }
}

fn geometry(
    mesh: &Mesh,
    name: &str,
    surface: &Surface,
    slots: &[Option<MaterialId>],
    per_metre: f64,
    document: &mut Document,
) -> Id {
    let (id, node) = document.start("Geometry", name, "Geometry", "Mesh");
    let points = surface.points.iter().flat_map(|&(part, vertex)| {
        let position = mesh.primitives[part].positions[vertex];
        (position.as_dvec3() * per_metre).to_array()
    });
    let mut node = node
        .field("GeometryVersion", 124)
        .field("Vertices", points.collect::<Vec<f64>>())
        .field("PolygonVertexIndex", surface.corners.clone());
    // The elements of each layer: the first has one of each kind.
    let mut layers: Vec<Vec<(&'static str, usize)>> = vec![Vec::new()];
    for (layer, element) in elements(mesh, surface, slots) {
        layers.resize(layers.len().max(layer + 1), Vec::new());
        layers[layer].push((element.name, layer));
        node = node.child(element);
    }
    for (number, elements) in layers.into_iter().enumerate() {
        let mut layer = Node::of("Layer", number as i32).field("Version", 100);
        for (kind, index) in elements {
            let entry = Node::new("LayerElement").field("Type", kind);
            layer = layer.child(entry.field("TypedIndex", index as i32));
        }
        node = node.child(layer);
    }
    document.add(node);
    id
}

fn remark(scene: &Scene, document: &mut Document) {
    let parts = || scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let thin = parts().filter(|part| part.topology != Topology::Triangles).count();
    if thin > 0 {
        let text = "lines and points are written as polygons of two and one corner, which some programs leave out";
        document.notes.push(text.to_owned());
    }
    if scene.meshes.iter().any(|mesh| mesh.primitives.iter().all(|part| part.indices.is_empty())) {
        document.notes.push("a mesh that draws nothing is left out".to_owned());
    }
}
