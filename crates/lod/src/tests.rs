//! Levels of shapes that are known, and their errors by points chosen at random.

use std::collections::HashMap;

use glam::{Affine3A, Quat, Vec2, Vec3};
use sinew_scene::{Geometry, Influence, Mesh, Primitive};

use crate::closest::Surface;
use crate::{Level, Pose, levels};

/// Numbers without a pattern, the same in every run.
struct Chance(u32);

impl Chance {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 24) as f32
    }
}

/// A tube of radius 1 along Y from 0 to 8, with its seam of texture coordinates, bent by two joints: at 0 and at 4.
fn tube() -> Mesh {
    let (rings, sides) = (40_u32, 24_u32);
    let mut primitive = Primitive::from(Geometry { uvs: vec![Vec::new()], ..Geometry::default() });
    for ring in 0..=rings {
        for side in 0..=sides {
            // The last is where the first is, to the bit.
            let angle = (side % sides) as f32 / sides as f32 * std::f32::consts::TAU;
            let height = ring as f32 / rings as f32 * 8.0;
            primitive.positions.push(Vec3::new(angle.sin(), height, angle.cos()));
            primitive.uvs[0].push(Vec2::new(side as f32 / sides as f32, height / 8.0));
            let upper = ((height - 3.0) / 2.0).clamp(0.0, 1.0);
            let pair = [
                Influence { joint: 0, weight: 1.0 - upper },
                Influence { joint: 1, weight: upper },
            ];
            primitive.influences.push(pair);
        }
    }
    for ring in 0..rings {
        for side in 0..sides {
            let a = ring * (sides + 1) + side;
            let b = a + sides + 1;
            primitive.indices.extend([a, a + 1, b + 1, a, b + 1, b]);
        }
    }
    Mesh { primitives: vec![primitive], ..Mesh::default() }
}

/// The upper joint, bent about (0, 4, 0).
fn bent(degrees: f32) -> Pose {
    let bend = Affine3A::from_translation(4.0 * Vec3::Y)
        * Affine3A::from_quat(Quat::from_rotation_z(degrees.to_radians()))
        * Affine3A::from_translation(-4.0 * Vec3::Y);
    Pose { palette: vec![Affine3A::IDENTITY, bend], ..Pose::default() }
}

fn triangles(positions: &[Vec3], indices: &[u32]) -> Vec<[Vec3; 3]> {
    let corner = |index: u32| positions[index as usize];
    indices
        .chunks_exact(3)
        .map(|three| [corner(three[0]), corner(three[1]), corner(three[2])])
        .collect()
}

/// The largest distance from points of one surface to the other, both ways.
fn apart(a: &[[Vec3; 3]], b: &[[Vec3; 3]]) -> f32 {
    let mut chance = Chance(7);
    let mut largest = 0.0_f32;
    for (from, to) in [(a, b), (b, a)] {
        let surface = Surface::new(to);
        for [p, q, r] in from {
            for _ in 0..12 {
                let (mut u, mut v) = (chance.next(), chance.next());
                if u + v > 1.0 {
                    (u, v) = (1.0 - u, 1.0 - v);
                }
                let point = *p + (*q - *p) * u + (*r - *p) * v;
                largest = largest.max(surface.nearest(point).expect("triangles").distance);
            }
        }
    }
    largest
}

fn tube_levels() -> (Mesh, Vec<Level>) {
    let mesh = tube();
    let all = levels(&mesh, &[bent(0.0), bent(60.0), bent(120.0)]);
    (mesh, all)
}

#[test]
fn each_level_has_about_half_of_the_triangles_and_errors_grow() {
    let (mesh, all) = tube_levels();
    assert!(all.len() >= 4, "{}", all.len());
    let mut before = mesh.primitives[0].indices.len() / 3;
    let mut error = 0.0;
    for level in &all {
        assert!(level.triangles() <= before / 2 + 1, "{} of {before}", level.triangles());
        assert_eq!(level.primitives[0].len(), level.triangles() * 3);
        assert!(level.error >= error);
        (before, error) = (level.triangles(), level.error);
    }
}

#[test]
fn no_point_of_a_level_is_farther_from_the_mesh_than_its_error_in_the_poses_it_was_made_for() {
    let (mesh, all) = tube_levels();
    for degrees in [0.0, 60.0, 120.0] {
        let positions: Vec<Vec3> = bent(degrees).positions(&mesh.primitives[0]).collect();
        let fine = triangles(&positions, &mesh.primitives[0].indices);
        for level in &all {
            let coarse = triangles(&positions, &level.primitives[0]);
            let found = apart(&fine, &coarse);
            assert!(found <= level.error + 1e-5, "{degrees}°: {found} of {}", level.error);
        }
    }
}

#[test]
fn the_error_is_not_far_above_what_is_found() {
    let (mesh, all) = tube_levels();
    let positions = &mesh.primitives[0].positions;
    let fine = triangles(positions, &mesh.primitives[0].indices);
    let rigid = levels(&mesh, &[]);
    for level in &rigid {
        let found = apart(&fine, &triangles(positions, &level.primitives[0]));
        assert!(level.error <= 1.3 * found + 1e-4, "{} for {found}", level.error);
    }
    assert!(all.iter().zip(&rigid).all(|(bent, rigid)| bent.error >= 0.5 * rigid.error));
}

#[test]
fn borders_and_seams_stay_where_they_are() {
    let (mesh, all) = tube_levels();
    let primitive = &mesh.primitives[0];
    for level in all.iter().take(4) {
        let mut seam = [false; 2];
        let (mut low, mut high) = (f32::MAX, f32::MIN);
        for three in level.primitives[0].chunks_exact(3) {
            // No triangle spans the seam: one texture coordinate would jump.
            let across = [0, 1, 2].map(|corner| primitive.uvs[0][three[corner] as usize].x);
            let least = across.iter().copied().fold(f32::MAX, f32::min);
            let most = across.iter().copied().fold(f32::MIN, f32::max);
            assert!(most - least < 0.75, "{across:?}");
            seam[0] |= least == 0.0;
            seam[1] |= most == 1.0;
            for index in three {
                let height = primitive.positions[*index as usize].y;
                (low, high) = (low.min(height), high.max(height));
            }
        }
        assert_eq!((seam, low, high), ([true; 2], 0.0, 8.0));
    }
}

#[test]
fn no_level_tears_open() {
    let (mesh, all) = tube_levels();
    let place =
        |index: u32| mesh.primitives[0].positions[index as usize].to_array().map(f32::to_bits);
    for level in &all {
        let mut edges = HashMap::new();
        for three in level.primitives[0].chunks_exact(3) {
            for side in 0..3 {
                let mut ends = [place(three[side]), place(three[(side + 1) % 3])];
                ends.sort_unstable();
                *edges.entry(ends).or_insert(0) += 1;
            }
        }
        // Only the tube's two ends are open.
        for (ends, _) in edges.iter().filter(|(_, count)| **count == 1) {
            let [a, b] = ends.map(|end| f32::from_bits(end[1]));
            assert!(a == b && (a == 0.0 || a == 8.0), "{a} {b} with {}", level.triangles());
        }
    }
}

#[test]
fn materials_of_one_mesh_keep_their_common_border_closed() {
    let mut mesh = tube();
    let whole = mesh.primitives[0].clone();
    let (left, right) = whole.indices.split_at(whole.indices.len() / 2);
    let part = |indices: &[u32]| {
        let mut part = whole.clone();
        part.indices = indices.to_vec();
        part
    };
    mesh.primitives = vec![part(left), part(right)];
    for level in levels(&mesh, &[]) {
        let edge = |list: &[u32]| {
            let middle = |index: &&u32| (whole.positions[**index as usize].y - 4.0).abs() < 1e-6;
            let mut found: Vec<_> = list
                .iter()
                .filter(middle)
                .map(|index| whole.positions[*index as usize].to_array().map(f32::to_bits))
                .collect();
            found.sort_unstable();
            found.dedup();
            found
        };
        assert_eq!(edge(&level.primitives[0]), edge(&level.primitives[1]));
    }
}

#[test]
fn morph_targets_count_towards_the_error() {
    let mut mesh = tube();
    let swell = mesh.primitives[0].positions.iter().map(|at| {
        // A ridge that a flat level cannot follow.
        Vec3::new(at.x, 0.0, at.z) * if (at.y * 5.0).round() as i32 % 2 == 0 { 1.0 } else { 0.0 }
    });
    let positions = swell.collect();
    mesh.primitives[0].morphs = vec![sinew_scene::MorphTarget { positions, ..Default::default() }];
    mesh.morph_names = vec![String::new()];
    let swollen = Pose { weights: vec![1.0], ..Pose::default() };
    let all = levels(&mesh, &[Pose::default(), swollen]);
    assert!(all.last().is_some_and(|level| level.error > 0.4), "{:?}", all.last().map(|l| l.error));
}

#[test]
fn the_nearest_point_is_found_from_inside_and_outside_of_the_grid() {
    let square = [
        [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0)],
        [Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0), Vec3::Y],
    ];
    let surface = Surface::new(&square);
    for (point, distance) in [
        (Vec3::new(0.3, 0.6, 0.0), 0.0),
        (Vec3::new(0.5, 0.5, 2.0), 2.0),
        (Vec3::new(-3.0, 0.5, 4.0), 5.0),
        (Vec3::new(1.0, 1.0, -0.5), 0.5),
    ] {
        let found = surface.nearest(point).expect("a point");
        assert!((found.distance - distance).abs() < 1e-5, "{point}: {}", found.distance);
    }
}

#[test]
fn nothing_has_no_levels() {
    assert!(levels(&Mesh::default(), &[]).is_empty());
    let few = Primitive::from(Geometry {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        indices: vec![0, 1, 2],
        ..Geometry::default()
    });
    assert!(levels(&Mesh { primitives: vec![few], ..Mesh::default() }, &[]).is_empty());
}
