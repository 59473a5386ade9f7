//! Many characters, on one core and on all.

use std::hint::black_box;

use sinew::Scene;
use sinew::crowd::{CharacterState, Crowd, LocalsOfEight, ModelsOfEight, to_model_of_eight};
use sinew::motion::SampledClip;

use super::super::motion::character::JOINTS;
use super::super::motion::work::{Bench, FRAME};
use super::joints::ERROR;

/// Rows of a crowd: name, characters, on one core alone.
const CROWDS: &[(&str, usize, bool)] = &[
    ("character_of_1000", 1_000, true),
    ("character_of_1000_all_cores", 1_000, false),
    ("character_of_100000_all_cores", 100_000, false),
];

pub(super) fn rows(bench: &mut Bench, scene: &Scene) {
    let locals = vec![LocalsOfEight([[0.5; 8]; 10]); JOINTS];
    let mut models = vec![ModelsOfEight::default(); JOINTS];
    bench.part("to_model_crowd", "joint", (8 * JOINTS) as f64, || {
        to_model_of_eight(scene.skeleton(), black_box(&locals), &mut models);
    });
    for &(name, count, alone) in CROWDS {
        if !bench.wants(name) {
            continue;
        }
        let threads = if alone { 1 } else { 0 };
        let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(threads).build() else {
            continue;
        };
        pool.install(|| {
            let mut crowd = crowd(scene, count);
            bench.part(name, "character", count as f64, || {
                crowd.advance(black_box(FRAME));
                crowd.pose();
            });
        });
    }
}

/// Each at its own times, between two clips.
fn crowd(scene: &Scene, count: usize) -> Crowd {
    let sampled_clips =
        scene.clips.iter().map(|clip| SampledClip::new(scene, clip, ERROR)).collect();
    let mut crowd = Crowd::new(scene.skeleton(), sampled_clips);
    crowd.resize(count);
    for (index, part) in crowd.states_mut().iter_mut().enumerate() {
        let time = index as f32 * 0.011;
        *part = CharacterState { clips: [0, 1], times: [time % 1.3, time % 15.0], weight: 0.4 };
    }
    crowd
}
