//! What linear skinning costs, on each path: nanoseconds a vertex.
//!
//! `cargo bench -p sinew-deform --bench skin`. A plain program: all ways take turns, and each row has
//! the median of its turns, so neighbours on the machine disturb all of them alike; compare within a
//! row. With the argument `count` it is fit for `valgrind --tool=callgrind`.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use sinew_deform::{Precision, SimdLevel, Trial};

/// How a row's columns are skinned; `None` is the way that defines the result.
const WAYS: [(&str, Precision, Option<SimdLevel>); 5] = [
    ("plain", Precision::Exact, None),
    ("scalar", Precision::Exact, Some(SimdLevel::Scalar)),
    ("deterministic", Precision::Exact, Some(SimdLevel::Deterministic)),
    ("fast", Precision::Exact, Some(SimdLevel::Fast)),
    ("fast packed", Precision::Packed, Some(SimdLevel::Fast)),
];

fn main() -> Result<(), Box<dyn Error>> {
    if std::env::args().any(|argument| argument == "count") {
        let mut trial = Trial::new(10_000, 4, false, Precision::Exact)?;
        for _ in 0..100 {
            trial.skin(SimdLevel::Fast);
        }
        return Ok(());
    }
    for (vertices, turns) in [(10_000, 101), (500_000, 7)] {
        for (influences, tangents) in [(1, false), (2, false), (4, false), (4, true), (8, false)] {
            row(vertices, turns, influences, tangents)?;
        }
    }
    Ok(())
}

fn row(
    vertices: usize,
    turns: usize,
    influences: usize,
    tangents: bool,
) -> Result<(), Box<dyn Error>> {
    let mut times = vec![Vec::new(); WAYS.len()];
    let mut trials = Vec::new();
    for (_, precision, _) in WAYS {
        trials.push(Trial::new(vertices, influences, tangents, precision)?);
    }
    for _ in 0..turns {
        for (at, (_, _, path)) in WAYS.into_iter().enumerate() {
            // The first time brings the mesh into the cache.
            for again in 0..3 {
                let time = once(&mut trials[at], path);
                if again > 0 {
                    times[at].push(time / vertices as f64);
                }
            }
        }
    }
    let kind = if tangents { "P+N+T" } else { "P+N" };
    print!("{vertices:>7} vertices, {kind:<5}, {influences} influences:");
    for (times, (name, ..)) in times.iter_mut().zip(WAYS) {
        times.sort_by(f64::total_cmp);
        print!("  {name} {:5.2}", times[times.len() / 2]);
    }
    println!("  ns/vertex");
    Ok(())
}

fn once(trial: &mut Trial, path: Option<SimdLevel>) -> f64 {
    let begun = Instant::now();
    match path {
        Some(path) => black_box(&mut *trial).skin(path),
        None => black_box(&mut *trial).deform(),
    }
    black_box(&mut trial.out);
    begun.elapsed().as_nanos() as f64
}
