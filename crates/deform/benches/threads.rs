//! What linear skinning costs on several threads: nanoseconds of wall time a vertex.
//!
//! `cargo bench -p sinew-deform --bench threads -- 1 4 16`: for so many threads; without numbers, for one and for as many
//! as there are cores. Each is the least of many rounds. Numbers above 1000 are counts of vertices, instead of
//! those below.

mod workload;

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use rayon::iter::{ParallelIterator, split};
use rayon::{ThreadPool, ThreadPoolBuilder};
use sinew_deform::{self as deform, Batch, SimdLevel};
use sinew_scene as scene;
use workload::Workload;

const VERTICES: [usize; 7] = [10_000, 50_000, 200_000, 500_000, 2_000_000, 4_000_000, 8_000_000];

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
    let mut workload = Workload::new(vertices, 4, tangents)?;
    let mut least = vec![f64::MAX; pools.len()];
    for _ in 0..(12_000_000 / vertices).clamp(6, 100) {
        for (pool, least) in pools.iter().zip(&mut least) {
            // The first times bring the mesh to the caches of these threads.
            for again in 0..6 {
                let time = once(&mut workload, pool);
                if again > 2 {
                    *least = least.min(time / vertices as f64);
                }
            }
        }
    }
    print!("{vertices:>8} vertices, {:<5}:", if tangents { "P+N+T" } else { "P+N" });
    for (pool, least) in pools.iter().zip(least) {
        print!("  {} threads: {least:6.3}", pool.current_num_threads());
    }
    println!("  ns/vertex");
    Ok(())
}

fn once(workload: &mut Workload, pool: &ThreadPool) -> f64 {
    let begun = Instant::now();
    let batch = black_box(&mut *workload).batch(SimdLevel::current());
    pool.install(|| split(batch, Batch::halves).for_each(Batch::skin));
    let time = begun.elapsed();
    black_box(&mut workload.out);
    time.as_nanos() as f64
}
