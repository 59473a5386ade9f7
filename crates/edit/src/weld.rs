//! Vertices that are the same but for the rounding of their normals, once.
//!
//! In:  the parts of a scene.
//! Out: fewer vertices that draw the same.
//!
//! Positions, texture coordinates, colours, influences and morph targets are the same to the last bit; normals and tangents within a
//! hundredth of a degree, as exporters that compute them per corner leave them.

use std::hash::{BuildHasher, RandomState};

use rayon::prelude::*;
use sinew_scene::glam::Vec3;
use sinew_scene::{Geometry, MorphTarget, Primitive, SceneParts};

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
        geometry.influences.keep(&kept);
    }
    count - kept.len()
}

/// Leaves these in a list that is not empty, in the memory that is there: none comes before its new place. What is much longer than it
/// need be is given back.
fn keep<T: Copy>(list: &mut Vec<T>, kept: &[u32]) {
    if list.is_empty() {
        return;
    }
    for (at, &vertex) in kept.iter().enumerate() {
        list[at] = list[vertex as usize];
    }
    list.truncate(kept.len());
    if list.capacity() / 2 > list.len() {
        list.shrink_to_fit();
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
    let hashes: Vec<u64> =
        vertices.par_iter().with_min_len(CHUNK).map(|&at| hashed(primitive, at, seed)).collect();
    // Each kind is in the first free place from its hash on. Half of the places stay free.
    let places = (2 * vertices.len()).next_power_of_two();
    let mut table = vec![FREE; places];
    let mut found = Vec::new();
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
                if are_same(primitive, vertex as usize, known as usize) {
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
fn hashed(primitive: &Primitive, vertex: u32, seed: u64) -> u64 {
    let vertex = vertex as usize;
    let mut hash = seed;
    let mut take = |low: u32, high: u32| {
        let numbers = u64::from(low) | u64::from(high) << 32;
        let product = u128::from(hash ^ numbers) * u128::from(seed | 1);
        hash = (product as u64 ^ (product >> 64) as u64).wrapping_add(ODD);
    };
    let place = primitive.positions[vertex];
    take(place.x.to_bits(), place.y.to_bits());
    take(place.z.to_bits(), 0);
    if let Some(normal) = primitive.normals.get(vertex) {
        take(rounded(normal.x), rounded(normal.y));
        take(rounded(normal.z), 0);
    }
    for uv in primitive.uvs.iter().filter_map(|uvs| uvs.get(vertex)) {
        take(uv.x.to_bits(), uv.y.to_bits());
    }
    for color in primitive.colors.iter().filter_map(|colors| colors.get(vertex)) {
        take(color.x.to_bits(), color.y.to_bits());
        take(color.z.to_bits(), color.w.to_bits());
    }
    if !primitive.influences.is_empty() {
        let influences = primitive.influences.of(vertex).iter();
        influences.for_each(|it| take(it.joint, it.weight.to_bits()));
    }
    for change in changes(primitive, vertex) {
        take(change.x.to_bits(), change.y.to_bits());
        take(change.z.to_bits(), 0);
    }
    hash
}

/// A part of a direction, in which what is rounded off does not count.
fn rounded(number: f32) -> u32 {
    let parts = number * NORMAL_PARTS;
    (parts + 0.5_f32.copysign(parts)) as i32 as u32
}

/// How morph targets change a vertex, one after the other.
fn changes(primitive: &Primitive, vertex: usize) -> impl Iterator<Item = &Vec3> {
    fn lists(morph: &MorphTarget) -> [&Vec<Vec3>; 3] {
        [&morph.positions, &morph.normals, &morph.tangents]
    }
    let lists = primitive.morphs.iter().flat_map(lists);
    lists.filter_map(move |list| list.get(vertex))
}

fn are_same(primitive: &Primitive, a: usize, b: usize) -> bool {
    fn same<const N: usize>(a: [f32; N], b: [f32; N], bits: impl Fn(f32) -> u32) -> bool {
        (0..N).all(|at| bits(a[at]) == bits(b[at]))
    }
    macro_rules! same {
        ($list:expr, $bits:expr) => {
            $list.is_empty() || same($list[a].to_array(), $list[b].to_array(), $bits)
        };
    }
    let Geometry { positions, normals, tangents, uvs, colors, .. } = &**primitive;
    let weights = &primitive.dual_weights;
    let influences = |vertex: usize| {
        let of = (!primitive.influences.is_empty()).then(|| primitive.influences.of(vertex));
        of.into_iter().flatten().map(|it| (it.joint, it.weight.to_bits()))
    };
    let bits = |change: &Vec3| change.to_array().map(f32::to_bits);
    same!(positions, f32::to_bits)
        && same!(normals, rounded)
        && same!(tangents, rounded)
        && uvs.iter().all(|uvs| same!(uvs, f32::to_bits))
        && colors.iter().all(|colors| same!(colors, f32::to_bits))
        && (weights.is_empty() || weights[a].to_bits() == weights[b].to_bits())
        && influences(a).eq(influences(b))
        && changes(primitive, a).map(bits).eq(changes(primitive, b).map(bits))
}

#[cfg(test)]
mod tests {
    use sinew_scene::glam::Vec2;
    use sinew_scene::{Influence, Influences, Mesh};

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
