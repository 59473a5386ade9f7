//! Packed clips given to other commands: `sinew info`, `--anim`, and in a model's place.

mod turning;

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use turning::{Folder, even, text, turning};

fn read(folder: &Folder, name: &str) -> Vec<u8> {
    std::fs::read(folder.0.join(name)).expect("the file is there")
}

#[test]
fn what_is_packed_is_told_by_info_and_moves_the_model_within_the_stated_error() {
    let folder = Folder::new();
    let row =
        folder.json(&["pack", "ossi", "-o", "w.bin", "--clip", "walk", "--error", "5mm", "--json"]);
    let bytes = read(&folder, "w.bin").len();
    assert_eq!(
        (&row["clip"], &row["file"], &row["bytes"]),
        (&json!("walk"), &json!("w.bin"), &json!(bytes))
    );
    let error = row["error_mm"].as_f64().expect("a number");
    assert!(error > 0.5 && error <= 5.0, "{row}");
    let loss = row["loss_mm"].as_f64().expect("a number");
    assert!(row["skin_mm"].as_f64().expect("a number") <= loss, "{row}");

    let facts = folder.json(&["info", "w.bin", "--json"]);
    assert_eq!(facts["format"], "sinewclip");
    assert_eq!(
        (&facts["bytes"], &facts["version"]),
        (&json!(bytes), &json!(read(&folder, "w.bin")[6]))
    );
    let clip = &facts["clips"][0];
    assert_eq!((&clip["name"], &clip["bound_mm"]), (&json!("walk"), &json!(5.0)));
    for same in ["error_mm", "loss_mm", "frames", "rate", "uniform"] {
        assert_eq!(clip[same], row[same], "{same}");
    }
    let ossi = folder.json(&["info", "ossi", "--json"]);
    assert_eq!(facts["needs"]["nodes"], ossi["nodes"].as_array().map_or(0, Vec::len));

    // The packed clip has a free name, and every vertex is where it should be.
    let at = ["--at=0", "--at=0.21", "--at=0.5", "--at=0.83", "--at=1"];
    let eval = |more: &[&str]| folder.json(&[&["eval", "ossi"], more, &at].concat());
    let (exact, packed) =
        (eval(&["--clip", "walk"]), eval(&["--anim", "w.bin", "--clip", "walk (2)"]));
    let mut worst = 0.0_f64;
    for pose in 0..at.len() {
        let points = |eval: &Value| -> Vec<f64> {
            let parts = eval["poses"][pose]["positions"].as_array().expect("meshes").clone();
            let numbers = parts.iter().flat_map(|part| part.as_array().expect("numbers").clone());
            numbers.map(|number| number.as_f64().expect("a number")).collect()
        };
        let (exact, packed) = (points(&exact), points(&packed));
        assert_eq!(exact.len(), packed.len());
        for (a, b) in exact.chunks(3).zip(packed.chunks(3)) {
            let off: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
            worst = worst.max(off.sqrt());
        }
    }
    assert!(worst > 1e-5 && worst <= loss * 1e-3, "{worst} m");
}

#[test]
fn info_says_the_same_to_people() {
    let folder = Folder::new();
    folder.write("turn.gltf", turning(&["turn"], "LINEAR", &even()));
    folder.good(&["pack", "turn.gltf", "-o", "t.sinewclip", "--error", "1mm", "--rate", "10"]);
    let (said, _) = folder.good(&["info", "t.sinewclip"]);
    let size = read(&folder, "t.sinewclip").len();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], format!("t.sinewclip: sinewclip, {size} bytes"));
    let version = read(&folder, "t.sinewclip")[6];
    assert_eq!(lines[1], format!("  a packed clip of version {version}: turn, 1.000 s"));
    // It turns at an even pace: both ends are enough.
    assert_eq!(lines[2], "  2 frames at 1.00 Hz");
    assert!(lines[3].starts_with("  at the skin at most 1 mm off, 0."), "{said}");
    assert_eq!(lines[4], "  needs its model: 2 nodes, 0 morph weights, 0 driven values");
    assert_eq!(lines.len(), 5);
}

#[test]
fn a_file_that_is_cut_altered_or_newer_is_refused_alike_by_info_and_as_a_clip() {
    let folder = Folder::new();
    folder.write("turn.gltf", turning(&["turn"], "LINEAR", &even()));
    folder.good(&["pack", "turn.gltf", "-o", "good.sinewclip", "--error", "1mm"]);
    let good = read(&folder, "good.sinewclip");
    let all = good.len();
    let refused = |name: &str, told: &str| {
        folder.refused(&["info", name], 1, told);
        folder.refused(&["info", name, "--json"], 1, told);
        folder.refused(&["eval", "turn.gltf", "--anim", name], 1, told);
    };
    let with = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        bytes
    };
    for (name, bytes, told) in [
        ("cut", good[..all - 9].to_vec(), format!("{all} bytes, of which {} are here", all - 9)),
        ("short", good[..8].to_vec(), "94 bytes, of which 8 are here".to_owned()),
        (
            "longer",
            [&good[..], &[0]].concat(),
            format!("{all} bytes, of which {} are here", all + 1),
        ),
        (
            "newer",
            with(6, 77),
            format!("version 77, which a later Sinew wrote: expected {}", good[6]),
        ),
        (
            "older",
            with(6, 2),
            "version 2, which an earlier Sinew wrote: expected 3; pack it again from its model (sinew pack MODEL -o OUT)"
                .to_owned(),
        ),
    ] {
        folder.write(name, bytes);
        refused(name, &format!("sinew: cannot read {name}: a packed clip of {told}\n"));
    }
    folder.write("altered", with(60, good[60] ^ 1));
    let told = "cannot read altered: a packed clip that was altered: its checksum does not fit\n";
    refused("altered", told);
    folder.refused(
        &["eval", "demo", "--anim", "good.sinewclip"],
        1,
        "cannot read good.sinewclip: a clip that was packed against another skeleton; pack it again from this model",
    );
}

#[test]
fn a_packed_clip_in_a_models_place_is_told_how_to_be_given() {
    let folder = Folder::new();
    folder.write("turn.gltf", turning(&["turn"], "LINEAR", &even()));
    // Known by its bytes, not by its name.
    folder.good(&["pack", "turn.gltf", "-o", "turn.glb", "--error", "1mm"]);
    let told = "sinew: turn.glb is a packed clip, which needs the model it was packed from: sinew view MODEL --anim turn.glb\n";
    for arguments in [
        &["view", "turn.glb"][..],
        &["eval", "turn.glb"],
        &["render", "turn.glb", "-o", "x.png"],
        &["pack", "turn.glb", "-o", "x.sinewclip"],
        &["info", "turn.glb", "--anim", "turn.glb"],
        &["retarget", "turn.glb", "--onto", "ossi"],
        &["retarget", "ossi", "--onto", "turn.glb"],
    ] {
        folder.refused(arguments, 1, told);
    }
}

#[test]
fn a_packed_clip_comes_and_goes_through_pipes() {
    let folder = Folder::new();
    folder.write("turn.gltf", turning(&["turn"], "LINEAR", &even()));
    let packed = folder.sinew(&["pack", "turn.gltf", "-o", "-", "--error", "1mm"]);
    assert!(packed.status.success() && packed.stdout.starts_with(b"sinewc"));
    assert!(text(&packed.stderr).contains("mm at the skin"), "{}", text(&packed.stderr));
    let quiet = folder.sinew(&["pack", "-q", "turn.gltf", "-o", "-", "--error", "1mm"]);
    assert_eq!((quiet.stdout == packed.stdout, text(&quiet.stderr).as_str()), (true, ""));
    let piped = |arguments: &[&str]| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_sinew"))
            .args(arguments)
            .current_dir(&folder.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("sinew starts");
        child.stdin.take().expect("a pipe").write_all(&packed.stdout).expect("written");
        child.wait_with_output().expect("it ends")
    };
    assert!(text(&piped(&["info", "-"]).stdout).contains(": turn, 1.000 s\n"));
    let eval = piped(&["eval", "turn.gltf", "--anim", "-", "--clip", "turn (2)"]);
    assert!(eval.status.success(), "{}", text(&eval.stderr));
    let told = text(&piped(&["eval", "-"]).stderr);
    assert!(told.starts_with("sinew: standard input is a packed clip, which needs"), "{told}");
}
