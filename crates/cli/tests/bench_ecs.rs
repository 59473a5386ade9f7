//! `sinew bench ecs`: four systems with a time each, for people and for programs.

use std::process::Command;

use serde_json::Value;

fn sinew(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_sinew")).args(arguments).output();
    let output = output.expect("sinew starts");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn each_system_has_its_milliseconds() {
    let few = ["bench", "ecs", "demo", "--characters", "30", "--frames", "2"];
    let (code, out) = sinew(&[&few[..], &["--json"]].concat());
    assert_eq!(code, Some(0));
    let table: Value = serde_json::from_str(&out).expect("standard output is JSON");
    assert_eq!((&table["characters"], &table["nodes_each"]), (&30.into(), &4.into()));
    let systems = table["systems"].as_array().expect("a list");
    let names: Vec<&str> = systems.iter().filter_map(|row| row["system"].as_str()).collect();
    assert_eq!(names, ["animation", "node", "skinning", "render", "all"]);
    for row in systems {
        let ms = |key: &str| row[key].as_f64().expect("a number");
        assert!(ms("best_ms") > 0.0 && ms("best_ms") <= ms("median_ms"), "{row}");
    }
    let (code, out) = sinew(&[&few[..], &["--no-render"]].concat());
    assert_eq!(code, Some(0));
    assert!(out.contains("skinning") && !out.contains("render"), "{out}");
}

#[test]
fn a_crowd_of_nobody_is_wrong_usage_and_a_missing_model_is_not_found() {
    assert_eq!(sinew(&["bench", "ecs", "--characters", "0"]).0, Some(2));
    assert_eq!(sinew(&["bench", "ecs", "no such file.glb"]).0, Some(1));
}
