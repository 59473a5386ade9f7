//! Levels of detail, skinning once a frame and culling change how an image is made, and hardly the image.

use std::sync::{Arc, OnceLock};

use glam::{Affine3A, Vec3};
use sinew::{Actor, ClipId, Transition};
use sinew_render::{
    Background, Camera, Frame, Gpu, GpuScene, Image, Occlusion, Renderer, Stats, Target,
    UploadOptions,
};

const WIDE: u32 = 240;
const HIGH: u32 = 135;

/// One device for all tests.
fn gpu() -> Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| Gpu::headless().expect("a graphics driver, such as mesa-vulkan-drivers"))
        .clone()
}

/// Leaves images in `target/images`, to be looked at.
fn save(name: &str, images: &[(&str, &Image)]) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/images");
    let _ = std::fs::create_dir_all(folder);
    for (kind, image) in images {
        let path = format!("{folder}/{name}-{kind}.png");
        let _ = image::save_buffer(path, &image.rgba, WIDE, HIGH, image::ColorType::Rgba8);
    }
}

/// Ossis in rows, each at its own time of a clip; the last rows are far away.
fn crowd() -> Vec<Actor> {
    let scene = Arc::new(sinew::ossi());
    let place = |index: usize| {
        let mut actor = Actor::new(Arc::clone(&scene));
        let (column, row) = (index % 4, index / 4);
        let at = Vec3::new(column as f32 * 1.2 - 1.8, 0.0, -(row as f32) * 2.5);
        actor.place(Affine3A::from_translation(at) * Affine3A::from_rotation_y(index as f32));
        actor.start(ClipId::new(index % scene.clips.len()), Transition::Cut);
        actor.seek(0.37 * index as f32 % actor.duration());
        actor
    };
    (0..12).map(place).collect()
}

fn frame() -> Frame {
    let mut frame =
        Frame::new(Camera::look_at(Vec3::new(0.6, 2.2, 5.0), Vec3::new(0.0, 0.7, -2.0), 0.8));
    frame.background = Background::Color(Vec3::new(0.16, 0.19, 0.26));
    frame.shadows.map_size = 1024;
    frame.pixel_error = 0.0;
    frame
}

fn draw(
    renderer: &mut Renderer,
    model: &GpuScene,
    mut frame: Frame,
    actors: &[Actor],
) -> (Image, Stats) {
    actors.iter().for_each(|actor| frame.add(model, &actor.view()));
    let target = Target::new(&gpu(), WIDE, HIGH).expect("a target");
    let stats = renderer.draw(&mut frame, &target).expect("draws");
    (target.read(&gpu()).expect("reads"), stats)
}

/// The share of pixels with a channel that differs by more.
fn differing(a: &Image, b: &Image, by: u8) -> f64 {
    let pairs = a.rgba.chunks(4).zip(b.rgba.chunks(4));
    let differs = pairs.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > by));
    differs.count() as f64 / f64::from(WIDE * HIGH)
}

/// The share of pixels whose colour is not between those of the other image so many pixels around, give or take `by`.
fn strayed(a: &Image, b: &Image, around: i32, by: u8) -> f64 {
    let mut count = 0;
    for y in 0..HIGH as i32 {
        for x in 0..WIDE as i32 {
            let (mut low, mut high) = ([255; 4], [0; 4]);
            for dy in -around..=around {
                for dx in -around..=around {
                    let px = (x + dx).clamp(0, WIDE as i32 - 1) as u32;
                    let py = (y + dy).clamp(0, HIGH as i32 - 1) as u32;
                    let pixel = b.pixel(px, py);
                    for channel in 0..4 {
                        low[channel] = pixel[channel].min(low[channel]);
                        high[channel] = pixel[channel].max(high[channel]);
                    }
                }
            }
            let own = a.pixel(x as u32, y as u32);
            let is_in = |c: usize| {
                own[c] >= low[c].saturating_sub(by) && own[c] <= high[c].saturating_add(by)
            };
            count += u32::from(!(0..4).all(is_in));
        }
    }
    f64::from(count) / f64::from(WIDE * HIGH)
}

fn levels() -> Vec<Vec<sinew_lod::Level>> {
    sinew::levels(&Arc::new(sinew::ossi()))
}

#[test]
fn vertices_put_in_their_poses_once_are_where_each_pass_would_put_them() {
    let actors = crowd();
    let scene = sinew::ossi();
    let shoot = |each_pass: bool| {
        let mut renderer = Renderer::new(&gpu());
        if each_pass {
            renderer.skin_each_pass();
        }
        let model = renderer.upload(&scene).expect("uploads");
        let mut frame = frame();
        frame.occlusion = Occlusion { directions: 4, map_size: 128 };
        draw(&mut renderer, &model, frame, &actors).0
    };
    let (once, each) = (shoot(false), shoot(true));
    save("skin-once", &[("got", &once), ("expected", &each)]);
    assert!(differing(&once, &each, 2) < 0.001, "{}", differing(&once, &each, 2));
}

#[test]
fn an_image_of_levels_of_detail_is_within_a_pixel_of_the_whole_meshes() {
    let actors = crowd();
    let scene = sinew::ossi();
    let levels = levels();
    let mut renderer = Renderer::new(&gpu());
    let options = UploadOptions { levels: &levels, ..UploadOptions::default() };
    let model = renderer.upload_with(&scene, options).expect("uploads");
    let mut shoot = |pixel_error: f32| {
        let mut frame = frame();
        frame.pixel_error = pixel_error;
        draw(&mut renderer, &model, frame, &actors)
    };
    let (whole, all) = shoot(0.0);
    let (coarse, few) = shoot(1.0);
    let (rough, fewest) = shoot(16.0);
    save("levels", &[("whole", &whole), ("coarse", &coarse), ("rough", &rough)]);
    assert!(few.triangles * 3 < all.triangles, "{} of {}", few.triangles, all.triangles);
    assert!(fewest.triangles < few.triangles);
    // A pixel away, and one more since edges are smoothed over a pixel.
    let found = strayed(&coarse, &whole, 2, 12);
    assert!(found < 0.005, "{found}");
    assert!(strayed(&rough, &whole, 2, 12) > 2.0 * found, "coarser levels are farther off");
}

#[test]
fn who_is_in_no_map_is_left_out_and_the_image_is_the_same() {
    let near = crowd();
    let scene = sinew::ossi();
    let mut renderer = Renderer::new(&gpu());
    let model = renderer.upload(&scene).expect("uploads");
    let beside = |places: &[f32]| {
        let mut all = near.clone();
        for (index, x) in places.iter().enumerate() {
            let mut actor = near[index].clone();
            actor.place(Affine3A::from_translation(Vec3::new(*x, 0.0, 0.5)));
            all.push(actor);
        }
        all
    };
    let mut shoot = |places: &[f32]| {
        let mut frame = frame();
        frame.occlusion = Occlusion { directions: 4, map_size: 128 };
        draw(&mut renderer, &model, frame, &beside(places))
    };
    let (alone, few) = shoot(&[]);
    let (got, culled) = shoot(&[60.0, -70.0, 80.0]);
    let (shaded, casting) = shoot(&[-4.9]);
    save("culled", &[("got", &got), ("expected", &alone), ("shaded", &shaded)]);
    assert_eq!((culled.culled, culled.triangles), (3, few.triangles), "nobody draws them");
    assert!(differing(&got, &alone, 2) < 0.001, "{}", differing(&got, &alone, 2));
    // Who is out of the image but near casts into it.
    assert!(differing(&shaded, &alone, 2) > 0.001, "{}", differing(&shaded, &alone, 2));
    assert_eq!(casting.culled, 1);
    assert!(casting.triangles > few.triangles, "{casting:?} {few:?}");
}
