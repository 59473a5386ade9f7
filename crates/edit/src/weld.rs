//! Vertices that are the same but for the rounding of their normals, once.
//!
//! In:  the parts of a scene.
//! Out: fewer vertices that draw the same.
//!
//! Positions, texture coordinates, colours, influences and morph targets are the same to the last bit; normals and tangents within a
//! hundredth of a degree, as exporters that compute them per corner leave them.

use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};

use rayon::prelude::*;
use sinew_scene::glam::{Vec3, Vec4};
use sinew_scene::{Geometry, Influences, Primitive, SceneParts};

/// Parts of one to which normals are rounded before they are compared.
const NORMAL_PARTS: f32 = 8_192.0;
/// Vertices whose hashes are worked out together.
const CHUNK: usize = 4_096;
/// A place of the table that nothing is in.
const FREE: u32 = u32::MAX;

/// Joins vertices that are the same. Gives back how many are gone.
pub fn weld_vertices(parts: &mut SceneParts) -> usize {
    let primitives = parts.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives);
    primitives.collect::<Vec<_>>().into_par_iter().map(weld).sum()
}

fn weld(primitive: &mut Primitive) -> usize {
    let count = primitive.positions.len();
    let (kept, now) = kept(primitive);
    if kept.len() == count {
        return 0;
    }
    let geometry: &mut Geometry = primitive;
    for index in &mut geometry.indices {
        *index = now[*index as usize];
    }
    keep(&mut geometry.positions, &kept);
    keep(&mut geometry.normals, &kept);
    keep(&mut geometry.tangents, &kept);
    keep(&mut geometry.dual_weights, &kept);
    geometry.uvs.iter_mut().for_each(|uvs| keep(uvs, &kept));
    geometry.colors.iter_mut().for_each(|colors| keep(colors, &kept));
    for morph in &mut geometry.morphs {
        keep(&mut morph.positions, &kept);
        keep(&mut morph.normals, &kept);
        keep(&mut morph.tangents, &kept);
    }
    if !geometry.influences.is_empty() {
        let mut influences = Influences::with_capacity(kept.len(), 4);
        for &vertex in &kept {
            influences.push_exact(geometry.influences.of(vertex).iter().copied());
        }
        geometry.influences = influences;
    }
    count - kept.len()
}

fn keep<T: Copy>(list: &mut Vec<T>, kept: &[usize]) {
    if !list.is_empty() {
        *list = kept.iter().map(|&vertex| list[vertex]).collect();
    }
}

/// The first vertex of each kind, and for every vertex the number of its kind.
fn kept(primitive: &Primitive) -> (Vec<usize>, Vec<u32>) {
    let count = primitive.positions.len();
    let numbers: Vec<usize> = (0..count).collect();
    let seed = RandomState::new().hash_one(count);
    let hashes: Vec<u64> = numbers
        .par_chunks(CHUNK)
        .flat_map_iter(|chunk| {
            let mut row = Vec::new();
            chunk.iter().map(move |&vertex| {
                bits(primitive, vertex, &mut row);
                hashed(&row, seed)
            })
        })
        .collect();
    // Each kind is in the first free place from its hash on. Half of the places stay free.
    let places = (2 * count).next_power_of_two();
    let mut table = vec![FREE; places];
    let mut kept: Vec<usize> = Vec::with_capacity(count);
    let mut now: Vec<u32> = Vec::with_capacity(count);
    let [mut row, mut other] = [Vec::new(), Vec::new()];
    for (vertex, &hash) in hashes.iter().enumerate() {
        let mut place = hash as usize & (places - 1);
        let kind = loop {
            let kind = table[place];
            if kind == FREE {
                table[place] = kept.len() as u32;
                kept.push(vertex);
                break table[place];
            }
            let known = kept[kind as usize];
            if hashes[known] == hash {
                bits(primitive, vertex, &mut row);
                bits(primitive, known, &mut other);
                if row == other {
                    break kind;
                }
            }
            place = (place + 1) & (places - 1);
        };
        now.push(kind);
    }
    (kept, now)
}

/// A hash that is quick; what has the same is compared number by number. With a seed of its own in each run no file can be made for many
/// vertices to have the same.
fn hashed(row: &[u32], seed: u64) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let folded = |hash: u64, numbers: u64| {
        let product = u128::from(hash ^ numbers) * u128::from(seed | 1);
        (product as u64 ^ (product >> 64) as u64).wrapping_add(ODD)
    };
    let (pairs, rest) = row.as_chunks::<2>();
    let hash = pairs
        .iter()
        .fold(seed, |hash, &[low, high]| folded(hash, u64::from(low) | u64::from(high) << 32));
    rest.iter().fold(hash, |hash, &number| folded(hash, u64::from(number)))
}

/// What two vertices have in common that are the same. Morph targets, which are long, by a hash of 64 bits.
fn bits(primitive: &Primitive, vertex: usize, bits: &mut Vec<u32>) {
    bits.clear();
    bits.extend(primitive.positions[vertex].to_array().map(f32::to_bits));
    let rounded = |number: f32| (number * NORMAL_PARTS).round() as i32 as u32;
    let normal = primitive.normals.get(vertex).copied().unwrap_or(Vec3::ZERO);
    bits.extend(normal.to_array().map(rounded));
    let tangent = primitive.tangents.get(vertex).copied().unwrap_or(Vec4::ZERO);
    bits.extend(tangent.to_array().map(rounded));
    let uvs = primitive.uvs.iter().filter_map(|uvs| uvs.get(vertex));
    bits.extend(uvs.flat_map(|uv| uv.to_array().map(f32::to_bits)));
    let colors = primitive.colors.iter().filter_map(|colors| colors.get(vertex));
    bits.extend(colors.flat_map(|color| color.to_array().map(f32::to_bits)));
    bits.extend(primitive.dual_weights.get(vertex).map(|weight| weight.to_bits()));
    if !primitive.influences.is_empty() {
        let influences = primitive.influences.of(vertex).iter();
        bits.extend(influences.flat_map(|it| [it.joint, it.weight.to_bits()]));
    }
    if !primitive.morphs.is_empty() {
        let mut hasher = DefaultHasher::new();
        for morph in &primitive.morphs {
            let lists = [&morph.positions, &morph.normals, &morph.tangents];
            for change in lists.into_iter().filter_map(|list| list.get(vertex)) {
                change.to_array().map(f32::to_bits).hash(&mut hasher);
            }
        }
        let hash = hasher.finish();
        bits.extend([hash as u32, (hash >> 32) as u32]);
    }
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::Vec2;
    use sinew_scene::{Influence, Mesh};

    use super::*;

    #[test]
    fn corners_that_differ_by_rounding_are_one_and_others_stay() {
        let mut influences = Influences::default();
        for joint in [0, 0, 1, 0] {
            influences.push([Influence { joint, weight: 1.0 }]);
        }
        let primitive = Primitive::from(Geometry {
            indices: vec![0, 1, 2, 3, 1, 0],
            positions: vec![Vec3::X; 4],
            // The second is off by rounding, the third has another joint, the last another normal.
            normals: vec![Vec3::Y, Vec3::new(1e-6, 1.0, 0.0), Vec3::Y, Vec3::Z],
            uvs: vec![vec![Vec2::ZERO; 4]],
            influences,
            ..Geometry::default()
        });
        let mesh = Mesh { primitives: vec![primitive], ..Mesh::default() };
        let mut parts = SceneParts { meshes: vec![mesh], ..SceneParts::default() };
        assert_eq!(weld_vertices(&mut parts), 1);
        let primitive = &parts.meshes[0].primitives[0];
        assert_eq!(primitive.indices, [0, 0, 1, 2, 0, 0]);
        assert_eq!(primitive.normals, [Vec3::Y, Vec3::Y, Vec3::Z]);
        assert_eq!(primitive.influences.of(1)[0].joint, 1);
        assert_eq!((primitive.positions.len(), primitive.uvs[0].len()), (3, 3));
        assert_eq!(weld_vertices(&mut parts), 0);
    }
}
