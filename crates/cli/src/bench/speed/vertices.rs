//! Skins: vertices with four pulls each, on one core.

use std::hint::black_box;

use sinew::deform::{Path, Precision, Trial};

use super::super::motion::work::Bench;

/// Rows: name, vertices, tangents too, and how precisely. What does not fit the caches is kept packed.
const SKINS: &[(&str, usize, bool, Precision)] = &[
    ("skin_pn", 10_000, false, Precision::Exact),
    ("skin_pnt", 10_000, true, Precision::Exact),
    ("skin_pn_of_500000", 500_000, false, Precision::Packed),
];

pub(super) fn rows(bench: &mut Bench) {
    for &(name, count, tangents, precision) in SKINS {
        if !bench.wants(name) {
            continue;
        }
        let Ok(mut trial) = Trial::new(count, 4, tangents, precision) else { continue };
        bench.part(name, "vertex", count as f64, || {
            black_box(&mut trial).skin(Path::current());
        });
    }
}
