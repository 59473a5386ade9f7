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
const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Joins vertices that are the same. Gives back how many are gone.
pub fn weld_vertices(parts: &mut SceneParts) -> usize {
    let primitives = parts.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives);
    primitives.collect::<Vec<_>>().into_par_iter().map(weld).sum()
}

fn weld(primitive: &mut Primitive) -> usize {
    let count = primitive.positions.len();
    let joined = joined(primitive, &alike(&primitive.positions));
    if joined.is_empty() {
        return 0;
    }
    // The first vertex of each kind, and for every vertex the number of its kind.
    let mut kept: Vec<u32> = Vec::with_capacity(count - joined.len());
    let mut now: Vec<u32> = Vec::with_capacity(count);
    let mut joined = joined.into_iter().peekable();
    for vertex in 0..count as u32 {
        match joined.next_if(|(at, _)| *at == vertex) {
            Some((_, first)) => now.push(now[first as usize]),
            None => {
                now.push(kept.len() as u32);
                kept.push(vertex);
            }
        }
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
            influences.push_exact(geometry.influences.of(vertex as usize).iter().copied());
        }
        geometry.influences = influences;
    }
    count - kept.len()
}

fn keep<T: Copy>(list: &mut Vec<T>, kept: &[u32]) {
    if !list.is_empty() {
        *list = kept.iter().map(|&vertex| list[vertex as usize]).collect();
    }
}

/// The vertices that may be where another is, in order: all that are, and a few more. In most meshes nearly every vertex has a place of its
/// own, and nothing else of it needs to be looked at.
fn alike(positions: &[Vec3]) -> Vec<u32> {
    // A bit for every place that something is at, and one for those with more than one.
    let size = (16 * positions.len()).next_power_of_two().max(64);
    let [mut once, mut again] = [vec![0_u64; size / 64], vec![0_u64; size / 64]];
    let shift = 64 - size.trailing_zeros();
    let place = |position: &Vec3| {
        let [x, y, z] = position.to_array().map(|number| u64::from(number.to_bits()));
        let mixed = (x | y << 32).wrapping_mul(ODD);
        ((mixed ^ mixed >> 32 ^ z << 32 ^ z).wrapping_mul(ODD) >> shift) as usize
    };
    for position in positions {
        let place = place(position);
        let bit = 1 << (place % 64);
        again[place / 64] |= once[place / 64] & bit;
        once[place / 64] |= bit;
    }
    let is_alike = |(vertex, position): (u32, &Vec3)| {
        let place = place(position);
        (again[place / 64] & 1 << (place % 64) != 0).then_some(vertex)
    };
    (0..).zip(positions).filter_map(is_alike).collect()
}

/// Of these vertices, those that are the same as one before, with the first that is.
fn joined(primitive: &Primitive, vertices: &[u32]) -> Vec<(u32, u32)> {
    let seed = RandomState::new().hash_one(vertices.len());
    let hashes: Vec<u64> = vertices
        .par_chunks(CHUNK)
        .flat_map_iter(|chunk| {
            let mut row = Vec::new();
            chunk.iter().map(move |&vertex| {
                bits(primitive, vertex as usize, &mut row);
                hashed(&row, seed)
            })
        })
        .collect();
    // Each kind is in the first free place from its hash on. Half of the places stay free.
    let places = (2 * vertices.len()).next_power_of_two();
    let mut table = vec![FREE; places];
    let mut found = Vec::new();
    let [mut row, mut other] = [Vec::new(), Vec::new()];
    for (at, &hash) in hashes.iter().enumerate() {
        let vertex = vertices[at];
        let mut place = hash as usize & (places - 1);
        loop {
            let known = table[place];
            if known == FREE {
                table[place] = at as u32;
                break;
            }
            if hashes[known as usize] == hash {
                let known = vertices[known as usize];
                bits(primitive, vertex as usize, &mut row);
                bits(primitive, known as usize, &mut other);
                if row == other {
                    found.push((vertex, known));
                    break;
                }
            }
            place = (place + 1) & (places - 1);
        }
    }
    found
}

/// A hash that is quick; what has the same is compared number by number. With a seed of its own in each run no file can be made for many
/// vertices to have the same.
fn hashed(row: &[u32], seed: u64) -> u64 {
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
    fn every_vertex_that_is_where_another_is_may_be_the_same() {
        // 1,000 places of their own, then 50 of them again.
        let place = |at: u32| Vec3::new((at % 10) as f32, (at / 10 % 10) as f32, (at / 100) as f32);
        let positions: Vec<Vec3> = (0..1_000).chain((0..1_000).step_by(20)).map(place).collect();
        let found = alike(&positions);
        for at in (0..1_000).step_by(20).chain(1_000..1_050) {
            assert!(found.contains(&at), "{at}");
        }
        assert!(found.len() < 300, "{}", found.len());
    }

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
