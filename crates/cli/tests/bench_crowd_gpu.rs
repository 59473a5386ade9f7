//! `sinew bench crowd-gpu`: the table is whole on any driver, and a machine without one is told so.

use std::process::{Command, Output};

use serde_json::Value;

fn bench(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args(["bench", "crowd-gpu", "--counts", "10", "--runs", "1"])
        .args(arguments)
        .envs(environment.iter().copied())
        .output()
        .expect("sinew starts")
}

#[test]
fn ten_characters_are_measured_and_stand_where_the_processor_puts_them() {
    let output = bench(&["--json", "--bandwidth", "100"], &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let rows: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let number = |row: usize, key: &str| rows[row][key].as_f64().unwrap_or(f64::NAN);
    assert_eq!(rows.as_array().map(Vec::len), Some(2));
    assert_eq!(rows[0]["name"], "copy");
    assert!(number(0, "off_by") < 1e-5, "{rows}");
    assert_eq!(rows[1]["name"], "crowd_gpu_10");
    assert_eq!(rows[1]["way"], "near");
    assert!(number(1, "ns") > 0.0 && number(1, "share") > 0.0, "{rows}");
    // Ten palettes of 67 matrices of 48 bytes, ten parts of 16, and the sampled clips.
    assert!(number(1, "bytes") > 10.0 * (67.0 * 48.0 + 16.0), "{rows}");
    let limit = number(1, "bytes") / 100.0 / 10.0;
    assert!((number(1, "limit_ns") - limit).abs() < 1e-6 * limit, "{rows}");
}

#[test]
fn a_machine_without_a_driver_is_told_in_one_sentence() {
    let nowhere = "/nowhere/icd.json";
    let environment =
        [("WGPU_BACKEND", "vulkan"), ("VK_DRIVER_FILES", nowhere), ("VK_ICD_FILENAMES", nowhere)];
    let output = bench(&["--json"], &environment);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("driver"), "{told}");
}
