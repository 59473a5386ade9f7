//! Morph targets: differences, of which only those that are not zero are written where that is smaller.
//!
//! In:  a primitive's morph targets. Out: the document's, which all have the same attributes: some readers take an attribute
//! that one target lacks for the mesh's own.
//!
//! Quantised, positions have two bytes for each number and directions one, where all differences of a primitive are within the grid.

use glam::Vec3;
use sinew_scene::{MorphTarget, Primitive};

use super::buffer::Buffers;
use super::elements::{Component, Elements, Use, index_component};
use super::grid::Grid;
use super::json::Object;
use super::mesh::flat3;
use super::{GltfOptions, GltfPrecision};

pub(super) fn write(
    primitive: &Primitive,
    grid: Option<Grid>,
    options: &GltfOptions,
    buffers: &mut Buffers<'_>,
) -> Vec<Object> {
    let any = |list: fn(&MorphTarget) -> &Vec<Vec3>| {
        primitive.morphs.iter().any(|morph| !list(morph).is_empty())
    };
    let with_normals = any(|morph| &morph.normals) && !primitive.normals.is_empty();
    let with_tangents = any(|morph| &morph.tangents)
        && !primitive.tangents.is_empty()
        && !primitive.normals.is_empty();
    // A target has at least one attribute.
    let with_positions = any(|morph| &morph.positions) || !with_normals;
    let in_grid = |&by: &Vec3| grid.map_or(by, |grid| grid.difference(by));
    let positions =
        |morph: &MorphTarget| -> Vec<Vec3> { morph.positions.iter().map(in_grid).collect() };
    let rounds = options.precision >= GltfPrecision::Quantized && !options.exact_morph_targets;
    let fits = |vector: &Vec3| vector.abs().max_element() <= 1.0;
    let mut morphs = primitive.morphs.iter();
    let short = rounds
        && grid.is_some()
        && morphs.all(|morph| morph.positions.iter().map(in_grid).all(|by| fits(&by)));
    let mut morphs = primitive.morphs.iter();
    let bytes = rounds && morphs.all(|morph| morph.normals.iter().chain(&morph.tangents).all(fits));
    let place =
        Kind { component: if short { Component::I16 } else { Component::F32 }, bounded: true };
    let direction =
        Kind { component: if bytes { Component::I8 } else { Component::F32 }, bounded: false };
    let count = primitive.positions.len();
    let mut write = |morph: &MorphTarget| {
        let moved = if with_positions { positions(morph) } else { Vec::new() };
        let lists = [
            ("POSITION", with_positions, &moved, place),
            ("NORMAL", with_normals, &morph.normals, direction),
            ("TANGENT", with_tangents, &morph.tangents, direction),
        ];
        let lists: Vec<_> = lists.into_iter().filter(|(_, with, ..)| *with).collect();
        let mut rows: Vec<Vec<u32>> =
            lists.iter().map(|(_, _, list, kind)| kind.moved(list)).collect();
        let sizes: Vec<usize> = lists.iter().map(|(.., kind)| kind.sizes()[0]).collect();
        share_rows(&mut rows, &sizes, index_bytes(count));
        let mut target = Object::new();
        for ((name, _, list, kind), rows) in lists.into_iter().zip(&rows) {
            target.set(name, differences(list, rows, count, kind, buffers));
        }
        target
    };
    primitive.morphs.iter().map(&mut write).collect()
}

fn index_bytes(count: usize) -> usize {
    match index_component(count) {
        Component::U8 => 1,
        Component::U16 => 2,
        _ => 4,
    }
}

/// Gives all attributes the rows of all of them where one list of numbers for them is smaller than several.
fn share_rows(rows: &mut [Vec<u32>], sizes: &[usize], index: usize) {
    let mut all: Vec<u32> = rows.concat();
    all.sort_unstable();
    all.dedup();
    let own = rows.iter().zip(sizes).map(|(rows, size)| rows.len() * (index + size));
    let together = all.len() * (index + sizes.iter().sum::<usize>());
    if together < own.sum::<usize>() {
        rows.iter_mut().filter(|rows| !rows.is_empty()).for_each(|rows| rows.clone_from(&all));
    }
}

/// How differences are written: in floats, or rounded to parts of one; positions have bounds.
#[derive(Clone, Copy)]
struct Kind {
    component: Component,
    bounded: bool,
}

impl Kind {
    /// How many parts of one there are, where numbers are rounded.
    fn parts(self) -> Option<f32> {
        match self.component {
            Component::I8 => Some(127.0),
            Component::I16 => Some(32_767.0),
            _ => None,
        }
    }

    fn elements(self, purpose: Use, list: &[Vec3]) -> Elements<'static> {
        let Some(parts) = self.parts() else {
            let flat = flat3(list);
            let elements = Elements::floats(purpose, 3, &flat);
            let bounded = self.bounded || purpose == Use::Sparse;
            return if bounded { elements.bounded(&flat) } else { elements };
        };
        let rounded = |vector: &Vec3| vector.to_array().map(|part| (part * parts).round() as i16);
        let steps: Vec<[i16; 3]> = list.iter().map(rounded).collect();
        Elements::steps(purpose, self.component, &steps)
    }

    /// Which of these are not zero as they are written.
    fn moved(self, list: &[Vec3]) -> Vec<u32> {
        let is_some = |difference: &Vec3| match self.parts() {
            Some(parts) => difference.abs().max_element() >= 0.5 / parts,
            None => *difference != Vec3::ZERO,
        };
        let moved = |(at, difference): (u32, &Vec3)| is_some(difference).then_some(at);
        (0_u32..).zip(list).filter_map(moved).collect()
    }

    /// Bytes of one element among those that are not zero, and among all.
    fn sizes(self) -> [usize; 2] {
        match self.component {
            Component::I8 => [3, 4],
            Component::I16 => [6, 8],
            _ => [12, 12],
        }
    }
}

fn differences(
    list: &[Vec3],
    rows: &[u32],
    count: usize,
    kind: Kind,
    buffers: &mut Buffers<'_>,
) -> usize {
    if rows.is_empty() {
        return buffers.add_sparse(&kind.elements(Use::Sparse, &vec![Vec3::ZERO; count]), &[]);
    }
    // An index of up to four bytes, three numbers, and some words of JSON.
    let [sparse, whole] = kind.sizes();
    if rows.len() * (4 + sparse) + 200 < count * whole {
        return buffers.add_sparse(&kind.elements(Use::Sparse, list), rows);
    }
    buffers.add(kind.elements(Use::Vertex, list))
}
