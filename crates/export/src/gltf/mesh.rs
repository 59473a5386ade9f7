//! Meshes: attributes, indices and morph targets.
//!
//! In:  a mesh of the scene and the form it is used in. Out: a mesh of the document; every attribute that the scene has is in it.
//!
//! glTF wants sets of attributes without holes, unit normals and colours from zero to one: what the scene has otherwise is
//! made so, with a note.

use glam::{Vec2, Vec3, Vec4};
use sinew_scene::{Material, Mesh, Primitive, Scene, Topology};

use super::buffer::{Buffers, Elements, Use, index_list};
use super::exact::{unorm8, unorm16};
use super::json::Object;
use super::layout::{DocMesh, Form, is_drawn};
use super::note::Notes;
use super::{influence, material, morph};
use crate::ExportError;

pub(super) fn write(
    scene: &Scene,
    placed: &DocMesh,
    buffers: &mut Buffers,
    notes: &mut Notes,
) -> Result<Object, ExportError> {
    let mesh = &scene[placed.mesh];
    let mut primitives = Vec::new();
    for primitive in &mesh.primitives {
        if is_drawn(primitive) {
            primitives.push(write_primitive(scene, primitive, placed.form, buffers, notes)?);
        } else {
            notes.add("a primitive draws nothing: it is left out");
        }
    }
    let object = Object::new()
        .filled("name", mesh.name.as_str())
        .with("primitives", primitives)
        .filled("weights", placed.weights.clone())
        .filled("extras", extras(mesh));
    Ok(object)
}

/// By custom the names of morph targets are here.
fn extras(mesh: &Mesh) -> Object {
    let named = mesh.morph_names.iter().any(|name| !name.is_empty());
    let names = if named { mesh.morph_names.clone() } else { Vec::new() };
    Object::new().filled("targetNames", names)
}

fn write_primitive(
    scene: &Scene,
    primitive: &Primitive,
    form: Form,
    buffers: &mut Buffers,
    notes: &mut Notes,
) -> Result<Object, ExportError> {
    let mut attributes = Object::new();
    attributes.set("POSITION", buffers.add(positions(&primitive.positions)));
    write_surface(scene, primitive, &mut attributes, buffers, notes);
    match form {
        Form::Skinned(follower) => {
            influence::write(primitive, follower, &mut attributes, buffers, notes)?;
        }
        Form::Rigid if !primitive.influences.is_empty() => {
            notes.add("a mesh has weights but is drawn without a skin: they are left out");
        }
        Form::Rigid => {}
    }
    if !primitive.dual_weights.is_empty() {
        let weights = Elements::floats(Use::Vertex, 1, &primitive.dual_weights);
        attributes.set("_DUAL_WEIGHT", buffers.add(weights));
    }
    let mode = match primitive.topology {
        Topology::Points => 0_usize,
        Topology::Lines => 1,
        Topology::Triangles => 4,
    };
    let targets: Vec<Object> = morph::write(primitive, buffers);
    Ok(Object::new()
        .with("attributes", attributes)
        .some("indices", indices(primitive, buffers))
        .some("material", primitive.material.map(|material| material.index()))
        .unless("mode", mode, 4)
        .filled("targets", targets))
}

fn positions(positions: &[Vec3]) -> Elements {
    let flat = flat3(positions);
    Elements::floats(Use::Vertex, 3, &flat).bounded(&flat)
}

pub(super) fn flat3(vectors: &[Vec3]) -> Vec<f32> {
    vectors.iter().flat_map(|vector| vector.to_array()).collect()
}

/// Left out where vertices are drawn one after the other.
fn indices(primitive: &Primitive, buffers: &mut Buffers) -> Option<usize> {
    let count = primitive.positions.len();
    let in_order = primitive.indices.len() == count
        && primitive.indices.iter().zip(0_u32..).all(|(&index, at)| index == at);
    if in_order {
        return None;
    }
    let most = primitive.indices.iter().max().map_or(0, |&most| most as usize + 1);
    Some(buffers.add(index_list(Use::Index, &primitive.indices, most)))
}

/// Normals, tangents, texture coordinates and colours.
fn write_surface(
    scene: &Scene,
    primitive: &Primitive,
    attributes: &mut Object,
    buffers: &mut Buffers,
    notes: &mut Notes,
) {
    if !primitive.normals.is_empty() {
        let normals = normals(&primitive.normals, notes);
        attributes.set("NORMAL", buffers.add(Elements::floats(Use::Vertex, 3, &normals)));
    }
    if !primitive.tangents.is_empty() && !primitive.normals.is_empty() {
        let tangents = tangents(&primitive.tangents, notes);
        attributes.set("TANGENT", buffers.add(Elements::floats(Use::Vertex, 4, &tangents)));
    }
    let material = primitive.material.map(|material| &scene[material]);
    let sets = primitive.uvs.len().max(material.map_or(0, sets_used));
    let count = primitive.positions.len();
    for set in 0..sets {
        let uvs = primitive.uvs.get(set).filter(|uvs| !uvs.is_empty());
        let accessor = match uvs {
            Some(uvs) => buffers.add(texture_coordinates(uvs)),
            // A set that the mesh lacks reads as (0, 0).
            None => buffers.add(texture_coordinates(&vec![Vec2::ZERO; count])),
        };
        attributes.set(&format!("TEXCOORD_{set}"), accessor);
    }
    for (set, colors) in primitive.colors.iter().enumerate() {
        let white = vec![Vec4::ONE; if colors.is_empty() { count } else { 0 }];
        let colors = if colors.is_empty() { &white } else { colors };
        attributes.set(&format!("COLOR_{set}"), buffers.add(vertex_colors(colors, notes)));
    }
}

/// How many sets of texture coordinates a material needs.
fn sets_used(material: &Material) -> usize {
    let sets = material.textures().map(|used| material::uv_set(used.uv_set) + 1);
    sets.max().unwrap_or(0)
}

/// How far a direction may be from unit length: readers of glTF allow a little more.
const UNIT: f32 = 1e-3;

fn normals(filed: &[Vec3], notes: &mut Notes) -> Vec<f32> {
    let bad = |normal: &Vec3| (normal.length() - 1.0).abs() > UNIT;
    notes.add_times(
        "a normal is not of unit length: it is made so",
        filed.iter().filter(|normal| bad(normal)).count(),
    );
    let good = |normal: &Vec3| if bad(normal) { normal.normalize_or(Vec3::Y) } else { *normal };
    filed.iter().flat_map(|normal| good(normal).to_array()).collect()
}

fn tangents(filed: &[Vec4], notes: &mut Notes) -> Vec<f32> {
    let mut mended = 0;
    let mut good = |tangent: &Vec4| {
        let unit = (tangent.truncate().length() - 1.0).abs() <= UNIT;
        if unit && tangent.w.abs() == 1.0 {
            return *tangent;
        }
        mended += 1;
        let side = if tangent.w < 0.0 { -1.0 } else { 1.0 };
        tangent.truncate().normalize_or(Vec3::X).extend(side)
    };
    let tangents = filed.iter().flat_map(|tangent| good(tangent).to_array()).collect();
    notes.add_times("a tangent is not of unit length: it is made so", mended);
    tangents
}

fn texture_coordinates(uvs: &[Vec2]) -> Elements {
    let flat: Vec<f32> = uvs.iter().flat_map(|uv| uv.to_array()).collect();
    match unorm16(&flat) {
        Some(shorts) => Elements::shorts(Use::Vertex, 2, &shorts).normalized(),
        None => Elements::floats(Use::Vertex, 2, &flat),
    }
}

fn vertex_colors(colors: &[Vec4], notes: &mut Notes) -> Elements {
    let outside = |color: &&Vec4| color.clamp(Vec4::ZERO, Vec4::ONE) != **color;
    notes.add_times(
        "a vertex colour is not from zero to one, as glTF wants it: it is cut to that",
        colors.iter().filter(outside).count(),
    );
    let cut = |color: &Vec4| color.clamp(Vec4::ZERO, Vec4::ONE).to_array();
    let flat: Vec<f32> = colors.iter().flat_map(cut).collect();
    if let Some(bytes) = unorm8(&flat) {
        return Elements::bytes(Use::Vertex, 4, bytes).normalized();
    }
    if let Some(shorts) = unorm16(&flat) {
        return Elements::shorts(Use::Vertex, 4, &shorts).normalized();
    }
    if colors.iter().all(|color| color.w == 1.0) {
        let flat: Vec<f32> =
            flat.chunks_exact(4).flat_map(|four| four[..3].iter().copied()).collect();
        return Elements::floats(Use::Vertex, 3, &flat);
    }
    Elements::floats(Use::Vertex, 4, &flat)
}
