//! What sampling a packed clip costs, on each path: nanoseconds a joint, forward and at random.
//!
//! `cargo bench -p sinew-pack`. Plain program: the median of many short runs. With the argument
//! `count` it is fit for `valgrind --tool=callgrind`.

use std::hint::black_box;
use std::time::Instant;

use sinew_motion::{Path, Pose};
use sinew_pack::{Options, pack};
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{Clip, Curve, Interpolation, JointId, Node, Scene, SceneParts, Track, Transform};

const JOINTS: usize = 67;
const SECONDS: f32 = 15.0;
const RATE: f32 = 30.0;

/// A chain that forks, every joint turning about several axes and the first one moving.
fn character() -> Scene {
    let parent = |index: usize| match index {
        0 => None,
        _ if index.is_multiple_of(14) => Some(JointId::new(0)),
        _ => Some(JointId::new(index - 1)),
    };
    let stand = Transform::from_translation(Vec3::Y * 0.1);
    let nodes = (0..JOINTS).map(|index| Node::new("", parent(index), stand)).collect();
    let times: std::sync::Arc<[f32]> =
        (0..=(SECONDS * RATE) as usize).map(|key| key as f32 / RATE).collect();
    let rotations = (0..JOINTS).map(|joint| {
        let turn = |key: usize| {
            let (at, joint) = (key as f32 * 0.1, joint as f32);
            let (x, y) = (0.4 * (at + joint).sin(), 0.2 * (1.7 * at - joint).cos());
            Quat::from_rotation_x(x) * Quat::from_rotation_y(y)
        };
        let values = (0..times.len()).map(turn).collect();
        let curve =
            Curve::new(times.clone(), values, Interpolation::Linear).expect("a key per time");
        Track { joint: JointId::new(joint), curve }
    });
    let moves = (0..times.len()).map(|key| Vec3::X * (key as f32 * 0.03).sin()).collect();
    let curve = Curve::new(times.clone(), moves, Interpolation::Linear).expect("a key per time");
    let clip = Clip {
        duration: SECONDS,
        rotations: rotations.collect(),
        translations: vec![Track { joint: JointId::new(0), curve }],
        ..Clip::default()
    };
    Scene::new(SceneParts { nodes, clips: vec![clip], ..SceneParts::default() }).expect("it fits")
}

fn median(mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..401)
        .map(|_| {
            let begun = Instant::now();
            for _ in 0..200 {
                work();
            }
            begun.elapsed().as_nanos() as f64 / 200.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn main() {
    let scene = character();
    let options = Options { error: 0.001, ..Options::default() };
    let (packed, report) = pack(&scene, &scene.clips[0], &options, &|_| {}).expect("it packs");
    let mut pose = Pose::new(&scene);
    if std::env::args().any(|argument| argument == "count") {
        for step in 0..20_000 {
            packed.sample((step % 1000) as f32 * 0.015, &mut pose);
        }
        return;
    }
    println!("{report:?}");
    for path in Path::ALL {
        let mut time = 0.0;
        let forward = median(|| {
            time = (time + 1.0 / 60.0) % SECONDS;
            packed.sample_on(path, black_box(time), &mut pose);
            black_box(&mut pose);
        });
        let mut seed = 1_u32;
        let random = median(|| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let time = (seed >> 8) as f32 / (1 << 24) as f32 * SECONDS;
            packed.sample_on(path, black_box(time), &mut pose);
            black_box(&mut pose);
        });
        let each = JOINTS as f64;
        println!("{path:?}: forward {:.2}, random {:.2} ns/joint", forward / each, random / each);
    }
}
