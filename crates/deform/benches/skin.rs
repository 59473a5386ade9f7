//! What linear skinning costs, on each `SimdLevel`: nanoseconds a vertex.
//!
//! `cargo bench -p sinew-deform --bench skin`. A plain program: all columns are measured in rotation, and each has
//! the median of its rounds, so neighbours on the machine disturb all of them alike; compare within a
//! row. With the argument `count` it is fit for `valgrind --tool=callgrind`.

mod workload;

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use sinew_deform::{self as deform, Binding, SimdLevel};
use sinew_scene::glam::Affine3A;
use sinew_scene::{self as scene, SkinMethod};
use workload::Workload;

/// How a row's columns are skinned; `None` is `deform`, which defines the result.
const COLUMNS: [(&str, Option<SimdLevel>); 4] = [
    ("plain", None),
    ("scalar", Some(SimdLevel::Scalar)),
    ("deterministic", Some(SimdLevel::Deterministic)),
    ("fast", Some(SimdLevel::Fast)),
];

fn main() -> Result<(), Box<dyn Error>> {
    if std::env::args().any(|argument| argument == "count") {
        let mut workload = Workload::new(10_000, 4, false)?;
        for _ in 0..100 {
            workload.batch(SimdLevel::Fast).skin();
        }
        return Ok(());
    }
    for (vertices, rounds) in [(10_000, 101), (500_000, 7)] {
        for (influences, tangents) in [(1, false), (2, false), (4, false), (4, true), (8, false)] {
            row(vertices, rounds, influences, tangents)?;
        }
    }
    Ok(())
}

fn row(
    vertices: usize,
    rounds: usize,
    influences: usize,
    tangents: bool,
) -> Result<(), Box<dyn Error>> {
    let mut times = vec![Vec::new(); COLUMNS.len()];
    let mut workload = Workload::new(vertices, influences, tangents)?;
    for _ in 0..rounds {
        for (times, (_, level)) in times.iter_mut().zip(COLUMNS) {
            // The first time brings the mesh into the cache.
            for again in 0..3 {
                let time = once(&mut workload, level);
                if again > 0 {
                    times.push(time / vertices as f64);
                }
            }
        }
    }
    let kind = if tangents { "P+N+T" } else { "P+N" };
    print!("{vertices:>7} vertices, {kind:<5}, {influences} influences:");
    for (times, (name, _)) in times.iter_mut().zip(COLUMNS) {
        times.sort_by(f64::total_cmp);
        print!("  {name} {:5.2}", times[times.len() / 2]);
    }
    println!("  ns/vertex");
    Ok(())
}

fn once(workload: &mut Workload, level: Option<SimdLevel>) -> f64 {
    let begun = Instant::now();
    match level {
        Some(level) => black_box(&mut *workload).batch(level).skin(),
        None => define(black_box(&mut *workload)),
    }
    black_box(&mut workload.out);
    begun.elapsed().as_nanos() as f64
}

/// Skins it once, one vertex at a time.
fn define(workload: &mut Workload) {
    let binding = Binding::Skinned {
        method: SkinMethod::Linear,
        model_from_mesh: &workload.palette,
        without_influence: Affine3A::IDENTITY,
    };
    deform::deform(&workload.primitive, &[], binding, &mut workload.out);
}
