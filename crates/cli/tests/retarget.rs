//! `sinew retarget`, and `--anim` of a file whose names do not bind.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

fn sinew(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sinew")).args(arguments).output().expect("sinew starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A file of its own for a test, gone when it is dropped.
struct File(PathBuf);

impl File {
    fn new(name: &str, content: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("sinew-retarget-{}-{name}", std::process::id()));
        std::fs::write(&path, content).expect("a file");
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a name in Unicode")
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// A joint of a BVH file with what hangs below it.
fn joint(name: &str, offset: [i32; 3], below: &str) -> String {
    let [x, y, z] = offset;
    format!(
        "JOINT {name}\n{{\nOFFSET {x} {y} {z}\nCHANNELS 3 Zrotation Xrotation Yrotation\n{below}}}\n"
    )
}

fn end(x: i32, y: i32, z: i32) -> String {
    format!("End Site\n{{\nOFFSET {x} {y} {z}\n}}\n")
}

/// A figure of 170 units in a T-pose under Biovision's names, that sinks 20 units and rises again in a second.
fn squat() -> String {
    let leg = |side: &str, x: i32| {
        let foot = joint(&format!("{side}Ankle"), [0, -40, 0], &end(0, -8, 15));
        let knee = joint(&format!("{side}Knee"), [0, -40, 0], &foot);
        joint(&format!("{side}Hip"), [x, 0, 0], &knee)
    };
    let arm = |side: &str, x: i32| {
        let hand = joint(&format!("{side}Wrist"), [25 * x, 0, 0], &end(10 * x, 0, 0));
        let elbow = joint(&format!("{side}Elbow"), [28 * x, 0, 0], &hand);
        let shoulder = joint(&format!("{side}Shoulder"), [12 * x, 0, 0], &elbow);
        joint(&format!("{side}Collar"), [4 * x, 35, 0], &shoulder)
    };
    let head = joint("Neck", [0, 40, 0], &joint("Head", [0, 10, 0], &end(0, 20, 0)));
    let chest = joint("Chest", [0, 20, 0], &(arm("Left", 1) + &arm("Right", -1) + &head));
    let below = leg("Left", 10) + &leg("Right", -10) + &chest;
    let mut file = format!(
        "HIERARCHY\nROOT Hips\n{{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation \
         Xrotation Yrotation\n{below}}}\nMOTION\nFrames: 31\nFrame Time: 0.0333333\n"
    );
    for frame in 0..31 {
        let depth = (std::f32::consts::PI * frame as f32 / 30.0).sin();
        // Knees bent by twice what the thighs turn: shin and thigh are 40 each.
        let bend = ((80.0 - 20.0 * depth) / 80.0).acos().to_degrees();
        let leg = format!(" 0 {} 0 0 {} 0 0 {} 0", -bend, 2.0 * bend, -bend);
        file += &format!("0 {} 0 0 0 0{leg}{leg}{}\n", 88.0 - 20.0 * depth, " 0 0 0".repeat(11));
    }
    file
}

#[test]
fn a_clip_is_retargeted_and_its_map_is_written_and_used_again() {
    let (clip, map) = (File::new("squat.bvh", &squat()), File::new("map.toml", ""));
    let output = sinew(&["retarget", clip.path(), "--onto", "ossi", "-o", map.path()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("hip height ratio   1.05"), "{said}");
    assert!(said.contains("foot slide, result 0.0 cm/s"), "{said}");
    let written = std::fs::read_to_string(map.path()).expect("the map");
    assert!(written.contains("left_thigh = { from = \"LeftHip\", to = \"thigh.L\" }"), "{written}");
    assert!(said.starts_with(&written), "{said}");

    let again = sinew(&["retarget", clip.path(), "--onto", "ossi", "--map", map.path(), "--json"]);
    let figures: Value = serde_json::from_slice(&again.stdout).expect("JSON");
    // Ossi's legs are 0.425 m and 0.416 m, the figure's twice 40.
    let ratio = figures["hip_ratio"].as_f64().expect("a number");
    assert!((ratio - 0.0105).abs() < 0.0002, "{ratio}");
    assert_eq!(figures["map"]["hips"]["from"][0], "Hips");
    assert_eq!(figures["map"]["hips"]["confidence"], 1);
}

#[test]
fn a_retargeted_clip_is_written_in_a_file_that_opens_and_binds() {
    let (clip, made) = (File::new("write.bvh", &squat()), File::new("made.skeleton_anim", ""));
    let output = sinew(&["retarget", clip.path(), "--onto", "ossi", "-o", made.path()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("hip height ratio"), "the figures are told all the same");
    // By names alone it is on Ossi what the retargeted clip is.
    let heights = |clip: &str, more: &[&str]| {
        let wanted = ["eval", "ossi", "--anim", clip, "--clip", "6", "--at=0.5"];
        let output = sinew(&[&wanted[..], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let eval: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let nodes = eval["poses"][0]["nodes"].as_array().expect("nodes").clone();
        nodes.iter().map(|node| node[13].as_f64().expect("a number")).collect::<Vec<f64>>()
    };
    let (direct, written) = (heights(clip.path(), &[]), heights(made.path(), &["--no-retarget"]));
    assert_eq!(direct.len(), written.len());
    for (direct, written) in direct.iter().zip(&written) {
        // Half a second is a frame of the file; between its own keys the clip is a little off.
        assert!((direct - written).abs() < 2e-3, "{direct} {written}");
    }
}

#[test]
fn clips_whose_names_do_not_bind_are_retargeted_and_said_to_be() {
    let clip = File::new("anim.bvh", &squat());
    let output =
        sinew(&["eval", "ossi", "--anim", clip.path(), "--clip", "6", "--at=0", "--at=0.5"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stderr);
    assert!(said.contains("note: retargeted, since names bind only"), "{said}");
    let eval: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let find = |name: &str| {
        let joints = eval["joints"].as_array().expect("joints");
        joints.iter().position(|joint| joint["name"] == name).expect("it is there")
    };
    let height = |pose: usize, name: &str| {
        eval["poses"][pose]["nodes"][find(name)][13].as_f64().expect("a number")
    };
    // 20 of the figure's 80 are a quarter of Ossi's leg of 0.841 m.
    let sunk = height(0, "hips") - height(1, "hips");
    assert!((sunk - 0.2103).abs() < 0.004, "{sunk}");
    let lifted = (height(0, "foot.L") - height(1, "foot.L")).abs();
    assert!(lifted < 0.004, "{lifted}");
}

#[test]
fn what_cannot_be_retargeted_is_refused_in_a_sentence() {
    let clip = File::new("refused.bvh", &squat());
    let refused = |arguments: &[&str], told: &str| {
        let output = sinew(arguments);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {message}");
        assert!(output.stdout.is_empty() && message.contains(told), "{arguments:?}: {message}");
    };
    refused(
        &["retarget", "ossi", "--onto", "demo"],
        "the character: expected a body with hips and two legs",
    );
    refused(&["retarget", "demo", "--onto", "ossi"], "the clip's skeleton: expected a body");
    refused(&["retarget", "ossi_place", "--onto", "ossi"], "it has no clips");
    refused(&["retarget", "ossi", "--onto", "ossi", "--clip", "fly"], "there is no clip \"fly\"");
    refused(
        &["eval", "ossi", "--anim", clip.path(), "--no-retarget", "--clip", "squat"],
        "there is no clip",
    );
    let map = File::new(
        "wrong.toml",
        "hips = { from = \"Hips\", to = \"hips\" }\nleft_thigh = { from = \"LeftHop\" }\n",
    );
    let at_line_2 = "line 2";
    refused(&["retarget", clip.path(), "--onto", "ossi", "--map", map.path()], at_line_2);
    refused(&["info", "ossi", "--anim", clip.path(), "--map", map.path()], at_line_2);
}

#[test]
fn wrong_usage_of_retarget_is_exit_code_2() {
    for arguments in [
        &["retarget", "ossi"][..],
        &["retarget", "ossi", "--onto", "ossi", "-o", "clip.xyz"],
        &["eval", "ossi", "--map", "map.toml"],
        &["eval", "ossi", "--anim", "a.bvh", "--map", "map.toml", "--no-retarget"],
    ] {
        assert_eq!(sinew(arguments).status.code(), Some(2), "{arguments:?}");
    }
}
