//! The example with a script draws what its image in the docs shows, and the script is what moves it.
//! A driver may round otherwise, so edges may differ a little; what moved, vanished or changed its colour is seen.

use std::path::PathBuf;

use sinew::render::Image;

#[path = "../examples/05_script.rs"]
mod script;

/// A channel further off than this is seen.
const SEEN: u8 = 40;

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The share of pixels that are seen to differ.
fn apart(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), b.len(), "images of one size");
    let off = |(a, b): &(&[u8], &[u8])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > SEEN);
    let seen = a.chunks_exact(4).zip(b.chunks_exact(4)).filter(off).count();
    seen as f64 / (a.len() / 4) as f64
}

#[test]
fn the_example_with_a_script_draws_its_image() {
    let expected =
        image::open(file("docs/examples/05_script.png")).expect("its image").into_rgba8();
    let size = expected.dimensions();
    let dance = file("examples/scripts/dance.lua");
    let got = script::last_frame(&dance, 45, size).expect("draws");
    let off = apart(&got.rgba, &expected);
    if off > 0.01 {
        let folder = file("target/images");
        std::fs::create_dir_all(&folder).expect("a folder for images");
        let Image { width, height, rgba } = &got;
        let path = folder.join("05_script-got.png");
        image::save_buffer(&path, rgba, *width, *height, image::ColorType::Rgba8).expect("writes");
        panic!("{:.1} % of the pixels are seen to differ; see {}", off * 100.0, path.display());
    }
    // A second before, the poses were others, and the lamp elsewhere.
    let before = script::last_frame(&dance, 15, size).expect("draws");
    assert!(apart(&before.rgba, &got.rgba) > 0.02, "nothing moves");
}
