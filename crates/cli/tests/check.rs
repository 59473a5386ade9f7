//! `sinew check`: findings on one screen, as JSON and SARIF, for folders; exit codes; baselines; mends.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Two joints that nothing hangs on; the second key has the other sign, and the clip begins late.
const FLIPPED: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
"nodes":[{"name":"root","children":[1]},{"name":"tip","translation":[0,1,0]}],
"animations":[{"name":"bend","channels":[{"sampler":0,"target":{"node":0,"path":"rotation"}}],"samplers":[{"input":0,"output":1}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":2,"type":"SCALAR"},{"bufferView":1,"componentType":5126,"count":2,"type":"VEC4"}],
"bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":8},{"buffer":0,"byteOffset":8,"byteLength":32}],
"buffers":[{"byteLength":40,"uri":"data:application/octet-stream;base64,AACAPgAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAACAvw=="}]}"#;

fn sinew(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew")).arg("check").args(words).output().expect("sinew runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder of its own.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("sinew-check-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn one_model_is_one_screen_and_warnings_count_when_strict() {
    let folder = folder("one");
    let file = folder.join("flipped.gltf");
    fs::write(&file, FLIPPED).expect("a file");
    let path = file.to_str().expect("a name");
    let found = sinew(&[path]);
    let said = text(&found.stdout);
    assert!(said.contains("warning   quat-sign: 1 key of 1 track with the other sign"), "{said}");
    assert!(said.contains("at clip \"bend\", joint \"root\", 1.000 s"), "{said}");
    assert!(said.contains("warning   late: the first key is at 0.250 s of 1.000 s"), "{said}");
    assert_eq!(found.status.code(), Some(0), "{said}");
    assert_eq!(sinew(&[path, "--strict"]).status.code(), Some(1));
    assert_eq!(sinew(&[path, "--strict", "--skip", "quat-sign,late"]).status.code(), Some(0));
    let found = sinew(&[path, "--json", "--only", "late"]);
    let files: serde_json::Value = serde_json::from_slice(&found.stdout).expect("JSON");
    let findings = files[0]["findings"].as_array().expect("a list");
    assert_eq!((findings.len(), &findings[0]["clip"]), (1, &"bend".into()), "{files}");
    fs::remove_dir_all(folder).expect("it is ours");
}

#[test]
fn a_folder_goes_on_after_a_bad_file_and_the_code_says_so() {
    let folder = folder("many");
    fs::write(folder.join("a.gltf"), FLIPPED).expect("a file");
    fs::write(folder.join("b.gltf"), "{").expect("a file");
    let path = folder.to_str().expect("a name");
    let sarif = folder.join("out.sarif");
    let found = sinew(&[path, "--sarif", sarif.to_str().expect("a name")]);
    let said = text(&found.stdout);
    assert!(said.contains("quat-sign") && said.contains("unreadable"), "{said}");
    assert!(
        said.ends_with("2 checked: 0 with errors, 1 with warnings alone, 1 unreadable\n"),
        "{said}"
    );
    assert_eq!(found.status.code(), Some(2), "{said}");
    let log: serde_json::Value =
        serde_json::from_slice(&fs::read(sarif).expect("written")).expect("JSON");
    let run = &log["runs"][0];
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    let rules: Vec<_> =
        run["results"].as_array().expect("a list").iter().map(|one| &one["ruleId"]).collect();
    assert!(rules.contains(&&"quat-sign".into()), "{rules:?}");
    fs::remove_dir_all(folder).expect("it is ours");
}

#[test]
fn a_baseline_leaves_out_what_is_known() {
    let folder = folder("baseline");
    let (file, known) = (folder.join("flipped.gltf"), folder.join("known.json"));
    fs::write(&file, FLIPPED).expect("a file");
    let (path, known) = (file.to_str().expect("a name"), known.to_str().expect("a name"));
    assert_eq!(sinew(&[path, "--only", "late", "--write-baseline", known]).status.code(), Some(0));
    let found = sinew(&[path, "--baseline", known, "--only", "late", "--strict"]);
    assert_eq!(found.status.code(), Some(0), "{}", text(&found.stdout));
    assert!(text(&found.stdout).contains("nothing found, 1 known"), "{}", text(&found.stdout));
    assert_eq!(sinew(&[path, "--baseline", known, "--strict"]).status.code(), Some(1));
    fs::write(known, "[1]").expect("a file");
    assert_eq!(sinew(&[path, "--baseline", known]).status.code(), Some(2));
    fs::remove_dir_all(folder).expect("it is ours");
}

#[test]
fn a_mended_model_is_written_read_again_and_measured() {
    let folder = folder("mend");
    let (file, out) = (folder.join("flipped.gltf"), folder.join("mended.glb"));
    fs::write(&file, FLIPPED).expect("a file");
    let (path, out) = (file.to_str().expect("a name"), out.to_str().expect("a name"));
    let found = sinew(&[path, "--mend", out]);
    let said = text(&found.stderr);
    assert!(said.contains("mended quat-sign: 1 key has the sign of the one before"), "{said}");
    assert!(said.contains("mended late: 1 clip begins at zero"), "{said}");
    let again = text(&sinew(&[out, "--only", "quat-sign,late"]).stdout);
    assert!(again.contains("nothing found"), "{again}");
    let wrong = sinew(&[path, "--mend", out, "--also", "colour"]);
    assert_eq!(wrong.status.code(), Some(2), "{}", text(&wrong.stderr));
    fs::remove_dir_all(folder).expect("it is ours");
}

#[test]
fn rules_are_explained_and_a_misspelt_one_is_guessed() {
    let said = text(&sinew(&["--explain", "loop"]).stdout);
    assert!(said.starts_with("loop (warning): ") && said.contains("To mend:"), "{said}");
    let by_validator = text(&sinew(&["--explain", "ANIMATION_DUPLICATE_TARGETS"]).stdout);
    assert!(by_validator.starts_with("two-tracks (error): "), "{by_validator}");
    assert!(text(&sinew(&["--explain"]).stdout).lines().count() >= 40);
    let wrong = sinew(&["--explain", "lop"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("did you mean loop"), "{}", text(&wrong.stderr));
    assert_eq!(sinew(&["no/such/file.glb"]).status.code(), Some(2));
}

#[test]
fn a_rule_is_explained_with_a_picture_of_a_sound_figure_beside_one_with_the_fault() {
    let folder = folder("picture");
    let file = folder.join("fault.png");
    let path = file.to_str().expect("a name");
    let found = sinew(&["--explain", "weight-sum", "-o", path]);
    assert!(found.status.success(), "{}", text(&found.stderr));
    assert!(text(&found.stdout).contains("Why it matters"));
    let png = fs::read(&file).expect("a picture");
    // Width and height of the header: two cells of 420 by 480 pixels.
    assert_eq!(png[16..24], [0, 0, 3, 72, 0, 0, 1, 224]);
    assert_eq!(sinew(&["--explain", "-o", path]).status.code(), Some(2), "which rule?");
    fs::remove_dir_all(folder).expect("it is ours");
}
