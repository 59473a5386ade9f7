//! `Skinner` against `deform`, which defines what it gives.

use proptest::prelude::*;
use sinew_deform::{Binding, SimdLevel, SkinError, Skinner, Vertices, deform};
use sinew_scene::glam::{Affine3A, Quat, Vec3, Vec3A};
use sinew_scene::{Geometry, Influence, Influences, MorphTarget, Primitive, SkinMethod};

const NODE: Affine3A = Affine3A { translation: Vec3A::new(0.0, 0.0, 10.0), ..Affine3A::IDENTITY };

/// Numbers that look like chance, from -1 to 1.
struct Chance(u32);

impl Chance {
    fn number(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 23) as f32 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }

    fn unit(&mut self) -> Vec3 {
        self.vector().normalize_or(Vec3::X)
    }
}

/// Vertices with none to `most` influences, a morph target, and a palette. Joints of even number mirror.
fn model(vertices: usize, joints: usize, most: usize) -> (Primitive, Vec<Affine3A>) {
    let mut chance = Chance(7);
    let mut primitive = Primitive::default();
    for vertex in 0..vertices {
        primitive.positions.push(chance.vector());
        primitive.normals.push(chance.unit());
        primitive.tangents.push(chance.unit().extend(if vertex % 3 == 0 { -1.0 } else { 1.0 }));
        // Neighbours with one count, and neighbours with all kinds.
        let influences =
            if vertex % 64 < 32 { vertex / 64 % (most + 1) } else { vertex % (most + 1) };
        primitive.influences.push((0..influences).map(|slot| Influence {
            joint: ((vertex * 5 + slot) % joints) as u32,
            weight: 0.1 + chance.number().abs(),
        }));
    }
    let mut changes = || (0..vertices).map(|_| chance.vector() * 0.1).collect();
    primitive.morphs = vec![
        MorphTarget { positions: changes(), normals: changes(), tangents: changes() },
        MorphTarget { positions: changes(), ..MorphTarget::default() },
    ];
    let palette = (0..joints).map(|joint| {
        let scale = if joint % 2 == 0 { Vec3::new(-1.0, 1.1, 0.9) } else { Vec3::splat(0.8) };
        let rotation = Quat::from_axis_angle(chance.unit(), 0.5 * chance.number());
        Affine3A::from_scale_rotation_translation(scale, rotation, chance.vector())
    });
    let palette = palette.collect();
    (primitive, palette)
}

fn plain(primitive: &Primitive, weights: &[f32], palette: &[Affine3A]) -> Vertices {
    let mut out = Vertices::default();
    let method = SkinMethod::Linear;
    let binding = Binding::Skinned { method, model_from_mesh: palette, without_influence: NODE };
    deform(primitive, weights, binding, &mut out);
    out
}

fn fast(
    level: SimdLevel,
    primitive: &Primitive,
    weights: &[f32],
    palette: &[Affine3A],
) -> Vertices {
    let skinner = Skinner::new(primitive, palette.len()).expect("it fits");
    let mut out = Vertices::default();
    skinner.skin_on(level, primitive, weights, palette, NODE, &mut out);
    out
}

/// How far a direction may be off when numbers of size one are off by `bound`: where influences nearly
/// cancel each other, what is left of the matrix is small against what was added up.
fn compare(found: &Vertices, expected: &Vertices, bound: f32, of: &str) {
    assert_eq!(found.positions.len(), expected.positions.len(), "{of}");
    assert_eq!(found.normals.len(), expected.normals.len(), "{of}");
    assert_eq!(found.tangents.len(), expected.tangents.len(), "{of}");
    for (vertex, (a, b)) in found.positions.iter().zip(&expected.positions).enumerate() {
        assert!(a.abs_diff_eq(*b, bound), "{of}: vertex {vertex} is at {a}, not {b}");
    }
    for (vertex, (a, b)) in found.normals.iter().zip(&expected.normals).enumerate() {
        assert!(a.is_normalized(), "{of}: normal {vertex} is {a}");
        assert!(a.abs_diff_eq(*b, 200.0 * bound), "{of}: normal {vertex} is {a}, not {b}");
    }
    for (vertex, (a, b)) in found.tangents.iter().zip(&expected.tangents).enumerate() {
        assert_eq!(a.w, b.w, "{of}: side {vertex}");
        assert!(a.truncate().is_normalized(), "{of}: tangent {vertex} is {a}");
        assert!(a.abs_diff_eq(*b, 400.0 * bound), "{of}: tangent {vertex} is {a}, not {b}");
    }
}

/// Joints that all rotate a little, so that nothing cancels.
fn gentle(primitive: &mut Primitive, palette: &mut [Affine3A]) {
    let mut chance = Chance(9);
    for matrix in palette {
        let rotation = Quat::from_axis_angle(chance.unit(), 0.5 * chance.number());
        let scale = Vec3::splat(1.0) + 0.2 * chance.vector();
        *matrix = Affine3A::from_scale_rotation_translation(scale, rotation, chance.vector());
    }
    let geometry: &mut Geometry = primitive;
    for (normal, tangent) in geometry.normals.iter().zip(&mut geometry.tangents) {
        *tangent = normal.any_orthonormal_vector().extend(tangent.w);
    }
}

const WEIGHTS: [[f32; 2]; 3] = [[0.0, 0.0], [0.7, 0.0], [-0.3, 1.2]];

#[test]
fn every_simd_level_gives_what_deform_gives() {
    for vertices in [0, 1, 7, 8, 9, 16, 203, 1000] {
        let (mut primitive, mut palette) = model(vertices, 12, 13);
        gentle(&mut primitive, &mut palette);
        for weights in &WEIGHTS {
            let expected = plain(&primitive, weights, &palette);
            for level in SimdLevel::ALL {
                let found = fast(level, &primitive, weights, &palette);
                compare(&found, &expected, 2e-6, &format!("{level:?} of {vertices}"));
            }
        }
    }
}

#[test]
fn mirrors_and_influences_that_nearly_cancel_come_out_as_in_deform() {
    let (primitive, palette) = model(500, 12, 9);
    for weights in &WEIGHTS {
        let expected = plain(&primitive, weights, &palette);
        for level in SimdLevel::ALL {
            let found = fast(level, &primitive, weights, &palette);
            let close = |a: Vec3, b: Vec3| a.abs_diff_eq(b, 2e-6);
            for vertex in 0..500 {
                let (a, b) = (found.positions[vertex], expected.positions[vertex]);
                assert!(close(a, b), "{level:?}: vertex {vertex} is at {a}, not {b}");
            }
            let off = |vertex: &usize| {
                found.normals[*vertex].dot(expected.normals[*vertex]) < 0.999_999
                    || found.tangents[*vertex].w != expected.tangents[*vertex].w
            };
            let off: Vec<_> = (0..500).filter(off).collect();
            assert!(off.is_empty(), "{level:?}: directions of {off:?}");
        }
    }
}

#[test]
fn the_deterministic_level_has_the_bits_of_the_scalar_one() {
    let (primitive, palette) = model(1000, 12, 13);
    for weights in &WEIGHTS {
        let bits = |level| {
            let found = fast(level, &primitive, weights, &palette);
            let three = found.positions.into_iter().chain(found.normals);
            let numbers = three.flat_map(|vector| vector.to_array());
            let four = found.tangents.into_iter().flat_map(|vector| vector.to_array());
            numbers.chain(four).map(f32::to_bits).collect::<Vec<_>>()
        };
        assert_eq!(bits(SimdLevel::Deterministic), bits(SimdLevel::Scalar));
    }
}

#[test]
fn a_skin_of_a_thousand_joints_is_skinned_in_parts() {
    let (mut primitive, mut palette) = model(2000, 1000, 6);
    gentle(&mut primitive, &mut palette);
    let expected = plain(&primitive, &[0.0; 2], &palette);
    let found = fast(SimdLevel::Fast, &primitive, &[0.0; 2], &palette);
    compare(&found, &expected, 2e-6, "a thousand joints");
}

#[test]
fn a_vertex_may_have_two_hundred_influences() {
    let (mut primitive, mut palette) = model(9, 200, 200);
    gentle(&mut primitive, &mut palette);
    let mut influences = Influences::default();
    for vertex in 0..9 {
        influences.push((0..200).map(|joint| Influence { joint, weight: 1.0 + vertex as f32 }));
    }
    primitive.influences = influences;
    let expected = plain(&primitive, &[0.0; 2], &palette);
    let found = fast(SimdLevel::Fast, &primitive, &[0.0; 2], &palette);
    compare(&found, &expected, 4e-6, "two hundred influences");
}

#[test]
fn a_primitive_without_normals_or_without_influences_comes_out_as_in_deform() {
    let (mut primitive, palette) = model(1000, 12, 4);
    (primitive.normals, primitive.tangents) = (Vec::new(), Vec::new());
    for weights in &WEIGHTS {
        let expected = plain(&primitive, weights, &palette);
        let found = fast(SimdLevel::Fast, &primitive, weights, &palette);
        compare(&found, &expected, 2e-6, "without normals");
    }

    let (mut primitive, palette) = model(20, 12, 4);
    primitive.influences = Influences::default();
    let expected = plain(&primitive, &[0.0; 2], &palette);
    let found = fast(SimdLevel::Fast, &primitive, &[0.0; 2], &palette);
    compare(&found, &expected, 2e-6, "without influences");
    assert!(found.positions[0].abs_diff_eq(primitive.positions[0] + 10.0 * Vec3::Z, 1e-6));
}

#[test]
fn a_tangent_along_its_normal_becomes_any_that_is_square_and_a_flat_normal_points_up() {
    let mut influences = Influences::default();
    influences.push([Influence { joint: 0, weight: 1.0 }]);
    influences.push([Influence { joint: 1, weight: 1.0 }]);
    let primitive = Primitive::from(Geometry {
        positions: vec![Vec3::ZERO; 2],
        normals: vec![Vec3::Z; 2],
        tangents: vec![Vec3::Z.extend(1.0); 2],
        influences,
        ..Geometry::default()
    });
    let palette = [Affine3A::IDENTITY, Affine3A::from_scale(Vec3::new(0.0, 0.0, 1.0))];
    for level in SimdLevel::ALL {
        let found = fast(level, &primitive, &[], &palette);
        let tangent = found.tangents[0].truncate();
        assert!(tangent.is_normalized() && tangent.dot(Vec3::Z).abs() < 1e-6, "{tangent}");
        assert_eq!(found.normals[1], Vec3::Y);
        let up = found.tangents[1].truncate();
        assert!(up.abs_diff_eq(Vec3::Z, 1e-6), "{up}");
    }
}

/// All vertices with the same count of influences: more blocks than are walked over at once, and one that is not full.
fn even(influences: usize) -> (Primitive, Vec<Affine3A>) {
    let (mut primitive, mut palette) = model(2105, 40, 1);
    gentle(&mut primitive, &mut palette);
    primitive.influences = Influences::default();
    for vertex in 0..2105 {
        primitive.influences.push((0..influences).map(|slot| Influence {
            joint: ((vertex * 7 + slot * 3) % 40) as u32,
            weight: 1.0 + ((vertex + slot * 5) % 11) as f32,
        }));
    }
    (primitive, palette)
}

#[test]
fn long_runs_of_every_count_of_influences_come_out_as_in_deform() {
    for influences in [1, 2, 3, 4, 5, 8, 9, 16] {
        let (primitive, palette) = even(influences);
        for tangents in [true, false] {
            let mut primitive = primitive.clone();
            if !tangents {
                primitive.tangents.clear();
            }
            let expected = plain(&primitive, &[0.0; 2], &palette);
            let [scalar, same, fast] =
                SimdLevel::ALL.map(|level| fast(level, &primitive, &[0.0; 2], &palette));
            compare(&fast, &expected, 2e-6, &format!("{influences} influences"));
            assert_eq!(same, scalar, "{influences} influences");
        }
    }
}

#[test]
fn a_few_directions_without_length_among_thousands_change_no_others() {
    // In the first block, in the middle, in the last of the blocks that go together, in the one after, in the last.
    let odd = [3, 900, 1023, 2040, 2047, 2049, 2104];
    for (flat, along, tangents) in [(true, true, true), (true, false, false), (false, true, true)] {
        let (mut primitive, mut palette) = even(4);
        for vertex in odd {
            if flat {
                primitive.normals[vertex] = Vec3::ZERO;
            }
            if along {
                primitive.normals[vertex - 1] = Vec3::Z;
                primitive.tangents[vertex - 1] = Vec3::Z.extend(-1.0);
            }
        }
        if !tangents {
            primitive.tangents.clear();
        }
        // So that those two are along each other to the last bit when they are rotated.
        for (joint, matrix) in palette.iter_mut().enumerate() {
            *matrix = Affine3A::from_translation(Vec3::X * joint as f32);
        }
        let expected = plain(&primitive, &[0.0; 2], &palette);
        for level in SimdLevel::ALL {
            let found = fast(level, &primitive, &[0.0; 2], &palette);
            for (vertex, (a, b)) in found.normals.iter().zip(&expected.normals).enumerate() {
                assert!(a.abs_diff_eq(*b, 1e-6), "{level:?}: normal {vertex} is {a}, not {b}");
            }
            for (vertex, (a, b)) in found.tangents.iter().zip(&expected.tangents).enumerate() {
                if along && odd.contains(&(vertex + 1)) {
                    // Any will do that is square to the normal.
                    let square = a.truncate().dot(Vec3::Z).abs() < 1e-6 && a.w == -1.0;
                    assert!(square && a.truncate().is_normalized(), "{level:?} {vertex}: {a}");
                } else {
                    assert!(a.abs_diff_eq(*b, 1e-6), "{level:?}: tangent {vertex} is {a}, not {b}");
                }
            }
            assert!(odd.iter().all(|&vertex| !flat || found.normals[vertex] == Vec3::Y));
        }
    }
}

#[test]
fn directions_are_the_same_in_millimetres_and_in_kilometres() {
    let (primitive, palette) = even(4);
    for size in [1e-3, 1e3] {
        let palette: Vec<_> = palette
            .iter()
            .map(|matrix| Affine3A::from_scale(Vec3::splat(size)) * *matrix)
            .collect();
        let mut expected = plain(&primitive, &[0.0; 2], &palette);
        for level in SimdLevel::ALL {
            let mut found = fast(level, &primitive, &[0.0; 2], &palette);
            for position in found.positions.iter_mut().chain(&mut expected.positions) {
                *position /= size;
            }
            compare(&found, &expected, 2e-6, &format!("{level:?} times {size}"));
            expected.positions.iter_mut().for_each(|position| *position *= size);
        }
    }
}

#[test]
fn the_same_output_is_used_again_without_growing() {
    let (primitive, palette) = model(203, 12, 4);
    let skinner = Skinner::new(&primitive, 12).expect("it fits");
    let mut out = Vertices::default();
    skinner.skin(&primitive, &[0.5; 2], &palette, NODE, &mut out);
    let (once, room) = (out.clone(), out.positions.capacity());
    skinner.skin(&primitive, &[0.5; 2], &palette, NODE, &mut out);
    assert_eq!((&out, out.positions.capacity()), (&once, room));
}

#[test]
fn what_does_not_fit_is_an_error_that_says_where() {
    let (primitive, _) = model(100, 12, 4);
    let error = |primitive: &Primitive, joints| {
        Skinner::new(primitive, joints).expect_err("it does not fit").to_string()
    };
    assert_eq!(error(&primitive, 11), "vertex 33 is influenced by joint 11; the skin has 11");

    let mut short = primitive.clone();
    short.normals.pop();
    assert_eq!(error(&short, 12), "normals: expected 100, one per vertex, or none; found 99");
    let mut short = primitive.clone();
    short.morphs[0].tangents.pop();
    assert!(error(&short, 12).starts_with("tangents of a morph target: expected 100"));

    let mut lone = primitive.clone();
    lone.normals.clear();
    assert_eq!(error(&lone, 12), "there are tangents but no normals");

    let mut many = primitive;
    let mut influences = Influences::default();
    for vertex in 0..100 {
        let count = if vertex == 17 { 300 } else { 1 };
        influences.push((0..count).map(|joint| Influence { joint, weight: 1.0 }));
    }
    many.influences = influences;
    let found = Skinner::new(&many, 300).map(|_| ());
    assert_eq!(found, Err(SkinError::TooManyJoints { vertex: 16 }));
}

#[test]
fn weights_that_are_not_numbers_influence_nothing() {
    let (mut primitive, palette) = model(8, 12, 0);
    let mut influences = Influences::default();
    for weight in [f32::NAN, f32::INFINITY, -1.0, 0.0, 1e-30, 1.0, 3e38, f32::NEG_INFINITY] {
        influences.push([Influence { joint: 1, weight }, Influence { joint: 2, weight: f32::NAN }]);
    }
    primitive.influences = influences;
    let expected = plain(&primitive, &[0.0; 2], &palette);
    let found = fast(SimdLevel::Fast, &primitive, &[0.0; 2], &palette);
    compare(&found, &expected, 1e-4, "odd weights");
    assert!(expected.positions.iter().all(|position| position.is_finite()));
}

fn vector() -> impl Strategy<Value = Vec3> {
    (-2.0_f32..2.0, -2.0_f32..2.0, -2.0_f32..2.0).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn mesh() -> impl Strategy<Value = (Primitive, Vec<Affine3A>)> {
    let influence =
        (0_u32..20, -0.1_f32..1.0).prop_map(|(joint, weight)| Influence { joint, weight });
    let vertex = (vector(), vector(), vector(), prop::collection::vec(influence, 0..12));
    let matrix = (vector(), -1.0_f32..1.0, vector()).prop_map(|(axis, angle, at)| {
        let rotation = Quat::from_axis_angle(axis.normalize_or(Vec3::X), angle);
        Affine3A::from_rotation_translation(rotation, at)
    });
    let vertices = prop::collection::vec(vertex, 0..60);
    (vertices, prop::collection::vec(matrix, 20), any::<[bool; 2]>()).prop_map(
        |(vertices, palette, [normals, tangents])| {
            let mut primitive = Primitive::default();
            let mut morph = MorphTarget::default();
            for (position, a, b, influences) in vertices {
                primitive.positions.push(position);
                let normal = a.normalize_or(Vec3::Y);
                if normals {
                    primitive.normals.push(normal);
                }
                if normals && tangents {
                    primitive.tangents.push(normal.any_orthonormal_vector().extend(-1.0));
                }
                morph.positions.push(b);
                primitive.influences.push(influences);
            }
            primitive.morphs.push(morph);
            (primitive, palette)
        },
    )
}

proptest! {
    #[test]
    fn any_mesh_comes_out_as_in_deform((primitive, palette) in mesh(), weight in -1.0_f32..2.0) {
        let expected = plain(&primitive, &[weight], &palette);
        for level in SimdLevel::ALL {
            let found = fast(level, &primitive, &[weight], &palette);
            compare(&found, &expected, 4e-6, &format!("{level:?}"));
        }
    }
}
