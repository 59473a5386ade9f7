//! What a crowd costs: nanoseconds a character, on one thread and on all.
//!
//! `cargo bench -p sinew-crowd`. Plain program: the fastest of several passes over everyone.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use sinew_crowd::{CharacterState, Crowd, LocalsOfEight, ModelsOfEight, to_model_of_eight};
use sinew_motion::SampledClip;
use sinew_scene::glam::{Quat, Vec3};
use sinew_scene::{Clip, Curve, Interpolation, JointId, Node, Scene, SceneParts, Track, Transform};

const JOINTS: usize = 67;

fn scene() -> Scene {
    let parent = |index: usize| match index {
        0 => None,
        _ if index.is_multiple_of(13) => Some(JointId::new(0)),
        _ => Some(JointId::new(index - 1)),
    };
    let stand = Transform::from_translation(Vec3::Y * 0.1);
    let nodes = (0..JOINTS).map(|index| Node::new("", parent(index), stand)).collect();
    let times: Arc<[f32]> = (0..=40).map(|key| key as f32 / 30.0).collect();
    let clip = |seed: f32| {
        let track = |joint: usize| {
            let angle = |speed: f32, time: f32| 0.3 * (speed * time + seed * joint as f32).sin();
            let rotation = |time: f32| {
                Quat::from_euler(
                    Default::default(),
                    angle(4.0, time),
                    angle(5.0, time),
                    angle(6.0, time),
                )
            };
            let values = times.iter().map(|&time| rotation(time)).collect();
            let curve = Curve::new(times.clone(), values, Interpolation::Linear).expect("keys");
            Track { joint: JointId::new(joint), curve }
        };
        Clip {
            duration: 40.0 / 30.0,
            rotations: (0..JOINTS).map(track).collect(),
            ..Clip::default()
        }
    };
    let clips = vec![clip(1.0), clip(2.0)];
    Scene::new(SceneParts { nodes, clips, ..SceneParts::default() }).expect("it fits")
}

fn fastest(times: usize, mut work: impl FnMut()) -> f64 {
    let once = |work: &mut dyn FnMut()| {
        let begun = Instant::now();
        work();
        begun.elapsed().as_secs_f64() * 1e9
    };
    (0..times).map(|_| once(&mut work)).fold(f64::INFINITY, f64::min)
}

fn main() {
    let scene = scene();
    let locals = vec![LocalsOfEight([[0.5; 8]; 10]); JOINTS];
    let mut models = vec![ModelsOfEight::default(); JOINTS];
    let time = fastest(200, || {
        for _ in 0..100 {
            to_model_of_eight(scene.skeleton(), black_box(&locals), &mut models);
            black_box(&mut models);
        }
    });
    println!("to_model_of_eight: {:.2} ns/joint", time / (100 * 8 * JOINTS) as f64);
    let sampled_clips =
        scene.clips.iter().map(|clip| SampledClip::new(&scene, clip, 1e-4)).collect();
    let mut few = Crowd::new(scene.skeleton(), sampled_clips);
    few.resize(64);
    for (index, part) in few.states_mut().iter_mut().enumerate() {
        let time = index as f32 * 0.011;
        *part = CharacterState { clips: [0, 1], times: [time, 0.5 * time], weight: 0.4 };
    }
    if std::env::args().any(|argument| argument == "few") {
        (0..50_000).for_each(|_| few.pose());
        return;
    }
    let time = fastest(500, || (0..10).for_each(|_| few.pose()));
    println!("64 in cache: {:.0} ns/character", time / 640.0);
    for threads in [1, std::thread::available_parallelism().map_or(1, Into::into)] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        for count in [8, 1_000, 10_000] {
            let sampled_clips =
                scene.clips.iter().map(|clip| SampledClip::new(&scene, clip, 1e-4)).collect();
            let mut crowd = pool.install(|| Crowd::new(scene.skeleton(), sampled_clips));
            crowd.resize(count);
            for (index, part) in crowd.states_mut().iter_mut().enumerate() {
                let time = index as f32 * 0.011;
                *part = CharacterState { clips: [0, 1], times: [time, 0.5 * time], weight: 0.4 };
            }
            let time = fastest((200_000 / count).max(20), || {
                pool.install(|| {
                    crowd.advance(1.0 / 60.0);
                    crowd.pose();
                });
                black_box(crowd.models());
            });
            println!("{threads} threads, {count}: {:.0} ns/character", time / count as f64);
        }
    }
}
