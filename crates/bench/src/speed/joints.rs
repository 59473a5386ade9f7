//! Clips to poses, poses to one, and to the model: one character on one core.

use std::hint::black_box;

use sinew::Scene;
use sinew::motion::{Cursor, Layer, Pose, SampledClip, blend, sample};

use super::super::motion::work::{Bench, FRAME, dice, posed};

/// A tenth of a millimetre.
pub(super) const ERROR: f32 = 0.000_1;

pub(super) fn rows(bench: &mut Bench, scene: &Scene) {
    sampled_clips(bench, scene);
    keys(bench, scene);
    packed(bench, scene);
    poses(bench, scene);
}

/// What games play: even frames.
fn sampled_clips(bench: &mut Bench, scene: &Scene) {
    if !["sample", "seek", "seek_15_s"].iter().any(|name| bench.wants(name)) {
        return;
    }
    let [walk, long] = [0, 1].map(|clip| SampledClip::new(scene, &scene.clips[clip], ERROR));
    let (mut pose, mut time, mut roll) = (Pose::new(scene), 0.0, dice());
    bench.per_joint("sample", || {
        time = (time + FRAME) % walk.duration();
        walk.sample(black_box(time), &mut pose);
    });
    bench.per_joint("seek", || walk.sample(black_box(roll() * walk.duration()), &mut pose));
    bench.per_joint("seek_15_s", || long.sample(black_box(roll() * long.duration()), &mut pose));
}

/// The keys as they are in the file.
fn keys(bench: &mut Bench, scene: &Scene) {
    let walk = &scene.clips[0];
    let (mut pose, mut cursor) = (Pose::new(scene), Cursor::new());
    let (mut time, mut roll) = (0.0, dice());
    bench.per_joint("sample_exact", || {
        time = (time + FRAME) % walk.duration;
        sample(walk, black_box(time), &mut cursor, &mut pose);
    });
    bench.per_joint("seek_exact", || {
        sample(walk, black_box(roll() * walk.duration), &mut cursor, &mut pose);
    });
}

/// Clips that are held at a time where caches are cold.
const COLD_CLIPS: usize = 4000;

/// The small form: making it, and reading it where it lies.
fn packed(bench: &mut Bench, scene: &Scene) {
    let options = sinew::pack::Options { error: ERROR, ..Default::default() };
    // What is measured of a packed clip is shared among cores: here it is to be one.
    let Ok(alone) = rayon::ThreadPoolBuilder::new().num_threads(1).build() else { return };
    let pack = |clip: usize| {
        let clip = &scene.clips[clip];
        alone
            .install(|| sinew::pack::pack(scene, clip, &options, &|_| {}))
            .map(|(packed, _)| packed)
    };
    for (name, clip) in [("pack_walk", 0), ("pack_dance", 1)] {
        if bench.wants(name) {
            bench.whole(name, "clip", || drop(black_box(pack(clip))));
        }
    }
    let wanted = ["sample_packed", "sample_packed_cold", "packed_memory"];
    if !wanted.iter().any(|name| bench.wants(name)) {
        return;
    }
    let packed = match pack(0) {
        Ok(packed) => packed,
        Err(error) => return eprintln!("sinew: sample_packed is left out: {error}"),
    };
    let (mut pose, mut roll) = (Pose::new(scene), dice());
    bench.per_joint("sample_packed", || {
        packed.sample(black_box(roll() * packed.duration()), &mut pose);
    });
    if bench.wants("sample_packed_cold") {
        let clips = vec![packed.clone(); COLD_CLIPS];
        // As many poses at once as there are clips: the fastest of short batches would be the warmest.
        let joints = (COLD_CLIPS * scene.skeleton().len()) as f64;
        bench.part("sample_packed_cold", "joint", joints, || {
            for _ in 0..COLD_CLIPS {
                let clip = &clips[(roll() * COLD_CLIPS as f32) as usize % COLD_CLIPS];
                clip.sample(black_box(roll() * clip.duration()), &mut pose);
            }
        });
    }
    let bytes = packed.bytes().len() + packed.size_beside();
    bench.known("packed_memory", "bytes", bytes as f64);
}

fn poses(bench: &mut Bench, scene: &Scene) {
    if !["blend", "to_model", "character"].iter().any(|name| bench.wants(name)) {
        return;
    }
    let sampled = SampledClip::new(scene, &scene.clips[0], ERROR);
    let (one, mut other, mut out) = (posed(scene), Pose::new(scene), Pose::new(scene));
    sampled.sample(1.0, &mut other);
    bench.per_joint("blend", || {
        blend([Layer::new(&one, 0.3), Layer::new(&other, black_box(0.7))], &mut out);
    });
    bench.per_joint("to_model", || black_box(&mut out).to_model(scene.skeleton()));
    let (mut one, mut time) = (one, 0.0);
    // Two clips that play, mixed, and where every joint stands then.
    bench.whole("character", "character", || {
        time = (time + FRAME) % sampled.duration();
        sampled.sample(black_box(time), &mut one);
        sampled.sample(black_box(sampled.duration() - time), &mut other);
        blend([Layer::new(&one, 0.3), Layer::new(&other, 0.7)], &mut out);
        out.to_model(scene.skeleton());
    });
}
