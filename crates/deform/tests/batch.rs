//! A mesh skinned in pieces, by whichever threads, is the mesh skinned at once.

use rayon::iter::{ParallelIterator, split};
use sinew_deform::{Batch, Binding, SimdLevel, Skinner, Vertices, deform};
use sinew_scene::glam::{Affine3A, Quat, Vec3};
use sinew_scene::{Geometry, Influence, Influences, MorphTarget, Primitive, SkinMethod};

/// Vertices with none to five influences of 300 joints, more than one table holds, and a morph target.
fn mesh(vertices: usize) -> (Primitive, Vec<Affine3A>) {
    let mut influences = Influences::default();
    for vertex in 0..vertices {
        let count = if vertex % 128 < 64 { 4 } else { vertex % 6 };
        influences.push((0..count).map(|slot| Influence {
            joint: ((vertex / 40 + slot) % 300) as u32,
            weight: 1.0 + slot as f32,
        }));
    }
    let wave = |at: usize| Vec3::new((at as f32).sin(), (at as f32 * 0.7).cos(), 0.3);
    let primitive = Primitive::from(Geometry {
        positions: (0..vertices).map(wave).collect(),
        normals: (0..vertices).map(|at| wave(at + 1).normalize()).collect(),
        tangents: (0..vertices).map(|at| wave(at + 5).normalize().extend(1.0)).collect(),
        influences,
        morphs: vec![MorphTarget {
            positions: (0..vertices).map(|at| wave(at + 9)).collect(),
            ..MorphTarget::default()
        }],
        ..Geometry::default()
    });
    let palette = (0..300).map(|joint| {
        let rotation = Quat::from_rotation_x(joint as f32 * 0.01);
        Affine3A::from_rotation_translation(rotation, Vec3::Y * joint as f32)
    });
    (primitive, palette.collect())
}

/// Every piece that a batch can be cut into, in order.
fn pieces(batch: Batch<'_>) -> Vec<Batch<'_>> {
    match batch.halves() {
        (whole, None) => vec![whole],
        (front, Some(back)) => pieces(front).into_iter().chain(pieces(back)).collect(),
    }
}

fn bits(vertices: &Vertices) -> Vec<u32> {
    let Vertices { positions, normals, tangents } = vertices;
    let threes = positions.iter().chain(normals).flat_map(|vector| vector.to_array());
    threes.chain(tangents.iter().flat_map(|vector| vector.to_array())).map(f32::to_bits).collect()
}

#[test]
fn pieces_in_any_order_have_the_bits_of_the_whole() {
    for vertices in [0, 1, 7, 8, 9, 1000, 16_384, 16_385, 16_391, 50_003] {
        let (primitive, palette) = mesh(vertices);
        let skinner = Skinner::new(&primitive, 300).expect("it fits");
        for weights in [[0.0], [0.5]] {
            for level in SimdLevel::ALL {
                let node = Affine3A::IDENTITY;
                let mut whole = Vertices::default();
                skinner.skin_on(level, &primitive, &weights, &palette, node, &mut whole);
                // Vertices that are not written show.
                let mut cut = Vertices {
                    positions: vec![Vec3::NAN; vertices],
                    normals: vec![Vec3::NAN; vertices],
                    ..Vertices::default()
                };
                let batch = skinner.batch_on(level, &primitive, &weights, &palette, node, &mut cut);
                for piece in pieces(batch).into_iter().rev() {
                    piece.skin();
                }
                assert_eq!(whole.positions.len(), vertices);
                assert!(bits(&whole) == bits(&cut), "{vertices} vertices, {level:?}, {weights:?}");
            }
        }
    }
}

#[test]
fn a_large_mesh_has_pieces_for_many_threads_and_none_is_lost() {
    let (mut primitive, palette) = mesh(50_003);
    primitive.morphs.clear();
    let skinner = Skinner::new(&primitive, 300).expect("it fits");
    let mut out = Vertices::default();
    let batch = skinner.batch(&primitive, &[], &palette, Affine3A::IDENTITY, &mut out);
    assert_eq!((batch.len(), batch.is_empty()), (50_003, false));
    let lengths: Vec<usize> = pieces(batch).iter().map(Batch::len).collect();
    assert_eq!(lengths.iter().sum::<usize>(), 50_003);
    // Twelve parts of 4096 vertices, and one of 848 with the last three, which fill no block.
    assert_eq!((lengths.len(), lengths[0], lengths[12]), (13, 4096, 851));
}

#[test]
fn a_small_mesh_is_one_piece() {
    for vertices in [0, 1, 8, 1003, 10_000] {
        let (primitive, palette) = mesh(vertices);
        let skinner = Skinner::new(&primitive, 300).expect("it fits");
        let mut out = Vertices::default();
        let batch = skinner.batch(&primitive, &[0.0], &palette, Affine3A::IDENTITY, &mut out);
        let lengths: Vec<usize> = pieces(batch).iter().map(Batch::len).collect();
        assert_eq!(lengths, [vertices]);
    }
}

#[test]
fn threads_of_a_pool_share_a_mesh_without_normals() {
    let (mut primitive, palette) = mesh(60_001);
    primitive.normals.clear();
    primitive.tangents.clear();
    primitive.morphs.clear();
    let skinner = Skinner::new(&primitive, 300).expect("it fits");
    let (mut whole, mut shared) = (Vertices::default(), Vertices::default());
    skinner.skin(&primitive, &[], &palette, Affine3A::IDENTITY, &mut whole);
    let batch = skinner.batch(&primitive, &[], &palette, Affine3A::IDENTITY, &mut shared);
    split(batch, Batch::halves).for_each(Batch::skin);
    assert!(bits(&whole) == bits(&shared));
    assert!(shared.normals.is_empty() && shared.tangents.is_empty());
    let mut plain = Vertices::default();
    let (method, model_from_mesh) = (SkinMethod::Linear, &palette[..]);
    let without_influence = Affine3A::IDENTITY;
    let binding = Binding::Skinned { method, model_from_mesh, without_influence };
    deform(&primitive, &[], binding, &mut plain);
    for (vertex, (a, b)) in shared.positions.iter().zip(&plain.positions).enumerate() {
        assert!(a.abs_diff_eq(*b, 1e-3), "vertex {vertex} is at {a}, not {b}");
    }
}
