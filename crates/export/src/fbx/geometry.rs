//! Meshes as geometries: control points, polygons, and attributes for each corner.
//!
//! In:  primitives, whose vertices are split wherever a normal or a texture coordinate is.
//! Out: one geometry for a mesh, with its materials by polygon, its skin and its shapes.
//!
//! Vertices that are at one place and move as one are one control point again, so that programs see a closed surface. Polygons of
//! one set of points come in as many copies as there are, since programs drop the second of two equal polygons.

use std::collections::HashMap;

use sinew_scene::glam::Vec3;
use sinew_scene::{Instance, MaterialId, Mesh, MeshId, Primitive, Scene, Topology};

use super::bind::Binds;
use super::document::{Document, Id};
use super::material::Materials;
use super::model::{Models, name_or};
use super::node::Node;
use super::{shape, skin};

/// A vertex: the number of its primitive, and its own.
pub(super) type Vertex = (usize, usize);

/// The control points of a mesh and the polygons between them.
pub(super) struct Surface {
    /// A vertex that is each point.
    pub(super) points: Vec<Vertex>,
    /// The primitive of each polygon.
    parts: Vec<usize>,
    /// The points of each corner; the last of a polygon has its bits inverted.
    corners: Vec<i32>,
    /// The vertex of each corner, counted through all primitives.
    vertices: Vec<i32>,
}

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

fn surface(mesh: &Mesh, instance: &Instance) -> Surface {
    let mut surface = Surface { points: vec![], parts: vec![], corners: vec![], vertices: vec![] };
    let mut weld = Weld { mesh, skinned: instance.skin.is_some(), at: HashMap::new() };
    let mut seen: HashMap<[u32; 3], u32> = HashMap::new();
    let mut copies: HashMap<(u32, u32), u32> = HashMap::new();
    let mut first = 0;
    for (part, primitive) in mesh.primitives.iter().enumerate() {
        for polygon in primitive.indices.chunks(corners_of(primitive.topology)) {
            let mut points: Vec<u32> = polygon
                .iter()
                .map(|&vertex| weld.point((part, vertex as usize), &mut surface.points))
                .collect();
            if let &[a, b, c] = points.as_slice() {
                let mut set = [a, b, c];
                set.sort_unstable();
                let times = seen.entry(set).or_default();
                if *times > 0 {
                    for (point, &vertex) in points.iter_mut().zip(polygon) {
                        *point = *copies.entry((*point, *times)).or_insert_with(|| {
                            surface.points.push((part, vertex as usize));
                            surface.points.len() as u32 - 1
                        });
                    }
                }
                *times += 1;
            }
            surface.parts.push(part);
            surface.corners.extend(points.iter().map(|&point| point as i32));
            if let Some(last) = surface.corners.last_mut() {
                *last = !*last;
            }
            surface.vertices.extend(polygon.iter().map(|&vertex| first + vertex as i32));
        }
        first += primitive.positions.len() as i32;
    }
    surface
}

fn corners_of(topology: Topology) -> usize {
    match topology {
        Topology::Triangles => 3,
        Topology::Lines => 2,
        Topology::Points => 1,
    }
}

/// Finds the vertices that are one control point.
struct Weld<'a> {
    mesh: &'a Mesh,
    skinned: bool,
    /// The points at each place.
    at: HashMap<[u32; 3], Vec<u32>>,
}

impl Weld<'_> {
    fn point(&mut self, vertex: Vertex, points: &mut Vec<Vertex>) -> u32 {
        let position = self.mesh.primitives[vertex.0].positions[vertex.1];
        // Adding zero makes a plain zero of a negative one.
        let key = position.to_array().map(|number| (number + 0.0).to_bits());
        let (mesh, skinned) = (self.mesh, self.skinned);
        let here = self.at.entry(key).or_default();
        let known =
            here.iter().find(|&&point| moves_as(mesh, skinned, points[point as usize], vertex));
        if let Some(&known) = known {
            return known;
        }
        points.push(vertex);
        let point = points.len() as u32 - 1;
        here.push(point);
        point
    }
}

/// Whether two vertices at one place stay together whatever the joints and the shapes do.
fn moves_as(mesh: &Mesh, skinned: bool, a: Vertex, b: Vertex) -> bool {
    if a == b {
        return true;
    }
    let (one, other) = (&mesh.primitives[a.0], &mesh.primitives[b.0]);
    let same = |of: &dyn Fn(&Primitive, usize) -> Vec3| of(one, a.1) == of(other, b.1);
    let bent = |part: &Primitive| skinned && !part.influences.is_empty();
    let joints = match (bent(one), bent(other)) {
        (true, true) => one.influences.of(a.1) == other.influences.of(b.1),
        (false, false) => true,
        _ => false,
    };
    let dual = one.dual_weights.get(a.1) == other.dual_weights.get(b.1);
    joints
        && dual
        && (0..mesh.morph_count()).all(|morph| {
            same(&|part, at| offset(&part.morphs[morph].positions, at))
                && same(&|part, at| offset(&part.morphs[morph].normals, at))
        })
}

/// What a morph target adds to a vertex.
pub(super) fn offset(list: &[Vec3], vertex: usize) -> Vec3 {
    list.get(vertex).copied().unwrap_or(Vec3::ZERO)
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

/// Normals, tangents, texture coordinates, colours and materials, each with its layer.
fn elements(mesh: &Mesh, surface: &Surface, slots: &[Option<MaterialId>]) -> Vec<(usize, Node)> {
    let corners = Corners { mesh, surface };
    let mut elements = Vec::new();
    if mesh.primitives.iter().any(|part| !part.normals.is_empty()) {
        let up = |part: &Primitive, at: usize| part.normals.get(at).copied().unwrap_or(Vec3::Y);
        let normals = corners.list(|part, at| up(part, at).as_dvec3().to_array());
        elements.push((
            0,
            corners.element(0, ("LayerElementNormal", "Normals", "NormalsIndex"), "", normals),
        ));
        if mesh.primitives.iter().any(|part| !part.tangents.is_empty()) {
            let along = |part: &Primitive, at: usize| {
                part.tangents.get(at).copied().unwrap_or(Vec3::X.extend(1.0))
            };
            let across = corners.list(|part, at| {
                let tangent = along(part, at);
                (up(part, at).cross(tangent.truncate()) * tangent.w).as_dvec3().to_array()
            });
            let names = ("LayerElementBinormal", "Binormals", "BinormalsIndex");
            elements.push((0, corners.element(0, names, "", across)));
            let tangents =
                corners.list(|part, at| along(part, at).truncate().as_dvec3().to_array());
            let names = ("LayerElementTangent", "Tangents", "TangentsIndex");
            elements.push((0, corners.element(0, names, "", tangents)));
        }
    }
    let sets =
        |count: fn(&Primitive) -> usize| mesh.primitives.iter().map(count).max().unwrap_or(0);
    for set in 0..sets(|part| part.colors.len()) {
        let colors = corners.list(|part, at| {
            let own = part.colors.get(set).and_then(|colors| colors.get(at));
            own.map_or([1.0; 4], |color| color.as_dvec4().to_array())
        });
        let names = ("LayerElementColor", "Colors", "ColorIndex");
        elements.push((set, corners.element(set, names, &format!("Color{set}"), colors)));
    }
    for set in 0..sets(|part| part.uvs.len()) {
        let uvs = corners.list(|part, at| {
            let own = part.uvs.get(set).and_then(|uvs| uvs.get(at)).copied().unwrap_or_default();
            // FBX has (0, 0) at the bottom left, we have it at the top left.
            [f64::from(own.x), 1.0 - f64::from(own.y)]
        });
        let names = ("LayerElementUV", "UV", "UVIndex");
        elements.push((set, corners.element(set, names, &uv_name(set), uvs)));
    }
    if !slots.is_empty() {
        elements.push((0, material_element(mesh, surface, slots)));
    }
    elements
}

/// What a set of texture coordinates is called, by geometries and by textures.
pub(super) fn uv_name(set: usize) -> String {
    if set == 0 { "UVMap".to_owned() } else { format!("UVMap{set}") }
}

fn material_element(mesh: &Mesh, surface: &Surface, slots: &[Option<MaterialId>]) -> Node {
    let slot = |part: &usize| {
        let own = mesh.primitives[*part].material;
        slots.iter().position(|&slot| slot == own).unwrap_or(0) as i32
    };
    let (mapping, list) = if slots.len() == 1 {
        ("AllSame", vec![0])
    } else {
        ("ByPolygon", surface.parts.iter().map(slot).collect())
    };
    Node::of("LayerElementMaterial", 0)
        .field("Version", 101)
        .field("Name", "")
        .field("MappingInformationType", mapping)
        .field("ReferenceInformationType", "IndexToDirect")
        .field("Materials", list)
}

/// Attributes of corners: a list of values, and for each corner one of them.
struct Corners<'a> {
    mesh: &'a Mesh,
    surface: &'a Surface,
}

impl Corners<'_> {
    /// The value of every vertex, primitive after primitive.
    fn list<const N: usize>(&self, value: impl Fn(&Primitive, usize) -> [f64; N]) -> Vec<f64> {
        let parts = self.mesh.primitives.iter();
        let each = parts.flat_map(|part| (0..part.positions.len()).map(move |at| (part, at)));
        each.flat_map(|(part, at)| value(part, at)).collect()
    }

    fn element(
        &self,
        number: usize,
        (name, values, index): (&'static str, &'static str, &'static str),
        title: &str,
        list: Vec<f64>,
    ) -> Node {
        Node::of(name, number as i32)
            .field("Version", if name == "LayerElementNormal" { 102 } else { 101 })
            .field("Name", title)
            .field("MappingInformationType", "ByPolygonVertex")
            .field("ReferenceInformationType", "IndexToDirect")
            .field(values, list)
            .field(index, self.surface.vertices.clone())
    }
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
