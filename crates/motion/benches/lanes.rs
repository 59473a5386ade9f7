//! What the vector kernels of this room cost, on each path: nanoseconds a joint.
//!
//! `cargo bench -p sinew-motion --bench lanes`. Plain program: the median of many short runs. Under
//! `valgrind --tool=callgrind` one argument, the kernel's name, runs that alone a thousand times.

use std::hint::black_box;
use std::time::Instant;

use sinew_motion::{
    Cursor, Layer, Mask, Pose, SampledClip, SimdLevel, add, blend, blend_locals, sample,
    to_model_on,
};
use sinew_scene::glam::{Affine3A, Quat, Vec3};
use sinew_scene::{Clip, Curve, Interpolation, JointId, Node, Scene, SceneParts, Track, Transform};

const JOINTS: usize = 67;

/// As deep as a character's hand: 14 levels, hips, spine, limbs and fingers.
fn character() -> Scene {
    let parent = |index: usize| match index {
        0 => None,
        _ if index.is_multiple_of(13) => Some(JointId::new(0)),
        _ => Some(JointId::new(index - 1)),
    };
    let stand = |index: usize| Transform {
        translation: Vec3::Y * 0.1,
        rotation: Quat::from_rotation_x(index as f32 * 0.1),
        scale: Vec3::ONE,
    };
    let nodes = (0..JOINTS).map(|index| Node::new("", parent(index), stand(index))).collect();
    Scene::new(SceneParts { nodes, ..SceneParts::default() }).expect("it fits")
}

/// The median time of one call, in nanoseconds.
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
    let pose = Pose::new(&scene);
    let mut out = vec![Affine3A::IDENTITY; pose.len()];
    if std::env::args().any(|argument| argument == "to_model") {
        for _ in 0..1000 {
            to_model_on(SimdLevel::Fast, scene.skeleton(), black_box(pose.locals()), &mut out);
        }
        return;
    }
    if std::env::args().any(|argument| argument == "sample") {
        let (clip, mut mixed) = (waves(), pose.clone());
        let (mut time, mut cursor) = (0.0, Cursor::new());
        for _ in 0..2_000_000 {
            time = (time + 1.0 / 60.0) % clip.duration;
            sample(&clip, black_box(time), &mut cursor, &mut mixed);
            black_box(&mut mixed);
        }
        return;
    }
    if std::env::args().any(|argument| argument == "blend") {
        let (other, mut mixed) = (pose.clone(), pose.clone());
        for _ in 0..10_000_000 {
            blend(
                [Layer::new(black_box(&pose), 0.3), Layer::new(black_box(&other), 0.7)],
                &mut mixed,
            );
            black_box(&mut mixed);
        }
        return;
    }
    for path in SimdLevel::ALL {
        let time = median(|| {
            to_model_on(path, scene.skeleton(), black_box(pose.locals()), &mut out);
            black_box(&mut out);
        });
        println!("to_model  {path:?}: {:.2} ns/joint", time / JOINTS as f64);
    }
    let (other, mut mixed) = (pose.clone(), pose.clone());
    let time = median(|| {
        blend([Layer::new(black_box(&pose), 0.3), Layer::new(black_box(&other), 0.7)], &mut mixed);
        black_box(&mut mixed);
    });
    println!("blend     Fast: {:.2} ns/joint", time / JOINTS as f64);
    let time = median(|| {
        blend_locals(
            black_box(pose.locals()),
            black_box(other.locals()),
            black_box(0.7),
            mixed.locals_mut(),
        );
        black_box(&mut mixed);
    });
    println!("  locals  Fast: {:.2} ns/joint", time / JOINTS as f64);
    let mask = Mask::new(&scene, &[]).expect("nothing to find");
    let time = median(|| {
        let above = Layer { mask: Some(&mask), ..Layer::new(black_box(&other), 0.7) };
        blend([Layer::new(black_box(&pose), 0.3), above], &mut mixed);
    });
    println!("  masked  Fast: {:.2} ns/joint", time / JOINTS as f64);
    let time = median(|| add(&mut mixed, black_box(&other), black_box(&pose), 0.5, None));
    println!("add       Fast: {:.2} ns/joint", time / JOINTS as f64);
    let clip = waves();
    let sampled = SampledClip::new(&scene, &clip, 0.000_1);
    println!(
        "sampled: {} bytes, {} frames, {} m",
        sampled.bytes(),
        sampled.frames(),
        sampled.error()
    );
    let (mut time, mut cursor) = (0.0, Cursor::new());
    for path in SimdLevel::ALL {
        let nanoseconds = median(|| {
            time = (time + 1.0 / 60.0) % clip.duration;
            sampled.sample_on(path, black_box(time), &mut mixed);
            black_box(&mut mixed);
        });
        println!("sampled      {path:?}: {:.2} ns/joint", nanoseconds / JOINTS as f64);
    }
    let nanoseconds = median(|| {
        time = (time + 1.0 / 60.0) % clip.duration;
        sample(&clip, black_box(time), &mut cursor, &mut mixed);
        black_box(&mut mixed);
    });
    println!("sample    Fast: {:.2} ns/joint", nanoseconds / JOINTS as f64);
}

/// Every joint turns, 30 keys a second.
fn waves() -> Clip {
    let times: std::sync::Arc<[f32]> = (0..=40).map(|key| key as f32 / 30.0).collect();
    let rotation = |joint: usize, time: f32| {
        let angle = |speed: f32| 0.3 * (speed * time + joint as f32).sin();
        Quat::from_euler(Default::default(), angle(4.0), angle(5.0), angle(6.0))
    };
    let track = |joint: usize| {
        let values = times.iter().map(|&time| rotation(joint, time)).collect();
        let curve = Curve::new(times.clone(), values, Interpolation::Linear).expect("keys");
        Track { joint: JointId::new(joint), curve }
    };
    Clip { duration: 40.0 / 30.0, rotations: (0..JOINTS).map(track).collect(), ..Clip::default() }
}
