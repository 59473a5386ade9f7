//! Whole models: checked, thinned and written, and compared.
//!
//! In:  the built-in character with its six clips.
//! Out: rows of nanoseconds a model, on all cores.

use std::hint::black_box;

use sinew::check::{CheckOptions, check};
use sinew::compare::{CompareOptions, compare};
use sinew::edit::{self, ReduceOptions};
use sinew::export::{self, GltfOptions};
use sinew::import::NoFiles;
use sinew::{Imported, Options, Scene};

use super::super::motion::work::Bench;

/// How far the skin may be off, in metres: what `sinew convert` allows.
const ERROR: f32 = 1e-4;

pub(super) fn rows(bench: &mut Bench) {
    if !["check", "convert", "diff"].into_iter().any(|name| bench.wants(name)) {
        return;
    }
    let ossi = sinew::ossi();
    let imported = Imported::from(ossi.clone());
    bench.whole("check", "model", || {
        black_box(check(&imported, &CheckOptions::default()));
    });
    bench.whole("convert", "model", || {
        black_box(converted(&ossi));
    });
    bench.whole("diff", "model", || {
        black_box(compare(&ossi, &ossi, &CompareOptions::default()).is_ok());
    });
}

/// What `sinew convert` does: keys thinned, a GLB written, read again and measured. Metres that it is off.
fn converted(scene: &Scene) -> Option<f64> {
    let options = ReduceOptions { error: ERROR, short_values: true };
    let clips = edit::reduce_all(scene, &options).into_iter().map(|reduced| reduced.clip);
    let mut parts = scene.clone().into_parts();
    parts.clips = clips.collect();
    edit::round_weights(&mut parts);
    let small = Scene::new(parts).ok()?;
    let written = export::glb(&small, &GltfOptions::default()).ok()?;
    let back = Options::default().read(&written.bytes, &NoFiles).ok()?;
    let options = CompareOptions {
        rate: 15.0,
        worst_only: true,
        worst_of_all_below: f64::from(ERROR),
        ..CompareOptions::default()
    };
    let found = compare(scene, &back.scene, &options).ok()?;
    let skins = found.clips.iter().filter_map(|clip| clip.measure.skin.as_ref());
    skins.map(|skin| skin.worst.metres).reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_measured_is_a_conversion_that_keeps_its_bound() {
        let metres = converted(&sinew::ossi()).expect("it is written and read");
        assert!(metres > 0.0 && metres < 2.0 * f64::from(ERROR), "{metres}");
    }
}
