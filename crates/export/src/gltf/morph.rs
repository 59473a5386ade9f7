//! Morph targets: differences, of which only those that are not zero are written where that is smaller.
//!
//! In:  a primitive's morph targets. Out: the document's, which all have the same attributes: some readers take an attribute
//! that one target lacks for the mesh's own.

use glam::Vec3;
use sinew_scene::{MorphTarget, Primitive};

use super::buffer::Buffers;
use super::elements::{Elements, Use};
use super::grid::Grid;
use super::json::Object;
use super::mesh::flat3;

pub(super) fn write(
    primitive: &Primitive,
    grid: Option<Grid>,
    buffers: &mut Buffers,
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
    let count = primitive.positions.len();
    let mut write = |morph: &MorphTarget| {
        let mut target = Object::new();
        if with_positions {
            let in_grid = |&by: &Vec3| grid.map_or(by, |grid| grid.difference(by));
            let moved: Vec<Vec3> = morph.positions.iter().map(in_grid).collect();
            target.set("POSITION", differences(&moved, count, true, buffers));
        }
        if with_normals {
            target.set("NORMAL", differences(&morph.normals, count, false, buffers));
        }
        if with_tangents {
            target.set("TANGENT", differences(&morph.tangents, count, false, buffers));
        }
        target
    };
    primitive.morphs.iter().map(&mut write).collect()
}

fn differences(list: &[Vec3], count: usize, bounded: bool, buffers: &mut Buffers) -> usize {
    if list.iter().all(|difference| *difference == Vec3::ZERO) {
        return buffers.add_sparse(3, &vec![0.0; count * 3], &[]);
    }
    let flat = flat3(list);
    let moved = |(at, difference): (u32, &Vec3)| (*difference != Vec3::ZERO).then_some(at);
    let rows: Vec<u32> = (0_u32..).zip(list).filter_map(moved).collect();
    // An index of up to four bytes, three numbers, and some words of JSON.
    if rows.len() * 16 + 200 < count * 12 {
        return buffers.add_sparse(3, &flat, &rows);
    }
    let elements = Elements::floats(Use::Vertex, 3, &flat);
    buffers.add(if bounded { elements.bounded(&flat) } else { elements })
}
