//! Attributes of surfaces: normals, tangents, texture coordinates and colours.
//!
//! In:  a primitive and its material. Out: attributes by name.
//!
//! glTF wants sets of attributes without holes, unit normals and colours from zero to one: what the scene has otherwise is
//! made so, with a note.

use glam::{Vec2, Vec3, Vec4};
use sinew_scene::{Material, Primitive};

use super::elements::{Elements, Use};
use super::exact::{unorm8, unorm16};
use super::material;
use super::note::Notes;
use super::precision::{GltfPrecision, rounded8, rounded16, snorm8};

pub(super) fn attributes(
    primitive: &Primitive,
    material: Option<&Material>,
    precision: GltfPrecision,
    notes: &mut Notes,
) -> Vec<(String, Elements)> {
    let mut all = Vec::new();
    if !primitive.normals.is_empty() {
        let normals = normals(&primitive.normals, notes);
        all.push(("NORMAL".to_owned(), directions(3, &normals, precision)));
    }
    if !primitive.tangents.is_empty() && !primitive.normals.is_empty() {
        let tangents = tangents(&primitive.tangents, notes);
        all.push(("TANGENT".to_owned(), directions(4, &tangents, precision)));
    }
    let count = primitive.positions.len();
    let sets = primitive.uvs.len().max(material.map_or(0, sets_used));
    for set in 0..sets {
        let uvs = match primitive.uvs.get(set).filter(|uvs| !uvs.is_empty()) {
            Some(uvs) => texture_coordinates(uvs, precision),
            // A set that the mesh lacks reads as (0, 0).
            None => texture_coordinates(&vec![Vec2::ZERO; count], precision),
        };
        all.push((format!("TEXCOORD_{set}"), uvs));
    }
    for (set, colors) in primitive.colors.iter().enumerate() {
        let colors = match colors.is_empty() {
            true => vertex_colors(&vec![Vec4::ONE; count], precision, notes),
            false => vertex_colors(colors, precision, notes),
        };
        all.push((format!("COLOR_{set}"), colors));
    }
    all
}

fn directions(width: usize, values: &[f32], precision: GltfPrecision) -> Elements {
    if precision < GltfPrecision::Quantized {
        return Elements::floats(Use::Vertex, width, values);
    }
    let four = |direction: &[f32]| {
        let mut four = [0_i8; 4];
        direction.iter().zip(&mut four).for_each(|(&from, to)| *to = snorm8(from));
        four
    };
    let bytes: Vec<[i8; 4]> = values.chunks_exact(width).map(four).collect();
    Elements::signed_bytes(width, &bytes).normalized()
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

fn texture_coordinates(uvs: &[Vec2], precision: GltfPrecision) -> Elements {
    let flat: Vec<f32> = uvs.iter().flat_map(|uv| uv.to_array()).collect();
    let shorts = match precision {
        GltfPrecision::Exact => unorm16(&flat),
        _ => rounded16(&flat),
    };
    match shorts {
        Some(shorts) => Elements::shorts(Use::Vertex, 2, &shorts).normalized(),
        None => Elements::floats(Use::Vertex, 2, &flat),
    }
}

fn vertex_colors(colors: &[Vec4], precision: GltfPrecision, notes: &mut Notes) -> Elements {
    let outside = |color: &&Vec4| color.clamp(Vec4::ZERO, Vec4::ONE) != **color;
    notes.add_times(
        "a vertex colour is not from zero to one, as glTF wants it: it is cut to that",
        colors.iter().filter(outside).count(),
    );
    let cut = |color: &Vec4| color.clamp(Vec4::ZERO, Vec4::ONE).to_array();
    let flat: Vec<f32> = colors.iter().flat_map(cut).collect();
    let bytes = match precision {
        GltfPrecision::Exact => unorm8(&flat),
        _ => Some(rounded8(&flat)),
    };
    if let Some(bytes) = bytes {
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
