//! A crowd drawn from palettes that never left the GPU is the crowd drawn from the processor's.

use sinew_motion::SampledClip;
use sinew_render::{ActorView, Background, Camera, CrowdInstance, Frame, Image, Renderer, Target};
use sinew_scene::Scene;
use sinew_scene::glam::{Affine3A, Vec3};

use super::stage::{Chance, expected, gpu};
use crate::CharacterState;
use crate::gpu::{Crowd, Output};

const WIDE: u32 = 160;
const HIGH: u32 = 90;

/// So many that their palettes do not end with a row of texels.
const COUNT: usize = 23;

struct Cast {
    scene: Scene,
    sampled_clips: Vec<SampledClip>,
    parts: Vec<CharacterState>,
    places: Vec<Affine3A>,
}

fn cast() -> Cast {
    let scene = sinew::ossi();
    let sampled_clips: Vec<_> =
        scene.clips.iter().map(|clip| SampledClip::at_rate(&scene, clip, 30.0)).collect();
    let mut chance = Chance(1);
    let part = |_| CharacterState {
        clips: [0, 1].map(|_| chance.below(sampled_clips.len()) as u16),
        times: [0, 1].map(|_| 0.5 + 0.5 * chance.next()),
        weight: 0.5 + 0.5 * chance.next(),
    };
    let parts = (0..COUNT).map(part).collect();
    let place = |at: usize| {
        let (row, column) = (at / 6, at % 6);
        let place = Vec3::new(column as f32 - 2.5, 0.0, -1.5 * row as f32);
        Affine3A::from_translation(place) * Affine3A::from_rotation_y(at as f32)
    };
    Cast { places: (0..COUNT).map(place).collect(), scene, sampled_clips, parts }
}

fn frame() -> Frame {
    let position = Vec3::new(0.0, 3.0, 7.0);
    let mut frame = Frame::new(Camera::look_at(position, Vec3::new(0.0, 0.4, -1.5), 0.7));
    frame.background = Background::Color(Vec3::new(0.16, 0.19, 0.26));
    frame.floor.grid = false;
    frame.shadows.map_size = 512;
    frame
}

/// One more, in the rest pose, skinned on the processor: before or after the crowd.
fn add_extra(frame: &mut Frame, model: &sinew_render::GpuScene, scene: &Scene, x: f32) {
    let still = sinew_render::RestPose::new(scene);
    frame.add(model, &still.view(Affine3A::from_translation(Vec3::new(x, 0.0, 1.5))));
}

fn by_processor(cast: &Cast) -> Image {
    let gpu = gpu();
    let mut renderer = Renderer::new(&gpu);
    let model = renderer.upload(&cast.scene).expect("uploads");
    let mut frame = frame();
    add_extra(&mut frame, &model, &cast.scene, -2.0);
    let all = cast.scene.instances.iter().flat_map(|instance| &instance.weights);
    let weights: Vec<f32> = all.copied().collect();
    let poses = expected(&cast.scene, &cast.sampled_clips, &cast.parts);
    for (model_from_joint, place) in poses.iter().zip(&cast.places) {
        let posed = ActorView {
            model_from_joint,
            world_from_model: *place,
            palettes: None,
            weights: &weights,
            hidden: &[],
            bounds: None,
            heat: None,
        };
        frame.add(&model, &posed);
    }
    add_extra(&mut frame, &model, &cast.scene, 2.0);
    let target = Target::new(&gpu, WIDE, HIGH).expect("a target");
    renderer.draw(&mut frame, &target).expect("draws");
    target.read(&gpu).expect("reads")
}

fn by_gpu(cast: &Cast) -> Image {
    let gpu = gpu();
    let mut renderer = Renderer::new(&gpu);
    let model = renderer.upload(&cast.scene).expect("uploads");
    let output = Output::Scene(&cast.scene);
    let mut crowd =
        Crowd::new(&gpu, cast.scene.skeleton(), output, &cast.sampled_clips).expect("a crowd");
    crowd.write(&cast.parts).expect("writes");
    crowd.place(&cast.places).expect("places");
    crowd.run().expect("runs");
    let mut frame = frame();
    add_extra(&mut frame, &model, &cast.scene, -2.0);
    let standing: Vec<_> = cast
        .places
        .iter()
        .map(|place| CrowdInstance { world_from_model: *place, bounds: None })
        .collect();
    frame.add_crowd(&model, &crowd.palettes(), &standing);
    add_extra(&mut frame, &model, &cast.scene, 2.0);
    let target = Target::new(&gpu, WIDE, HIGH).expect("a target");
    let stats = renderer.draw(&mut frame, &target).expect("draws");
    assert_eq!(stats.seen as usize, COUNT + 2);
    // Rows of 24 bytes and a palette for each of the two others, not for the crowd.
    assert!(stats.uploaded < 120_000, "{} bytes", stats.uploaded);
    target.read(&gpu).expect("reads")
}

/// Of a thousand pixels, how many differ visibly.
fn apart(a: &Image, b: &Image) -> usize {
    let differs = |(a, b): &(&[u8], &[u8])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 6);
    let count = a.rgba.chunks(4).zip(b.rgba.chunks(4)).filter(differs).count();
    count * 1000 / (WIDE * HIGH) as usize
}

fn save(name: &str, image: &Image) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/images");
    let _ = std::fs::create_dir_all(folder);
    let path = format!("{folder}/{name}.png");
    let _ = image::save_buffer(path, &image.rgba, WIDE, HIGH, image::ColorType::Rgba8);
}

#[test]
fn a_crowd_looks_the_same_from_either_processors_palettes() {
    let mut cast = cast();
    let (got, expected) = (by_gpu(&cast), by_processor(&cast));
    save("crowd-got", &got);
    save("crowd-expected", &expected);
    assert_eq!(apart(&got, &expected), 0);
    // Somebody else's time is somebody else's image.
    cast.parts.iter_mut().for_each(|part| part.times = [0.1, 0.6]);
    let other = apart(&by_gpu(&cast), &expected);
    assert!(other > 10, "{other} of a thousand");
}
