//! The place where Ossi lives: soft ground, flat where Ossi stands, with stones and trees.
//!
//! Out: a scene without anything that moves; below thirty thousand triangles.
//!
//! Stones and trees are a few meshes, put down many times by a fixed plan; near the front there
//! are none, so that nothing stands between Ossi and who looks.

mod facets;
mod ground;
mod stone;
mod tree;

use std::f32::consts::TAU;

use glam::{Quat, Vec3, Vec4};
use sinew_scene::{
    Instance, JointId, Material, Mesh, MeshId, Node, Primitive, Scene, SceneParts, Transform,
};

/// The small place around the built-in character, to be drawn with [`ossi`](crate::ossi()).
///
/// ```
/// let place = sinew_ossi::ossi_place();
/// assert!(place.skeleton().find("ground").is_some());
/// assert!(place.clips.is_empty());
/// ```
#[must_use]
pub fn ossi_place() -> Scene {
    // What it is made of is fixed, and a test sees that it is a good scene.
    Scene::new(parts()).unwrap_or_default()
}

const EARTH: usize = 0;
const ROCK: usize = 1;
const BARK: usize = 2;
const LEAF: usize = 3;

/// The first mesh of each kind, and how many there are.
const STONES: (usize, usize) = (1, 3);
const ROUND_TREES: (usize, usize) = (4, 2);
const FIRS: (usize, usize) = (6, 2);

/// A number from zero to one that looks like chance but is always the same.
fn chance(seed: u32) -> f32 {
    let mut mixed = seed.wrapping_mul(0x9e37_79b1) ^ 0x85eb_ca6b;
    mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x2c1b_3c6d);
    mixed = (mixed ^ (mixed >> 12)).wrapping_mul(0x297a_2d39);
    (mixed ^ (mixed >> 15)) as f32 / u32::MAX as f32
}

/// An sRGB colour as vertices have it: linear.
fn linear(r: f32, g: f32, b: f32) -> Vec3 {
    Vec3::new(r, g, b).powf(2.2)
}

fn material(name: &str, roughness: f32) -> Material {
    Material {
        name: name.into(),
        metallic: 0.0,
        roughness,
        base_color: Vec4::ONE,
        ..Material::default()
    }
}

fn mesh(name: &str, primitives: Vec<Primitive>) -> Mesh {
    Mesh { name: name.into(), primitives, morph_names: Vec::new() }
}

fn parts() -> SceneParts {
    let mut parts = SceneParts {
        materials: vec![
            material("earth", 0.95),
            material("rock", 0.85),
            material("bark", 0.9),
            material("leaf", 0.9),
        ],
        nodes: vec![Node::new("place", None, Transform::IDENTITY)],
        meshes: vec![mesh("ground", vec![ground::ground(EARTH)])],
        ..SceneParts::default()
    };
    let stones = (0..STONES.1).map(|kind| mesh("stone", vec![stone::stone(kind as u32, ROCK)]));
    parts.meshes.extend(stones);
    let round = (0..ROUND_TREES.1).map(|kind| mesh("tree", tree::round(kind as u32, BARK, LEAF)));
    parts.meshes.extend(round);
    let firs = (0..FIRS.1).map(|kind| mesh("fir", tree::fir(kind as u32, BARK, LEAF)));
    parts.meshes.extend(firs);
    put(&mut parts, "ground", 0, Transform::IDENTITY);
    stones_around(&mut parts);
    trees_around(&mut parts);
    parts
}

/// Puts a mesh down.
fn put(parts: &mut SceneParts, name: &str, mesh: usize, rest: Transform) {
    let joint = JointId::new(parts.nodes.len());
    parts.nodes.push(Node::new(name, Some(JointId::new(0)), rest));
    let mesh = MeshId::new(mesh);
    parts.instances.push(Instance { joint, mesh, skin: None, weights: Vec::new() });
}

/// On the ground, `sunk` metres into it; the angle is from +Z to +X.
fn standing(angle: f32, distance: f32, sunk: f32, turn: f32, scale: f32) -> Transform {
    let (x, z) = (angle.sin() * distance, angle.cos() * distance);
    Transform {
        translation: Vec3::new(x, ground::height(x, z) - sunk, z),
        rotation: Quat::from_rotation_y(turn),
        scale: Vec3::splat(scale),
    }
}

/// A few near, at angles in turns, distances and sizes in metres; the smallest lean on larger ones.
fn stones_around(parts: &mut SceneParts) {
    const PLAN: [(f32, f32, f32); 13] = [
        (0.36, 2.9, 0.42),
        (0.385, 3.3, 0.24),
        (0.41, 2.75, 0.13),
        (0.64, 3.6, 0.60),
        (0.67, 3.1, 0.22),
        (0.17, 4.6, 0.34),
        (0.19, 5.2, 0.62),
        (0.83, 5.0, 0.36),
        (0.51, 7.4, 1.10),
        (0.535, 6.5, 0.45),
        (0.30, 9.5, 0.85),
        (0.74, 10.5, 1.3),
        (0.93, 12.0, 0.7),
    ];
    for (at, (turns, distance, size)) in PLAN.into_iter().enumerate() {
        let seed = 100 + at as u32;
        let rest = standing(turns * TAU, distance, size * 0.22, chance(seed) * TAU, size);
        put(parts, "stone", STONES.0 + at % STONES.1, rest);
    }
}

/// A loose ring, closer behind Ossi than before.
fn trees_around(parts: &mut SceneParts) {
    for at in 0..34_u32 {
        let turns = (at as f32 * 0.381_966 + 0.06 * chance(at)).fract();
        // Zero in front, one behind.
        let behind = 0.5 - 0.5 * (turns * TAU).cos();
        let nearest = 15.0 - 8.5 * behind;
        let distance = nearest + 15.0 * (at as f32 / 34.0) + 2.0 * chance(at + 50);
        let size = 0.8 + 0.5 * chance(at + 200);
        let rest = standing(turns * TAU, distance, 0.05, chance(at + 300) * TAU, size);
        let fir = chance(at + 400) < 0.45;
        let (first, kinds) = if fir { FIRS } else { ROUND_TREES };
        put(parts, if fir { "fir" } else { "tree" }, first + at as usize % kinds, rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_a_good_scene_of_less_than_thirty_thousand_triangles() {
        let place = Scene::new(parts()).expect("the place is a good scene");
        let drawn: usize = place
            .instances
            .iter()
            .flat_map(|instance| &place.meshes[instance.mesh.index()].primitives)
            .map(|primitive| primitive.indices.len() / 3)
            .sum();
        assert!((10_000..30_000).contains(&drawn), "{drawn}");
        assert_eq!(ossi_place(), place);
    }

    #[test]
    fn nothing_stands_where_ossi_moves() {
        let place = ossi_place();
        for instance in &place.instances {
            let node = place.skeleton().node(instance.joint);
            let near = node.rest.translation.with_y(0.0).length() - node.rest.scale.x;
            assert!(node.name == "ground" || near > 1.5, "{} is {near} m away", node.name);
        }
    }

    #[test]
    fn every_triangle_faces_the_way_of_its_normals() {
        for mesh in &ossi_place().meshes {
            for primitive in &mesh.primitives {
                for triangle in primitive.indices.chunks_exact(3) {
                    let [a, b, c] = [0, 1, 2].map(|at| primitive.positions[triangle[at] as usize]);
                    let normal: Vec3 =
                        triangle.iter().map(|&at| primitive.normals[at as usize]).sum();
                    assert!((b - a).cross(c - a).dot(normal) > 0.0, "{}: {a} {b} {c}", mesh.name);
                }
            }
        }
    }
}
