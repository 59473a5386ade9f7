//! Skins: vertices with four influences each, on one core and on all.

use std::hint::black_box;

use rayon::iter::{ParallelIterator, split};
use sinew::deform::{Batch, Precision, SimdLevel, Trial};

use super::super::motion::work::Bench;

/// Rows: name, vertices, tangents too, how precisely, and whether on all cores. What does not fit the caches is kept
/// packed on one core; on all, where memory is what they share, it is as a character has it.
const SKINS: &[(&str, usize, bool, Precision, bool)] = &[
    ("skin_pn", 10_000, false, Precision::Exact, false),
    ("skin_pnt", 10_000, true, Precision::Exact, false),
    ("skin_pn_of_500000", 500_000, false, Precision::Packed, false),
    ("skin_pn_of_500000_all_cores", 500_000, false, Precision::Exact, true),
    ("skin_pn_of_2000000_all_cores", 2_000_000, false, Precision::Exact, true),
    ("skin_pnt_of_2000000_all_cores", 2_000_000, true, Precision::Exact, true),
];

/// As many are shared among threads too, and cost each as many instructions.
const FEW: usize = 50_000;

pub(super) fn rows(bench: &mut Bench) {
    for &(name, count, tangents, precision, all) in SKINS {
        if !bench.wants(name) {
            continue;
        }
        let count = if all && bench.counts() { count.min(FEW) } else { count };
        let Ok(mut trial) = Trial::new(count, 4, tangents, precision) else { continue };
        bench.part(name, "vertex", count as f64, || match all {
            false => black_box(&mut trial).skin(SimdLevel::current()),
            true => {
                let batch = black_box(&mut trial).batch(SimdLevel::current());
                split(batch, Batch::halves).for_each(Batch::skin);
            }
        });
    }
}
