//! What a geometry has for each corner or polygon: normals, tangents, texture coordinates, colours, materials.
//!
//! In:  a mesh and its surface.
//! Out: layer elements: a list of values, one for each vertex, and for each corner the number of its value.

use sinew_scene::glam::Vec3;
use sinew_scene::{MaterialId, Mesh, Primitive};

use super::node::Node;
use super::surface::Surface;

/// Normals, tangents, texture coordinates, colours and materials, each with its layer.
pub(super) fn elements(
    mesh: &Mesh,
    surface: &Surface,
    slots: &[Option<MaterialId>],
) -> Vec<(usize, Node)> {
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
