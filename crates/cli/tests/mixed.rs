//! `sinew eval` with layers and graphs.

use std::process::{Command, Output};

use serde_json::Value;

fn sinew(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew")).args(arguments).output().expect("sinew starts")
}

fn json(arguments: &[&str]) -> Value {
    let output = sinew(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("standard output is JSON")
}

fn refused(arguments: &[&str], code: i32) -> String {
    let output = sinew(arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const GRAPH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/graphs/ossi.toml");

#[test]
fn one_layer_is_the_clip_at_that_time() {
    let layer = json(&["eval", "demo", "--layer", "flex:2@0.7"]);
    let clip = json(&["eval", "demo", "--clip", "flex", "--at=0.7"]);
    assert_eq!(layer["poses"][0]["nodes"], clip["poses"][0]["nodes"]);
    assert_eq!(layer["poses"][0]["clip"], Value::Null);
}

#[test]
fn layers_without_weight_are_the_rest_pose() {
    let layers = json(&["eval", "demo", "--layer", "flex:0@0.7", "--layer", "wave:-1@0.1"]);
    let rest = json(&["eval", "demo"]);
    assert_eq!(layers["poses"][0]["nodes"], rest["poses"][0]["nodes"]);
}

#[test]
fn a_graph_carries_ossi_as_far_as_its_speed_says() {
    let set = ["eval", "ossi", "--graph", GRAPH, "--set", "speed=1.4", "--at=1.3", "--at=2.3"];
    let poses = json(&set);
    let z = |at: usize| poses["poses"][at]["root"][14].as_f64().expect("a number");
    // Once it walks, a second is 1.4 m.
    assert!((z(1) - z(0) - 1.4).abs() < 1e-3, "{} {}", z(0), z(1));
    let still = json(&["eval", "ossi", "--graph", GRAPH, "--at=1"]);
    assert_eq!(still["poses"][0]["root"][14], 0.0);
}

#[test]
fn wrong_layers_and_settings_are_told_apart() {
    assert!(refused(&["eval", "demo", "--layer", "flex"], 2).contains("CLIP:WEIGHT@SECONDS"));
    assert!(refused(&["eval", "demo", "--layer", "fly:1@0"], 1).contains("\"fly\""));
    refused(&["eval", "demo", "--layer", "flex:1@0", "--clip", "flex"], 2);
    refused(&["eval", "demo", "--set", "speed=1"], 2);
    let graph = |set: &'static str| vec!["eval", "ossi", "--graph", GRAPH, "--set", set];
    assert!(refused(&graph("haste=1"), 1).contains("\"speed\""));
    assert!(refused(&graph("speed=fast"), 2).contains("found fast"));
    let other = refused(&["eval", "demo", "--graph", GRAPH], 1);
    assert!(other.contains("ossi.toml") && other.contains("there is no"), "{other}");
}
