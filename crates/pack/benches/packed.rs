//! What sampling a packed clip costs, on each path: nanoseconds a joint, forward, at random, and of many clips at random.
//!
//! `cargo bench -p sinew-pack`. Plain program: of many short runs the one that a tenth are faster than. With the argument
//! `count` and a number it samples so often and says nothing, for `valgrind --tool=callgrind`.

use std::f32::consts::TAU;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use sinew_motion::{Pose, SampledClip, SimdLevel};
use sinew_pack::{Options, Packed, pack};
use sinew_scene::glam::{EulerRot, Quat, Vec3};
use sinew_scene::{Clip, Curve, Interpolation, JointId, Node, Scene, SceneParts, Track, Transform};

const JOINTS: usize = 67;
/// Seconds of a walk.
const WALK: f32 = 1.333;
const RATE: f32 = 30.0;

/// Three limbs, every joint turning as a walk does, none of them quite evenly, and one moving.
fn character() -> Scene {
    let parent = |index: usize| match index {
        0 => None,
        _ if index.is_multiple_of(14) => Some(JointId::new(0)),
        _ => Some(JointId::new(index - 1)),
    };
    let stand = Transform::from_translation(Vec3::Y * 0.1);
    let nodes = (0..JOINTS).map(|index| Node::new("", parent(index), stand)).collect();
    let clips = [WALK, 15.0].map(clip).to_vec();
    Scene::new(SceneParts { nodes, clips, ..SceneParts::default() }).expect("it fits")
}

fn clip(seconds: f32) -> Clip {
    let times: Arc<[f32]> = (0..=(seconds * RATE) as usize).map(|key| key as f32 / RATE).collect();
    let wave = |joint: usize, axis: usize, time: f32| {
        let phase = (joint * 7 + axis * 3) as f32;
        let size = 0.05 + 0.3 / (1.0 + (joint % 13) as f32);
        let beat = TAU * time / WALK;
        size * ((beat + phase).sin() + 0.3 * (2.0 * beat + 1.7 * phase).sin())
    };
    let turn = |joint: usize, time: f32| {
        let [x, y, z] = [0, 1, 2].map(|axis| wave(joint, axis, time));
        Quat::from_euler(EulerRot::XYZ, x, 0.4 * y, 0.4 * z)
    };
    let rotations = (0..JOINTS).map(|joint| {
        let values = times.iter().map(|&time| turn(joint, time)).collect();
        let curve = Curve::new(times.clone(), values, Interpolation::Linear);
        Track { joint: JointId::new(joint), curve: curve.expect("a key per time") }
    });
    let place = |time: f32| Vec3::new(0.02, 0.95, 0.0) + Vec3::Y * 0.03 * wave(3, 1, time);
    let moves = times.iter().map(|&time| place(time)).collect();
    let curve = Curve::new(times.clone(), moves, Interpolation::Linear).expect("a key per time");
    Clip {
        duration: seconds,
        rotations: rotations.collect(),
        translations: vec![Track { joint: JointId::new(1), curve }],
        ..Clip::default()
    }
}

fn fastest(mut work: impl FnMut()) -> f64 {
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
    times[times.len() / 10]
}

/// A packed file, sampled into plain nodes.
fn file(path: &str) {
    let bytes = std::fs::read(path).expect("a file that can be read");
    let packed = Packed::read(bytes).expect("a packed clip");
    let (joints, ..) = packed.counts();
    let nodes = (0..joints).map(|_| Node::new("", None, Transform::IDENTITY)).collect();
    let scene = Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("plain nodes");
    println!(
        "{path}: {} bytes and {} beside, {joints} nodes",
        packed.bytes().len(),
        packed.size_beside()
    );
    for path in SimdLevel::ALL {
        measure(&packed, path, &mut Pose::new(&scene));
    }
}

fn main() {
    let files: Vec<String> =
        std::env::args().filter(|argument| argument.ends_with(".sinewclip")).collect();
    if !files.is_empty() {
        return files.iter().for_each(|path| file(path));
    }
    let scene = character();
    let counting = std::env::args().any(|argument| argument == "count");
    let times = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(20_000);
    for (clip, error) in [(0, 0.000_1), (0, 0.001), (1, 0.000_1)] {
        let options = Options { error, ..Options::default() };
        let (packed, _) = pack(&scene, &scene.clips[clip], &options, &|_| {}).expect("it packs");
        let mut pose = Pose::new(&scene);
        if counting {
            for step in 0..times {
                packed.sample((step % 1000) as f32 * 0.001 * packed.duration(), &mut pose);
            }
            return;
        }
        println!(
            "{:.2} s at {} mm: {} bytes and {} beside, {} frames in segments of {}",
            packed.duration(),
            error * 1000.0,
            packed.bytes().len(),
            packed.size_beside(),
            packed.frames(),
            packed.segment()
        );
        for path in SimdLevel::ALL {
            measure(&packed, path, &mut pose);
        }
        cold(&packed, &mut pose);
        let sampled = SampledClip::new(&scene, &scene.clips[clip], error);
        let mut time = 0.0;
        let forward = fastest(|| {
            time = (time + 1.0 / 60.0) % packed.duration();
            sampled.sample(black_box(time), &mut pose);
        });
        println!("  the sampled clip: forward {:.2} ns/joint", forward / JOINTS as f64);
    }
}

/// Clips that are held at a time where caches are cold.
const COLD_CLIPS: usize = 4000;

/// A random one of many clips for each pose.
fn cold(packed: &Packed<Vec<u8>>, pose: &mut Pose) {
    let clips = vec![packed.clone(); COLD_CLIPS];
    let mut seed = 1_u32;
    let mut roll = |below: f32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 24) as f32 * below
    };
    let time = fastest(|| {
        let clip = &clips[roll(COLD_CLIPS as f32) as usize % COLD_CLIPS];
        clip.sample(black_box(roll(clip.duration())), pose);
    });
    println!("  {COLD_CLIPS} clips at random: {:.2} ns/joint", time / pose.len() as f64);
}

fn measure(packed: &Packed<Vec<u8>>, path: SimdLevel, pose: &mut Pose) {
    let mut time = 0.0;
    let forward = fastest(|| {
        time = (time + 1.0 / 60.0) % packed.duration();
        packed.sample_on(path, black_box(time), pose);
        black_box(&mut *pose);
    });
    let mut seed = 1_u32;
    let random = fastest(|| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let time = (seed >> 8) as f32 / (1 << 24) as f32 * packed.duration();
        packed.sample_on(path, black_box(time), pose);
        black_box(&mut *pose);
    });
    let each = pose.len() as f64;
    println!("  {path:?}: forward {:.2}, random {:.2} ns/joint", forward / each, random / each);
}
