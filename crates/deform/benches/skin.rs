//! What linear skinning costs, on each path: nanoseconds a vertex, four pulls each.
//!
//! `cargo bench -p sinew-deform --bench skin`. Plain program: the median of many runs. With the
//! argument `count` it is fit for `valgrind --tool=callgrind`.

use std::hint::black_box;
use std::time::Instant;

use sinew_deform::{Binding, Path, Skinner, Vertices, Weights, deform};
use sinew_scene::glam::{Affine3A, Vec3};
use sinew_scene::{Influence, Primitive, SkinMethod};

const JOINTS: usize = 67;

fn model(vertices: usize, pulls: usize, tangents: bool) -> Primitive {
    let mut primitive = Primitive::default();
    for vertex in 0..vertices {
        let at = vertex as f32;
        primitive.positions.push(Vec3::new(at.sin(), at.cos(), at * 1e-4));
        primitive.normals.push(Vec3::new(at.sin(), at.cos(), 0.3).normalize());
        if tangents {
            primitive.tangents.push(Vec3::new(at.cos(), -at.sin(), 0.0).extend(1.0));
        }
        primitive.influences.push((0..pulls).map(|slot| Influence {
            joint: ((vertex * JOINTS / vertices + slot * (1 + vertex % 3)) % JOINTS) as u32,
            weight: 1.0 + slot as f32,
        }));
    }
    primitive
}

fn median(runs: usize, mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..runs)
        .map(|_| {
            let begun = Instant::now();
            work();
            begun.elapsed().as_nanos() as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let palette: Vec<_> = (0..JOINTS)
        .map(|joint| Affine3A::from_rotation_x(joint as f32) * Affine3A::from_translation(Vec3::X))
        .collect();
    let mut out = Vertices::default();
    if std::env::args().any(|argument| argument == "count") {
        // For callgrind: 100 times 10 000 vertices.
        let primitive = model(10_000, 4, false);
        let mut skinner = Skinner::new(&primitive, Weights::Exact).expect("few joints");
        for _ in 0..100 {
            skinner.skin(&primitive, &[], &palette, Affine3A::IDENTITY, &mut out);
        }
        return;
    }
    for (vertices, runs) in [(10_000, 401), (500_000, 21)] {
        for (name, pulls, tangents) in
            [("P+N, 1 pull", 1, false), ("P+N, 4 pulls", 4, false), ("P+N+T, 4 pulls", 4, true)]
        {
            let primitive = model(vertices, pulls, tangents);
            let binding = Binding::Skinned {
                method: SkinMethod::Linear,
                model_from_mesh: &palette,
                without_pull: Affine3A::IDENTITY,
            };
            let time = median(runs / 10 + 1, || deform(&primitive, &[], binding, &mut out));
            print!("{vertices:>7} vertices, {name:<14}  plain {:5.2}", time / vertices as f64);
            for (path, kind) in [
                (Path::Scalar, Weights::Exact),
                (Path::Deterministic, Weights::Exact),
                (Path::Fast, Weights::Exact),
                (Path::Fast, Weights::Packed),
            ] {
                let mut skinner = Skinner::new(&primitive, kind).expect("few joints");
                let time = median(runs, || {
                    let matrices = black_box(&palette);
                    skinner.skin_on(path, &primitive, &[], matrices, Affine3A::IDENTITY, &mut out);
                    black_box(&mut out);
                });
                print!("  {path:?} {kind:?} {:5.2}", time / vertices as f64);
            }
            println!("  ns/vertex");
        }
    }
}
