//! Skins: vertices with four influences each, on one core and on all.
//!
//! In:  a made-up mesh under a made-up skin.
//! Out: rows of nanoseconds a vertex.

use std::hint::black_box;

use rayon::iter::{ParallelIterator, split};
use sinew::deform::{self, Batch, SimdLevel};
use sinew::scene;

use self::workload::Workload;
use super::super::motion::work::Bench;

#[path = "../../../deform/benches/workload/mod.rs"]
mod workload;

/// Rows: name, vertices, tangents too, and whether on all cores.
const SKINS: &[(&str, usize, bool, bool)] = &[
    ("skin_pn", 10_000, false, false),
    ("skin_pnt", 10_000, true, false),
    ("skin_pn_of_500000", 500_000, false, false),
    ("skin_pn_of_500000_all_cores", 500_000, false, true),
    ("skin_pn_of_2000000_all_cores", 2_000_000, false, true),
    ("skin_pnt_of_2000000_all_cores", 2_000_000, true, true),
];

/// As many are shared among threads too, and cost each as many instructions.
const MAX_COUNTED_VERTICES: usize = 50_000;

pub(super) fn rows(bench: &mut Bench) {
    for &(name, count, tangents, all) in SKINS {
        if !bench.wants(name) {
            continue;
        }
        let count = if all && bench.counts() { count.min(MAX_COUNTED_VERTICES) } else { count };
        let Ok(mut workload) = Workload::new(count, 4, tangents) else { continue };
        bench.part(name, "vertex", count as f64, || {
            let batch = black_box(&mut workload).batch(SimdLevel::current());
            if all {
                split(batch, Batch::halves).for_each(Batch::skin);
            } else {
                batch.skin();
            }
        });
    }
}
