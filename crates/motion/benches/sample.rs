//! Sampling and the walk down the tree, on 67 joints with a key 30 times a second.
//!
//! `cargo bench -p sinew-motion` prints joints per second: a thousand million of them is 1 ns a joint.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sinew_motion::{Cursor, Pose, sample};
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{Clip, Curve, Interpolation, JointId, Node, Scene, SceneParts, Track, Transform};

const JOINTS: usize = 67;
const SECONDS: f32 = 15.0;
const RATE: f32 = 30.0;

/// A chain that forks, as deep as a character's hand, every joint turning and the first one moving.
fn character(interpolation: Interpolation) -> Scene {
    let parent = |index: usize| match index {
        0 => None,
        _ if index.is_multiple_of(14) => Some(JointId::new(0)),
        _ => Some(JointId::new(index - 1)),
    };
    let stand = Transform::from_translation(Vec3::Y * 0.1);
    let nodes = (0..JOINTS).map(|index| Node::new("", parent(index), stand)).collect();
    let times: std::sync::Arc<[f32]> =
        (0..=(SECONDS * RATE) as usize).map(|key| key as f32 / RATE).collect();
    let each = interpolation.values_per_key();
    let rotations = (0..JOINTS).map(|joint| {
        let rotation = |key: usize| Quat::from_rotation_x((key as f32 * 0.1 + joint as f32).sin());
        let values = (0..times.len() * each).map(|value| rotation(value / each)).collect();
        let curve = Curve::new(times.clone(), values, interpolation).expect("a key per time");
        Track { joint: JointId::new(joint), curve }
    });
    let moves = (0..times.len() * each).map(|key| Vec3::X * key as f32).collect();
    let curve = Curve::new(times.clone(), moves, interpolation).expect("a key per time");
    let clip = Clip {
        duration: SECONDS,
        rotations: rotations.collect(),
        translations: vec![Track { joint: JointId::new(0), curve }],
        ..Clip::default()
    };
    Scene::new(SceneParts { nodes, clips: vec![clip], ..SceneParts::default() }).expect("it fits")
}

fn benchmarks(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("67 joints");
    group.throughput(Throughput::Elements(JOINTS as u64));
    for (name, interpolation) in
        [("linear", Interpolation::Linear), ("cubic", Interpolation::Cubic)]
    {
        let scene = character(interpolation);
        let (mut pose, mut cursor) = (Pose::new(&scene), Cursor::new());
        let mut time = 0.0;
        group.bench_function(format!("sample forward, {name}"), |bencher| {
            bencher.iter(|| {
                time = (time + 1.0 / 60.0) % SECONDS;
                sample(&scene.clips[0], black_box(time), &mut cursor, &mut pose);
            });
        });
        let mut seed = 1_u32;
        group.bench_function(format!("sample anywhere, {name}"), |bencher| {
            bencher.iter(|| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let time = (seed >> 8) as f32 / (1 << 24) as f32 * SECONDS;
                sample(&scene.clips[0], black_box(time), &mut cursor, &mut pose);
            });
        });
        if interpolation == Interpolation::Linear {
            group.bench_function("to model", |bencher| {
                bencher.iter(|| black_box(&mut pose).to_model(scene.skeleton()));
            });
        }
    }
    group.finish();
}

criterion_group!(all, benchmarks);
criterion_main!(all);
