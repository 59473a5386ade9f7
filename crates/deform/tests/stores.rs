//! Vertices written past the caches have the bits of those written into them.

use rayon::iter::{ParallelIterator, split};
use sinew_deform::{Batch, Precision, SimdLevel, Skinner, Stores, Vertices};
use sinew_scene::glam::{Affine3A, Quat, Vec3};
use sinew_scene::{Influence, Influences, MorphTarget, Primitive};

const JOINTS: usize = 300;
/// Fewer than a block has, a block's and around it, the most that are one part and around it, many parts.
const COUNTS: [usize; 12] = [0, 1, 2, 7, 8, 9, 23, 1003, 16_384, 16_385, 20_000, 50_003];

/// Vertices with none to five influences by more joints than one table holds; one normal in 9000 has no length.
fn mesh(vertices: usize, normals: bool, tangents: bool) -> Primitive {
    let mut influences = Influences::default();
    for vertex in 0..vertices {
        let influences = if vertex % 128 < 64 { 4 } else { vertex % 6 };
        influences.push((0..influences).map(|slot| Influence {
            joint: ((vertex / 40 + slot) % JOINTS) as u32,
            weight: 1.0 + slot as f32,
        }));
    }
    let wave = |at: usize| Vec3::new((at as f32).sin(), (at as f32 * 0.7).cos(), 0.3);
    let list = |from: usize, on: bool| (0..if on { vertices } else { 0 }).map(move |at| at + from);
    let unit = |at| if at % 9000 == 8000 { Vec3::ZERO } else { wave(at).normalize() };
    Primitive {
        positions: list(0, true).map(wave).collect(),
        normals: list(1, normals).map(unit).collect(),
        tangents: list(5, tangents).map(|at| unit(at).extend(1.0)).collect(),
        influences,
        morphs: vec![MorphTarget {
            positions: list(9, true).map(wave).collect(),
            normals: list(2, normals).map(wave).collect(),
            ..MorphTarget::default()
        }],
        ..Primitive::default()
    }
}

fn palette() -> Vec<Affine3A> {
    let joint = |joint: usize| {
        let turn = Quat::from_rotation_x(joint as f32 * 0.01);
        Affine3A::from_rotation_translation(turn, Vec3::Y * joint as f32)
    };
    (0..JOINTS).map(joint).collect()
}

fn bits(vertices: &Vertices) -> Vec<u32> {
    let Vertices { positions, normals, tangents } = vertices;
    let threes = positions.iter().chain(normals).flat_map(|vector| vector.to_array());
    threes.chain(tangents.iter().flat_map(|vector| vector.to_array())).map(f32::to_bits).collect()
}

/// Every piece that a batch can be cut into, in order.
fn pieces(batch: Batch<'_>) -> Vec<Batch<'_>> {
    match batch.halves() {
        (whole, None) => vec![whole],
        (front, Some(back)) => pieces(front).into_iter().chain(pieces(back)).collect(),
    }
}

/// What lies in the output before, so that vertices that are not written show.
fn filled(vertices: usize) -> Vertices {
    Vertices {
        positions: vec![Vec3::NAN; vertices],
        normals: vec![Vec3::NAN; vertices],
        ..Vertices::default()
    }
}

fn compare(primitive: &Primitive, precision: Precision, path: SimdLevel, weights: &[f32; 1]) {
    let (palette, node) = (palette(), Affine3A::from_translation(Vec3::Z));
    let vertices = primitive.positions.len();
    let mut skinner = Skinner::new(primitive, JOINTS, precision).expect("it fits");
    skinner.set_stores(Stores::Plain);
    let mut plain = Vertices::default();
    skinner.skin_on(path, primitive, weights, &palette, node, &mut plain);
    skinner.set_stores(Stores::Past);
    let [mut whole, mut cut, mut shared] = [(); 3].map(|()| filled(vertices));
    skinner.skin_on(path, primitive, weights, &palette, node, &mut whole);
    let batch = skinner.batch_on(path, primitive, weights, &palette, node, &mut cut);
    for piece in pieces(batch).into_iter().rev() {
        piece.skin();
    }
    let batch = skinner.batch_on(path, primitive, weights, &palette, node, &mut shared);
    split(batch, Batch::halves).for_each(Batch::skin);
    for (name, found) in [("whole", &whole), ("cut", &cut), ("shared", &shared)] {
        let of = (primitive.normals.len(), primitive.tangents.len());
        assert!(
            bits(found) == bits(&plain),
            "{name}: {vertices} {of:?} {precision:?} {path:?} {weights:?}"
        );
    }
}

#[test]
fn past_the_caches_vertices_have_the_bits_of_plain_ones() {
    for vertices in COUNTS {
        for (normals, tangents) in [(false, false), (true, false), (true, true)] {
            let primitive = mesh(vertices, normals, tangents);
            for path in SimdLevel::ALL {
                compare(&primitive, Precision::Exact, path, &[0.0]);
            }
            compare(&primitive, Precision::Packed, SimdLevel::Fast, &[0.0]);
            compare(&primitive, Precision::Packed, SimdLevel::Deterministic, &[0.5]);
            compare(&primitive, Precision::Exact, SimdLevel::Fast, &[0.5]);
        }
    }
}

#[test]
fn a_skinner_that_was_told_nothing_gives_the_same_too() {
    // 120,000 vertices of 40 bytes: more than some machines' last cache.
    let (primitive, palette) = (mesh(120_000, true, true), palette());
    let mut skinner = Skinner::new(&primitive, JOINTS, Precision::Exact).expect("it fits");
    let [mut fitting, mut plain] = [(); 2].map(|()| Vertices::default());
    skinner.skin(&primitive, &[0.0], &palette, Affine3A::IDENTITY, &mut fitting);
    skinner.set_stores(Stores::Plain);
    skinner.skin(&primitive, &[0.0], &palette, Affine3A::IDENTITY, &mut plain);
    assert!(bits(&fitting) == bits(&plain));
}
