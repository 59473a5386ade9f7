//! `sinew crowd`: a small crowd on either processor, its numbers, and what is refused.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

fn sinew(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew"))
        .arg("crowd")
        .args(arguments)
        .envs(environment.iter().copied())
        .output()
        .expect("sinew starts")
}

fn told(arguments: &[&str]) -> Value {
    let output = sinew(arguments, &[]);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn fails(arguments: &[&str], code: i32, words: &str) {
    let output = sinew(arguments, &[]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
    assert!(message.contains(words), "{arguments:?}: {message}");
    assert!(output.stdout.is_empty());
}

fn scratch(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("sinew-crowd-{}-{name}", std::process::id()))
}

/// RGBA pixels of a PNG of this size.
fn pixels(bytes: &[u8], size: (u32, u32)) -> Vec<u8> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::ALPHA);
    let mut reader = decoder.read_info().expect("a PNG");
    let mut rgba = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut rgba).expect("pixels");
    assert_eq!((info.width, info.height), size);
    rgba
}

const NOWHERE: [(&str, &str); 3] = [
    ("WGPU_BACKEND", "vulkan"),
    ("VK_DRIVER_FILES", "/nowhere/icd.json"),
    ("VK_ICD_FILENAMES", "/nowhere/icd.json"),
];

#[test]
fn both_processors_draw_the_same_crowd() {
    let [gpu, cpu] = ["gpu", "cpu"].map(|on| {
        let out = scratch(&format!("{on}.png"));
        let file = out.to_str().expect("a name in Unicode");
        let facts = told(&["--count", "20", "--size", "96x54", "--on", on, "-o", file, "--json"]);
        let image = pixels(&std::fs::read(&out).expect("an image"), (96, 54));
        std::fs::remove_file(&out).expect("it was there");
        assert_eq!((&facts["characters"], &facts["on"]), (&20.into(), &on.into()));
        assert_eq!(facts["image"]["seen"], 20, "{facts}");
        (facts, image)
    });
    let far = gpu.1.iter().zip(&cpu.1).filter(|(a, b)| a.abs_diff(**b) > 8).count();
    assert!(far < 40, "{far} numbers differ");
    let colors: std::collections::HashSet<_> = gpu.1.chunks(4).collect();
    assert!(colors.len() > 200, "{} colours", colors.len());
    // Sixteen bytes go to the GPU for each, and palettes stay there.
    let number = |facts: &Value, key: &str| facts[key].as_f64().unwrap_or(f64::NAN);
    assert_eq!(number(&gpu.0, "sent_bytes_each"), 16.0);
    assert!(
        number(&gpu.0["image"], "uploaded_bytes") < 0.1 * number(&cpu.0["image"], "uploaded_bytes")
    );
    let off = &gpu.0["off_by"];
    assert!(number(off, "most") > 0.0 && number(off, "most") <= number(off, "bound"), "{off}");
    assert!(cpu.0["off_by"].is_null());
}

#[test]
fn levels_of_detail_keep_within_what_they_state() {
    let arguments =
        ["--count", "90", "--detail", "2:10cm", "--detail", "4:30cm", "--json", "--time", "0.3"];
    let facts = told(&arguments);
    assert_eq!(facts["on"], "cpu");
    let levels = facts["levels"].as_array().expect("levels");
    let number = |level: usize, key: &str| levels[level][key].as_f64().unwrap_or(f64::NAN);
    assert_eq!([0, 1, 2].map(|level| number(level, "characters")), [32.0, 32.0, 26.0]);
    assert_eq!((number(0, "error_mm"), number(0, "measured_mm")), (0.0, 0.0));
    for level in [1, 2] {
        let (stated, seen) = (number(level, "error_mm"), number(level, "measured_mm"));
        assert!(seen > 0.0 && seen <= stated, "{level}: {seen} {stated}");
        assert!(number(level, "joints_moved") < number(0, "joints_moved"));
    }
}

#[test]
fn the_checksum_is_the_same_again_and_another_at_another_time() {
    let sum = |arguments: &[&str]| {
        let all = [&["--count", "33", "--deterministic", "--json"], arguments].concat();
        told(&all)["checksum"].as_str().expect("a checksum").to_owned()
    };
    let first = sum(&[]);
    assert_eq!(first.len(), 16);
    assert_eq!(first, sum(&["--on", "cpu"]));
    assert_ne!(first, sum(&["--time", "0.25"]));
    // How they stand in line for levels of detail is not what they do.
    assert_eq!(first, sum(&["--detail", "1:0"]));
}

#[test]
fn what_makes_no_crowd_is_refused_in_one_sentence() {
    fails(&["--count", "0"], 2, "count");
    fails(&["--time", "NaN"], 2, "seconds");
    fails(&["--detail", "two"], 2, "2:10cm");
    fails(&["--error", "0.1"], 2, "unit");
    fails(&["--on", "gpu", "--deterministic"], 2, "rounds in its own way");
    fails(&["--on", "gpu", "--detail", "2:0"], 2, "--on cpu");
    fails(&["-o", "crowd.gif"], 2, ".png");
    fails(&["-o", "crowd.png", "--size", "100000x100000"], 2, "too large");
    fails(&["-o", "/nowhere/crowd.png"], 1, "folder");
    fails(&["--count", "100000000000", "--on", "cpu"], 1, "bytes each");
    fails(&["nobody.glb"], 1, "nobody.glb");
    let still = scratch("still.obj");
    std::fs::write(&still, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").expect("a file");
    fails(&[still.to_str().expect("a name in Unicode")], 1, "--anim");
    std::fs::remove_file(still).expect("it was there");
}

#[test]
fn without_a_driver_the_processor_still_tells_its_numbers() {
    let told = |arguments: &[&str]| {
        let output = sinew(arguments, &NOWHERE);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, message) = told(&["--count", "3"]);
    assert!(code == Some(1) && message.contains("--on cpu"), "{message}");
    let (code, message) = told(&["--count", "3", "--on", "cpu", "-o", "-"]);
    assert!(code == Some(1) && message.contains("without -o"), "{message}");
    assert_eq!(told(&["--count", "3", "--on", "cpu"]).0, Some(0));
}
