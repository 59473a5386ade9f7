//! Normals where a file has none: smooth over gentle edges, sharp over steep ones.
//!
//! In:  triangles without normals, and the angle from which an edge is sharp.
//! Out: a unit normal per vertex; vertices are split along sharp edges.
//!
//! Corners at one position are one corner whatever their vertices are, also in several primitives
//! of a mesh, so that a seam in texture coordinates or materials does not show. Around a position,
//! the faces joined by gentle edges share one normal: their own, weighted by the angle each has
//! there, which does not depend on how a flat polygon was cut into triangles.

mod corners;
mod fans;

use std::collections::HashMap;

use glam::Vec3;
use sinew_scene::{Geometry, Mesh, Topology};

use self::corners::{Corners, face};
use super::hash::Seed;
use super::morph_normals;
use super::vertices::{Splits, is_sound};

/// How many corners are without a normal.
pub(super) fn work(mesh: &Mesh) -> usize {
    let without = mesh.primitives.iter().filter(|primitive| primitive.normals.is_empty());
    without.map(|primitive| primitive.indices.len()).sum()
}

/// Makes the missing normals of a mesh.
pub(super) fn make(mesh: &mut Mesh, crease_angle: f32) {
    let wanting: Vec<usize> =
        (0..mesh.primitives.len()).filter(|&at| wants_normals(&mesh.primitives[at])).collect();
    if wanting.is_empty() {
        return;
    }
    if crease_angle <= 0.0 {
        for at in wanting {
            let primitive: &mut Geometry = &mut mesh.primitives[at];
            // Faces that lie in one plane at rest need not do so in a target.
            let apart = !primitive.morphs.is_empty();
            let splits = flat(primitive, apart);
            give(primitive, splits, apart);
        }
        return;
    }
    let mut corners = Corners::default();
    let mut places = HashMap::with_hasher(Seed::new());
    for &at in &wanting {
        corners.add(&mesh.primitives[at], &mut places);
    }
    let normals = corners.normals(crease_angle);
    let mut rest = &normals[..];
    for at in wanting {
        let primitive: &mut Geometry = &mut mesh.primitives[at];
        let mut splits = Splits::new(primitive.positions.len(), 0);
        let own;
        (own, rest) = rest.split_at(primitive.indices.len());
        for (index, normal) in primitive.indices.iter_mut().zip(own) {
            // Faces without area have none.
            if *normal != Vec3::ZERO {
                *index = splits.corner(*index, normal.extend(0.0));
            }
        }
        give(primitive, splits, false);
    }
}

/// Gives each corner its normal; `apart` says that the fourth numbers keep faces of one plane apart.
fn give(primitive: &mut Geometry, splits: Splits, apart: bool) {
    let otherwise = Vec3::Y.extend(0.0);
    primitive.normals = splits.apply(primitive, |_, _| otherwise, |normal| normal.truncate());
    // Tangents without normals say nothing.
    primitive.tangents.clear();
    morph_normals::make(primitive, apart);
}

fn wants_normals(primitive: &Geometry) -> bool {
    primitive.normals.is_empty()
        && primitive.topology == Topology::Triangles
        && !primitive.indices.is_empty()
        && is_sound(primitive)
}

/// The normal of its face for each corner. Faces in one plane, within rounding, share that of the first at a vertex,
/// unless they are to be kept `apart`: then each has its number behind its normal.
fn flat(primitive: &mut Geometry, apart: bool) -> Splits {
    let Geometry { positions, indices, .. } = primitive;
    // Nearly every corner has a normal of its own.
    let copies = indices.len().saturating_sub(positions.len());
    let mut splits = Splits::new(positions.len(), copies);
    let mut of_vertex = vec![[Vec3::ZERO; 2]; positions.len()];
    for (number, triangle) in indices.as_chunks_mut::<3>().0.iter_mut().enumerate() {
        let number = if apart { number as f32 } else { 0.0 };
        let [a, b, c] = *triangle;
        let own = face([positions[a as usize], positions[b as usize], positions[c as usize]]);
        for index in triangle {
            let known = &mut of_vertex[*index as usize];
            let normal = if known[0].dot(own) >= SAME_PLANE {
                known[0]
            } else if known[1].dot(own) >= SAME_PLANE {
                known[1]
            } else {
                *known = [own, known[0]];
                own
            };
            if normal != Vec3::ZERO {
                *index = splits.corner(*index, normal.extend(number));
            }
        }
    }
    splits
}

/// The cosine between faces from which they are in one plane.
const SAME_PLANE: f32 = 1.0 - 1e-5;

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;
    use sinew_scene::Primitive;
    use sinew_scene::{Influence, Influences, MorphTarget};

    const SHARP: f32 = 60.0 * std::f32::consts::PI / 180.0;

    fn mesh(positions: &[[f32; 3]], indices: &[u32]) -> Mesh {
        let positions = positions.iter().map(|&p| p.into()).collect();
        let indices = indices.to_vec();
        let primitives =
            vec![Primitive::from(Geometry { positions, indices, ..Geometry::default() })];
        Mesh { primitives, ..Mesh::default() }
    }

    /// Two squares that share the edge from (0,0,0) to (0,1,0); the second is bent back by `angle`.
    fn book(angle: f32) -> Mesh {
        let (x, z) = (angle.cos(), -angle.sin());
        mesh(
            &[
                [-1.0, 0.0, 0.0],
                [0.0, 0.0, 0.0],
                [0.0, 1.0, 0.0],
                [-1.0, 1.0, 0.0],
                [x, 0.0, z],
                [x, 1.0, z],
            ],
            &[0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2],
        )
    }

    #[test]
    fn a_gentle_edge_is_smooth_and_a_steep_one_is_split() {
        let mut gentle = book(40_f32.to_radians());
        make(&mut gentle, SHARP);
        let gentle = &gentle.primitives[0];
        assert_eq!(gentle.positions.len(), 6);
        // Both squares have a right angle at the edge, so the normal halves the bend.
        let half = 20_f32.to_radians();
        let expected = Vec3::new(half.sin(), 0.0, half.cos());
        assert!(gentle.normals[1].abs_diff_eq(expected, 1e-6), "{}", gentle.normals[1]);
        assert!(gentle.normals[0].abs_diff_eq(Vec3::Z, 1e-6));

        let mut steep = book(90_f32.to_radians());
        make(&mut steep, SHARP);
        let steep = &steep.primitives[0];
        assert_eq!(steep.positions.len(), 8);
        assert!(steep.normals[1].abs_diff_eq(Vec3::Z, 1e-6));
        let bent = steep.indices[6] as usize;
        assert_eq!(steep.positions[bent], steep.positions[1]);
        assert!(steep.normals[bent].abs_diff_eq(Vec3::X, 1e-6), "{}", steep.normals[bent]);
    }

    #[test]
    fn a_cube_of_eight_corners_gets_twenty_four_with_flat_sides() {
        let at = |i: u32, bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let corners: Vec<[f32; 3]> = (0..8).map(|i| [at(i, 0), at(i, 1), at(i, 2)]).collect();
        let sides =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let indices: Vec<u32> = sides.iter().flat_map(|&[a, b, c, d]| [a, b, c, a, c, d]).collect();
        let mut sharp = mesh(&corners, &indices);
        make(&mut sharp, SHARP);
        let sharp = &sharp.primitives[0];
        assert_eq!(sharp.positions.len(), 24);
        for triangle in sharp.indices.chunks_exact(3) {
            for &index in triangle {
                let normal = sharp.normals[index as usize];
                assert_eq!(normal.dot(sharp.positions[index as usize]), 1.0, "{normal}");
                assert_eq!(normal.abs().max_element(), 1.0);
            }
        }
        let mut round = mesh(&corners, &indices);
        make(&mut round, 100_f32.to_radians());
        let round = &round.primitives[0];
        assert_eq!(round.positions.len(), 8);
        // Weighted by angle, a side counts the same whether one or two of its triangles meet here.
        for (normal, position) in round.normals.iter().zip(&round.positions) {
            assert!(normal.abs_diff_eq(position.normalize(), 1e-6), "{normal} at {position}");
        }
    }

    /// Angles are taken for many faces at once, and edges of a position are looked through up to a number.
    #[test]
    fn many_faces_have_the_normals_that_few_have() {
        let mut one = book(40_f32.to_radians());
        let mut many = one.clone();
        for copy in 1..50_u32 {
            let primitive = &mut many.primitives[0];
            let own = &one.primitives[0];
            let away = Vec3::new(0.0, 8.0 * copy as f32, 0.0);
            primitive.positions.extend(own.positions.iter().map(|position| *position + away));
            primitive.indices.extend(own.indices.iter().map(|index| index + 6 * copy));
        }
        make(&mut one, SHARP);
        make(&mut many, SHARP);
        let expected = &one.primitives[0].normals;
        for normals in many.primitives[0].normals.chunks(6) {
            let same = |(a, b): (&Vec3, &Vec3)| a.abs_diff_eq(*b, 1e-6);
            assert!(normals.iter().zip(expected).all(same), "{normals:?}");
        }
    }

    #[test]
    fn a_cone_of_many_sides_has_one_normal_at_its_tip() {
        for sides in [6, 15, 16, 17, 60] {
            let angle = |side: u32| side as f32 / sides as f32 * std::f32::consts::TAU;
            let rim = (0..sides).map(|side| [angle(side).cos(), angle(side).sin(), 0.0]);
            let points: Vec<[f32; 3]> = rim.chain([[0.0, 0.0, 0.2]]).collect();
            let faces = (0..sides).flat_map(|side| [side, (side + 1) % sides, sides]);
            let mut cone = mesh(&points, &faces.collect::<Vec<_>>());
            make(&mut cone, SHARP);
            let cone = &cone.primitives[0];
            assert_eq!(cone.positions.len(), points.len(), "{sides} sides");
            let tip = cone.normals[sides as usize];
            assert!(tip.abs_diff_eq(Vec3::Z, 1e-5), "{sides} sides: {tip}");
        }
    }

    #[test]
    fn a_seam_does_not_show() {
        let mut whole = book(40_f32.to_radians());
        let mut cut = whole.clone();
        {
            let primitive = &mut cut.primitives[0];
            // The second square gets vertices of its own; one zero is negative.
            primitive.positions.extend([Vec3::new(0.0, 0.0, -0.0), Vec3::Y]);
            primitive.indices = vec![0, 1, 2, 0, 2, 3, 6, 4, 5, 6, 5, 7];
            let mut second = primitive.clone();
            second.indices = primitive.indices.split_off(6);
            cut.primitives.push(second);
        }
        make(&mut whole, SHARP);
        make(&mut cut, SHARP);
        let (first, second) = (&cut.primitives[0].normals, &cut.primitives[1].normals);
        assert!(first[1].abs_diff_eq(whole.primitives[0].normals[1], 1e-6), "{}", first[1]);
        assert_eq!(first[1], second[6]);
        assert_eq!(first[2], second[7]);
    }

    #[test]
    fn what_a_vertex_carries_is_split_along() {
        let mut steep = book(90_f32.to_radians());
        let primitive = &mut steep.primitives[0];
        primitive.uvs = vec![(0..6).map(|at| Vec2::splat(at as f32)).collect()];
        primitive.influences = Influences::default();
        for joint in 0..6 {
            primitive.influences.push([Influence { joint, weight: 1.0 }]);
        }
        let shift = (0..6).map(|at| Vec3::splat(at as f32)).collect();
        primitive.morphs = vec![MorphTarget { positions: shift, ..MorphTarget::default() }];
        make(&mut steep, SHARP);
        let primitive = &steep.primitives[0];
        let split = primitive.indices[6] as usize;
        assert_eq!(split, 6);
        assert_eq!(primitive.uvs[0][split], Vec2::ONE);
        assert_eq!(primitive.uvs[0].capacity(), primitive.uvs[0].len(), "copies take no more room");
        assert_eq!(primitive.influences.of(split)[0].joint, 1);
        assert_eq!(primitive.morphs[0].positions[split], Vec3::ONE);
        assert_eq!(primitive.morphs[0].normals.len(), primitive.normals.len());
        assert!(is_sound(primitive));
    }

    #[test]
    fn faces_without_area_and_loose_vertices_still_get_unit_normals() {
        let flat = [[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [9.0; 3]];
        let mut some = mesh(&flat, &[0, 1, 2, 0, 1, 3, 1, 1, 1]);
        make(&mut some, SHARP);
        let normals = &some.primitives[0].normals;
        assert_eq!(normals.len(), 5);
        assert_eq!(normals[..2], [Vec3::Z; 2]);
        assert!(normals.iter().all(|normal| normal.is_normalized()), "{normals:?}");
        let mut wild = mesh(&[[f32::MAX; 3], [f32::MIN; 3], [f32::MAX, 0.0, 1e-40]], &[0, 1, 2]);
        make(&mut wild, SHARP);
        assert!(wild.primitives[0].normals.iter().all(|normal| normal.is_normalized()));
    }

    #[test]
    fn lines_points_and_given_normals_are_let_be() {
        let mut given = book(1.0);
        given.primitives[0].normals = vec![Vec3::X; 6];
        let mut lines = book(1.0);
        lines.primitives[0].topology = Topology::Lines;
        for mesh in [&mut given, &mut lines] {
            let before = mesh.clone();
            make(mesh, SHARP);
            assert_eq!(*mesh, before);
        }
    }
}
