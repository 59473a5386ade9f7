//! The manners of the command: exit codes, what goes where, and messages.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn sinew(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew")).args(arguments).output().expect("sinew starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("standard output is JSON")
}

#[test]
fn alone_it_names_its_commands() {
    let output = sinew(&[]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("sinew info FILE"));
}

#[test]
fn a_file_that_is_not_there_is_one_sentence_and_exit_code_1() {
    let output = sinew(&["eval", "no such file.glb"]);
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert_eq!(message, "sinew: cannot read no such file.glb: there is no such file\n");
    assert!(output.stdout.is_empty());
}

#[test]
fn nobody_listening_is_no_panic() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
    command.args(["info", "no such file.glb"]).stderr(Stdio::piped());
    let mut child = command.spawn().expect("sinew starts");
    drop(child.stderr.take());
    assert_eq!(child.wait().expect("sinew ends").code(), Some(1));
}

#[test]
fn bytes_of_no_known_format_are_refused_with_what_was_expected_and_found() {
    let file = std::env::temp_dir().join(format!("sinew-{}-naïve words.xyz", std::process::id()));
    std::fs::write(&file, "just some words").expect("a file");
    let output = sinew(&["info", file.to_str().expect("a name in Unicode")]);
    std::fs::remove_file(&file).expect("cleaned up");
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(message.contains("expected glTF") && message.contains("just some words"), "{message}");
}

#[test]
fn wrong_usage_is_exit_code_2() {
    for arguments in [
        &["eval"][..],
        &["eval", "demo", "--at=1"],
        &["dance"],
        &["eval", "demo", "--clip", "0", "--at=x"],
    ] {
        assert_eq!(sinew(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn an_unknown_clip_is_named_with_the_known_ones() {
    let output = sinew(&["eval", "demo", "--clip", "moonwalk"]);
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(message.contains("moonwalk") && message.contains("wave"), "{message}");
}

#[test]
fn eval_gives_one_pose_at_rest_and_one_per_time_of_a_clip() {
    let rest = json(&sinew(&["eval", "demo"]));
    assert_eq!(rest["poses"].as_array().map(Vec::len), Some(1));
    assert_eq!(rest["poses"][0]["clip"], Value::Null);
    assert_eq!(rest["joints"][1]["parent"], 0);
    assert_eq!(rest["joints"][0]["parent"], -1);
    let clip = json(&sinew(&["eval", "demo", "--clip", "flex", "--at=0.7", "--at=-5", "--at=99"]));
    let poses = clip["poses"].as_array().expect("poses");
    assert_eq!(poses.len(), 3);
    assert_eq!(poses[0]["nodes"][2].as_array().map(Vec::len), Some(16));
    // Both ends of this clip are the same pose, and times outside hold them.
    assert_eq!(poses[1]["nodes"], poses[2]["nodes"]);
    assert_ne!(poses[0]["nodes"], poses[1]["nodes"]);
    let vertices = clip["meshes"][0]["vertices"].as_u64().expect("a count");
    assert_eq!(poses[0]["positions"][0].as_array().map(Vec::len), Some(3 * vertices as usize));
}

#[test]
fn a_clip_goes_by_number_too() {
    let by_name = sinew(&["eval", "demo", "--clip", "flex", "--at=0.3"]);
    let by_number = sinew(&["eval", "demo", "--clip", "1", "--at=0.3"]);
    assert_eq!(by_name.stdout, by_number.stdout);
}

#[test]
fn info_tells_people_and_programs_the_same() {
    let people = text(&sinew(&["info", "demo"]).stdout);
    assert!(people.contains("* elbow") && people.contains("wave, 2.000 s"), "{people}");
    let facts = json(&sinew(&["info", "demo", "--json"]));
    assert_eq!(facts["clips"][0]["name"], "wave");
    assert_eq!(facts["skins"][0]["joints"], 3);
}

#[test]
fn a_model_comes_through_standard_input() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args(["info", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("sinew starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").expect("written");
    drop(stdin);
    let facts = json(&child.wait_with_output().expect("it ends"));
    assert_eq!(facts["format"], "obj");
    assert_eq!(facts["meshes"][0]["triangles"], 1);
}

#[test]
#[cfg(unix)]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sinew"))
        .args(["eval", "demo"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("sinew starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn a_companion_outside_of_the_folder_is_read_when_that_folder_is_allowed() {
    let top = std::env::temp_dir().join(format!("sinew-allow-{}", std::process::id()));
    std::fs::create_dir_all(top.join("in")).expect("a folder");
    std::fs::create_dir_all(top.join("out")).expect("a folder");
    std::fs::write(top.join("out/mesh.bin"), [0; 36]).expect("a file");
    let model = r#"{"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "buffers": [{"uri": "../out/mesh.bin", "byteLength": 36}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}]}"#;
    std::fs::write(top.join("in/model.gltf"), model).expect("a file");
    let path = |name: &str| top.join(name).to_str().expect("a name in Unicode").to_owned();
    let (model, folder) = (path("in/model.gltf"), path("out"));
    let refused = sinew(&["info", &model]);
    let allowed = sinew(&["info", &model, "--allow", &folder]);
    std::fs::remove_dir_all(&top).expect("cleaned up");
    assert_eq!(refused.status.code(), Some(1));
    let message = text(&refused.stderr);
    assert!(message.contains("it leads out of the folder (--allow DIR"), "{message}");
    assert_eq!(allowed.status.code(), Some(0), "{}", text(&allowed.stderr));
}

#[test]
fn files_that_are_not_found_are_named_in_one_line_with_where_they_were_looked_for() {
    let folder = std::env::temp_dir().join(format!("sinew-missing-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let model = folder.join("model.obj");
    std::fs::write(&model, "mtllib gone.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        .expect("a file");
    let output = sinew(&["eval", model.to_str().expect("a name in Unicode")]);
    std::fs::remove_dir_all(&folder).expect("cleaned up");
    let wanted = format!(
        "note: not found: \"gone.mtl\"; looked for in {} and its subfolders, as named and by base name\n",
        folder.display()
    );
    assert_eq!(text(&output.stderr), wanted);
}
