//! Joins vertices that are equal in all their attributes.
//!
//! In:  a primitive, perhaps with a vertex of its own for every corner.
//! Out: the same corners over fewer vertices, in the order of their first use in the lists.
//!
//! Equal means equal to the last bit, in positions, every attribute, every influence and every
//! morph target: vertices that only look alike at rest stay apart.

use sinew_scene::Geometry;

use super::hash::{Mix, Seed};
use super::vertices::{is_sound, keep};
use std::hash::{BuildHasher, Hasher};

pub(super) fn join(primitive: &mut Geometry) {
    if primitive.positions.len() < 2 || !is_sound(primitive) {
        return;
    }
    let (kept, new_of) = distinct(primitive);
    if kept.len() == primitive.positions.len() {
        return;
    }
    for index in &mut primitive.indices {
        *index = new_of[*index as usize];
    }
    keep(primitive, &kept);
}

const FREE: u32 = u32::MAX;

/// The first of each kind of vertex, and for every vertex the number of its kind.
fn distinct(primitive: &Geometry) -> (Vec<u32>, Vec<u32>) {
    let count = primitive.positions.len();
    let seed = Seed::new();
    // Open addressing, never more than half full, holding places in `kept`.
    let mut table = vec![FREE; (count * 2).next_power_of_two()];
    let mask = table.len() - 1;
    let mut kept: Vec<u32> = Vec::with_capacity(count);
    let mut new_of = Vec::with_capacity(count);
    for vertex in 0..count {
        let mut slot = hash(primitive, vertex, &seed) as usize & mask;
        let kind = loop {
            match table[slot] {
                FREE => {
                    table[slot] = kept.len() as u32;
                    kept.push(vertex as u32);
                    break kept.len() as u32 - 1;
                }
                kind if is_equal(primitive, kept[kind as usize] as usize, vertex) => break kind,
                _ => slot = (slot + 1) & mask,
            }
        };
        new_of.push(kind);
    }
    (kept, new_of)
}

/// Every number of a vertex but its influences, handed on in a fixed order.
fn all_numbers(primitive: &Geometry, vertex: usize, mut look: impl FnMut(&[f32])) {
    look(&primitive.positions[vertex].to_array());
    if let Some(normal) = primitive.normals.get(vertex) {
        look(&normal.to_array());
    }
    if let Some(tangent) = primitive.tangents.get(vertex) {
        look(&tangent.to_array());
    }
    for uv in primitive.uvs.iter().filter_map(|set| set.get(vertex)) {
        look(&uv.to_array());
    }
    for color in primitive.colors.iter().filter_map(|set| set.get(vertex)) {
        look(&color.to_array());
    }
    if let Some(weight) = primitive.dual_weights.get(vertex) {
        look(&[*weight]);
    }
    for morph in &primitive.morphs {
        for list in [&morph.positions, &morph.normals, &morph.tangents] {
            if let Some(shift) = list.get(vertex) {
                look(&shift.to_array());
            }
        }
    }
}

fn influences(primitive: &Geometry, vertex: usize) -> &[sinew_scene::Influence] {
    if primitive.influences.is_empty() { &[] } else { primitive.influences.of(vertex) }
}

fn hash(primitive: &Geometry, vertex: usize, seed: &Seed) -> u64 {
    let mut mix: Mix = seed.build_hasher();
    all_numbers(primitive, vertex, |numbers| mix.floats(numbers));
    for influence in influences(primitive, vertex) {
        mix.word(u64::from(influence.joint) << 32 | u64::from(influence.weight.to_bits()));
    }
    mix.finish()
}

fn is_equal(primitive: &Geometry, one: usize, other: usize) -> bool {
    fn same<const N: usize>(one: [f32; N], other: [f32; N]) -> bool {
        one.map(f32::to_bits) == other.map(f32::to_bits)
    }
    macro_rules! same_in {
        ($list:expr) => {
            $list.is_empty() || same($list[one].to_array(), $list[other].to_array())
        };
    }
    let weights = &primitive.dual_weights;
    let bits = |one: &sinew_scene::Influence| (one.joint, one.weight.to_bits());
    same_in!(primitive.positions)
        && same_in!(primitive.normals)
        && same_in!(primitive.tangents)
        && primitive.uvs.iter().all(|set| same_in!(set))
        && primitive.colors.iter().all(|set| same_in!(set))
        && (weights.is_empty() || same([weights[one]], [weights[other]]))
        && influences(primitive, one)
            .iter()
            .map(bits)
            .eq(influences(primitive, other).iter().map(bits))
        && primitive.morphs.iter().all(|morph| {
            same_in!(morph.positions) && same_in!(morph.normals) && same_in!(morph.tangents)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Vec2, Vec3, Vec4};
    use sinew_scene::{Influence, MorphTarget};

    /// Two triangles of a square, each with three vertices of its own.
    fn soup() -> Geometry {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let corners = [0, 1, 2, 0, 2, 3];
        let mut primitive = Geometry {
            positions: corners.map(|at: usize| Vec2::from(square[at]).extend(0.0)).to_vec(),
            uvs: vec![corners.map(|at| Vec2::from(square[at])).to_vec()],
            indices: (0..6).collect(),
            ..Geometry::default()
        };
        for _ in 0..6 {
            primitive.influences.push([Influence { joint: 0, weight: 1.0 }]);
        }
        primitive
    }

    #[test]
    fn a_soup_of_six_corners_becomes_a_square_of_four() {
        let mut primitive = soup();
        join(&mut primitive);
        assert_eq!(primitive.indices, [0, 1, 2, 0, 2, 3]);
        assert_eq!(primitive.positions, [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y]);
        assert_eq!(primitive.uvs[0][3], Vec2::Y);
        assert_eq!(primitive.influences.len(), 4);
        assert!(is_sound(&primitive));
    }

    /// Weights count too, and so does everything else.
    #[test]
    fn vertices_that_differ_in_one_thing_stay_apart() {
        let other_weights = |primitive: &mut Geometry| {
            primitive.influences = sinew_scene::Influences::default();
            for vertex in 0..6 {
                let weight = if vertex == 3 { 0.75 } else { 0.5 };
                let pairs = [(0, weight), (1, 1.0 - weight)];
                primitive.influences.push(pairs.map(|(joint, weight)| Influence { joint, weight }));
            }
        };
        let fourth = |odd: f32| (0..6).map(move |at| if at == 3 { odd } else { 0.0 });
        let changes: [&dyn Fn(&mut Geometry); 8] = [
            &other_weights,
            &|p| p.uvs.push(fourth(0.5).map(Vec2::splat).collect()),
            &|p| p.colors.push(fourth(0.5).map(Vec4::splat).collect()),
            &|p| p.normals = fourth(1.0).map(|x| Vec3::new(x, 1.0 - x, 0.0)).collect(),
            &|p| p.tangents = fourth(-1.0).map(|w| Vec3::X.extend(w)).collect(),
            &|p| p.dual_weights = fourth(1.0).collect(),
            &|p| {
                let positions = fourth(0.1).map(Vec3::splat).collect();
                p.morphs.push(MorphTarget { positions, ..MorphTarget::default() });
            },
            &|p| {
                let tangents = fourth(0.1).map(Vec3::splat).collect();
                p.morphs.push(MorphTarget { tangents, ..MorphTarget::default() });
            },
        ];
        for (at, change) in changes.iter().enumerate() {
            let mut primitive = soup();
            change(&mut primitive);
            assert!(!is_equal(&primitive, 0, 3), "change {at}");
            assert!(is_equal(&primitive, 2, 4), "change {at}");
            join(&mut primitive);
            assert_eq!(primitive.positions.len(), 5, "change {at}");
            assert_eq!(primitive.indices, [0, 1, 2, 3, 2, 4], "change {at}");
        }
    }
}
