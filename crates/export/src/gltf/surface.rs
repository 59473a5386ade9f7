//! Attributes of surfaces: normals, tangents, texture coordinates and colours.
//!
//! In:  a primitive and its material. Out: attributes by name.
//!
//! glTF wants sets of attributes without holes, unit normals and colours from zero to one: what the scene has otherwise is
//! made so, with a note.

use std::borrow::Cow;

use glam::{Vec3, Vec4};
use sinew_scene::{Material, Primitive};

use super::elements::{Elements, Use};
use super::exact::{unorm8, unorm16};
use super::material;
use super::note::Notes;
use super::precision::{GltfPrecision, rounded8, rounded16, snorm8};

pub(super) fn attributes<'a>(
    primitive: &'a Primitive,
    material: Option<&Material>,
    precision: GltfPrecision,
    notes: &mut Notes,
) -> Vec<(String, Elements<'a>)> {
    let mut all = Vec::new();
    if !primitive.normals.is_empty() {
        let normals = normals(&primitive.normals, notes);
        all.push(("NORMAL".to_owned(), directions(3, normals, precision)));
    }
    if !primitive.tangents.is_empty() && !primitive.normals.is_empty() {
        let tangents = tangents(&primitive.tangents, notes);
        all.push(("TANGENT".to_owned(), directions(4, tangents, precision)));
    }
    let count = primitive.positions.len();
    let sets = primitive.uvs.len().max(material.map_or(0, sets_used));
    for set in 0..sets {
        let uvs = match primitive.uvs.get(set).filter(|uvs| !uvs.is_empty()) {
            Some(uvs) => texture_coordinates(Cow::Borrowed(bytemuck::cast_slice(uvs)), precision),
            // A set that the mesh lacks reads as (0, 0).
            None => texture_coordinates(Cow::Owned(vec![0.0; 2 * count]), precision),
        };
        all.push((format!("TEXCOORD_{set}"), uvs));
    }
    for (set, colors) in primitive.colors.iter().enumerate() {
        let colors = match colors.is_empty() {
            true => vertex_colors(Cow::Owned(vec![Vec4::ONE; count]), precision, notes),
            false => vertex_colors(Cow::Borrowed(colors), precision, notes),
        };
        all.push((format!("COLOR_{set}"), colors));
    }
    all
}

/// Floats as the scene has them, or others in their place.
fn floats(width: usize, values: Cow<'_, [f32]>) -> Elements<'_> {
    match values {
        Cow::Borrowed(values) => Elements::scene_floats(Use::Vertex, width, values),
        Cow::Owned(values) => Elements::floats(Use::Vertex, width, &values),
    }
}

fn directions(width: usize, values: Cow<'_, [f32]>, precision: GltfPrecision) -> Elements<'_> {
    if precision < GltfPrecision::Quantized {
        return floats(width, values);
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

fn normals<'a>(filed: &'a [Vec3], notes: &mut Notes) -> Cow<'a, [f32]> {
    let bad = |normal: &Vec3| (normal.length() - 1.0).abs() > UNIT;
    let mended = filed.iter().filter(|normal| bad(normal)).count();
    if mended == 0 {
        return Cow::Borrowed(bytemuck::cast_slice(filed));
    }
    notes.add_times("a normal is not of unit length: it is made so", mended);
    let good = |normal: &Vec3| if bad(normal) { normal.normalize_or(Vec3::Y) } else { *normal };
    filed.iter().flat_map(|normal| good(normal).to_array()).collect()
}

fn tangents<'a>(filed: &'a [Vec4], notes: &mut Notes) -> Cow<'a, [f32]> {
    let is_good = |tangent: &Vec4| {
        (tangent.truncate().length() - 1.0).abs() <= UNIT && tangent.w.abs() == 1.0
    };
    let mended = filed.iter().filter(|tangent| !is_good(tangent)).count();
    if mended == 0 {
        return Cow::Borrowed(bytemuck::cast_slice(filed));
    }
    let good = |tangent: &Vec4| {
        if is_good(tangent) {
            return *tangent;
        }
        let side = if tangent.w < 0.0 { -1.0 } else { 1.0 };
        tangent.truncate().normalize_or(Vec3::X).extend(side)
    };
    let tangents = filed.iter().flat_map(|tangent| good(tangent).to_array()).collect();
    notes.add_times("a tangent is not of unit length: it is made so", mended);
    tangents
}

fn texture_coordinates(flat: Cow<'_, [f32]>, precision: GltfPrecision) -> Elements<'_> {
    let shorts = match precision {
        GltfPrecision::Exact => unorm16(&flat),
        _ => rounded16(&flat),
    };
    match shorts {
        Some(shorts) => Elements::shorts(Use::Vertex, 2, &shorts).normalized(),
        None => floats(2, flat),
    }
}

fn vertex_colors<'a>(
    mut colors: Cow<'a, [Vec4]>,
    precision: GltfPrecision,
    notes: &mut Notes,
) -> Elements<'a> {
    let outside = |color: &&Vec4| color.clamp(Vec4::ZERO, Vec4::ONE) != **color;
    let cut = colors.iter().filter(outside).count();
    if cut > 0 {
        let text = "a vertex colour is not from zero to one, as glTF wants it: it is cut to that";
        notes.add_times(text, cut);
        let inside = |color: &Vec4| color.clamp(Vec4::ZERO, Vec4::ONE);
        colors = Cow::Owned(colors.iter().map(inside).collect());
    }
    let flat: &[f32] = bytemuck::cast_slice(&colors);
    let bytes = match precision {
        GltfPrecision::Exact => unorm8(flat),
        _ => Some(rounded8(flat)),
    };
    if let Some(bytes) = bytes {
        return Elements::bytes(Use::Vertex, 4, bytes).normalized();
    }
    if let Some(shorts) = unorm16(flat) {
        return Elements::shorts(Use::Vertex, 4, &shorts).normalized();
    }
    if colors.iter().all(|color| color.w == 1.0) {
        let flat: Vec<f32> =
            flat.chunks_exact(4).flat_map(|four| four[..3].iter().copied()).collect();
        return Elements::floats(Use::Vertex, 3, &flat);
    }
    match colors {
        Cow::Borrowed(colors) => floats(4, Cow::Borrowed(bytemuck::cast_slice(colors))),
        Cow::Owned(colors) => Elements::floats(Use::Vertex, 4, bytemuck::cast_slice(&colors)),
    }
}
