//! `sinew survey`: good, bad and endless files in one table, and the run goes on whatever one of them does.

use std::fs;
use std::process::{Command, Output};

const BVH: &str = "HIERARCHY\nROOT hips\n{\n  OFFSET 0 1 0\n  CHANNELS 6 Xposition Yposition Zposition \
Zrotation Xrotation Yrotation\n  End Site\n  {\n    OFFSET 0 1 0\n  }\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n\
0 1 0 0 0 0\n0 1 0 10 0 0\n";

fn survey(folder: &std::path::Path, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew"))
        .arg("survey")
        .arg(folder)
        .args(more)
        .output()
        .expect("sinew runs")
}

#[test]
fn a_folder_of_good_and_bad_files_becomes_one_table() {
    let folder = std::env::temp_dir().join(format!("sinew-survey-{}", std::process::id()));
    fs::create_dir_all(folder.join("deep")).expect("a folder");
    fs::write(folder.join("deep/walk.bvh"), BVH).expect("a file");
    fs::write(folder.join("cut.bvh"), &BVH[..80]).expect("a file");
    fs::write(folder.join("readme.txt"), "no model").expect("a file");
    let found = survey(&folder, &[]);
    let text = String::from_utf8_lossy(&found.stdout).into_owned();
    assert!(text.starts_with("2 files: 1 opened, 1 refused, 0 crashed, 0 timed out"), "{text}");
    assert!(text.contains("cut.bvh: "), "{text}");
    assert!(found.status.success(), "refusals are no defects: {found:?}");

    let found = survey(&folder, &["--json"]);
    let rows: serde_json::Value = serde_json::from_slice(&found.stdout).expect("JSON");
    let rows = rows.as_array().expect("a list");
    assert_eq!(rows.len(), 2);
    let walk = &rows[1];
    assert_eq!(walk["outcome"], "opened", "{walk}");
    assert_eq!(walk["clips"], 1, "{walk}");

    // No time at all: every file is over it, and that is reported as a defect.
    let found = survey(&folder, &["--time", "0"]);
    assert_eq!(found.status.code(), Some(1), "{found:?}");
    fs::remove_dir_all(&folder).expect("it was there");
}
