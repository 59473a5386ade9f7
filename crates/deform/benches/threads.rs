//! What linear skinning costs on several threads: nanoseconds of wall time a vertex, written into the caches (plain),
//! past them, and as the program chooses by itself (fitting).
//!
//! `cargo bench -p sinew-deform --bench threads -- 1 4 16`: for so many threads; without numbers, for one and for as many
//! as there are cores. Each is the least of many turns, and all of them take turns. Numbers above 1000 are counts of
//! vertices, instead of those below.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use rayon::iter::{ParallelIterator, split};
use rayon::{ThreadPool, ThreadPoolBuilder};
use sinew_deform::{Batch, Precision, SimdLevel, Stores, Trial};

const VERTICES: [usize; 7] = [10_000, 50_000, 200_000, 500_000, 2_000_000, 4_000_000, 8_000_000];
const STORES: [Stores; 3] = [Stores::Plain, Stores::Past, Stores::Fitting];

fn main() -> Result<(), Box<dyn Error>> {
    let numbers = std::env::args().filter_map(|word| word.parse::<usize>().ok());
    let (mut vertices, mut threads): (Vec<_>, Vec<_>) = numbers.partition(|&number| number > 1000);
    if threads.is_empty() {
        threads = vec![1, std::thread::available_parallelism()?.get()];
    }
    if vertices.is_empty() {
        vertices = VERTICES.to_vec();
    }
    let mut pools = Vec::new();
    for threads in threads {
        pools.push(ThreadPoolBuilder::new().num_threads(threads).build()?);
    }
    for tangents in [false, true] {
        for &vertices in &vertices {
            row(vertices, tangents, &pools)?;
        }
    }
    Ok(())
}

fn row(vertices: usize, tangents: bool, pools: &[ThreadPool]) -> Result<(), Box<dyn Error>> {
    let mut trial = Trial::new(vertices, 4, tangents, Precision::Exact)?;
    let mut least = vec![[f64::MAX; STORES.len()]; pools.len()];
    for turn in 0..(12_000_000 / vertices).clamp(6, 100) {
        for (pool, least) in pools.iter().zip(&mut least) {
            // Who comes after stores past the caches finds nothing there: each comes first, second and third in turn.
            for at in 0..STORES.len() {
                let at = (at + turn) % STORES.len();
                let least = &mut least[at];
                trial.set_stores(STORES[at]);
                // The first times bring the mesh to the caches of these threads.
                for again in 0..6 {
                    let time = once(&mut trial, pool);
                    if again > 2 {
                        *least = least.min(time / vertices as f64);
                    }
                }
            }
        }
    }
    print!("{vertices:>8} vertices, {:<5}:", if tangents { "P+N+T" } else { "P+N" });
    for (pool, [plain, past, fitting]) in pools.iter().zip(least) {
        print!("  {} threads: plain {plain:6.3}", pool.current_num_threads());
        print!(" past {past:6.3} ({:4.2})", past / plain);
        print!(" fitting {fitting:6.3} ({:4.2})", fitting / plain);
    }
    println!("  ns/vertex");
    Ok(())
}

fn once(trial: &mut Trial, pool: &ThreadPool) -> f64 {
    let begun = Instant::now();
    let batch = black_box(&mut *trial).batch(SimdLevel::current());
    pool.install(|| split(batch, Batch::halves).for_each(Batch::skin));
    let time = begun.elapsed();
    black_box(&mut trial.out);
    time.as_nanos() as f64
}
