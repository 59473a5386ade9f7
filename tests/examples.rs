//! The images of the examples, beside those in the docs. A driver may round otherwise, so edges may differ a
//! little; what moved, vanished or changed its colour is seen.
#![cfg(feature = "render")]

use std::error::Error;
use std::path::{Path, PathBuf};

use sinew::render::Image;

#[path = "../examples/01_animator.rs"]
mod animator;
#[path = "../examples/06_crowd.rs"]
mod crowd;
#[path = "../examples/02_many_meshes.rs"]
mod many_meshes;
#[path = "../examples/03_scene.rs"]
mod whole_scene;

/// A channel further off than this is seen.
const SEEN: u8 = 40;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn save(path: &Path, width: u32, height: u32, rgba: &[u8]) {
    image::save_buffer(path, rgba, width, height, image::ColorType::Rgba8).expect("writes");
}

/// Writes what was drawn, what was expected and where they differ.
fn keep(name: &str, got: &Image, expected: &[u8]) -> PathBuf {
    let folder = root().join("target/images");
    std::fs::create_dir_all(&folder).expect("a folder for images");
    let apart = |(a, b): (&[u8], &[u8])| {
        [a[0].abs_diff(b[0]), a[1].abs_diff(b[1]), a[2].abs_diff(b[2]), 255]
    };
    let pairs = got.rgba.chunks_exact(4).zip(expected.chunks_exact(4));
    let difference: Vec<u8> = pairs.flat_map(apart).collect();
    for (kind, rgba) in [("got", &got.rgba[..]), ("expected", expected), ("diff", &difference)] {
        save(&folder.join(format!("{name}-{kind}.png")), got.width, got.height, rgba);
    }
    folder
}

/// Draws an example as large as its image in the docs and compares them.
fn check(name: &str, draw: impl FnOnce(u32, u32) -> Result<Image, Box<dyn Error>>) {
    let file = root().join(format!("docs/examples/{name}.png"));
    let expected = image::open(&file).expect("the docs have its image").into_rgba8();
    let got = draw(expected.width(), expected.height()).expect("draws");
    let off = |(a, b): (&[u8], &[u8])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > SEEN);
    let pairs = got.rgba.chunks_exact(4).zip(expected.chunks_exact(4));
    let wrong = pairs.filter(|pair| off(*pair)).count();
    let sum: u64 =
        got.rgba.iter().zip(expected.iter()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    let mean = sum as f64 / got.rgba.len() as f64;
    let share = wrong as f64 / f64::from(got.width * got.height);
    if share > 0.01 || mean > 1.5 {
        let folder = keep(name, &got, &expected);
        panic!(
            "{name}: {:.1} % of the pixels are seen to differ, {mean:.2} of 255 in the mean; images in {}",
            share * 100.0,
            folder.display()
        );
    }
}

#[test]
fn the_animator_walks() {
    check("01_animator", animator::image);
}

#[test]
fn the_lamp_looks_around() {
    check("02_many_meshes", many_meshes::image);
}

#[test]
fn runners_come_over_the_hill() {
    check("03_scene", whole_scene::image);
}

#[test]
fn a_thousand_dance() {
    check("06_crowd", crowd::image);
}
