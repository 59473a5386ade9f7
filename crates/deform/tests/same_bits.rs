//! Skinning has the same bits on every machine: one set of constants holds on all of them.
//!
//! Run on x86-64, 64-bit ARM and WebAssembly with and without vector instructions (`tools/paths_test`).

#[path = "../../../tests/bits/mod.rs"]
mod bits;

use bits::{Made, Sum};
use sinew_deform::{Binding, SimdLevel, Skinner, Vertices, deform, palette};
use sinew_scene::glam::{Affine3A, Mat3A, Vec3};
use sinew_scene::{
    Geometry, Influence, Influences, JointId, MorphTarget, Primitive, Skin, SkinMethod,
};

const JOINTS: usize = 23;
const VERTICES: usize = 1003;

/// Vertices with none to nine influences, and two morph targets.
fn primitive() -> Primitive {
    let mut made = Made::new(11);
    let mut influences = Influences::default();
    for vertex in 0..VERTICES {
        // Neighbours with as many influences, and neighbours with all kinds.
        let count = if vertex % 64 < 32 { vertex / 64 % 10 } else { vertex % 10 };
        influences.push((0..count).map(|slot| Influence {
            joint: ((vertex * 5 + slot * 3) % JOINTS) as u32,
            weight: 0.1 + made.number().abs(),
        }));
    }
    let mut list = |size: f32| -> Vec<Vec3> { (0..VERTICES).map(|_| made.vector(size)).collect() };
    let morphs = vec![
        MorphTarget { positions: list(0.1), normals: list(0.1), tangents: list(0.1) },
        MorphTarget { positions: list(0.1), ..MorphTarget::default() },
    ];
    let positions = list(1.0);
    let normals = (0..VERTICES).map(|_| made.direction()).collect();
    let side = |at: usize| if at.is_multiple_of(3) { -1.0 } else { 1.0 };
    let tangents = (0..VERTICES).map(|at| made.direction().extend(side(at))).collect();
    let dual_weights = (0..VERTICES).map(|at| (at % 5) as f32 / 4.0).collect();
    Primitive::from(Geometry {
        positions,
        normals,
        tangents,
        influences,
        morphs,
        dual_weights,
        ..Geometry::default()
    })
}

/// Rotated, scaled, mirrored, sheared; one flat.
fn matrices(seed: u64) -> Vec<Affine3A> {
    let mut made = Made::new(seed);
    let matrix = |at: usize| {
        let scale = match at % 6 {
            0 => Vec3::new(-1.0, 1.1, 0.9),
            1 | 2 => Vec3::ONE + made.vector(0.3),
            _ => Vec3::ONE,
        };
        let scale = if at == 17 { Vec3::new(1.0, 0.0, 1.0) } else { scale };
        let rotation = made.rotation();
        let place = made.vector(0.5);
        let matrix = Affine3A::from_scale_rotation_translation(scale, rotation, place);
        let shear = Affine3A::from_mat3(
            Mat3A::from_cols_array(&[1., 0., 0., 0.5, 1., 0., 0., 0., 1.]).into(),
        );
        if at % 8 == 7 { matrix * shear } else { matrix }
    };
    (0..JOINTS).map(matrix).collect()
}

fn model_from_mesh() -> Vec<Affine3A> {
    let skin = Skin {
        joints: (0..JOINTS).rev().map(JointId::new).collect(),
        joint_from_mesh: matrices(5),
        ..Skin::default()
    };
    let mut out = vec![Affine3A::IDENTITY; JOINTS];
    palette(&skin, &matrices(6), &mut out);
    out
}

fn node() -> Affine3A {
    Affine3A::from_translation(Vec3::Z)
}

fn add_vertices(sum: &mut Sum, vertices: &Vertices) {
    for list in [&vertices.positions, &vertices.normals] {
        list.iter().for_each(|vector| sum.add(&vector.to_array()));
    }
    vertices.tangents.iter().for_each(|vector| sum.add(&vector.to_array()));
}

const WEIGHTS: [[f32; 2]; 3] = [[0.0, 0.0], [0.7, 0.0], [-0.3, 1.2]];

#[test]
fn palettes_have_the_same_bits() {
    let mut sum = Sum::new();
    model_from_mesh().iter().for_each(|matrix| sum.add(&matrix.to_cols_array()));
    sum.check("palette", 0x3485_d388_3545_9c79);
}

#[test]
fn eight_vertices_at_a_time_have_the_same_bits() {
    let (primitive, palette, mut out) = (primitive(), model_from_mesh(), Vertices::default());
    let skinner = Skinner::new(&primitive, JOINTS).expect("it fits");
    for level in [SimdLevel::Scalar, SimdLevel::Deterministic] {
        let mut sum = Sum::new();
        for weights in &WEIGHTS {
            skinner.skin_on(level, &primitive, weights, &palette, node(), &mut out);
            add_vertices(&mut sum, &out);
        }
        sum.check(&format!("{level:?}"), 0xc38e_7dfe_bba2_e9be);
    }
}

#[test]
fn one_vertex_at_a_time_has_the_same_bits() {
    let (primitive, palette, mut out) = (primitive(), model_from_mesh(), Vertices::default());
    let methods = [
        (SkinMethod::Linear, 0x021c_5cd2_c956_fc73),
        (SkinMethod::DualQuaternion, 0xb115_d1d6_b97f_37a1),
        (SkinMethod::Blended, 0x8d09_2a95_704e_db28),
    ];
    for (method, expected) in methods {
        let mut sum = Sum::new();
        for weights in &WEIGHTS {
            let (model_from_mesh, without_influence) = (&palette[..], node());
            let binding = Binding::Skinned { method, model_from_mesh, without_influence };
            deform(&primitive, weights, binding, &mut out);
            add_vertices(&mut sum, &out);
        }
        sum.check(&format!("{method:?}"), expected);
    }
}
